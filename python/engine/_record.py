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
