"""The compiled part of the package. `engine` exports what is here."""
from datetime import timedelta
from os import PathLike
from typing import Any, Callable, Iterator, List, Optional, Sequence, Tuple, TypedDict, Union

import numpy as np
from numpy.typing import NDArray

from ._heuristic import Batched
from ._record import HeuristicCheck, Record

__version__: str
"""The version of the package."""

Time = Union[float, timedelta]
"""Seconds, or a `timedelta`."""
Memory = Union[int, str]
"""Bytes, or a text such as `"2GiB"`."""
Number = Union[int, float]
"""A cost: whole numbers are `int`."""
Path = Union[str, PathLike[str]]

class Reading(TypedDict):
    """What `on_progress` receives, five times a second."""

    doing: Optional[str]
    heuristic: Optional[str]
    level: Optional[float]
    unit: Optional[str]
    expanded: int
    per_second: Optional[float]
    memory: int
    lower_bound: float

class Diagnostic(TypedDict):
    """One mistake in a puzzle file: lines and columns count from 1."""

    severity: str
    message: str
    file: str
    line: Optional[int]
    column: Optional[int]
    help: Optional[str]

class EngineError(ValueError):
    """A request that cannot be met. `help` says what would be right."""

    help: Optional[str]

class PuzzleError(EngineError):
    """A puzzle with mistakes, all drawn in its text; the attributes are those of the first."""

    file: str
    line: Optional[int]
    column: Optional[int]
    diagnostics: List[Diagnostic]

class SolveError(EngineError):
    """A search that this puzzle does not allow."""

class IllegalMove(EngineError):
    """A move that is not legal in this position."""

class InternalError(RuntimeError):
    """A mistake of the engine. The interpreter goes on."""

class Status:
    """What a search found out."""

    PROVEN_OPTIMAL: Status
    SOLVED: Status
    UNSOLVABLE: Status
    LIMIT: Status

