"""Designing levels. A test fails if Python gets other names or values than `--json` has, or another puzzle than the program
writes."""
import pytest

import engine
from engine import Puzzle

MAZE = 'title = "Around"\ndomain = "maze"\nmap = """\nS.#..\n..#..\n....G\n"""\n'

ICE = '''
title = "On the ice"
domain = "rules"
start = """
@....
.....
..#..
.....
"""
marks = """
.....
.....
.....
...x.
"""
goal = { every = { "@" = "x" } }

[[rules]]
name = "{direction}"
from = "@."
to = ".@"
turns = true
repeat = true

[generate]
cells = """
?????
?????
?????
?????
"""
symbols = { "?" = { "." = 5, "#" = 2, "@" = 1, "x" = 1 } }
number = { "@" = 1, "x" = 1, "#" = [2, 6] }
cost = [3, 8]
needed = true
'''


def test_a_rating_has_the_parts_of_the_program(puzzles):
    puzzle = Puzzle.load(puzzles / "eight-puzzle" / "10-moves.toml")
    rating = puzzle.rate()
    assert rating.outcome == "solved" and rating.cost == 10 and rating.limit is None and rating.score > 0
    assert rating == puzzle.rate() and rating["score"] == rating.score
    assert rating.sampled and not Puzzle.from_toml(MAZE).rate().sampled
    assert puzzle.rate(time_limit=0).limit == "time"
    with pytest.raises(AttributeError, match="score"):
        rating.scores


def test_edits_have_their_answers():
    puzzle = Puzzle.from_toml(MAZE)
    found = puzzle.edits()
    assert (found.rows, found.columns, found.cost) == (3, 5, 6)
    wall = [edit for edit in found.edits if (edit.edit, edit.symbol, edit.row, edit.column) == ("set", "#", 2, 2)]
    assert [edit.outcome for edit in wall] == ["unsolvable"]
    # Each answer is that of the edited puzzle.
    for edit in found.edits:
        if edit.edit != "set" or edit.outcome != "solved" or edit.symbol not in ".#":
            continue
        rows = [list(row) for row in puzzle.draw().splitlines()]
        rows[edit.row][edit.column] = edit.symbol
        keys = {"title": "Edited", "domain": "maze", "map": "\n".join(map("".join, rows))}
        assert Puzzle.from_dict(keys).solve().cost == edit.cost
    with pytest.raises(engine.PuzzleError, match="no drawing"):
        Puzzle.from_dict({"title": "Scrambled", "domain": "sliding-tile", "rows": 3, "columns": 3, "scramble": {"moves": 5, "seed": 1}}).edits()


def test_the_smaller_puzzle_has_the_same_optimum():
    puzzle = Puzzle.from_toml(MAZE)
    found = puzzle.minimize()
    assert found.cost == found.puzzle.solve().cost == puzzle.solve().cost == 6
    assert len(found.removed) == puzzle.draw().count("#") - found.puzzle.draw().count("#") > 0
    assert found.puzzle.text == found.text and found.puzzle.minimize().removed == []


def test_two_versions_differ_where_they_do():
    before, after = Puzzle.from_toml(MAZE), Puzzle.from_toml(MAZE.replace("....G", "..#.G"))
    found = before.diff(after)
    assert found.before.cost == 6 and found.after.outcome == "unsolvable" and not found.same_answer
    assert [part["of"] for part in found.text] == ["both", "before", "after", "both"]
    assert before.diff(before).same_text and before.diff(before).same_answer


def test_generated_levels_are_as_wanted_and_the_same_again():
    template = Puzzle.from_toml(ICE, "ice.toml")
    found = template.generate(3, seed=1)
    costs = [level.cost for level in found.levels]
    assert costs == [3, 5, 6] and found.candidates > 0 and found.limit is None
    assert [level.puzzle.solve().cost for level in found.levels] == costs
    again = [level.puzzle.text for level in template.generate(3, seed=1).levels]
    assert again == [level.puzzle.text for level in found.levels]
    assert template.generate(1, time_limit=0).limit == "time"
    with pytest.raises(engine.PuzzleError, match="no template"):
        Puzzle.from_toml(MAZE).generate()
