"""Twenty robots on a circle, each of which is to drive to the other side without touching another one."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box
from gymnasium.utils.seeding import np_random
from pettingzoo import ParallelEnv

from .. import worlds
from ..errors import ClosedError, InputError, UnknownNameError
from ..session import open

Seen = np.ndarray[Any, np.dtype[np.float32]]

REFERENCE_SCORE = 19.5
"""Mean return of a robot that a simple driver reaches, which follows the circle."""

_RADIUS = 6.0
_TOUCH = 0.5
_ARRIVED = 0.4
_NEIGHBOURS = 4
_SEES = 5.0
_STEPS = 5
_LIMIT = 300
_SIZE = 4 + 2 * _NEIGHBOURS


class CrowdEnv(ParallelEnv[str, Seen, Seen]):
    """Twenty robots on a circle, which act at 10 Hz.

    A robot observes its goal in its own frame, its speed and yaw rate, and the places of the four nearest robots within
    5 m in its own frame, all scaled to about 1. Its action is speed and yaw rate, from -1 to 1. The reward is the progress to
    the goal in m, less 0.01 per action, 10 at the goal and -5 for touching another robot. A robot that arrives or touches
    another one leaves the world. Episodes are truncated after 300 actions.

    Args:
        max_cycles: Number of actions after which an episode is truncated.
    """

    metadata: dict[str, Any] = {"name": "crowd_v0", "render_modes": [], "is_parallelizable": True}

    def __init__(self, max_cycles: int = _LIMIT) -> None:
        self.max_cycles = max_cycles
        self.render_mode: str | None = None
        self._session = open(worlds.roundabout)
        self.possible_agents: list[str] = self._session.vehicles
        self.agents: list[str] = []
        count = len(self.possible_agents)
        states = [f"{name}/{what}" for name in self.possible_agents for what in ("pose", "twist")]
        self._state = self._session.watch(states)
        self._index = {name: number for number, name in enumerate(self.possible_agents)}
        self._goals = np.zeros((count, 2))
        self._elapsed = 0
        self._spaces = {
            name: (Box(-2.0, 2.0, (_SIZE,), dtype=np.float32), Box(-1.0, 1.0, (2,), dtype=np.float32))
            for name in self.possible_agents
        }
        self._random, _ = np_random()

    def observation_space(self, agent: str) -> Box:
        """Returns the space of the observations of an agent, which is the same object in each call."""
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> Box:
        """Returns the space of the actions of an agent, which is the same object in each call."""
        return self._spaces[agent][1]

    def _rows(self) -> np.ndarray[Any, Any]:
        """Returns pose (6) and twist (3) of each robot."""
        return self._state.reshape(-1, 9).copy()

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Seen], dict[str, dict[str, Any]]]:
        """Puts all robots on the circle, each at a random place near its own. `seed` repeats this and later episodes."""
        if seed is not None:
            self._random, _ = np_random(seed)
        self._session.reset(int(self._random.integers(2**63)))
        count = len(self.possible_agents)
        angles = (np.arange(count) + self._random.uniform(-0.2, 0.2, count)) * 2.0 * np.pi / count
        places = _RADIUS * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        self._goals = -places
        for name, (x, y), angle in zip(self.possible_agents, places, angles, strict=True):
            self._session.set_pose(name, float(x), float(y), float(angle + np.pi))
        self.agents = list(self.possible_agents)
        self._elapsed = 0
        seen = self._observe(self._rows())
        return {name: seen[self._index[name]] for name in self.agents}, {name: {} for name in self.agents}

    def step(
        self, actions: dict[str, Seen]
    ) -> tuple[
        dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """Takes an action of each agent that is left: float32 or float64 of shape (2,), from -1 to 1.

        Raises:
            UnknownNameError: an agent has left, or does not exist.
            InputError: an action has another shape, or is not finite. Nothing is then stepped.
        """
        if not self.agents:
            return {}, {}, {}, {}, {}
        for name, action in actions.items():
            if name not in self.agents:
                raise UnknownNameError(f"unknown agent: {name!r}; expected one of {', '.join(self.agents)}")
            values = np.asarray(action, dtype=np.float64)
            if values.shape != (2,) or not np.isfinite(values).all():
                raise InputError(f"the action of {name!r} is {action!r}; expected two finite numbers")
        before = self._away(self._rows())
        for name, action in actions.items():
            speed, turn = np.clip(np.asarray(action, dtype=np.float64), -1.0, 1.0)
            self._session[name].command("twist", float(speed), 0.0, float(turn) * 2.0)
        self._session.step(_STEPS)
        self._elapsed += 1
        rows = self._rows()
        away, touches = self._away(rows), self._touches(rows)
        seen, is_over = self._observe(rows), self._elapsed >= self.max_cycles
        observations, rewards, terminated, truncated = {}, {}, {}, {}
        for name in self.agents:
            number = self._index[name]
            has_arrived = away[number] < _ARRIVED
            observations[name] = seen[number]
            reward = before[number] - away[number] - 0.01 + 10.0 * has_arrived - 5.0 * touches[number]
            rewards[name] = float(reward)
            terminated[name] = bool(has_arrived or touches[number])
            truncated[name] = is_over and not terminated[name]
        infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        self._leave([name for name in self.agents if terminated[name]])
        self.agents = [name for name in self.agents if not (terminated[name] or truncated[name])]
        return observations, rewards, terminated, truncated, infos

    def _leave(self, names: list[str]) -> None:
        """Takes robots out of the way."""
        for name in names:
            self._session[name].command("twist", 0.0, 0.0, 0.0)
            self._session.set_pose(name, 100.0 + 2.0 * self._index[name], 100.0)

    def _away(self, rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return np.hypot(*(rows[:, :2] - self._goals).T)

    def _touches(self, rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        apart = rows[:, None, :2] - rows[None, :, :2]
        distance = np.hypot(apart[..., 0], apart[..., 1])
        np.fill_diagonal(distance, np.inf)
        return (distance < _TOUCH).any(axis=1)

    def _observe(self, rows: np.ndarray[Any, Any]) -> Seen:
        cos, sin = np.cos(rows[:, 3]), np.sin(rows[:, 3])

        def own(x: np.ndarray[Any, Any], y: np.ndarray[Any, Any], c: Any, s: Any) -> tuple[Any, Any]:
            return c * x + s * y, c * y - s * x

        seen = np.zeros((len(rows), _SIZE), dtype=np.float32)
        to_goal = self._goals - rows[:, :2]
        seen[:, 0], seen[:, 1] = (part / (2.0 * _RADIUS) for part in own(*to_goal.T, cos, sin))
        seen[:, 2], seen[:, 3] = rows[:, 6], rows[:, 8] / 2.0
        apart = rows[None, :, :2] - rows[:, None, :2]
        distance = np.hypot(apart[..., 0], apart[..., 1])
        np.fill_diagonal(distance, np.inf)
        nearest = np.argsort(distance, axis=1, kind="stable")[:, :_NEIGHBOURS]
        for place in range(_NEIGHBOURS):
            other = nearest[:, place]
            at = np.arange(len(rows)), other
            x, y = own(apart[at][:, 0], apart[at][:, 1], cos, sin)
            is_near = distance[at] < _SEES
            # a place without a robot has the range of sight ahead
            seen[:, 4 + 2 * place] = np.where(is_near, x / _SEES, 1.0)
            seen[:, 5 + 2 * place] = np.where(is_near, y / _SEES, 0.0)
        return np.clip(seen, -2.0, 2.0, out=seen)

    def render(self) -> None:
        """Shows nothing."""

    def close(self) -> None:
        """Ends the session."""
        self.agents = []
        try:
            self._session.close()
        except ClosedError:
            pass


def parallel_env(max_cycles: int = _LIMIT) -> CrowdEnv:
    """Returns the environment."""
    return CrowdEnv(max_cycles)
