"""Domains in Python. A test fails if an answer is not the shortest, is called proven without a proof, or if an error is lost."""
import heapq
import itertools

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
