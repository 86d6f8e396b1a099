"""Environments of tasks of several agents."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box
from gymnasium.utils.seeding import np_random
from pettingzoo import ParallelEnv

from ..ensemble import Matrix
from ..errors import ClosedError, DivergedError, DtypeError, InputError, ModelFault, ShapeError, UnknownNameError
from ..gym import Action

# the pictures and the ranges of actions are those of environments of one agent
from ..gym.envs import _SCALE, _check, _ends, judged
from ..session import CommandValue, Session, at_least_one, command_values, one_or_many, open, unknown
from .task import AGENT, ParallelTask

Observation = np.ndarray[Any, np.dtype[np.float32]]
Infos = dict[str, dict[str, Any]]


class _Driver:
    """Turns the actions of one agent into commands of its vehicle."""

    def __init__(self, name: str, task: ParallelTask, streams: Mapping[str, list[CommandValue]], session: Session) -> None:
        stream = task.command.replace(AGENT, name)
        if stream not in streams:
            raise unknown("command", stream, streams)
        values = {value.index: value for value in streams[stream]}
        kind, names = streams[stream][0].kind, streams[stream][0].names
        base = [0.0] * len(names) if task.base is None else list(task.base)
        if len(base) != len(names):
            raise ShapeError(f"`base` has {len(base)} values; expected {len(names)}, as the command {stream!r}")
        actions = [Action(index) for index in values] if task.actions is None else task.actions
        for action in actions:
            if action.index not in values:
                raise InputError(f"an action has the index {action.index}; expected one of {', '.join(map(str, values))}")
        low, high = np.array([_ends(action, values, session) for action in actions], dtype=np.float64).reshape(-1, 2).T
        self._name, self._kind, self._vehicle = name, kind, session[name]
        self._base = base
        middle, half = (low + high) / 2.0, (high - low) / 2.0
        self._scales = list(zip([action.index for action in actions], middle.tolist(), half.tolist(), strict=True))
        self.space = Box(-1.0, 1.0, (len(actions),), dtype=np.float32)

    def checked(self, action: Any) -> list[float]:
        """Returns the numbers of an action."""
        expected = f"{self.space.shape[0]} finite numbers"
        try:
            values = np.asarray(action, dtype=np.float64)
        except (TypeError, ValueError):
            raise DtypeError(f"the action of {self._name!r} is {action!r}; expected {expected}") from None
        if values.shape != self.space.shape:
            raise ShapeError(f"the action of {self._name!r} has the shape {values.shape}; expected {self.space.shape}: {expected}")
        numbers = values.tolist()
        if not all(map(math.isfinite, numbers)):
            raise InputError(f"the action of {self._name!r} is {action!r}; expected {expected}")
        return numbers

    def act(self, action: list[float]) -> None:
        values = list(self._base)
        # numpy takes longer for a few numbers
        for (index, middle, half), number in zip(self._scales, action, strict=True):
            values[index] = min(max(number, -1.0), 1.0) * half + middle
        self._vehicle.command(self._kind, *values)


class _Rows:
    """The quantities of all agents, with a row for each."""

    def __init__(self, agents: Sequence[str], task: ParallelTask, session: Session) -> None:
        patterns = at_least_one(task.observe)
        expanded = {name: [pattern.replace(AGENT, name) for pattern in patterns] for name in agents}
        # raises the error of a misspelt pattern
        session.quantities(expanded[agents[0]])
        # few patterns for all vehicles take less time than many for one each
        every = [pattern.replace(AGENT, "*") for pattern in patterns]
        found = {quantity.name: quantity for quantity in session.quantities(every)}
        sizes = [quantity.size or 1 for quantity in found.values()]
        starts = dict(zip(found, np.cumsum([0, *sizes]).tolist(), strict=False))
        columns: list[list[int]] = []
        ranges: list[list[tuple[float, float]]] = []
        first: list[str] = []
        for name, own in expanded.items():
            columns.append([])
            ranges.append([])
            layout: list[str] = []
            for pattern, one in zip(patterns, own, strict=True):
                for match in [one] if one in found else [quantity.name for quantity in session.quantities(one)]:
                    quantity, size = found[match], found[match].size or 1
                    columns[-1] += range(starts[match], starts[match] + size)
                    ranges[-1] += quantity.ranges * (size // len(quantity.ranges))
                    layout.append(f"{_with_placeholder(match, pattern)!r} of size {size}")
            first = first or layout
            for has, expected in zip_longest(layout, first, fillvalue="nothing"):
                if has != expected:
                    text = f"the quantities of the agents {agents[0]!r} and {name!r} differ: {expected} and {has}"
                    raise InputError(f"{text}; expected the same for all agents")
        self.ranges = np.array(ranges, dtype=np.float32).transpose(2, 0, 1)
        self._columns, self._values, self._dtype = np.array(columns), session.watch(every), np.dtype(task.dtype)

    def read(self) -> Matrix:
        return self._values[self._columns].astype(self._dtype, copy=False)


def _with_placeholder(quantity: str, pattern: str) -> str:
    """Returns the name of a quantity that is the same for all agents."""
    parts = quantity.split("/")
    for place, part in enumerate(pattern.split("/")[: len(parts)]):
        if AGENT in part:
            parts[place] = part
    return "/".join(parts)


class WorldParallelEnv(ParallelEnv[str, Observation, Observation]):
    """A world with several agents.

    An agent that terminates leaves `agents`, and its vehicle leaves the world at the start of the next step, so that it is
    still in the picture of the step in which it has terminated. All vehicles return with `reset`.

    Args:
        task: The task.
        threads: Number of threads, at most 1,024. Results do not depend on it.
        render_mode: None, or "rgb_array" for `render`.

    Raises:
        WorldError: the world has errors.
        UnknownNameError: an agent, the command or a quantity does not exist.
        InputError: the agents have different quantities, an action has an index that the command does not have, or the range of an
            action is unknown.
        ShapeError: a function of the task returns an array of another shape, or bounds have one.
    """

    metadata: dict[str, Any]
    possible_agents: list[str]
    """Names of all agents, in the order of the rows."""
    agents: list[str]
    """Names of the agents that have neither terminated nor been truncated; none before the first `reset`."""
    max_cycles: int
    """Number of actions after which an episode is truncated: `limit` of the task, unless it is set."""

    def __init__(self, task: ParallelTask, *, threads: int = 1, render_mode: str | None = None) -> None:
        _check(render_mode)
        self.task = task
        self.render_mode = render_mode
        self.max_cycles = task.limit
        self._session = open(task.world, threads=threads)
        self.possible_agents = _agents(task, self._session.vehicles)
        self.agents = []
        streams: dict[str, list[CommandValue]] = {}
        for value, command in command_values(self._session._core).items():
            streams.setdefault(value.rpartition("/")[0], []).append(command)
        self._drivers = {name: _Driver(name, task, streams, self._session) for name in self.possible_agents}
        self._rows = _Rows(self.possible_agents, task, self._session)
        self._numbers: Matrix | None = None
        self._random, _ = np_random(0)
        low, high = ends = self._bounds(self._begin())
        self._spaces = {name: Box(*own, dtype=np.float32) for name, *own in zip(self.possible_agents, low, high, strict=True)}
        # NaN limits nothing, and a limit replaces it
        self._least, self._most = np.where(np.isfinite(ends), ends, np.nan)
        self._random, _ = np_random()
        rate = 1.0 / (self._session.dt * task.steps)
        self.metadata = {"name": task.name, "render_modes": ["rgb_array"], "render_fps": rate, "is_parallelizable": True}
        self._elapsed = 0
        self._leaving: list[str] = []
        self._is_reset = self._is_closed = False

    @property
    def session(self) -> Session:
        """The session behind the environment."""
        return self._session

    def observation_space(self, agent: str) -> Box[np.float32]:
        """Returns the space of the observations of an agent, float32, which is the same object in each call.

        Raises:
            UnknownNameError: there is no such agent.
        """
        self._require(agent)
        return self._spaces[agent]

    def action_space(self, agent: str) -> Box[np.float32]:
        """Returns the space of the actions of an agent, from -1 to 1, which is the same object in each call.

        Raises:
            UnknownNameError: there is no such agent.
        """
        self._require(agent)
        return self._drivers[agent].space

    def _require(self, agent: str) -> None:
        if agent not in self._drivers:
            raise unknown("agent", agent, self._drivers)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Observation], Infos]:
        """Starts an episode with all agents. `seed` repeats this and later episodes, bit for bit. There are no options.

        Returns:
            For each agent its observation, float32, and an empty dict.

        Raises:
            ClosedError: the environment has been closed.
            ShapeError: `start` of the task returns an array of another shape.
        """
        self._require_open()
        if seed is not None:
            self._random, _ = np_random(seed)
        seen = self._observe(self._begin())
        self.agents = list(self.possible_agents)
        self._elapsed, self._leaving, self._is_reset = 0, [], True
        return dict(zip(self.agents, seen, strict=True)), {name: {} for name in self.agents}

    def step(
        self, actions: dict[str, Observation]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Takes an action of each of `agents`: float32 or float64 of shape (n,), from -1 to 1. Values outside are moved to these bounds.

        Returns:
            For each of these agents the observation, the reward, whether it has terminated, whether it was truncated, and a dict.
            If a model has faulted or a body has diverged, all are truncated, and the dicts have the reason as
            "diverged". All five are empty when no agent is left.

        Raises:
            UnknownNameError: an action is that of an agent that has left, or that does not exist.
            InputError: an agent has no action, or its action is not finite; nothing is then stepped.
            ShapeError: an action has another shape.
            DtypeError: an action is not an array of numbers.
            ClosedError: the environment has been closed.
        """
        self._require_open()
        if not self._is_reset:
            raise ResetNeeded("the environment has not been reset; expected a call of reset before the first step")
        checked = self._checked(actions)
        if not self.agents:
            return {}, {}, {}, {}, {}
        for name in self._leaving:
            self._session.remove(name)
        before = self._read()
        for name, action in checked.items():
            self._drivers[name].act(action)
        diverged = self._run()
        self._elapsed += 1
        after = self._read()
        seen, (reward, ends) = self._observe(after), judged(self.task.judge, before, after)
        is_over = self._elapsed >= self.max_cycles or diverged is not None
        observations, rewards, terminated, truncated = {}, {}, {}, {}
        infos: Infos = {}
        for number, name in enumerate(self.possible_agents):
            if name not in checked:
                continue
            observations[name], rewards[name] = seen[number], float(reward[number])
            terminated[name] = bool(ends[number])
            truncated[name] = is_over and not terminated[name]
            infos[name] = {} if diverged is None else {"diverged": diverged}
        self._leaving = [name for name in self.agents if terminated[name]]
        self.agents = [name for name in self.agents if not (terminated[name] or truncated[name])]
        return observations, rewards, terminated, truncated, infos

    # the annotation of the base class has no array of three dimensions
    def render(self) -> Any:
        """Returns a picture from above: shape (464, 640, 3), uint8; None without a render mode.

        Raises:
            ClosedError: the environment has been closed.
        """
        self._require_open()
        return None if self.render_mode is None else self._session.picture(_SCALE)

    def close(self) -> None:
        """Ends the session. Closing again does nothing."""
        self._is_closed = True
        self._session.close()

    def _require_open(self) -> None:
        if self._is_closed:
            raise ClosedError("the environment has been closed; help: make it again")

    def _begin(self) -> Matrix:
        """Starts an episode of the session, and returns its first rows."""
        self._session.reset(int(self._random.integers(2**63)))
        numbers = None if self.task.start is None else self.task.start(self._session, self._random)
        count = len(self.possible_agents)
        if numbers is not None and (np.ndim(numbers) != 2 or len(numbers) != count):
            raise ShapeError(f"`start` of the task returns the shape {np.shape(numbers)}; expected ({count}, n)")
        self._numbers = None if numbers is None else np.array(numbers, dtype=self.task.dtype)
        return self._read()

    def _read(self) -> Matrix:
        rows = self._rows.read()
        return rows if self._numbers is None else np.concatenate([rows, self._numbers], axis=1)

    def _checked(self, actions: Mapping[str, Any]) -> dict[str, list[float]]:
        """Returns the numbers of the actions of all agents."""
        if not isinstance(actions, Mapping):
            raise DtypeError(f"the actions are of type {type(actions).__name__}; expected a dict with an action for each agent")
        for name in actions:
            self._require(name)
            if name not in self.agents:
                raise UnknownNameError(f"the agent {name!r} has left; expected actions of {', '.join(self.agents) or 'none'}")
        missing = [name for name in self.agents if name not in actions]
        if missing:
            raise InputError(f"missing actions of {', '.join(missing)}; expected one for each of `agents`")
        return {name: self._drivers[name].checked(actions[name]) for name in self.agents}

    def _run(self) -> str | None:
        """Takes the steps of an action, and returns why they have ended early."""
        try:
            ended = self._session.step(self.task.steps)
        except (ModelFault, DivergedError) as error:
            return str(error)
        return None if ended == "reached" else ended

    def _observe(self, rows: Matrix) -> Matrix:
        if self.task.observation is None:
            return np.fmax(np.fmin(rows, self._most), self._least).astype(np.float32)
        seen = np.asarray(self.task.observation(rows), dtype=np.float32)
        if seen.shape != self._least.shape:
            raise ShapeError(f"`observation` of the task returns the shape {seen.shape}; expected {self._least.shape}")
        return seen

    def _bounds(self, rows: Matrix) -> Matrix:
        """Returns the lower and the upper bounds of the observations, of shape (2, agents, n)."""
        count = len(rows)
        if self.task.observation is None:
            width, (low, high) = rows.shape[1], self._rows.ranges
        else:
            seen = np.shape(self.task.observation(rows))
            if len(seen) != 2 or seen[0] != count:
                raise ShapeError(f"`observation` of the task returns the shape {seen}; expected ({count}, n)")
            width, (low, high) = seen[1], np.empty((2, count, 0), dtype=np.float32)
        # numbers that are not quantities have no bounds
        more = np.full((count, width - low.shape[1]), np.inf, dtype=np.float32)
        ends = np.stack([np.concatenate([low, -more], axis=1), np.concatenate([high, more], axis=1)])
        for end, (name, given) in enumerate((("low", self.task.low), ("high", self.task.high))):
            if given is None:
                continue
            if np.shape(given) != (width,):
                raise ShapeError(f"`{name}` of the task has the shape {np.shape(given)}; expected {(width,)}")
            ends[end] = given
        return ends


def _agents(task: ParallelTask, vehicles: list[str]) -> list[str]:
    """Returns the names of the agents of a task."""
    names = vehicles if task.agents is None else one_or_many(task.agents)
    for number, name in enumerate(names):
        if name not in vehicles:
            raise unknown("vehicle", name, vehicles)
        if name in names[:number]:
            raise InputError(f"duplicate agent: {name!r}; expected each vehicle once")
    if not names:
        raise InputError("no agent is named; expected the name of at least one vehicle")
    return names
