"""The registered tasks."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import worlds
from .task import Action, Column, Rows, Task, any_below, scaled

_GOAL = np.complex64(4.5 + 0.0j)
_GOAL_RADIUS = 0.5


def _place(rows: Rows) -> Any:
    """Returns x and y, the first two values, in double precision: of one row as numbers, with which arithmetic takes less time
    and has the same result."""
    if len(rows) == 1:
        return rows.item(0), rows.item(1)
    return rows[:, 0].astype(np.float64), rows[:, 1].astype(np.float64)


def _remembered(function: Callable[[Rows], Any]) -> Callable[[Rows], Any]:
    """Returns a function that remembers its last result: what is after an action is before the next one.

    Arrays of observations never change, so an array that is the same has the same result.
    """
    last: tuple[Rows | None, Any] = (None, None)

    def remember(rows: Rows) -> Any:
        nonlocal last
        known, value = last
        if known is not rows:
            value = function(rows)
            last = (rows, value)
        return value

    return remember


@_remembered
def _distance(rows: Rows) -> Any:
    x, y = _place(rows)
    x = x - 4.5
    square = x * x + y * y
    # both are rounded correctly
    return math.sqrt(square) if isinstance(square, float) else np.sqrt(square)


def _judge_blind(before: Rows, after: Rows) -> tuple[Any, Any]:
    left = _distance(before)
    distance = _distance(after)
    arrived = distance < _GOAL_RADIUS
    reward = left - distance
    # the product of an array takes as long as all the rest
    has_any = arrived if isinstance(arrived, bool) else np.count_nonzero(arrived)
    return reward + 10.0 * arrived if has_any else reward, arrived


def _same(rows: Rows) -> Rows:
    return rows


# an episode of 20 s ends within these bounds
_BLIND_BOUND = np.full(16, 1000.0, dtype=np.float32)

GOAL_BLIND = Task(
    name="simhost/GoalBlind-v0",
    world=worlds.goal_blind,
    command="robot/cmd_vel",
    base=(0.0, 0.0, 0.0),
    actions=(Action(0, -1.0, 1.0), Action(2, -2.0, 2.0)),
    observe=("robot/pose", "robot/twist", "robot/odometry_pose", "robot/wheel/l/spin"),
    low=-_BLIND_BOUND,
    high=_BLIND_BOUND,
    observation=_same,
    judge=_judge_blind,
    limit=2000,
    vary={"robot/pose/x": "uniform:-5:-4", "robot/pose/y": "uniform:-4:4", "robot/pose/yaw": "uniform:-3.1:3.1"},
    reference_score=18.0,
    description="Drive to the goal on a plane. The reward is the progress in m, and 10 at the goal.",
)

_BEAMS = 64
_RANGE = 6.0
_TOUCH = 0.3
_GOAL_LOW = np.array([0.0] * (_BEAMS + 1) + [-1.0, -1.0, -2.0, -2.0], dtype=np.float32)
_GOAL_HIGH = np.array([1.0] * (_BEAMS + 3) + [2.0, 2.0], dtype=np.float32)

# a ray without a return, and a laser before its first sample, see nothing; the three numbers of the goal are computed
_see_goal = scaled(
    [*range(9, 9 + _BEAMS), 0, 0, 0, 6, 8], [1.0 / _RANGE] * _BEAMS + [0.0, 0.0, 0.0, 1.0, 0.5], _GOAL_LOW, _GOAL_HIGH
)
_is_goal_crash = any_below(range(9, 9 + _BEAMS), _TOUCH)


def _observe_goal(rows: Rows) -> Rows:
    seen = _see_goal(rows)
    # x and y as complex numbers, which take fewer calls
    away = _GOAL - rows[:, :2].view(np.complex64)[:, 0]
    distance = np.abs(away)
    seen[:, _BEAMS] = np.minimum(distance / 12.0, 1.0)
    # the direction to the goal in the frame of the robot, within 1 after rounding
    cos, sin = np.cos(rows[:, 3]), np.sin(rows[:, 3])
    least = np.maximum(distance, 1e-6)
    seen[:, _BEAMS + 1] = np.clip((away.real * cos + away.imag * sin) / least, -1.0, 1.0)
    seen[:, _BEAMS + 2] = np.clip((away.imag * cos - away.real * sin) / least, -1.0, 1.0)
    return seen


def _judge_goal(before: Rows, after: Rows) -> tuple[Any, Any]:
    left = _distance(before)
    distance = _distance(after)
    arrived = distance < _GOAL_RADIUS
    crashed = _is_goal_crash(after)
    reward = left - distance - 0.01 + 10.0 * arrived - 5.0 * crashed
    return reward, arrived | crashed


GOAL = Task(
    name="simhost/Goal-v0",
    world=worlds.goal,
    command="robot/cmd_vel",
    base=(0.0, 0.0, 0.0),
    actions=(Action(0, -0.3, 1.0), Action(2, -2.0, 2.0)),
    observe=("robot/pose", "robot/twist", "robot/sensor/scan/range"),
    low=_GOAL_LOW,
    high=_GOAL_HIGH,
    observation=_observe_goal,
    judge=_judge_goal,
    ahead=(_see_goal, _is_goal_crash),
    steps=10,
    limit=200,
    vary={"robot/pose/x": "uniform:-5.2:-4", "robot/pose/y": "uniform:-4:4", "robot/pose/yaw": "uniform:-3.1:3.1"},
    reference_score=15.0,
    description="Drive to the goal among obstacles with a laser. The reward is the progress in m, less 0.01 per action, 10 "
    "at the goal and -5 for a crash.",
)


def _outline(angles: Column, ahead: float, behind: float, side: float) -> Column:
    """Returns the distance from the laser to the outline of a car for each beam, m. Angles are in rad, 0 ahead."""
    along, across = np.cos(angles), np.sin(angles)
    reach = np.where(along > 0, ahead / np.maximum(along, 1e-9), behind / np.maximum(-along, 1e-9))
    return np.minimum(reach, side / np.maximum(np.abs(across), 1e-9)).astype(np.float32)


_RACE_BEAMS = 1080
_RACE_RANGE = 30.0
_RACE_RADIUS = 40.0
_RACE_TOUCH = 0.2
_RACE_ANGLES = np.linspace(-0.75 * np.pi, 0.75 * np.pi, _RACE_BEAMS)
# the rear end of the car, which its laser does not see: behind the centre of gravity, half of the width
_RACE_TAIL = 2.2
_RACE_SIDE = 0.8
# distances from the centre of the ring that are 0.2 m from its walls
_RACE_INSIDE = 34.3
_RACE_OUTSIDE = 45.7
_MOTION_SCALES = np.array([0.05, 0.2, 0.5], dtype=np.float32)
_RACE_LOW = np.array([0.0] * _RACE_BEAMS + [-2.0] * 3, dtype=np.float32)
_RACE_HIGH = np.array([1.0] * _RACE_BEAMS + [2.0] * 3, dtype=np.float32)
_see_race = scaled(
    [*range(9, 9 + _RACE_BEAMS), 6, 7, 8], [1.0 / _RACE_RANGE] * _RACE_BEAMS + [*_MOTION_SCALES], _RACE_LOW, _RACE_HIGH
)
_is_race_crash = any_below(range(9, 9 + _RACE_BEAMS), _outline(_RACE_ANGLES, 0.8, 3.7, 0.8) + _RACE_TOUCH)


def _is_tail_crash(rows: Rows, x: Any, y: Any) -> Any:
    """Returns whether a rear corner of a car at x and y is within 0.2 m of a wall."""
    yaw = rows.item(3) if len(rows) == 1 else rows[:, 3].astype(np.float64)
    cos, sin = (math.cos(yaw), math.sin(yaw)) if isinstance(yaw, float) else (np.cos(yaw), np.sin(yaw))
    # the squared distances of both corners from the centre of the ring are `middle` plus and minus `aside`
    x, y = x - _RACE_TAIL * cos, y - _RACE_TAIL * sin
    middle = x * x + y * y + _RACE_SIDE * _RACE_SIDE
    aside = 2.0 * _RACE_SIDE * abs(y * cos - x * sin)
    return (middle + aside > _RACE_OUTSIDE * _RACE_OUTSIDE) | (middle - aside < _RACE_INSIDE * _RACE_INSIDE)


def _judge_race(before: Rows, after: Rows) -> tuple[Any, Any]:
    # the angle around the centre of the ring, which is at the origin
    (x, y), (to_x, to_y) = _place(before), _place(after)
    turned = np.arctan2(x * to_y - y * to_x, x * to_x + y * to_y)
    crashed = _is_race_crash(after) | _is_tail_crash(after, to_x, to_y)
    return turned * _RACE_RADIUS - 10.0 * crashed, crashed


def _race_start(number: int) -> str:
    """Returns one of 20 starts around the ring, at five distances from its centre."""
    angle, radius = number * np.pi / 10, _RACE_RADIUS + (number * 7 % 5 - 2) / 2
    return f"{radius * np.cos(angle):.6f} {radius * np.sin(angle):.6f} {angle + np.pi / 2:.6f}"


RACE = Task(
    name="simhost/Race-v0",
    world=worlds.racetrack,
    command="car/cmd_steering_rate_acceleration",
    base=(0.0, 0.0),
    actions=(Action(0, -0.4, 0.4), Action(1, -6.0, 6.0)),
    observe=("car/pose", "car/twist", "car/sensor/scan/range"),
    low=_RACE_LOW,
    high=_RACE_HIGH,
    observation=_see_race,
    judge=_judge_race,
    ahead=(_see_race, _is_race_crash),
    limit=3000,
    vary={"car/pose": "choice:" + ",".join(_race_start(number) for number in range(20))},
    reference_score=350.0,
    description="Drive fast around a track between walls, with a laser of 1,080 beams in each step of 10 ms. The reward is the "
    "distance along the middle of the track in m, and -10 within 0.2 m of a wall, where an episode ends.",
)

# the lane change begins after 15 m and returns after 70 m, over 30 m and 25 m, as in ISO 3888-1 with shorter lanes
_LANE_AHEAD = np.array([0.0, 5.0, 10.0, 15.0, 20.0], dtype=np.float32)
_LANE_END = 120.0


def _lane(x: Column) -> Column:
    """Returns y of the middle of the lane, m."""
    out, back = np.clip((x - 15.0) / 30.0, 0.0, 1.0), np.clip((x - 70.0) / 25.0, 0.0, 1.0)
    return 3.5 * (out * out * (3.0 - 2.0 * out) - back * back * (3.0 - 2.0 * back))


def _observe_lane(rows: Rows) -> Rows:
    seen = np.empty((len(rows), 9), dtype=np.float32)
    np.subtract(_lane(rows[:, :1] + _LANE_AHEAD), rows[:, 1:2], out=seen[:, :5])
    seen[:, 5] = rows[:, 3]
    seen[:, 6:] = rows[:, 6:9] * _MOTION_SCALES
    return np.clip(seen, -5.0, 5.0, out=seen)


def _judge_lane(before: Rows, after: Rows) -> tuple[Column, Column]:
    x, away = after[:, 0], np.abs(_lane(after[:, 0]) - after[:, 1])
    left, arrived = (away > 2.0) | (np.abs(after[:, 3]) > 1.2), x > _LANE_END
    reward = 0.1 * (x - before[:, 0]) - 0.1 * away * away - 5.0 * left + 5.0 * arrived
    return reward, left | arrived


LANE = Task(
    name="simhost/Lane-v0",
    world=worlds.lane,
    command="car/cmd_ackermann",
    base=(18.0, 0.0),
    actions=(Action(0, 12.0, 26.0), Action(1, -0.3, 0.3)),
    observe=("car/pose", "car/twist"),
    low=np.full(9, -5.0, dtype=np.float32),
    high=np.full(9, 5.0, dtype=np.float32),
    observation=_observe_lane,
    judge=_judge_lane,
    steps=4,
    limit=600,
    vary={"car/pose/y": "uniform:-0.5:0.5", "car/velocity/vx": "uniform:16:24"},
    reference_score=16.0,
    description="Drive a double lane change fast, with tyres that slide. The reward is 0.1 per m, less 0.1 of the square of the "
    "distance to the middle of the lane, 5 at the end, and -5 for leaving the lane by 2 m.",
)

_PARK_BEAMS = 32
_PARK_RANGE = 10.0
_PARK_ANGLES = np.linspace(-np.pi, np.pi, _PARK_BEAMS, endpoint=False) + np.pi / _PARK_BEAMS

_PARK_LOW = np.array([0.0] * _PARK_BEAMS + [-3.0] * 6, dtype=np.float32)
_PARK_HIGH = np.array([1.0] * _PARK_BEAMS + [3.0] * 6, dtype=np.float32)

# cosine and sine of the yaw angle are computed
_see_bay = scaled(
    [*range(9, 9 + _PARK_BEAMS), 0, 1, 3, 3, 6, 8],
    [1.0 / _PARK_RANGE] * _PARK_BEAMS + [0.1, 0.1, 0.0, 0.0, 0.5, 1.0],
    _PARK_LOW,
    _PARK_HIGH,
)
_is_park_crash = any_below(range(9, 9 + _PARK_BEAMS), _outline(_PARK_ANGLES, 2.05, 2.05, 0.85) + 0.1)


@_remembered
def _away_from_bay(rows: Rows) -> Column:
    """Returns how far a car is from its place in the bay: 1 per m, and 1 per rad."""
    # the middle of the car, 1.25 m ahead of its reference point
    x, y = rows[:, 0] + 1.25 * np.cos(rows[:, 3]), rows[:, 1] + 1.25 * np.sin(rows[:, 3])
    return np.hypot(x - 1.0, y) + np.abs(np.sin(rows[:, 3] / 2.0)) * 2.0


def _observe_park(rows: Rows) -> Rows:
    seen = _see_bay(rows)
    seen[:, _PARK_BEAMS + 2], seen[:, _PARK_BEAMS + 3] = np.cos(rows[:, 3]), np.sin(rows[:, 3])
    return seen


def _judge_park(before: Rows, after: Rows) -> tuple[Column, Column]:
    left = _away_from_bay(before)
    away = _away_from_bay(after)
    parked = (away < 0.5) & (np.abs(after[:, 6]) < 0.3)
    crashed = _is_park_crash(after)
    reward = left - away - 0.01 + 10.0 * parked - 5.0 * crashed
    return reward, parked | crashed


PARK = Task(
    name="simhost/Park-v0",
    world=worlds.park,
    command="car/cmd_ackermann",
    base=(0.0, 0.0),
    actions=(Action(0, -2.0, 2.0), Action(1, -0.6, 0.6)),
    observe=("car/pose", "car/twist", "car/sensor/scan/range"),
    low=_PARK_LOW,
    high=_PARK_HIGH,
    observation=_observe_park,
    judge=_judge_park,
    ahead=(_see_bay, _is_park_crash),
    steps=10,
    limit=300,
    vary={"car/pose/x": "uniform:-11:-8", "car/pose/y": "uniform:-3:3", "car/pose/yaw": "uniform:-0.6:0.6"},
    reference_score=14.0,
    description="Drive into a bay between walls and stop there, at 10 Hz. The reward is the progress in m and rad, less 0.01 per "
    "action, 10 in the bay at rest, and -5 for a crash.",
)

_HILL_END = 60.0
_HILL_SPEED = 10.0


def _observe_hill(rows: Rows) -> Rows:
    seen = rows[:, :9] * _HILL_SCALES
    seen = np.concatenate([seen, rows[:, 9:] * _ENGINE_SCALES], axis=1)
    return np.clip(seen, -5.0, 5.0, out=seen)


def _judge_hill(before: Rows, after: Rows) -> tuple[Column, Column]:
    x = after[:, 0]
    left, arrived = (np.abs(after[:, 1]) > 4.0) | (x < -8.0), x > _HILL_END
    fast = np.maximum(after[:, 6] - _HILL_SPEED, 0.0)
    reward = 0.2 * (x - before[:, 0]) - 0.05 - 0.05 * fast * fast - 5.0 * left + 5.0 * arrived
    return reward, left | arrived


_HILL_SCALES = np.array([0.02, 0.25, 0.25, 1.0, 2.0, 2.0, 0.1, 0.5, 1.0], dtype=np.float32)
_ENGINE_SCALES = np.array([0.01, 0.2], dtype=np.float32)

HILL = Task(
    name="simhost/Hill-v0",
    world=worlds.climb,
    command="car/cmd_drive",
    base=(0.0, 0.0, 0.0, 1.0),
    actions=(Action(0, 0.0, 1.0), Action(1, 0.0, 1.0), Action(2, -0.2, 0.2)),
    observe=("car/pose", "car/twist", "car/dynamics/engine_speed", "car/dynamics/gear"),
    low=np.full(11, -5.0, dtype=np.float32),
    high=np.full(11, 5.0, dtype=np.float32),
    observation=_observe_hill,
    judge=_judge_hill,
    steps=10,
    limit=300,
    vary={"car/pose/yaw": "uniform:-0.1:0.1", "car/friction/mu": "uniform:0.5:1"},
    reference_score=12.5,
    description="Start on a slope, drive over a hill with engine and gearbox, and keep to 10 m/s, at 10 Hz. The reward is 0.2 per m, "
    "less 0.05 per action and 0.05 of the square of the excess speed, 5 at the end, and -5 for leaving the road.",
)

TASKS = {task.name: task for task in (GOAL, GOAL_BLIND, RACE, LANE, PARK, HILL)}
"""The registered tasks by name."""
