"""Models written in Python, for prototypes, of all kinds.

A class with `Parameter`s, `State`s and `Port`s becomes a model with `model`. Its methods are called with numpy arrays of all
vehicles, wheels or sensors of a table at once, on any thread, with the lock of the interpreter.
"""

from __future__ import annotations

import importlib.util
import inspect
import json
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

from . import _core
from .compiling import CompiledModel, compile_model
from .errors import ModelError
from .model_calls import Caller, PhaseColumns, describe_exception, prepared

# flags of the boundary
_OPTIONAL, _COMMAND, _REQUIRED, _PARAMETER, _UNKNOWN = 1, 2, 4, 8, 16
_REQUIRED_PARAMETER, _PER_LANE = 1, 8
_HOLONOMIC, _WHOLE_BATCH, _RANDOM, _STOPS, _JUMPS, _TIME_INVARIANT = 1, 2, 4, 16, 32, 64
_INSTANCE, _WHEEL, _RAY, _ARRAY = range(4)
_STATE_KINDS = ("continuous", "discrete", "counter", "angle")
_NUMBER, _INTEGER, _BOOL, _TEXT, _CHOICE, _LIST = 1, 2, 3, 4, 5, 7

#: Methods of each kind, of which the first one is needed; a tuple has alternatives.
_PHASES: dict[str, list[str | tuple[str, ...]]] = {
    "friction": ["force"],
    "dynamics": [("drive", "wrench", "motion"), "measure"],
    "controller": ["control"],
    "sensor": ["read", "aim"],
    "actuator": ["actuate"],
    "environment": ["update", "wind", "surface", "gravity"],
    "fleet": ["command"],
    "observer": [],
    "suspension": ["kinematics"],
}

#: What only plugins can have, as a class of Python could ask for it.
_ONLY_PLUGINS = {
    "perceives": "perceives the world around a vehicle",
    "memory": "has memory in addition to its states",
    "images": "shows its rays as images",
    "scaling": "follows the size of a vehicle",
}

C = TypeVar("C", bound=type)


@dataclass(frozen=True)
class Parameter:
    """A value that a world file can set. On an instance, it is a number, a boolean, a text or a list of numbers, like its
    default."""

    default: float | bool | str | Sequence[float] | None
    """Value that it has unless the world file gives one; None if the world file has to."""
    unit: str
    """SI unit; "1" for a pure number, and for what is not a number."""
    description: str
    """Meaning, and what a larger value does."""
    low: float = -math.inf
    """Smallest value."""
    high: float = math.inf
    """Largest value."""
    is_integer: bool = False
    """Whether it is a whole number."""
    scale: float = 1.0
    """Factor from the unit to that of the method, such as that from degrees to radians."""
    choices: Sequence[str] = ()
    """Texts that a text can be."""
    is_per_lane: bool = False
    """Whether vehicles with different values can be computed together. In a method, it is a number, or an array of one value per
    lane. Not for environments, fleets and observers."""


@dataclass(frozen=True)
class State:
    """A number per lane that the world keeps between steps, with its snapshots."""

    unit: str
    """SI unit; "1" for a pure number."""
    description: str
    """Meaning, sign convention and frame."""
    initial: float = 0.0
    """Value at the start of a run."""
    kind: str = "continuous"
    """"continuous", "angle", "discrete" (jumps between values) or "counter"."""
    initial_from: str = ""
    """Name of the parameter with whose value it starts."""
    is_per_wheel: bool = False
    """Whether each wheel of a vehicle has one, for dynamics classes and controllers: an array of (wheels, lanes)."""
    is_per_ray: bool = False
    """Whether each ray of a sensor has one: an array of (lanes, rays)."""


@dataclass(frozen=True)
class Port:
    """An input or an output, which the world connects by its name."""

    name: str
    """Name, such as "odometry_vx"."""
    unit: str
    """SI unit; "1" for a pure number."""
    description: str
    """Meaning, sign convention and frame."""
    default: float = 0.0
    """Value of an input that nothing provides."""
    is_required: bool = False
    """Whether a world in which nothing provides the input has an error."""
    is_per_wheel: bool = False
    """Whether each wheel of a vehicle has a value. Arrays then have the shape (wheels, lanes)."""
    is_per_ray: bool = False
    """Whether each ray of a sensor has a value. Arrays then have the shape (lanes, rays)."""
    is_optional: bool = False
    """An input that nothing has to provide, or an output that needs no reader and is a quantity."""
    is_reading: bool = False
    """Whether the input is the last reading of a sensor of the vehicle, for a sensor of another one: a `Reading`."""
    is_unknown: bool = False
    """Whether a reading of a sensor can be NaN, for a value that is not known."""
    key: str = ""
    """Name under which a world file sets an input of a dynamics class or a controller."""


