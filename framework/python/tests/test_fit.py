"""Parameters from measurements."""

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
    began = time.perf_counter()
    found = simhost.fit("car.world.xml", FREE, log, COLUMNS, commands=commands, text=start(), threads=2)
    needed = time.perf_counter() - began
    for name, value in found.values.items():
        assert value == pytest.approx(TRUE[name.rsplit("/")[-1]], rel=0.01), found
    assert max(np.abs(values).max() for values in found.residuals.values()) < 0.01
    assert needed < 30
    session = simhost.open("car.world.xml", text=start())
    found.apply(session)
    assert session.parameters["car/friction/mu"] == pytest.approx(0.62, rel=0.01)


def test_noise_gives_deviations(log, commands):
    noise = np.random.default_rng(1)
    noisy = {name: log[name] + 0.02 * noise.standard_normal(log.rows) * (name != "time") for name in log}
    free = {name: FREE[name] for name in ("car/controller/KP", "car/friction/mu")}
    text = start(**{name: TRUE[name] for name in ("KI", "max_torque", "R1")})
    found = simhost.fit("car.world.xml", free, noisy, COLUMNS, commands=commands, text=text)
    for name, value in found.values.items():
        off = abs(value - TRUE[name.rsplit("/")[-1]])
        assert 0 < off < 5 * found.deviations[name]


@pytest.mark.parametrize(
    ("change", "error", "text"),
    [
        ({"free": {}}, simhost.FitError, "at least one free parameter"),
        ({"free": {"car/friction/mu": (1.0, 0.5)}}, simhost.FitError, "expected finite, increasing"),
        ({"free": {"car/friction/mue": (0.5, 1.0)}}, simhost.VariationError, "car/friction/mu"),
        ({"start": {"car/friction/mu": 3.0}}, simhost.FitError, "the start of 'car/friction/mu' is 3"),
        ({"compare": ["car/twist[7]"]}, simhost.UnknownNameError, "expected one of time"),
        ({"free": {"car/friction/C_damping": (0.5, 1.0)}, "compare": "car/pose[2]"}, simhost.FitError, "no effect"),
    ],
)
def test_starts_that_cannot_work_say_why(log, commands, change, error, text):
    arguments = {"free": {"car/friction/mu": (0.3, 1.2)}, "compare": COLUMNS} | change
    table = dict(log) | {"car/pose[2]": np.zeros(log.rows)}
    with pytest.raises(error, match=text):
        simhost.fit("car.world.xml", log=table, commands=commands, text=start(), **arguments)
