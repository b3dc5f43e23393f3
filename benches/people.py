#!/usr/bin/env python3
"""Compares the score of `engine rate` with what people did, by cross-validation over sets of puzzles.

    python3 benches/people.py HUMAN [--engine PATH] [--games DIR] [--keep DIR]

HUMAN is a folder of sets. Each has a table `human.tsv` and puzzles: files, or `levels.sok`. For each set, the parts of the
score are chosen on all other sets: the sum of parts, each with weight 1, of the greatest mean rank correlation there. The
correlation on the set left out is printed with an interval of 95 % (a bootstrap over puzzles) and the share of pairs in the
right order, beside the score as it is and the least cost alone.

The set `puzzlescript-orders` names games, which DIR holds. Printed is the median over games of the rank correlation with
the author's order, with an interval of 95 % (a bootstrap over games). `--keep DIR` keeps the ratings, so that a second run takes seconds."""

import argparse
import itertools
import json
import math
import random
import statistics
import subprocess
from pathlib import Path

SAMPLES = 1000
# The columns that say how hard puzzles were, and whether greater numbers are of harder ones.
MEASURES = {"effect_time": 1, "order": 1, "solve_rate": -1}


def bits(number):
    return math.log2(1 + max(0.0, number or 0.0))


# What a score may be made of.
PARTS = {
    "detour": lambda rating: bits(rating["detour"]),
    "walk": lambda rating: rating["walk"] or 0.0,
    "switches": lambda rating: bits(rating["switches"]),
    "hidden_traps": lambda rating: rating["hidden_traps"] or 0.0,
    "-freedom": lambda rating: -min(rating["freedom"] or 0.0, rating["walk"] or 0.0),
    "raises": lambda rating: bits(rating["raises"]),
    "pieces": lambda rating: bits(rating["pieces"]),
}


def ranks(numbers):
    order = sorted(range(len(numbers)), key=lambda at: numbers[at])
    found = [0.0] * len(numbers)
    for _, group in itertools.groupby(order, key=lambda at: numbers[at]):
        group = list(group)
        place = statistics.mean(range(len(group))) + sum(other < numbers[group[0]] for other in numbers)
        for at in group:
            found[at] = place
    return found


def spearman(one, other):
    one, other = ranks(one), ranks(other)
    mean = (len(one) - 1) / 2
    product = lambda a, b: sum((x - mean) * (y - mean) for x, y in zip(a, b))
    spread = math.sqrt(product(one, one) * product(other, other))
    return product(one, other) / spread if spread else 0.0


def interval(one, other):
    draw = random.Random(0)
    found = []
    for _ in range(SAMPLES):
        drawn = [draw.randrange(len(one)) for _ in one]
        found.append(spearman([one[at] for at in drawn], [other[at] for at in drawn]))
    found.sort()
    return found[SAMPLES * 25 // 1000], found[SAMPLES * 975 // 1000]


def pairs(one, other):
    right = []
    for a, b in itertools.combinations(range(len(one)), 2):
        if other[a] != other[b]:
            product = (one[a] - one[b]) * (other[a] - other[b])
            right.append(0.5 if product == 0 else float(product > 0))
    return statistics.mean(right)


def table(path):
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    header, *rows = [line.split("\t") for line in lines]
    return [dict(zip(header, row)) for row in rows]


def rated(engine, arguments, kept):
    if kept and kept.exists():
        text = kept.read_text(encoding="utf-8")
    else:
        command = [engine, "rate", "--json", *map(str, arguments)]
        text = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=False).stdout
        if kept:
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(text, encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def read(engine, folder, keep):
    """Returns the ratings of a set, and how hard people found the puzzles."""
    rows = table(folder / "human.tsv")
    column = next(name for name in MEASURES if name in rows[0])
    levels = folder / "levels.sok"
    files = [levels] if levels.exists() else [folder / row["file"] for row in rows]
    ratings = rated(engine, files, keep and keep / f"{folder.name}.jsonl")
    by_name = {rating["file"].replace("\\", "/").split("/")[-1].split("#")[-1]: rating for rating in ratings}
    found = [(by_name.get(row.get("file") or row["level"]), row) for row in rows]
    found = [(rating, row) for rating, row in found if rating and rating["score"] is not None and row[column]]
    return [rating for rating, _ in found], [MEASURES[column] * float(row[column]) for _, row in found]


def total(ratings, parts):
    return [sum(PARTS[part](rating) for part in parts) for rating in ratings]


def line(name, ours, people):
    low, high = interval(ours, people)
    print(f"  {name:42} {spearman(ours, people):.2f} ({low:.2f} to {high:.2f})  pairs {pairs(ours, people):.0%}")


def games(engine, human, folder, keep):
    """Prints the median over games of the correlation with the author's order: of the levels with a score, and of all
    levels, those without one behind the others."""
    by_game, left_out = {}, 0
    for row in table(human / "puzzlescript-orders" / "human.tsv"):
        by_game.setdefault(row["game"], []).append(int(row["level"]))
    names = ("score", "cost", "effort")
    scored, whole = {name: [] for name in names}, {name: [] for name in names}
    for game in by_game:
        limits = ["--states", "20000", "--time-limit", "3s"]
        ratings = rated(engine, [folder / game, *limits], keep and keep / f"{game}.jsonl")
        has_score = [rating["score"] is not None for rating in ratings]
        left_out += has_score.count(False)
        for name in names:
            last = lambda at: math.inf if ratings[at][name] is None or not has_score[at] else ratings[at][name]
            of = lambda levels: spearman([last(at) for at in levels], levels)
            whole[name].append(of(range(len(ratings))))
            if sum(has_score) >= 5:
                scored[name].append(of([at for at, has in enumerate(has_score) if has]))
    print(f"PuzzleScript, {len(by_game)} games, {left_out} levels without a score")
    for title, found in (("levels with a score, of games with five", scored), ("all levels", whole)):
        print(f"  {title}: {len(found['score'])} games")
        for name, values in found.items():
            values = sorted(values)
            draw = random.Random(0)
            medians = sorted(statistics.median(draw.choices(values, k=len(values))) for _ in range(SAMPLES))
            low, high = medians[SAMPLES * 25 // 1000], medians[SAMPLES * 975 // 1000]
            print(f"    {name:10} median {statistics.median(values):.2f} ({low:.2f} to {high:.2f})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("human", type=Path)
    parser.add_argument("--engine", default="target/release/engine")
    parser.add_argument("--games", type=Path)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    folders = sorted(path.parent for path in options.human.glob("*/human.tsv"))
    folders = [folder for folder in folders if "puzzlescript" not in folder.name]
    sets = {folder.name: read(options.engine, folder, options.keep) for folder in folders}
    sums = [parts for size in range(1, 6) for parts in itertools.combinations(PARTS, size)]
    agreement = {
        (name, parts): spearman(total(ratings, parts), people)
        for name, (ratings, people) in sets.items()
        for parts in sums
    }
    for name, (ratings, people) in sets.items():
        others = [other for other in sets if other != name]
        chosen = max(sums, key=lambda parts: sum(agreement[other, parts] for other in others))
        print(f"{name}: {len(people)} puzzles")
        line("score", [rating["score"] for rating in ratings], people)
        line("least cost alone", [rating["cost"] or 0.0 for rating in ratings], people)
        print(f"  chosen on the other sets: {', '.join(chosen)}")
        line("that sum", total(ratings, chosen), people)
    if options.games:
        games(options.engine, options.human, options.games, options.keep)


if __name__ == "__main__":
    main()
