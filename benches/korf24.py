#!/usr/bin/env python3
"""Solves Korf and Felner's fifty 24-puzzles (benches/data/korf-24.txt), and goes on where an earlier run ended.

    benches/korf24.py --rows FILE.tsv [--easiest 30] [--tables 6|7] [--seconds 20,200,2000] [--engine PROGRAM]

`--tables 6` leaves the tables to the engine, which divides the tiles in two ways into four groups of 6. `--tables 7`
divides them into groups of 7, 7, 7 and 3: three tables of 1.2 GB each in the cache, built in the first run with some 7 GB
of memory.

Instances are tried in the order of the nodes that the paper's search generated, the easiest first, in rounds: each
has a limit on the time (`--seconds`), and those that one round does not solve are tried again in the next. With
`--easiest N`, only the first N of this order are tried. Each attempt adds a line to the rows at once: tables, number,
limit, outcome, cost, states expanded, processor seconds and seconds. A run skips what the rows have.

The last lines are the sums over the instances that are solved, the fastest first. Tables that the first run builds
count in its time, so build them by a run before, such as `--only 1 --seconds 200`. For the thirty easiest in one go:

    benches/korf24.py --rows ROWS.tsv --easiest 30 --seconds 7200

Exit status: 0 if all costs are the published ones, 1 otherwise.
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = "tables number limit outcome cost expanded cpu wall".split()
GROUPS = {"6": "", "7": 'pattern_database = """\n.dccc\nddccc\nbbbca\nbbaaa\nbbaaa\n"""\n'}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=pathlib.Path, required=True, metavar="FILE.tsv", help="the file of the results")
    parser.add_argument("--tables", choices=sorted(GROUPS), default="6", help="tiles in the largest tables [default: 6]")
    parser.add_argument("--easiest", type=int, default=50, metavar="N", help="only the N easiest [default: 50]")
    parser.add_argument("--only", default="", metavar="NUMBERS", help="only these instances, such as 38,40")
    parser.add_argument("--seconds", default="20,200,2000", metavar="LIMITS", help="the limit of each round")
    parser.add_argument("--engine", default=os.environ.get("ENGINE", str(ROOT / "target" / "release" / "engine")))
    return parser.parse_args()


def instances(only, easiest):
    """Returns number, tiles and cost of each instance, the easiest first."""
    lines = (ROOT / "benches" / "data" / "korf-24.txt").read_text().splitlines()
    rows = [[int(word) for word in line.split()] for line in lines if not line.startswith("#")]
    rows = sorted(rows, key=lambda row: row[27])[:easiest]
    return [(row[0], row[1:26], row[26]) for row in rows if not only or row[0] in only]


def solve(engine, tables, number, tiles, limit):
    """Returns the row of an attempt."""
    drawing = "\n".join(" ".join(map(str, tiles[at : at + 5])) for at in range(0, 25, 5))
    text = f'title = "Korf 24, {number}"\ndomain = "sliding-tile"\ngoal = "blank-first"\n'
    text += f'start = """\n{drawing}\n"""\n{GROUPS[tables]}'
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / f"{number}.toml"
        file.write_text(text)
        before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        command = [engine, "solve", str(file), "--format", "json", "--time-limit", f"{limit}s"]
        run = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        wall, after = time.monotonic() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    answer = json.loads(run.stdout)
    outcome = "solved" if answer.get("optimal") else answer["outcome"]
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return [tables, number, limit, outcome, answer.get("cost", ""), answer["expanded"], f"{cpu:.2f}", f"{wall:.2f}"]


def main():
    options = arguments()
    engine = str(pathlib.Path(options.engine).resolve())
    wanted = instances({int(number) for number in options.only.split(",") if number}, options.easiest)
    costs = {number: cost for number, _, cost in wanted}
    rows = []
    if options.rows.exists():
        rows = [line.split("\t") for line in options.rows.read_text().splitlines()[1:]]
    else:
        options.rows.write_text("\t".join(COLUMNS) + "\n")
    of_tables = lambda: [row for row in rows if row[0] == options.tables and int(row[1]) in costs]
    for limit in [int(limit) for limit in options.seconds.split(",")]:
        for number, tiles, _ in wanted:
            tried = [row for row in of_tables() if int(row[1]) == number]
            if any(row[3] == "solved" or int(row[2]) >= limit for row in tried):
                continue
            row = [str(field) for field in solve(engine, options.tables, number, tiles, limit)]
            with options.rows.open("a") as file:
                file.write("\t".join(row) + "\n")
            print("\t".join(row), flush=True)
            rows.append(row)
    solved = sorted((row for row in of_tables() if row[3] == "solved"), key=lambda row: float(row[6]))
    for count in sorted({1, 10, 30, len(solved)}):
        if count <= len(solved):
            cpu, wall = (sum(float(row[column]) for row in solved[:count]) for column in (6, 7))
            print(f"the easiest {count}: {cpu:.1f} s of processor time, {wall:.1f} s")
    wrong = [row[1] for row in solved if int(row[4]) != costs[int(row[1])]]
    print(f"{len(solved)} solved" + (f"; wrong costs: {', '.join(wrong)}" if wrong else ", all with the published costs"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