@dataclass(frozen=True)
class Wheel:
    """A wheel of a dynamics class."""

    tag: str
    """Name of the element in the world file, such as "l_wheel"."""
    x: float
    """Position ahead of the reference point without such an element, m."""
    y: float
    """Position left of the reference point without such an element, m."""
    steers: bool = False
    """Whether the class steers it."""
    swivels: bool = False
    """Whether it turns about its vertical axis by itself, as a caster does."""


@dataclass(frozen=True)
class Chassis:
    """The chassis of a dynamics class, unless the world file gives one."""

    mass: float
    """Mass without the wheels, kg."""
    z_min: float
    """Lowest point above the ground, m."""
    z_max: float
    """Highest point above the ground, m."""
    polygon: Sequence[tuple[float, float]]
    """Corners, vehicle frame, m."""


def model(kind: str, name: str, *, version: str = "0.1.0", compile: bool = False) -> Callable[[C], C]:
    """Makes a class a model of all worlds that are opened from now on.

    The class has a docstring, `Parameter`s and `State`s as attributes, and methods. All but those of observers have the
    arguments `(self, lanes, state, step)`: a namespace of arrays of float64 with the inputs, one value per lane; a namespace with
    the states, which the method sets by assigning its attributes; and a `Step`. They return a mapping from the names of
    outputs to arrays or numbers.

    | Kind | Methods | Lanes | Attributes of the class |
    |---|---|---|---|
    | "friction" | `force` | wheels | further `inputs` and `outputs` |
    | "dynamics" | `drive`, `wrench` or `motion`; `measure`, `arrange(self, wheels)` | vehicles | `wheels`, `chassis`, `inputs`, further `outputs`; `measure_inputs` and `measurements` of `measure`; `holonomic` |
    | "controller" | `control` | vehicles | `inputs`, `outputs`, `commands` |
    | "sensor" | `read`; `aim`, `rays(self)` | sensors | `inputs` and `outputs` of `read`; `aims`, the outputs of `aim` |
    | "actuator" | `actuate`, from `command` to `value` | vehicles or wheels | further `inputs` and `outputs`, and `unit` |
    | "environment" | `update`; `wind`, `surface`, `gravity` | one; points | `outputs` of `update` |
    | "fleet" | `command` | all vehicles of the fleet | `inputs`, `outputs`, `commands` |
    | "suspension" | `kinematics` | vehicles, one axle of each | further `inputs` and `outputs` |
    | "observer" | `select(self)`, `step(self, run, sample)`; `start(self, run)`, `end(self, run, end)` | | `stops` |

    `inputs` and `outputs` are lists of `Port`s, and of names of quantities of the host, such as "vx". `commands` maps kinds of
    commands to the names of the inputs, or of the outputs of a fleet, that have their values. `prepare(self)`, if there is
    one, checks the parameters and computes others. `rates`, for friction models, dynamics classes, controllers and actuators,
    returns the rates of the states, which the host integrates. With `random = True`, `step.random` has random numbers. A model
    whose lanes depend on each other has `whole_batch = True`, and a friction model whose force jumps `jumps = True`. With
    `time_invariant = True`, `step.time` is NaN, and members of an ensemble that are at different steps share a call.

    Declaring a class again replaces it in worlds that are opened afterwards.

    Args:
        kind: Kind of the model, such as "friction".
        name: Vendor and class, such as "acme/rubber".
        version: Version of the model.
        compile: Whether numba compiles the methods, for friction models, controllers and actuators without values per wheel and
            readings. They are then called without the lock of the interpreter, for one lane after the other, so they use
            functions that numba has for numbers. They raise no exceptions; those of functions that they call, and indices out
            of range, are faults.

    Raises:
        ModelError: the declaration breaks a rule of the validator, or cannot be compiled; the text names what and where.
    """

    def declare(cls: C) -> C:
        try:
            _declare(cls, kind, name, version, compile)
        except ModelError as error:
            place = "" if "line " in str(error) else _place(cls)
            raise ModelError(f"{error}{place}") from None
        return cls

    return declare


def _place(cls: type) -> str:
    """Returns where a class is declared."""
    try:
        file, (_, line) = inspect.getsourcefile(cls), inspect.getsourcelines(cls)
    except (OSError, TypeError):
        return ""
    return f" ({Path(file).name}, line {line})" if file else ""


