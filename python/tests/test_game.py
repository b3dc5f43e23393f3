"""Games, distances, domains in Python and environments."""
import math

import numpy as np
import pytest

import engine
from engine import Puzzle


def test_a_game_plays_back_and_forth(puzzles):
    game = Puzzle.load(puzzles / "eight-puzzle" / "10-moves.toml").game()
    start = game.draw()
    assert game.distance() == 10 and not game.is_solved and game.h("manhattan") <= 10
    for written in Puzzle.load(puzzles / "eight-puzzle" / "10-moves.toml").solve().moves:
        assert written in game.legal_moves
        game.push(written)
    copy = game.copy()
    assert game.is_solved and game.cost == 10 and game.distance() == 0
    last = game.moves[-1]
    assert game.pop() == last and not game.is_solved and copy.is_solved
    while game.moves:
        game.pop()
    assert game.draw() == start
    with pytest.raises(IndexError):
        game.pop()
    with pytest.raises(engine.IllegalMove, match="legal moves: ") as caught:
        game.push("sideways")
    assert caught.value.help.startswith("legal moves")
    assert game._repr_svg_().startswith("<svg") and game.png().startswith(b"\x89PNG")
    image = game.image(16)
    assert image.dtype == np.uint8 and image.ndim == 3 and image.shape[2] == 3


def test_a_lost_position_is_infinitely_far(tmp_path):
    file = tmp_path / "corner.sok"
    file.write_text("######\n#  . #\n# $@ #\n#    #\n######\n")
    game = engine.Collection(file)[0].game()
    far = []
    for written in game.legal_moves:
        game.push(written)
        far.append(game.distance())
        game.pop()
    assert math.inf in far and min(far) < math.inf


def test_distances_agree_with_searches():
    puzzle = Puzzle.from_dict({"title": "Small", "domain": "sliding-tile", "start": "3 2 1\n0 5 4"})
    distances = engine.distances(puzzle, 1000)
    game = puzzle.game()
    assert len(distances) == 360 and distances.to_goal.shape == (360,) and distances.depths[0] == 0
    assert distances.to_goal.max() == puzzle.explore().hardest["cost"]
    cost = distances.of(game)
    assert cost == game.distance()
    while not game.is_solved:
        best = distances.best_moves(game)
        for written in game.legal_moves:
            game.push(written)
            assert (distances.of(game) == cost - 1) == (written in best)
            game.pop()
        game.push(best[0])
        cost -= 1
    assert cost == 0 and engine.distances(puzzle, 359) is None


def test_gymnasium_accepts_the_environments(puzzles):
    pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    import engine.gym

    for observation in ("cells", "text", "image"):
        env = engine.gym.make(puzzles / "eight-puzzle" / "10-moves.toml", observation=observation, render_mode="rgb_array")
        check_env(env.unwrapped, skip_render_check=False)


def test_the_teacher_solves_an_episode(puzzles):
    pytest.importorskip("gymnasium")
    import engine.gym

    env = engine.gym.make(puzzles / "eight-puzzle" / "10-moves.toml", teacher=True)
    _, info = env.reset(seed=3)
    total = 0.0
    for left in range(10, 0, -1):
        assert info["distance"] == left
        action = info["best_actions"][0]
        assert info["action_mask"][action] == 1
        _, reward, terminated, truncated, info = env.step(action)
        total += reward
    assert terminated and not truncated and total == engine.gym.GOAL_REWARD - 10
    first, _ = env.reset(seed=5)
    again, _ = env.reset(seed=5)
    assert (first == again).all()


