"""Puzzles, solutions and errors. A test fails if Python sees something else than the program prints."""
import concurrent.futures
import datetime
import signal
import threading
import time

import numpy as np
import pytest

import engine
from engine import Puzzle, Status

TWO = 'title = "Two"\ndomain = "maze"\nmap = "S.\\n#G"\n'


def hard(puzzles):
    """A puzzle whose search by this algorithm takes far longer than any test waits."""
    return Puzzle.load(puzzles / "korf-15" / "074.toml"), {"algorithm": "ida-star", "heuristic": "hamming"}


def test_a_file_is_solved_and_proven(puzzles):
    puzzle = Puzzle.load(puzzles / "klotski7.toml")
    solution = puzzle.solve()
    assert (puzzle.title, puzzle.domain, puzzle.metric) == ("Klotski 7", "klotski", "slide")
    assert solution.status is Status.PROVEN_OPTIMAL or solution.status == Status.PROVEN_OPTIMAL
    assert solution.cost == 150 and len(solution.moves) == len(solution) == 150
    assert len(solution.positions) == 151 and solution.positions[0] == puzzle.draw()
    assert puzzle.verify(solution.moves) == 150
    assert isinstance(solution.cost, int) and solution.lower_bound == 150


def test_costs_of_diagonal_steps_are_floats():
    puzzle = Puzzle.from_dict({"title": "Across", "domain": "maze", "map": "S.\n.G", "moves": "diagonal"})
    assert puzzle.solve().cost == pytest.approx(2**0.5)


def test_an_unsolvable_puzzle_says_why():
    puzzle = Puzzle.from_dict({"title": "Swapped", "domain": "sliding-tile", "start": "1 2 3\n4 5 6\n8 7 0"})
    solution = puzzle.solve()
    assert solution.status == Status.UNSOLVABLE and not solution and solution.cost is None and solution.moves == []
    assert "parity" in solution.reason or "odd" in solution.reason


def test_mistakes_have_their_place():
    with pytest.raises(engine.PuzzleError) as caught:
        Puzzle.from_toml('title = "Bad"\ndomain = "maze"\nmapp = "SG"\n', "bad.toml")
    error = caught.value
    assert (error.file, error.line, error.column) == ("bad.toml", 3, 1)
    assert "did you mean `map`" in error.help and "^^^^" in str(error)
    assert error.diagnostics[0]["message"] == "unknown key `mapp`"
    with pytest.raises(engine.PuzzleError, match="does not exist|not found|No such"):
        Puzzle.load("no/such/file.toml")


def test_none_in_a_dictionary_is_refused():
    with pytest.raises(engine.EngineError, match="not None"):
        Puzzle.from_dict({"title": None, "domain": "maze"})


def test_wrong_names_are_refused_with_a_help(puzzles):
    puzzle = Puzzle.load(puzzles / "klotski1.toml")
    with pytest.raises(engine.EngineError, match="a-star"):
        puzzle.solve("a-sta")
    with pytest.raises(engine.SolveError, match="zero"):
        puzzle.solve("a-star", "manhatten")
    with pytest.raises(ValueError, match="2GiB"):
        puzzle.solve(memory_limit="lots")
    with pytest.raises(ValueError):
        puzzle.solve(time_limit=-1)


def test_limits_end_a_search_with_what_is_known(puzzles):
    puzzle, how = hard(puzzles)
    solution = puzzle.solve(**how, time_limit=datetime.timedelta(milliseconds=50))
    assert solution.status == Status.LIMIT and solution.limit == "time" and solution.lower_bound > 10
    assert puzzle.solve("bfs", node_limit=10).limit == "nodes"


def test_ctrl_c_ends_a_search(puzzles):
    puzzle, how = hard(puzzles)
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        puzzle.solve(**how, time_limit=60)
    assert time.monotonic() - started < 10


def test_progress_is_reported_and_its_errors_end_the_search(puzzles):
    puzzle, how = hard(puzzles)
    seen = []
    puzzle.solve(**how, time_limit=1, on_progress=seen.append)
    assert seen and seen[-1]["expanded"] > 0 and seen[-1]["doing"]

    def fails(reading):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        puzzle.solve(**how, time_limit=60, on_progress=fails)


