"""Environments of several agents for PettingZoo."""

import dataclasses
import re
import warnings

import numpy as np
import pytest
import simhost

pytest.importorskip("pettingzoo")

from gymnasium.error import ResetNeeded  # noqa: E402
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test  # noqa: E402
from pettingzoo.utils import parallel_to_aec  # noqa: E402
from simhost.gym import Action, scaled  # noqa: E402
from simhost.zoo import ParallelTask, WorldParallelEnv, crowd_v0  # noqa: E402

ROBOT = """
  <vehicle name="{name}">
    <init_pose>0 {y} 0</init_pose>
    <dynamics class="differential">
      <l_wheel pos="0 0.2" mass="1" width="0.05" diameter="0.2"/> <r_wheel pos="0 -0.2" mass="1" width="0.05" diameter="0.2"/>
      <chassis mass="10" zmin="0.03" zmax="0.4">
        <shape> <pt>-0.2 -0.2</pt> <pt>0.2 -0.2</pt> <pt>0.2 0.2</pt> <pt>-0.2 0.2</pt> </shape>
      </chassis>
      <controller class="{controller}"/>
    </dynamics>
    {sensor}
  </vehicle>"""
LASER = """<sensor class="laser" name="scan"> <pose>0 0 0</pose> <sensor_period>0.1</sensor_period>
      <nrays>{rays}</nrays> <fov_degrees>315</fov_degrees> <max_range>{reach}</max_range> </sensor>"""


def robot(name, y, sensor="", controller="twist_ideal"):
    return ROBOT.format(name=name, y=y, sensor=sensor, controller=controller)


def laser(rays=8, reach=6):
    return LASER.format(rays=rays, reach=reach)


def world(folder, *vehicles):
    file = folder / "robots.world.xml"
    file.write_text(f'<mvsim_world version="1.0">\n  <simul_timestep>0.01</simul_timestep>{"".join(vehicles)}\n</mvsim_world>')
    return file


@pytest.fixture
def three(tmp_path):
    """A world with three robots, the last of which has no laser."""
    return world(tmp_path, robot("robot_0", 0, laser()), robot("robot_1", 2, laser(reach=4)), robot("robot_2", 4))


def place(session, random):
    """Puts two robots at random places near their own, and returns how far each is to drive."""
    for number in range(2):
        session.set_pose(f"robot_{number}", *random.uniform(-0.3, 0.3, 2) + [0, 2 * number], random.uniform(-3, 3))
    return random.uniform(0.2, 0.6, (2, 1))


def judge(before, after):
    """The reward is the progress away from the axis, and an episode ends after its distance."""
    x = np.abs(after[:, 0])
    return x - np.abs(before[:, 0]), x > after[:, -1]


def task(file, **changes):
    given = {
        "name": "pair_v0",
        "world": file,
        "agents": ["robot_0", "robot_1"],
        "command": "{agent}/cmd_vel",
        "actions": [Action(0, -1.0, 2.0), Action(2, -2.0, 2.0)],
        "observe": ["{agent}/pose", "{agent}/sensor/scan/range"],
        "start": place,
        "observation": scaled([0, 1, 3, *range(6, 14)], [0.1] * 11, -1.0, 1.0),
        "low": np.full(11, -1.0),
        "high": np.full(11, 1.0),
        "judge": judge,
        "steps": 10,
        "limit": 40,
    }
    return ParallelTask(**given | changes)


def random_actions(env, random):
    return {name: random.uniform(-1, 1, env.action_space(name).shape) for name in env.agents}


def ahead(env):
    return {name: np.array([1.0, 0.0]) for name in env.agents}


@pytest.mark.parametrize("name", ["pair", "crowd"])
def test_the_tests_of_pettingzoo_are_clean(name, three):
    def make():
        env = crowd_v0.parallel_env(60) if name == "crowd" else WorldParallelEnv(task(three))
        for number, agent in enumerate(env.possible_agents):
            env.action_space(agent).seed(number)
        return env

    env, numbers = make(), set()
    step = env.step

    def watched(actions):
        numbers.add(len(actions))
        return step(actions)

    env.step = watched
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(env, num_cycles=100)
        parallel_seed_test(make, num_cycles=100)
        api_test(parallel_to_aec(make()), num_cycles=300)
    # an agent of the pair has ended before the other one
    assert name == "crowd" or numbers == {1, 2}