def test_games_side_by_side_are_the_single_ones(tmp_path):
    pytest.importorskip("gymnasium")
    import engine.gym

    file = tmp_path / "two.sok"
    file.write_text("; 1\n#######\n#@ $ .#\n#     #\n#######\n\n; 2\n#######\n#. $ @#\n#     #\n#######\n")
    several = engine.gym.PuzzleVectorEnv(file, 5, max_steps=12, metric="moves")
    cells, info = several.reset(seed=1)
    assert cells.shape == (5, 4, 7) and several.actions and set(several.actions) == {"up", "down", "left", "right"}
    single = [engine.gym.make(file, max_steps=12, metric="moves") for _ in range(5)]
    assert single[0].actions == several.actions
    levels = [0 if (cells[number] == single[0].reset(options={"level": 0})[0]).all() else 1 for number in range(5)]
    for env, level in zip(single, levels):
        env.reset(options={"level": level})
    random = np.random.default_rng(1)
    done = np.zeros(5, bool)
    for _ in range(12):
        actions = random.integers(len(several.actions), size=5)
        cells, rewards, terminated, truncated, info = several.step(actions)
        for number, env in enumerate(single):
            if done[number]:
                continue
            seen, reward, ended, cut, about = env.step(int(actions[number]))
            assert (seen == cells[number]).all() and reward == rewards[number]
            assert (ended, cut) == (terminated[number], truncated[number])
            assert (about["action_mask"] == info["action_mask"][number]).all()
            done[number] = ended or cut
    assert done.all()


def test_levels_are_split_in_the_same_way_again(puzzles):
    pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    import engine.gym

    file = puzzles / "templates" / "maze.toml"
    levels = engine.gym.levels(file, 10, seed=2)
    again = engine.gym.levels(file, 10, seed=2)
    texts = lambda levels: [level.text for level in levels]
    assert texts(levels.train) == texts(again.train) and texts(levels.test) == texts(again.test)
    assert len(levels.train) == 8 and len(levels.test) == 2 and not {*texts(levels.train)} & {*texts(levels.test)}
    other = engine.gym.levels(file, 10, seed=3)
    assert texts(other.train) != texts(levels.train)
    costs = [level.rate().score for level in levels.train]
    assert costs == sorted(costs)
    train, test = levels.make("train", teacher=True), levels.make("test", teacher=True)
    assert train.actions == test.actions and train.observation_space == test.observation_space
    for env in (train, test):
        check_env(env, skip_render_check=True, skip_close_check=True)
    seen = {test.reset(seed=seed)[1]["level"] for seed in range(30)}
    assert seen == {8, 9}
    _, info = test.reset(seed=1)
    for left in range(int(info["distance"]), 0, -1):
        _, _, solved, _, info = test.step(info["best_actions"][0])
        assert info["distance"] == left - 1
    assert solved
    several = levels.make_vec("test", 6)
    cells, _ = several.reset(seed=1)
    assert cells.shape[0] == 6 and several.actions == train.actions
    with pytest.raises(engine.EngineError, match="of 100000 levels"):
        engine.gym.levels(file, 100_000, time_limit=0.1)


def test_answers_are_judged(puzzles):
    file = puzzles / "eight-puzzle" / "10-moves.toml"
    puzzle = Puzzle.load(file)
    moves = puzzle.solve().moves
    right = {"solved": True, "cost": 10, "optimum": 10, "optimal": True, "message": ""}
    assert engine.judge(puzzle, ", ".join(moves)) == engine.judge(file.read_text(), moves) == right
    verdict = engine.judge(puzzle, moves[:-1])
    assert not verdict["solved"] and "not a goal" in verdict["message"] and verdict["optimum"] == 10
    verdict = engine.judge(puzzle, "first I go up")
    assert not verdict["solved"] and verdict["message"]
    longer = engine.judge("title = 'Way'\ndomain = 'maze'\nmap = 'S.G'\n", "r l r r")
    assert (longer["solved"], longer["cost"], longer["optimum"], longer["optimal"]) == (True, 4, 2, False)
    with pytest.raises(engine.PuzzleError):
        engine.judge("title = 'No puzzle'", "r")


def test_pages_of_notebooks(puzzles):
    from engine import notebook

    puzzle = Puzzle.load(puzzles / "eight-puzzle" / "10-moves.toml")
    assert "<iframe" in notebook.steps(puzzle.solve())._repr_html_()
    page = notebook.search(puzzle, ["bfs", "a-star"], ["manhattan"])
    assert page.html.startswith("<!DOCTYPE html>") or page.html.startswith("<!doctype html>")
    chart = notebook.bars(engine.compare(puzzle, ["bfs", "a-star"]))
    assert chart._repr_svg_().count("<rect") == 2
    with pytest.raises(engine.EngineError):
        puzzle.search_page([])
