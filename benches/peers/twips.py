#!/usr/bin/env python3
"""Permutation puzzles for the engine and for the program twips, side by side.

    git clone https://github.com/cubing/twips && (cd twips && cargo build --release)
    python3 benches/peers/twips.py --twips twips/target/release/twips [--only skewb,domino] [--repeat 5] [--time 60]
                                   [--engine PROGRAM]... [--keep FOLDER]

The puzzles are made here, from points in space and the turns that move them, or from rows of numbers. Each is written
twice: with a label for each sticker, as a file of the engine, and as pieces with orientations, as a definition of twips.
Both get the same scramble, a power of a generator is one move for both, both use one thread, and the engine no cache. All
find the same number of moves, or this program ends with an error.

Times are processor seconds of the whole program, user and system: medians of alternating runs, since other programs may
run. `--time` limits each. With several engines, such as one before a change and one after, each has a column. *Ratio* is
the time of the last engine divided by that of twips.
"""
import argparse
import itertools
import json
import math
import os
import pathlib
import random
import re
import resource
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GOLDEN = (1 + 5**0.5) / 2


def dot(one, other):
    return sum(a * b for a, b in zip(one, other))


def cross(one, other):
    return tuple(one[i - 2] * other[i - 1] - one[i - 1] * other[i - 2] for i in range(3))


def plus(*points):
    return tuple(map(sum, zip(*points)))


def rounded(point):
    return tuple(round(x, 6) + 0.0 for x in point)


def turned(point, axis, turns, order):
    """Returns a point after a rotation about an axis, by `turns` of `order` parts of a full turn (Rodrigues 1840)."""
    length = math.sqrt(dot(axis, axis))
    axis = tuple(x / length for x in axis)
    cos, sin = math.cos(2 * math.pi * turns / order), math.sin(2 * math.pi * turns / order)
    along, aside = dot(axis, point) * (1 - cos), cross(axis, point)
    return rounded(cos * x + sin * y + along * a for x, y, a in zip(point, aside, axis))


class Puzzle:
    """Stickers, in pieces, with their colours; and generators, as maps of the stickers that move."""

    def __init__(self, pieces, colors, generators, scramble):
        self.pieces, self.colors, self.generators, self.scramble = pieces, colors, generators, scramble

    def engine(self):
        """Returns the file of the engine."""
        places = {sticker: number + 1 for number, sticker in enumerate(s for piece in self.pieces for s in piece)}
        labels = ", ".join(f'"{self.colors[sticker]}"' for sticker in places)
        text = f'title = "puzzle"\ndomain = "permutation"\nsolved = [{labels}]\nscramble = "{self.scramble}"\n[moves]\n'
        for name, image in self.generators.items():
            text += f'{name} = "{"".join(cycles(image, places))}"\n'
        return text

    def twips(self):
        """Returns the definition of twips. A piece in a slot is turned by one of the ways that moves lead to, as powers
        of one of them."""
        slot = {sticker: number for number, piece in enumerate(self.pieces) for sticker in piece}
        moved = lambda image, frame: tuple(image.get(sticker, sticker) for sticker in frame)
        orbits, seen = [], set()
        for first in range(len(self.pieces)):
            if first in seen:
                continue
            # The ways in which the first piece may lie in each slot.
            start = tuple(self.pieces[first])
            frames, open_frames = {first: [start]}, [start]
            while open_frames:
                frame = open_frames.pop()
                for image in self.generators.values():
                    after = moved(image, frame)
                    known = frames.setdefault(slot[after[0]], [])
                    if after not in known:
                        known.append(after)
                        open_frames.append(after)
            seen.update(frames)
            if len(frames) == 1 and len(frames[first]) == 1:
                continue
            turns = [[start.index(sticker) for sticker in frame] for frame in frames[first]]
            turned_once = next(turn for turn in turns if len(powers(turn)) == len(turns))
            twists = powers(turned_once)
            slots = {number: [tuple(known[0][at] for at in twist) for twist in twists] for number, known in frames.items()}
            slots[first] = [tuple(start[at] for at in twist) for twist in twists]
            orbits.append((list(slots), slots))
        definition = {"name": "puzzle", "orbits": [], "defaultPattern": {}, "moves": {name: {} for name in self.generators}}
        for number, (order, slots) in enumerate(orbits):
            name, count = f"ORBIT{number}", len(slots[order[0]])
            shown = [tuple(self.colors[sticker] for sticker in slots[at][0]) for at in order]
            alike = {colors: shown.index(colors) for colors in shown}
            numbers = {colors: rank for rank, colors in enumerate(alike)}
            zeros = [0] * len(order)
            definition["orbits"].append({"orbitName": name, "numPieces": len(order), "numOrientations": count})
            definition["defaultPattern"][name] = {"pieces": [numbers[colors] for colors in shown], "orientation": zeros}
            for generator, image in self.generators.items():
                permutation, delta = list(range(len(order))), list(zeros)
                for source, at in enumerate(order):
                    after = moved(image, slots[at][0])
                    to = slot[after[0]]
                    permutation[order.index(to)] = source
                    delta[order.index(to)] = slots[to].index(after)
                definition["moves"][generator][name] = {"permutation": permutation, "orientationDelta": delta}
        return definition


