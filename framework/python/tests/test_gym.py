"""Environments for Gymnasium."""

import gc
import warnings

import numpy as np
import pytest
import simhost

gymnasium = pytest.importorskip("gymnasium")
simhost_gym = pytest.importorskip("simhost.gym")

from gymnasium.error import ResetNeeded  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

NAMES = list(simhost_gym.TASKS)
QUICK = [name for name in NAMES if "Race" not in name]


def make_vec(name, count, **options):
    return gymnasium.make_vec(name, num_envs=count, **options)


def actions(env, steps, seed=0):
    draw = np.random.default_rng(seed)
    shape = (steps, *env.action_space.shape)
    return draw.uniform(-1, 1, shape).astype(np.float32)


@pytest.mark.parametrize("name", NAMES)
def test_the_checker_of_gymnasium_is_clean(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(name).unwrapped, skip_render_check=True)


@pytest.mark.parametrize("name", NAMES)
def test_seeds_repeat_episodes_to_the_bit(name):
    def episodes(env, seed=5):
        seen = [env.reset(seed=seed)[0]]
        for action in actions(env, 60):
            seen.append(env.step(action)[0])
        # later episodes are repeated, too
        seen.append(env.reset()[0])
        return np.concatenate(seen)

    used = make_vec(name, 4)
    used.reset(seed=1)
    for action in actions(used, 7):
        used.step(action)
    first = episodes(used)
    assert np.array_equal(first, episodes(used))
    assert np.array_equal(first, episodes(make_vec(name, 4, threads=2)))
    assert not np.array_equal(first, episodes(used, seed=6))
    # a laser has no sample before the first step
    assert not np.array_equal(first[4], first[5])


@pytest.mark.parametrize("name", QUICK)
def test_one_environment_is_a_vector_of_one(name):
    one, many = gymnasium.make(name).unwrapped, make_vec(name, 1)
    assert np.array_equal(one.reset(seed=3)[0], many.reset(seed=3)[0][0])
    for action in actions(many, 100):
        left, right = one.step(action[0]), many.step(action)
        assert np.array_equal(left[0], right[0][0])
        assert left[1:4] == tuple(column[0] for column in right[1:4])
        if left[2] or left[3]:
            break


def short(limit):
    """A task whose episodes end after `limit` actions."""
    task = simhost_gym.TASKS["simhost/GoalBlind-v0"]
    return type(task)(**{**task.__dict__, "limit": limit})


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_autoreset_does_what_it_says(mode):
    env = simhost_gym.WorldVectorEnv(short(3), 2, autoreset_mode=mode)
    assert env.metadata["autoreset_mode"] == mode
    start, info = env.reset(seed=1)
    assert info == {}
    drive = np.ones((2, 2), dtype=np.float32)
    for _ in range(2):
        seen, _, terminated, truncated, info = env.step(drive)
        assert not terminated.any() and not truncated.any() and info == {}
    last, reward, terminated, truncated, info = env.step(drive)
    assert truncated.tolist() == [True, True]
    assert (reward != 0).all()
    if mode == AutoresetMode.SAME_STEP:
        assert info["_final_obs"].tolist() == [True, True]
        assert info["final_obs"].dtype == object
        assert np.linalg.norm(info["final_obs"][0][:2] - start[0, :2]) == pytest.approx(0.03, abs=0.01)
        assert last[0, 8] == 0.0
        assert not np.array_equal(last, start)
        seen, _, _, truncated, info = env.step(drive)
        assert not truncated.any() and "final_obs" not in info
        return
    assert "final_obs" not in info
    assert last[0, 8] != 0.0
    if mode == AutoresetMode.NEXT_STEP:
        first, reward, terminated, truncated, _ = env.step(drive)
        assert reward.tolist() == [0.0, 0.0]
        assert not terminated.any() and not truncated.any()
        assert first[0, 8] == 0.0
        assert [env.step(drive)[3].any() for _ in range(3)] == [False, False, True]
        return
    with pytest.raises(ResetNeeded, match=r"\[0, 1\] have ended; expected a reset with `reset_mask`"):
        env.step(drive)
    first, _ = env.reset(options={"reset_mask": np.array([True, False])})
    assert first[0, 8] == 0.0
    assert np.array_equal(first[1], last[1])
    with pytest.raises(ResetNeeded, match=r"\[1\]"):
        env.step(drive)
    env.reset(options={"reset_mask": np.array([False, True])})
    assert not env.step(drive)[3].any()


