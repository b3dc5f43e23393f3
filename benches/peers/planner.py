#!/usr/bin/env python3
"""Puzzles of domain `rules` for the engine and for the planner Fast Downward, side by side.

    pip install up-fast-downward
    python3 benches/peers/planner.py [FILE OR FOLDER]... [--kinds pegs,logistics] [--time 60] [--rows FILE.tsv]

Sokoban levels are the files given, puzzles/rules without any, `--every N` every Nth of them. The other twenty puzzles are
made here: boards of peg solitaire, pancakes, top spin, blocks, logistics, towers of Hanoi, lights. Each is written twice,
as rules and in PDDL with the same moves and costs. Fast Downward solves it optimally by LM-cut, by iPDB and by
merge-and-shrink, translation included; the first two decline conditional effects, which pancakes, top spin and lights
need. All find the same cost, or this program ends with an error.

Times are processor seconds of the whole program, user and system, since other programs may run; `--time` limits them. A
row in the file of rows is not measured again. *Ahead* says whether the engine took less time than each configuration.
"""
import argparse
import importlib.util
import os
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Not imported: the package needs others, which the planner itself does not.
PACKAGE = importlib.util.find_spec("up_fast_downward") or sys.exit("pip install up-fast-downward")
DRIVER = pathlib.Path(PACKAGE.origin).parent / "downward" / "fast-downward.py"
CONFIGURATIONS = {
    "LM-cut": "astar(lmcut())",
    "iPDB": "astar(ipdb())",
    "merge-and-shrink": "astar(merge_and_shrink(shrink_strategy=shrink_bisimulation(greedy=false),"
    "merge_strategy=merge_sccs(order_of_sccs=topological,merge_selector=score_based_filtering("
    "scoring_functions=[goal_relevance(),dfp(),total_order()])),label_reduction=exact(before_shrinking=true,"
    "before_merging=false),max_states=50k,threshold_before_merge=1))",
}
AROUND = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}


def cell(place):
    return "c{}-{}".format(*place)


def cells(drawing):
    return {(r, c): s for r, row in enumerate(drawing.split()) for c, s in enumerate(row)}


def problem(objects, init, goal):
    return f"(define (problem p) (:domain d) (:objects {objects})\n(:init (= (total-cost) 0) {init})\n" + (
        f"(:goal (and {goal}))\n(:metric minimize (total-cost)))"
    )


def domain(types, predicates, actions, extra="", constants=""):
    """Returns a domain; an action is its name, parameters, condition, effects and cost."""
    text = f"(define (domain d) (:requirements :typing :action-costs :conditional-effects {extra})\n(:types {types})\n"
    text += f"(:constants {constants})\n" if constants else ""
    text += f"(:predicates {predicates})\n(:functions (total-cost))\n"
    for name, parameters, condition, effects, cost in actions:
        text += f"(:action {name} :parameters ({parameters}) :precondition (and {condition})\n"
        text += f"  :effect (and {effects} (increase (total-cost) {cost})))\n"
    return text + ")"