def powers(turn):
    """Returns the powers of a permutation, the identity first."""
    found = [list(range(len(turn)))]
    while (after := [turn[at] for at in found[-1]]) != found[0]:
        found.append(after)
    return found


def cycles(image, places):
    seen = set()
    for first in image:
        cycle, at = [], first
        while at not in seen:
            seen.add(at)
            cycle.append(str(places[at]))
            at = image[at]
        if len(cycle) > 1:
            yield f"({' '.join(cycle)})"


def solid(points, turns, scramble):
    """A puzzle of pieces at points, with a sticker for each direction, coloured by it. A turn is an axis, the least and
    the greatest distance along it of what moves, and its parts of a full turn."""
    stickers = {}
    for point, directions in points:
        for direction in directions:
            stickers[rounded(point), rounded(direction)] = None
    faces = {direction: chr(65 + number) for number, direction in enumerate(dict.fromkeys(d for _, d in stickers))}
    generators = {}
    for name, (axis, least, most, turn, order) in turns.items():
        image = {}
        for point, direction in stickers:
            if least <= dot(point, axis) <= most:
                image[point, direction] = (turned(point, axis, turn, order), turned(direction, axis, turn, order))
        generators[name] = image
    pieces = {}
    for point, direction in stickers:
        pieces.setdefault(point, []).append((point, direction))
    return Puzzle(list(pieces.values()), {s: faces[s[1]] for s in stickers}, generators, scramble)


AXES = {"R": (1, 0, 0), "L": (-1, 0, 0), "U": (0, 1, 0), "D": (0, -1, 0), "F": (0, 0, 1), "B": (0, 0, -1)}


def box(size, turns, scramble, kept=lambda stickers: True):
    """A box of cubes of edge 2: a turn is a letter, capital for an outer layer and small for the next one, with 2 for
    half turns."""
    points = []
    for at in itertools.product(*(range(1 - n, n, 2) for n in size)):
        on = [axis for axis in AXES.values() if dot(at, axis) == dot(tuple(n - 1 for n in size), map(abs, axis))]
        if on and kept(len(on)):
            points.append((at, on))
    moves = {}
    for turn in turns.split() if " " in turns else turns:
        axis = AXES[turn[0].upper()]
        depth = dot(size, map(abs, axis)) - (1 if turn[0].isupper() else 3)
        moves[turn[0]] = (axis, depth - 0.5, depth + 0.5, -2 if turn[1:] else -1, 4)
    return solid(points, moves, scramble)


TETRAHEDRON = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]
CORNERS = list(itertools.product((1, -1), repeat=3))
DODECAHEDRON = [p for x in (1, -1) for y in (GOLDEN, -GOLDEN) for p in [(0, x, y), (y, 0, x), (x, y, 0)]]


def corner_turned(pieces, scramble, cut):
    """Turns by thirds about four corners of a cube, which make a tetrahedron."""
    moves = {name: (axis, cut, math.inf, -1, 3) for name, axis in zip("ABCD", TETRAHEDRON)}
    return solid(pieces, moves, scramble)


def axes_near(point):
    return [axis for axis in AXES.values() if dot(axis, point) > 0]


def skewb(scramble):
    pieces = [(corner, axes_near(corner)) for corner in CORNERS] + [(axis, [axis]) for axis in AXES.values()]
    return corner_turned(pieces, scramble, 0.5)


def skewb_diamond(scramble):
    near = lambda point: [corner for corner in CORNERS if dot(corner, point) > 0.5]
    pieces = [(axis, near(axis)) for axis in AXES.values()] + [(corner, [corner]) for corner in CORNERS]
    return corner_turned(pieces, scramble, 0.5)


def dino_cube(scramble):
    edges = {plus(one, other) for one, other in itertools.combinations(AXES.values(), 2) if dot(one, other) == 0}
    moves = {name: (corner, 1.5, math.inf, -1, 3) for name, corner in zip("ABCDEFGH", CORNERS)}
    return solid([(edge, axes_near(edge)) for edge in sorted(edges)], moves, scramble)


