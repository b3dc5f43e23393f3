#!/usr/bin/env python3
"""Measures the engine on deals of Freecell, written as rules with piles: 52 cards, moved one at a time.

    benches/freecell.py [--deals 1-20] [--algorithm bfws] [--time 20] [--memory 4GiB] [--engine PROGRAM]
    benches/freecell.py --write FOLDER [--deals 1-20]

The deals have the numbers of the game that came with Microsoft Windows. Its generator is the linear congruential one of
that system's C library. Prints a line for each deal: the cost found, the proven lower bound, the processor seconds of the
whole program and the states expanded, then the medians. `--write` writes the puzzle files instead.

Use the program of `cargo build --release`. Exit status: 0 if every deal has a solution, 1 otherwise.
"""
import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RANKS, SUITS = "A23456789TJQK", "CDHS"
RULES = """
goal = "all(h in 1..4: size(home[h]) == 13)"

[piles]
"column[1..8]" = {}
"free[1..4]" = { most = 1 }
"home[1..4]" = {}

[maps]
rank = { %s }
suit = { "?C" = 1, "?D" = 2, "?H" = 3, "?S" = 4 }
colour = { "?C" = "black", "?S" = "black", "?D" = "red", "?H" = "red" }

[[rules]]
name = "{x} home"
for = { x = ["column", "free"], h = "1..4" }
when = "suit(top(x)) == h && rank(top(x)) == size(home[h]) + 1"
carry = { from = "x", to = "home[h]" }

[[rules]]
name = "{x} to {y}"
for = { x = ["column", "free"], y = ["column"] }
when = "size(y) == 0 || rank(top(x)) + 1 == rank(top(y)) && colour(top(x)) != colour(top(y))"
carry = { from = "x", to = "y" }

[[rules]]
name = "{x} to {y}"
for = { x = ["column"], y = ["free"] }
carry = { from = "x", to = "y" }
""" % ", ".join(f'"{rank}?" = {number}' for number, rank in enumerate(RANKS, 1))


def dealt(number):
    """Returns the columns of a deal."""
    deck = [rank + suit for rank in RANKS for suit in SUITS]
    columns = [[] for _ in range(8)]
    for place in range(52):
        number = (number * 214013 + 2531011) % 2**31
        at = (number >> 16) % len(deck)
        deck[at], deck[-1] = deck[-1], deck[at]
        columns[place % 8].append(deck.pop())
    return columns


def puzzle(number):
    columns = ", ".join(f'"{" ".join(column)}"' for column in dealt(number))
    start = f'start = {{ column = [{columns}], free = "", home = "" }}'
    return f'title = "Freecell, deal {number}"\ndomain = "rules"\n{start}{RULES}'


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", default="1-20", metavar="FIRST-LAST", help="the numbers of the deals [default: 1-20]")
    parser.add_argument("--algorithm", default="bfws", help="the engine's --algorithm [default: bfws]")
    parser.add_argument("--time", type=float, default=20, metavar="SECONDS", help="limit for each deal [default: 20]")
    parser.add_argument("--memory", default="4GiB", help="the engine's --memory-limit [default: 4GiB]")
    parser.add_argument("--write", type=pathlib.Path, metavar="FOLDER", help="write the puzzle files to this folder")
    parser.add_argument("--engine", default=os.environ.get("ENGINE", str(ROOT / "target" / "release" / "engine")))
    return parser.parse_args()


def solve(args, file):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    options = ["--algorithm", args.algorithm, "--time-limit", str(args.time), "--memory-limit", args.memory]
    command = [args.engine, "solve", str(file), "--json", "--no-cache", "--threads", "1", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if not done.stdout:
        sys.exit(done.stderr)
    return json.loads(done.stdout), seconds


def main():
    args = arguments()
    first, _, last = args.deals.partition("-")
    numbers = range(int(first), int(last or first) + 1)
    if args.write:
        args.write.mkdir(parents=True, exist_ok=True)
        for number in numbers:
            (args.write / f"deal-{number}.toml").write_text(puzzle(number))
        return 0
    rows = []
    print("deal\tcost\tbound\tseconds\texpanded")
    with tempfile.TemporaryDirectory() as folder:
        for number in numbers:
            file = pathlib.Path(folder) / f"deal-{number}.toml"
            file.write_text(puzzle(number))
            answer, seconds = solve(args, file)
            rows.append((answer.get("cost"), seconds))
            expanded = answer.get("expanded")
            print(f'{number}\t{answer.get("cost")}\t{answer.get("lower_bound")}\t{seconds:.2f}\t{expanded}', flush=True)
    costs = [cost for cost, _ in rows if cost is not None]
    if costs:
        seconds = statistics.median(seconds for _, seconds in rows)
        print(f"{len(costs)} of {len(rows)} solved, median cost {statistics.median(costs)}, {seconds:.2f} s")
    return 0 if len(costs) == len(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
