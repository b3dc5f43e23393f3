"""Tables of several searches."""
from typing import Any, Dict, Iterable, Iterator, List, Optional, Union

from . import _engine

COLUMNS = (
    "puzzle algorithm heuristic status cost expanded generated stored build_seconds search_seconds error".split()
)


class Table:
    """Rows as dictionaries, which notebooks show as a table.

    >>> table = Table([{"algorithm": "bfs", "expanded": 3}])
    >>> print(table)
    algorithm  expanded
    bfs               3
    """

    def __init__(self, rows: Iterable[Dict[str, Any]]) -> None:
        self.rows: List[Dict[str, Any]] = list(rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        return iter(self.rows)

    def __getitem__(self, at: int) -> Dict[str, Any]:
        return self.rows[at]

    def to_pandas(self):
        """Returns a `pandas.DataFrame`."""
        import pandas

        return pandas.DataFrame(self.rows)

    def to_polars(self):
        """Returns a `polars.DataFrame`."""
        import polars

        return polars.DataFrame(self.rows)

    def _cells(self) -> List[List[str]]:
        columns = list(self.rows[0]) if self.rows else []
        used = [column for column in columns if any(row[column] is not None for row in self.rows)]
        return [used] + [[_written(row[column]) for column in used] for row in self.rows]

    def __str__(self) -> str:
        cells = self._cells()
        widths = [max(map(len, column)) for column in zip(*cells)]
        numeric = [all(_is_number(text) for text in column[1:]) for column in zip(*cells)]
        lines = []
        for row in cells:
            padded = (text.rjust(width) if right else text.ljust(width) for text, width, right in zip(row, widths, numeric))
            lines.append("  ".join(padded).rstrip())
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from html import escape

        head, *body = self._cells()
        parts = ["<table><thead><tr>", *(f"<th>{escape(cell)}</th>" for cell in head), "</tr></thead><tbody>"]
        for row in body:
            parts += ["<tr>", *(f"<td>{escape(cell)}</td>" for cell in row), "</tr>"]
        return "".join(parts + ["</tbody></table>"])


def _written(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def _is_number(text: str) -> bool:
    try:
        float(text or 0)
    except ValueError:
        return False
    return True


def compare(
    puzzles: Union[_engine.Puzzle, Iterable[_engine.Puzzle]],
    algorithms: Iterable[Optional[str]] = (None,),
    heuristics: Iterable[Optional[str]] = (None,),
    **limits: Any,
) -> Table:
    """Solves each puzzle by each algorithm with each heuristic, and returns a table with a row for each search.

    Uninformed algorithms run once, without a heuristic. `limits` are those of `Puzzle.solve`. A search that a puzzle
    does not allow has a row with its `error`.

    >>> puzzle = _engine.Puzzle.from_dict({"title": "Swap", "domain": "sliding-tile", "start": "1 2\\n0 3"})
    >>> [row["cost"] for row in compare(puzzle, ["bfs", "a-star"], ["manhattan"])]
    [1, 1]
    """
    several = [puzzles] if isinstance(puzzles, _engine.Puzzle) else list(puzzles)
    heuristics, algorithms = list(heuristics), list(algorithms)
    informed = _engine.informed_algorithms()
    rows = []
    for puzzle in several:
        for algorithm in algorithms:
            fitting = heuristics if algorithm is None or algorithm in informed else [None]
            rows += [_row(puzzle, algorithm, heuristic, limits) for heuristic in fitting]
    return Table(rows)


def _row(puzzle, algorithm, heuristic, limits) -> Dict[str, Any]:
    row = dict.fromkeys(COLUMNS)
    row.update(puzzle=puzzle.title, algorithm=algorithm, heuristic=heuristic)
    try:
        solution = puzzle.solve(algorithm, heuristic, **limits)
    except _engine.SolveError as error:
        row["error"] = str(error).splitlines()[0]
        return row
    row.update(
        algorithm=solution.algorithm,
        heuristic=solution.heuristic,
        status=str(solution.status).rpartition(".")[2],
        cost=solution.cost,
        expanded=solution.expanded,
        generated=solution.generated,
        stored=solution.stored,
        build_seconds=solution.build_seconds,
        search_seconds=solution.seconds - solution.build_seconds,
    )
    return row