def test_rows_have_the_quantities_in_the_order_of_the_patterns(three):
    rows = []
    observe = ["{agent}/sensor/**", "world/time", "{agent}/pose", "robot_2/twist"]
    env = WorldParallelEnv(task(three, agents=["robot_1", "robot_0"], observe=observe, observation=None, low=None, high=None))
    seen, infos = env.reset(seed=1)
    env.session["robot_2"].command("twist", 0.5, 0.0, 0.0)
    env.step(ahead(env))
    for number, name in enumerate(env.possible_agents):
        parts = [env.session.read(pattern.replace("{agent}", name)) for pattern in observe]
        rows.append(np.concatenate(parts))
    assert env.possible_agents == ["robot_1", "robot_0"]
    assert infos == {"robot_1": {}, "robot_0": {}}
    assert rows[0][-3] == 0.5
    for changes in ({}, {"dtype": np.float64}):
        read = dataclasses.replace(env.task, judge=lambda before, after: both.append((before, after)) or judge(before, after), **changes)
        both = []
        again = WorldParallelEnv(read)
        again.reset(seed=1)
        again.session["robot_2"].command("twist", 0.5, 0.0, 0.0)
        again.step(ahead(again))
        before, after = both[0]
        assert np.array_equal(after[:, :-1], np.array(rows).astype(after.dtype))
        assert after.dtype == changes.get("dtype", np.float32)
        # the distances that `place` has returned follow, and do not change
        assert np.array_equal(before[:, -1], after[:, -1])
        assert (0.2 <= after[:, -1]).all() and (after[:, -1] <= 0.6).all() and after[0, -1] != after[1, -1]


def test_spaces_follow_from_the_ranges_of_each_agent(three):
    env = WorldParallelEnv(task(three, observation=None, low=None, high=None))
    seen, _ = env.reset(seed=3)
    for name, reach in (("robot_0", 6.0), ("robot_1", 4.0)):
        space = env.observation_space(name)
        assert space.high[6:14].tolist() == [reach] * 8 and space.low[6:14].tolist() == [0.0] * 8
        assert space.high[[0, 3, 14]].tolist() == [np.inf, np.float32(np.pi), np.inf] and space.low[14] == -np.inf
        # the laser has no sample yet
        assert seen[name][6:14].tolist() == [reach] * 8
    seen, *_ = env.step(ahead(env))
    assert seen["robot_0"].dtype == np.float32 and seen["robot_0"][6:14].min() < 3.0
    bounded = WorldParallelEnv(task(three, observation=None, low=np.full(15, -0.1), high=np.full(15, 0.1)))
    seen, _ = bounded.reset(seed=3)
    assert np.abs(seen["robot_1"]).max() == np.float32(0.1) and bounded.observation_space("robot_1").contains(seen["robot_1"])
    with pytest.raises(simhost.UnknownNameError, match="unknown agent: 'robot_2'"):
        env.action_space("robot_2")


def test_actions_stand_for_the_values_of_the_command(three):
    env = WorldParallelEnv(task(three, base=[0.0, 0.25, 0.0]))
    env.reset(seed=1)
    env.step({"robot_0": np.array([0.5, -0.25]), "robot_1": np.array([-3.0, 7.0])})
    assert env.session.read("robot_0/controller/command_*").tolist() == [1.25, 0.25, -0.5]
    assert env.session.read("robot_1/controller/command_*").tolist() == [-1.0, 0.25, 2.0]


