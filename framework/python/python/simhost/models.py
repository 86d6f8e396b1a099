"""Models written in Python, for prototypes: friction, controllers and actuators.

A class with `Parameter`s, `State`s and `Port`s becomes a model with `model`. Its method is called with numpy arrays of all
vehicles, or wheels, of a table at once, on any thread, with the lock of the interpreter.
"""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, TypeVar

import numpy as np

from . import _core
from .errors import ModelError, ShapeError

_OPTIONAL, _COMMAND, _REQUIRED = 1, 2, 4
_METHODS = {"friction": "force", "controller": "control", "actuator": "actuate"}

C = TypeVar("C", bound=type)


@dataclass(frozen=True)
class Parameter:
    """A number that a world file can set. On an instance, it is a float."""

    default: float
    """Value that it has unless the world file gives one."""
    unit: str
    """SI unit; "1" for a pure number."""
    description: str
    """Meaning, and what a larger value does."""
    low: float = -math.inf
    """Smallest value."""
    high: float = math.inf
    """Largest value."""


@dataclass(frozen=True)
class State:
    """A number per vehicle, or per wheel of a friction model, that the world keeps between steps, with its snapshots."""

    unit: str
    """SI unit; "1" for a pure number."""
    description: str
    """Meaning, sign convention and frame."""
    initial: float = 0.0
    """Value at the start of a run."""


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
    """Whether each wheel of a vehicle has a value. Arrays then have the shape (wheels, vehicles)."""


_FRICTION_INPUTS = [
    Port("vx", "m/s", "Velocity of the wheel centre along its rolling direction."),
    Port("vy", "m/s", "Velocity of the wheel centre to its left."),
    Port("spin", "rad/s", "Wheel spin, positive when rolling forwards."),
    Port("torque", "N·m", "Motor and brake torque on the wheel, positive forwards."),
    Port("normal_force", "N", "Normal load."),
    Port("gravity", "m/s²", "Gravity normal to the ground."),
    Port("radius", "m", "Rolling radius."),
    Port("inertia", "kg·m²", "Moment of inertia about the axle."),
    Port("steer", "rad", "Steering angle plus mounting yaw of the wheel, vehicle frame."),
    Port("slope_fy", "N", "Part of the leftward pull of slope and air that this wheel has to hold."),
    Port("mu_override", "1", "Friction coefficient of the ground here, negative where it has none.", -1.0),
    Port("c_rr_override", "1", "Rolling resistance of the ground here, negative where it has none.", -1.0),
]
_FRICTION_OUTPUTS = [
    Port("fx", "N", "Force of the ground on the wheel along its rolling direction."),
    Port("fy", "N", "Force of the ground on the wheel to its left."),
    Port("spin_torque", "N·m", "Torque on the wheel about its axle in addition to motor and brake."),
]
_ACTUATOR_PORTS = [Port("command", "1", "Value that has been set.")], [Port("value", "1", "Value that arrives.")]


def model(kind: str, name: str, *, version: str = "0.1.0") -> Callable[[C], C]:
    """Makes a class a model of all worlds that are opened from now on.

    The class has a docstring, `Parameter`s and `State`s as attributes, and a method that is called in each step with two
    namespaces of arrays of float64, one value per lane, and the step with `time` and `dt`, s:

    | Kind | Method | Ports |
    |---|---|---|
    | "friction" | `force(self, wheel, state, step)` | reads and returns those of the C boundary; a lane is a wheel |
    | "controller" | `control(self, vehicle, state, step)` | `inputs` and `outputs`, lists of `Port`, and `commands`, a mapping from kinds of commands to names of inputs |
    | "actuator" | `actuate(self, lane, state, step)` | `command` to `value`, and further `inputs` |

    It returns a mapping from the names of outputs to arrays or numbers. Arrays are its own: it sets states by assigning
    attributes of `state`. `prepare(self)`, if there is one, checks the parameters. A friction model can have further
    `outputs`, which become quantities, and further `inputs`.

    Declaring a class again replaces it in worlds that are opened afterwards.

    Args:
        kind: "friction", "controller" or "actuator".
        name: Vendor and class, such as "acme/rubber".
        version: Version of the model.

    Raises:
        ModelError: the declaration breaks a rule of the validator, which the text names.
    """

    def declare(cls: C) -> C:
        _declare(cls, kind, name, version)
        return cls

    return declare


