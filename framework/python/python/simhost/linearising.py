"""Linear models of a world at its present state, by central differences."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from .ensemble import Ensemble, Selection
from .errors import InputError, SimhostError, UnknownNameError
from .packages import needed
from .session import CommandValue, Session, command_values, unknown, whole

if TYPE_CHECKING:
    import control

Matrix = np.ndarray[tuple[int, int], np.dtype[np.float64]]

_MOTION = {"pose/x": "m", "pose/y": "m", "pose/yaw": "rad", "velocity/vx": "m/s", "velocity/vy": "m/s", "velocity/omega": "rad/s"}


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
        return needed("control", "Linear.to_control").ss(
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
    """The present state of a session, and copies of it: the members of an ensemble. The first one has the present values, and
    each of the others a state or an input that is larger or smaller."""

    def __init__(
        self, session: Session, states: list[str] | None, inputs: list[str], outputs: list[str], steps: int, step: float
    ) -> None:
        if not 1e-5 <= step <= 0.1:
            raise InputError(f"step is {step}; expected a number from 1e-5 to 0.1")
        self.core: _core.Session = session._core
        core = self.core
        self.steps: int = whole("steps", steps, 1)
        self.step: float = step
        entities = [name for name, _ in core.motions()]
        self.motions: dict[str, str] = {f"{name}/{part}": unit for name in entities for part, unit in _MOTION.items()}
        own = [f"{vehicle}/{part}" for vehicle in core.vehicles for part in _MOTION]
        names = [name for name in own if name in self.motions] if states is None else states
        if not names:
            raise InputError("there are no states; expected at least one")
        for kind, given in (("states", names), ("inputs", inputs)):
            if repeated := [name for place, name in enumerate(given) if name in given[:place]]:
                raise InputError(f"duplicate name in {kind}: {repeated[0]!r}; expected each name once")
        self.moved: list[str] = list(dict.fromkeys(name.rsplit("/", 2)[0] for name in names if name in self.motions))
        self.commands: dict[str, CommandValue] = command_values(core)
        known = dict(core.parameters())
        parameters = {name: self._parameter(name, known) for name in inputs if name not in self.commands}
        ways = np.eye(len(names) + len(inputs))
        # for each member and each value, whether it is larger or smaller
        self.ways: Matrix = np.concatenate([0 * ways[:1], ways, -ways])
        columns = dict(zip(inputs, self.ways.T[len(names) :], strict=True))
        vary = {name: value + self._change(value) * columns[name] for name, value in parameters.items()}
        self.ensemble: Ensemble = session.ensemble(len(self.ways), vary=vary)
        self.ensemble.end_after(None)
        self.known: dict[tuple[str, ...], tuple[Selection, list[int]]] = {}
        self.states: dict[str, str] = {name: self.motions.get(name) or self._state_unit(name, core.steps) for name in names}
        self.outputs: dict[str, str] = self._columns(outputs)
        self.values: dict[str, float] = dict(zip(names, self._read_states()[0].tolist(), strict=True))
        # units and values of the inputs; values of commands are those with which the next step is taken
        first = ~self.ways.any(axis=1)
        self._run(len(parameters) < len(inputs), first)
        self.held: dict[str, list[float]] = {}
        self.inputs: dict[str, str] = {}
        for name in inputs:
            self.inputs[name], self.values[name] = ("", parameters[name]) if name in parameters else self._command(name)
        self.direct: np.ndarray[Any, Any] = self._direct(entities, core.steps)
        self.ensemble.reset(mask=first)

    def _parameter(self, name: str, known: dict[str, str]) -> float:
        if name not in known:
            raise unknown("input", name, [*self.commands, *known])
        try:
            return float(known[name])
        except ValueError:
            raise InputError(f"the parameter {name!r} is {known[name]!r}; expected a number") from None

    def _change(self, value: Any) -> Any:
        return self.step * np.maximum(1.0, np.abs(value))

    def _columns(self, patterns: list[str]) -> dict[str, str]:
        """Returns the names and units of the quantities that match the patterns; those of arrays with an index."""
        return {name: unit for name, unit, _ in self.ensemble.select(patterns).columns} if patterns else {}

    def _direct(self, entities: list[str], steps: int) -> np.ndarray[Any, Any]:
        """Returns for each output whether it follows the state directly: it is a state that models have set up, or changes at once
        if the entities of the first member are moved."""
        core, before = self.ensemble._core, self._read(self.outputs)[0]
        changes = self.step * np.arange(1.0, 7.0)
        for entity in entities if self.outputs else ():
            moved = core.motions(entity)[0] + changes
            if np.isfinite(moved).all():
                core.set_pose(0, entity, tuple(moved[:3].tolist()))
                core.set_velocity(0, entity, tuple(moved[3:].tolist()))
        after = self._read(self.outputs)
        direct = (after[0] != before) & ~np.isnan(after[0])
        for place, name in enumerate(self.outputs if steps else ()):
            try:
                # the values that they have
                core.set_state(name, np.ascontiguousarray(after[:, place]))
            except InputError:
                continue
            direct[place] = True
        return direct

    def _read(self, names: Iterable[str]) -> Matrix:
        """Returns columns of all members."""
        if not (key := tuple(names)):
            return np.zeros((len(self.ways), 0))
        if key not in self.known:
            selection = self.ensemble.select({name.split("[")[0]: None for name in key})
            places = {name: place for place, (name, *_) in enumerate(selection.columns)}
            self.known[key] = selection, [places[name] for name in key]
        selection, columns = self.known[key]
        return self.ensemble.read(selection, dtype=np.float64)[:, columns]

    def _state_unit(self, name: str, steps: int) -> str:
        try:
            columns = self._columns([name])
        except UnknownNameError:
            raise unknown("state", name, self.motions) from None
        if list(columns) != [name]:
            raise InputError(f"the state {name!r} is {len(columns)} quantities; expected one")
        if steps == 0:
            raise InputError(f"models set up the state {name!r} in the first step; help: take a step first")
        return columns[name]

    def _command(self, name: str) -> tuple[str, float]:
        """Returns unit and value of a command, and keeps those of its kind."""
        command = self.commands[name]
        found = [one and command._replace(index=index).setpoint(self.core) for index, one in enumerate(command.names)]
        self.held[name] = [float(self._read([one[0]])[0, 0]) if one else 0.0 for one in found]
        return found[command.index][1][0][0], self.held[name][command.index]

    def _read_states(self) -> Matrix:
        others = [name for name in self.states if name not in self.motions]
        columns = dict(zip(others, self._read(others).T, strict=True))
        for entity in self.moved:
            columns |= zip((f"{entity}/{part}" for part in _MOTION), self.ensemble._core.motions(entity).T, strict=True)
        return np.stack([columns[name] for name in self.states], axis=1)

    def _move(self, entity: str, columns: dict[str, np.ndarray[Any, Any]]) -> None:
        """Sets pose and velocity of an entity in the members in which they differ."""
        core = self.ensemble._core
        before = core.motions(entity)
        after = np.stack([columns.get(f"{entity}/{part}", old) for part, old in zip(_MOTION, before.T, strict=True)], axis=1)
        members = np.flatnonzero((after != before).any(axis=1)).tolist()
        try:
            spins = self._columns([f"{entity}/wheel/*/spin"])
        except UnknownNameError:
            spins = {}
        found = self._read(spins)
        for member in members:
            if (after[member, :3] != before[member, :3]).any():
                core.set_pose(member, entity, tuple(after[member, :3].tolist()))
            core.set_velocity(member, entity, tuple(before[member, 3:].tolist()))
        rolling = self._read(spins)
        for member in members:
            core.set_velocity(member, entity, tuple(after[member, 3:].tolist()))
        # wheels roll, and get the slip back that they had
        found[members] += (self._read(spins) - rolling)[members]
        for name, column in zip(spins, found.T, strict=True):
            core.set_state(name, column)

    def _set(self, columns: dict[str, np.ndarray[Any, Any]]) -> None:
        """Gives the members their states and commands."""
        core = self.ensemble._core
        for entity in self.moved:
            self._move(entity, columns)
        for name in self.states:
            if name not in self.motions:
                core.set_state(name, columns[name])
        for name, held in self.held.items():
            vehicle, kind, _, index = self.commands[name]
            for member in np.flatnonzero(columns[name] != self.values[name]).tolist():
                core.command(member, vehicle, kind, [*held[:index], float(columns[name][member]), *held[index + 1 :]])

    def linear(self) -> Linear:
        """Returns the linear model."""
        values = np.array(list(self.values.values()))
        changes = self._change(values)
        self._set(dict(zip(self.values, (values + changes * self.ways).T, strict=True)))
        before, shown = self._read_states(), self._read(self.outputs)
        self._run(1)
        computed = self._read(self.outputs)
        self._run(self.steps - 1)
        yaws = [place for place, name in enumerate(self.states) if name in self.motions and name.endswith("/pose/yaw")]
        (start, _), (end, roughness) = (_slopes(rows, changes, yaws) for rows in (before, self._read_states()))
        (shown, _), (computed, _) = (_slopes(rows, changes, []) for rows in (shown, computed))
        n = len(self.states)
        if np.linalg.matrix_rank(start[:, :n]) < n:
            raise InputError(f"the states {', '.join(self.states)} cannot change independently; help: leave some of them out")
        # what a state changes beside itself, such as rolling wheels, belongs to the others
        inverse = np.linalg.inv(start[:, :n])
        # an output follows the state directly, or is computed in the step
        output = np.where(self.direct[:, None], shown, computed)
        return Linear(
            A=np.ascontiguousarray(end[:, :n] @ inverse),
            B=np.ascontiguousarray(end[:, n:]),
            C=np.ascontiguousarray(output[:, :n] @ inverse),
            D=np.ascontiguousarray(output[:, n:]),
            dt=self.steps * self.ensemble.dt,
            states=self.states,
            inputs=self.inputs,
            outputs=self.outputs,
            point=self.values,
            roughness=dict(zip(self.values, roughness.tolist(), strict=True)),
        )

    def _run(self, steps: int, members: np.ndarray[Any, Any] | None = None) -> None:
        self.ensemble.step(steps, mask=members)
        if self.ensemble.has_any_ended:
            raise SimhostError(f"a run of the linear model has ended: {self.ensemble.ends[0].text}")


def _slopes(rows: Matrix, changes: np.ndarray[Any, Any], yaws: list[int]) -> tuple[Matrix, np.ndarray[Any, Any]]:
    """Returns the derivatives of columns of all members, a column for each value, and how far both directions disagree."""
    middle, up, down = np.split(rows, [1, 1 + len(changes)])
    rises, falls = up - middle, middle - down
    for part in (rises, falls):
        # within half a turn
        part[:, yaws] = (part[:, yaws] + np.pi) % (2 * np.pi) - np.pi
    scale = np.maximum(np.abs(rises), np.abs(falls)).max(axis=1, initial=0.0)
    apart = np.abs(rises - falls).max(axis=1, initial=0.0)
    return (rises + falls).T / (2 * changes), np.divide(apart, scale, out=np.zeros_like(scale), where=scale > 0)
