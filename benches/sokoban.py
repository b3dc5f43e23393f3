#!/usr/bin/env python3
"""Measures the engine on Sokoban levels written as `domain = "rules"`, a table row for each folder.

    benches/sokoban.py [FILE OR FOLDER]... [--metric pushes|steps] [--folder microban1] [--time 20] [--rows FILE.tsv]
                       [--engine PROGRAM] [--beside PROGRAM]

Solves every file with one thread and no cache, and compares the cost with the file's `[expect]`. *Proven* counts levels
solved with a proven least cost; *wrong* counts answers that contradict `[expect]`, impossible lower bounds included.
Times are the processor seconds of the whole program, user and system, so that they hold on a busy machine too. `--time`
limits the time on the clock. `--slack 3` limits the processor time instead, and the clock to three times as much: use it
where other programs run (Linux only). An answer after more processor time than `--time` does not count; a program that
is stopped for its processor time reports no bound.

Without arguments it measures the rooms of `puzzles/rooms`. Use the program of `cargo build --release`.

`--beside PROGRAM` runs another solver on the same levels in XSB text, as `PROGRAM pushes|moves FILE SECONDS MAXNODES`.
It prints `cost N` or `unsolvable` on success. *Ratio* is the engine's time divided by the other's: infinite where only the
other solves the level, 0 where only the engine does.

Exit status: 0 if no answer is wrong, 1 otherwise, 2 for wrong usage.
"""
import argparse
import json
import math
import os
import pathlib
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROOMS = ROOT / "puzzles" / "rooms"
MARKS = [5, 10, 20]
STOPS = signal.SIGXCPU, signal.SIGKILL
XSB = {("#", "."): "#", (".", "."): " ", (".", "x"): ".", ("$", "."): "$", ("$", "x"): "*", ("@", "."): "@", ("@", "x"): "+"}
COLUMNS = "folder file metric expected outcome cost bound verdict cpu wall peak_mib expanded heuristic".split()
BESIDE = "other other_cost other_cpu ratio".split()


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=pathlib.Path, help="puzzle files, or folders of them at any depth")
    parser.add_argument("--engine", default=os.environ.get("ENGINE", str(ROOT / "target" / "release" / "engine")))
    parser.add_argument("--metric", choices=["pushes", "steps"], help="only files that count these [default: both]")
    parser.add_argument("--folder", action="append", help="only files in folders of this name; may be repeated")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth file of each folder")
    parser.add_argument("--time", type=float, default=20, metavar="SECONDS", help="limit for each level [default: 20]")
    parser.add_argument("--slack", type=float, default=1, help="multiply the limit on the clock by this [default: 1]")
    parser.add_argument("--memory", default="4GiB", help="the engine's --memory-limit [default: 4GiB]")
    parser.add_argument("--nodes", type=int, default=20_000_000, help="MAXNODES of the other program [default: 20000000]")
    parser.add_argument("--args", default="", help="further options for `engine solve`")
    parser.add_argument("--beside", metavar="PROGRAM", help="run this solver on the same levels")
    parser.add_argument("--rows", type=pathlib.Path, metavar="FILE.tsv", help="write a line for each level to this file")
    return parser.parse_args()


def files_below(paths):
    for path in paths:
        if path.is_dir():
            yield from sorted(path.rglob("*.toml"))
        elif path.is_file():
            yield path
        else:
            sys.exit(f"{path}: no such file or folder")


def is_sokoban(path):
    file = tomllib.loads(path.read_text())
    drawings = [file.get(key) for key in ("start", "marks")]
    return file.get("domain") == "rules" and all(isinstance(text, str) for text in drawings) and "$" in drawings[0]


