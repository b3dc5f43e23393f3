#!/usr/bin/env python3
"""The Sokoban files of puzzles/rules for the planner Fast Downward: writes each as PDDL, solves it optimally by several
configurations, checks the cost against what the file expects, and prints the seconds of the whole run.

    pip install up-fast-downward
    python3 benches/peers/planner.py [SECONDS]

Translating is counted, as reading a file is for the engine; a run that takes longer than SECONDS (60) is stopped.
"""
import pathlib
import subprocess
import sys
import tempfile
import time
import tomllib

import up_fast_downward

DRIVER = pathlib.Path(up_fast_downward.__file__).parent / "downward" / "fast-downward.py"
CONFIGURATIONS = {
    "blind": "astar(blind())",
    "LM-cut": "astar(lmcut())",
    "iPDB": "astar(ipdb())",
    "merge-and-shrink": "astar(merge_and_shrink(shrink_strategy=shrink_bisimulation(greedy=false),"
    "merge_strategy=merge_sccs(order_of_sccs=topological,merge_selector=score_based_filtering("
    "scoring_functions=[goal_relevance(),dfp(),total_order()])),label_reduction=exact(before_shrinking=true,"
    "before_merging=false),max_states=50k,threshold_before_merge=1))",
}
DOMAIN = """(define (domain sokoban)
  (:requirements :typing :action-costs)
  (:types cell direction)
  (:predicates (at ?c - cell) (box ?c - cell) (clear ?c - cell) (next ?a ?b - cell ?d - direction))
  (:functions (total-cost))
  (:action walk :parameters (?a ?b - cell ?d - direction)
    :precondition (and (at ?a) (next ?a ?b ?d) (clear ?b))
    :effect (and (not (at ?a)) (at ?b) (clear ?a) (not (clear ?b)) (increase (total-cost) {walk})))
  (:action push :parameters (?a ?b ?c - cell ?d - direction)
    :precondition (and (at ?a) (next ?a ?b ?d) (box ?b) (next ?b ?c ?d) (clear ?c))
    :effect (and (not (at ?a)) (at ?b) (not (box ?b)) (box ?c) (clear ?a) (not (clear ?c))
      (increase (total-cost) {push}))))
"""


def problem(file):
    rows, marks = file["start"].split(), file["marks"].split()
    floor = {(r, c): s for r, row in enumerate(rows) for c, s in enumerate(row) if s != "#"}
    name = lambda cell: "c{}-{}".format(*cell)
    facts = []
    for (r, c), symbol in floor.items():
        fact = {"@": "at", "$": "box", ".": "clear"}[symbol]
        facts.append(f"({fact} {name((r, c))})")
        for direction, (down, right) in {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}.items():
            if (r + down, c + right) in floor:
                facts.append(f"(next {name((r, c))} {name((r + down, c + right))} {direction})")
    goals = [name(cell) for cell in floor if marks[cell[0]][cell[1]] == "x"]
    if len(goals) != sum(symbol == "$" for symbol in floor.values()):
        raise SystemExit("there are more places than boxes")
    return f"""(define (problem level) (:domain sokoban)
  (:objects {" ".join(map(name, floor))} - cell u d l r - direction)
  (:init (= (total-cost) 0) {" ".join(facts)})
  (:goal (and {" ".join(f"(box {goal})" for goal in goals)}))
  (:metric minimize (total-cost)))"""


def main():
    limit = float(sys.argv[1]) if len(sys.argv) > 1 else 60
    folder = pathlib.Path(__file__).parent.parent.parent / "puzzles" / "rules"
    for path in sorted(folder.glob("sokoban-*.toml")):
        file = tomllib.loads(path.read_text())
        costs = [rule.get("cost", 1) for rule in file["rules"]]
        told = []
        with tempfile.TemporaryDirectory() as scratch:
            scratch = pathlib.Path(scratch)
            (scratch / "domain.pddl").write_text(DOMAIN.format(walk=costs[0], push=costs[1]))
            (scratch / "problem.pddl").write_text(problem(file))
            for name, search in CONFIGURATIONS.items():
                command = [sys.executable, DRIVER, "domain.pddl", "problem.pddl", "--search", search]
                began = time.perf_counter()
                try:
                    run = subprocess.run(command, cwd=scratch, capture_output=True, text=True, timeout=limit)
                except subprocess.TimeoutExpired:
                    told.append(f"{name} over {limit:.0f} s")
                    continue
                seconds = time.perf_counter() - began
                cost = next((line.split()[-1] for line in run.stdout.splitlines() if "Plan cost:" in line), None)
                if cost is None:
                    told.append(f"{name} without a plan: {run.stdout.strip().splitlines()[-1:]} {run.stderr.strip()[-200:]}")
                    continue
                if float(cost) != file["expect"]["cost"]:
                    raise SystemExit(f"{path.name}: {name} says {cost}")
                told.append(f"{name} {seconds:.2f} s")
        print(f"{path.stem}: " + ", ".join(told), flush=True)


main()
