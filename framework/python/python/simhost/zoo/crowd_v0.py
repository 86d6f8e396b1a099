"""Twenty robots on a circle, each of which is to drive to the other side without touching another one."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from .. import worlds
from ..ensemble import Matrix
from ..gym import Action
from ..gym.task import Column
from ..session import Session, whole
from .env import WorldParallelEnv
from .task import ParallelTask

REFERENCE_SCORE = 19.5
"""Mean return of a robot that a simple driver reaches, which follows the circle."""

_RADIUS = 6.0
_TOUCH = 0.5
_ARRIVED = 0.4
_NEIGHBOURS = 4
_SEES = 5.0
_LIMIT = 300
_SIZE = 4 + 2 * _NEIGHBOURS


def _start(session: Session, random: np.random.Generator) -> Matrix:
    """Puts all robots on the circle, each at a random place near its own, and returns their goals."""
    count = len(session.vehicles)
    angles = (np.arange(count) + random.uniform(-0.2, 0.2, count)) * 2.0 * np.pi / count
    places = _RADIUS * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    for name, (x, y), angle in zip(session.vehicles, places, angles, strict=True):
        session.set_pose(name, float(x), float(y), float(angle + np.pi))
    return -places


# a row is pose (6), twist (3) and goal (2)
def _to_goal(rows: Matrix) -> Matrix:
    return rows[:, 9:] - rows[:, :2]


def _apart(rows: Matrix) -> tuple[np.ndarray[Any, Any], Matrix]:
    """Returns the vectors from each robot to the others, and their lengths, infinite to itself."""
    apart = rows[None, :, :2] - rows[:, None, :2]
    distance = np.hypot(apart[..., 0], apart[..., 1])
    np.fill_diagonal(distance, np.inf)
    return apart, distance


def _judge(before: Matrix, after: Matrix) -> tuple[Column, Column]:
    left, away = np.hypot(*_to_goal(before).T), np.hypot(*_to_goal(after).T)
    arrived, touches = away < _ARRIVED, (_apart(after)[1] < _TOUCH).any(axis=1)
    return left - away - 0.01 + 10.0 * arrived - 5.0 * touches, arrived | touches


def _observe(rows: Matrix) -> Matrix:
    cos, sin = np.cos(rows[:, 3]), np.sin(rows[:, 3])

    def own(x: Any, y: Any) -> tuple[Any, Any]:
        """Returns a vector in the frame of each robot."""
        return cos * x + sin * y, cos * y - sin * x

    seen = np.zeros((len(rows), _SIZE), dtype=np.float32)
    seen[:, 0], seen[:, 1] = (part / (2.0 * _RADIUS) for part in own(*_to_goal(rows).T))
    seen[:, 2], seen[:, 3] = rows[:, 6], rows[:, 8] / 2.0
    apart, distance = _apart(rows)
    nearest = np.argsort(distance, axis=1, kind="stable")[:, :_NEIGHBOURS]
    for place in range(_NEIGHBOURS):
        at = np.arange(len(rows)), nearest[:, place]
        x, y = own(apart[at][:, 0], apart[at][:, 1])
        is_near = distance[at] < _SEES
        # a place without a robot has the range of sight ahead
        seen[:, 4 + 2 * place] = np.where(is_near, x / _SEES, 1.0)
        seen[:, 5 + 2 * place] = np.where(is_near, y / _SEES, 0.0)
    return np.clip(seen, -2.0, 2.0, out=seen)


TASK = ParallelTask(
    name="crowd_v0",
    world=worlds.roundabout,
    command="{agent}/cmd_vel",
    actions=(Action(0, -1.0, 1.0), Action(2, -2.0, 2.0)),
    observe=("{agent}/pose", "{agent}/twist"),
    start=_start,
    low=np.full(_SIZE, -2.0, dtype=np.float32),
    high=np.full(_SIZE, 2.0, dtype=np.float32),
    observation=_observe,
    judge=_judge,
    dtype=np.float64,
    steps=5,
    limit=_LIMIT,
)
"""The task of the robots."""


class CrowdEnv(WorldParallelEnv):
    """Twenty robots on a circle, which act at 10 Hz.

    A robot observes its goal in its own frame, its speed and yaw rate, and the places of the four nearest robots within
    5 m in its own frame, all scaled to about 1. Its action is speed and yaw rate, from -1 to 1. The reward is the progress to
    the goal in m, less 0.01 per action, 10 at the goal and -5 for touching another robot. A robot that arrives or touches
    another one leaves the world. Episodes are truncated after 300 actions.

    Args:
        max_cycles: Number of actions after which an episode is truncated.
        render_mode: None, or "rgb_array" for `render`.
    """

    def __init__(self, max_cycles: int = _LIMIT, render_mode: str | None = None) -> None:
        super().__init__(dataclasses.replace(TASK, limit=whole("max_cycles", max_cycles, 1)), render_mode=render_mode)


def parallel_env(max_cycles: int = _LIMIT, render_mode: str | None = None) -> CrowdEnv:
    """Returns the environment. The arguments are those of `CrowdEnv`."""
    return CrowdEnv(max_cycles, render_mode)