class Puzzle:
    """A puzzle: what a file says, read and validated. It never changes."""

    @staticmethod
    def load(path: Path, *, seed: Optional[str] = None, metric: Optional[str] = None) -> Puzzle:
        """Reads a puzzle file, or the level of a collection that is named as `levels.sok#3`."""
    @staticmethod
    def from_toml(text: str, name: str = "puzzle.toml") -> Puzzle:
        """Reads the text of a puzzle file. Errors call the file `name`."""
    @staticmethod
    def from_dict(keys: dict) -> Puzzle:
        """Reads a puzzle from a dictionary with the keys of a puzzle file."""
    @property
    def title(self) -> str: ...
    @property
    def domain(self) -> str: ...
    @property
    def metric(self) -> Optional[str]: ...
    @property
    def size(self) -> str:
        """The size, rows first, such as `4x4`."""
    @property
    def heuristics(self) -> List[str]:
        """The names of the heuristics for this puzzle."""
    @property
    def unsolvable(self) -> Optional[str]:
        """Why there is no solution, if that is decided without a search."""
    def solve(
        self,
        algorithm: Optional[str] = None,
        heuristic: Union[str, Callable[[Position], float], Batched, None] = None,
        *,
        weight: Optional[float] = None,
        width: Optional[int] = None,
        after: Sequence[str] = (),
        without: Sequence[str] = (),
        cache: Optional[Path] = None,
        time_limit: Optional[Time] = None,
        memory_limit: Optional[Memory] = None,
        node_limit: Optional[int] = None,
        depth_limit: Optional[int] = None,
        threads: Optional[int] = None,
        on_progress: Optional[Callable[[Reading], Any]] = None,
        isolated: bool = False,
    ) -> Solution:
        """Searches for a solution, without the interpreter's lock. Ctrl-C ends it.

        `algorithm` and `heuristic` are names; the file sets them otherwise, else the domain. `heuristic` may be a function
        of a `Position`, or what `batched` makes of a function of many; nothing is known of it, so no answer by it is
        proven, and the algorithm is A* unless it is named. `weight` is that of weighted
        A*, `width` that of beam search, `after` moves made before the search, `without` reductions to leave out, `cache` a
        folder for tables. `memory_limit` bounds the whole process. `isolated` searches in a process of its own, which
        the system may end without harm to the interpreter.
        """
    def all_solutions(
        self, limit: int = 1000, *, time_limit: Optional[Time] = None, memory_limit: Optional[Memory] = None
    ) -> Paths:
        """Returns all shortest solutions, of which `limit` are listed."""
    def explore(
        self,
        *,
        time_limit: Optional[Time] = None,
        memory_limit: Optional[Memory] = None,
        node_limit: Optional[int] = None,
        threads: Optional[int] = None,
        on_progress: Optional[Callable[[Reading], Any]] = None,
    ) -> Exploration:
        """Explores the whole space that moves reach from the start."""
    def verify(self, moves: Sequence[str]) -> float:
        """Replays moves by the second implementation of the rules, and returns their cost. Raises `EngineError`."""
    def check_heuristic(
        self,
        function: Union[Callable[[Position], float], Batched],
        *,
        states: int = 200_000,
        seed: int = 0,
        time_limit: Optional[Time] = None,
        memory_limit: Optional[Memory] = None,
    ) -> HeuristicCheck:
        """Checks a function as a heuristic against exact costs: in all positions that can be reached, if there are at most
        `states`, else in a sample. The result has `admissible`, `consistent` and the smallest `counter_example`, with the
        names of `engine check --heuristics --json`."""
    @property
    def text(self) -> str:
        """The text of the puzzle's file."""
    def rate(
        self,
        *,
        states: int = 100_000,
        seed: int = 0,
        time_limit: Optional[Time] = None,
        memory_limit: Optional[Memory] = None,
    ) -> Record:
        """Rates how hard the puzzle is for people, with the names of `engine rate --json`, such as `score`.

        Spaces of more than `states` states are measured on samples. The same seed gives the same rating.
        """
    def edits(
        self,
        *,
        node_limit: Optional[int] = None,
        time_limit: Optional[Time] = None,
        memory_limit: Optional[Memory] = None,
    ) -> Record:
        """Answers what every single edit of the drawing would do, with the names of `engine edits --json`.

        An edit is given up after `node_limit` expanded states, by default 200,000. Raises `PuzzleError` if the file does
        not draw its start.
        """
    def minimize(
        self,
        *,
        unique: bool = False,
        node_limit: Optional[int] = None,
        time_limit: Optional[Time] = None,
        memory_limit: Optional[Memory] = None,
    ) -> Record:
        """Takes away walls and pieces as long as the optimum stays, with the names of `engine minimize --json`, and the
        smaller `puzzle`. `unique` keeps the number of shortest solutions, too."""
    def diff(
        self,
        other: Puzzle,
        *,
        node_limit: Optional[int] = None,
        time_limit: Optional[Time] = None,
        memory_limit: Optional[Memory] = None,
    ) -> Record:
        """Compares this version of a puzzle with another, with the names of `engine diff --json`."""
    def generate(
        self,
        count: int = 10,
        seed: int = 0,
        *,
        node_limit: Optional[int] = None,
        time_limit: Optional[Time] = None,
        memory_limit: Optional[Memory] = None,
    ) -> Record:
        """Makes levels from this template, a puzzle with a table `[generate]`, with the names of `engine generate --json`.

        Each of `levels` has its `puzzle`; the easiest come first. The same seed gives the same levels. Raises
        `PuzzleError` if the puzzle is no template.
        """
    def trace(
        self,
        algorithm: Optional[str] = None,
        heuristic: Optional[str] = None,
        *,
        limit: Optional[int] = None,
        time_limit: Optional[Time] = None,
        memory_limit: Optional[Memory] = None,
    ) -> Trace:
        """Searches, and returns an iterator of what the search does; `limit` bounds the expansions."""
    def search_page(
        self,
        algorithms: Sequence[str],
        heuristics: Sequence[str] = (),
        *,
        limit: int = 20_000,
        time_limit: Optional[Time] = None,
    ) -> str:
        """Returns a page as HTML that shows searches side by side, step by step."""
    def game(self) -> Game:
        """Returns a game at the start."""
    def h(self, moves: Sequence[str] = (), heuristic: Optional[str] = None) -> float:
        """Returns the value of a heuristic after some moves."""
    def draw(self) -> str:
        """Returns the start as text."""

class Collection(Sequence[Puzzle]):
    """The puzzles in a file: the levels of a collection, or the one of a puzzle file. Read level by level."""

    def __init__(self, path: Path, *, seed: Optional[str] = None, metric: Optional[str] = None) -> None: ...
    @property
    def titles(self) -> List[Optional[str]]: ...
    def level(self, number: int) -> Puzzle:
        """Returns the level of this number, from 1."""
    def __len__(self) -> int: ...
    def __getitem__(self, at: int) -> Puzzle: ...  # type: ignore[override]

