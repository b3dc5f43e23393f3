"""What notebooks show: solutions and searches to step through, charts, progress in one line.

A `Puzzle`, a `Game`, a `Solution` and an `Exploration` draw themselves as the value of a cell, and a table of `compare` is
one. The functions here show more.
"""
import sys
from html import escape
from typing import Any, Iterable, Sequence


class Page:
    """A page within a cell: HTML with its own keys and its own slider."""

    def __init__(self, html: str, height: int = 640) -> None:
        self.html = html
        self.height = height

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{escape(self.html, quote=True)}" width="100%" height="{self.height}" '
            'style="border: 0" title="engine"></iframe>'
        )

    def save(self, path) -> None:
        """Writes the page to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)


def steps(solution, height: int = 640) -> Page:
    """Shows a solution to step through, by keys and a slider."""
    return Page(solution.html(), height)


def search(puzzle, algorithms: Sequence[str], heuristics: Sequence[str] = (), *, limit: int = 2_000, height: int = 760,
           **limits: Any) -> Page:
    """Shows searches of a puzzle side by side, expansion by expansion."""
    return Page(puzzle.search_page(list(algorithms), list(heuristics), limit=limit, **limits), height)


class Chart:
    """A chart as SVG."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg


def bars(table: Iterable[dict], value: str = "expanded") -> Chart:
    """Draws a value of each search of a table as a bar, on a logarithmic scale."""
    from math import log10

    rows = [row for row in table if row[value] is not None]
    names = [" ".join(str(row[key]) for key in ("algorithm", "heuristic") if row[key]) for row in rows]
    greatest = max((log10(row[value] + 1) for row in rows), default=1) or 1
    height, left, width = 22, 190, 340
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 {len(rows) * height + 30}" font-size="13" '
        'font-family="sans-serif" fill="currentColor" role="img">',
        f'<text x="{left}" y="16">{escape(value.replace("_", " "))}, logarithmic</text>',
    ]
    for number, (name, row) in enumerate(zip(names, rows)):
        y = 26 + number * height
        length = width * log10(row[value] + 1) / greatest
        shown = f"{row[value]:,}" if isinstance(row[value], int) else f"{row[value]:.4f}"
        parts.append(f'<text x="{left - 8}" y="{y + 13}" text-anchor="end">{escape(name)}</text>')
        parts.append(f'<rect x="{left}" y="{y}" width="{length:.1f}" height="16" fill="#4477aa"/>')
        parts.append(f'<text x="{left + length + 6:.1f}" y="{y + 13}">{shown}</text>')
    return Chart("".join(parts + ["</svg>"]))


def progress(reading: dict) -> None:
    """Writes progress as one line: give it to `on_progress`."""
    bound = f", at least {reading['lower_bound']:g}" if reading["lower_bound"] else ""
    line = f"{reading['doing'] or 'building'}: {reading['expanded']:,} states expanded{bound}"
    sys.stdout.write(f"\r{line:<78}")
    sys.stdout.flush()
