"""Tables of columns with units."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from .errors import InputError, OutputError, UnknownNameError
from .packages import needed

if TYPE_CHECKING:
    import pandas
    import polars
    import xarray

_SHOWN_ROWS, _SHOWN_COLUMNS = 10, 8
"""Rows and columns of a table that a notebook shows."""

Column = np.ndarray[tuple[int], np.dtype[np.float64]]


def html_table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Returns a table in HTML. Numbers have five digits."""

    def cell(value: object) -> str:
        text = f"{value:.5g}" if isinstance(value, float) else str(value)
        return f"<td>{escape(text)}</td>"

    body = "".join(f"<tr>{''.join(cell(value) for value in row)}</tr>" for row in rows)
    return f"<table><tr>{''.join(f'<th>{escape(name)}</th>' for name in head)}</tr>{body}</table>"


def _fixed(column: Column) -> Column:
    """Returns a view of a column that cannot be changed."""
    view = np.asarray(column).view()
    view.flags.writeable = False
    return view


class Table(Mapping[str, Column]):
    """Columns of float64 with units. The first one is `time`, s, where the table has times. Columns are read-only.

    A table is a mapping from names to columns. Libraries that know the Arrow C stream interface, such as polars,
    pandas, pyarrow and duckdb, take it as it is, without copies.
    """

    def __init__(self, columns: Mapping[str, Column], units: Mapping[str, str]) -> None:
        self._columns = {name: _fixed(column) for name, column in columns.items()}
        self._units = dict(units)

    def _data(self) -> dict[str, Column]:
        return self._columns

    @property
    def units(self) -> dict[str, str]:
        """Unit of each column; "1" for a pure number, and empty if it is not known."""
        return dict(self._units)

    def __getitem__(self, name: str) -> Column:
        data = self._data()
        if name not in data:
            raise UnknownNameError(f"unknown column: {name!r}; expected one of {', '.join(data)}")
        return data[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data())

    def __len__(self) -> int:
        """Number of columns, as of every mapping; `rows` is the number of rows."""
        return len(self._data())

    @property
    def rows(self) -> int:
        """Number of rows."""
        return next((len(column) for column in self._data().values()), 0)

    def __repr__(self) -> str:
        names = list(self)
        shown = ", ".join(names[:6]) + (f", … {len(names) - 6} more" if len(names) > 6 else "")
        return f"<{type(self).__name__} of {self.rows} rows: {shown}>"

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)

    def _repr_html_(self) -> str:
        """Shows the first rows and columns in a notebook."""
        data = dict(list(self._data().items())[:_SHOWN_COLUMNS])
        head = [f"{name} [{self._units[name]}]" if self._units.get(name) else name for name in data]
        rows = zip(*(column[:_SHOWN_ROWS].tolist() for column in data.values()), strict=True)
        return html_table(head, rows) + f"<p>{self.rows} rows, {len(self)} columns</p>"

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Returns the table as a stream of the Arrow C stream interface, without copies. Units are metadata of fields."""
        columns = [(name, self._units.get(name, ""), column) for name, column in self._data().items()]
        return _core.arrow_stream(columns)

    def to_pandas(self) -> pandas.DataFrame:
        """Returns a `pandas.DataFrame` with the time as its index; `attrs["units"]` has the units."""
        pandas = needed("pandas", "Table.to_pandas")
        data = dict(self._data())
        index = pandas.Index(data.pop("time"), name="time") if "time" in data else None
        frame = pandas.DataFrame(data, index=index)
        frame.attrs["units"] = self.units
        return frame

    def to_polars(self) -> polars.DataFrame:
        """Returns a `polars.DataFrame`; NaN stays NaN."""
        return needed("polars", "Table.to_polars").DataFrame(self)

    def to_xarray(self) -> xarray.Dataset:
        """Returns an `xarray.Dataset` over the dimension `time`; each variable has its unit as the attribute `units`."""
        xarray = needed("xarray", "Table.to_xarray")
        data = self._data()
        dimension = "time" if "time" in data else "row"
        variables = {
            # the dataset can be changed
            name: (dimension, column.copy(), {"units": self._units.get(name, "")})
            for name, column in data.items()
        }
        return xarray.Dataset(variables)

    def plot(self, *names: str) -> Any:
        """Draws columns over time with matplotlib, all without names, and returns the axes."""
        pyplot = needed("matplotlib.pyplot", "Table.plot")
        shown = [name for name in (names or self) if name != "time"]
        axes = pyplot.figure(layout="constrained").add_subplot()
        for name in shown:
            axes.plot(self["time"], self[name], label=f"{name} [{self._units.get(name, '')}]")
        axes.set_xlabel("time [s]")
        axes.legend()
        return axes


class Record(Table):
    """Quantities over time, which a session adds to while it runs. Columns that were returned stay as they are."""

    def __init__(self, core: _core.Recorder) -> None:
        columns = core.columns
        super().__init__({}, {"time": "s"} | {name: unit for name, unit, _ in columns})
        self._core = core
        self._names = [name for name, _, _ in columns]
        self._docs = {name: doc for name, _, doc in columns}
        self._read: tuple[int, int] | None = None

    @property
    def descriptions(self) -> dict[str, str]:
        """Description of each column: meaning, sign convention and frame."""
        return dict(self._docs)

    def _data(self) -> dict[str, Column]:
        state = self._core.state
        if state != self._read:
            self._read = state
            columns = {"time": self._core.times()} | dict(zip(self._names, self._core.values(), strict=True))
            self._columns = {name: _fixed(column) for name, column in columns.items()}
        return self._columns


def _split(head: str) -> tuple[str, str]:
    """Returns name and unit of the head of a column, `name [unit]`, or `vx_mps` with the suffix of its unit."""
    if head == "time_s":
        return "time", "s"
    name, bracket, unit = head.rpartition(" [")
    return (name, unit.removesuffix("]")) if bracket else (head, _core.column_unit(head))


def _number(text: str) -> float | None:
    try:
        return float(text) if text else float("nan")
    except ValueError:
        return None


def _read_csv(path: Path) -> dict[str, Table]:
    """Returns the tables of a file: one, or one per value of a column of texts, such as the vehicles."""
    try:
        with path.open(newline="") as file:
            rows = csv.reader(file)
            heads = next(rows, [])
            body = list(rows)
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"cannot read {path}: {error}; expected a table of texts and numbers") from error
    if not body:
        return {"": Table({}, {})}
    for line, row in enumerate(body, 2):
        if len(row) != len(heads):
            raise InputError(f"cannot read {path}: row {line} has {len(row)} values; expected {len(heads)}, as the head has")
    is_text = [_number(cell) is None for cell in body[0]]
    numbers, texts = ([index for index, text in enumerate(is_text) if text is wanted] for wanted in (False, True))
    groups: dict[str, list[list[float | None]]] = {}
    for line, row in enumerate(body, 2):
        values = [_number(row[index]) for index in numbers]
        if None in values:
            index = numbers[values.index(None)]
            raise InputError(f"cannot read {path}: row {line} has {row[index]!r} in the column {heads[index]!r}; expected a number")
        groups.setdefault("/".join(row[index] for index in texts), []).append(values)
    names, units = zip(*(_split(heads[index]) for index in numbers), strict=True) if numbers else ((), ())
    tables = {}
    for key, group in groups.items():
        columns = np.array(group, dtype=np.float64).T.copy()
        tables[key] = Table(dict(zip(names, columns, strict=True)), dict(zip(names, units, strict=True)))
    return tables


def _read_mcap(path: Path) -> dict[str, Table]:
    """Returns the tables of a recording."""
    groups: dict[str, list[Any]] = {}
    for quantity in _core.read_run(str(path)):
        name, _, _, times, _ = quantity
        key = name.rpartition("/")[0] or name
        # streams of one entity can have rates of their own
        if key in groups and not np.array_equal(groups[key][0][3], times):
            key = name
        groups.setdefault(key, []).append(quantity)
    tables = {}
    for key, quantities in groups.items():
        columns, units = {"time": quantities[0][3]}, {"time": "s"}
        for name, of_values, is_array, _, values in quantities:
            own = name.removeprefix(f"{key}/")
            for index, column in enumerate(values):
                head = f"{own}[{index}]" if is_array else own
                columns[head], units[head] = column, of_values[index]
        tables[key] = Table(columns, units)
    return tables


def load(path: str | Path) -> dict[str, Table]:
    """Reads the CSV tables of the output folder of a run, or the quantities of an MCAP file.

    Returns:
        The tables by name. Of a folder, that of the file without `.csv`, followed by `/` and the vehicle, or the vehicle
        and the wheel, where a file has several: `trajectory/robot`, `wheels/car/fl`. Of an MCAP file, that of the entity or
        the part of it, with a column for each quantity: `robot` with `pose[0]`, `robot/wheel/fl` with `spin`; quantities
        with times of their own are tables with their full names.

    Raises:
        OutputError: there is no such file or folder, or no run has written it.
        InputError: a file cannot be read as a table.
    """
    folder = Path(path)
    if folder.suffix == ".mcap":
        return _read_mcap(folder)
    if not (folder / "manifest.json").is_file():
        raise OutputError(f"cannot read {folder}: there is no manifest.json; expected the output folder of a run")
    try:
        json.loads((folder / "manifest.json").read_text())
    except ValueError as error:
        raise OutputError(f"cannot read {folder / 'manifest.json'}: {error}; expected the manifest of a run") from error
    tables = {}
    for file in sorted(folder.glob("*.csv")):
        for key, table in _read_csv(file).items():
            tables[f"{file.stem}/{key}" if key else file.stem] = table
    return tables