class Solution:
    """The answer of a search. It is true if there is a solution, and its length is the number of moves."""

    @property
    def status(self) -> Status: ...
    @property
    def cost(self) -> Optional[Number]: ...
    @property
    def lower_bound(self) -> Optional[Number]:
        """A proven lower bound on the cost of every solution."""
    @property
    def moves(self) -> List[str]: ...
    @property
    def positions(self) -> List[str]:
        """The positions as text, the start first."""
    @property
    def limit(self) -> Optional[str]:
        """`time`, `memory`, `nodes`, `depth` or `interrupt`."""
    @property
    def reason(self) -> Optional[str]:
        """Why there is no solution, in words."""
    @property
    def lack_of_proof(self) -> Optional[str]:
        """Why the solution is not proven shortest, in words."""
    @property
    def algorithm(self) -> str: ...
    @property
    def heuristic(self) -> Optional[str]: ...
    @property
    def expanded(self) -> int: ...
    @property
    def generated(self) -> int: ...
    @property
    def stored(self) -> int: ...
    @property
    def peak_memory_bytes(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def build_seconds(self) -> float: ...
    def __bool__(self) -> bool: ...
    def __len__(self) -> int: ...
    def html(self) -> str:
        """Returns a page as HTML: the solution to step through."""

class Paths(Sequence[List[str]]):
    """All shortest solutions, each a list of moves."""

    count: int
    @property
    def cost(self) -> Number: ...
    def __len__(self) -> int: ...
    def __getitem__(self, at: int) -> List[str]: ...  # type: ignore[override]

class Exploration:
    """What exploring a whole space found."""

    @property
    def states(self) -> int: ...
    @property
    def by_depth(self) -> NDArray[np.uint64]:
        """The number of states at each distance from the start."""
    @property
    def distances(self) -> NDArray[np.uint64]:
        """The distances of `by_depth`."""
    @property
    def goals(self) -> int: ...
    @property
    def dead_ends(self) -> Optional[int]: ...
    @property
    def hardest(self) -> Optional[dict]:
        """`cost`, `count`, `moves` and `drawing` of the states farthest from a goal."""
    @property
    def limit(self) -> Optional[str]: ...
    @property
    def seconds(self) -> float: ...
    @property
    def peak_memory_bytes(self) -> int: ...

class Trace(Iterator[dict]):
    """The events of a search, in order. Deleting it ends the search."""

    def __iter__(self) -> Trace: ...
    def __next__(self) -> dict: ...

class Game:
    """A puzzle being played."""

    @property
    def legal_moves(self) -> List[str]: ...
    @property
    def moves(self) -> List[str]: ...
    @property
    def cost(self) -> Number: ...
    @property
    def is_solved(self) -> bool: ...
    def push(self, written: str) -> None:
        """Makes a move. Raises `IllegalMove`."""
    def pop(self) -> str:
        """Takes the last move back and returns it."""
    def h(self, heuristic: Optional[str] = None) -> float:
        """Returns the value of a heuristic."""
    def position(self) -> Position:
        """Returns the position, as heuristics see it."""
    def distance(self, time_limit: Optional[Time] = None) -> Optional[Number]:
        """Returns the cost of a shortest solution from here: infinite if there is none, `None` if it is not known within
        the time, by default ten seconds."""
    def copy(self) -> Game: ...
    def draw(self) -> str:
        """Returns the position as text."""
    def png(self, cell: Optional[float] = None) -> bytes:
        """Returns the position as the bytes of a PNG file."""
    def image(self, cell: Optional[float] = None) -> NDArray[np.uint8]:
        """Returns the position as rows, columns and three colours."""

class Position:
    """A position of a puzzle, as heuristics see it."""

    def draw(self) -> str:
        """Returns the position as text."""
    @property
    def letters(self) -> NDArray[np.uint8]:
        """The letters of the drawing: rows by columns; 255 stands for letters beyond 8 bits."""
    @property
    def numbers(self) -> NDArray[np.int64]:
        """The numbers between the spaces of the drawing: rows by columns. Other words are 0."""
    @property
    def legal_moves(self) -> List[str]: ...
    @property
    def is_solved(self) -> bool: ...

class Distances:
    """The exact distance of every state of a small space to the nearest goal."""

    @property
    def to_goal(self) -> NDArray[np.float64]:
        """The cost from each state to the nearest goal, infinite where there is none, in the order of discovery."""
    @property
    def depths(self) -> NDArray[np.uint32]:
        """The fewest moves from the start to each state."""
    def of(self, game: Game) -> float:
        """Returns the cost of a shortest solution from the position of a game; infinite if there is none."""
    def best_moves(self, game: Game) -> List[str]:
        """Returns the moves that begin a shortest solution."""
    def __len__(self) -> int: ...

class Batch:
    """Games of puzzles with the same moves, played side by side."""

    def __init__(self, puzzles: Sequence[Puzzle], count: int) -> None: ...
    @property
    def names(self) -> List[str]: ...
    @property
    def shape(self) -> Tuple[int, int]: ...
    def reset(self, which: Sequence[int], puzzles: Sequence[int]) -> Tuple[NDArray, NDArray, NDArray, NDArray]: ...
    def step(self, actions: NDArray[np.int64]) -> Tuple[NDArray, NDArray, NDArray, NDArray]: ...
    def draw(self, game: int) -> Optional[str]: ...

def distances(
    puzzle: Puzzle,
    at_most: int = 1_000_000,
    *,
    time_limit: Optional[Time] = None,
    memory_limit: Optional[Memory] = None,
) -> Optional[Distances]:
    """Returns the distances of all states that moves reach; `None` if there are more than `at_most`."""

def algorithms() -> List[str]:
    """Returns the names of all algorithms."""

def informed_algorithms() -> List[str]:
    """Returns the names of the algorithms that use a heuristic."""

def domains() -> List[str]:
    """Returns the names of all domains."""