def _declare(cls: type, kind: str, name: str, version: str) -> None:
    vendor, slash, own = name.partition("/")
    if not slash:
        raise ModelError(f"the name is {name!r}; expected VENDOR/CLASS, such as 'acme/rubber'")
    if kind not in _METHODS:
        raise ModelError(f"the kind of {name!r} is {kind!r}; expected one of {', '.join(_METHODS)}")
    method = _METHODS[kind]
    if not callable(getattr(cls, method, None)):
        raise ModelError(f"{name!r} has no method {method!r}; expected one for the kind {kind!r}")
    if not cls.__doc__:
        raise ModelError(f"{name!r} has no docstring; expected a description of the model")
    declared = {key: value for one in reversed(cls.__mro__) for key, value in vars(one).items()}
    parameters = {key: value for key, value in declared.items() if isinstance(value, Parameter)}
    states = {key: value for key, value in declared.items() if isinstance(value, State)}
    own_ports: list[Sequence[Port]] = [getattr(cls, "inputs", ()), getattr(cls, "outputs", ())]
    host_ports: dict[str, tuple[list[Port], list[Port]]] = {
        "friction": (_FRICTION_INPUTS, _FRICTION_OUTPUTS),
        "actuator": _ACTUATOR_PORTS,
    }
    host_inputs, host_outputs = host_ports.get(kind, ([], []))
    commands: Mapping[str, Sequence[str]] = getattr(cls, "commands", {})
    commanded = {port for ports in commands.values() for port in ports}
    inputs = [*host_inputs, *own_ports[0]]
    outputs = [*host_outputs, *own_ports[1]]
    published = {port.name for port in own_ports[1]} if kind != "controller" else set()

    def described(port: Port, is_input: bool) -> tuple[Any, ...]:
        flags = _COMMAND * (port.name in commanded) | _REQUIRED * port.is_required if is_input else 0
        flags |= _OPTIONAL * (not is_input and port.name in published)
        return port.name, port.unit, port.description, port.default, flags, port.is_per_wheel

    names = [port.name for port in outputs]
    _core.add_model(
        {
            "kind": kind,
            "vendor": vendor,
            "name": own,
            "version": version,
            "doc": cls.__doc__.strip().split("\n\n")[0],
            "parameters": [(key, one.unit, one.description, one.default, one.low, one.high) for key, one in parameters.items()],
            "states": [(key, one.unit, one.description, one.initial, False) for key, one in states.items()],
            "commands": [(command, list(ports)) for command, ports in commands.items()],
            "phases": [(method, [described(port, True) for port in inputs], [described(port, False) for port in outputs])],
        },
        lambda values: _caller(cls, method, dict(zip(parameters, values, strict=True)), [port.name for port in inputs], list(states), names),
    )


def _caller(
    cls: type, method: str, values: dict[str, float], inputs: list[str], states: list[str], outputs: list[str]
) -> Callable[..., tuple[list[Any], list[Any]]]:
    """Returns the function that calls an instance of a model."""
    instance: Any = object.__new__(cls)
    for key, value in values.items():
        setattr(instance, key, value)
    if callable(prepare := getattr(instance, "prepare", None)):
        prepare()
    run = getattr(instance, method)

    def call(_phase: int, given: list[Any], kept: list[Any], time: float, dt: float) -> tuple[list[Any], list[Any]]:
        lanes = SimpleNamespace(**dict(zip(inputs, given, strict=True)))
        state = SimpleNamespace(**dict(zip(states, kept, strict=True)))
        # a number that is not finite is a fault of the model, with its name
        with np.errstate(all="ignore"):
            returned = run(lanes, state, SimpleNamespace(time=time, dt=dt))
        if not isinstance(returned, Mapping) or set(returned) != set(outputs):
            found = sorted(returned) if isinstance(returned, Mapping) else type(returned).__name__
            raise ShapeError(f"{method} returns {found}; expected a mapping with {', '.join(outputs)}")
        shape = given[0].shape[-1:] if given else np.shape(next(iter(returned.values())))
        return [_column(name, returned[name], shape) for name in outputs], [_column(name, vars(state)[name], shape) for name in states]

    return call


def _column(name: str, values: Any, lanes: tuple[int, ...]) -> Any:
    """Returns values as a contiguous array: those of lanes, or of wheels and lanes, one after the other."""
    array = np.asarray(values, dtype=np.float64)
    shape = array.shape if array.ndim == 2 else lanes
    try:
        return np.ascontiguousarray(np.broadcast_to(array, shape)).reshape(-1)
    except ValueError:
        raise ShapeError(f"{name!r} has the shape {array.shape}; expected {lanes}, or a number") from None


def describe_exception(error: BaseException) -> str:
    """Returns an exception in one line, with the place in the model where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename != __file__]
    place = f" ({own[-1].filename.rpartition('/')[2]}, line {own[-1].lineno})" if own else ""
    return f"{type(error).__name__}: {error}{place}"
