"""Ensembles: one world many times, with differences, stepped together."""

from __future__ import annotations

import operator
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from . import _core
from .errors import DtypeError, InputError, MemberError, VariationError
from .session import MAX_THREADS, Array, PathLike, Session, at_least_one, one_or_many, whole, world_options

Selection = _core.Selection
EnsembleSnapshot = _core.EnsembleSnapshot
Matrix = np.ndarray[tuple[int, int], np.dtype[Any]]


@dataclass(frozen=True)
class End:
    """The reason why a member stands still."""

    member: int
    """Number of the member."""
    kind: str
    """"duration", "fault", "diverged", "scan" or "observer"."""
    text: str
    """The reason in words."""


def _single(dtype: DTypeLike) -> bool:
    kind = np.dtype(dtype)
    if kind not in (np.dtype(np.float32), np.dtype(np.float64)):
        raise DtypeError(f"dtype is {kind}; expected float32 or float64")
    return bool(kind == np.float32)


class Ensemble:
    """One world many times, with differences, stepped together.

    Members are numbered from 0. The results of each are those of a session with the same calls, bit for bit, whatever
    the number of members and threads.

    Args:
        world: Path of a world file.
        members: Number of members.
        vary: Differences between the members: texts such as "robot/friction/mu=uniform:0.3:1", or a mapping from names
            to a distribution such as "uniform:0.3:1", a number, or one number or text per member.
        text: Text of a world file, in place of the content of `world`, at whose folder relative paths then start.
        seed: Seed of member 0, which is the key of all draws; member k has `seed + k`.
        threads: Number of threads, which share the members.
        max_memory: Memory that the members may take, bytes; 8 GiB by default.
        plugins: Folder with plugins, or several of them.
        commands: Path of a command file, whose commands all members get.
        allow: What the world may do only if you allow it, as for `open`.

    Raises:
        WorldError: the world has errors.
        VariationError: a difference does not fit the world.
        MemberMemoryError: the members would take too much memory.
    """

    def __init__(
        self,
        world: PathLike,
        members: int,
        *,
        vary: Iterable[str] | Mapping[str, Any] = (),
        text: str | None = None,
        seed: int | None = None,
        threads: int = 1,
        max_memory: int | None = None,
        plugins: PathLike | Iterable[PathLike] = (),
        commands: PathLike | None = None,
        allow: str | Iterable[str] = (),
    ) -> None:
        members, options = whole("members", members, 1), world_options(seed, threads, plugins, allow=allow)
        variations, file = _variations(vary, members), None if commands is None else os.fspath(commands)
        self._core = _core.Ensemble.open(os.fspath(world), text, members, variations, _memory(max_memory), file, options)
        if shared := self._core.shared_random_values():
            warnings.warn(f"all members have the same random values of the world file: {shared}", stacklevel=2)

    @classmethod
    def _of(cls, session: Session, members: int, vary: Iterable[str] | Mapping[str, Any], threads: int, max_memory: int | None) -> Ensemble:
        """Returns an ensemble whose members start from the present state of a session."""
        members, threads = whole("members", members, 1), whole("threads", threads, 1, MAX_THREADS)
        ensemble = cls.__new__(cls)
        ensemble._core = _core.Ensemble.of_session(session._core, members, _variations(vary, members), _memory(max_memory), threads)
        return ensemble

    def __enter__(self) -> Ensemble:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Ensemble of {self.members} members>"

    def close(self) -> None:
        """Ends the ensemble."""
        self._core.close()

    @property
    def members(self) -> int:
        """Number of members."""
        return self._core.members

    @property
    def dt(self) -> float:
        """Time step, s."""
        return self._core.dt

    @property
    def variations(self) -> list[str]:
        """Names of the differences, in their order."""
        return self._core.variations

    def values(self, member: int) -> dict[str, float | str]:
        """Returns the present value of each difference for a member."""
        return dict(zip(self.variations, self._core.values(self._number(member)), strict=True))

    def _number(self, member: int) -> int:
        """Returns the number of a member as the extension module takes it, which has no negative ones."""
        number = operator.index(member)
        if not 0 <= number < self.members:
            raise MemberError(f"unknown member {number}; the members are 0 to {self.members - 1}")
        return number

    def select(self, patterns: str | Iterable[str]) -> Selection:
        """Selects quantities for `read`, in the order of the world. Keep the result: the names are looked up once.

        Raises:
            UnknownNameError: a pattern matches nothing.
        """
        return self._core.select(at_least_one(patterns))

    def read(
        self,
        what: Selection | str | Iterable[str],
        *,
        dtype: DTypeLike = np.float32,
        out: Matrix | None = None,
    ) -> Matrix:
        """Reads quantities of all members.

        Args:
            what: A selection of `select`, or patterns.
            dtype: float32 or float64.
            out: Contiguous array of shape (members, n) that is filled, in place of a new one.

        Returns:
            Array of shape (members, n), one row per member. Readings are NaN before the first sample of their sensor.
        """
        selection = what if isinstance(what, Selection) else self.select(what)
        if out is None:
            return self._core.read(selection, _single(dtype))
        if isinstance(out, np.ndarray) and not out.flags.writeable:
            raise InputError("out is read-only; expected an array that can be written")
        self._core.read_into(selection, out)
        return out

    def write(self, stream: str, values: Matrix) -> None:
        """Sets a command of all members from the next step on.

        Args:
            stream: Input stream of a command, such as "robot/cmd_vel".
            values: Array of float32 or float64 of shape (members, n), with the values of the command in its order and
                units.

        Raises:
            UnknownNameError: there is no such command.
            ShapeError, DtypeError: the array is another one; the text has the expected shape.
            InputError: a value is not finite; the text has member and index. Nothing then changes.
        """
        self._core.write(stream, values)

    def exchange(
        self,
        stream: str,
        values: Matrix,
        steps: int,
        selection: Selection,
        *,
        reset: np.ndarray[Any, Any] | None = None,
    ) -> Matrix:
        """Does `write`, `step`, `reset` of the members of a mask, and `read` as float32, in one call."""
        return self._core.exchange(stream, values, whole("steps", steps, 0), selection, reset)

    def step(self, steps: int = 1, *, mask: np.ndarray[Any, Any] | None = None) -> None:
        """Takes steps with all members that have not ended, or with those for which `mask`, bool of shape (members,),
        is true. Other threads run meanwhile, and Ctrl-C ends the call between two steps.

        A member that diverges, whose model faults, or that reaches the duration of the world ends and stands still:
        `ends` has the reasons.
        """
        self._core.step(whole("steps", steps, 0), mask)

    def run_until(self, time: float) -> None:
        """Steps until the simulated time `time`, s, with all members that have not ended.

        Raises:
            InputError: the time is not finite, or has passed for all members.
        """
        self._core.run_until(time)

    def metrics(self, metrics: str | Iterable[str], *, until: float, every: float = 0.1) -> dict[str, Array]:
        """Runs all members until a simulated time and reduces quantities to one number per member.

        Args:
            metrics: Texts such as "v=max(abs(robot/twist[0]))" or "final:robot/pose", as for `simhost run --metric`.
            until: Simulated time, s.
            every: Simulated time between samples, s.

        Returns:
            For each metric, an array of float64 of shape (members,). Metrics of a member that has ended are those until
            then; NaN without a sample.

        Raises:
            InputError: the time is not finite, or has passed for all members; or a metric cannot be read.
        """
        names, values = self._core.metrics(one_or_many(metrics), every, until)
        return dict(zip(names, values, strict=True))

    def reset(self, *, mask: np.ndarray[Any, Any] | None = None, seeds: Sequence[int] | None = None) -> None:
        """Puts members back to their starts, all or those for which `mask`, bool of shape (members,), is true.

        Random differences are drawn anew. `seeds` are new seeds, one for each member, also for those that are not reset.
        """
        self._core.reset(mask, None if seeds is None else _wholes("seeds", seeds))

    def restart(self, session: Session) -> None:
        """Lets all members start from the present state of a session of the same world, as those of `Session.ensemble` do, but
        without building anything anew. Later resets return to this state. Random differences are drawn anew, and planned
        commands stay those with which the ensemble was opened.

        Raises:
            InputError: the world of the session has other edits.
            SnapshotError: it is another world.
        """
        self._core.restart(session._core)

    def set_streams(self, mask: np.ndarray[Any, Any], numbers: Sequence[int]) -> None:
        """Lets the members of a mask draw from other streams from the next reset on.

        Without this, the stream of a member has its own number. Draws depend on the seed of the ensemble, the name, the
        stream, and the number of resets with it: they can be repeated, and members with one stream have the same.

        Args:
            mask: bool of shape (members,).
            numbers: A number for each member, from 0 to 2**64 - 1; those outside the mask are ignored.
        """
        self._core.set_streams(mask, _wholes("streams", numbers))

    @property
    def has_any_ended(self) -> bool:
        """Whether any member stands still."""
        return self._core.has_any_ended()

    def end_after(self, steps: int | None) -> None:
        """Ends members after a number of steps in place of the duration of the world; None for never."""
        self._core.end_after(None if steps is None else whole("steps", steps, 0))

    @property
    def steps(self) -> np.ndarray[Any, Any]:
        """Number of completed steps of each member, int64 of shape (members,)."""
        return self._core.steps()

    @property
    def ended(self) -> np.ndarray[Any, Any]:
        """Whether each member stands still, bool of shape (members,)."""
        return self._core.ended()

    @property
    def ends(self) -> list[End]:
        """Members that stand still, with the reasons."""
        return [End(*end) for end in self._core.ends()]

    def seed(self, member: int) -> int:
        """Returns the seed of a member."""
        return self._core.seed(self._number(member))

    def result_hash(self, member: int) -> str:
        """Returns the result hash of a member, in hexadecimal digits."""
        return self._core.result_hash(self._number(member))

    def to_session(self, member: int) -> Session:
        """Returns a session that continues from the state of a member."""
        return Session(self._core.to_session(self._number(member)))

    def snapshot(self) -> EnsembleSnapshot:
        """Takes a snapshot of all members."""
        return self._core.snapshot()

    def restore(self, snapshot: EnsembleSnapshot) -> None:
        """Returns to a snapshot of this ensemble."""
        self._core.restore(snapshot)

    @property
    def why_not_shared(self) -> list[str]:
        """Why the members cannot share tables and are stepped one by one, which is slower; nothing if they share them."""
        return self._core.why_not_shared()

    @property
    def apart(self) -> int:
        """Number of members that have a simulation of their own at present."""
        return self._core.apart()