def test_seeds_repeat_episodes_to_the_bit(three):
    def episodes(env, seed=5):
        parts, random = [], np.random.default_rng(0)
        # later episodes are repeated, too
        for given in (seed, None):
            seen, _ = env.reset(seed=given)
            parts += seen.values()
            while env.agents:
                seen, rewards, *_ = env.step(random_actions(env, random))
                parts += [*seen.values(), np.array(list(rewards.values()), dtype=np.float32)]
        return np.concatenate(parts)

    used = WorldParallelEnv(task(three))
    used.reset()
    used.step(ahead(used))
    first = episodes(used)
    assert np.array_equal(first, episodes(used))
    assert np.array_equal(first, episodes(WorldParallelEnv(task(three), threads=2)))
    assert not np.array_equal(first[:22], episodes(used, seed=6)[:22])


def test_an_agent_that_has_ended_leaves(three):
    rows = []

    def end_first(before, after):
        rows.append((before, after))
        return np.array([1.0, 2.0]), np.array([True, False])

    env = WorldParallelEnv(task(three, judge=end_first, limit=3))
    env.reset(seed=1)
    seen, rewards, terminated, truncated, infos = env.step(ahead(env))
    assert list(seen) == list(infos) == ["robot_0", "robot_1"]
    assert rewards == {"robot_0": 1.0, "robot_1": 2.0}
    assert terminated == {"robot_0": True, "robot_1": False} and not any(truncated.values())
    assert env.agents == ["robot_1"]
    # the vehicle leaves with the next step
    assert "robot_0" in env.session.vehicles
    seen, _, terminated, *_ = env.step(ahead(env))
    assert list(seen) == list(terminated) == ["robot_1"]
    assert env.session.vehicles == ["robot_1", "robot_2"]
    before, after = rows[1]
    assert np.isnan(before[0, :14]).all() and np.isnan(after[0, :14]).all() and not np.isnan(after[1]).any()
    _, _, terminated, truncated, _ = env.step(ahead(env))
    assert terminated == {"robot_1": False} and truncated == {"robot_1": True}
    time = env.session.time
    assert env.agents == [] and env.step({}) == ({}, {}, {}, {}, {}) and env.session.time == time
    with pytest.raises(simhost.UnknownNameError, match="the agent 'robot_1' has left; expected actions of none"):
        env.step({"robot_1": np.zeros(2)})
    env.reset()
    assert env.agents == ["robot_0", "robot_1"] and "robot_0" in env.session.vehicles
    env.max_cycles = 1
    # an agent that has terminated is not truncated
    assert env.step(ahead(env))[3] == {"robot_0": False, "robot_1": True} and env.agents == []


def test_a_fault_truncates_the_episodes_of_all_agents(tmp_path):
    @simhost.model("controller", "zoo_test/faulty")
    class Faulty:
        """A controller that fails after a quarter of a second."""

        inputs = [simhost.Port(f"command_{name}", "m/s", "Setpoint.") for name in ("vx", "vy", "omega")]
        outputs = ["twist_vx", "twist_vy", "twist_omega"]
        commands = {"twist": ["command_vx", "command_vy", "command_omega"]}

        def control(self, vehicle, state, step):
            if step.time > 0.25:
                raise RuntimeError("the battery is empty")
            return {"twist_vx": vehicle.command_vx, "twist_vy": 0.0, "twist_omega": 0.0}

    file = world(tmp_path, robot("robot_0", 0, laser(), "zoo_test/faulty"), robot("robot_1", 2, laser()))
    env = WorldParallelEnv(task(file))
    for _ in range(2):
        env.reset(seed=1)
        ends = [env.step(ahead(env)) for _ in range(3)]
        assert ends[1][4] == {"robot_0": {}, "robot_1": {}}
        _, _, terminated, truncated, infos = ends[2]
        assert truncated == {"robot_0": True, "robot_1": True} and not any(terminated.values())
        assert all("the battery is empty" in info["diverged"] for info in infos.values())
        assert env.agents == []