def pyraminx(scramble):
    faces = [tuple(-x for x in vertex) for vertex in TETRAHEDRON]
    edges = [plus(*pair) for pair in itertools.combinations(TETRAHEDRON, 2)]
    pieces = [(vertex, [face for face in faces if dot(face, vertex) > 0]) for vertex in TETRAHEDRON]
    pieces += [(edge, [face for face in faces if dot(face, edge) > -0.5]) for edge in edges]
    return corner_turned(pieces, scramble, 1.5)


def megaminx(faces, scramble):
    """Some faces of a megaminx, each next to the one before."""
    near = lambda one, other: dot(one, other) > 1
    edges = [pair for pair in itertools.combinations(DODECAHEDRON, 2) if near(*pair)]
    corners = [three for three in itertools.combinations(DODECAHEDRON, 3) if all(itertools.starmap(near, itertools.combinations(three, 2)))]
    pieces = [(plus(*piece), piece) for piece in edges + corners]
    chosen = [DODECAHEDRON[0]]
    while len(chosen) < faces:
        chosen.append(next(f for f in DODECAHEDRON if f not in chosen and all(near(f, other) for other in chosen[-2:])))
    least = dot(plus(*edges[0]), edges[0][0]) - 0.5
    return solid(pieces, {name: (axis, least, math.inf, -1, 5) for name, axis in zip("ABCDEF", chosen)}, scramble)


def line(count, generators, scramble):
    """Numbers in places, with generators as lists of cycles."""
    images = {}
    for name, rounds in generators.items():
        images[name] = {cycle[at - 1]: cycle[at] for cycle in rounds for at in range(len(cycle))}
    return Puzzle([[place] for place in range(count)], {place: place + 1 for place in range(count)}, images, scramble)


def sixteen(scramble):
    """4x4 numbers: rows and columns go round."""
    rows = {name: [list(range(4 * row, 4 * row + 4))] for row, name in enumerate("ABCD")}
    columns = {name: [list(range(column, 16, 4))] for column, name in enumerate("EFGH")}
    return line(16, rows | columns, scramble)


def fifteen(scramble):
    """The 15-puzzle with the blank back in its corner after each move: it goes round a block of 2x2, 2x3, 3x2, ... cells
    at the corner, and a power of that is a move."""
    loops = {}
    for name, (height, width) in zip("ABCDEFGHI", itertools.product((2, 3, 4), repeat=2)):
        top, left = 4 - height, 4 - width
        ring = [(3, column) for column in range(2, left - 1, -1)] + [(row, left) for row in range(2, top - 1, -1)]
        ring += [(top, column) for column in range(left + 1, 4)] + [(row, 3) for row in range(top + 1, 3)]
        loops[name] = [[4 * row + column for row, column in ring]]
    return line(15, loops, scramble)


def top_spin(size, scramble):
    return line(size, {"T": [[0, 3], [1, 2]], "S": [list(range(size))]}, scramble)


def random_moves(names, moves, seed, most=3):
    chance, scramble, last = random.Random(seed), [], None
    while len(scramble) < moves:
        name = chance.choice([name for name in names if name != last])
        scramble.append(name + chance.choice(["", "'", "2"][:most]))
        last = name
    return " ".join(scramble)


LAYERS = "UuRrFfDdLlBb"


