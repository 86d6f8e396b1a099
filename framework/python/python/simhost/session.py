"""Sessions: one simulation that runs."""

from __future__ import annotations

import operator
import os
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from difflib import get_close_matches
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core
from .errors import BusyError, ClosedError, InputError, UnknownNameError, WorldError
from .progress import Progress, shown
from .table import Record, html_table

if TYPE_CHECKING:
    from .ensemble import Ensemble
    from .linearising import Linear

Array = np.ndarray[tuple[int], np.dtype[np.float64]]
PathLike = str | os.PathLike[str]
_Opened = tuple[str, str | None, dict[str, Any]]
"""Path and text of a world, and the options with which it was opened."""


MAX_THREADS = 1024
"""Greatest number of threads, as on the command line."""


def whole(name: str, value: int, least: int, most: int = 2**63 - 1) -> int:
    """Returns a whole number from `least` to `most`.

    Raises:
        InputError: it is another one, or none.
    """
    try:
        number = operator.index(value)
    except TypeError:
        raise InputError(f"{name} is {value!r}; expected a whole number") from None
    if number < least:
        raise InputError(f"{name} is {number}; expected at least {least}")
    if number > most:
        bits = most.bit_length()
        bound = f"2**{bits} - 1" if most == 2**bits - 1 else most
        raise InputError(f"{name} is {number}; expected at most {bound}")
    return number


def world_options(
    seed: int | None,
    threads: int,
    plugins: PathLike | Iterable[PathLike],
    out: PathLike | None = None,
    force: bool = False,
    compat: str | None = None,
    lenient: bool = False,
    allow: str | Iterable[str] = (),
) -> dict[str, Any]:
    """Returns the options of a world as the extension module takes them."""
    return {
        "seed": None if seed is None else whole("seed", seed, 0, 2**64 - 1),
        "threads": whole("threads", threads, 1, MAX_THREADS),
        "plugins": [os.fspath(folder) for folder in ([plugins] if isinstance(plugins, str | os.PathLike) else plugins)],
        "out": None if out is None else os.fspath(out),
        "force": force,
        "compat": compat,
        "lenient": lenient,
        "allow": one_or_many(allow),
    }


def open(
    world: PathLike,
    *,
    text: str | None = None,
    seed: int | None = None,
    threads: int = 1,
    plugins: PathLike | Iterable[PathLike] = (),
    out: PathLike | None = None,
    force: bool = False,
    compat: str | None = None,
    lenient: bool = False,
    allow: str | Iterable[str] = (),
) -> Session:
    """Opens a world.

    Args:
        world: Path of a world file.
        text: Text of a world file, in place of the content of `world`, at whose folder relative paths then start.
        seed: Seed of all random numbers; otherwise that of the world, otherwise 0.
        threads: Number of threads, at most 1,024. Results do not depend on it.
        plugins: Folder with plugins, or several of them.
        out: Folder for the record of the session, from which `simhost rerun` repeats it.
        force: Write to `out` even if it has files that no run of simhost has written.
        compat: Name of a compatibility profile, such as "mvsim-1.2".
        lenient: Accept unknown names in the world file.
        allow: What the world may do only if you allow it: "fmu" runs the code of FMUs, with your permissions in separate processes,
            "fmu-in-process" runs it in this process, and "shell" runs the commands of `$(…)`.

    Raises:
        WorldError: the world has errors; the text lists all of them.
        PluginError: a plugin folder cannot be read.
        OutputError: `out` cannot be written.
    """
    options = world_options(seed, threads, plugins, out, force, compat, lenient, allow)
    path = os.path.abspath(world)
    return Session(_core.Session.open(os.fspath(world), text, options), (path, text, {**options, "out": None, "force": False}))


def _restored(opened: _Opened, seed: int, snapshot: _core.Snapshot) -> Session:
    """Returns a session with a state, for pickle."""
    path, text, options = opened
    session = Session(_core.Session.open(path, text, {**options, "seed": seed}), opened)
    session.restore(snapshot)
    return session