class Level:
    def __init__(self, path):
        self.path = path
        self.folder = path.resolve().parent.name
        self.file = tomllib.loads(path.read_text())
        costs = {("$" in rule.get("from", ""), rule.get("cost", 1)) for rule in self.file["rules"]}
        known = {((False, 0), (True, 1)): "pushes", ((False, 1), (True, 1)): "steps"}
        self.metric = known.get(tuple(sorted(costs)), "other")
        self.expect = self.file.get("expect", {})

    def xsb(self):
        """Returns the level in XSB text, which plain Sokoban solvers read; None for other symbols, goals or costs."""
        if self.metric == "other" or self.file["goal"] != {"every": {"$": "x"}}:
            return None
        grid, marks = self.file["start"].split(), self.file["marks"].split()
        try:
            return "".join("".join(XSB[pair] for pair in zip(*rows)) + "\n" for rows in zip(grid, marks))
        except KeyError:
            return None


def run(command, options):
    """Runs a program. Returns its output, its processor seconds, its seconds on the clock, and its peak in MiB."""
    clock = options.time * options.slack + 30
    with tempfile.TemporaryFile() as out:
        began = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        # Not by `preexec_fn`: Python would then fork a copy of itself, which the program's processor time includes.
        if options.slack > 1:
            seconds = math.ceil(options.time) + 1
            resource.prlimit(process.pid, resource.RLIMIT_CPU, (seconds, seconds))
        deadline = began + clock
        pause = 0.0005
        while True:
            done, status, usage = os.wait4(process.pid, os.WNOHANG)
            if done:
                break
            if time.perf_counter() > deadline:
                process.kill()
            time.sleep(pause)
            pause = min(pause * 1.5, 0.05)
        process.returncode = 0  # Reaped above: the destructor must not wait for it again.
        wall = time.perf_counter() - began
        out.seek(0)
        # A process that its limit of processor time stopped may show a little less in its usage.
        stopped = os.WIFSIGNALED(status) and os.WTERMSIG(status) in STOPS
        cpu = math.inf if stopped else usage.ru_utime + usage.ru_stime
        return out.read().decode(errors="replace"), cpu, wall, usage.ru_maxrss / 1024


def verdict(answer, expect, late):
    """Returns `proven`, `found` (not proven), `wrong` or `limit`."""
    outcome, cost, wanted = answer.get("outcome"), answer.get("cost"), expect.get("cost")
    solvable = expect.get("outcome") != "unsolvable"
    if outcome == "solved":
        if not solvable or (wanted is not None and (cost < wanted or answer["optimal"] and cost != wanted)):
            return "wrong"
        return "limit" if late else "proven" if answer["optimal"] else "found"
    if outcome == "unsolvable":
        return "wrong" if expect.get("outcome") == "solved" or wanted is not None else "limit" if late else "proven"
    if outcome == "limit":
        bound = answer.get("lower_bound")
        return "wrong" if bound is not None and wanted is not None and bound > wanted else "limit"
    return "limit" if late else "wrong"


def measure(level, options):
    clock = options.time * options.slack
    command = [options.engine, "solve", str(level.path), "--no-cache", "--threads", "1", "--json", "--quiet"]
    command += ["--time-limit", f"{round(clock * 1000)}ms", "--memory-limit", options.memory, *options.args.split()]
    output, cpu, wall, peak = run(command, options)
    late = cpu > options.time or wall > clock + 20
    try:
        answer = json.loads(output)
    except ValueError:
        answer = {"outcome": "killed" if late else "error"}
    row = {
        "folder": level.folder,
        "file": level.path.name,
        "metric": level.metric,
        "expected": level.expect.get("cost", level.expect.get("outcome", "?")),
        "outcome": answer["outcome"],
        "cost": answer.get("cost"),
        "bound": answer.get("lower_bound"),
        "verdict": verdict(answer, level.expect, late),
        "cpu": cpu,
        "wall": wall,
        "peak_mib": peak,
        "expanded": answer.get("expanded"),
        "heuristic": answer.get("heuristic"),
    }
    if options.beside:
        row.update(measure_other(level, options, row))
    return row


