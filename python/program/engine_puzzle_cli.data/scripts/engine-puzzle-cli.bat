@"%~dp0engine.exe" %*