def _written(value: object) -> str:
    """Returns a value as a world file has it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def one_or_many(patterns: str | Iterable[str]) -> list[str]:
    """Returns patterns as a list."""
    return [patterns] if isinstance(patterns, str) else list(patterns)


def at_least_one(patterns: str | Iterable[str]) -> list[str]:
    """Returns patterns as a list of at least one.

    Raises:
        InputError: there is none.
    """
    names = one_or_many(patterns)
    if not names:
        raise InputError("no quantity is named; expected at least one pattern, such as 'robot/pose' or '**'")
    return names


def _number(kind: str, value: float) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(f"a value of {kind!r} is {value!r}; expected a number") from None
    except OverflowError:
        raise InputError(f"a value of {kind!r} is an integer beyond the range of float64; expected a smaller one") from None


def unknown(what: str, name: str, known: Iterable[str]) -> UnknownNameError:
    """Returns the error for a name that is none of `known`, with the nearest one."""
    known = list(known)
    near = get_close_matches(name, known, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"expected one of {', '.join(known) or 'none'}"
    return UnknownNameError(f"unknown {what}: {name!r}; {hint}")


class CommandValue(NamedTuple):
    """A value of a command."""

    vehicle: str
    kind: str
    names: list[str | None]
    """Names of all values of the command; None for an ignored one."""
    index: int

    def setpoint(self, core: _core.Session) -> tuple[Any, ...]:
        """Returns the quantity with the present value."""
        name = self.names[self.index]
        try:
            return core.quantities([f"{self.vehicle}/controller/command_{name}"])[0]
        except UnknownNameError:
            return core.quantities([f"{self.vehicle}/controller/{name}"])[0]


def command_values(core: _core.Session) -> dict[str, CommandValue]:
    """Returns the values of all commands, by names such as `robot/cmd_vel/vx`."""
    return {
        f"{vehicle}/cmd_{stream}/{name}": CommandValue(vehicle, kind, names, index)
        for vehicle in core.vehicles
        for kind, names in core.command_kinds(vehicle)
        for stream in [{"twist": "vel", "speed_steer": "ackermann"}.get(kind, kind)]
        for index, name in enumerate(names)
        if name is not None
    }


@dataclass(frozen=True)
class Quantity:
    """A quantity of a world."""

    name: str
    """Full name, such as `robot/pose`."""
    units: tuple[str, ...]
    """Unit of each value, or one if all have the same; "1" for a pure number."""
    ranges: tuple[tuple[float, float], ...]
    """Smallest and largest value for each of `units`, infinite where none is declared; without noise and faults."""
    size: int | None
    """Number of values; None if it is a single number."""
    source: str
    """Full name of the class that computes it, or "host"."""
    description: str
    """Meaning, sign convention and frame."""


class Hook:
    """A hook of a session: functions that are called before and after each step."""

    def __init__(
        self,
        session: Session,
        before: Callable[[Session], object] | None,
        after: Callable[[Session], object] | None,
    ) -> None:
        self._session = session
        self.before = before
        self.after = after

    def remove(self) -> None:
        """Calls the functions no more. Removing a hook again does nothing."""
        if self in self._session._hooks:
            self._session._hooks.remove(self)


class Parameters(MutableMapping[str, float | str]):
    """Parameters of the models of a session, by names such as `robot/friction/mu`, with values as in a world file.

    A value that is set acts now; models keep their states. All parameters of the world exist, so none can be deleted.
    """

    def __init__(self, core: _core.Session) -> None:
        self._core = core

    def _all(self) -> dict[str, str]:
        return dict(self._core.parameters())

    def __getitem__(self, name: str) -> float | str:
        known = self._all()
        if name not in known:
            raise unknown("parameter", name, known)
        try:
            return float(known[name])
        except ValueError:
            return known[name]

    def __setitem__(self, name: str, value: float | str | bool) -> None:
        self._core.set_parameter(name, _written(value))

    def __delitem__(self, name: str) -> None:
        raise InputError(f"cannot delete the parameter {name!r}; expected a value for it")

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)


class Vehicle:
    """A vehicle of a session."""

    def __init__(self, core: _core.Session, name: str) -> None:
        self._core = core
        self.name = name

    def __repr__(self) -> str:
        return f"<Vehicle {self.name}>"

    @property
    def pose(self) -> Array:
        """Pose of the reference point, world frame: x, y, z, m; yaw, pitch, roll, rad. Shape (6,)."""
        return self._core.motion(self.name)[0]

    @property
    def twist(self) -> Array:
        """Forward and leftward velocity, m/s, and yaw rate, rad/s; vehicle frame. Shape (3,)."""
        return self._core.motion(self.name)[1]

    @property
    def commands(self) -> dict[str, tuple[str | None, ...]]:
        """Kinds of commands that the controller accepts, with the names of their values in order; None for an ignored one."""
        return {kind: tuple(names) for kind, names in self._core.command_kinds(self.name)}

    def command(self, kind: str, *values: float, **named: float) -> None:
        """Sets the setpoints of the controller from the next step on.

        Args:
            kind: Kind of command, such as "twist".
            values: All values in their order and units.
            named: Values by their names, in place of `values`; those that are left out are 0.

        Raises:
            UnknownNameError: the controller has no such command, or the command has no such value.
            InputError: a value is not a finite number, or there are too many or too few.
        """
        if named:
            if values:
                raise InputError(f"the command {kind!r} has values with and without names; expected one of both")
            kinds = self.commands
            if kind not in kinds:
                raise unknown(f"command of vehicle {self.name!r}", kind, kinds)
            names = [name for name in kinds[kind] if name is not None]
            for name in named:
                if name not in names:
                    raise unknown(f"value of the command {kind!r}", name, names)
            values = tuple(0.0 if name is None else named.get(name, 0.0) for name in kinds[kind])
        self._core.command(self.name, kind, [_number(kind, value) for value in values])

    def set_pose(self, x: float, y: float, yaw: float = 0.0) -> None:
        """Moves the vehicle, at rest: x, y, m, and yaw, rad, of the reference point, world frame."""
        self._core.set_pose(self.name, (x, y, yaw))

    def set_velocity(self, vx: float, vy: float = 0.0, omega: float = 0.0) -> None:
        """Sets forward and leftward velocity, m/s, and yaw rate, rad/s; the wheels then roll without slip."""
        self._core.set_velocity(self.name, (vx, vy, omega))

    @property
    def faults(self) -> list[dict[str, Any]]:
        """Fault memory: entries with `time`, s, `sensor`, `severity`, `code` and `text`, oldest first."""
        keys = ("time", "sensor", "severity", "code", "text")
        return [dict(zip(keys, entry, strict=True)) for entry in self._core.fault_memory(self.name)]

    def add_fault(self, sensor: str, severity: str, code: int, text: str = "") -> None:
        """Adds an entry to the fault memory with the next step.

        Args:
            sensor: Part that reports the fault, such as "brake".
            severity: "ok", "service_required", "damaged", "critical" or "failure".
            code: Number that identifies the fault among the faults of its component.
            text: Description.
        """
        self._core.change_faults(self.name, sensor, severity, whole("code", code, 0, 2**32 - 1), text)

    def clear_faults(self) -> None:
        """Removes all entries of the fault memory with the next step."""
        self._core.change_faults(self.name, None, "", 0, "")


class Stream:
    """An output stream of a session. Its fields are attributes, such as `ranges` of a laser.

    Each access takes a sample now: numbers as float or as an array of float64, texts as str, bytes as an array of
    uint8. `sample` returns all fields of one sample.
    """

    def __init__(self, core: _core.Session, described: tuple[Any, ...]) -> None:
        self._core = core
        name, kind, is_input, rate, description, fields = described
        self.name: str = name
        self.type: str = kind
        self.is_input: bool = is_input
        self.rate: str = rate
        self.description: str = description
        self.units: dict[str, str] = {field: unit for field, unit, _ in fields}

    def __repr__(self) -> str:
        return f"<Stream {self.name}: {self.type}, {self.rate}>"

    def sample(self) -> dict[str, Any]:
        """Returns the fields of a sample, with the constants of the stream, and its time, s, as `time`."""
        return self._core.latest(self.name)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        fields = self.sample()
        if name not in fields:
            near = get_close_matches(name, fields, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"expected one of {', '.join(fields)}"
            raise AttributeError(f"stream {self.name!r} has no field {name!r}; {hint}")
        return fields[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.sample()]

    @property
    def image(self) -> np.ndarray[Any, Any]:
        """The picture of a camera: shape (height, width, channels), or (height, width) of one channel.

        Raises:
            InputError: the stream is not of pictures.
        """
        fields = self.sample()
        if "encoding" not in fields:
            raise InputError(f"stream {self.name!r} has the type {self.type}; expected Image")
        height, width, encoding = int(fields["height"]), int(fields["width"]), fields["encoding"]
        formats = {"mono8": ("u1", 1), "mono16": ("<u2", 1), "32FC1": ("<f4", 1), "32FC2": ("<f4", 2)}
        dtype, channels = formats.get(encoding, ("u1", 3))
        pixels = fields["data"].view(dtype)
        return pixels.reshape((height, width) if channels == 1 else (height, width, channels))


class Session:
    """One simulation that runs. `simhost.open` opens it; it is a context manager, which closes it.

    `session[name]` is a vehicle, an output stream such as "robot/odometry", the first stream of a sensor such as
    "robot/scan", or the present value of a quantity such as "car/wheel/fl/spin": a float, or an array of float64.
    """

    def __init__(self, core: _core.Session, opened: _Opened | None = None) -> None:
        self._core = core
        self._opened = opened
        self._hooks: list[Hook] = []
        self._is_running = False

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the world and the state, without output, records, hooks and planned commands.

        Raises:
            InputError: the session is that of a member of an ensemble.
        """
        if self._opened is None:
            raise InputError("the session of a member cannot be pickled; expected one of simhost.open")
        return _restored, (self._opened, self.seed, self.snapshot())

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        try:
            return f"<Session at {self.time:g} s: {', '.join(self.vehicles)}>"
        except (BusyError, ClosedError) as error:
            return f"<Session: {error}>"

    def close(self) -> list[Path]:
        """Completes the output, and ends the session. Returns the paths of its files."""
        return [Path(path) for path in self._core.close()]

    @property
    def time(self) -> float:
        """Simulated time, s."""
        return self._core.time

    @property
    def steps(self) -> int:
        """Number of completed steps."""
        return self._core.steps

    @property
    def dt(self) -> float:
        """Time step, s."""
        return self._core.dt

    @property
    def duration(self) -> float | None:
        """Duration of the world, s, if it has one. Runs do not end there by themselves."""
        return self._core.duration

    @property
    def seed(self) -> int:
        """Seed of all random numbers."""
        return self._core.seed

    # -- runs

    def step(self, steps: int = 1, *, progress: Progress = False) -> str:
        """Takes steps. Other threads run meanwhile, and Ctrl-C ends the run between two steps.

        Returns:
            Why the run has ended: "reached", "observer: …", or "stopped".

        Raises:
            ModelFault: a model has faulted.
            DivergedError: a body has diverged.
            BusyError: another call steps the session.
        """
        steps = whole("steps", steps, 0)
        if not self._hooks and progress is False:
            return self._core.run(steps, None, None)
        return self._run(self._core.steps + steps, progress)

    def run_until(self, time: float, *, progress: Progress = False) -> str:
        """Steps until the last step that ends at `time`, s, or before. Otherwise as `step`.

        Args:
            time: Simulated time, s.
            progress: True for a bar of tqdm, or a function that is called with the simulated time, s.

        Raises:
            InputError: the time is not finite, or has passed.
        """
        if not self._hooks and progress is False:
            return self._core.run(None, time, None)
        return self._run(self._core.last_step(time), progress)

    def _run(self, last: int, progress: Progress) -> str:
        if self._is_running:
            raise BusyError("a hook cannot step the session; expected to be called between its steps")
        with shown(progress, self._core.time, last * self._core.dt) as report:
            if not self._hooks:
                return self._core.run(last - self._core.steps, None, report)
            self._is_running = True
            try:
                return self._run_with_hooks(last, report)
            finally:
                self._is_running = False

    def _run_with_hooks(self, last: int, report: Callable[[float], object] | None) -> str:
        ended = "reached"
        while ended == "reached" and self._core.steps < last:
            for hook in list(self._hooks):
                if hook.before is not None:
                    hook.before(self)
            ended = self._core.run(1, None, None)
            for hook in list(self._hooks):
                if hook.after is not None:
                    hook.after(self)
            if report is not None:
                report(self._core.time)
        return ended

    def hook(
        self,
        before: Callable[[Session], object] | None = None,
        after: Callable[[Session], object] | None = None,
    ) -> Hook:
        """Calls functions with the session before and after each step, until the hook is removed.

        They can read and command the session, and cannot step it. What they raise ends the run. Steps are then taken
        one at a time.
        """
        hook = Hook(self, before, after)
        self._hooks.append(hook)
        return hook

    # -- reading

    @property
    def vehicles(self) -> list[str]:
        """Names of the vehicles in the order of the world."""
        return self._core.vehicles

    def vehicle(self, name: str) -> Vehicle:
        """Returns a vehicle, as `session[name]` does, with its type.

        Raises:
            UnknownNameError: there is no such vehicle; the text has the nearest name.
        """
        if name not in self._core.vehicles:
            raise unknown("vehicle", name, self._core.vehicles)
        return Vehicle(self._core, name)

    def __iter__(self) -> Iterator[str]:
        """Iterates over the names of the vehicles."""
        return iter(self._core.vehicles)

    def __contains__(self, name: object) -> bool:
        """Returns whether a vehicle, an output stream, a sensor with streams or a quantity has this name."""
        if not isinstance(name, str):
            return False
        if name in self._core.vehicles or self._stream(name) is not None:
            return True
        return any(name == known for known, *_ in self._core.quantities(["**"]))

    def __getitem__(self, name: str) -> Any:
        if not isinstance(name, str):
            raise InputError(f"the name is {name!r}; expected that of a vehicle, a stream or a quantity")
        if name in self._core.vehicles:
            return Vehicle(self._core, name)
        if (stream := self._stream(name)) is not None:
            return stream
        if not any(sign in name for sign in "*?!") and name.count("/") == 0:
            raise unknown("vehicle", name, self._core.vehicles)
        found = self._core.quantities([name])
        values = self._core.read([name])
        return float(values[0]) if len(found) == 1 and found[0][2] is None else values

    def _stream(self, name: str) -> Stream | None:
        """Returns the output stream of this name, or the first one of the sensor of this name."""
        streams = self.streams()
        if name in streams:
            return streams[name]
        is_sensor = "/" in name and not name.endswith("/")
        return next((stream for key, stream in streams.items() if is_sensor and key.startswith(f"{name}/")), None)

    def _ipython_key_completions_(self) -> list[str]:
        names = [quantity.name for quantity in self.quantities("**")]
        return sorted({*self.vehicles, *self.streams(), *names})

    def streams(self) -> dict[str, Stream]:
        """Returns the output streams of the world by name."""
        described = (Stream(self._core, one) for one in self._core.streams())
        return {stream.name: stream for stream in described if not stream.is_input}

    def quantities(self, patterns: str | Iterable[str] = "**") -> list[Quantity]:
        """Returns the quantities that match any pattern, in the order of the world. `*` does not cross `/`, `**` does.

        Raises:
            UnknownNameError: a pattern matches nothing; the text has the nearest name.
            InputError: there is no pattern.
        """
        found = self._core.quantities(at_least_one(patterns))
        return [Quantity(name, *zip(*units, strict=True), size, source, doc) for name, units, size, source, doc in found]

    def read(self, patterns: str | Iterable[str]) -> Array:
        """Reads quantities in the order of the world: all their values one after the other, float64. Readings are NaN before their first sample."""
        return self._core.read(at_least_one(patterns))

    def watch(self, patterns: str | Iterable[str]) -> Array:
        """Returns an array of quantities, float64, that every run, edit and hook refreshes. Copy what you keep."""
        return self._core.watch(at_least_one(patterns))

    def record(self, patterns: str | Iterable[str], *, every: float | None = None) -> Record:
        """Records quantities from the start of the next run on.

        Args:
            patterns: Patterns of quantities.
            every: Simulated time between samples, s; each step without it.
        """
        return Record(self._core.record(at_least_one(patterns), every))

    @property
    def model_faults(self) -> list[dict[str, Any]]:
        """Faults of models after which the run has continued: `time`, s, `entity`, `model` and `text`."""
        keys = ("time", "entity", "model", "text")
        return [dict(zip(keys, fault, strict=True)) for fault in self._core.model_faults()]

    def linearise(
        self,
        inputs: str | Iterable[str],
        outputs: str | Iterable[str] = (),
        *,
        states: str | Iterable[str] | None = None,
        steps: int = 1,
        step: float = 1e-4,
    ) -> Linear:
        """Returns a linear model of the world for small differences from the present state, by central differences.

        Copies of the session, in each of which a state or an input differs, run for an interval as members of one ensemble.
        The session itself does not change.

        Args:
            inputs: Values of commands, such as "robot/cmd_vel/vx", and parameters, such as "car/friction/mu". They are held
                during the interval.
            outputs: Patterns of quantities. One that follows the state directly, such as a pose, is that at the start of the
                interval; one that models compute in a step, such as a force, is that of the first step.
            states: Components of poses and velocities, such as "car/pose/yaw" and "car/velocity/vx", state slots of models,
                such as "car/dynamics/steer", and spins of wheels, "car/wheel/fl/spin"; otherwise poses and velocities of all
                vehicles. Other states start with their present values in all copies. Wheels whose spins are no states
                change their spins with the velocity, as if they rolled.
            steps: Number of steps of the interval.
            step: Difference, as a part of the value or of 1 where that is larger, from 1e-5 to 0.1.

        Raises:
            UnknownNameError: there is no such state, input or output.
            InputError: states cannot change independently, or models have not yet set up the states.
        """
        from .linearising import OperatingPoint

        names = None if states is None else one_or_many(states)
        return OperatingPoint(self, names, one_or_many(inputs), one_or_many(outputs), steps, step).linear()

    # -- edits

    @property
    def parameters(self) -> Parameters:
        """Parameters of the models, to read and to set."""
        return Parameters(self._core)

    def write_world(self, file: PathLike, parameters: Mapping[str, object]) -> None:
        """Writes the world file as the session was opened with it, with values of parameters in their places. Comments and
        format stay, and the session does not change.

        Args:
            file: Path of the new file. Relative paths in the world refer to its folder.
            parameters: Values by names such as "car/friction/mu". Those that the file does not have become attributes.

        Raises:
            UnknownNameError: there is no such parameter.
            WorldError: a value is in an included file, in a loop, computed, or shared with another model; or the world has
                errors at that place.
        """
        values = [(name, _written(value)) for name, value in parameters.items()]
        try:
            text = self._core.world_file_with(values, os.fspath(file))
        except WorldError as error:
            if str(error).startswith("unknown "):
                raise UnknownNameError(str(error)) from None
            raise
        Path(file).write_text(text, encoding="utf-8")

    def set_pose(self, entity: str, x: float, y: float, yaw: float = 0.0) -> None:
        """Moves a vehicle, or a block as "block/NAME", at rest: x, y, m, and yaw, rad, world frame."""
        self._core.set_pose(entity, (x, y, yaw))

    def set_velocity(self, entity: str, vx: float, vy: float = 0.0, omega: float = 0.0) -> None:
        """Sets forward and leftward velocity, m/s, and yaw rate, rad/s, of a vehicle or a block, in its frame."""
        self._core.set_velocity(entity, (vx, vy, omega))

    def add(self, fragment: str | None = None, *, file: PathLike | None = None) -> None:
        """Adds the vehicles, blocks and other entities of a fragment of a world file, or of a file."""
        if (fragment is None) == (file is None):
            raise InputError("expected a fragment or a file")
        if file is not None:
            self._core.add_file(os.fspath(file))
        elif fragment is not None:
            self._core.add(fragment)

    def remove(self, entity: str) -> None:
        """Removes a vehicle by its name, or a block or an actor as "block/NAME" or "actor/NAME"."""
        self._core.remove(entity)

    def reset(self, seed: int | None = None) -> None:
        """Returns to the start of the world as it was opened, with the same seed or another one."""
        self._core.reset(None if seed is None else whole("seed", seed, 0, 2**64 - 1))

    def commands_from(self, file: PathLike) -> None:
        """Plans the commands of a command file."""
        self._core.read_commands(os.fspath(file))

    def serve(self, port: int = 0, *, host: str = "127.0.0.1", token: str | None = None, pace: float | None = 1.0) -> str:
        """Serves live clients, such as Foxglove or Lichtblick, from the next run on, and returns the URL.

        Clients see all streams, and can drive vehicles, set parameters and call services while the session runs.

        Args:
            port: TCP port; 0 for a free one.
            host: Address to listen on.
            token: Token that clients need; required for addresses that other computers reach.
            pace: Simulated time per wall time, which later runs keep; None to run as fast as possible.

        Raises:
            InputError: the address cannot be used.
        """
        name = Path(self._opened[0]).name.removesuffix(".world.xml") if self._opened else "simhost"
        return self._core.serve(f"{host}:{port}", name, token, pace)

    def write_mcap(self, file: PathLike, streams: str | Iterable[str] = (), *, every: float | None = None) -> None:
        """Writes streams to an MCAP file from the next run on, all without patterns; `close` completes the file.

        Args:
            file: Path of the file, which is replaced.
            streams: Patterns of streams.
            every: Simulated time between samples of streams that have one per step, s.
        """
        self._core.write_mcap(os.fspath(file), one_or_many(streams), every)

    # -- pictures

    def picture(self, scale: float = 0.5) -> np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]:
        """Returns the present state from above: shape (1160 scale, 1600 scale, 3), red, green and blue, uint8.

        Args:
            scale: Size, from 0.05 to 4.
        """
        if not 0.05 <= scale <= 4.0:
            raise InputError(f"scale is {scale}; expected a number from 0.05 to 4")
        return self._core.image(scale)

    def to_svg(self) -> str:
        """Returns the present state from above as an SVG document."""
        return self._core.svg()

    def _repr_html_(self) -> str:
        """Shows the session in a notebook: its picture, and a table of its vehicles."""
        try:
            picture = b64encode(self.to_svg().encode()).decode()
            rows = {name: (*self[name].pose[[0, 1, 3]], *self[name].twist) for name in self.vehicles}
        except (BusyError, ClosedError):
            return f"<p>{escape(repr(self))}</p>"
        heads = ("x [m]", "y [m]", "yaw [rad]", "vx [m/s]", "vy [m/s]", "omega [rad/s]")
        return (
            f'<p>Session at {self.time:g} s</p><img style="max-width: 40em" src="data:image/svg+xml;base64,{picture}">'
            + html_table(("vehicle", *heads), [(name, *row) for name, row in rows.items()])
        )

    # -- state

    def snapshot(self) -> _core.Snapshot:
        """Takes a snapshot of the complete state, which can be pickled."""
        return self._core.snapshot()

    def restore(self, snapshot: _core.Snapshot) -> None:
        """Returns to a snapshot of the same world.

        Raises:
            SnapshotError: the snapshot does not fit; the session then does not change.
        """
        self._core.restore(snapshot)

    def fork(self) -> Session:
        """Returns a second session that continues from the present state, without the output of this one."""
        return Session(self._core.fork(), self._opened)

    def ensemble(
        self,
        members: int,
        *,
        vary: Iterable[str] | Mapping[str, Any] = (),
        threads: int = 1,
        max_memory: int | None = None,
    ) -> Ensemble:
        """Returns an ensemble whose members start from the present state, with the seed of this session and its planned
        commands. `vary`, `threads` and `max_memory` are as for `Ensemble`.

        Raises:
            VariationError: a difference does not fit the world.
            MemberMemoryError: the members would take too much memory.
        """
        from .ensemble import Ensemble

        return Ensemble._of(self, members, vary, threads, max_memory)

    def result_hash(self) -> str:
        """Returns 128 bits over the results so far, in hexadecimal digits, as `simhost run` prints them."""
        return self._core.result_hash()

