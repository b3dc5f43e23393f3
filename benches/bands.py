#!/usr/bin/env python3
"""Makes thirty levels of three templates to a band of cost and rating, and measures what they keep of it.

    python3 benches/bands.py [--engine PATH] [--count N] [--seed S] [--time-limit TIME]

For each template of `puzzles/templates` in BANDS, the bands are written into a copy, `engine generate` makes the levels, and
then each level is rated anew, compared with all others under the symmetries of a rectangle, and solved without each wall and
each car that may vary. CPU seconds are of `engine generate` with one thread.
A wall or car is superfluous if the cost stays without it and, where a unique solution is wanted, the solution is unique."""

import argparse
import json
import re
import resource
import subprocess
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The bands of cost and of rating.
BANDS = {"ice": ((6, 12), (0.5, 1.2)), "sokoban": ((10, 30), (4, 8)), "rush-hour": ((10, 30), (6, 10))}


def cpu(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, ended


def banded(text, cost, rating):
    """Returns the text of a template with these bands, which wants nothing superfluous."""
    head, table = text.split("[generate]")
    table = re.sub(r"^(cost|rating|needed) = .*\n", "", table, flags=re.MULTILINE)
    band = lambda ends: f"[{ends[0]}, {ends[1]}]"
    return f"{head}[generate]\ncost = {band(cost)}\nrating = {band(rating)}\nneeded = true\n{table.lstrip()}"


def images(puzzle):
    """Returns the drawings of a level under the symmetries; the names of cars do not matter."""
    sheets = [puzzle["start"].split(), puzzle.get("marks", "").split()]

    def named(rows):
        names = {}
        return "\n".join(
            "".join(str(names.setdefault(cell, len(names))) if puzzle["domain"] == "klotski" and cell.isalpha() else cell for cell in row)
            for row in rows
        )

    found = []
    for _ in range(4):
        sheets = [["".join(column) for column in zip(*rows[::-1])] for rows in sheets]
        for turned in (sheets, [[row[::-1] for row in rows] for rows in sheets]):
            found.append("\n\n".join(named(rows) for rows in turned))
    return set(found)


def without(puzzle, text, cells):
    """Returns the texts of a level without each wall that may vary, and without each car but the first."""
    rows = puzzle["start"].split()
    walls = [(row, column) for row, line in enumerate(cells or []) for column, mark in enumerate(line) if mark == "?"]
    taken = [{place} for place in walls if rows[place[0]][place[1]] == "#"]
    if not cells:
        names = sorted(set("".join(rows)) - set(".A"))
        taken += [{(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell == name} for name in names]
    for places in taken:
        less = ["".join("." if (r, c) in places else cell for c, cell in enumerate(row)) for r, row in enumerate(rows)]
        yield text.split("[expect]")[0].replace("\n".join(rows), "\n".join(less), 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default="target/release/engine")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--time-limit", default="none")
    parser.add_argument("templates", nargs="*", default=list(BANDS))
    options = parser.parse_args()
    engine = str(Path(options.engine).resolve())
    for name in options.templates:
        cost, rating = BANDS[name]
        text = (ROOT / "puzzles" / "templates" / f"{name}.toml").read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            template, out = Path(folder, f"{name}.toml"), Path(folder, "levels")
            template.write_text(banded(text, cost, rating), encoding="utf-8")
            more = ["--count", str(options.count), "--seed", options.seed, "--threads", "1", "--out", str(out)]
            seconds, ended = cpu([engine, "generate", str(template), *more, "--time-limit", options.time_limit])
            files = sorted(out.glob("*.toml"))
            print(f"{name}: {len(files)} of {options.count} levels in {seconds:.1f} CPU s; {ended.stdout.splitlines()[:1]}")
            if not files:
                print(ended.stderr)
                continue
            _, rated = cpu([engine, "rate", "--json", *map(str, files)])
            ratings = [json.loads(line) for line in rated.stdout.splitlines()]
            by_cost = sum(cost[0] <= one["cost"] <= cost[1] for one in ratings)
            by_both = sum(cost[0] <= one["cost"] <= cost[1] and rating[0] <= one["score"] <= rating[1] for one in ratings)
            wants = tomllib.loads(text)["generate"]
            cells = wants.get("cells")
            counts = ["--count"] if wants.get("unique") else []
            seen, alike, superfluous, parts = set(), 0, 0, 0
            for file, one in zip(files, ratings):
                level = file.read_text(encoding="utf-8")
                puzzle = tomllib.loads(level)
                own = images(puzzle)
                alike += bool(own & seen)
                seen |= own
                for less in without(puzzle, level, cells and cells.split()):
                    parts += 1
                    file.write_text(less, encoding="utf-8")
                    command = [engine, "solve", "--json", str(file), *counts]
                    solved = json.loads(subprocess.run(command, capture_output=True, check=False).stdout or "{}")
                    is_same = solved.get("cost") == one["cost"]
                    superfluous += is_same and (not counts or int(solved["solutions"]) == 1)
                file.write_text(level, encoding="utf-8")
            print(f"  inside both bands: {by_both} of {len(files)}, by cost {by_cost}")
            print(f"  alike: {alike}; superfluous: {superfluous} of {parts} walls and cars")


if __name__ == "__main__":
    main()
