"""Simple drivers reach the reference scores of the tasks."""

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
simhost_gym = pytest.importorskip("simhost.gym")


def goal_blind(seen):
    away = np.arctan2(0.0 - seen[:, 1], 4.5 - seen[:, 0]) - seen[:, 3]
    away = (away + np.pi) % (2 * np.pi) - np.pi
    return np.stack([np.cos(away), away], axis=1)


def lane(seen):
    slip = np.arctan2(seen[:, 2], 10.0)
    return np.stack([np.full(len(seen), 0.2), 4.0 * (slip - seen[:, 5]) - 0.3 * seen[:, 8]], axis=1)


def park(seen):
    x, y, yaw, speed = seen[:, 32] * 10, seen[:, 33] * 10, np.arctan2(seen[:, 35], seen[:, 34]), seen[:, 36] * 2
    # the middle of the car is 1.25 m ahead
    left = 1.0 - (x + 1.25 * np.cos(yaw))
    wanted = np.clip(0.8 * left, -1.0, 1.2)
    heading = np.clip(-0.5 * y, -0.7, 0.7)
    return np.stack([wanted / 2.0, (2.0 * (heading - yaw)) / 0.6 * np.sign(speed + 0.01)], axis=1)


def hill(seen):
    speed = seen[:, 6] * 10
    throttle, brake = 0.35 * (9.5 - speed), 0.3 * (speed - 10.0)
    steer = -0.5 * seen[:, 1] * 4 - 1.5 * seen[:, 3]
    return np.stack([2 * np.clip(throttle, 0, 1) - 1, 2 * np.clip(brake, 0, 1) - 1, steer / 0.2], axis=1)


def race(seen):
    beams, speed, turn = seen[:, :1080] * 30, seen[:, 1080] * 20, seen[:, 1082] * 2
    # beams of 45 degrees to both sides; the ring turns left
    left, right = beams[:, 900:1020].mean(axis=1), beams[:, 60:180].mean(axis=1)
    wanted = speed / 40 + 0.08 * (left - right)
    return np.stack([8.0 * (wanted - turn), (12.0 - speed) / 6], axis=1)


DRIVERS = {"GoalBlind": goal_blind, "Lane": lane, "Park": park, "Hill": hill, "Race": race}


def score(name, driver, count):
    env = gymnasium.make_vec(f"simhost/{name}-v0", num_envs=count, autoreset_mode="Disabled")
    seen, _ = env.reset(seed=1)
    total, is_open = np.zeros(count), np.ones(count, dtype=bool)
    while is_open.any():
        seen, reward, terminated, truncated, _ = env.step(driver(seen).astype(np.float32))
        total += reward * is_open
        done = terminated | truncated
        is_open &= ~done
        if done.any():
            env.reset(options={"reset_mask": done})
    return total


@pytest.mark.parametrize("name", DRIVERS)
def test_a_simple_driver_reaches_the_reference_score(name):
    returns = score(name, DRIVERS[name], 16 if name == "Race" else 256)
    assert returns.mean() >= simhost_gym.TASKS[f"simhost/{name}-v0"].reference_score


@pytest.mark.parametrize("acceleration", [-1.0, 1.0])
@pytest.mark.parametrize("steering", [-0.05, 0.05])
def test_a_car_that_meets_a_wall_ends_its_episode(acceleration, steering):
    env = gymnasium.make_vec("simhost/Race-v0", num_envs=20, autoreset_mode="Disabled")
    env.reset(seed=1)
    has_ended = np.zeros(20, dtype=bool)
    for _ in range(1200):
        _, _, terminated, _, _ = env.step(np.full((20, 2), (steering, acceleration), dtype=np.float32))
        has_ended |= terminated
        if terminated.any():
            env.reset(options={"reset_mask": terminated})
    assert has_ended.all()