def one_axis(scramble):
    """The centres of 4x4x4 by axes alone: opposite colours count as one."""
    puzzle = box((4, 4, 4), LAYERS, scramble, lambda stickers: stickers == 1)
    axis = {direction: number // 2 for number, direction in enumerate(map(rounded, AXES.values()))}
    puzzle.colors = {sticker: "XYZ"[axis[sticker[1]]] for sticker in puzzle.colors}
    return puzzle


MADE = {
    "pocket cube": lambda: box((2, 2, 2), "U R F", random_moves("URF", 30, 4)),
    "pyraminx": lambda: pyraminx(random_moves("ABCD", 30, 6, 2)),
    "skewb": lambda: skewb(random_moves("ABCD", 30, 1, 2)),
    "skewb diamond": lambda: skewb_diamond(random_moves("ABCD", 30, 7, 2)),
    "dino cube": lambda: dino_cube(random_moves("ABCDEFGH", 40, 6, 2)),
    "floppy cube": lambda: box((3, 3, 1), "R2 L2 U2 D2", random_moves("RLUD", 30, 1, 1)),
    "domino cube": lambda: box((3, 2, 3), "U D R2 L2 F2 B2", random_moves("UDRLFB", 60, 2, 1)),
    "3x3x3, two faces": lambda: box((3, 3, 3), "U R", random_moves("UR", 60, 6)),
    "3x3x3": lambda: box((3, 3, 3), "U L F R B D", random_moves("ULFRBD", 11, 1)),
    "4x4x4 centres by axes": lambda: one_axis(random_moves(LAYERS, 30, 1)),
    "4x4x4 centres": lambda: box((4, 4, 4), LAYERS, random_moves(LAYERS, 8, 6), lambda stickers: stickers == 1),
    "4x4x4 edges": lambda: box((4, 4, 4), LAYERS, random_moves(LAYERS, 7, 4), lambda stickers: stickers == 2),
    "megaminx, two faces": lambda: megaminx(2, random_moves("AB", 20, 1)),
    "megaminx, three faces": lambda: megaminx(3, random_moves("ABC", 13, 1)),
    "15-puzzle by loops": lambda: fifteen(random_moves("ABCDEFGHI", 9, 2)),
    "rows and columns 4x4": lambda: sixteen(random_moves("ABCDEFGH", 10, 6)),
    "TopSpin 12": lambda: top_spin(12, " T ".join(["S", "S2", "S3", "S'", "S2'", "S3'"] * 3)),
}


def run(command, seconds):
    """Runs a program. Returns its output and processor seconds, infinite if these exceed the limit."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryFile() as out:
        limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))
        subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, preexec_fn=limit, check=False)
        out.seek(0)
        output = out.read().decode(errors="replace")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return output, cpu if cpu <= seconds else math.inf


def length(output, puzzle):
    """Returns the number of moves of the first solution in the output of either program."""
    if found := re.search(r"^cost +(\d+)", output, re.M):
        return int(found[1])
    names = "|".join(sorted(puzzle.generators, key=len, reverse=True))
    lines = [line.split("//")[0].strip() for line in output.splitlines()]
    solutions = [line for line in lines if re.fullmatch(rf"((?:{names})[0-9]*'? ?)+", line)]
    return len(solutions[0].split()) if solutions else None


def measure(name, puzzle, options, folder):
    stem = re.sub(r"\W+", "-", name)
    rules, definition = folder / f"{stem}.toml", folder / f"{stem}.json"
    rules.write_text(puzzle.engine())
    definition.write_text(json.dumps(puzzle.twips()))
    commands = [[engine, "solve", str(rules), "--no-cache", "--threads", "1", "--quiet"] for engine in options.engine]
    commands.append([options.twips, "search", str(definition), "--scramble-alg", puzzle.scramble, "--generator-moves",
                     ",".join(puzzle.generators), "--min-num-solutions", "1", "--num-threads", "1"])
    times, costs = [[] for _ in commands], set()
    for _ in range(options.repeat):
        for command, taken in zip(commands, times):
            if math.inf in taken:
                continue
            output, cpu = run(command, options.time)
            taken.append(cpu)
            if cpu < math.inf:
                costs.add(length(output, puzzle))
                if None in costs:
                    raise SystemExit(f"{name}: {' '.join(command)}: {output[-1500:]}")
    if len(costs) > 1:
        raise SystemExit(f"{name}: the numbers of moves differ: {costs}")
    medians = [math.inf if math.inf in taken else statistics.median(taken) for taken in times]
    shown = [f"{median:.3f}" if median < math.inf else f"over {options.time:g}" for median in medians]
    ratio = "-" if medians[-2] == math.inf else f"{medians[-2] / medians[-1]:.2f}"
    return [name, str(*costs), *shown, ratio]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", action="append", help="may be repeated [default: target/release/engine]")
    parser.add_argument("--twips", default=os.environ.get("TWIPS", "twips"))
    parser.add_argument("--only", help="only puzzles whose names contain one of these, separated by commas")
    parser.add_argument("--repeat", type=int, default=5, help="runs of each program [default: 5]")
    parser.add_argument("--time", type=float, default=60, metavar="SECONDS", help="limit of each run [default: 60]")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER", help="keep the files in this folder")
    options = parser.parse_args()
    options.engine = options.engine or [str(ROOT / "target" / "release" / "engine")]
    wanted = options.only.split(",") if options.only else [""]
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(exist_ok=True)
        print("\t".join(["puzzle", "moves", *options.engine, "twips", "ratio"]))
        for name, make in MADE.items():
            if any(part in name for part in wanted):
                print("\t".join(measure(name, make(), options, folder)), flush=True)


main()
