"""Puzzles as environments of Gymnasium, with the exact number of moves left.

>>> import engine.gym
>>> env = engine.gym.make("title = 'Two'\\ndomain = 'maze'\\nmap = '''S.\\n#G'''\\n", teacher=True)
>>> observation, info = env.reset(seed=1)
>>> info["distance"]
2.0
>>> action = info["best_actions"][0]
>>> observation, reward, terminated, truncated, info = env.step(action)
>>> info["distance"], terminated
(1.0, False)
"""
import pathlib
from typing import Any, List, Optional, Sequence, Union

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv

from . import _engine

OBSERVATIONS = ("cells", "text", "image")
GOAL_REWARD = 10.0
"""The reward for the move that solves a puzzle, beside that of every move."""

Puzzles = Union[str, pathlib.Path, _engine.Puzzle, _engine.Collection, Sequence[_engine.Puzzle]]


def _puzzles(given: Puzzles, metric: Optional[str]) -> List[_engine.Puzzle]:
    """Returns the puzzles of a file, of a collection, of a text, or those given."""
    if isinstance(given, _engine.Puzzle):
        return [given]
    if isinstance(given, str) and "\n" in given:
        return [_engine.Puzzle.from_toml(given)]
    if isinstance(given, (str, pathlib.Path)):
        given = _engine.Collection(given, metric=metric)
    return list(given)


class Levels:
    """Graded levels made from a template, apart for training and for testing; the easiest come first.

    All environments of the same levels have the same actions and shapes, so what is trained on one runs on the other.
    """

    def __init__(self, train: Sequence[_engine.Puzzle], test: Sequence[_engine.Puzzle]) -> None:
        self.train, self.test = list(train), list(test)

    def make(self, split: str = "train", **options: Any) -> "PuzzleEnv":
        """Returns an environment of the levels of a split, `train` or `test`; `options` are those of `PuzzleEnv`."""
        return PuzzleEnv(self.train + self.test, among=self._numbers(split), **options)

    def make_vec(self, split: str = "train", num_envs: int = 1, **options: Any) -> "PuzzleVectorEnv":
        """Returns as many games side by side of the levels of a split; `options` are those of `PuzzleVectorEnv`."""
        return PuzzleVectorEnv(self.train + self.test, num_envs, among=self._numbers(split), **options)

    def _numbers(self, split: str) -> Sequence[int]:
        if split not in ("train", "test"):
            raise ValueError(f"the split `{split}`: expected `train` or `test`")
        first = 0 if split == "train" else len(self.train)
        return range(first, first + len(getattr(self, split)))

    def __repr__(self) -> str:
        return f"<engine.gym.Levels {len(self.train)} to train on, {len(self.test)} to test on>"


def levels(
    template: Union[str, pathlib.Path, _engine.Puzzle], count: int = 50, seed: int = 0, *, test: float = 0.2, time_limit=None
) -> Levels:
    """Makes levels from a template, a puzzle with a table `[generate]`, and splits them for training and testing.

    `test` is the share of the levels to test on, chosen at random from each range of difficulties. The same template, count
    and seed give the same levels and the same split. Raises `EngineError` if fewer levels are found than wanted.
    """
    if not 0 < test < 1 or count < 2:
        raise ValueError(f"{count} levels, of which {test} to test on: expected 2 or more, and a share between 0 and 1")
    (template,) = _puzzles(template, None)
    found = template.generate(count, seed, time_limit=time_limit)
    made = [level.puzzle for level in found.levels]
    if len(made) < count:
        ended = f"stopped by the limit on {found.limit}" if found.limit else "no more were found"
        raise _engine.EngineError(f"{len(made)} of {count} levels: {ended}")
    wanted = min(max(round(count * test), 1), count - 1)
    groups = np.array_split(np.arange(count), wanted)
    random = np.random.default_rng(seed)
    chosen = {int(random.choice(group)) for group in groups}
    split: dict = {True: [], False: []}
    for number, level in enumerate(made):
        split[number in chosen].append(level)
    return Levels(split[False], split[True])


def make(
    puzzles: Puzzles,
    *,
    observation: str = "cells",
    max_steps: int = 200,
    teacher: bool = False,
    teacher_states: int = 1_000_000,
    metric: Optional[str] = None,
    render_mode: Optional[str] = None,
) -> "PuzzleEnv":
    """Returns an environment of a puzzle, a file, the levels of a collection, or a text of a puzzle file.

    `observation` is `cells` (the letters of the drawing, an array of rows by columns of unsigned bytes), `text` (the
    drawing) or `image` (an array of rows, columns and three colours). `teacher` adds to `info` the exact cost to the
    goal and the actions that begin a shortest solution, for spaces of at most `teacher_states` states.
    """
    return PuzzleEnv(_puzzles(puzzles, metric), observation, max_steps, teacher, teacher_states, render_mode)


