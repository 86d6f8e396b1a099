"""Environments for Gymnasium."""

import copy
import dataclasses
import gc
import pickle
import re
import subprocess
import sys
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


@pytest.mark.parametrize("name", simhost_gym.TASKS)
def test_one_row_is_judged_as_one_of_many(name):
    task, env = simhost_gym.TASKS[name], make_vec(name, 7)
    env.reset(seed=4)
    for action in np.full((150, *env.action_space.shape), 0.7, dtype=np.float32):
        before = env.unwrapped._rows
        env.step(action)
        after = env.unwrapped._rows
        rewards, ends = task.judge(before, after)
        for k in range(7):
            reward, end = task.judge(before[k : k + 1].copy(), after[k : k + 1].copy())
            assert (np.float64(np.squeeze(reward)), np.squeeze(end)) == (np.float64(rewards[k]), ends[k]), k
    assert rewards.shape == ends.shape == (7,)


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


def forward(**changes):
    """A task that leaves its bounds to the ranges of its quantities."""
    fields = {
        "name": "forward",
        "world": simhost.worlds.climb,
        "command": "car/cmd_drive",
        "observe": ["car/pose", "car/dynamics/gear"],
        "judge": lambda before, after: (after[:, 0] - before[:, 0], np.abs(after[:, 1]) > 5.0),
        "limit": 20,
    }
    return simhost_gym.Task(**{**fields, **changes})


def test_spaces_follow_from_the_ranges_of_quantities():
    env = simhost_gym.WorldVectorEnv(forward(), 2)
    pi = np.float32(np.pi)
    assert env.single_observation_space.low.tolist() == [-np.inf] * 3 + [-pi] * 3 + [-1.0]
    assert env.single_observation_space.high.tolist() == [np.inf] * 3 + [pi] * 3 + [5.0]
    # throttle, brake, steering angle and gear, of which -1 and 1 are the ends of the ranges
    assert env.single_action_space.shape == (4,)
    env.reset(seed=1)
    seen = env.step(np.array([[1, -1, 1, 1], [-1, 0, -0.5, -1]], dtype=np.float32))[0]
    assert np.array_equal(seen, env.ensemble.read(["car/pose", "car/dynamics/gear"]))
    names = ["throttle", "brake", "steer", "gear"]
    found = [[env.ensemble.to_session(k)[f"car/controller/{name}"] for name in names] for k in range(2)]
    steer = env.ensemble.to_session(0).quantities("car/controller/steer")[0].ranges[0][1]
    assert 0.1 < steer < 1.5
    assert found == [pytest.approx([1.0, 0.0, steer, 5.0]), pytest.approx([0.0, 0.5, -steer / 2, -1.0])]

    # bounds of the task win
    some = forward(actions=[simhost_gym.Action(0), simhost_gym.Action(2, high=0.1)], low=np.full(7, -50.0), high=np.full(7, 1.5))
    env = simhost_gym.WorldEnv(some)
    assert env.observation_space.low.tolist() == [-50.0] * 7 and env.observation_space.high.tolist() == [1.5] * 7
    env.reset(seed=1)
    for _ in range(15):
        seen = env.step(np.array([1.0, 1.0], dtype=np.float32))[0]
    session = env.ensemble.to_session(0)
    assert [session[f"car/controller/{name}"] for name in names] == pytest.approx([1.0, 0.0, 0.1, 0.0])
    assert seen == pytest.approx(np.clip([*session["car"].pose, session["car/dynamics/gear"]], -50.0, 1.5), abs=1e-5)

    # what a function makes of the quantities has no known bounds
    env = simhost_gym.WorldEnv(forward(observation=lambda rows: rows[:, :2], low=np.array([0.0, -1.0])))
    assert env.observation_space.low.tolist() == [0.0, -1.0] and env.observation_space.high.tolist() == [np.inf] * 2