def _memory(limit: int | None) -> int | None:
    """Returns a limit of memory, bytes, as the extension module takes it."""
    return None if limit is None else whole("max_memory", limit, 0, 2**64 - 1)


def _wholes(name: str, values: Iterable[int]) -> list[int]:
    """Returns whole numbers as the extension module takes them."""
    return [whole(f"{name}[{index}]", value, 0, 2**64 - 1) for index, value in enumerate(values)]


def _variations(vary: Iterable[str] | Mapping[str, Any], members: int) -> list[Any]:
    """Returns differences as the extension module takes them."""
    if isinstance(vary, str):
        return [vary]
    if not isinstance(vary, Mapping):
        return list(vary)
    variations: list[Any] = []
    for name, value in vary.items():
        if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
            value = value.item()
        if isinstance(value, str | int | float):
            variations.append(f"{name}={value}")
            continue
        if isinstance(value, Mapping) or not isinstance(value, Iterable):
            found = type(value).__name__
            raise VariationError(f"cannot vary {name!r}: found the type {found}; expected a number or a text, or one for each member")
        items = value if isinstance(value, np.ndarray) else list(value)
        if len(items) and isinstance(items[0], str):
            variations.append((name, list(map(str, items))))
            continue
        try:
            variations.append((name, np.asarray(items, dtype=np.float64)))
        except (TypeError, ValueError):
            raise VariationError(f"cannot vary {name!r}: a value is not a number; expected numbers, or texts alone") from None
    return variations
