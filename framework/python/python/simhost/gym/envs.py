"""Environments of tasks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from .. import _core
from ..ensemble import Ensemble, Selection
from ..errors import DtypeError, InputError, ShapeError
from ..session import CommandValue, Session, command_values, unknown, whole
from .task import Action, Column, Rows, Task
from .tasks import TASKS

Picture = np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]

_SCALE = 0.4
"""Size of pictures: 640 x 464 pixels."""


class _Members:
    """The members of an ensemble as environments of a task."""

    def __init__(self, task: Task, count: int, threads: int) -> None:
        self.task = task
        self.ensemble = Ensemble(task.world, count, vary=task.vary, seed=0, threads=threads)
        self.ensemble.end_after(None)
        self.selection = self.ensemble.select(task.observe)
        self._core = self.ensemble._core
        actions, base = _actions(task, self.ensemble)
        ahead = list(task.ahead)
        self._actor = _core.Actor(self._core, self.selection, task.command, task.steps, actions, base, ahead)
        self.act = self._actor.act
        self.observation, low, high = _observation(task, self.selection, self.read())
        self.seen = Box(low, high, dtype=np.float32)
        self.acted = Box(-1.0, 1.0, (len(actions),), dtype=np.float32)

    def seed(self, mask: Column, seeds: Sequence[int | None]) -> None:
        """Puts the members of a mask back to their starts, with seeds, which have been checked, where there are any."""
        given = [seed is not None for seed in seeds]
        if any(given):
            # an environment has the draws of its seed, whatever its number
            self._core.set_streams(mask & np.array(given), [0 if seed is None else seed for seed in seeds])
            own = [self.ensemble.seed(member) if seed is None else seed for member, seed in enumerate(seeds)]
            self._core.reset(mask, own)
        else:
            self._core.reset(mask, None)

    def read(self) -> Rows:
        rows = self._core.read(self.selection, True)
        rows.flags.writeable = False
        return rows

    def judge(self, before: Rows, after: Rows) -> tuple[Column, Column]:
        """Returns rewards and ends as arrays."""
        if len(after) > 1:
            return judged(self.task.judge, before, after)
        rewards, terminated = _pair(self.task.judge(before, after))
        return np.asarray(rewards).reshape(1), np.asarray(terminated).reshape(1)

    @property
    def rate(self) -> float:
        """Actions per second of simulated time."""
        return 1.0 / (self.ensemble.dt * self.task.steps)

    def picture(self, member: int) -> Picture:
        with self.ensemble.to_session(member) as session:
            return session.picture(_SCALE)

    def close(self) -> None:
        self.ensemble.close()


def judged(judge: Callable[[Any, Any], Any], before: Any, after: Any) -> tuple[Column, Column]:
    """Returns the rewards and ends that a task gives for several rows.

    Raises:
        InputError: `judge` does not return a tuple of two.
        ShapeError: there is not one for each row.
        DtypeError: the ends are not bool.
    """
    found = _pair(judge(before, after))
    for what, column in zip(("rewards", "ends"), found, strict=True):
        if np.shape(column) != (len(after),):
            raise ShapeError(f"the {what} that `judge` returns have the shape {np.shape(column)}; expected {(len(after),)}")
    rewards, terminated = found[0], np.asarray(found[1])
    if terminated.dtype != np.bool_:
        raise DtypeError(f"the ends that `judge` returns have the dtype {terminated.dtype}; expected bool")
    return rewards, terminated


def _pair(found: Any) -> tuple[Any, Any]:
    """Returns what `judge` has returned, which is a pair."""
    if not isinstance(found, tuple) or len(found) != 2:
        raise InputError(f"`judge` returns {found!r:.80}; expected a tuple of rewards and ends")
    return found


def _actions(task: Task, ensemble: Ensemble) -> tuple[list[tuple[int, float, float]], list[float]]:
    """Returns the actions of a task, each with index and range, and all values of its command."""
    with ensemble.to_session(0) as session:
        known = command_values(session._core)
        own = {value.index: value for name, value in known.items() if name.rpartition("/")[0] == task.command}
        if not own:
            raise unknown("command", task.command, dict.fromkeys(name.rpartition("/")[0] for name in known))
        chosen = [Action(index) for index in own] if task.actions is None else task.actions
        base = [0.0] * len(next(iter(own.values())).names) if task.base is None else list(task.base)
        return [(one.index, *_ends(one, own, session)) for one in chosen], base


def _ends(action: Action, values: dict[int, CommandValue], session: Session) -> tuple[float, float]:
    """Returns the values of a command for -1 and 1."""
    if action.low is not None and action.high is not None:
        return action.low, action.high
    if action.index not in values:
        raise InputError(f"an action has the index {action.index}; expected one of {', '.join(map(str, values))}")
    quantity, ((unit, (low, high)),), *_ = values[action.index].setpoint(session._core)
    low, high = low if action.low is None else action.low, high if action.high is None else action.high
    if not np.isfinite((low, high)).all():
        raise InputError(f"the range of the quantity '{quantity}' in {unit} is unknown; expected `low` and `high` in Action({action.index})")
    return low, high


def _observation(task: Task, selection: Selection, rows: Rows) -> tuple[Callable[[Rows], Rows], Rows, Rows]:
    """Returns the function that gives the observations of a task, and their bounds."""
    given = task.observation
    if given is None:
        ends = np.array(selection.ranges, dtype=np.float32).reshape(-1, 2).T
    else:
        ends = np.array([[-np.inf], [np.inf]], dtype=np.float32).repeat(given(rows).shape[1], axis=1)
    for end, (name, bound) in enumerate((("low", task.low), ("high", task.high))):
        if bound is None:
            continue
        if np.shape(bound) != ends[end].shape:
            raise ShapeError(f"`{name}` of the task has the shape {np.shape(bound)}; expected {ends[end].shape}")
        ends[end] = bound
    low, high = ends
    if given is not None:

        def observation(rows: Rows) -> Rows:
            seen = given(rows)
            return seen.copy() if seen is rows or seen.base is rows else seen

        return observation, low, high
    # NaN limits nothing, and a limit replaces it
    least, most = (np.where(np.isfinite(end), end, np.nan).astype(np.float32) for end in ends)
    return lambda rows: np.fmax(np.fmin(rows, most), least), low, high


def _seed(seed: int | None) -> int | None:
    """Returns a seed.

    Raises:
        InputError: it is not a whole number from 0 to 2**64 - 1.
    """
    return None if seed is None else whole("seed", seed, 0, 2**64 - 1)


def _check(render_mode: str | None) -> None:
    if render_mode not in (None, "rgb_array"):
        raise InputError(f"render_mode is {render_mode!r}; expected None or 'rgb_array'")


def _named(task: Task | str) -> Task:
    """Returns a task, given itself or the name of one of `TASKS`."""
    if not isinstance(task, str):
        return task
    for known in TASKS.values():
        if known.name == task:
            return known
    raise unknown("task", task, [known.name for known in TASKS.values()])


def _reference(task: Task) -> Task | str:
    """Returns the name of a task of `TASKS`, which can be pickled, or another task itself."""
    return task.name if any(task is known for known in TASKS.values()) else task


class WorldVectorEnv(VectorEnv[Rows, Rows, Column]):
    """Many environments of a task as members of one ensemble.

    Results do not depend on the number of threads. `reset(seed=s)` gives environment k the seed `s + k`, and repeats
    all random differences of that and later episodes.

    Args:
        task: The task, or the name of a registered one.
        num_envs: Number of environments.
        autoreset_mode: NEXT_STEP (the step after the end of an episode ignores the action and returns the first
            observation of the next one), SAME_STEP (the last step returns it, with `final_obs` and `final_info` in
            `info` as `SyncVectorEnv` does), or DISABLED (`reset(options={"reset_mask": …})`).
        threads: Number of threads.
        render_mode: None, or "rgb_array" for `render`.
    """

    metadata: dict[str, Any]

    def __init__(
        self,
        task: Task | str,
        num_envs: int = 1,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        render_mode: str | None = None,
    ) -> None:
        _check(render_mode)
        task = _named(task)
        self.render_mode = render_mode
        self.num_envs = num_envs
        self._threads = threads
        self.autoreset_mode: AutoresetMode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": ["rgb_array"], "render_fps": 1.0, "autoreset_mode": self.autoreset_mode}
        self._members = _Members(task, num_envs, threads)
        self.metadata["render_fps"] = self._members.rate
        self.task = task
        self.single_observation_space: Box = self._members.seen
        self.single_action_space: Box = self._members.acted
        self.observation_space: Box = batch_space(self.single_observation_space, num_envs)
        self.action_space: Box = batch_space(self.single_action_space, num_envs)
        self._observation = self._members.observation
        self._rows = self._members.read()
        self._elapsed = np.zeros(num_envs, dtype=np.int64)
        self._done = np.zeros(num_envs, dtype=bool)
        self._is_any_done = False
        self._is_reset = False

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles and copies the arguments, as environments of Gymnasium do: reset the copy before its first step.

        The state is in `ensemble.snapshot()`.
        """
        arguments = (_reference(self.task), self.num_envs, self.autoreset_mode, self._threads, self.render_mode)
        return _vector_env, arguments

    @property
    def ensemble(self) -> Ensemble:
        """The ensemble behind the environments."""
        return self._members.ensemble

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Rows, dict[str, Any]]:
        """Starts episodes: all, or those of the mask `options["reset_mask"]`, bool of shape (num_envs,)."""
        mask = self._mask(options)
        if isinstance(seed, int | np.integer):
            self._np_random, self._np_random_seed = np_random(int(seed))
            seeds: list[int | None] = [_seed(int(seed) + member) for member in range(self.num_envs)]
        else:
            seeds = [None] * self.num_envs if seed is None else [_seed(own) for own in seed]
        if len(seeds) != self.num_envs:
            raise ValueError(f"seed has {len(seeds)} numbers; expected {self.num_envs}")
        self._members.seed(mask, seeds)
        self._rows = self._members.read()
        self._elapsed[mask] = 0
        self._done = self._done & ~mask
        self._is_any_done = bool(self._done.any())
        self._is_reset = True
        return self._observation(self._rows), {}

    def _mask(self, options: dict[str, Any] | None) -> Column:
        if options is None or "reset_mask" not in options:
            return np.ones(self.num_envs, dtype=bool)
        mask = options["reset_mask"]
        expected = f"expected an array of bool with the shape ({self.num_envs},) and at least one True"
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            found = mask.dtype if isinstance(mask, np.ndarray) else type(mask).__name__
            raise TypeError(f"options['reset_mask'] is of type {found}; {expected}")
        if mask.shape != (self.num_envs,):
            raise ValueError(f"options['reset_mask'] has the shape {mask.shape}; {expected}")
        if not mask.any():
            raise ValueError(f"options['reset_mask'] has no True; {expected}")
        return mask

    def step(self, actions: Rows) -> tuple[Rows, Column, Column, Column, dict[str, Any]]:
        """Takes an action in each environment: float32 or float64 of shape (num_envs, actions), from -1 to 1.

        Returns:
            Observations, rewards (float64), and whether episodes have terminated and were truncated. `info` has
            "diverged" with a text for environments whose model has faulted or whose body has diverged; their episode
            is truncated.
        """
        if not self._is_reset:
            raise ResetNeeded("the environment has not been reset; expected a call of reset before the first step")
        skipped = None
        if self._is_any_done:
            if self.autoreset_mode == AutoresetMode.DISABLED:
                ended = np.flatnonzero(self._done).tolist()
                raise ResetNeeded(f"episodes of environments {ended} have ended; expected a reset with `reset_mask`")
            skipped = self._done
        before = self._rows
        rows, has_any_ended = self._members.act(actions, skipped)
        rewards, terminated = self._members.judge(before, rows)
        self._elapsed += 1
        truncated = self._elapsed >= self.task.limit
        infos: dict[str, Any] = {}
        if has_any_ended:
            truncated = truncated | self._ended(infos)
        if skipped is not None:
            rewards = np.where(skipped, 0.0, rewards)
            terminated, truncated = terminated & ~skipped, truncated & ~skipped
            self._elapsed[skipped] = 0
        done = terminated | truncated
        is_any_done = bool(np.count_nonzero(done))
        observations = self._observation(rows)
        if is_any_done and self.autoreset_mode == AutoresetMode.SAME_STEP:
            observations, rows, infos = self._end(observations, done, infos)
        else:
            self._done, self._is_any_done = done, is_any_done
        self._rows = rows
        return observations, np.asarray(rewards, dtype=np.float64), terminated, truncated, infos

    def _ended(self, infos: dict[str, Any]) -> Column:
        """Adds the members that stand still to `info`, and returns them."""
        texts = np.full(self.num_envs, None, dtype=object)
        for end in self.ensemble.ends:
            texts[end.member] = end.text
        mask = self.ensemble.ended
        infos["diverged"], infos["_diverged"] = texts, mask
        return mask

    def _end(self, observations: Rows, done: Column, infos: dict[str, Any]) -> tuple[Rows, Rows, dict[str, Any]]:
        """Ends episodes in the step in which they are done, and starts the next ones."""
        final = np.full(self.num_envs, None, dtype=object)
        for member in np.flatnonzero(done):
            final[member] = observations[member]
        last: dict[str, Any] = {"final_obs": final, "_final_obs": done.copy()}
        last["final_info"], last["_final_info"] = infos, done.copy()
        self._members.seed(done, [None] * self.num_envs)
        self._elapsed[done] = 0
        rows = self._members.read()
        return self._observation(rows), rows, last

    def render(self) -> tuple[Picture, ...] | None:
        """Returns a picture from above for each environment: shape (464, 640, 3), uint8; None without a render mode."""
        if self.render_mode is None:
            return None
        return tuple(self._members.picture(member) for member in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the ensemble."""
        self._members.close()


class WorldEnv(gymnasium.Env[np.ndarray[Any, Any], np.ndarray[Any, Any]]):
    """One environment of a task, with the results of a `WorldVectorEnv` of one.

    Args:
        task: The task, or the name of a registered one.
        render_mode: None, or "rgb_array" for `render`.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 10}

    def __init__(self, task: Task | str, render_mode: str | None = None) -> None:
        _check(render_mode)
        task = _named(task)
        self.render_mode = render_mode
        self.task = task
        self._members = _Members(task, 1, 1)
        self.metadata = {**self.metadata, "render_fps": self._members.rate}
        self.observation_space: Box = self._members.seen
        self.action_space: Box = self._members.acted
        self._rows = self._members.read()
        self._elapsed = 0
        self._all = np.ones(1, dtype=bool)
        self._act, self._judge, self._observation = self._members.act, task.judge, self._members.observation
        self._limit = task.limit
        self._is_reset = False

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles and copies the arguments, as environments of Gymnasium do: reset the copy before its first step."""
        return type(self), (_reference(self.task), self.render_mode)

    @property
    def ensemble(self) -> Ensemble:
        """The ensemble of one member behind the environment."""
        return self._members.ensemble

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray[Any, Any], dict[str, Any]]:
        """Starts an episode."""
        super().reset(seed=seed)
        self._members.seed(self._all, [_seed(seed)])
        self._rows = self._members.read()
        self._elapsed = 0
        self._is_reset = True
        return self._observation(self._rows)[0], {}

    def step(self, action: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], float, bool, bool, dict[str, Any]]:
        """Takes an action: float32 or float64 of shape (actions,), from -1 to 1. `info` is as of `WorldVectorEnv`."""
        if not self._is_reset:
            raise ResetNeeded("the environment has not been reset; expected a call of reset before the first step")
        before = self._rows
        rows, has_ended = self._act(action, None)
        self._rows = rows
        reward, terminated = self._judge(before, rows)
        if isinstance(reward, np.ndarray):
            reward = reward[0]
        if isinstance(terminated, np.ndarray):
            terminated = terminated[0]
        self._elapsed += 1
        info: dict[str, Any] = {}
        is_truncated = self._elapsed >= self._limit
        if has_ended:
            is_truncated, info = True, {"diverged": self.ensemble.ends[0].text}
        return self._observation(rows)[0], float(reward), bool(terminated), is_truncated, info

    # the picture is an array, which the base class cannot say
    def render(self) -> Any:
        """Returns a picture from above: shape (464, 640, 3), uint8; None without a render mode."""
        return None if self.render_mode is None else self._members.picture(0)

    def close(self) -> None:
        """Ends the ensemble."""
        self._members.close()


def _vector_env(task: Task | str, count: int, mode: AutoresetMode, threads: int, render_mode: str | None) -> WorldVectorEnv:
    """Returns environments that were pickled or copied."""
    return WorldVectorEnv(task, count, autoreset_mode=mode, threads=threads, render_mode=render_mode)
