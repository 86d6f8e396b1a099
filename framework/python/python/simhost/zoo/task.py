"""Tasks of several agents: what each observes, how it acts, and what it is rewarded for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from ..ensemble import Matrix, _single
from ..errors import InputError
from ..gym import Action
from ..gym.task import Column
from ..session import PathLike, Session, whole

AGENT = "{agent}"
"""Placeholder for the name of an agent."""


@dataclass(frozen=True, kw_only=True)
class ParallelTask:
    """What the agents of an environment observe, how they act, and what they are rewarded for.

    Each agent drives a vehicle of the world. In names, `{agent}` is the name of the agent: "{agent}/pose" is the pose of its
    own vehicle. All functions take arrays with a row for each agent, in the order of `agents`. The quantities of a vehicle that
    has left the world are NaN, and what the functions return for its agent is ignored.

    Raises:
        InputError: `steps` or `limit` is less than 1, or `command` lacks the placeholder.
        DtypeError: `dtype` is neither float32 nor float64.
    """

    name: str
    """Name of the environment, such as "meeting_v0"."""
    world: PathLike
    """Path of the world file."""
    agents: Sequence[str] | None = None
    """Names of the vehicles that are agents; otherwise all vehicles of the world. Vehicles of other names follow their own
    controllers."""
    command: str
    """Input stream of the command of an agent, such as "{agent}/cmd_vel"."""
    base: Sequence[float] | None = None
    """All values of the command, of which actions replace some; otherwise 0."""
    actions: Sequence[Action] | None = None
    """The numbers of an action; otherwise one for each value that the controller uses."""
    observe: Sequence[str]
    """Patterns of the quantities of an agent, such as "{agent}/twist" or "world/time". They are the columns of the rows, in the
    order of the patterns, and in the order of the world where a pattern matches several. All agents need the same ones."""
    start: Callable[[Session, np.random.Generator], Matrix | None] | None = None
    """Prepares an episode, for example by placing vehicles at random with `Session.set_pose`. It is called after each reset of the
    session. It may return numbers for each agent that remain the same during the episode, such as its goal, as an
    array of shape (agents, n); they are further columns of the rows, after the quantities."""
    low: np.ndarray[Any, Any] | None = None
    """Lower bounds of an observation; otherwise those of the quantities, or none for those of `observation`."""
    high: np.ndarray[Any, Any] | None = None
    """Upper bounds of an observation, as `low`."""
    observation: Callable[[Matrix], Matrix] | None = None
    """Returns the observations, of shape (agents, n), for the rows. It may return its argument. Otherwise, the observations are the
    rows within the bounds; a number that has no value yet is at its upper bound, if it has one."""
    judge: Callable[[Matrix, Matrix], tuple[Column, Column]]
    """Returns the reward of each agent, and whether it has terminated, both of shape (agents,), for the rows before and after an
    action."""
    dtype: DTypeLike = np.float32
    """Type of the rows: float32, which `simhost.gym.scaled` and `simhost.gym.any_below` take, or float64."""
    steps: int = 1
    """Number of steps of the simulation for each action."""
    limit: int = 1000
    """Number of actions after which an episode is truncated."""

    def __post_init__(self) -> None:
        whole("steps", self.steps, 1)
        whole("limit", self.limit, 1)
        _single(self.dtype)
        if AGENT not in self.command:
            raise InputError(f"command is {self.command!r}; expected one with the placeholder {AGENT}, such as '{AGENT}/cmd_vel'")
