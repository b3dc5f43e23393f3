"""Where the tests find puzzles."""
import pathlib

import pytest

PUZZLES = pathlib.Path(__file__).resolve().parents[2] / "puzzles"


@pytest.fixture
def puzzles() -> pathlib.Path:
    return PUZZLES