def test_other_threads_go_on_during_a_search(puzzles):
    puzzle, how = hard(puzzles)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        search = pool.submit(puzzle.solve, **how, time_limit=1)
        count = 0
        while not search.done():
            count += 1
        assert count > 1000


def test_a_thread_pool_gives_the_same_answers(puzzles):
    files = [puzzles / "klotski1.toml", puzzles / "eight-puzzle" / "20-moves.toml"] * 4

    def answer(path):
        solution = Puzzle.load(path).solve()
        return solution.cost, solution.moves, solution.expanded

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert list(pool.map(answer, files)) == [answer(path) for path in files]


def test_a_process_of_its_own_gives_the_same_answer(puzzles):
    for puzzle in (Puzzle.load(puzzles / "klotski1.toml"), Puzzle.from_toml(TWO)):
        here, there = puzzle.solve(), puzzle.solve(isolated=True)
        assert (here.status, here.cost, here.moves, here.expanded) == (there.status, there.cost, there.moves, there.expanded)
        assert here.positions == there.positions
    with pytest.raises(engine.SolveError):
        Puzzle.from_toml(TWO).solve("a-star", "nothing", isolated=True)


def test_a_panic_is_an_exception():
    with pytest.raises(engine.InternalError, match="asked to fail"):
        engine._engine._fail()


def test_all_shortest_solutions_are_listed():
    puzzle = Puzzle.from_dict({"title": "Open", "domain": "maze", "map": "S.\n.G"})
    every = puzzle.all_solutions()
    assert every.count == len(every) == 2 and every.cost == 2
    assert sorted(every) == [["d", "r"], ["r", "d"]]
    assert len(puzzle.all_solutions(1)) == 1 and puzzle.all_solutions(1).count == 2


def test_a_whole_space_is_explored_into_arrays(puzzles):
    found = Puzzle.load(puzzles / "eight-puzzle" / "20-moves.toml").explore()
    assert found.states == 181_440 and found.goals == 1 and found.dead_ends == 0
    assert found.by_depth.dtype == np.uint64 and found.by_depth.sum() == 181_440
    assert found.hardest["cost"] == 31 and found.hardest["count"] == 2
    assert found._repr_svg_().startswith("<svg")


def test_a_trace_has_the_expansions_of_the_search(puzzles):
    puzzle = Puzzle.load(puzzles / "eight-puzzle" / "10-moves.toml")
    events = list(puzzle.trace("a-star", "manhattan"))
    expanded = sum(event["event"] == "expanded" for event in events)
    assert expanded == puzzle.solve("a-star", "manhattan").expanded
    assert events[0]["event"] == "begin" and events[-1]["event"] == "end"
    half = puzzle.trace("bfs")
    next(half)
    del half  # Ends the search.


def test_levels_of_a_collection_are_a_sequence(tmp_path):
    file = tmp_path / "two.sok"
    file.write_text("; First\n#####\n#@$.#\n#####\n\n; Second\n######\n#@ $.#\n######\n")
    levels = engine.Collection(file)
    assert len(levels) == 2 and [level.solve().cost for level in levels] == [1, 1]
    assert levels.level(2).draw() == levels[-1].draw() != levels[0].draw()
    assert Puzzle.load(f"{file}#2").draw() == levels[1].draw()
    with pytest.raises(IndexError, match="there are 2"):
        levels.level(3)
    with pytest.raises(engine.PuzzleError, match="#1"):
        Puzzle.load(file)
    steps = engine.Collection(file, metric="moves")
    assert [level.solve().cost for level in steps] == [1, 2]


def test_a_table_compares_searches(puzzles):
    puzzle = Puzzle.load(puzzles / "eight-puzzle" / "10-moves.toml")
    table = engine.compare(puzzle, ["bfs", "a-star"], ["manhattan", "nothing"])
    assert [row["cost"] for row in table] == [10, 10, None]
    assert "unknown heuristic" in table[2]["error"]
    assert "<table>" in table._repr_html_() and "PROVEN_OPTIMAL" in str(table)
    pandas = pytest.importorskip("pandas")
    assert isinstance(table.to_pandas(), pandas.DataFrame) and len(table.to_pandas()) == 3
