"""The registered tasks."""

from __future__ import annotations

import numpy as np

from .. import worlds
from .task import Action, Column, Rows, Task

_GOAL = np.complex64(4.5 + 0.0j)
_GOAL_RADIUS = np.float32(0.5)
_TEN = np.float32(10.0)


def _place(rows: Rows) -> Column:
    """Returns x and y, the first two values, as complex numbers, which take fewer calls of numpy."""
    return rows[:, :2].view(np.complex64)[:, 0]


def _distance(rows: Rows) -> Column:
    return np.abs(_place(rows) - _GOAL)


def _judge_blind(before: Rows, after: Rows) -> tuple[Column, Column]:
    distance = _distance(after)
    arrived = distance < _GOAL_RADIUS
    return _distance(before) - distance + _TEN * arrived, arrived


def _same(rows: Rows) -> Rows:
    return rows


# an episode of 20 s ends within these bounds
_BLIND_BOUND = np.full(16, 1000.0, dtype=np.float32)

GOAL_BLIND = Task(
    name="simhost/GoalBlind-v0",
    world=worlds.goal_blind,
    command="robot/cmd_vel",
    width=3,
    actions=(Action(0, -1.0, 1.0), Action(2, -2.0, 2.0)),
    observe=("robot/pose", "robot/twist", "robot/odometry_pose", "robot/wheel/l/spin"),
    low=-_BLIND_BOUND,
    high=_BLIND_BOUND,
    observation=_same,
    judge=_judge_blind,
    limit=2000,
    vary={"robot/pose/x": "uniform:-5:-4", "robot/pose/y": "uniform:-4:4", "robot/pose/yaw": "uniform:-3.1:3.1"},
    description="Drive to the goal on a plane. The reward is the progress in m, and 10 at the goal.",
)

_BEAMS = 64
_RANGE = 6.0
_TOUCH = 0.3


def _observe_goal(rows: Rows) -> Rows:
    seen = np.empty((len(rows), _BEAMS + 5), dtype=np.float32)
    # a ray without a return, and a laser before its first sample, see nothing
    np.fmin(rows[:, 9:], _RANGE, out=seen[:, :_BEAMS])
    seen[:, :_BEAMS] /= _RANGE
    away = _GOAL - _place(rows)
    distance = np.abs(away)
    seen[:, _BEAMS] = np.minimum(distance / 12.0, 1.0)
    # the direction to the goal in the frame of the robot, within 1 after rounding
    yaw = rows[:, 3]
    forward = (away.real * np.cos(yaw) + away.imag * np.sin(yaw)) / np.maximum(distance, 1e-6)
    leftward = (away.imag * np.cos(yaw) - away.real * np.sin(yaw)) / np.maximum(distance, 1e-6)
    seen[:, _BEAMS + 1] = np.clip(forward, -1.0, 1.0)
    seen[:, _BEAMS + 2] = np.clip(leftward, -1.0, 1.0)
    seen[:, _BEAMS + 3] = np.clip(rows[:, 6], -2.0, 2.0)
    seen[:, _BEAMS + 4] = np.clip(rows[:, 8] / 2.0, -2.0, 2.0)
    return seen


def _judge_goal(before: Rows, after: Rows) -> tuple[Column, Column]:
    distance = _distance(after)
    arrived = distance < _GOAL_RADIUS
    crashed = np.fmin.reduce(after[:, 9:], axis=1) < _TOUCH
    reward = _distance(before) - distance - 0.01 + 10.0 * arrived - 5.0 * crashed
    return reward, arrived | crashed


_GOAL_LOW = np.array([0.0] * (_BEAMS + 1) + [-1.0, -1.0, -2.0, -2.0], dtype=np.float32)
_GOAL_HIGH = np.array([1.0] * (_BEAMS + 3) + [2.0, 2.0], dtype=np.float32)

GOAL = Task(
    name="simhost/Goal-v0",
    world=worlds.goal,
    command="robot/cmd_vel",
    width=3,
    actions=(Action(0, -0.3, 1.0), Action(2, -2.0, 2.0)),
    observe=("robot/pose", "robot/twist", "robot/sensor/scan/range"),
    low=_GOAL_LOW,
    high=_GOAL_HIGH,
    observation=_observe_goal,
    judge=_judge_goal,
    steps=10,
    limit=200,
    vary={"robot/pose/x": "uniform:-5.2:-4", "robot/pose/y": "uniform:-4:4", "robot/pose/yaw": "uniform:-3.1:3.1"},
    reference_score=15.0,
    description="Drive to the goal among obstacles with a laser. The reward is the progress in m, less 0.01 per action, 10 "
    "at the goal and -5 for a crash.",
)

_RACE_BEAMS = 1080
_RACE_RANGE = 30.0
_RACE_RADIUS = 40.0
_RACE_TOUCH = 1.0
_RACE_SCALES = np.array([0.05, 0.2, 0.5], dtype=np.float32)


def _observe_race(rows: Rows) -> Rows:
    seen = np.empty((len(rows), _RACE_BEAMS + 3), dtype=np.float32)
    np.fmin(rows[:, 9:], _RACE_RANGE, out=seen[:, :_RACE_BEAMS])
    seen[:, :_RACE_BEAMS] /= _RACE_RANGE
    np.clip(rows[:, 6:9] * _RACE_SCALES, -2.0, 2.0, out=seen[:, _RACE_BEAMS:])
    return seen


def _judge_race(before: Rows, after: Rows) -> tuple[Column, Column]:
    # the angle around the centre of the ring, which is at the origin
    turned = np.angle(_place(after) * np.conj(_place(before)))
    crashed = np.fmin.reduce(after[:, 9:], axis=1) < _RACE_TOUCH
    return turned * _RACE_RADIUS - 10.0 * crashed, crashed


def _race_start(number: int) -> str:
    """Returns one of 20 starts around the ring, at five distances from its centre."""
    angle, radius = number * np.pi / 10, _RACE_RADIUS + (number * 7 % 5 - 2) / 2
    return f"{radius * np.cos(angle):.6f} {radius * np.sin(angle):.6f} {angle + np.pi / 2:.6f}"


RACE = Task(
    name="simhost/Race-v0",
    world=worlds.racetrack,
    command="car/cmd_steering_rate_acceleration",
    width=2,
    actions=(Action(0, -0.4, 0.4), Action(1, -6.0, 6.0)),
    observe=("car/pose", "car/twist", "car/sensor/scan/range"),
    low=np.array([0.0] * _RACE_BEAMS + [-2.0] * 3, dtype=np.float32),
    high=np.array([1.0] * _RACE_BEAMS + [2.0] * 3, dtype=np.float32),
    observation=_observe_race,
    judge=_judge_race,
    limit=3000,
    vary={"car/pose": "choice:" + ",".join(_race_start(number) for number in range(20))},
    description="Drive fast around a track between walls, with a laser of 1,080 beams in each step of 10 ms. The reward is the "
    "distance along the middle of the track in m, and -10 for a crash.",
)

TASKS = {task.name: task for task in (GOAL, GOAL_BLIND, RACE)}
"""The registered tasks by name."""
