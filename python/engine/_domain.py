"""Domains written in Python."""
from dataclasses import dataclass
from typing import Any, Hashable, Iterable, Optional, Tuple

from . import _engine


@dataclass(frozen=True)
class DomainSolution:
    """The answer of a search in a domain written in Python.

    `status` is an `engine.Status`; `cost` the number of moves, `None` without a solution; `moves` their names; `limit`
    the name of the limit that ended the search.
    """

    status: _engine.Status
    cost: Optional[int]
    moves: Tuple[str, ...]
    expanded: int
    generated: int
    limit: Optional[str] = None

    def __bool__(self) -> bool:
        return self.cost is not None


class Domain:
    """A puzzle whose rules are functions in Python. Every move costs 1.

    A state is any hashable object; equal objects are one state. Subclasses define `start`, `moves` and `is_goal`, and may
    define `h`: a lower bound on the number of moves to a goal, which no move lowers by more than 1. Where it is not
    one, set `is_admissible = False`: answers are then not called proven.

    >>> class Count(Domain):
    ...     def start(self):
    ...         return 0
    ...     def moves(self, state):
    ...         yield "+1", state + 1
    ...         yield "double", state * 2
    ...     def is_goal(self, state):
    ...         return state == 20
    >>> Count().solve().moves
    ('+1', '+1', 'double', '+1', 'double', 'double')
    """

    is_admissible = True

    def start(self) -> Hashable:
        """Returns the start."""
        raise NotImplementedError(f"{type(self).__name__} does not define `start`")

    def moves(self, state: Any) -> Iterable[Tuple[str, Hashable]]:
        """Returns the name of each legal move with the state after it, always in the same order."""
        raise NotImplementedError(f"{type(self).__name__} does not define `moves`")

    def is_goal(self, state: Any) -> bool:
        """Returns whether a state is a goal."""
        raise NotImplementedError(f"{type(self).__name__} does not define `is_goal`")

    def h(self, state: Any) -> int:
        """Returns a lower bound on the number of moves to a goal."""
        return 0

    def solve(
        self,
        algorithm: Optional[str] = None,
        *,
        time_limit=None,
        memory_limit=None,
        node_limit: Optional[int] = None,
        depth_limit: Optional[int] = None,
    ) -> DomainSolution:
        """Searches for a solution: by A* if there is an `h`, else breadth-first, unless an algorithm is named.

        Raises what a function of the domain raises. Limits are as those of `Puzzle.solve`.
        """
        has_h = type(self).h is not Domain.h
        answer = _engine._solve_domain(
            self,
            self.start(),
            has_h,
            self.is_admissible,
            algorithm or ("a-star" if has_h else "bfs"),
            time_limit,
            memory_limit,
            node_limit,
            depth_limit,
        )
        return DomainSolution(**answer)