@dataclass
class Declaration:
    """A class as the host knows it."""

    cls: type
    kind: str
    vendor: str
    name: str
    version: str
    doc: str
    flags: int
    parameters: list[SimpleNamespace]
    states: list[SimpleNamespace]
    commands: list[tuple[str, list[str]]]
    phases: list[SimpleNamespace]
    columns: list[PhaseColumns]
    wheels: list[SimpleNamespace]
    chassis: Chassis | None
    compiled: list[int]

    def text(self) -> str:
        """Returns it in JSON, as the host reads it."""
        data = {key: value for key, value in vars(self).items() if key not in ("cls", "columns")}
        # numbers and arrays of numpy are not known to the module
        return json.dumps(_plain(data), allow_nan=False, default=lambda one: one.tolist())

    def compile(self) -> CompiledModel:
        """Compiles its phases."""
        full = f"{self.vendor}/{self.name}"
        if self.kind not in ("friction", "controller", "actuator"):
            raise ModelError(f"{full!r} cannot be compiled: it is of the kind {self.kind!r}; expected friction, controller or actuator")
        scopes = [(state.name, state.scope) for state in self.states]
        return compile_model(self.cls, full, members(self.cls, Parameter), self.columns, scopes)


_DECLARED: dict[type, Declaration] = {}
_ORDER: list[Declaration] = []


def declaration_of(cls: type) -> Declaration:
    """Returns the declaration of a class with `model`."""
    if cls not in _DECLARED:
        raise ModelError(f"{cls.__name__} is not a model; help: declare it with simhost.model")
    return _DECLARED[cls]


def load_models(file: str | Path) -> list[str]:
    """Runs a file of Python that declares models, and returns the full names of their classes.

    The options `--python FILE` of the command line, and its verbs `plugin check`, `bench`, `info` and `doc`, do the same.

    Raises:
        ModelError: the file cannot be run, with its exception as the cause, or declares no models.
    """
    path, known = Path(file).absolute(), len(_ORDER)
    name = path.stem if path.stem.isidentifier() and path.stem not in sys.modules else f"simhost_models_{len(_ORDER)}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ModelError(f"failed to run {file}: expected a file that ends in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        sys.modules.pop(name, None)
        text = str(error) if isinstance(error, ModelError) else describe_exception(error, within=path)
        raise ModelError(f"failed to run {file}: {text}") from error
    if len(_ORDER) == known:
        raise ModelError(f"{file} declares no models; expected classes with @simhost.model")
    return [f"{one.vendor}/{one.name}" for one in _ORDER[known:]]


def _declare(cls: type, kind: str, name: str, version: str, is_compiled: bool) -> None:
    vendor, slash, own = name.partition("/")
    if not slash:
        raise ModelError(f"the name is {name!r}; expected VENDOR/CLASS, such as 'acme/rubber'")
    if kind not in _PHASES:
        raise ModelError(f"the kind of {name!r} is {kind!r}; expected one of {', '.join(_PHASES)}")
    if not cls.__doc__:
        raise ModelError(f"{name!r} has no docstring; expected a description of the model")
    for attribute, what in _ONLY_PLUGINS.items():
        if getattr(cls, attribute, None):
            raise ModelError(f"{name!r} {what}, as its attribute {attribute!r} says; help: write a plugin, which can do that")
    parameters, states = members(cls, Parameter), members(cls, State)
    phases = _Phases(cls, kind, name, parameters, states)
    declared = Declaration(
        cls=cls,
        kind=kind,
        vendor=vendor,
        name=own,
        version=version,
        doc=cls.__doc__.strip().split("\n\n")[0],
        flags=_flags(cls, kind),
        parameters=[_parameter(key, one) for key, one in parameters.items()],
        states=[_state(key, one) for key, one in states.items()],
        commands=[(command, list(ports)) for command, ports in phases.commands.items()],
        phases=[phase.described() for phase in phases.all],
        columns=[phase.columns() for phase in phases.all],
        wheels=[
            SimpleNamespace(tag=one.tag, x=one.x, y=one.y, flags=4 * one.steers | 8 * one.swivels)
            for one in getattr(cls, "wheels", ())
            if kind == "dynamics"
        ],
        chassis=getattr(cls, "chassis", None) if kind == "dynamics" else None,
        compiled=[],
    )
    compiled = declared.compile() if is_compiled else None
    if compiled:
        declared.compiled = compiled.addresses()
    scopes = [(state.name, state.scope) for state in declared.states]

    def make(values: list[Any]) -> Any:
        named = dict(zip(parameters, values, strict=True))
        if compiled:
            return compiled.numbers(prepared(cls, named))
        return Caller(cls, named, declared.columns, scopes)

    _core.add_model(declared.text(), make)
    _DECLARED[cls] = declared
    _ORDER.append(declared)