def sokoban(path):
    file = tomllib.loads(path.read_text())
    walk, push = (rule.get("cost", 1) for rule in file["rules"])
    marks = cells(file["marks"])
    floor = {place: symbol for place, symbol in cells(file["start"]).items() if symbol != "#"}
    facts = []
    for (r, c), symbol in floor.items():
        facts.append(f"({ {'@': 'at', '$': 'box', '.': 'clear'}[symbol] } {cell((r, c))})")
        for direction, (down, right) in AROUND.items():
            if (r + down, c + right) in floor:
                facts.append(f"(next {cell((r, c))} {cell((r + down, c + right))} {direction})")
    goals = [cell(place) for place in floor if marks[place] == "x"]
    if len(goals) != list(floor.values()).count("$"):
        raise SystemExit(f"{path}: there are more places than boxes")
    actions = [
        ("walk", "?a ?b - cell ?d - direction", "(at ?a) (next ?a ?b ?d) (clear ?b)",
         "(not (at ?a)) (at ?b) (clear ?a) (not (clear ?b))", walk),
        ("push", "?a ?b ?c - cell ?d - direction",
         "(at ?a) (next ?a ?b ?d) (box ?b) (next ?b ?c ?d) (clear ?c)",
         "(not (at ?a)) (at ?b) (not (box ?b)) (box ?c) (clear ?a) (not (clear ?c))", push),
    ]
    predicates = "(at ?c - cell) (box ?c - cell) (clear ?c - cell) (next ?a ?b - cell ?d - direction)"
    objects = f"{' '.join(map(cell, floor))} - cell u d l r - direction"
    goal = " ".join(f"(box {name})" for name in goals)
    return path.read_text(), domain("cell direction", predicates, actions), problem(objects, " ".join(facts), goal)


