"""Parameters from measurements."""

import importlib.util
import subprocess
import sys
import time

import numpy as np
import pytest
import simhost

pytest.importorskip("scipy")

WORLD = """
<mvsim_world version="1.0">
  <simul_timestep>0.005</simul_timestep>
  <vehicle name="car">
    <init_pose>0 0 0</init_pose>
    <dynamics class="ackermann">
      <controller class="twist_front_steer_pid">
        <KP>{KP}</KP> <KI>{KI}</KI> <max_torque>{max_torque}</max_torque> <enable_antiwindup>true</enable_antiwindup>
      </controller>
    </dynamics>
    <friction class="wardiagnemma"> <mu>{mu}</mu> <R1>{R1}</R1> <R2>0.002</R2> </friction>
  </vehicle>
</mvsim_world>
"""
COMMANDS = """time_s,vehicle,kind,v1,v2,v3
0,car,twist,6,0,0.2
3,car,twist,9,0,1.5
6,car,twist,3,0,-1.5
8,car,twist,5,0,0.5
"""
TRUE = {"KP": 120.0, "KI": 35.0, "max_torque": 210.0, "mu": 0.62, "R1": 0.021}
FREE = {
    "car/controller/KP": (50.0, 300.0),
    "car/controller/KI": (5.0, 100.0),
    "car/controller/max_torque": (100.0, 400.0),
    "car/friction/mu": (0.3, 1.2),
    "car/friction/R1": (0.0, 0.06),
}
COLUMNS = ["car/twist[0]", "car/twist[1]", "car/twist[2]", "car/wheel/fl/spin"]


@pytest.fixture
def commands(tmp_path):
    file = tmp_path / "car.commands.csv"
    file.write_text(COMMANDS)
    return file


@pytest.fixture
def log(commands):
    sim = simhost.open("car.world.xml", text=WORLD.format(**TRUE))
    sim.commands_from(commands)
    record = sim.record(["car/twist", "car/wheel/fl/spin"], every=0.05)
    sim.run_until(10.0)
    return record


def start(**changes):
    return WORLD.format(**({"KP": 200, "KI": 50, "max_torque": 250, "mu": 0.8, "R1": 0.03} | changes))


def test_five_parameters_of_a_car_are_recovered(log, commands):
    began = time.process_time()
    found = simhost.fit("car.world.xml", FREE, log, COLUMNS, commands=commands, text=start(), threads=2)
    needed = time.process_time() - began
    for name, value in found.values.items():
        assert value == pytest.approx(TRUE[name.rsplit("/")[-1]], rel=0.01), found
    assert max(np.abs(values).max() for values in found.residuals.values()) < 0.01
    assert needed < 30
    session = simhost.open("car.world.xml", text=start())
    found.apply(session)
    assert session.parameters["car/friction/mu"] == pytest.approx(0.62, rel=0.01)


