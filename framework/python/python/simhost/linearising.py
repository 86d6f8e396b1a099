"""Linear models of a world at its present state, by central differences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from .errors import InputError, SimhostError, UnknownNameError
from .session import Session, unknown

if TYPE_CHECKING:
    import control

Matrix = np.ndarray[tuple[int, int], np.dtype[np.float64]]

_MOTION = {"pose": (("x", "m"), ("y", "m"), ("yaw", "rad")), "velocity": (("vx", "m/s"), ("vy", "m/s"), ("omega", "rad/s"))}


@dataclass(frozen=True)
class Linear:
    """A linear model of small differences from a state: `x[k+1] = A x[k] + B u[k]`, `y[k] = C x[k] + D u[k]`."""

    A: Matrix
    """Differences of the states at the end of the interval per difference of a state at its start."""
    B: Matrix
    """Differences of the states at the end of the interval per difference of an input that is held during it."""
    C: Matrix
    """Differences of the outputs per difference of a state."""
    D: Matrix
    """Differences of the outputs per difference of an input."""
    dt: float
    """Length of the interval, s; 0 for a model in continuous time, `dx/dt = A x + B u`."""
    states: dict[str, str]
    """Names of the states in their order, with their units."""
    inputs: dict[str, str]
    """Names of the inputs in their order, with their units."""
    outputs: dict[str, str]
    """Names of the outputs in their order, with their units."""
    point: dict[str, float]
    """Values of states and inputs from which the differences are counted."""
    roughness: dict[str, float]
    """How far the differences upwards and downwards disagree for each state and input, as a part of the larger one: below
    1e-3 where the world is smooth, up to 1 at a contact, at stiction, or at a limit."""

    def eigenvalues(self) -> np.ndarray[Any, Any]:
        """Returns the eigenvalues of `A`, complex, sorted by their real parts."""
        values = np.linalg.eigvals(self.A).astype(np.complex128)
        return values[np.lexsort((values.imag, values.real))]

    def continuous(self) -> Linear:
        """Returns the model in continuous time whose inputs are constant during each interval.

        Raises:
            InputError: there is none with real numbers, because a state decays or oscillates within less than about two
                intervals.
        """
        if self.dt == 0:
            return self
        n = len(self.states)
        whole = np.eye(n + len(self.inputs))
        whole[:n, :n], whole[:n, n:] = self.A, self.B
        if (np.linalg.eigvals(self.A).real <= 0).any():
            raise InputError(f"a state changes its sign within the interval of {self.dt} s; expected slower states; help: use fewer steps")
        rates = _logarithm(whole) / self.dt
        return Linear(
            **{
                **self.__dict__,
                "A": np.ascontiguousarray(rates[:n, :n]),
                "B": np.ascontiguousarray(rates[:n, n:]),
                "dt": 0.0,
            }
        )

    def to_control(self) -> control.StateSpace:
        """Returns a `control.StateSpace` of the package python-control with the names of states, inputs and outputs."""
        import control

        return control.ss(
            self.A, self.B, self.C, self.D, self.dt, states=list(self.states), inputs=list(self.inputs), outputs=list(self.outputs)
        )


def _logarithm(matrix: Matrix) -> Matrix:
    """Returns the logarithm of a matrix whose eigenvalues have positive real parts: square roots by the iteration of
    Denman and Beavers until the matrix is near the identity, and there the series of the inverse hyperbolic tangent."""
    identity, roots = np.eye(len(matrix)), 0
    while np.abs(matrix - identity).sum(axis=1).max() > 0.1 and roots < 30:
        root, inverse = matrix, identity
        for _ in range(30):
            root, inverse = (root + np.linalg.inv(inverse)) / 2, (inverse + np.linalg.inv(root)) / 2
            if np.abs(root @ root - matrix).max() < 1e-14 * np.abs(matrix).max():
                break
        matrix, roots = root, roots + 1
    ratio = np.linalg.solve(matrix + identity, matrix - identity)
    square, power, total = ratio @ ratio, ratio, np.zeros_like(ratio)
    for odd in range(1, 40, 2):
        total += power / odd
        power = power @ square
    return 2.0 * 2.0**roots * total


class OperatingPoint:
    """The present state of a session, from which copies start."""

    def __init__(self, session: Session, states: list[str] | None, inputs: list[str], outputs: list[str], steps: int) -> None:
        if steps < 1:
            raise InputError(f"steps is {steps}; expected at least 1")
        self.copy: _core.Session = session._core.fork()
        self.steps: int = steps
        # of the fork, because a snapshot belongs to the edits that its world has
        self.snapshot: _core.Snapshot = self.copy.snapshot()
        self.motions: dict[str, np.ndarray[Any, Any]] = {name: np.array(motion, dtype=np.float64) for name, motion in self.copy.motions()}
        self.own: dict[str, tuple[str, int, int, str]] = {
            f"{entity}/{kind}/{part}": (entity, row, column, unit)
            for entity in self.motions
            for row, (kind, parts) in enumerate(_MOTION.items())
            for column, (part, unit) in enumerate(parts)
        }
        vehicles = set(self.copy.vehicles)
        names = [name for name in self.own if self.own[name][0] in vehicles] if states is None else states
        self.states: dict[str, str] = {name: self.own[name][3] if name in self.own else self._state_unit(name) for name in names}
        if not self.states:
            raise InputError("there are no states; expected at least one")
        self.parameters: dict[str, str] = dict(self.copy.parameters())
        self.outputs: dict[str, str] = self._columns(outputs)
        self.patterns: list[str] = outputs
        self.spins: dict[str, float] = {name: float(self.copy.read([name])[0]) for name in self._spins()}
        self.commands: dict[str, tuple[str, str, list[str | None], int]] = self._commands()
        # the setpoints with which the next step is taken
        self._step(1)
        found = [self._input(name) for name in inputs]
        self.inputs: dict[str, str] = {name: unit for name, (unit, _) in zip(inputs, found, strict=True)}
        self.base: dict[str, float] = {name: value for name, (_, value) in zip(inputs, found, strict=True)}
        self.held: dict[str, list[float]] = {
            name: [self._setpoint(vehicle, value)[1] if value is not None else 0.0 for value in values]
            for name, (vehicle, _, values, _) in self.commands.items()
            if name in self.inputs
        }
        self.copy.restore(self.snapshot)
        self.start: np.ndarray[Any, Any] = self._read_states()

    def _columns(self, patterns: list[str]) -> dict[str, str]:
        columns: dict[str, str] = {}
        for name, units, size, _, _ in self.copy.quantities(patterns) if patterns else []:
            for index in range(size or 1):
                columns[name if size is None else f"{name}[{index}]"] = units[index if len(units) > 1 else 0]
        return columns

    def _state_unit(self, name: str) -> str:
        try:
            columns = self._columns([name])
        except UnknownNameError:
            raise unknown("state", name, self.own) from None
        if list(columns) != [name]:
            raise InputError(f"the state {name!r} is {len(columns)} quantities; expected one")
        if self.copy.steps == 0:
            raise InputError(f"models set up the state {name!r} in the first step; help: take a step first")
        self.copy.set_state(name, float(self.copy.read([name])[0]))
        return columns[name]

    def _spins(self) -> list[str]:
        try:
            return [name for name, *_ in self.copy.quantities(["*/wheel/*/spin"])]
        except UnknownNameError:
            return []

    def _commands(self) -> dict[str, tuple[str, str, list[str | None], int]]:
        return {
            f"{vehicle}/cmd_{stream}/{value}": (vehicle, kind, values, index)
            for vehicle in self.copy.vehicles
            for kind, values in self.copy.command_kinds(vehicle)
            for stream in [{"twist": "vel", "speed_steer": "ackermann"}.get(kind, kind)]
            for index, value in enumerate(values)
            if value is not None
        }

    def _setpoint(self, vehicle: str, value: str) -> tuple[str, float]:
        name = f"{vehicle}/controller/command_{value}"
        try:
            unit = self.copy.quantities([name])[0][1][0]
        except UnknownNameError:
            name = f"{vehicle}/controller/{value}"
            unit = self.copy.quantities([name])[0][1][0]
        return unit, float(self.copy.read([name])[0])

    def _input(self, name: str) -> tuple[str, float]:
        """Returns unit and present value of an input."""
        if name in self.parameters:
            try:
                return "", float(self.parameters[name])
            except ValueError:
                raise InputError(f"the parameter {name!r} is {self.parameters[name]!r}; expected a number") from None
        if name not in self.commands:
            raise unknown("input", name, [*self.commands, *self.parameters])
        vehicle, _, values, index = self.commands[name]
        value = values[index]
        assert value is not None
        return self._setpoint(vehicle, value)

    def _read_states(self) -> np.ndarray[Any, Any]:
        motions = dict(self.copy.motions())
        own = (motions[self.own[n][0]][self.own[n][1]][self.own[n][2]] if n in self.own else self.copy.read([n])[0] for n in self.states)
        return np.array(list(own), dtype=np.float64)

    def _read_outputs(self) -> np.ndarray[Any, Any]:
        return self.copy.read(self.patterns) if self.patterns else np.zeros(0)

    def _set_states(self, values: np.ndarray[Any, Any]) -> None:
        motions = {name: motion.copy() for name, motion in self.motions.items()}
        for name, value in zip(self.states, values, strict=True):
            if name in self.own:
                entity, row, column, _ = self.own[name]
                motions[entity][row, column] = value
        for entity, motion in motions.items():
            before = self.motions[entity]
            if (motion == before).all():
                continue
            if (motion[0] != before[0]).any():
                self.copy.set_pose(entity, tuple(motion[0].tolist()))
            # wheels roll, and get the slip back that they had
            self.copy.set_velocity(entity, tuple(before[1].tolist()))
            rolling = {name: float(self.copy.read([name])[0]) for name in self.spins if name.startswith(f"{entity}/")}
            self.copy.set_velocity(entity, tuple(motion[1].tolist()))
            for name, spin in rolling.items():
                self.copy.set_state(name, self.spins[name] + float(self.copy.read([name])[0]) - spin)
        for name, value in zip(self.states, values, strict=True):
            if name not in self.own:
                self.copy.set_state(name, float(value))

    def _set_input(self, name: str, value: float) -> None:
        if name in self.parameters:
            self.copy.set_parameter(name, repr(value))
            return
        vehicle, kind, _, index = self.commands[name]
        held = list(self.held[name])
        held[index] = value
        self.copy.command(vehicle, kind, held)

    def run(self, name: str | None = None, change: float = 0.0) -> tuple[np.ndarray[Any, Any], ...]:
        """Returns the states at the start and at the end of an interval, and the outputs at its start and after its first
        step, with a state or an input changed."""
        self.copy.restore(self.snapshot)
        if name in self.states:
            target = self.start.copy()
            target[list(self.states).index(name)] += change
            self._set_states(target)
        elif name is not None:
            self._set_input(name, self.base[name] + change)
        before, shown = self._read_states(), self._read_outputs()
        self._step(1)
        after = self._read_outputs()
        self._step(self.steps - 1)
        return before, self._read_states(), shown, after

    def linear(self, step: float) -> Linear:
        """Returns the linear model, from differences of this part of a value."""
        if not 1e-5 <= step <= 0.1:
            raise InputError(f"step is {step}; expected a number from 1e-5 to 0.1")
        base = self.run()
        values = dict(zip(self.states, self.start.tolist(), strict=True)) | self.base
        columns, roughness = [], {}
        for name, value in values.items():
            change = step * max(1.0, abs(value))
            up, down = self.run(name, change), self.run(name, -change)
            rises = [_turned(self, high - middle, index) for index, (high, middle) in enumerate(zip(up, base, strict=True))]
            falls = [_turned(self, middle - low, index) for index, (middle, low) in enumerate(zip(base, down, strict=True))]
            columns.append([(rise + fall) / (2 * change) for rise, fall in zip(rises, falls, strict=True)])
            scale = max(np.abs(rises[1]).max(), np.abs(falls[1]).max())
            roughness[name] = float(np.abs(rises[1] - falls[1]).max() / scale) if scale > 0 else 0.0
        before, after, shown, computed = (np.stack(parts, axis=1) for parts in zip(*columns, strict=True))
        n = len(self.states)
        start = before[:, :n]
        if np.linalg.matrix_rank(start) < n:
            raise InputError(f"the states {', '.join(self.states)} cannot change independently; help: leave some of them out")
        # what a state changes beside itself, such as rolling wheels, belongs to the others
        inverse = np.linalg.inv(start)
        # an output follows the state directly, or is computed in the step
        direct = (shown != 0).any(axis=1)
        output = np.where(direct[:, None], shown, computed)
        return Linear(
            A=np.ascontiguousarray(after[:, :n] @ inverse),
            B=np.ascontiguousarray(after[:, n:]),
            C=np.ascontiguousarray(output[:, :n] @ inverse),
            D=np.ascontiguousarray(output[:, n:]),
            dt=self.steps * self.copy.dt,
            states=dict(self.states),
            inputs=self.inputs,
            outputs=self.outputs,
            point=values,
            roughness=roughness,
        )

    def _step(self, steps: int) -> None:
        ended = self.copy.run(steps, None, None)
        if ended != "reached":
            raise SimhostError(f"a run of the linear model has ended: {ended}")


def _turned(point: OperatingPoint, difference: np.ndarray[Any, Any], index: int) -> np.ndarray[Any, Any]:
    """Returns a difference of states with that of yaw angles within half a turn."""
    if index < 2:
        for row, name in enumerate(point.states):
            if name in point.own and name.endswith("/pose/yaw"):
                difference[row] = (difference[row] + np.pi) % (2 * np.pi) - np.pi
    return difference
