"""Puzzles, searches and proofs: the engine as a module.

>>> import engine
>>> puzzle = engine.Puzzle.from_toml('''
... title = "Two steps"
... domain = "maze"
... map = "S.\\\\n#G"
... ''')
>>> solution = puzzle.solve()
>>> solution.status
Status.PROVEN_OPTIMAL
>>> solution.moves
['r', 'd']

`Puzzle.load` reads a file, `Collection` a file of many levels, `Puzzle.from_dict` a dictionary. `Puzzle.solve` searches
without the interpreter's lock: other threads go on, and Ctrl-C ends it. A `Game` is a puzzle being played. A `Domain` is
a puzzle whose rules are written in Python. `compare` makes the table of several searches.
"""
from ._domain import ArrayDomain, Domain, DomainSolution
from ._engine import (
    Collection,
    Distances,
    EngineError,
    Exploration,
    Game,
    IllegalMove,
    InternalError,
    Paths,
    Position,
    Puzzle,
    PuzzleError,
    Solution,
    SolveError,
    Status,
    Trace,
    __version__,
    algorithms,
    distances,
    domains,
)
from ._heuristic import batched
from ._judge import judge
from ._record import HeuristicCheck, Record
from ._table import Table, compare

__all__ = [
    "ArrayDomain",
    "Collection",
    "Distances",
    "Domain",
    "DomainSolution",
    "EngineError",
    "Exploration",
    "Game",
    "HeuristicCheck",
    "IllegalMove",
    "InternalError",
    "Paths",
    "Position",
    "Puzzle",
    "PuzzleError",
    "Record",
    "Solution",
    "SolveError",
    "Status",
    "Table",
    "Trace",
    "__version__",
    "algorithms",
    "batched",
    "compare",
    "distances",
    "domains",
    "judge",
]
