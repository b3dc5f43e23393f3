"""Results with the names of the program's JSON."""
import json
from typing import Any


class Record(dict):
    """A dictionary whose values are attributes, too.

    >>> record = read('{"cost": 9, "edits": [{"row": 1}]}')
    >>> record.cost, record["cost"], record.edits[0].row
    (9, 9, 1)
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no `{name}`: there are {', '.join(self)}") from None

    def __dir__(self):
        return [*super().__dir__(), *self]


def read(text: Any) -> Any:
    """Returns the value of a text in JSON: objects are records."""
    return json.loads(text, object_hook=Record)


class HeuristicCheck(Record):
    """What a check of a heuristic found: its `admissible`, `consistent` (`None` if a sample has no exceptions), `overestimates`,
    `drops`, `mean_h`, `mean_error`, and `counter_example`, the smallest one, `None` if there is none; `whole`, `positions` and
    `others`, the measurements of the puzzle's own heuristics. As text, it draws the counter-example."""

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text


def check(found: Record, text: str) -> HeuristicCheck:
    """Returns the check of the first heuristic of several."""
    first, *others = found.heuristics
    measured = {"whole": found.whole, "sample": found.sample, "positions": found.positions, "solvable": found.solvable}
    return HeuristicCheck(first, **measured, others=others, text=text)
