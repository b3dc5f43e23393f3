"""Domains in Python. A test fails if an answer is not the shortest, is called proven without a proof, or if an error is lost."""
import collections
import concurrent.futures
import heapq
import itertools
import signal
import threading
import time

import numpy as np
import pytest

import engine


class Jugs(engine.Domain):
    """Measures a volume with jugs of some sizes."""

    def __init__(self, sizes, wanted):
        self.sizes, self.wanted = sizes, wanted

    def start(self):
        return (0,) * len(self.sizes)

    def moves(self, state):
        for jug, size in enumerate(self.sizes):
            for name, volume in (("fill", size), ("empty", 0)):
                yield f"{name} {jug}", state[:jug] + (volume,) + state[jug + 1 :]
        for one, other in itertools.permutations(range(len(self.sizes)), 2):
            poured = min(state[one], self.sizes[other] - state[other])
            after = list(state)
            after[one] -= poured
            after[other] += poured
            yield f"pour {one} {other}", tuple(after)

    def is_goal(self, state):
        return self.wanted in state


class Guided(Jugs):
    def h(self, state):
        return 0 if self.is_goal(state) else 1


class Priced(Jugs):
    """Water costs what is filled in, and each move a little."""

    unit = 0.125

    def moves(self, state):
        for name, after in super().moves(state):
            yield name, after, self.unit + max(0, sum(after) - sum(state))


class Arrays(engine.ArrayDomain):
    """The same jugs, many states in a call."""

    def __init__(self, sizes, wanted, unit=None):
        self.sizes, self.wanted, self.unit = np.array(sizes), wanted, unit

    def start(self):
        return np.zeros(len(self.sizes), np.uint8)

    def moves(self, states):
        legal = np.ones(len(states), bool)
        for jug, size in enumerate(self.sizes):
            for name, volume in (("fill", size), ("empty", 0)):
                after = states.copy()
                after[:, jug] = volume
                yield self.move(f"{name} {jug}", legal, states, after)
        for one, other in itertools.permutations(range(len(self.sizes)), 2):
            poured = np.minimum(states[:, one], self.sizes[other] - states[:, other])
            after = states.astype(int)
            after[:, one] -= poured
            after[:, other] += poured
            yield self.move(f"pour {one} {other}", legal, states, after)

    def move(self, name, legal, states, after):
        if self.unit is None:
            return name, legal, after
        filled = after.sum(axis=1, dtype=int) - states.sum(axis=1, dtype=int)
        return name, legal, after, self.unit + np.maximum(0, filled)

    def is_goal(self, states):
        return (states == self.wanted).any(axis=1)


class GuidedArrays(Arrays):
    def h(self, states):
        return np.where(self.is_goal(states), 0, 1)


def dijkstra(domain):
    """The least cost by a plain search."""
    start = domain.start()
    costs, queue = {start: 0}, [(0, start)]
    while queue:
        cost, state = heapq.heappop(queue)
        if domain.is_goal(state):
            return cost
        for _, after, step in domain.moves(state):
            if cost + step < costs.get(after, float("inf")):
                costs[after] = cost + step
                heapq.heappush(queue, (cost + step, after))
    return None


@pytest.mark.parametrize("kind", [Guided, GuidedArrays])
def test_every_algorithm_solves_a_domain_in_python(kind):
    proven = 0
    for algorithm in engine.algorithms():
        try:
            solution = kind((3, 5), 4).solve(algorithm, node_limit=100_000, depth_limit=30)
        except engine.EngineError:
            continue  # An algorithm that needs moves that can be undone.
        if solution.status == engine.Status.PROVEN_OPTIMAL:
            assert solution.cost == len(solution.moves) == 6, algorithm
            proven += 1
        else:
            assert solution.status != engine.Status.UNSOLVABLE and (solution.cost or 6) >= 6, algorithm
    assert proven >= 4


@pytest.mark.parametrize("kind", [Jugs, Arrays])
def test_answers_without_a_heuristic(kind):
    assert kind((3, 5), 4).solve().cost == 6
    assert kind((2, 4), 3).solve().status == engine.Status.UNSOLVABLE
    assert kind((3, 5), 4).solve(node_limit=2).limit == "nodes"


