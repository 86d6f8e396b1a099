"""Calls of models in Python: from the columns of the world to methods, and back."""

from __future__ import annotations

import copy
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .errors import ShapeError

_F64 = np.dtype(np.float64)
_INSTANCE, _WHEEL, _RAY, _ARRAY = range(4)
_FAULT_BYTES = 240


class Step(NamedTuple):
    """A call of a model."""

    time: float
    """Time at the start of the step, s; for a sensor, that of the sample."""
    dt: float
    """Length of the step, s."""
    random: Any
    """`uniform()` and `normal()` return one random number per lane, `uniform(n)` and `normal(n)` an array of (lanes, n).
    They depend on the seed of the run alone. None unless the model is a sensor or has `random = True`."""
    lanes: int
    """Number of lanes of the call."""
    rays: int
    """Number of rays of a sensor."""


@dataclass(frozen=True)
class Reading:
    """The last reading of a sensor of each vehicle."""

    values: NDArray[np.float64]
    """Array of (vehicles, values), NaN beyond the count of a vehicle."""
    counts: NDArray[np.float64]
    """Number of values of each vehicle; 0 before the first sample."""
    ages: NDArray[np.float64]
    """Time since each reading was taken, s; infinite before the first."""


@dataclass(frozen=True)
class ObservedRun:
    """A run that an observer reads."""

    name: str
    """Name of the observer in the world."""
    quantities: dict[str, tuple[str, ...]]
    """Names of the selected quantities, with the unit of each value."""
    folder: Path | None
    """Folder for files; None if the run writes none."""
    time: float
    """Time at the start, s."""
    dt: float
    """Length of a step, s."""
    period: float
    """Time between two samples, s; 0 if there is one after each step."""
    seed: int
    """Seed of the run."""


@dataclass(frozen=True)
class Sample:
    """The values of the selected quantities at one instant: `sample["car/pose"]` is an array."""

    steps: int
    """Number of completed steps."""
    time: float
    """Time after these steps, s."""
    values: NDArray[np.float64]
    """All values, in the order of the quantities."""
    places: Mapping[str, slice]

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        return self.values[self.places[name]]


@dataclass(frozen=True)
class RunEnd:
    """The end of a run."""

    reason: str
    """"duration", "stop", "fault", "interrupt" or "replaced"."""
    text: str
    """The reason in words; empty at the end of the duration."""
    last: Sample
    """The last state of the run; after a fault, the last sample."""


@dataclass(frozen=True)
class PhaseColumns:
    """The columns of a phase."""

    method: str
    """Name of the method that runs it; empty if there is none, and no outputs."""
    inputs: list[tuple[str, int]]
    """Names and scopes of the inputs."""
    outputs: list[tuple[str, int]]
    """Names and scopes of the outputs."""
    varied: list[str]
    """Names of the parameters that can differ between lanes, whose columns follow the inputs."""
    is_of_points: bool
    """Whether it reads the states of an environment, which are numbers then."""
    of_states: bool
    """Whether its outputs are the rates of the states, which are not set."""


