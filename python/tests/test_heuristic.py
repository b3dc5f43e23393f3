"""Heuristics in Python. A test fails if an answer differs from that without them, or if something is called proven that is not."""
import numpy as np
import pytest

import engine
from engine import Puzzle, Status

GOAL = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 0]])


def misplaced(position):
    board = position.numbers
    return int(((board != GOAL) & (board != 0)).sum())


@engine.batched(positions="numbers")
def many_misplaced(boards):
    return ((boards != GOAL) & (boards != 0)).sum(axis=(1, 2))


@pytest.fixture
def tiles(puzzles):
    return Puzzle.load(puzzles / "eight-puzzle" / "10-moves.toml")


def test_functions_lead_to_the_same_cost_as_the_built_in_heuristic(tiles):
    built_in = tiles.solve("a-star", "hamming")
    for function in (misplaced, many_misplaced):
        solution = tiles.solve(heuristic=function)
        assert solution.cost == built_in.cost == 10 and tiles.verify(solution.moves) == 10
        assert solution.heuristic == function.__name__ and solution.algorithm == "a-star"
        # Nothing is known of a function.
        assert solution.status == Status.SOLVED and function.__name__ in solution.lack_of_proof
        for algorithm in ("ida-star", "greedy", "weighted-a-star"):
            if algorithm in engine.algorithms():
                assert tiles.verify(tiles.solve(algorithm, function).moves) >= 10
    assert tiles.solve("bfs", misplaced).status == Status.PROVEN_OPTIMAL
    moves = built_in.moves
    assert tiles.solve(heuristic=misplaced, after=moves[:3]).cost == 7


def test_both_forms_expand_the_same_states(tiles):
    one, many = tiles.solve(heuristic=misplaced), tiles.solve(heuristic=many_misplaced)
    assert one.expanded == many.expanded and one.moves == many.moves


def test_a_check_measures_the_whole_space(tiles):
    check = tiles.check_heuristic(misplaced)
    assert check.whole and check.positions == 181_440 and check.name == "misplaced"
    hamming = next(other for other in check.others if other.name == "hamming")
    assert check.admissible and check.consistent and check.mean_h == hamming.mean_h
    assert "hamming" in check.equal and check.counter_example is None


def test_the_smallest_counter_example_is_drawn(tiles):
    check = tiles.check_heuristic(lambda position: 2 * misplaced(position))
    assert not check.admissible and check.overestimates > 0
    example = check.counter_example
    assert example.h == 2 and example.cost == 1
    game = tiles.game()
    for move in example.moves:
        game.push(move)
    assert game.draw() == example.position and example.position in str(check)
    sample = tiles.check_heuristic(misplaced, states=1000)
    assert not sample.whole and sample.admissible is None


def test_costs_that_are_not_whole_numbers():
    puzzle = Puzzle.from_dict({"title": "Across", "domain": "maze", "map": "S...\n....\n...G", "moves": "diagonal"})

    def straight(position):
        # The start is drawn as `S` until the figure has left it.
        row, column = max(map(tuple, np.argwhere(np.isin(position.letters, [ord("@"), ord("S")]))))
        return float(np.hypot(2 - row, 3 - column))

    solution = puzzle.solve(heuristic=straight)
    assert solution.cost == puzzle.solve().cost == pytest.approx(1 + 2 * 2**0.5)
    check = puzzle.check_heuristic(straight)
    assert check.whole and check.admissible


def test_values_out_of_bounds_are_changed_as_those_of_a_file(tiles):
    check = tiles.check_heuristic(lambda position: float("nan") if position.is_solved else -1)
    assert check.admissible and check.mean_h == 0 and check.undefined == 1 and check.negative == 181_439
    infinite = tiles.solve(heuristic=lambda position: float("inf"))
    assert infinite.status == Status.SOLVED


def test_errors_of_functions_come_back(tiles):
    def fails(position):
        raise KeyError("fails")

    for call in (tiles.solve, lambda heuristic: tiles.check_heuristic(heuristic)):
        with pytest.raises(KeyError, match="fails"):
            call(heuristic=fails)
    with pytest.raises(TypeError):
        tiles.solve(heuristic=lambda position: "far")
    with pytest.raises(engine.EngineError, match="another shape"):
        tiles.solve(heuristic=engine.batched(lambda boards: np.zeros(len(boards) + 1)))
    with pytest.raises(engine.EngineError, match="neither"):
        tiles.solve(heuristic=7)
    with pytest.raises(engine.EngineError, match="another process"):
        tiles.solve(heuristic=misplaced, isolated=True)
