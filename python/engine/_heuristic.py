"""Heuristics written in Python."""
from typing import Any, Callable


class Batched:
    """A function of an array of positions as a heuristic."""

    def __init__(self, function: Callable[[Any], Any], positions: str, size: int) -> None:
        self._function, self._positions, self._size = function, positions, size
        self.__name__ = getattr(function, "__name__", "function")
        self.__doc__ = getattr(function, "__doc__", None)

    def __call__(self, positions: Any) -> Any:
        return self._function(positions)


def batched(function=None, *, positions: str = "letters", size: int = 4096):
    """Makes a heuristic of a function that values many positions in one call, which is far faster.

    The function gets an array of numpy, positions by rows by columns, and returns an array with a value for each. Its
    elements are those of `Position.letters` (unsigned bytes) or of `Position.numbers` (integers), as `positions` says. The
    search asks ahead: for positions that it will need soon, at most about `size` in one call. A decorator, too.

    >>> import engine
    >>> puzzle = engine.Puzzle.from_dict({"title": "Swap", "domain": "sliding-tile", "start": "1 2 3\\n4 0 5\\n7 8 6"})
    >>> goal = puzzle.game().position().numbers * 0 + [[1, 2, 3], [4, 5, 6], [7, 8, 0]]
    >>> @engine.batched(positions="numbers")
    ... def misplaced(boards):
    ...     return ((boards != goal) & (boards != 0)).sum(axis=(1, 2))
    >>> puzzle.solve(heuristic=misplaced).cost
    2
    """
    if positions not in ("letters", "numbers"):
        raise ValueError(f"positions as `{positions}`: expected `letters` or `numbers`")
    if function is None:
        return lambda function: Batched(function, positions, size)
    return Batched(function, positions, size)
