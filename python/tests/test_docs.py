"""The examples of the guide run from the folder of the project, as it says."""
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXTS = [ROOT / "docs" / "python.md", ROOT / "python" / "README.md"]


def examples(text):
    """The examples of a text: one that continues another comes after it, in one run."""
    found = []
    for continued, code in re.findall(r"```python( continued)?\n(.*?)```", text.read_text(), re.S):
        found[-1:] = [found[-1] + code] if continued else [*found[-1:], code]
    return found


EXAMPLES = [(text, code) for text in TEXTS for code in examples(text)]


@pytest.mark.parametrize("text, code", EXAMPLES, ids=[f"{text.name}-{n}" for n, (text, _) in enumerate(EXAMPLES)])
def test_an_example_runs(text, code, monkeypatch):
    monkeypatch.chdir(ROOT)
    if "engine.gym" in code:
        pytest.importorskip("gymnasium")
    exec(compile(code, str(text), "exec"), {})
