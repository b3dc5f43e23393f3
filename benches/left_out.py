#!/usr/bin/env python3
"""Measures what each reduction and each heuristic of the default search of `domain = "rules"` is worth.

    benches/left_out.py [FILE OR FOLDER]... [--sample N --seed S] [--time 10] [--only NAME,...] [--rows FILE.tsv]
                        [--engine PROGRAM]

Solves every file once as it is and once without each part, by `engine solve --without NAME`, with one thread and no
cache. Without arguments the set is all written rules in `puzzles/`. `--sample N` takes N files of each folder, chosen by
a seed among those that take 0.1 s and more, in place of all. A heuristic is left out only where a stage of the default
search uses it; elsewhere nothing changes.

A row of the table is a part left out: the files on which that makes a difference, how many of them are solved with and
without it, and the geometric means of the states and of the processor seconds without it, divided by those with it,
over the files that both solve. More than 1: the part pays. *1.5 times* counts the files that take at least 1.5 times
as long without it, or are not solved then. Times are processor seconds of the whole program, so that
they hold on a busy machine; a pair of runs follows each other at once.

Exit status: 0 if no answers differ, 1 otherwise, 2 for wrong usage.
"""
import argparse
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
PUZZLES = ROOT / "puzzles"
SLOW = 0.1
COLUMNS = "file left_out outcome cost expanded seconds".split()


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=pathlib.Path, help="puzzle files, or folders of them at any depth")
    parser.add_argument("--engine", default=os.environ.get("ENGINE", str(ROOT / "target" / "release" / "engine")))
    parser.add_argument("--sample", type=int, metavar="N", help="N slow files of each folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--time", type=float, default=10, metavar="SECONDS", help="limit for each run [default: 10]")
    parser.add_argument("--only", type=lambda text: text.split(","), metavar="NAME,...",
                        help="leave out only these; NAME+NAME leaves out both at once")
    parser.add_argument("--rows", type=pathlib.Path, metavar="FILE.tsv", help="write a line for each run to this file")
    return parser.parse_args()


def files_below(path):
    files = sorted(path.rglob("*.toml")) if path.is_dir() else [path]
    return [file for file in files if tomllib.loads(file.read_text()).get("domain") == "rules"]


def run(path, left_out, options):
    """Solves a file. Returns the answer, and the processor seconds of the program."""
    command = [options.engine, "solve", str(path), "--no-cache", "--threads", "1", "--json", "--quiet", "--explain"]
    command += ["--time-limit", f"{round(options.time * 1000)}ms", "--memory-limit", "4GiB"]
    command += ["--without", left_out.replace("+", ",")] if left_out else []
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    output = process.stdout.read()
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0  # Reaped above.
    return json.loads(output), usage.ru_utime + usage.ru_stime


def is_solved(answer):
    return answer["outcome"] in ("solved", "unsolvable")


def stages(answer):
    return {stage["heuristic"] for stage in (answer["explanation"] or {"stages": []})["stages"]}


def mean(ratios):
    return f"{math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}" if ratios else ""


def main():
    options = arguments()
    facts = json.loads(subprocess.check_output([options.engine, "domains", "rules", "--json"]))
    reductions = [row["name"] for row in facts["reductions"]]
    heuristics = [row["name"] for row in facts["heuristics"] if row["name"] != "zero"]
    names = options.only or reductions + heuristics
    table = open(options.rows, "w") if options.rows else None

    def record(path, left_out, answer, seconds):
        if table:
            row = [path, left_out or "-", answer["outcome"], answer["cost"], answer["expanded"], f"{seconds:.3f}"]
            print(*row, sep="\t", file=table, flush=True)

    if table:
        print(*COLUMNS, sep="\t", file=table, flush=True)
    pairs = {name: [] for name in names}
    differ = 0
    for folder in options.paths or [PUZZLES]:
        files = files_below(folder)
        if options.sample:
            random.Random(options.seed).shuffle(files)
        taken = 0
        for path in files:
            before, seconds = run(path, None, options)
            if options.sample and (seconds < SLOW or not is_solved(before)):
                continue
            record(path, None, before, seconds)
            for name in names:
                if name in heuristics and name not in stages(before):
                    continue
                after, without = run(path, name, options)
                record(path, name, after, without)
                if after["expanded"] == before["expanded"]:
                    continue
                pairs[name].append((before, seconds, after, without))
                if is_solved(before) and is_solved(after) and before["cost"] != after["cost"]:
                    differ += 1
                    print(f"{path}: {before['cost']}, without {name} {after['cost']}", file=sys.stderr)
            taken += 1
            if taken == options.sample:
                break
    print("| left out | files | solved | solved without | states | time | 1.5 times |\n|---|---|---|---|---|---|---|")
    for name in names:
        both = [pair for pair in pairs[name] if is_solved(pair[0]) and is_solved(pair[2])]
        cells = [name, len(pairs[name])]
        cells += [sum(is_solved(pair[0]) for pair in pairs[name]), sum(is_solved(pair[2]) for pair in pairs[name])]
        cells.append(mean([(after["expanded"] + 1) / (before["expanded"] + 1) for before, _, after, _ in both]))
        cells.append(mean([without / seconds for _, seconds, _, without in both]))
        solved = [pair for pair in pairs[name] if is_solved(pair[0])]
        cells.append(sum(not is_solved(after) or without >= 1.5 * seconds for _, seconds, after, without in solved))
        print("| " + " | ".join(map(str, cells)) + " |", flush=True)
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
