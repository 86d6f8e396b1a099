"""Tasks: what an environment observes, how it acts, and what it rewards."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import _core
from ..errors import InputError, ShapeError
from ..session import PathLike, whole

Rows = np.ndarray[tuple[int, int], np.dtype[np.float32]]
Column = np.ndarray[tuple[int], np.dtype[Any]]


@dataclass(frozen=True)
class Action:
    """One number of an action. Actions are from -1 to 1, which stand for `low` and `high`."""

    index: int
    """Index of the value of the command."""
    low: float | None = None
    """Value of the command for -1, in its unit; without it, the lower end of the range that the models declare."""
    high: float | None = None
    """Value of the command for 1, in its unit; without it, the upper end of that range."""

    def __post_init__(self) -> None:
        """Raises InputError for an index below 0 and for a value that is not finite."""
        whole("the index of an action", self.index, 0)
        for name, value in (("low", self.low), ("high", self.high)):
            if value is not None and not math.isfinite(value):
                raise InputError(f"`{name}` of an action is {value}; expected a finite number")


def scaled(columns: Sequence[int], scale: Any, low: Any, high: Any) -> Callable[[Rows], Rows]:
    """Returns a function for `Task.observation`: some columns of the quantities, each times its scale, within its bounds.

    What is not a number, such as the range of a laser before its first sample, is at the upper bound. The function takes less
    time than the same calls of numpy.

    Args:
        columns: Index of the quantity for each number of an observation.
        scale: The number by which it is multiplied: one for all, or one for each.
        low: Its lower bound after that, as `scale`.
        high: Its upper bound.

    Raises:
        ShapeError: `scale`, `low` or `high` is neither one number nor one for each column.
        InputError: A column is negative.
    """
    scale, low, high = _each(columns, scale=scale, low=low, high=high)
    return _core.Scaled(list(columns), scale, low, high)


def any_below(columns: Sequence[int], limit: Any) -> Callable[[Rows], Column | bool]:
    """Returns a function for `Task.judge`: whether any of some columns of the quantities is below its limit, such as the range
    of a beam below that of a crash.

    What is not a number, such as the range of a beam that meets nothing, is not below. The function returns one bool for each
    row, and for a single row without an array. It takes less time than the same calls of numpy.

    Args:
        columns: Index of each quantity.
        limit: The limit, in its unit: one for all, or one for each.

    Raises:
        ShapeError: `limit` is neither one number nor one for each column.
        InputError: A column is negative.
    """
    (limits,) = _each(columns, limit=limit)
    return _core.Below(list(columns), limits)


def _each(columns: Sequence[int], **given: Any) -> list[list[float]]:
    """Returns for each argument a number for each column."""
    width, each = len(columns), []
    for name, value in given.items():
        numbers = np.asarray(value, dtype=np.float32)
        if numbers.shape not in ((), (width,)):
            raise ShapeError(f"`{name}` has the shape {numbers.shape}; expected one number, or {(width,)}")
        each.append(np.broadcast_to(numbers, width).tolist())
    for column in columns:
        if column < 0:
            raise InputError(f"a column is {column}; expected the index of a quantity, 0 or more")
    return each


@dataclass(frozen=True, kw_only=True)
class Task:
    """What environments of a world observe, how they act, and what they reward.

    All functions take arrays with a row for each environment, which are read-only. They depend on nothing else, so that one environment
    and many have the same results. What is left out of actions and observations follows from the ranges of the quantities,
    `Quantity.ranges`.
    """

    name: str
    """Name with which the task is registered, such as "simhost/Goal-v0"."""
    world: PathLike
    """Path of the world file."""
    command: str
    """Input stream of the command, such as "robot/cmd_vel"."""
    base: Sequence[float] | None = None
    """All values of the command, of which actions replace some; otherwise 0."""
    actions: Sequence[Action] | None = None
    """The numbers of an action; otherwise one for each value that the controller uses."""
    observe: Sequence[str]
    """Patterns of the quantities that the functions get, in the order of the world."""
    low: np.ndarray[Any, Any] | None = None
    """Lower bounds of an observation; otherwise those of the quantities, or none for those of `observation`."""
    high: np.ndarray[Any, Any] | None = None
    """Upper bounds of an observation, as `low`."""
    observation: Callable[[Rows], Rows] | None = None
    """Returns the observations, float32, for the quantities; `scaled` makes such a function. It may return its argument or a
    part of it, of which an environment returns a copy. Otherwise, the observations are the quantities within the bounds; one
    that has no value yet is at its upper bound, if it has one."""
    judge: Callable[[Rows, Rows], tuple[Column | float, Column | bool]]
    """Returns rewards, and whether the episodes have terminated, for the quantities before and after an action. For one
    environment, they may be numbers."""
    ahead: Sequence[Callable[[Rows], Any]] = ()
    """Functions of `scaled` and `any_below` that `observation` and `judge` call with the quantities after an action. Each thread
    computes their results for the environments whose quantities it has read."""
    steps: int = 1
    """Number of steps of the simulation for each action."""
    limit: int = 1000
    """Number of actions after which an episode is truncated."""
    vary: Mapping[str, Any] = field(default_factory=dict)
    """Differences between episodes, as those of `simhost.Ensemble`."""
    reference_score: float | None = None
    """Mean return of a trained policy."""
    description: str = ""
    """What is to be done, and how it is rewarded."""

    def __post_init__(self) -> None:
        """Raises InputError for fewer steps or actions than 1 and for a base value that is not finite."""
        whole("`steps` of a task", self.steps, 1)
        whole("`limit` of a task", self.limit, 1)
        for index, value in enumerate(self.base or ()):
            if not math.isfinite(value):
                raise InputError(f"value {index} of `base` of a task is {value}; expected a finite number")