def test_both_forms_expand_the_same_states():
    one, many = Guided((5, 7, 11), 6).solve(), GuidedArrays((5, 7, 11), 6).solve()
    assert one == many and one.expanded > 0


@pytest.mark.parametrize("unit", [0.125, 0.1, 1, 3])
def test_costs_are_those_of_a_plain_search(unit):
    for sizes, wanted in (((3, 5), 4), ((3, 7), 5), ((5, 7, 11), 6)):
        domain = Priced(sizes, wanted)
        domain.unit = unit
        least = dijkstra(domain)
        for solution in (domain.solve(), domain.solve("a-star"), Arrays(sizes, wanted, unit).solve()):
            assert solution.cost == pytest.approx(least, abs=1e-6), sizes
            assert solution.status == engine.Status.PROVEN_OPTIMAL
    assert isinstance(solution.cost, int) == (unit in (1, 3))


@pytest.mark.parametrize("cost", [0, -1, float("nan"), 10_001])
def test_costs_out_of_bounds_are_refused(cost):
    domain = Priced((3, 5), 4)
    domain.unit = cost
    with pytest.raises(ValueError, match="a move of cost"):
        domain.solve()


def test_a_mistake_in_the_form_of_moves_is_named():
    class Mixed(Jugs):
        def moves(self, state):
            for number, move in enumerate(super().moves(state)):
                yield (*move, 1) if number else move

    with pytest.raises(ValueError, match="others have none"):
        Mixed((3, 5), 4).solve()

    class Short(Arrays):
        def moves(self, states):
            yield "fill", np.ones(len(states), bool), states[1:]

    with pytest.raises(ValueError, match="another length"):
        Short((3, 5), 4).solve()

    class Overflowing(Arrays):
        def moves(self, states):
            yield "fill", np.ones(len(states), bool), states.astype(int) + 300

    with pytest.raises(ValueError, match="too large"):
        Overflowing((3, 5), 4).solve()
    with pytest.raises(NotImplementedError, match="Nothing does not define `start`"):
        type("Nothing", (engine.Domain,), {})().solve()


def test_an_overestimating_function_proves_nothing():
    class Wrong(Guided):
        is_admissible = False

        def h(self, state):
            return 0 if self.is_goal(state) else float("inf")

    assert Wrong((3, 5), 4).solve().status == engine.Status.SOLVED
    assert Wrong((3, 5), 4).solve("bfs").status == engine.Status.PROVEN_OPTIMAL
    # An admissible one is believed.
    Wrong.is_admissible = True
    assert Wrong((3, 5), 4).solve().status == engine.Status.UNSOLVABLE


@pytest.mark.parametrize("kind", [Guided, GuidedArrays])
@pytest.mark.parametrize("name", ["is_goal", "moves", "h"])
def test_errors_of_functions_in_python_come_back(kind, name):
    def fails(self, state):
        raise KeyError(name)

    broken = type("Broken", (kind,), {name: fails})
    with pytest.raises(KeyError, match=name):
        broken((3, 5), 4).solve()


def by_a_queue(domain):
    """The cost, and the states that a plain breadth-first search expands and generates, without moves straight back."""
    start = domain.start()
    parents, costs, queue = {start: start}, {start: 0}, collections.deque([start])
    expanded = generated = 0
    if domain.is_goal(start):
        return 0, 0, 0
    while queue:
        state = queue.popleft()
        expanded += 1
        for _, after in domain.moves(state):
            if after == parents[state]:
                continue
            generated += 1
            if after not in parents:
                parents[after], costs[after] = state, costs[state] + 1
                if domain.is_goal(after):
                    return costs[after], expanded, generated
                queue.append(after)
    return None, expanded, generated


@pytest.mark.parametrize("sizes, wanted", [((3, 5), 4), ((3, 5), 0), ((2, 4), 3), ((5, 7, 11), 6), ((4, 6, 10, 15), 13), ((1,) * 9, 2)])
def test_breadth_first_search_is_that_of_a_queue(sizes, wanted):
    for kind in (Jugs, Arrays):
        found = kind(sizes, wanted).solve("bfs")
        assert (found.cost, found.expanded, found.generated) == by_a_queue(Jugs(sizes, wanted))
        if found:
            at = Jugs(sizes, wanted).start()
            for name in found.moves:
                at = dict(Jugs(sizes, wanted).moves(at))[name]
            assert Jugs(sizes, wanted).is_goal(at)


