"""What the tests share: where the puzzles are, and that Ctrl-C interrupts."""
import pathlib
import signal

import pytest

PUZZLES = pathlib.Path(__file__).resolve().parents[2] / "puzzles"


@pytest.fixture
def puzzles() -> pathlib.Path:
    return PUZZLES


@pytest.fixture
def interruptible():
    """Ctrl-C interrupts, also where the tests run in the background of a shell, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