class PuzzleEnv(gymnasium.Env):
    """One puzzle after the other, drawn at random from those given.

    An action is the number of a move in `actions`. A move that is not legal changes nothing; `info["action_mask"]` says
    which are legal. Each step has the reward -1, and the one that solves the puzzle `GOAL_REWARD` more. An episode is
    truncated after `max_steps` steps, or where no move is legal. `reset(options={"level": 3})` chooses a puzzle. `among` are
    the numbers of the puzzles to choose from; the spaces of actions and observations are those of all.
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}

    def __init__(self, puzzles, observation="cells", max_steps=200, teacher=False, teacher_states=1_000_000,
                 render_mode=None, among=None):
        if observation not in OBSERVATIONS:
            raise ValueError(f"the observation `{observation}`: expected one of {', '.join(OBSERVATIONS)}")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"the render mode `{render_mode}`: expected one of {self.metadata['render_modes']}")
        self.puzzles = list(puzzles)
        self._among = range(len(self.puzzles)) if among is None else among
        self.render_mode = render_mode
        self.max_steps = max_steps
        self._observation = observation
        self._batch = _engine.Batch(self.puzzles, 1)
        self.actions = self._batch.names
        self.action_space = spaces.Discrete(len(self.actions))
        self._teachers = {}
        self._teacher_states = teacher_states if teacher else 0
        self._game = self.puzzles[0].game()
        rows, columns = self._batch.shape
        if observation == "cells":
            self.observation_space = spaces.Box(0, 255, (rows, columns), np.uint8)
        elif observation == "text":
            letters = "".join(map(chr, range(32, 127))) + "\n"
            self.observation_space = spaces.Text(rows * (columns + 1), charset=letters)
        else:
            shape = np.stack([self._image(puzzle.game()).shape for puzzle in self.puzzles]).max(axis=0)
            self.observation_space = spaces.Box(0, 255, tuple(shape), np.uint8)

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict] = None):
        super().reset(seed=seed)
        level = (options or {}).get("level")
        self.level = int(self.np_random.choice(self._among)) if level is None else int(level)
        self._steps = 0
        self._game = self.puzzles[self.level].game()
        self._observed = self._batch.reset([0], [self.level])
        return self._observe(), self._info()

    def step(self, action: int):
        if self._observed[1][0, action]:
            self._game.push(self.actions[action])
        self._observed = self._batch.step(np.array([action], np.int64))
        self._steps += 1
        solved = bool(self._observed[3][0])
        stuck = bool(self._observed[2][0])
        reward = -1.0 + (GOAL_REWARD if solved else 0.0)
        return self._observe(), reward, solved, not solved and (stuck or self._steps >= self.max_steps), self._info()

    def render(self):
        if self.render_mode == "ansi":
            return self._game.draw()
        return self._image(self._game) if self.render_mode == "rgb_array" else None

    @staticmethod
    def _image(game) -> np.ndarray:
        return np.asarray(game.image(16))

    def _observe(self):
        if self._observation == "cells":
            return self._observed[0][0]
        if self._observation == "text":
            return self._game.draw()
        image = self._image(self._game)
        padded = np.zeros(self.observation_space.shape, np.uint8)
        padded[: image.shape[0], : image.shape[1]] = image
        return padded

    def _info(self) -> dict:
        info: dict = {"action_mask": self._observed[1][0], "level": self.level}
        if self._teacher_states:
            if self.level not in self._teachers:
                self._teachers[self.level] = _engine.distances(self.puzzles[self.level], self._teacher_states)
            distances = self._teachers[self.level]
            if distances is not None:
                info["distance"] = distances.of(self._game)
                best = distances.best_moves(self._game)
                info["best_actions"] = [self.actions.index(name) for name in best if name in self.actions]
        return info


class PuzzleVectorEnv(VectorEnv):
    """Many games side by side, one step of all in one call. The drawings are arrays of `cells`.

    A game that ended starts anew in the step after, whose action it ignores. `info["action_mask"]` has a row a game.
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        puzzles: Puzzles,
        num_envs: int,
        *,
        max_steps: int = 200,
        metric: Optional[str] = None,
        among: Optional[Sequence[int]] = None,
    ):
        self.puzzles = _puzzles(puzzles, metric)
        self._among = range(len(self.puzzles)) if among is None else among
        self.num_envs = num_envs
        self.max_steps = max_steps
        self._batch = _engine.Batch(self.puzzles, num_envs)
        self.actions = self._batch.names
        self.single_action_space = spaces.Discrete(len(self.actions))
        self.single_observation_space = spaces.Box(0, 255, self._batch.shape, np.uint8)
        self.action_space = spaces.MultiDiscrete([len(self.actions)] * num_envs)
        self.observation_space = spaces.Box(0, 255, (num_envs, *self._batch.shape), np.uint8)

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict] = None):
        super().reset(seed=seed)
        self._steps = np.zeros(self.num_envs, np.int64)
        self._ended = np.zeros(self.num_envs, bool)
        levels = self.np_random.choice(self._among, size=self.num_envs)
        cells, mask, _, _ = self._batch.reset(list(range(self.num_envs)), levels.tolist())
        return cells, {"action_mask": mask}

    def step(self, actions):
        actions, goes_on = np.asarray(actions, np.int64), ~self._ended
        which = np.flatnonzero(self._ended)
        cells, mask, stuck, solved = self._batch.step(np.where(goes_on, actions, -1) if len(which) else actions)
        self._steps += 1
        if len(which):
            levels = self.np_random.choice(self._among, size=len(which))
            cells, mask, stuck, solved = self._batch.reset(which.tolist(), levels.tolist())
            self._steps[which] = 0
        rewards = np.where(goes_on, GOAL_REWARD * solved - 1.0, 0.0)
        terminated = solved & goes_on
        truncated = (stuck | (self._steps >= self.max_steps)) & goes_on & ~solved
        self._ended = terminated | truncated
        return cells, rewards, terminated, truncated, {"action_mask": mask}
