"""The packages: the command of the program with the name of its package, as `uvx` wants it, and what the module declares."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig

import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "program"


@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a script for a shell")
def test_the_command_with_the_name_of_the_package_is_the_program(tmp_path):
    name = re.search(r'^name = "(.*)"', (FOLDER / "pyproject.toml").read_text(), re.M)[1]
    script = shutil.copy(FOLDER / "engine_puzzle_cli.data" / "scripts" / name, tmp_path)
    program = tmp_path / "engine"
    program.write_text('#!/bin/sh\necho "$@"\nexit 3\n')
    program.chmod(0o755)
    run = subprocess.run([sys.executable, script, "solve", "a b"], capture_output=True, text=True)
    assert (run.stdout, run.returncode) == ("solve a b\n", 3)
    program.unlink()
    run = subprocess.run([sys.executable, script], capture_output=True, text=True, env={"PATH": ""})
    assert run.returncode == 1 and "install engine-puzzle-cli again" in run.stderr


def test_the_command_for_windows_starts_the_program_that_the_wheel_has():
    name = re.search(r'^name = "(.*)"', (FOLDER / "pyproject.toml").read_text(), re.M)[1]
    binary = re.search(r'\[\[bin\]\]\nname = "(.*)"', (FOLDER.parents[1] / "Cargo.toml").read_text())[1]
    script = (FOLDER / "engine_puzzle_cli.data" / "scripts" / f"{name}.bat").read_bytes()
    # `%~dp0` is the folder of the script, where the wheel puts the program, too.
    assert script.split() == [f'@"%~dp0{binary}.exe"'.encode(), b"%*"]


@pytest.mark.skipif(os.name != "nt", reason="only Windows runs such scripts")
def test_the_command_for_windows_passes_arguments_and_status_on(tmp_path):
    script = shutil.copy(FOLDER / "engine_puzzle_cli.data" / "scripts" / "engine-puzzle-cli.bat", tmp_path)
    shutil.copy(sys.executable, tmp_path / "engine.exe")
    run = subprocess.run([script, "-c", "import sys; print(sys.argv[1]); sys.exit(3)", "a b"], capture_output=True, text=True)
    assert (run.stdout, run.returncode) == ("a b\n", 3)


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this Python always has the lock")
def test_a_free_threaded_python_gets_its_lock_back():
    code = "import engine, sys; sys.exit(not sys._is_gil_enabled())"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