def test_pictures_and_closing(three):
    for make in (lambda mode: WorldParallelEnv(task(three), render_mode=mode), lambda mode: crowd_v0.parallel_env(render_mode=mode)):
        env = make("rgb_array")
        env.reset(seed=1)
        first = env.render()
        assert first.shape == (464, 640, 3) and first.dtype == np.uint8
        env.step({name: np.ones(2) for name in env.agents})
        assert not np.array_equal(first, env.render())
        assert env.metadata["render_modes"] == ["rgb_array"] and env.metadata["render_fps"] == pytest.approx(10.0)
        assert make(None).render() is None
        with pytest.raises(simhost.InputError, match="render_mode is 'human'; expected None or 'rgb_array'"):
            make("human")
        env.close()
        env.close()
        for call in (env.reset, env.render, lambda env=env: env.step({})):
            with pytest.raises(simhost.ClosedError, match="the environment has been closed"):
                call()


@pytest.mark.parametrize(
    ("changes", "error", "text"),
    [
        ({"steps": 0}, simhost.InputError, "steps is 0; expected at least 1"),
        ({"limit": 0}, simhost.InputError, "limit is 0; expected at least 1"),
        ({"dtype": np.int32}, simhost.DtypeError, "dtype is int32; expected float32 or float64"),
        ({"command": "robot_0/cmd_vel"}, simhost.InputError, "command is 'robot_0/cmd_vel'; expected one with the placeholder {agent}"),
        ({"command": "{agent}/cmd_vol"}, simhost.UnknownNameError, "unknown command: 'robot_0/cmd_vol'; did you mean 'robot_0/cmd_vel'?"),
        ({"agents": ["robot_7"]}, simhost.UnknownNameError, "unknown vehicle: 'robot_7'; did you mean 'robot_"),
        ({"agents": []}, simhost.InputError, "no agent is named"),
        ({"agents": ["robot_1", "robot_1"]}, simhost.InputError, "duplicate agent: 'robot_1'"),
        ({"agents": None}, simhost.UnknownNameError, "no quantity matches `robot_2/sensor/scan/range`"),
        ({"observe": []}, simhost.InputError, "no quantity is named"),
        ({"observe": ["{agent}/poze"]}, simhost.UnknownNameError, "did you mean `robot_0/pose`?"),
        ({"actions": [Action(3, 0.0, 1.0)]}, simhost.InputError, "an action has the index 3; expected one of 0, 1, 2"),
        ({"actions": None}, simhost.InputError, "the range of the quantity 'robot_0/controller/command_vx' in m/s is unknown"),
        ({"base": [0.0]}, simhost.ShapeError, "`base` has 1 values; expected 3"),
        ({"low": np.zeros(2)}, simhost.ShapeError, "`low` of the task has the shape (2,); expected (11,)"),
        ({"observation": lambda rows: rows[0]}, simhost.ShapeError, "`observation` of the task returns the shape (15,); expected (2, n)"),
        ({"start": lambda *_: np.zeros(2)}, simhost.ShapeError, "`start` of the task returns the shape (2,); expected (2, n)"),
    ],
)
def test_errors_of_a_task(three, changes, error, text):
    with pytest.raises(error, match=re.escape(text)):
        WorldParallelEnv(task(three, **changes))


def test_agents_need_the_same_quantities(tmp_path):
    file = world(tmp_path, robot("robot_0", 0, laser()), robot("robot_1", 2, laser(rays=9)))
    text = "agents 'robot_0' and 'robot_1' differ: '{agent}/sensor/scan/range' of size 8 and '{agent}/sensor/scan/range' of size 9"
    with pytest.raises(simhost.InputError, match=re.escape(text)):
        WorldParallelEnv(task(file))
    file = world(tmp_path, robot("robot_0", 0), robot("robot_1", 2, laser()))
    with pytest.raises(simhost.InputError, match=re.escape("differ: nothing and '{agent}/sensor/scan/")):
        WorldParallelEnv(task(file, observe=["{agent}/**"]))


def test_shapes_of_results_are_checked(three):
    env = WorldParallelEnv(task(three, judge=lambda before, after: (0.0, after[:, 0] > 0)))
    env.reset(seed=1)
    with pytest.raises(simhost.ShapeError, match=re.escape("the rewards that `judge` returns have the shape (); expected (2,)")):
        env.step(ahead(env))
    shapes = iter([(2, 4), (2, 3)])
    env = WorldParallelEnv(task(three, observation=lambda rows: np.zeros(next(shapes)), low=None, high=None))
    with pytest.raises(simhost.ShapeError, match=re.escape("returns the shape (2, 3); expected (2, 4)")):
        env.reset(seed=1)


