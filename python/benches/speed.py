"""Measures the module beside what people use in Python otherwise.

    python python/benches/speed.py              all measurements
    python python/benches/speed.py domains gym  some of them
    python python/benches/speed.py hundred      all of Korf's boards, which are not among all measurements

Where the project asked for a speed, a line prints what is asked and what is seen.

Run it from the folder of the project, with the module installed. `simpleai`, `networkx`, `gym-sokoban` and the program `engine`
are measured if they are there. The figures in docs/python.md are of this script.
"""
import collections
import heapq
import pathlib
import shutil
import subprocess
import sys
import time

import numpy as np

import engine

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOAL = (1, 2, 3, 4, 5, 6, 7, 8, 0)
HARDEST = (8, 6, 7, 2, 5, 4, 3, 0, 1)  # 31 moves.
BESIDE = [[other for other in range(9) if abs(cell // 3 - other // 3) + abs(cell % 3 - other % 3) == 1] for cell in range(9)]


def least(work, times=3):
    """The least time of some runs in seconds, and the last result."""
    best = float("inf")
    for _ in range(times):
        started = time.perf_counter()
        result = work()
        best = min(best, time.perf_counter() - started)
    return best, result


def in_turn(works, times=5):
    """The least times of several works, one after the other each time: what else the machine does is the same for all."""
    best = {name: float("inf") for name in works}
    for _ in range(times):
        for name, work in works.items():
            best[name] = min(best[name], least(work, 1)[0])
    return best


def row(what, seconds, note=""):
    print(f"{what:<58} {seconds * 1000:>10.1f} ms  {note}", flush=True)


def compared(what, asked, seen, unit="times", at_most=False):
    """Prints what is asked beside what is seen."""
    verdict = "reached" if (seen <= asked if at_most else seen >= asked) else "NOT REACHED"
    print(f"  {what}: asked {'at most' if at_most else 'at least'} {asked:g} {unit}, seen {seen:.3g}: {verdict}", flush=True)


def neighbours(state):
    blank = state.index(0)
    for cell in BESIDE[blank]:
        after = list(state)
        after[blank], after[cell] = after[cell], 0
        yield cell, tuple(after)


def manhattan(state):
    return sum(abs(at // 3 - (tile - 1) // 3) + abs(at % 3 - (tile - 1) % 3) for at, tile in enumerate(state) if tile)


def plain_a_star():
    """The A* of a textbook in Python."""
    queue, costs = [(manhattan(HARDEST), 0, HARDEST)], {HARDEST: 0}
    while queue:
        _, cost, state = heapq.heappop(queue)
        if state == GOAL:
            return cost
        if cost > costs[state]:
            continue
        for _, after in neighbours(state):
            if cost + 1 < costs.get(after, 1 << 30):
                costs[after] = cost + 1
                heapq.heappush(queue, (cost + 1 + manhattan(after), cost + 1, after))
    return None


def plain_breadth_first():
    queue, seen = collections.deque([HARDEST]), {HARDEST: None}
    while queue:
        state = queue.popleft()
        if state == GOAL:
            return len(seen)
        for cell, after in neighbours(state):
            if after not in seen:
                seen[after] = (state, cell)
                queue.append(after)
    return None


def tiles():
    """The 8-puzzle whose start is the farthest from its goal."""
    print("8-puzzle, 31 moves")
    start = "\n".join(" ".join(map(str, HARDEST[at : at + 3])) for at in (0, 3, 6))
    puzzle = engine.Puzzle.from_dict({"title": "Hardest", "domain": "sliding-tile", "start": start})
    ours, solution = least(lambda: puzzle.solve("bfs"), 5)
    assert solution.cost == 31
    row("engine, breadth-first", ours, f"{solution.expanded} states")
    both, solution = least(lambda: puzzle.solve("bidirectional"), 5)
    row("engine, breadth-first from both ends", both, f"{solution.expanded} states")
    default, solution = least(puzzle.solve, 5)
    row(f"engine, by default: {solution.algorithm}", default, f"{solution.expanded} states")
    others = {"A* of twenty lines in Python": plain_a_star, "breadth-first search in Python": plain_breadth_first}
    try:
        from simpleai.search import SearchProblem, astar

        class Problem(SearchProblem):
            def actions(self, state):
                return list(neighbours(state))

            def result(self, state, action):
                return action[1]

            def is_goal(self, state):
                return state == GOAL

            def heuristic(self, state):
                return manhattan(state)

        others["simpleai, A* as graph search"] = lambda: astar(Problem(HARDEST), graph_search=True).cost
    except ImportError:
        print("simpleai is not installed")
    try:
        import networkx

        def by_networkx():
            graph = networkx.Graph()
            queue, seen = collections.deque([HARDEST]), {HARDEST}
            while queue:
                state = queue.popleft()
                for _, after in neighbours(state):
                    graph.add_edge(state, after)
                    if after not in seen:
                        seen.add(after)
                        queue.append(after)
            return networkx.shortest_path_length(graph, HARDEST, GOAL)

        others["networkx, the graph built, then a shortest path"] = by_networkx
    except ImportError:
        print("networkx is not installed")
    for name, work in others.items():
        seconds, _ = least(work, 1)
        row(name, seconds, f"{seconds / ours:.0f} times the time of engine, breadth-first")
        compared(f"breadth-first beside {name}", 200, seconds / ours)
        compared(f"breadth-first from both ends beside {name}", 200, seconds / both)
        compared(f"by default beside {name}", 200, seconds / default)


class Objects(engine.Domain):
    def start(self):
        return HARDEST

    def moves(self, state):
        return neighbours(state)

    def is_goal(self, state):
        return state == GOAL


class Arrays(engine.ArrayDomain):
    def start(self):
        return np.array(HARDEST, np.uint8)

    def moves(self, states):
        every = np.arange(len(states))
        blank = (states == 0).argmax(axis=1)
        for name, step, legal in (("up", -3, blank >= 3), ("down", 3, blank < 6), ("left", -1, blank % 3 > 0), ("right", 1, blank % 3 < 2)):
            cell = np.where(legal, blank + step, blank)
            after = states.copy()
            after[every, blank] = states[every, cell]
            after[every, cell] = 0
            yield name, legal, after

    def is_goal(self, states):
        return (states == np.array(GOAL, np.uint8)).all(axis=1)


def domains():
    """A domain written in Python, beside the same loop without the engine."""
    print("\nthe same 8-puzzle with its rules in Python, breadth-first")
    works = {"a loop in Python": plain_breadth_first, "engine.Domain": Objects().solve, "engine.ArrayDomain": Arrays().solve}
    states = plain_breadth_first()
    assert all(work().cost == 31 for name, work in works.items() if name.startswith("engine"))
    seen = in_turn(works)
    plain = seen["a loop in Python"]
    for name, seconds in seen.items():
        row(name, seconds, f"{states / seconds:,.0f} states a second, {plain / seconds:.1f} times the loop")
    compared("Domain beside the loop", 1, plain / seen["engine.Domain"])
    compared("ArrayDomain beside the loop", 10, plain / seen["engine.ArrayDomain"])
    print("\nthe 8-puzzle of the engine with a heuristic in Python, A*")
    puzzle = engine.Puzzle.from_dict({"title": "Hardest", "domain": "sliding-tile", "start": "8 6 7\n2 5 4\n3 0 1"})
    goal = np.array(GOAL).reshape(3, 3)

    def misplaced(position):
        board = position.numbers
        return ((board != goal) & (board != 0)).sum()

    @engine.batched(positions="numbers")
    def many(boards):
        return ((boards != goal) & (boards != 0)).sum(axis=(1, 2))

    for name, heuristic in (("built in", "hamming"), ("a function of a position", misplaced), ("a batch", many)):
        seconds, solution = least(lambda: puzzle.solve("a-star", heuristic), 1)
        assert solution.cost == 31
        row(name, seconds, f"{solution.expanded / seconds:,.0f} states a second")


def explore():
    """The pocket cube as arrays."""
    print("\nall positions of the pocket cube as an array")
    file = ROOT / "puzzles" / "permutation" / "pocket-cube.toml"
    puzzle = engine.Puzzle.load(file)
    seconds, found = least(puzzle.explore, 2)
    assert found.states == 3_674_160
    row(str(file.relative_to(ROOT)), seconds, f"{found.states:,} states")
    compared("seconds", 1, seconds, "s", at_most=True)
    seconds, array = least(lambda: found.by_depth)
    row("its array", seconds, f"{len(array)} numbers")


LEVEL = """
##########
#        #
#  $  .  #
#    #   #
# $  # . #
#    #   #
#  @   . #
#  $     #
#        #
##########
"""


def gym():
    """Steps of many games of Sokoban side by side."""
    import tempfile

    import engine.gym

    print("\nSokoban of 10x10, random moves")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "level.sok")
        file.write_text("; 1" + LEVEL)
        several = engine.gym.PuzzleVectorEnv(file, 256, max_steps=120, metric="moves")
        several.reset(seed=1)
        random = np.random.default_rng(1)
        actions = random.integers(len(several.actions), size=(200, 256))

        def steps():
            for some in actions:
                several.step(some)

        seconds, _ = least(steps)
        ours = actions.size / seconds
        row("engine.gym, 256 games, 200 steps of each", seconds, f"{ours:,.0f} steps a second")
        single = engine.gym.make(file, max_steps=120, metric="moves")
        single.reset(seed=1)

        def alone():
            for action in actions[:, 0]:
                if any(single.step(int(action))[2:4]):
                    single.reset()

        seconds, _ = least(alone)
        row("engine.gym, one game, 200 steps", seconds, f"{200 / seconds:,.0f} steps a second")
    try:
        from gym_sokoban.envs.sokoban_env import SokobanEnv
    except Exception as error:
        print(f"gym-sokoban cannot be imported: {error}")
        return
    env = SokobanEnv(dim_room=(10, 10), num_boxes=3)
    env.reset()

    for mode in ("rgb_array", "tiny_rgb_array"):

        def theirs():
            for action in random.integers(1, 9, size=200):
                if env.step(int(action), observation_mode=mode)[2]:
                    env.reset()

        env.reset()
        # The time to make rooms is left out.
        env.max_steps = 1 << 30
        seconds, _ = least(theirs)
        row(f"gym-sokoban, one game, 200 steps, {mode}", seconds, f"{200 / seconds:,.0f} steps a second")
        compared(f"256 games beside gym-sokoban with {mode}", 100, ours * seconds / 200)


def korf(numbers=(9, 12, 19, 42, 47, 48, 55, 74, 79, 93)):
    """Korf's boards from one call, beside the program, both with what they read from the files."""
    import tempfile

    print(f"\n{len(numbers)} of Korf's boards of the 15-puzzle")
    boards = {}
    for line in (ROOT / "benches" / "data" / "korf-15.txt").read_text().splitlines():
        if not line.startswith("#"):
            number, *tiles, _ = line.split()
            rows = "\n".join(" ".join(tiles[at : at + 4]) for at in range(0, 16, 4))
            boards[int(number)] = rows
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number in numbers:
            files.append(pathlib.Path(folder, f"{number:03}.toml"))
            head = f'title = "Korf {number}"\ndomain = "sliding-tile"\ngoal = "blank-first"\n'
            files[-1].write_text(f'{head}start = """\n{boards[number]}\n"""\n')
        beside_the_program(files)


def hundred():
    """All of Korf's boards. Only where both are compiled for release: else they are compiled in different ways."""
    korf(range(1, 101))


def beside_the_program(files):
    def ours():
        return engine.compare([engine.Puzzle.load(file) for file in files])

    # Once: a second call would find the tables built. The program has no tables in files, either.
    module, table = least(ours, 1)
    assert all(row["status"] == "PROVEN_OPTIMAL" for row in table)
    row("engine.compare", module, f"{sum(row['expanded'] for row in table):,} states")
    places = (ROOT / "target" / "release" / "engine", ROOT / "target" / "debug" / "engine", shutil.which("engine"))
    program = next((place for place in places if place and pathlib.Path(place).exists()), None)
    if program is None:
        print("the program is not there")
        return
    command = [str(program), "solve", *map(str, files), "--format", "lines", "--no-cache"]
    seconds, run = least(lambda: subprocess.run(command, capture_output=True, text=True), 1)
    if run.returncode:
        print(run.stderr)
        return
    row(f"the program, {pathlib.Path(program).relative_to(ROOT) if str(program).startswith(str(ROOT)) else program}", seconds, f"the module takes {module / seconds - 1:+.0%}")
    compared("the module beside the program", 1.05, module / seconds, "times the time", at_most=True)


ALL = {work.__name__: work for work in (tiles, domains, explore, gym, korf)}
MORE = {"hundred": hundred}

if __name__ == "__main__":
    unknown = [name for name in sys.argv[1:] if name not in ALL | MORE]
    if unknown:
        sys.exit(f"unknown: {', '.join(unknown)}; expected some of {', '.join(ALL | MORE)}")
    for name in sys.argv[1:] or ALL:
        (ALL | MORE)[name]()