def test_a_fit_is_saved_as_a_world_that_gives_the_same_run(log, commands, tmp_path):
    text = start(KI=35, max_torque=210, R1=0.021).replace("<mu>0.8</mu>", "<!-- dry --> <mu>0.8</mu>")
    text = text.replace("<KP>200</KP>", "")
    free = {name: FREE[name] for name in ("car/controller/KP", "car/friction/mu")}
    found = simhost.fit("car.world.xml", free, log, COLUMNS, commands=commands, text=text)
    file = tmp_path / "fitted.world.xml"
    found.save(file)
    saved = file.read_text()
    assert f"<!-- dry --> <mu>{found.values['car/friction/mu']}</mu>" in saved
    assert f'class="twist_front_steer_pid" KP="{found.values["car/controller/KP"]}"' in saved
    done = subprocess.run([sys.executable, "-m", "simhost", "check", file], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    hashes = []
    for session in (simhost.open(file), simhost.open("car.world.xml", text=text)):
        if hashes:
            found.apply(session)
        session.commands_from(commands)
        session.run_until(10.0)
        hashes.append(session.result_hash())
    assert hashes[0] == hashes[1]
    with pytest.raises(simhost.WorldError, match="has no separate element"):
        session = simhost.open("car.world.xml", text=text.split("<friction")[0] + "</vehicle></mvsim_world>")
        session.write_world(tmp_path / "no.world.xml", {"car/friction/mu": 0.5})
    with pytest.raises(simhost.UnknownNameError, match="unknown parameter: 'car/friction/mue'; did you mean 'car/friction/mu'"):
        session.write_world(tmp_path / "no.world.xml", {"car/friction/mue": 0.5})
    assert not (tmp_path / "no.world.xml").exists()


def test_noise_gives_deviations(log, commands):
    noise = np.random.default_rng(1)
    noisy = {name: log[name] + 0.02 * noise.standard_normal(log.rows) * (name != "time") for name in log}
    free = {name: FREE[name] for name in ("car/controller/KP", "car/friction/mu")}
    text = start(**{name: TRUE[name] for name in ("KI", "max_torque", "R1")})
    found = simhost.fit("car.world.xml", free, noisy, COLUMNS, commands=commands, text=text)
    for name, value in found.values.items():
        off = abs(value - TRUE[name.rsplit("/")[-1]])
        assert 0 < off < 5 * found.deviations[name]


def test_tables_of_other_packages_are_logs(log, commands, tmp_path):
    text = start(**{name: TRUE[name] for name in ("KI", "max_torque", "R1", "mu")})
    arguments = {"free": {"car/controller/KP": FREE["car/controller/KP"]}, "compare": "car/twist[0]", "commands": commands, "text": text}
    arguments["most_runs"] = 1
    expected = simhost.fit("car.world.xml", log=log, **arguments).values
    logs = {}
    if pandas := installed("pandas"):
        frame = log.to_pandas()
        logs |= {"index": frame, "column": frame.reset_index(), "texts": frame.assign(note="dry")}
        logs["seconds"] = frame.set_index(pandas.to_timedelta(frame.index, unit="s").rename("time"))
        frame.to_csv(tmp_path / "log.csv")
        logs["path"] = tmp_path / "log.csv"
        dates = frame.set_index(pandas.to_datetime(frame.index, unit="s").rename("time"))
        with pytest.raises(simhost.FitError, match="the column 'time' of the log has dates; expected numbers"):
            simhost.fit("car.world.xml", log=dates, **arguments)
    if installed("polars"):
        logs["polars"] = log.to_polars()
    if installed("xarray"):
        logs["xarray"] = log.to_xarray()
    if pyarrow := installed("pyarrow"):
        logs["pyarrow"] = pyarrow.table(dict(log))
    for name, other in logs.items():
        assert simhost.fit("car.world.xml", log=other, **arguments).values == expected, name
    with pytest.raises(simhost.FitError, match="the log is of the type NoneType; expected a table"):
        simhost.fit("car.world.xml", log=None, **arguments)
    with pytest.raises(simhost.OutputError, match="cannot read .*no.csv: No such file"):
        simhost.fit("car.world.xml", log=tmp_path / "no.csv", **arguments)


def installed(package):
    """Returns a module if its package is installed."""
    return importlib.import_module(package) if importlib.util.find_spec(package) else None


@pytest.mark.parametrize(
    ("change", "error", "text"),
    [
        ({"free": {}}, simhost.FitError, "at least one free parameter"),
        ({"free": {"car/friction/mu": (1.0, 0.5)}}, simhost.FitError, "expected finite, increasing"),
        ({"free": {"car/friction/mue": (0.5, 1.0)}}, simhost.VariationError, "car/friction/mu"),
        ({"free": {"car/friction/mu": 1.0}}, simhost.InputError, "the range of 'car/friction/mu' is 1.0; expected two numbers"),
        ({"start": {"car/friction/mu": 3.0}}, simhost.FitError, "the start of 'car/friction/mu' is 3"),
        ({"start": {"car/friction/mue": 0.5}}, simhost.UnknownNameError, "name in start: 'car/friction/mue'; did you mean"),
        ({"compare": ["car/twist[7]"]}, simhost.UnknownNameError, "expected one of time"),
        ({"compare": "words", "rows": [0]}, simhost.FitError, "the column 'words' of the log has a value that is not a number"),
        ({"compare": "pairs", "rows": [0]}, simhost.ShapeError, "the column 'pairs' of the log has the shape .1, 2."),
        ({"rows": []}, simhost.FitError, "the log has no rows"),
        ({"rows": [0, 2, 1]}, simhost.FitError, "the time in row 2 of the log is 0.05 s; expected times"),
        ({"free": {"car/friction/C_damping": (0.5, 1.0)}, "compare": "car/pose[2]"}, simhost.FitError, "no effect"),
    ],
)
def test_starts_that_cannot_work_say_why(log, commands, change, error, text):
    arguments = {"free": {"car/friction/mu": (0.3, 1.2)}, "compare": COLUMNS} | change
    table = dict(log) | {"car/pose[2]": np.zeros(log.rows), "words": np.full(log.rows, "a"), "pairs": np.zeros((log.rows, 2))}
    rows = arguments.pop("rows", slice(None))
    table = {name: column[rows] for name, column in table.items()}
    with pytest.raises(error, match=text):
        simhost.fit("car.world.xml", log=table, commands=commands, text=start(), **arguments)