@pytest.mark.parametrize("kind", [Jugs, Arrays])
def test_limits_end_a_breadth_first_search(kind):
    domain = kind((3, 5), 4)
    assert domain.solve(depth_limit=6).cost == 6
    assert domain.solve(depth_limit=5).limit == "depth"
    assert kind((2, 4), 3).solve(depth_limit=50).status == engine.Status.UNSOLVABLE
    many = kind((31, 37, 41, 43), 99)
    assert many.solve(node_limit=100).expanded == 100
    assert many.solve(memory_limit=100).limit == "memory"
    assert many.solve(time_limit=0.01).limit == "time"


class Walk(engine.Domain):
    """States that are numbers, or what `of` makes of them, up to 3,000."""

    of = int

    def start(self):
        return self.of(0)

    def moves(self, state):
        number = int(state)
        return [("+1", self.of(number + 1)), ("+7", self.of(min(number + 7, 3000)))]

    def is_goal(self, state):
        return int(state) == 3000


class Token:
    """A state whose hash says little."""

    def __init__(self, number):
        self.number = number

    def __int__(self):
        return self.number

    def __eq__(self, other):
        return self.number == other.number

    def __hash__(self):
        return self.number % 10


def test_states_are_equal_as_in_python():
    assert Walk().solve().cost == 429
    tokens = type("Tokens", (Walk,), {"of": Token})().solve()
    assert tokens == Walk().solve()
    # 1, 1.0 and True are one state.
    mixed = type("Mixed", (Walk,), {"of": staticmethod(lambda number: float(number) if number % 2 else number)})
    assert mixed().solve() == Walk().solve()
    # An object is itself, even one that is equal to nothing.
    nan = float("nan")

    class Odd(engine.Domain):
        def start(self):
            return nan

        def moves(self, state):
            return [("stay", nan), ("end", 1)] if state is nan else []

        def is_goal(self, state):
            return state == 2

    assert Odd().solve().expanded == 2
    with pytest.raises(TypeError, match="unhashable"):
        type("Unhashable", (Walk,), {"of": type("Unhashable", (Token,), {"__hash__": None})})().solve()

    class Broken(Token):
        def __eq__(self, other):
            raise LookupError("no order")

        __hash__ = Token.__hash__

    with pytest.raises(LookupError, match="no order"):
        type("Unequal", (Walk,), {"of": Broken})().solve()


@pytest.mark.parametrize("length", [1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 40])
@pytest.mark.parametrize("kind", [np.uint8, np.int64])
def test_rows_of_any_width_are_states(length, kind):
    class Counter(engine.ArrayDomain):
        """Counts in the system of base 3, the last digit first or last."""

        def start(self):
            return np.zeros(length, kind)

        def moves(self, states):
            for place in sorted({0, length // 2, length - 1}):
                after = states.copy()
                after[:, place] += 1
                yield f"+{place}", states[:, place] < 2, after

        def is_goal(self, states):
            return states.sum(axis=1) == 99

    found = Counter().solve()
    assert found.status == engine.Status.UNSOLVABLE and found.expanded == 3 ** len({0, length // 2, length - 1})


class Endless(engine.Domain):
    def start(self):
        return 0

    def moves(self, state):
        yield "+1", state + 1

    def is_goal(self, state):
        return False


def test_other_threads_go_on_during_a_search_in_python():
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        search = pool.submit(Endless().solve, time_limit=0.5)
        count = 0
        while not search.done():
            count += 1
        assert count > 1000 and search.result().limit == "time"


def test_ctrl_c_ends_a_search_in_python(interruptible):
    timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    timer.start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        Endless().solve(time_limit=60)
    assert time.monotonic() - started < 10


def test_a_thread_pool_searches_domains_in_python():
    domains = [Guided((5, 7, 11), 6), Jugs((5, 7, 11), 6), Arrays((5, 7, 11), 6), GuidedArrays((5, 7, 11), 6)] * 3
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda domain: domain.solve(), domains)) == [domain.solve() for domain in domains]