class Caller:
    """An instance of a model, with the methods that the host calls."""

    def __init__(self, cls: type, values: Mapping[str, Any], phases: Sequence[PhaseColumns], states: Sequence[tuple[str, int]]):
        self._own = prepared(cls, values)
        self._phases = phases
        self._states = states
        self._names = [name for name, _ in states]
        self._inputs = [[name for name, _ in phase.inputs] for phase in phases]
        self._has_readings = [any(scope == _ARRAY for _, scope in phase.inputs) for phase in phases]
        self._methods: list[Any] = [getattr(self._own, phase.method) if phase.method else None for phase in phases]
        rays: Any = getattr(self._own, "rays", 0)
        count: Any = rays() if callable(rays) else rays
        self.rays: int = int(count)

    def call(
        self,
        number: int,
        given: list[Any],
        kept: list[Any],
        size: tuple[int, int, int],
        time: float,
        dt: float,
        random: Any,
    ) -> tuple[list[Any], list[Any]]:
        """Runs a phase, and returns outputs and states as contiguous arrays."""
        phase = self._phases[number]
        if not phase.method:
            # a phase without a method has no outputs
            return [], kept if phase.is_of_points else [one.reshape(-1) for one in kept]
        lanes, wheels, rays = size
        run = self._methods[number]
        if phase.varied:
            if given[-1] is not None:
                own = copy.copy(self._own)
                vars(own).update(zip(phase.varied, given[len(phase.inputs) :], strict=True))
                run = getattr(own, phase.method)
            del given[len(phase.inputs) :]
        if self._has_readings[number]:
            given = [Reading(*one) if scope == _ARRAY else one for one, (_, scope) in zip(given, phase.inputs, strict=True)]
        columns = SimpleNamespace(**dict(zip(self._inputs[number], given, strict=True)))
        if phase.is_of_points:
            kept = [float(one[0]) for one in kept]
        state = SimpleNamespace(**dict(zip(self._names, kept, strict=True)))
        # a number that is not finite is a fault of the model, with its name
        with np.errstate(all="ignore"):
            returned = run(columns, state, Step(time, dt, random, lanes, rays))
        if returned is None:
            returned = {}
        if not isinstance(returned, Mapping) or len(returned) != len(phase.outputs):
            raise self._wrong_outputs(phase, returned)
        shapes = ((lanes,), (wheels, lanes), (lanes, rays))
        try:
            outputs = [_column(name, returned[name], shapes[scope]) for name, scope in phase.outputs]
        except KeyError:
            raise self._wrong_outputs(phase, returned) from None
        if phase.is_of_points or phase.of_states:
            return outputs, [] if phase.is_of_points else [one.reshape(-1) for one in kept]
        changed = vars(state)
        if len(changed) != len(self._names):
            extra = sorted(set(changed) - set(self._names))
            raise ShapeError(f"{phase.method} sets the undeclared state {extra[0]!r}; expected {', '.join(self._names) or 'none'}")
        return outputs, [_column(name, changed[name], shapes[scope]) for name, scope in self._states]

    def _wrong_outputs(self, phase: PhaseColumns, returned: Any) -> ShapeError:
        found = sorted(returned) if isinstance(returned, Mapping) else type(returned).__name__
        expected = ", ".join(name for name, _ in phase.outputs)
        return ShapeError(f"{phase.method} returns {found}; expected a mapping with {expected or 'nothing'}")

    def arrange(self, wheels: list[list[float]]) -> list[list[float]]:
        """Returns the places of wheels: x, y, yaw and radius."""
        if not callable(arrange := getattr(self._own, "arrange", None)):
            return wheels
        given = [SimpleNamespace(x=x, y=y, yaw=yaw, radius=radius) for x, y, yaw, radius in wheels]
        arrange(given)
        return [[wheel.x, wheel.y, wheel.yaw, wheel.radius] for wheel in given]

    def select(self) -> list[str]:
        """Returns the patterns of an observer."""
        patterns = self._own.select()
        if isinstance(patterns, str) or not all(isinstance(one, str) for one in patterns):
            raise ShapeError(f"select returns {patterns!r}; expected a list of patterns")
        return list(patterns)

    def start(
        self, name: str, quantities: list[tuple[str, list[str], int]], folder: str | None, times: tuple[float, float, float, int]
    ) -> Any:
        """Begins a run of an observer."""
        time, dt, period, seed = times
        units = {one: tuple(of) for one, of, _ in quantities}
        run = ObservedRun(name, units, Path(folder) if folder else None, time, dt, period, seed)
        places = {one: slice(first, first + len(of)) for one, of, first in quantities}
        begin = getattr(self._own, "start", None)
        return places, begin(run) if callable(begin) else run

    def step(self, run: Any, steps: int, time: float, values: Any) -> str | None:
        """Takes a sample of an observer, and returns the reason to end the run."""
        places, memory = run
        reason = self._own.step(memory, Sample(steps, time, values, places))
        if reason is not None and not isinstance(reason, str):
            raise ShapeError(f"step returns {type(reason).__name__}; expected None, or the reason to end the run")
        return reason

    def end(self, run: Any, reason: str, text: str, last: tuple[int, float, Any]) -> list[str]:
        """Ends a run of an observer, and returns the names of its files."""
        places, memory = run
        end = getattr(self._own, "end", None)
        files: Any = end(memory, RunEnd(reason, text, Sample(*last, places))) if callable(end) else None
        return [str(file) for file in files or ()]


def prepared(cls: type, values: Mapping[str, Any]) -> Any:
    """Returns an instance of a class with values of its parameters, which it has checked."""
    own: Any = object.__new__(cls)
    vars(own).update(values)
    if callable(prepare := getattr(own, "prepare", None)):
        prepare()
    return own


def _column(name: str, values: Any, shape: tuple[int, ...]) -> Any:
    """Returns values as a contiguous array of one dimension."""
    if type(values) is np.ndarray and values.dtype == _F64 and values.shape == shape and values.flags.c_contiguous:
        return values if values.ndim == 1 else values.reshape(-1)
    array = np.asarray(values, dtype=_F64)
    try:
        return np.ascontiguousarray(np.broadcast_to(array, shape)).reshape(-1)
    except ValueError:
        raise ShapeError(f"{name!r} has the shape {array.shape}; expected {shape}, or a number") from None


def describe_exception(error: BaseException, within: Path | None = None) -> str:
    """Returns an exception in one line, with the place in the model, or in a file, where it was raised."""
    frames = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    own = [one for one in frames if one[0] != __file__ and (within is None or one[0] == str(within))]
    if isinstance(error, SyntaxError) and error.filename:
        own.append((error.filename, error.lineno))
    place = f" ({Path(own[-1][0]).name}, line {own[-1][1]})" if own else ""
    text = f"{type(error).__name__}: {' '.join((error.msg if isinstance(error, SyntaxError) else str(error)).split())}"
    # a fault has 240 bytes, and the place is to be in them
    room = _FAULT_BYTES - len(place.encode())
    if len(text.encode()) > room:
        text = text.encode()[: room - 3].decode(errors="ignore") + "…"
    return text + place
