"""Searches in a process of their own: what ends that process does not end the interpreter."""
import json
import subprocess
import sys

from . import _engine


def solve(puzzle, call):
    """Solves a puzzle in another process. Returns the answer as text."""
    request = json.dumps({"origin": puzzle._origin(), "call": call})
    command = [sys.executable, "-m", "engine._isolated"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            output, _ = process.communicate(request)
        except BaseException:
            process.kill()
            raise
    if process.returncode != 0:
        # A limit of the system, as on memory, ends a process by a signal.
        if process.returncode < 0:
            return _engine._ended_answer(call["algorithm"], "memory")
        raise _engine.InternalError(f"the process of the search ended with status {process.returncode}")
    answer = json.loads(output)
    if "refused" in answer:
        error = _engine.SolveError(answer["refused"])
        error.help = answer["help"]
        raise error
    return json.dumps(answer)


def _main() -> None:
    request = json.load(sys.stdin)
    origin = request["origin"]
    if "text" in origin:
        puzzle = _engine.Puzzle.from_toml(origin["text"], origin["name"])
    else:
        puzzle = _engine.Puzzle.load(origin["path"], seed=origin["seed"], metric=origin["metric"])
    try:
        print(puzzle.solve(**request["call"])._to_json())
    except _engine.SolveError as error:
        print(json.dumps({"refused": str(error), "help": error.help}))


if __name__ == "__main__":
    _main()
