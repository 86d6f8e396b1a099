"""Tables and other libraries."""

import gc
import importlib
import re
import sys

import numpy as np
import pytest
import simhost


@pytest.fixture
def run():
    sim = simhost.open(simhost.worlds.demo)
    run = sim.record(["robot/pose", "car/twist"], every=0.05)
    sim.run_until(0.5)
    return run


def test_pandas_takes_a_record(run):
    pandas = pytest.importorskip("pandas")
    frame = run.to_pandas()
    assert frame.index.name == "time"
    assert frame.shape == (11, 9)
    assert frame.attrs["units"]["car/twist[2]"] == "rad/s"
    assert pandas.DataFrame.from_arrow(run).shape == (11, 10)


def test_polars_takes_a_record_without_copies(run):
    polars = pytest.importorskip("polars")
    frame = run.to_polars()
    assert frame.shape == (11, 10)
    column = frame["robot/pose[0]"].to_numpy(allow_copy=False)
    assert np.shares_memory(column, run["robot/pose[0]"])
    assert polars.DataFrame(run).columns == list(run)


def test_xarray_takes_a_record(run):
    pytest.importorskip("xarray")
    data = run.to_xarray()
    assert dict(data.sizes) == {"time": 11}
    assert data["car/twist[0]"].attrs["units"] == "m/s"


def test_arrow_keeps_units_numbers_and_memory():
    pyarrow = pytest.importorskip("pyarrow")
    values = np.array([1.0, np.nan, np.inf])
    table = simhost.Table({"time": np.arange(3.0), "x": values}, {"time": "s", "x": "m"})
    taken = pyarrow.table(table)
    del table, values
    gc.collect()
    assert taken.schema.field("x").metadata == {b"unit": b"m"}
    assert taken["x"].null_count == 0
    assert np.isnan(taken["x"][1].as_py())
    assert taken["x"].to_pylist()[::2] == [1.0, np.inf]


def test_a_capsule_that_nobody_takes_is_released():
    table = simhost.Table({"x": np.zeros(3)}, {})
    for _ in range(1000):
        table.__arrow_c_stream__()
    assert table.rows == 3
    with pytest.raises(simhost.ShapeError, match="column 'y' has 2 rows; expected 3"):
        simhost.Table({"x": np.zeros(3), "y": np.zeros(2)}, {}).__arrow_c_stream__()
    with pytest.raises(simhost.ShapeError, match="not contiguous"):
        simhost.Table({"x": np.zeros(6)[::2]}, {}).__arrow_c_stream__()


def test_unknown_columns_and_folders(run, tmp_path):
    with pytest.raises(simhost.UnknownNameError, match="expected one of time"):
        run["speed"]
    with pytest.raises(simhost.OutputError, match="no manifest.json"):
        simhost.load(tmp_path)


def test_recordings_are_tables(tmp_path):
    file = tmp_path / "run.mcap"
    sim = simhost.open(simhost.worlds.demo)
    run = sim.record(["robot/odometry_pose", "robot/wheel/l/spin"], every=0.1)
    sim["robot"].command("twist", vx=0.5)
    sim.write_mcap(file, every=0.1)
    sim.run_until(1.0)
    sim.close()
    tables = simhost.load(file)
    assert tables["robot"].units["odometry_pose[0]"] == "m"
    assert tables["robot"]["time"] == pytest.approx(run["time"])
    assert tables["robot"]["odometry_pose[0]"] == pytest.approx(run["robot/odometry_pose[0]"], abs=1e-6)
    assert tables["robot/wheel/l"]["spin"] == pytest.approx(run["robot/wheel/l/spin"], abs=1e-6)
    # a reading has times of its own
    assert tables["robot/sensor/scan"].rows == 10
    (tmp_path / "other.mcap").write_bytes(b"other")
    with pytest.raises(simhost.OutputError, match="other.mcap"):
        simhost.load(tmp_path / "other.mcap")