def members(cls: type, of: type[Any]) -> dict[str, Any]:
    """Returns the parameters or states of a class, those of its bases first."""
    declared = {key: value for one in reversed(cls.__mro__) for key, value in vars(one).items()}
    return {key: value for key, value in declared.items() if isinstance(value, of)}


@dataclass
class _Phase:
    """A phase of a model, with all its ports."""

    id: str
    method: str
    inputs: list[SimpleNamespace]
    outputs: list[SimpleNamespace]
    varied: list[SimpleNamespace]

    def described(self) -> SimpleNamespace:
        return SimpleNamespace(id=self.id, inputs=self.inputs + self.varied, outputs=self.outputs)

    def columns(self) -> PhaseColumns:
        return PhaseColumns(
            self.method,
            [(port.name, port.scope) for port in self.inputs],
            [(port.name, port.scope) for port in self.outputs],
            [port.name for port in self.varied],
            self.id in ("wind", "surface", "gravity"),
            self.id == "rates",
        )


class _Phases:
    """The phases of a class."""

    def __init__(self, cls: type, kind: str, name: str, parameters: Mapping[str, Parameter], states: Mapping[str, State]):
        self.cls, self.kind, self.name = cls, kind, name
        self.commands: Mapping[str, Sequence[str]] = getattr(cls, "commands", {})
        self._commanded = {port for ports in self.commands.values() for port in ports}
        varied = [key for key, one in parameters.items() if one.is_per_lane]
        if varied and kind in ("environment", "fleet", "observer"):
            raise ModelError(f"the parameter {varied[0]!r} of {name!r} is per lane; expected one value for {kind}s")
        self._varied = [
            _port(Port(key, parameters[key].unit, parameters[key].description), _PARAMETER, _INSTANCE) for key in varied
        ]
        self.all = [phase for one in _PHASES[kind] if (phase := self._phase(one))]
        if kind == "observer":
            for method in ("select", "step"):
                if not callable(getattr(cls, method, None)):
                    raise ModelError(f"{name!r} has no method {method!r}; expected one for the kind {kind!r}")
        if kind == "sensor":
            self.all.reverse()
        if callable(getattr(cls, "rates", None)) and kind in ("friction", "dynamics", "controller", "actuator"):
            before = self.all[0]
            ports = [
                _port(Port(key, f"({one.unit})/s", f"Rate of {key}."), 0, _scope(one)) for key, one in states.items()
            ]
            inputs = [SimpleNamespace(**{**vars(port)}) for port in before.inputs]
            self.all.append(_Phase("rates", "rates", inputs, ports, before.varied))

    def _phase(self, methods: str | tuple[str, ...]) -> _Phase | None:
        """Returns a phase, or None if the class does without."""
        choices = (methods,) if isinstance(methods, str) else methods
        own = [one for one in choices if callable(getattr(self.cls, one, None))]
        if len(own) > 1:
            raise ModelError(f"{self.name!r} has the methods {' and '.join(own)}; expected one of them")
        is_first = methods == _PHASES[self.kind][0] and self.kind != "environment"
        if is_first and not own:
            wanted = " or ".join(repr(one) for one in choices)
            raise ModelError(f"{self.name!r} has no method {wanted}; expected one for the kind {self.kind!r}")
        if not own and choices[0] in ("wind", "surface", "gravity"):
            return None
        phase = (own or choices)[0]
        known_inputs, needed_inputs, known_outputs, needed = _core.host_ports(phase)
        inputs, outputs = self._ports(phase)
        own_inputs = [_host(port) for port in known_inputs[:needed_inputs]]
        own_outputs = [_host(port) for port in known_outputs[:needed]]
        if phase == "actuate":
            unit = getattr(self.cls, "unit", "1")
            own_inputs = [_port(Port("command", unit, "Value before the actuator."), 0, _INSTANCE)]
            own_outputs = [_port(Port("value", unit, "Value that arrives."), 0, _INSTANCE)]
        if not own:
            own_outputs, outputs = [], []
        if phase == "read" and getattr(self.cls, "rays", None) is not None:
            inputs = ["range", *(port for port in inputs if port != "range")]
        own_inputs += [self._input(port, known_inputs) for port in inputs]
        own_outputs += [self._output(port, known_outputs, phase) for port in outputs]
        varied = self._varied if self.kind != "environment" else []
        return _Phase(phase, own[0] if own else "", own_inputs, own_outputs, varied)

    def _ports(self, phase: str) -> tuple[list[Any], list[Any]]:
        """Returns the ports of a phase that the class declares."""
        names = {
            "measure": ("measure_inputs", "measurements"),
            "aim": ("", "aims"),
            "wind": ("", ""),
            "surface": ("", ""),
            "gravity": ("", ""),
        }
        found = [getattr(self.cls, name, ()) if name else () for name in names.get(phase, ("inputs", "outputs"))]
        return list(found[0]), list(found[1])

    def _input(self, port: Port | str, known: list[Any]) -> SimpleNamespace:
        if isinstance(port, str):
            return self._named(port, known)
        flags = _COMMAND * (port.name in self._commanded and self.kind == "controller")
        flags |= _REQUIRED * port.is_required | _OPTIONAL * port.is_optional
        return _port(port, flags, _ARRAY if port.is_reading else _scope(port))

    def _output(self, port: Port | str, known: list[Any], phase: str) -> SimpleNamespace:
        if isinstance(port, str):
            return self._named(port, known)
        is_taken = any(port.name == one[0] for one in known)
        is_published = phase in ("force", "actuate", "update", "measure", "read")
        is_published |= phase == "command" and port.name not in self._commanded
        flags = _OPTIONAL * ((is_published and not is_taken) or port.is_optional) | _UNKNOWN * port.is_unknown
        return _port(port, flags, _scope(port))

    def _named(self, name: str, known: list[Any]) -> SimpleNamespace:
        for port in known:
            if port[0] == name:
                return _host(port)
        raise ModelError(f"{name!r} of {self.name!r} is not a quantity of the host; expected a Port, or one of {', '.join(one[0] for one in known)}")


