#!/usr/bin/env python3
"""Measures what several threads are worth: a search with all threads beside as many searches at once with one each.

    benches/threads.py [--threads 2] [--runs 3] [--engine PROGRAM] [--also FILE] [--options OPTIONS]

For each puzzle, three times are measured in turn, and their medians printed: one process with one thread; N such
processes at once; one process with N threads. Each process starts without a cache. The last column is the throughput with
N threads relative to that of N processes: the time of the N processes divided by N, divided by the time with N threads.
Where threads share a core or wait for the same memory, N processes take longer than one, so this is what threads can reach.

`--also FILE` measures this file instead of the usual ones, with `--options`. All runs of a puzzle must write the same
bytes. Exit status: 0 if they do, 1 otherwise.

Use the program of `cargo build --release`, with nothing else running.
"""
import argparse
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PUZZLES = [
    ("puzzles/gnome-klotski/solomon.toml", ""),
    ("puzzles/permutation/pocket-cube-hardest.toml", "--algorithm a-star --heuristic zero"),
    ("benches/puzzles/fifteen-42.toml", "--algorithm bidirectional"),
    ("puzzles/korf-24/38.toml", ""),
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


def solve(engine, puzzle, options, threads, processes):
    """Returns the seconds until all processes have ended, and what they wrote."""
    command = [engine, "solve", str(ROOT / puzzle), "--no-cache", "--threads", str(threads), *shlex.split(options)]
    begun = time.monotonic()
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) for _ in range(processes)]
    written = {process.communicate()[0] for process in running}
    return time.monotonic() - begun, written


def main():
    options = arguments()
    puzzles = [(file, options.options) for file in options.also] or PUZZLES
    all_alike = True
    print(f"| puzzle | one thread | {options.threads} processes | {options.threads} threads | throughput |\n|---|---|---|---|---|")
    for puzzle, more in puzzles:
        times, written = [], set()
        for _ in range(options.runs):
            measured = []
            for threads, processes in [(1, 1), (1, options.threads), (options.threads, 1)]:
                seconds, wrote = solve(options.engine, puzzle, more, threads, processes)
                measured.append(seconds)
                written |= wrote
            times.append(measured)
        one, apart, together = (statistics.median(column) for column in zip(*times))
        share = statistics.median(apart / options.threads / together for _, apart, together in times)
        name = f"`{puzzle}`" + (f", `{more}`" if more else "")
        print(f"| {name} | {one:.2f} s | {apart:.2f} s | {together:.2f} s | {share:.2f} |", flush=True)
        if len(written) > 1:
            all_alike = False
            print(f"{puzzle}: the runs wrote different bytes", file=sys.stderr)
    sys.exit(0 if all_alike else 1)


if __name__ == "__main__":
    main()