def pegs(start):
    """English peg solitaire from the pegs given to one in the middle."""
    goal = re.sub("o", ".", start)
    goal = goal[: len(goal) // 2] + "o" + goal[len(goal) // 2 + 1 :]
    rules = f'domain = "rules"\nstart = """\n{start}\n"""\ngoal = """\n{goal}\n"""\n'
    rules += '[[rules]]\nname = "jump"\nfrom = "oo."\nto = "..o"\nturns = true\n'
    board = {place: symbol for place, symbol in cells(start).items() if symbol != "#"}
    facts = [f"({'peg' if symbol == 'o' else 'free'} {cell(place)})" for place, symbol in board.items()]
    for r, c in board:
        for down, right in AROUND.values():
            line = [(r + down * k, c + right * k) for k in range(3)]
            if all(place in board for place in line):
                facts.append(f"(line {' '.join(map(cell, line))})")
    jump = ("jump", "?a ?b ?c - cell", "(line ?a ?b ?c) (peg ?a) (peg ?b) (free ?c)",
            "(not (peg ?a)) (not (peg ?b)) (not (free ?c)) (free ?a) (free ?b) (peg ?c)", 1)
    wanted = cells(goal)
    goal = " ".join(f"({'peg' if wanted[place] == 'o' else 'free'} {cell(place)})" for place in board)
    predicates = "(peg ?c - cell) (free ?c - cell) (line ?a ?b ?c - cell)"
    return rules, domain("cell", predicates, [jump]), problem(f"{' '.join(map(cell, board))} - cell", " ".join(facts), goal)


def arrangement(size, moves, seed):
    """Symbols in a row and moves that rearrange them: for each, from which place every place takes its symbol."""
    symbols = "ABCDEFGHIJKLMNOPQRST"[:size]
    line, chance = list(symbols), random.Random(seed)
    chance.shuffle(line)
    rules = f'domain = "rules"\nstart = "{"".join(line)}"\ngoal = "{symbols}"\n'
    actions = []
    for name, source in moves.items():
        then = ", ".join(f'"cell[0, {at}]" = "cell[0, {old}]"' for at, old in enumerate(source) if at != old)
        rules += f'[[rules]]\nname = "{name}"\nthen = {{ {then} }}\n'
        effects = [
            f"(forall (?s - symbol) (when (at ?s p{old}) (and (not (at ?s p{old})) (at ?s p{at}))))"
            for at, old in enumerate(source) if at != old
        ]
        actions.append((name.replace(" ", "-"), "", "", " ".join(effects), 1))
    places = " ".join(f"p{at}" for at in range(size)) + " - place"
    facts = " ".join(f"(at {symbol.lower()} p{at})" for at, symbol in enumerate(line))
    goal = " ".join(f"(at {symbol.lower()} p{at})" for at, symbol in enumerate(symbols))
    text = domain("symbol place", "(at ?s - symbol ?p - place)", actions, constants=places)
    return rules, text, problem(" ".join(symbols.lower()) + " - symbol", facts, goal)


def pancakes(size, seed):
    flips = {f"flip {k}": [*range(k - 1, -1, -1), *range(k, size)] for k in range(2, size + 1)}
    return arrangement(size, flips, seed)


def top_spin(size, seed):
    turn = [3, 2, 1, 0, *range(4, size)]
    return arrangement(size, {"turn": turn, "left": [*range(1, size), 0], "right": [size - 1, *range(size - 1)]}, seed)


def towers(size, chance):
    """Returns what each of `size` blocks stands on, 0 for the table."""
    blocks = list(range(1, size + 1))
    chance.shuffle(blocks)
    return {block: 0 if at == 0 or chance.random() < 0.2 else blocks[at - 1] for at, block in enumerate(blocks)}


def blocks(size, seed):
    chance = random.Random(seed)
    start, goal = towers(size, chance), towers(size, chance)
    rules = 'domain = "rules"\n'
    rules += f"start = {{ on = {[start[block] for block in range(1, size + 1)]} }}\n"
    rules += f"goal = {{ when = \"{' && '.join(f'on[{block}] == {under}' for block, under in goal.items())}\" }}\n"
    rules += f"""[variables]
"on[1..{size}]" = "0..{size}"
[[rules]]
name = "{{b}} to the table"
for = {{ b = "1..{size}" }}
when = ["on[b] != 0", "all(x in 1..{size}: on[x] != b)"]
then = {{ "on[b]" = "0" }}
[[rules]]
name = "{{b}} onto {{t}}"
for = {{ b = "1..{size}", t = "1..{size}" }}
when = ["b != t", "on[b] != t", "all(x in 1..{size}: on[x] != b && on[x] != t)"]
then = {{ "on[b]" = "t" }}
"""
    actions = [
        ("to-table", "?b ?u - block", "(on ?b ?u) (clear ?b)", "(not (on ?b ?u)) (table ?b) (clear ?u)", 1),
        ("from-table", "?b ?t - block", "(table ?b) (clear ?b) (clear ?t) (not (= ?b ?t))",
         "(not (table ?b)) (on ?b ?t) (not (clear ?t))", 1),
        ("move", "?b ?u ?t - block", "(on ?b ?u) (clear ?b) (clear ?t) (not (= ?b ?t))",
         "(not (on ?b ?u)) (on ?b ?t) (clear ?u) (not (clear ?t))", 1),
    ]
    fact = lambda block, under: f"(on b{block} b{under})" if under else f"(table b{block})"
    clear = [f"(clear b{block})" for block in start if block not in start.values()]
    text = domain("block", "(on ?a ?b - block) (table ?b - block) (clear ?b - block)", actions,
                  ":equality :negative-preconditions")
    objects = " ".join(f"b{block}" for block in start) + " - block"
    return rules, text, problem(objects, " ".join([*(fact(*pair) for pair in start.items()), *clear]),
                                " ".join(fact(*pair) for pair in goal.items()))


def logistics(cities, size, packages, planes, seed):
    """A truck in each city, of `size` places with the airport as the first."""
    chance = random.Random(seed)
    places = cities * size
    trucks = [city * size + 1 + chance.randrange(size) for city in range(cities)]
    flying = [chance.randrange(cities) * size + 1 for _ in range(planes)]
    start = [chance.randrange(places) + 1 for _ in range(packages)]
    goal = [chance.randrange(places) + 1 for _ in range(packages)]
    rules = f'domain = "rules"\nstart = {{ truck = {trucks}, plane = {flying}, pkg = {start} }}\n'
    rules += f"goal = {{ when = \"{' && '.join(f'pkg[{p + 1}] == {g}' for p, g in enumerate(goal))}\" }}\n"
    rules += f'[variables]\n"truck[1..{cities}]" = "1..{places}"\n"plane[1..{planes}]" = "1..{places}"\n'
    rules += f'"pkg[1..{packages}]" = "1..{places + cities + planes}"\n'

    def carrier(name, variable, stops, inside):
        text = ""
        if len(stops) > 1:
            text += f'[[rules]]\nname = "{name} to {{l}}"\nfor = {{ l = {stops} }}\n'
            text += f'when = "{variable} != l"\nthen = {{ "{variable}" = "l" }}\n'
        text += f'[[rules]]\nname = "load {{p}} into {name}"\nfor = {{ p = "1..{packages}" }}\n'
        text += f'when = "pkg[p] == {variable}"\nthen = {{ "pkg[p]" = "{inside}" }}\n'
        text += f'[[rules]]\nname = "unload {{p}} from {name}"\nfor = {{ p = "1..{packages}" }}\n'
        return text + f'when = "pkg[p] == {inside}"\nthen = {{ "pkg[p]" = "{variable}" }}\n'

    for city in range(cities):
        stops = list(range(city * size + 1, city * size + size + 1))
        rules += carrier(f"truck {city + 1}", f"truck[{city + 1}]", stops, places + city + 1)
    airports = [city * size + 1 for city in range(cities)]
    for plane in range(planes):
        rules += carrier(f"plane {plane + 1}", f"plane[{plane + 1}]", airports, places + cities + plane + 1)
    actions = [
        ("load", "?p - pkg ?v - carrier ?l - place", "(at ?p ?l) (at ?v ?l)", "(not (at ?p ?l)) (in ?p ?v)", 1),
        ("unload", "?p - pkg ?v - carrier ?l - place", "(in ?p ?v) (at ?v ?l)", "(not (in ?p ?v)) (at ?p ?l)", 1),
        ("go", "?v - carrier ?a ?b - place", "(at ?v ?a) (serves ?v ?a) (serves ?v ?b)", "(not (at ?v ?a)) (at ?v ?b)", 1),
    ]
    names = lambda letter, count: " ".join(f"{letter}{at + 1}" for at in range(count))
    objects = f"{names('l', places)} - place {names('t', cities)} {names('a', planes)} - carrier {names('p', packages)} - pkg"
    facts = [f"(serves t{at // size + 1} l{at + 1})" for at in range(places)]
    facts += [f"(serves a{plane + 1} l{port})" for plane in range(planes) for port in airports]
    for letter, at in [("t", trucks), ("a", flying), ("p", start)]:
        facts += [f"(at {letter}{number + 1} l{place})" for number, place in enumerate(at)]
    goal = " ".join(f"(at p{number + 1} l{place})" for number, place in enumerate(goal))
    predicates = "(at ?t - thing ?l - place) (in ?p - pkg ?v - carrier) (serves ?v - carrier ?l - place)"
    text = domain("place thing - object pkg carrier - thing", predicates, actions)
    return rules, text, problem(objects, " ".join(facts), goal)


def hanoi(disks, pegs):
    letters = "abcd"[:pegs]
    listed = ", ".join(f'"{letter}"' for letter in letters)
    rules = f"""domain = "rules"
start = {{ disk = "a" }}
goal = {{ disk = "{letters[-1]}" }}
[variables]
"disk[1..{disks}]" = [{listed}]
[[rules]]
name = "disk {{n}} to {{to}}"
for = {{ n = "1..{disks}", to = [{listed}] }}
when = ["disk[n] != to", "all(small in 1..n-1: disk[small] != disk[n] && disk[small] != to)"]
then = {{ "disk[n]" = "to" }}
"""
    move = ("move", "?d ?from ?to - thing", "(smaller ?d ?to) (on ?d ?from) (clear ?d) (clear ?to)",
            "(clear ?from) (on ?d ?to) (not (on ?d ?from)) (not (clear ?to))", 1)
    names = [f"d{disk}" for disk in range(1, disks + 1)]
    facts = [f"(smaller {name} {peg})" for name in names for peg in letters]
    facts += [f"(smaller {small} {large})" for at, large in enumerate(names) for small in names[:at]]
    facts += [f"(clear {peg})" for peg in letters[1:]] + [f"(clear {names[0]})"]
    tower = lambda peg: " ".join(f"(on {small} {large})" for small, large in zip(names, [*names[1:], peg]))
    text = domain("thing", "(smaller ?a ?b - thing) (on ?a ?b - thing) (clear ?a - thing)", [move])
    objects = f"{' '.join([*letters, *names])} - thing"
    return rules, text, problem(objects, " ".join([*facts, tower("a")]), tower(letters[-1]))


def lights(size):
    rows = lambda symbol: "\n".join([symbol * size] * size)
    rules = f'domain = "rules"\nstart = """\n{rows("*")}\n"""\ngoal = """\n{rows(".")}\n"""\n[[rules]]\nname = "press"\n'
    rules += 'from = """\n???\n???\n???\n"""\nto = """\n?t?\nttt\n?t?\n"""\nat = [1, 1]\nedge = "clip"\n'
    rules += '[maps]\nt = { "*" = ".", "." = "*" }\n'
    grid = [(r, c) for r in range(size) for c in range(size)]
    facts = [f"(lit {cell(place)})" for place in grid]
    for r, c in grid:
        near = [(r + down, c + right) for down, right in [(0, 0), *AROUND.values()]]
        facts += [f"(near {cell((r, c))} {cell(place)})" for place in near if place in grid]
    effects = "(forall (?n - cell) (and (when (and (near ?c ?n) (lit ?n)) (not (lit ?n)))" \
              " (when (and (near ?c ?n) (not (lit ?n))) (lit ?n))))"
    text = domain("cell", "(lit ?c - cell) (near ?a ?b - cell)", [("press", "?c - cell", "", effects, 1)],
                  ":negative-preconditions")
    goal = " ".join(f"(not (lit {cell(place)}))" for place in grid)
    return rules, text, problem(f"{' '.join(map(cell, grid))} - cell", " ".join(facts), goal)


ARROW = "##.o.##\n##ooo##\n.ooooo.\n...o...\n...o...\n##ooo##\n##ooo##"
PYRAMID = "##...##\n##.o.##\n..ooo..\n.ooooo.\nooooooo\n##...##\n##...##"
DIAMOND = "##.o.##\n##ooo##\n.ooooo.\nooo.ooo\n.ooooo.\n##ooo##\n##.o.##"
FULL = "##ooo##\n##ooo##\nooooooo\nooo.ooo\nooooooo\n##ooo##\n##ooo##"
MADE = {
    "pegs arrow": lambda: pegs(ARROW),
    "pegs pyramid": lambda: pegs(PYRAMID),
    "pegs diamond": lambda: pegs(DIAMOND),
    "pegs full": lambda: pegs(FULL),
    "pancakes 7": lambda: pancakes(7, 1),
    "pancakes 9": lambda: pancakes(9, 1),
    "pancakes 12": lambda: pancakes(12, 1),
    "top-spin 8": lambda: top_spin(8, 1),
    "top-spin 10": lambda: top_spin(10, 1),
    "blocks 8": lambda: blocks(8, 1),
    "blocks 10": lambda: blocks(10, 1),
    "blocks 12": lambda: blocks(12, 1),
    "logistics 2-2-6 0": lambda: logistics(2, 2, 6, 1, 0),
    "logistics 4-2-9 0": lambda: logistics(4, 2, 9, 1, 0),
    "logistics 4-2-9 2": lambda: logistics(4, 2, 9, 1, 2),
    "hanoi 10-3": lambda: hanoi(10, 3),
    "hanoi 8-4": lambda: hanoi(8, 4),
    "lights 5": lambda: lights(5),
    "lights 7": lambda: lights(7),
    "lights 10": lambda: lights(10),
}


def run(command, folder, seconds):
    """Runs a program. Returns its output and processor seconds, infinite if these exceed a limit."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(command, cwd=folder, stdout=out, stderr=subprocess.STDOUT, start_new_session=True)
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))
        try:
            process.wait(timeout=3 * seconds + 5)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()
        out.seek(0)
        output = out.read().decode(errors="replace")
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return output, cpu if cpu <= seconds and wall <= 3 * seconds else float("inf")


def measure(puzzle, options):
    rules, text, instance = puzzle
    row, costs = [], set()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "puzzle.toml").write_text(rules if "title" in rules else f'title = "puzzle"\n{rules}')
        (folder / "domain.pddl").write_text(text)
        (folder / "problem.pddl").write_text(instance)
        engine = [options.engine, "solve", "puzzle.toml", "--no-cache", "--threads", "1", "--quiet", "--time-limit",
                  f"{3 * options.time:g}s"]
        programs = {"engine": engine}
        for name, search in CONFIGURATIONS.items():
            programs[name] = [sys.executable, str(DRIVER), "domain.pddl", "problem.pddl", "--search", search]
        seconds = options.time
        for name, command in programs.items():
            output, cpu = run(command, folder, seconds)
            if name == "engine" and options.slack and cpu < float("inf"):
                seconds = min(options.time, options.slack * cpu + 1)
            cost = re.search(r"Plan cost: (\d+)|^cost +(\d+)", output, re.M)
            if "does not support" in output or "not supported" in output.lower():
                row.append("declined")
            elif cost and cpu < float("inf"):
                costs.add(int(cost[1] or cost[2]))
                row.append(f"{cpu:.3f}")
            elif cpu == float("inf") or re.search("^outcome +limit|ran out of memory|Memory limit has been reached", output, re.M):
                row.append("limit")
            else:
                raise SystemExit(f"{name}: {output[-1500:]}")
    if len(costs) > 1:
        raise SystemExit(f"the costs differ: {costs}")
    number = lambda entry: float(entry) if entry[0].isdigit() else float("inf")
    ahead = number(row[0]) < min(map(number, row[1:]))
    return [str(*costs) if costs else "-", *row, "ahead" if ahead else "-" if not costs else "BEHIND"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=pathlib.Path, help="Sokoban levels as rules, or folders of them")
    parser.add_argument("--engine", default=str(ROOT / "target" / "release" / "engine"))
    parser.add_argument("--kinds", help="only these kinds, such as sokoban,pegs [default: all]")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth level")
    parser.add_argument("--time", type=float, default=60, metavar="SECONDS", help="limit of each program [default: 60]")
    parser.add_argument("--slack", type=float, metavar="TIMES",
                        help="end the planner after so many times the engine's time and a second, which shows who is ahead")
    parser.add_argument("--rows", type=pathlib.Path, help="append rows to this file; leave out those that it has")
    options = parser.parse_args()
    kinds = options.kinds.split(",") if options.kinds else None
    paths = options.paths or [ROOT / "puzzles" / "rules"]
    files = [file for path in paths for file in (sorted(path.glob("*.toml")) if path.is_dir() else [path])]
    levels = [file for file in files if "\nmarks = " in file.read_text() and 'every = { "$" = "x" }' in file.read_text()]
    puzzles = {f"sokoban {file.parent.name}/{file.stem}": (lambda file=file: sokoban(file)) for file in levels[:: options.every]}
    puzzles.update(MADE)
    done = {line.split("\t")[0] for line in options.rows.read_text().splitlines()} if options.rows and options.rows.exists() else set()
    print("\t".join(["puzzle", "cost", "engine", *CONFIGURATIONS, ""]))
    for name, make in puzzles.items():
        if name in done or kinds and name.split()[0] not in kinds:
            continue
        line = "\t".join([name, *measure(make(), options)])
        print(line, flush=True)
        if options.rows:
            with options.rows.open("a") as rows:
                rows.write(line + "\n")


main()