def _plain(value: Any) -> Any:
    """Returns a value as JSON has it: a number that is not finite is a text."""
    if isinstance(value, (SimpleNamespace, Chassis)):
        value = vars(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return repr(value) if isinstance(value, float) and not math.isfinite(value) else value


def _host(port: tuple[str, str, str, float, int]) -> SimpleNamespace:
    name, unit, description, default, scope = port
    return _port(Port(name, unit, description, default), 0, scope)


def _port(port: Port, flags: int, scope: int) -> SimpleNamespace:
    return SimpleNamespace(
        name=port.name,
        unit=port.unit,
        description=port.description,
        default=float(port.default),
        flags=flags,
        scope=scope,
        key=port.key,
        key_unit=port.unit if port.key else "",
        key_scale=1.0,
    )


def _scope(one: Port | State) -> int:
    return _WHEEL * one.is_per_wheel or _RAY * one.is_per_ray


def _state(name: str, one: State) -> SimpleNamespace:
    if one.kind not in _STATE_KINDS:
        raise ModelError(f"the kind of the state {name!r} is {one.kind!r}; expected one of {', '.join(_STATE_KINDS)}")
    return SimpleNamespace(
        name=name,
        unit=one.unit,
        description=one.description,
        initial=float(one.initial),
        initial_from=one.initial_from,
        scope=_scope(one),
        kind=_STATE_KINDS.index(one.kind),
    )


def _parameter(key: str, one: Parameter) -> SimpleNamespace:
    default: Any = one.default
    if isinstance(default, bool):
        kind = _BOOL
    elif isinstance(default, str) or one.choices:
        kind = _CHOICE if one.choices else _TEXT
    elif default is None or isinstance(default, (int, float)):
        kind = _INTEGER if one.is_integer else _NUMBER
    else:
        kind, default = _LIST, [float(item) for item in default]
    if one.is_per_lane and (kind != _NUMBER or one.scale != 1.0):
        raise ModelError(f"the parameter {key!r} is per lane; expected a number without a scale")
    return SimpleNamespace(
        key=key,
        unit=one.unit,
        description=one.description,
        kind=kind,
        flags=_REQUIRED_PARAMETER * (default is None) | _PER_LANE * one.is_per_lane,
        count=0,
        scale=float(one.scale),
        low=float(one.low),
        high=float(one.high),
        default=default,
        choices=list(one.choices),
    )


def _flags(cls: type, kind: str) -> int:
    """Returns the flags of a model."""

    def has(name: str) -> bool:
        return bool(getattr(cls, name, False))

    flags = _RANDOM * (has("random") and kind != "sensor") | _WHOLE_BATCH * has("whole_batch")
    flags |= _HOLONOMIC * (kind == "dynamics" and has("holonomic")) | _TIME_INVARIANT * has("time_invariant")
    return flags | _STOPS * (kind == "observer" and has("stops")) | _JUMPS * (kind == "friction" and has("jumps"))