def test_missing_packages_are_named_with_what_installs_them(run, monkeypatch):
    for package, call, extra in [
        ("pandas", run.to_pandas, "tables"),
        ("polars", run.to_polars, "tables"),
        ("xarray", run.to_xarray, "tables"),
        ("matplotlib.pyplot", run.plot, "notebook"),
        ("scipy.optimize", lambda: simhost.fit(simhost.worlds.demo, free={}, log=run, compare=[]), "fit"),
        ("gymnasium", lambda: importlib.import_module("simhost.gym"), "gym"),
        ("pettingzoo", lambda: importlib.import_module("simhost.zoo"), "zoo"),
    ]:
        # an import of what stands for None fails as that of a package that is not installed
        monkeypatch.setitem(sys.modules, package, None)
        for part in ("simhost.gym", "simhost.zoo"):
            monkeypatch.delitem(sys.modules, part, raising=False)
        with pytest.raises(simhost.MissingPackageError, match=re.escape(f"pip install 'simhost[{extra}]'")):
            call()


def test_notebooks_show_tables(run):
    shown = run._repr_html_()
    assert shown.count("<tr>") == 11 and "<th>robot/pose[0] [m]</th>" in shown
    assert "11 rows, 10 columns" in shown
    assert "&lt;" in simhost.Table({"<": np.zeros(1)}, {})._repr_html_()


def test_a_record_follows_a_session_that_goes_back():
    sim = simhost.open(simhost.worlds.demo)
    run, state = sim.record("robot/pose", every=0.1), sim.snapshot()
    for speed in (0.5, -0.5, 0.3):
        sim["robot"].command("twist", vx=speed)
        sim.run_until(1.0)
        assert run["robot/pose[0]"][-1] == sim["robot"].pose[0]
        assert run["time"].tolist() == pytest.approx(np.arange(11) * 0.1)
        if speed == -0.5:
            sim.restore(state)
        else:
            sim.reset()


def test_columns_are_read_only_and_datasets_are_not(run):
    pytest.importorskip("xarray")
    shared = simhost.Table({"x": np.zeros(3)}, {})
    for column in (run["time"], run["robot/pose[0]"], shared["x"]):
        with pytest.raises(ValueError, match="read-only"):
            column += 1.0
    run.to_xarray()["robot/pose[0]"].values[:] = 5.0
    frame = run.to_pandas()
    frame["robot/pose[0]"] += 1.0
    assert run["time"][0] == 0.0


def test_tables_of_runs_have_units(tmp_path):
    with simhost.open(simhost.worlds.demo, out=tmp_path / "out") as sim:
        sim.run_until(0.3)
    tables = simhost.load(tmp_path / "out")
    units = tables["trajectory/robot"].units
    assert [units[name] for name in ("time", "x_m", "yaw_rad", "vx_mps", "omega_radps")] == ["s", "m", "rad", "m/s", "rad/s"]
    assert tables["wheels/car/fl"].units["torque_nm"] == "N·m"
    assert tables["robot.scan"].units["range_m_17"] == "m"


@pytest.mark.parametrize(
    "change, text",
    [
        (lambda row: row.rpartition(",")[0], "row 5 has 10 values; expected 11"),
        (lambda row: row + ",1", "row 5 has 12 values; expected 11"),
        (lambda row: row.rpartition(",")[0] + ",x", "row 5 has 'x' in the column 'omega_radps'; expected a number"),
    ],
)
def test_rows_that_do_not_fit_are_named(tmp_path, change, text):
    with simhost.open(simhost.worlds.demo, out=tmp_path / "out") as sim:
        sim.run_until(0.3)
    file = tmp_path / "out" / "trajectory.csv"
    rows = file.read_text().splitlines()
    rows[4] = change(rows[4])
    file.write_text("\n".join(rows))
    with pytest.raises(simhost.InputError, match=re.escape(text)):
        simhost.load(tmp_path / "out")
    (tmp_path / "out" / "manifest.json").write_text("{")
    with pytest.raises(simhost.OutputError, match="manifest.json"):
        simhost.load(tmp_path / "out")