def measure_other(level, options, row):
    text = level.xsb()
    if text is None:
        return dict.fromkeys(BESIDE)
    with tempfile.NamedTemporaryFile("w", suffix=".xsb") as file:
        file.write(text)
        file.flush()
        metric = "moves" if level.metric == "steps" else "pushes"
        clock = options.time * options.slack
        output, cpu, _, _ = run([options.beside, metric, file.name, f"{clock:g}", str(options.nodes)], options)
    words = output.split()
    solved = words[:1] in (["cost"], ["unsolvable"]) and cpu <= options.time
    cost = int(words[1]) if words[:1] == ["cost"] else None
    if row["verdict"] == "proven" and solved:
        ratio = row["cpu"] / cpu
        if cost != row["cost"]:
            print(f"{level.path}: the engine says {row['cost']}, the other {cost}", file=sys.stderr)
    elif row["verdict"] == "proven" or solved:
        ratio = math.inf if solved else 0.0
    else:
        ratio = None
    return {"other": "solved" if solved else "limit", "other_cost": cost, "other_cpu": cpu, "ratio": ratio}


def summary(name, metric, rows, options):
    proven = [row for row in rows if row["verdict"] == "proven"]
    cells = [name, metric, len(rows), len(proven), sum(row["verdict"] == "wrong" for row in rows)]
    for mark in MARKS:
        within = sum(row["cpu"] <= mark for row in proven)
        cells.append(within if mark <= options.time else "")
    # Levels without an answer count as slower than all others.
    times = sorted(row["cpu"] if row["verdict"] == "proven" else math.inf for row in rows)
    cells.append(written(times[len(times) // 2]))
    if options.beside:
        ratios = [row["ratio"] for row in rows if row["ratio"] is not None]
        cells.append(sum(row["other"] == "solved" for row in rows))
        cells.append(f"{statistics.median_low(ratios):.2f}" if ratios else "")
        both = [row["ratio"] for row in rows if row["ratio"] not in (None, 0, math.inf)]
        cells.append(f"{max(both):.1f}" if both else "")
    return "| " + " | ".join(map(str, cells)) + " |"


def written(value):
    if value is None:
        return ""
    if isinstance(value, float):
        return "inf" if math.isinf(value) else f"{value:.4f}" if value < 10 else f"{value:.2f}"
    return str(value)


def main():
    options = arguments()
    groups = {}
    for path in filter(is_sokoban, files_below(options.paths or [ROOMS])):
        level = Level(path)
        if options.metric in (None, level.metric) and (not options.folder or level.folder in options.folder):
            groups.setdefault((level.folder, level.metric), []).append(level)
    groups = {group: levels[:: options.every] for group, levels in groups.items()}
    if not groups:
        sys.exit("no puzzle file remains")
    columns = COLUMNS + (BESIDE if options.beside else [])
    table = open(options.rows, "w") if options.rows else None
    if table:
        print(*columns, sep="\t", file=table, flush=True)
    header = ["folder", "metric", "levels", "proven", "wrong", *(f"in {mark} s" for mark in MARKS), "median s"]
    header += ["other proves", "median ratio", "greatest ratio"] if options.beside else []
    print("| " + " | ".join(header) + " |\n" + "|---" * len(header) + "|", flush=True)
    everything = []
    for (name, metric), levels in sorted(groups.items()):
        rows = []
        for level in levels:
            row = measure(level, options)
            rows.append(row)
            if row["verdict"] == "wrong":
                print(f"{level.path}: {row['outcome']} {row['cost']}, expected {row['expected']}", file=sys.stderr)
            if table:
                print(*(written(row.get(column)) for column in columns), sep="\t", file=table, flush=True)
        print(summary(name, metric, rows, options), flush=True)
        everything += rows
    if len(groups) > 1:
        print(summary("all", options.metric or "both", everything, options))
    return 1 if any(row["verdict"] == "wrong" for row in everything) else 0


if __name__ == "__main__":
    sys.exit(main())
