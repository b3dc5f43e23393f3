"""The package of the program has a command with its own name, as `uvx` wants it, which is the program."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

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