def test_masks_of_resets_are_checked():
    env = simhost_gym.WorldVectorEnv(short(3), 2, autoreset_mode="Disabled")
    for mask, error, text in [
        ([True, False], TypeError, "list"),
        (np.ones(2), TypeError, "float64"),
        (np.ones(3, dtype=bool), ValueError, r"\(3,\)"),
        (np.zeros(2, dtype=bool), ValueError, "no True"),
    ]:
        with pytest.raises(error, match=text):
            env.reset(options={"reset_mask": mask})
    with pytest.raises(ValueError, match="expected 2"):
        env.reset(seed=[1])


@pytest.mark.parametrize(
    ("action", "error", "text"),
    [
        (np.zeros((3, 2), dtype=np.float32), simhost.ShapeError, r"has the shape \[3, 2\]; expected \[4, 2\]"),
        (np.zeros((4, 2), dtype=int), simhost.DtypeError, "int64; expected float32 or float64"),
        ([[0.0, 0.0]] * 4, simhost.DtypeError, "expected an array of numpy"),
        (np.array([[0, 0], [0, 0], [0, np.nan], [0, 0]]), simhost.InputError, "action 1 of environment 2 is NaN"),
    ],
)
def test_actions_are_checked_before_anything_is_stepped(action, error, text):
    env = make_vec("simhost/GoalBlind-v0", 4)
    env.reset(seed=1)
    before = env.unwrapped.ensemble.steps
    with pytest.raises(error, match=text):
        env.step(action)
    assert np.array_equal(env.unwrapped.ensemble.steps, before)


def test_use_before_a_reset_and_after_close():
    vector, one = make_vec("simhost/GoalBlind-v0", 2), gymnasium.make("simhost/GoalBlind-v0").unwrapped
    for env, action in ((vector, np.zeros((2, 2))), (one, np.zeros(2))):
        with pytest.raises(ResetNeeded, match="has not been reset"):
            env.step(action)
        env.reset()
        env.step(action)
        env.close()
        with pytest.raises(simhost.ClosedError, match="has been closed"):
            env.step(action)
        with pytest.raises(simhost.ClosedError):
            env.reset()


def test_observations_stay_as_they_are():
    env = make_vec("simhost/GoalBlind-v0", 3)
    seen = [env.reset(seed=1)[0]]
    copies = [seen[0].copy()]
    for action in actions(env, 20):
        seen.append(env.step(action)[0])
        copies.append(seen[-1].copy())
    for one, copy in zip(seen, copies, strict=True):
        assert np.array_equal(one, copy)
    assert not any(np.shares_memory(one, other) for one, other in zip(seen, seen[1:], strict=False))


def test_a_robot_at_a_wall_ends_its_episode():
    env = gymnasium.make("simhost/Goal-v0").unwrapped
    env.reset(seed=2)
    total, steps = 0.0, 0
    while True:
        seen, reward, terminated, truncated, _ = env.step(np.array([1.0, 0.0], dtype=np.float32))
        total, steps = total + reward, steps + 1
        assert env.observation_space.contains(seen)
        if terminated or truncated:
            break
    assert terminated
    assert reward < -4.0


def test_many_environments_are_made_and_closed():
    for _ in range(20):
        env = make_vec("simhost/GoalBlind-v0", 64)
        env.reset(seed=0)
        del env
    gc.collect()


def test_environments_are_drawn():
    env = gymnasium.make("simhost/Goal-v0", render_mode="rgb_array")
    env.reset(seed=1)
    first = env.render()
    assert first.shape == (464, 640, 3) and first.dtype == np.uint8
    for _ in range(10):
        env.step(np.array([1.0, 0.0], dtype=np.float32))
    assert (env.render() != first).any()
    many = gymnasium.make_vec("simhost/Goal-v0", num_envs=3, render_mode="rgb_array")
    many.reset(seed=1)
    pictures = many.render()
    assert len(pictures) == 3 and (pictures[0] == first).all() and (pictures[1] != first).any()
    assert gymnasium.make("simhost/Goal-v0").unwrapped.render() is None
    with pytest.raises(simhost.InputError, match="render_mode is 'human'"):
        simhost_gym.WorldEnv(simhost_gym.TASKS["simhost/Goal-v0"], render_mode="human")
