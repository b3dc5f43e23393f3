#!/usr/bin/env python3
"""Measures what several threads are worth: a search with all threads beside as many searches at once with one each.

    benches/threads.py [--threads 2] [--runs 3] [--engine PROGRAM] [--also FILE] [--options OPTIONS]

For each puzzle, three times are measured in turn, and their medians printed: one process with one thread; N such
processes at once; one process with N threads. Each process starts without a cache, but for rows *from the cache*, which run
once more before. The last column is the throughput with N threads relative to that of N processes: the time of the N processes
divided by N, divided by the time with N threads.
Where threads share a core or wait for the same memory, N processes take longer than one, so this is what threads can reach.

`--also FILE` measures this file instead of the usual ones, with `--options`. All runs of a puzzle must write the same
bytes. Exit status: 0 if they do, 1 otherwise.

Use the program of `cargo build --release`, with nothing else running.
"""
import argparse
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

from rows import CACHED, ROOT, file_of, name_of, options_of, write_deals

# Slow rows of `rows.py`, then others whose searches threads share in other ways.
PUZZLES = [
    ("puzzles/gnome-klotski/pelopones.toml", ""),
    ("deal 4", "--algorithm a-star"),
    ("puzzles/korf-24/38.toml", ""),
    ("puzzles/blocks/time-machine.toml", ""),
    ("puzzles/permutation/rubiks-cube-17.toml", CACHED),
    ("puzzles/permutation/pocket-cube-hardest.toml", "--algorithm a-star --heuristic zero"),
    ("deal 8", "--algorithm a-star"),
    ("benches/puzzles/fifteen-42.toml", "--algorithm bidirectional"),
    ("puzzles/korf-24/40.toml", CACHED),
    ("deal 20", "--algorithm a-star"),
    ("puzzles/gnome-klotski/solomon.toml", ""),
    ("puzzles/rules/water-sort.toml", "--algorithm a-star --heuristic lm-cut"),
    ("puzzles/rules/burnt-pancakes.toml", "--algorithm a-star --heuristic lm-cut --node-limit 3000"),
]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=2, metavar="N", help="the number of threads [default: 2]")
    parser.add_argument("--runs", type=int, default=3, metavar="RUNS", help="times that each is measured [default: 3]")
    parser.add_argument("--engine", default=os.environ.get("ENGINE", str(ROOT / "target" / "release" / "engine")))
    parser.add_argument("--also", action="append", default=[], metavar="FILE", help="a puzzle instead of the usual ones")
    parser.add_argument("--options", default="", help="options of `engine solve` for the files of --also")
    return parser.parse_args()


def solve(engine, file, options, threads, processes):
    """Returns the seconds until all processes have ended, and what they wrote."""
    command = [engine, "solve", file, "--threads", str(threads), *options]
    begun = time.monotonic()
    running = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(processes)]
    written = {process.communicate()[0] for process in running}
    return time.monotonic() - begun, written


def main():
    options = arguments()
    also = ["--no-cache", *shlex.split(options.options)]
    print(f"| puzzle | one thread | {options.threads} processes | {options.threads} threads | throughput |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        write_deals(folder)
        puzzles = [(f"`{file}`", file, also) for file in options.also]
        puzzles = puzzles or [(name_of(*row), file_of(row[0], folder), options_of(row[1])) for row in PUZZLES]
        alike = [measure(options, *puzzle) for puzzle in puzzles]
    sys.exit(0 if all(alike) else 1)


def measure(options, name, file, more):
    """Measures a puzzle and prints its row; returns whether all runs wrote the same."""
    times, written = [], set()
    if "--no-cache" not in more:
        solve(options.engine, file, more, options.threads, 1)
    for _ in range(options.runs):
        measured = []
        for threads, processes in [(1, 1), (1, options.threads), (options.threads, 1)]:
            seconds, wrote = solve(options.engine, file, more, threads, processes)
            measured.append(seconds)
            written |= wrote
        times.append(measured)
    one, apart, together = (statistics.median(column) for column in zip(*times))
    share = statistics.median(apart / options.threads / together for _, apart, together in times)
    print(f"| {name} | {one:.2f} s | {apart:.2f} s | {together:.2f} s | {share:.2f} |", flush=True)
    if len(written) > 1:
        print(f"{name}: the runs wrote different bytes", file=sys.stderr)
    return len(written) == 1


if __name__ == "__main__":
    main()
