"""Tasks: what an environment observes, how it acts, and what it rewards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..session import PathLike

Rows = np.ndarray[tuple[int, int], np.dtype[np.float32]]
Column = np.ndarray[tuple[int], np.dtype[Any]]


@dataclass(frozen=True)
class Action:
    """One number of an action. Actions are from -1 to 1, which stand for `low` and `high`."""

    index: int
    """Index of the value of the command."""
    low: float
    """Value of the command for -1, in its unit."""
    high: float
    """Value of the command for 1, in its unit."""


@dataclass(frozen=True)
class Task:
    """What environments of a world observe, how they act, and what they reward.

    All functions take arrays with a row for each environment. They depend on nothing else, so that one environment
    and many have the same results.
    """

    name: str
    """Name with which the task is registered, such as "simhost/Goal-v0"."""
    world: PathLike
    """Path of the world file."""
    command: str
    """Input stream of the command, such as "robot/cmd_vel"."""
    base: Sequence[float]
    """All values of the command, of which actions replace some."""
    actions: Sequence[Action]
    """The numbers of an action."""
    observe: Sequence[str]
    """Patterns of the quantities that the functions get, in the order of the world."""
    low: np.ndarray[Any, Any]
    """Lower bounds of an observation."""
    high: np.ndarray[Any, Any]
    """Upper bounds of an observation."""
    observation: Callable[[Rows], Rows]
    """Returns the observations, float32, for the quantities. It may return its argument."""
    judge: Callable[[Rows, Rows], tuple[Column, Column]]
    """Returns rewards, and whether the episodes have terminated, for the quantities before and after an action."""
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