def toward(seen):
    """An action that turns to the goal and drives there."""
    return np.array([1.0 if seen[0] > 0 else 0.0, np.clip(3.0 * np.arctan2(seen[1], seen[0]), -1, 1)], dtype=np.float32)


def along_the_circle(seen):
    """An action that follows the circle counter-clockwise, as all robots do."""
    ahead, left = 12.0 * seen[:2]
    away = np.arctan2(left, ahead) - np.arcsin(min(np.hypot(ahead, left) / 12.0, 1.0))
    away = (away + np.pi) % (2 * np.pi) - np.pi
    return np.array([max(np.cos(away), 0.0) ** 3, 1.5 * away], dtype=np.float32).clip(-1, 1)


def test_a_simple_driver_reaches_the_reference_score():
    env = crowd_v0.parallel_env()
    for seed in (1, 2):
        seen, _ = env.reset(seed=seed)
        returns = dict.fromkeys(env.agents, 0.0)
        while env.agents:
            seen, rewards, *_ = env.step({name: along_the_circle(seen[name]) for name in env.agents})
            for name, reward in rewards.items():
                returns[name] += reward
        assert np.mean(list(returns.values())) >= crowd_v0.REFERENCE_SCORE


def test_robots_arrive_or_touch_and_leave():
    env = crowd_v0.parallel_env()
    seen, _ = env.reset(seed=1)
    assert len(env.agents) == 20
    ends = {}
    while env.agents:
        seen, rewards, terminated, truncated, _ = env.step({name: toward(seen[name]) for name in env.agents})
        ends |= {name: rewards[name] for name in seen if terminated[name]}
    assert any(reward < -4 for reward in ends.values())
    # without robots in between, all arrive
    seen, _ = env.reset(seed=1)
    for name in env.agents[1:]:
        env.session.remove(name)
    env.agents = env.agents[:1]
    while env.agents:
        seen, rewards, terminated, _, _ = env.step({name: toward(seen[name]) for name in env.agents})
    assert list(terminated.values()) == [True]
    assert list(rewards.values())[0] > 9


def test_actions_are_checked(three):
    env = WorldParallelEnv(task(three))
    with pytest.raises(ResetNeeded, match="expected a call of reset"):
        env.step({})
    seen, _ = env.reset(seed=1)
    good = ahead(env)
    for actions, error, text in (
        (good | {"robot_7": np.zeros(2)}, simhost.UnknownNameError, "unknown agent: 'robot_7'"),
        (good | {"robot_2": np.zeros(2)}, simhost.UnknownNameError, "unknown agent: 'robot_2'"),
        ({"robot_0": np.zeros(2)}, simhost.InputError, "missing actions of robot_1; expected one for each of `agents`"),
        (np.zeros((2, 2)), simhost.DtypeError, "the actions are of type ndarray; expected a dict"),
        (good | {"robot_1": np.zeros(3)}, simhost.ShapeError, "the action of 'robot_1' has the shape (3,); expected (2,)"),
        (good | {"robot_1": np.array([0.0, np.nan])}, simhost.InputError, "nan]); expected 2 finite numbers"),
        (good | {"robot_1": [np.inf, 0.0]}, simhost.InputError, "the action of 'robot_1' is [inf, 0.0]; expected 2 finite numbers"),
        (good | {"robot_1": "left"}, simhost.DtypeError, "the action of 'robot_1' is 'left'; expected 2 finite numbers"),
    ):
        with pytest.raises(error, match=re.escape(text)):
            env.step(actions)
    # nothing is stepped or commanded
    assert env.session.time == 0.0 and not env.session.read("robot_*/controller/command_vx").any()
    assert simhost.zoo.crowd_v0.parallel_env(max_cycles=5).max_cycles == 5
    with pytest.raises(simhost.InputError, match="max_cycles is 0; expected at least 1"):
        crowd_v0.parallel_env(max_cycles=0)
