"""Parameters of a world from measurements."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from .ensemble import Ensemble
from .errors import FitError, InputError, OutputError, ShapeError
from .packages import needed
from .session import Array, PathLike, Session, one_or_many, unknown, whole
from .session import open as open_session
from .table import Table, _read_csv

_STEP = 1e-4
"""Step of central differences, as a part of the range of a parameter."""


class ArrowTable(Protocol):
    """A table with the Arrow C stream interface, such as those of pandas, polars and pyarrow."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


@dataclass(frozen=True)
class Fit:
    """Parameters that fit measurements."""

    values: dict[str, float]
    """Values of the parameters."""
    deviations: dict[str, float]
    """Standard deviations of the values, from the residuals and their derivatives at the solution."""
    covariance: np.ndarray[Any, Any]
    """Covariance matrix of the values, in the order of `values`."""
    times: np.ndarray[Any, Any]
    """Times of the samples, s."""
    residuals: dict[str, np.ndarray[Any, Any]]
    """Simulation less measurement for each column, in its unit."""
    runs: int
    """Number of simulated runs."""
    message: str
    """Reason for which the search has ended."""
    world: tuple[PathLike, str | None]
    """Path and text of the world."""

    def apply(self, session: Session) -> None:
        """Sets the parameters of a session to the values."""
        session.parameters.update(self.values)

    def save(self, file: PathLike) -> None:
        """Writes the world file with the values in their places, as `Session.write_world` does.

        Raises:
            WorldError: the file has no place for a value, such as the parameter of an included model or a start pose.
        """
        path, text = self.world
        with open_session(path, text=text) as session:
            session.write_world(file, self.values)

    def plot(self) -> Any:
        """Draws the residuals over time with matplotlib, and returns the axes."""
        pyplot = needed("matplotlib.pyplot", "Fit.plot")
        axes = pyplot.figure(layout="constrained").add_subplot()
        for name, values in self.residuals.items():
            axes.plot(self.times, values, label=name)
        axes.set_xlabel("time [s]")
        axes.set_ylabel("simulation - measurement")
        axes.legend()
        return axes