def test_any_below_compares_columns_with_their_limits():
    rows = np.array([[1.0, 2.0, np.nan, 30.0], [-5.0, 0.5, 0.1, -1.0], [np.inf, 0.5, np.nan, 4.0]], dtype=np.float32)
    near = simhost_gym.any_below([3, 1, 2], [4.0, 0.5, 0.2])
    for same in (near, pickle.loads(pickle.dumps(near)), copy.deepcopy(near)):
        assert same(rows).dtype == bool and same(rows).tolist() == [False, True, False]
    assert near(np.asfortranarray(rows)).tolist() == [False, True, False]
    assert near(rows[:0]).shape == (0,)
    assert near(rows[:1]) is False and near(rows[1:2]) is True
    # one limit for all; of many columns each counts
    many = np.full((70, 70), 0.3, dtype=np.float32)
    np.fill_diagonal(many, 0.2)
    assert simhost_gym.any_below(range(70), 0.3)(many).all()
    assert simhost_gym.any_below(range(1, 70), 0.3)(many).tolist() == [False] + [True] * 69

    with pytest.raises(simhost.ShapeError, match=re.escape("`limit` has the shape (2,); expected one number, or (3,)")):
        simhost_gym.any_below([0, 1, 2], [1.0, 2.0])
    with pytest.raises(simhost.InputError, match="a column is -1; expected the index of a quantity, 0 or more"):
        simhost_gym.any_below([-1], 1.0)
    with pytest.raises(simhost.ShapeError, match="3 quantities; expected at least 4"):
        near(rows[:, :3].copy())
    with pytest.raises(simhost.DtypeError, match="the quantities are not an array of float32 with two dimensions"):
        near(rows.astype(np.float64))


def test_scaled_observations_are_columns_on_scales_within_bounds():
    rows = np.array([[1.0, 2.0, np.nan, 30.0], [-5.0, 0.5, np.inf, -1.0]], dtype=np.float32)
    see = simhost_gym.scaled([3, 0, 1, 2], scale=[0.1, 1.0, 2.0, 1.0], low=-2.0, high=[2.0, 3.0, 9.0, 7.0])
    expected = np.array([[2.0, 1.0, 4.0, 7.0], [-0.1, -2.0, 1.0, 7.0]], dtype=np.float32)
    for same in (see, pickle.loads(pickle.dumps(see)), copy.deepcopy(see)):
        assert np.array_equal(same(rows), expected)
    assert np.array_equal(see(np.asfortranarray(rows)), expected)
    assert np.array_equal(see(rows[1:]), expected[1:])
    assert see(rows[:0]).shape == (0, 4)

    with pytest.raises(simhost.ShapeError, match=re.escape("`scale` has the shape (2,); expected one number, or (3,)")):
        simhost_gym.scaled([0, 1, 2], scale=[1.0, 2.0], low=0.0, high=1.0)
    with pytest.raises(simhost.InputError, match="a column is -1; expected the index of a quantity, 0 or more"):
        simhost_gym.scaled([-1], scale=1.0, low=0.0, high=1.0)
    with pytest.raises(simhost.ShapeError, match="3 quantities; expected at least 4"):
        see(rows[:, :3].copy())
    for wrong in (rows.astype(np.float64), rows[0], [[1.0] * 4]):
        with pytest.raises(simhost.DtypeError, match="the quantities are not an array of float32 with two dimensions"):
            see(wrong)


def test_results_computed_ahead_are_those_of_calls():
    task, seen = simhost_gym.TASKS["simhost/Goal-v0"], []

    def note(rows):
        crashed = touches(rows)
        again = touches(rows)
        # threads have computed the first one, and a further call computes its own
        assert crashed is not again and np.array_equal(crashed, again)
        seen.append(crashed)
        return crashed

    touches = simhost_gym.any_below(range(9, 73), 0.5)
    see = simhost_gym.scaled(range(9, 73), 1.0 / 6.0, 0.0, 1.0)
    # pickles are other functions with the same results
    ahead = (see, pickle.loads(pickle.dumps(touches)))

    def episodes(threads, ahead):
        judge = lambda before, after: (before[:, 0] * 1.0, note(after))  # noqa: E731
        own = dataclasses.replace(task, observation=see, judge=judge, ahead=ahead, low=None, high=None, limit=12)
        env = simhost_gym.WorldVectorEnv(own, num_envs=300, threads=threads)
        seen.clear()
        results = [env.reset(seed=4)[0], *(env.step(action)[:4] for action in actions(env, 30, seed=4))]
        env.close()
        return results, np.array(seen)

    expected, crashes = episodes(1, ())
    assert crashes.any() and not crashes.all()
    for threads in (1, 2, 3):
        results, others = episodes(threads, ahead)
        assert np.array_equal(crashes, others)
        for one, other in zip(expected, results, strict=True):
            assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("count", [2, 300])
