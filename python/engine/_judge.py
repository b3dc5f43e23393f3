"""A verdict on moves that somebody wrote."""
from typing import Any, Iterable, Union

from . import _engine


def judge(puzzle: Union[str, _engine.Puzzle], answer: Union[str, Iterable[str]], *, time_limit: float = 10.0) -> dict:
    """Judges moves that somebody, or a language model, wrote as the solution of a puzzle.

    `puzzle` is one, or the text of a puzzle file. `answer` is a list of moves, or a text of moves with spaces or commas
    between them. Returns a dictionary: `solved`, `cost` and `optimal` of a valid answer, `message` what is wrong with another
    one, and `optimum`, the proven cost of a shortest solution, `None` if it is not known within the time, in seconds.
    A wrong answer is no exception, but a wrong puzzle is.

    >>> text = "title = 'Two'\\ndomain = 'maze'\\nmap = '''S.\\n#G'''\\n"
    >>> judge(text, "r d")
    {'solved': True, 'cost': 2, 'optimum': 2, 'optimal': True, 'message': ''}
    >>> judge(text, "d")["solved"]
    False
    """
    puzzle = _engine.Puzzle.from_toml(puzzle) if isinstance(puzzle, str) else puzzle
    moves = answer.replace(",", " ").split() if isinstance(answer, str) else list(answer)
    best = puzzle.solve(time_limit=time_limit)
    proven = best.status == _engine.Status.PROVEN_OPTIMAL
    verdict: dict = {"solved": False, "cost": None, "optimum": best.cost if proven else None, "optimal": False}
    try:
        cost: Any = puzzle.verify(moves)
    except _engine.EngineError as error:
        return {**verdict, "message": str(error).splitlines()[0]}
    cost = int(cost) if float(cost).is_integer() else cost
    return {**verdict, "solved": True, "cost": cost, "optimal": proven and cost == best.cost, "message": ""}
