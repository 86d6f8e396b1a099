"""Environments of several agents for PettingZoo."""

import warnings

import numpy as np
import pytest
import simhost

pytest.importorskip("pettingzoo")

from pettingzoo.test import parallel_api_test, parallel_seed_test  # noqa: E402
from simhost.zoo import crowd_v0  # noqa: E402


def test_the_tests_of_pettingzoo_are_clean():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(crowd_v0.parallel_env(), num_cycles=100)
        parallel_seed_test(crowd_v0.parallel_env)


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
    env.reset(seed=1)
    env._leave(env.agents[1:])
    env.agents = env.agents[:1]
    seen = {env.agents[0]: env._observe(env._rows())[0]}
    while env.agents:
        seen, rewards, terminated, _, _ = env.step({name: toward(seen[name]) for name in env.agents})
    assert list(terminated.values()) == [True]
    assert list(rewards.values())[0] > 9


def test_actions_are_checked():
    env = crowd_v0.parallel_env()
    env.reset(seed=1)
    with pytest.raises(simhost.UnknownNameError, match="robot_20"):
        env.step({"robot_20": np.zeros(2)})
    for action in (np.zeros(3), np.array([0.0, np.nan]), "left"):
        with pytest.raises((simhost.InputError, ValueError), match="two finite numbers|could not convert"):
            env.step({"robot_0": action})
    env.close()
    env.close()