def test_quantities_with_results_computed_ahead_are_read_only(count):
    see = simhost_gym.scaled([0, 1], 1.0, -9.0, 9.0)

    def shifted(rows):
        if np.isnan(rows[0, -1]):
            return see(rows)
        rows += 1.0
        return see(rows)

    task = dataclasses.replace(simhost_gym.TASKS["simhost/Goal-v0"], observation=shifted, ahead=(see,), low=None, high=None)
    env = simhost_gym.WorldVectorEnv(task, num_envs=count)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="read-only"):
        env.step(np.zeros((count, 2)))


def test_functions_ahead_fit_the_quantities():
    def opened(function):
        return simhost_gym.WorldVectorEnv(dataclasses.replace(simhost_gym.TASKS["simhost/Goal-v0"], ahead=(function,)))

    with pytest.raises(simhost.InputError, match="a function is of type .*; expected one of `scaled` or `any_below`"):
        opened(lambda rows: rows)
    with pytest.raises(simhost.ShapeError, match="73 quantities; expected at least 100"):
        opened(simhost_gym.any_below([99], 0.1))


def test_readings_are_within_their_range(tmp_path):
    world = tmp_path / "noisy.world.xml"
    world.write_text("""<mvsim_world version="1.0">
      <walls><shape><pt>1.9 -9</pt><pt>1.9 9</pt></shape></walls>
      <vehicle name="robot"><init_pose>0 0 0</init_pose>
        <dynamics class="differential"><controller class="twist_pid"/></dynamics>
        <sensor class="laser" name="scan"><nrays>9</nrays><max_range>2</max_range><range_std_noise>0.5</range_std_noise></sensor>
      </vehicle></mvsim_world>""")
    moves = [simhost_gym.Action(0, -1.0, 1.0)]
    task = forward(
        world=world,
        command="robot/cmd_vel",
        actions=moves,
        observe=["robot/sensor/scan/*"],
        judge=lambda before, after: (np.zeros(len(after)), np.zeros(len(after), dtype=bool)),
        steps=50,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(simhost_gym.WorldEnv(task), skip_render_check=True)
    env = simhost_gym.WorldVectorEnv(task, 50)
    space = env.single_observation_space
    assert set(space.low.tolist()) == {0.0} and set(space.high.tolist()) == {2.0, 1.0}
    # a laser has no sample before the first step
    assert np.array_equal(env.reset(seed=1)[0], np.tile(space.high, (50, 1)))
    seen = env.step(np.zeros((50, 1), dtype=np.float32))[0]
    rows = env.ensemble.read(["robot/sensor/scan/*"])
    assert rows.max() == 2.0
    assert np.array_equal(seen, np.clip(rows, space.low, space.high))


@pytest.mark.parametrize(
    ("changes", "error", "text"),
    [
        (
            {"world": simhost.worlds.goal_blind, "command": "robot/cmd_vel", "observe": ["robot/pose"]},
            simhost.InputError,
            "the range of the quantity 'robot/controller/command_vx' in m/s is unknown; expected `low` and `high` in Action(0)",
        ),
        ({"command": "car/cmd_drift"}, simhost.UnknownNameError, "did you mean 'car/cmd_drive'"),
        ({"actions": [simhost_gym.Action(7)]}, simhost.InputError, "an action has the index 7; expected one of 0, 1, 2, 3"),
        ({"low": np.zeros(3)}, simhost.ShapeError, "`low` of the task has the shape (3,); expected (7,)"),
    ],
)
def test_bounds_that_are_missing_or_wrong_are_named(changes, error, text):
    with pytest.raises(error, match=re.escape(text)):
        simhost_gym.WorldEnv(forward(**changes))


def test_judges_return_a_number_for_each_environment():
    none, one, three = np.zeros(3, dtype=bool), np.zeros(1), np.zeros(3)
    for judged, text in [
        ((one, none), "the rewards that `judge` returns have the shape (1,); expected (3,)"),
        ((0.0, none), "the rewards that `judge` returns have the shape (); expected (3,)"),
        ((three, none[:2]), "the ends that `judge` returns have the shape (2,); expected (3,)"),
    ]:
        env = simhost_gym.WorldVectorEnv(forward(judge=lambda before, after, judged=judged: judged), 3)
        env.reset(seed=1)
        with pytest.raises(simhost.ShapeError, match=re.escape(text)):
            env.step(np.zeros((3, 4), dtype=np.float32))


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


@pytest.mark.parametrize("name", ["Lane", "GoalBlind"])
def test_environments_with_one_seed_start_alike_whatever_their_number(name):
    def step(env, seen):
        all_seen = [seen]
        for _ in range(3):
            all_seen.append(env.step(np.full(env.action_space.shape, 0.5, dtype=np.float32))[0])
        return np.stack(all_seen)

    many = gymnasium.make_vec(f"simhost/{name}-v0", num_envs=3)
    several = step(many, many.reset(seed=[7, 7, 3])[0])
    assert np.array_equal(several[:, 0], several[:, 1])
    assert not np.array_equal(several[:, 0], several[:, 2])
    following = step(many, many.reset(seed=5)[0])
    assert np.array_equal(following[:, 2], several[:, 0])
    one = gymnasium.make(f"simhost/{name}-v0")
    assert np.array_equal(step(one, one.reset(seed=7)[0]), several[:, 0])
    # what comes after that depends on the seed, too
    many.reset(seed=[7, 8, 7])
    again = many.reset()[0]
    assert np.array_equal(again[0], again[2])
    assert np.array_equal(again[0], one.reset()[0])
    for seed in ([1, -1, 2], [1, 1.5, 2], 2**64):
        with pytest.raises(simhost.InputError, match="seed is"):
            many.reset(seed=seed)


def test_observations_can_be_changed_and_quantities_cannot():
    env = gymnasium.make_vec("simhost/GoalBlind-v0", num_envs=2)
    other = gymnasium.make_vec("simhost/GoalBlind-v0", num_envs=2)
    action = np.ones((2, 2), dtype=np.float32)
    env.reset(seed=0)[0][:] = 0.0
    other.reset(seed=0)
    for _ in range(3):
        seen, reward, *_ = env.step(action)
        assert np.array_equal(reward, other.step(action)[1])
        seen[:] = 0.0

    def judge(before, after):
        after[:] = 0.0
        return after[:, 0], after[:, 0] > 1.0

    env = simhost_gym.WorldVectorEnv(dataclasses.replace(simhost_gym.TASKS["simhost/GoalBlind-v0"], judge=judge), 2)
    env.reset(seed=0)
    with pytest.raises(ValueError, match="read-only"):
        env.step(action)


def test_tasks_are_checked():
    task = simhost_gym.TASKS["simhost/GoalBlind-v0"]
    for changes, text in [
        ({"steps": 0}, "`steps` of a task is 0; expected at least 1"),
        ({"steps": -1}, "expected at least 1"),
        ({"limit": 0}, "`limit` of a task is 0; expected at least 1"),
        ({"base": (0.0, float("nan"), 0.0)}, "value 1 of `base` of a task is nan; expected a finite number"),
    ]:
        with pytest.raises(simhost.InputError, match=text):
            dataclasses.replace(task, **changes)
    with pytest.raises(simhost.InputError, match="the index of an action is -1"):
        simhost_gym.Action(-1)
    with pytest.raises(simhost.InputError, match="`low` of an action is nan; expected a finite number"):
        simhost_gym.Action(0, float("nan"), 1.0)
    for judged, error, text in [
        (None, simhost.InputError, "`judge` returns None; expected a tuple"),
        ((np.zeros(2), np.zeros(2, dtype=int)), simhost.DtypeError, "expected bool"),
    ]:
        env = simhost_gym.WorldVectorEnv(dataclasses.replace(task, judge=lambda before, after, judged=judged: judged), 2)
        env.reset()
        with pytest.raises(error, match=text):
            env.step(np.ones((2, 2), dtype=np.float32))


def test_gymnasium_finds_the_tasks_without_an_import(tmp_path):
    program = "import gymnasium\nenv = gymnasium.make('simhost.gym:simhost/Goal-v0')\nprint(env.reset(seed=1)[0].shape)"
    found = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, cwd=tmp_path)
    assert found.returncode == 0 and found.stdout.startswith("("), found.stderr


def test_environments_are_pickled_and_copied():
    env, many = gymnasium.make("simhost/Goal-v0").unwrapped, simhost_gym.WorldVectorEnv("simhost/Goal-v0", 3, threads=2)
    for one in (env, many):
        first, _ = one.reset(seed=5)
        for again in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one)):
            np.testing.assert_array_equal(again.reset(seed=5)[0], first)
    with pytest.raises(simhost.UnknownNameError, match="Goal-v0"):
        simhost_gym.WorldEnv("simhost/Gaol-v0")