def ends(ranges: Mapping[str, tuple[float, float]]) -> tuple[Array, Array]:
    """Returns the lower and the upper ends of ranges.

    Raises:
        InputError: a range is not a pair of numbers.
    """
    for name, of in ranges.items():
        try:
            low, high = of
            float(low), float(high)
        except (TypeError, ValueError):
            raise InputError(f"the range of {name!r} is {of!r}; expected two numbers, such as (0.5, 1.5)") from None
    pairs = np.array([tuple(of) for of in ranges.values()], dtype=np.float64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def first(start: Mapping[str, float] | None, names: list[str], low: Array, high: Array) -> Array:
    """Returns the values with which a search starts: those of `start`, otherwise the middles of the ranges.

    Raises:
        UnknownNameError: `start` has another name.
    """
    given = start or {}
    if strange := [name for name in given if name not in names]:
        raise unknown("name in start", strange[0], names)
    return np.array([given.get(name, middle) for name, middle in zip(names, (low + high) / 2, strict=True)], dtype=np.float64)


def _table(log: Any) -> Mapping[str, Any]:
    """Returns the columns of a log."""
    if isinstance(log, str | os.PathLike):
        return _csv(Path(log))
    if isinstance(log, Mapping):
        # a Dataset of xarray is a mapping without its coordinates
        names = getattr(log, "variables", log)
    else:
        names = getattr(log, "column_names", getattr(log, "columns", None))
        if names is None:
            raise FitError(f"the log is of the type {type(log).__name__}; expected a table with the column 'time', such as a record")
    columns = {name: log[name] for name in names}
    # pandas
    index = getattr(log, "index", None)
    if "time" not in columns and getattr(index, "name", None) == "time":
        columns["time"] = index
    return columns


def _csv(path: Path) -> Table:
    """Returns the table of a CSV file."""
    try:
        tables = _read_csv(path)
    except OSError as error:
        raise OutputError(f"cannot read {path}: {error.strerror}") from None
    if len(tables) != 1:
        raise FitError(f"{path} has the tables {', '.join(tables)}; expected one; help: read it with simhost.load, and pass one of them")
    return next(iter(tables.values()))


def _column(log: Mapping[str, Any], name: str) -> np.ndarray[Any, Any]:
    try:
        values = np.asarray(log[name])
        column = values / np.timedelta64(1, "s") if values.dtype.kind == "m" else values.astype(np.float64)
    except (TypeError, ValueError):
        raise FitError(f"the column '{name}' of the log has a value that is not a number") from None
    if values.dtype.kind == "M":
        raise FitError(f"the column '{name}' of the log has dates; expected numbers; help: subtract the first one")
    if column.ndim != 1:
        raise ShapeError(f"the column '{name}' of the log has the shape {column.shape}; expected one dimension")
    return column


class _Runs:
    """Runs of a world with several values of its parameters."""

    def __init__(self, world: PathLike, names: list[str], log: Mapping[str, Any], columns: list[str], **options: Any) -> None:
        self.world, self.names, self.options = world, names, options
        self.columns = columns
        self.times = _column(log, "time")
        if not self.times.size:
            raise FitError("the log has no rows; expected at least one")
        late = ~(np.diff(self.times, prepend=0.0) >= 0.0) | ~np.isfinite(self.times)
        if late.any():
            row = int(late.argmax())
            raise FitError(f"the time in row {row} of the log is {self.times[row]} s; expected times from 0 s on that do not decrease")
        self.measured = np.stack([_column(log, name) for name in columns], axis=1)
        if not np.isfinite(self.measured).all():
            row, column = np.argwhere(~np.isfinite(self.measured))[0]
            found = self.measured[row, column]
            raise FitError(f"the log has {found} in '{columns[column]}' at {self.times[row]} s; expected finite numbers")
        # columns of several units count alike
        spread = self.measured.std(axis=0)
        self.scale = np.where(spread > 0, spread, 1.0)
        self.count = 0

    def run(self, points: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Returns the residuals of runs with parameters in the rows of `points`: runs x samples x columns."""
        vary = {name: points[:, index] for index, name in enumerate(self.names)}
        with Ensemble(self.world, len(points), vary=vary, **self.options) as ens:
            ens.end_after(None)
            selection = ens.select([name.split("[")[0] for name in self.columns])
            known = [name for name, _, _ in selection.columns]
            places = [known.index(name) for name in self.columns]
            seen = np.empty((len(points), *self.measured.shape))
            for sample, time in enumerate(self.times):
                ens.run_until(time)
                seen[:, sample] = ens.read(selection, dtype=np.float64)[:, places]
            ends = ens.ends
        self.count += len(points)
        if ends:
            values = ", ".join(f"{name} = {points[ends[0].member, index]:g}" for index, name in enumerate(self.names))
            raise FitError(f"a run cannot be simulated with {values}: {ends[0].text}; help: narrow the ranges")
        return (seen - self.measured) / self.scale


def fit(
    world: PathLike,
    free: Mapping[str, tuple[float, float]],
    log: Mapping[str, Any] | ArrowTable | PathLike,
    compare: str | Iterable[str],
    *,
    start: Mapping[str, float] | None = None,
    commands: PathLike | None = None,
    text: str | None = None,
    seed: int | None = None,
    threads: int = 1,
    most_runs: int = 2000,
) -> Fit:
    """Finds parameters with which a world repeats measurements, by least squares (needs scipy).

    The runs of a step of the search, one for each derivative, are the members of one ensemble. Columns are divided by their
    standard deviation, so that columns with several units count alike.

    Args:
        world: Path of a world file.
        free: Parameters with their ranges.
        log: Table of the measurements with the column `time`, s: a record, a mapping from names to columns, a table of pandas,
            polars, pyarrow or xarray, or the path of a CSV file. The column can be the index of a table of pandas.
        compare: Columns of the log that are compared, such as "car/twist[0]".
        start: Values with which the search starts; otherwise the middle of each range.
        commands: Path of the command file with which the measurements were taken.
        text: Text of a world file, in place of the content of `world`.
        seed: Seed of all random numbers.
        threads: Number of threads.
        most_runs: Number of runs after which the search ends.

    Raises:
        FitError: the log has no rows, values that are not finite numbers, or times that decrease; a range is empty, a start is
            outside of it, no parameter has an effect at the start, or a run fails.
        InputError: a range is not a pair of numbers.
        VariationError: there is no such parameter.
        UnknownNameError: there is no such column or quantity, or `start` has a name that is not in `free`.
        OutputError: the file of the log cannot be read.
    """
    least_squares = needed("scipy.optimize", "fit").least_squares
    names, columns = list(free), one_or_many(compare)
    if not names or not columns:
        raise FitError("nothing to fit: expected at least one free parameter and one column to compare")
    low, high = ends(free)
    for name, least, most in zip(names, low, high, strict=True):
        if not (np.isfinite([least, most]).all() and least < most):
            raise FitError(f"the range of '{name}' is from {least:g} to {most:g}; expected finite, increasing numbers")
    begin = first(start, names, low, high)
    for name, value, least, most in zip(names, begin, low, high, strict=True):
        if not least <= value <= most:
            raise FitError(f"the start of '{name}' is {value:g}; expected a number from {least:g} to {most:g}")
    table = Table(_table(log), {})
    missing = [name for name in ("time", *columns) if name not in table]
    if missing:
        table[missing[0]]
    if len({len(table[name]) for name in ("time", *columns)}) != 1:
        raise ShapeError("the columns of the log have several lengths; expected one")
    most_runs = whole("most_runs", most_runs, 0)
    options = {"text": text, "seed": seed, "threads": threads, "commands": commands}
    runs = _Runs(world, names, table, columns, **options)
    known: dict[bytes, tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]] = {}

    def both(point: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Returns the residuals at a point, and their derivatives by central differences within the ranges."""
        key = point.tobytes()
        if key not in known:
            step = np.diag(_STEP * (high - low))
            points = np.clip(np.concatenate([point[None], point + step, point - step]), low, high)
            found = runs.run(points).reshape(len(points), -1)
            count = len(names)
            apart = np.diag(points[1 : count + 1] - points[count + 1 :])
            known.clear()
            known[key] = found[0], ((found[1 : count + 1] - found[count + 1 :]) / apart[:, None]).T
        return known[key]

    _, slopes = both(begin)
    effects = np.abs(slopes * (high - low)).max(axis=0)
    if (effects < 1e-9).any():
        name = names[int(np.argmin(effects))]
        raise FitError(
            f"'{name}' has no effect on {', '.join(columns)} at the start; help: compare other columns, use a log in "
            "which it matters, or start elsewhere"
        )
    found = least_squares(
        lambda point: both(point)[0],
        begin,
        jac=lambda point: both(point)[1],
        bounds=(low, high),
        x_scale=high - low,
        max_nfev=max(1, most_runs // (2 * len(names) + 1)),
    )
    residuals = runs.run(found.x[None])[0]
    # columns have different noise, which their residuals show
    share = residuals.size / max(1, residuals.size - len(names))
    noise = np.broadcast_to((residuals**2).mean(axis=0) * share, residuals.shape).ravel()
    inverse = np.linalg.pinv(found.jac.T @ found.jac)
    covariance = inverse @ (found.jac.T * noise) @ found.jac @ inverse
    return Fit(
        values=dict(zip(names, found.x.tolist(), strict=True)),
        deviations=dict(zip(names, np.sqrt(np.diag(covariance)).tolist(), strict=True)),
        covariance=covariance,
        times=runs.times,
        residuals=dict(zip(columns, (residuals * runs.scale).T, strict=True)),
        runs=runs.count,
        message=str(found.message),
        world=(world, text),
    )
