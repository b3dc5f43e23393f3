"""Domains written in Python."""
from dataclasses import dataclass
from typing import Any, Hashable, Iterable, Iterator, List, Optional, Tuple, Union

import numpy as np

from . import _engine


@dataclass(frozen=True)
class DomainSolution:
    """The answer of a search in a domain written in Python.

    `status` is an `engine.Status`; `cost` the sum of the costs, `None` without a solution; `moves` their names; `limit`
    the name of the limit that ended the search.
    """

    status: _engine.Status
    cost: Union[int, float, None]
    moves: Tuple[str, ...]
    expanded: int
    generated: int
    limit: Optional[str] = None

    def __bool__(self) -> bool:
        return self.cost is not None


class _Solvable:
    """What domains have in common."""

    is_admissible = True
    _is_array = False

    def solve(
        self,
        algorithm: Optional[str] = None,
        *,
        time_limit=None,
        memory_limit=None,
        node_limit: Optional[int] = None,
        depth_limit: Optional[int] = None,
    ) -> DomainSolution:
        """Searches for a solution: breadth-first if there are neither costs nor an `h`, else by A*, unless an algorithm is
        named.

        Raises what a function of the domain raises. Limits are as those of `Puzzle.solve`.
        """
        has_h = all(type(self).h is not domain.h for domain in (Domain, ArrayDomain))
        answer = _engine._solve_domain(
            self,
            self._first(),
            self._is_array,
            has_h,
            self.is_admissible,
            algorithm,
            time_limit,
            memory_limit,
            node_limit,
            depth_limit,
        )
        return DomainSolution(**answer)

    def _lacks(self, name: str) -> NotImplementedError:
        return NotImplementedError(f"{type(self).__name__} does not define `{name}`")


class Domain(_Solvable):
    """A puzzle whose rules are functions in Python.

    A state is any hashable object; equal objects are one state. Subclasses define `start`, `moves` and `is_goal`, and may
    define `h`: a lower bound on the cost to a goal, which no move lowers by more than its own cost. Where it is not
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

    def start(self) -> Hashable:
        """Returns the start."""
        raise self._lacks("start")

    def moves(self, state: Any) -> Iterable[Tuple]:
        """Returns the name of each legal move with the state after it, always in the same order.

        Every move costs 1, unless each has its cost as a third value: a number above 0 and up to 10,000, kept to six
        decimals.
        """
        raise self._lacks("moves")

    def is_goal(self, state: Any) -> bool:
        """Returns whether a state is a goal."""
        raise self._lacks("is_goal")

    def h(self, state: Any) -> float:
        """Returns a lower bound on the cost to a goal; infinite if none can be reached."""
        return 0

    def _first(self) -> Hashable:
        return self.start()


class ArrayDomain(_Solvable):
    """A puzzle whose rules are functions of arrays in Python, which get many states in one call and are far faster.

    A state is a row of an array. Subclasses define `start`, `moves` and `is_goal`, and may define `h`, as those of a
    `Domain` do. The search asks ahead: for states that it may need soon, at most 4096 in one call.

    >>> class Count(ArrayDomain):
    ...     def start(self):
    ...         return np.array([0])
    ...     def moves(self, states):
    ...         yield "+1", np.ones(len(states), bool), states + 1
    ...         yield "double", states[:, 0] > 0, states * 2
    ...     def is_goal(self, states):
    ...         return states[:, 0] == 20
    >>> Count().solve().moves
    ('+1', '+1', 'double', '+1', 'double', 'double')
    """

    _is_array = True

    def start(self) -> np.ndarray:
        """Returns the start, an array of one dimension. All states have its length and its type of elements."""
        raise self._lacks("start")

    def moves(self, states: np.ndarray) -> Iterable[Tuple]:
        """Returns for each kind of move its name, an array that says in which states it is legal, and the array of the
        states after it, whose rows do not matter where it is not legal.

        Every move costs 1, unless each kind has its costs as a fourth value: a number, or an array with one for each
        state, above 0 and up to 10,000, kept to six decimals.
        """
        raise self._lacks("moves")

    def is_goal(self, states: np.ndarray) -> np.ndarray:
        """Returns an array that says which states are goals."""
        raise self._lacks("is_goal")

    def h(self, states: np.ndarray) -> np.ndarray:
        """Returns lower bounds on the costs to a goal, an array; infinite where none can be reached."""
        return np.zeros(len(states))

    # What the compiled part calls: states are bytes, one after the other.

    def _first(self) -> bytes:
        start = np.ascontiguousarray(self.start())
        if start.ndim != 1 or not start.itemsize * start.size or start.dtype.hasobject:
            raise ValueError("`start` returned something else than an array of one dimension with numbers")
        self._type, self._length = start.dtype, start.size
        return start.tobytes()

    def _states(self, raw: bytes) -> np.ndarray:
        return np.frombuffer(raw, self._type).reshape(-1, self._length)

    def _expand(self, raw: bytes) -> List[Tuple[str, bytes, bytes, Optional[bytes]]]:
        return list(self._moves(self._states(raw)))

    def _moves(self, states: np.ndarray) -> Iterator[Tuple[str, bytes, bytes, Optional[bytes]]]:
        for name, legal, after, *cost in self.moves(states):
            legal = np.asarray(legal, bool)
            after, wide = np.asarray(after).astype(self._type, copy=False), np.asarray(after)
            if wide.dtype != self._type and (after != wide)[legal].any():
                raise ValueError(f"`{name}` leads to a state whose elements are too large for those of the start, {self._type}")
            costs = np.broadcast_to(np.asarray(cost[0], float), len(states)).tobytes() if cost else None
            yield str(name), legal.tobytes(), after.tobytes(), costs

    def _goals(self, raw: bytes) -> bytes:
        return np.asarray(self.is_goal(self._states(raw)), bool).tobytes()

    def _h(self, raw: bytes) -> bytes:
        return np.asarray(self.h(self._states(raw)), float).tobytes()

    def _text(self, raw: bytes) -> str:
        return f"{self._states(raw)[0]}\n"
