"""The command line of the package."""

import subprocess
import sys
from pathlib import Path

import pytest
import simhost

MODULE = [sys.executable, "-m", "simhost"]
SCRIPT = [str(Path(sys.executable).with_name("simhost"))]


@pytest.mark.parametrize("program", [MODULE, SCRIPT])
def test_verbs_run(program, tmp_path):
    shown = subprocess.run([*program, "--version"], capture_output=True, text=True, check=True)
    assert shown.stdout == f"simhost {simhost.__version__}\n"
    words = ["run", str(simhost.worlds.demo), "--duration", "0.1", "--out", str(tmp_path / "out")]
    subprocess.run([*program, *words], capture_output=True, check=True)
    again = subprocess.run([*program, "rerun", str(tmp_path / "out")], capture_output=True, text=True)
    assert again.returncode == 0, again.stderr


def test_errors_have_exit_codes():
    unknown = subprocess.run([*MODULE, "check", "absent.world.xml"], capture_output=True, text=True)
    assert unknown.returncode == 12
    assert "absent.world.xml" in unknown.stderr
    usage = subprocess.run([*MODULE, "run", "--no-such-option"], capture_output=True, text=True)
    assert usage.returncode == 2


def test_models_are_checked_in_processes_of_their_own():
    words = ["plugin", "check", "simhost/default", "--timeout", "60"]
    checked = subprocess.run([*MODULE, *words], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr


KINDS = ["friction", "dynamics", "controller", "sensor", "actuator", "environment", "fleet", "observer"]
TEMPLATES = ["estimator", "servo"]


@pytest.mark.parametrize("kind", KINDS + TEMPLATES)
def test_new_projects_in_python_pass_their_check_and_run(kind, tmp_path):
    option = "--template" if kind in TEMPLATES else "--kind"
    words = ["plugin", "new", f"my_{kind}", option, kind, "--lang", "python", "--vendor", "acme"]
    written = subprocess.run([*MODULE, *words], capture_output=True, text=True, cwd=tmp_path)
    assert written.returncode == 0, written.stderr
    folder = tmp_path / f"my_{kind}"
    commands = [line.split()[1:] for line in written.stdout.splitlines() if line.startswith("  simhost ")]
    assert len(commands) == 2 and commands[0][:2] == ["plugin", "check"]
    for words in commands:
        done = subprocess.run([*MODULE, *words], capture_output=True, text=True, cwd=folder)
        assert done.returncode == 0, done.stdout + done.stderr
    assert (folder / "out/trajectory.csv").exists()


MODELS = '''
import numpy as np
import simhost
from simhost import Parameter, State

@simhost.model("friction", "file/rubber")
class Rubber:
    """A force that grows with the slip, up to the limit of the load."""

    mu = Parameter(0.8, "1", "Friction coefficient. A larger value makes wheels slip later.", low=0.0, high=3.0)
    slid = State("m", "Distance that the contact has slid.")

    def force(self, wheel, state, step):
        slip = wheel.vx - wheel.spin * wheel.radius
        sliding = np.sqrt(slip * slip + wheel.vy * wheel.vy)
        grip = self.mu * wheel.normal_force * np.minimum(4.0, 1.0 / np.maximum(sliding, 1e-9))
        state.slid = state.slid + sliding * step.dt
        fx = -grip * slip
        return {"fx": fx, "fy": -grip * wheel.vy, "spin_torque": -wheel.radius * fx}
'''


@pytest.fixture
def models(tmp_path):
    file = tmp_path / "my_models.py"
    file.write_text(MODELS)
    return file


def run(*words, **options):
    return subprocess.run([*MODULE, *map(str, words)], capture_output=True, text=True, **options)


def test_models_of_a_file_are_checked(models):
    only = ["determinism-process", "state-resume-bitwise", "friction-limit", "no-alloc-in-step", "descriptor-complete", "step-output-finite"]
    words = ["plugin", "check", models, "--timeout", "60", *(word for one in only for word in ("--only", one))]
    checked = run(*words)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "friction file/rubber" in checked.stdout and "skip  no-alloc-in-step: it is interpreted" in checked.stdout
    # what a test finds has the line of an exception
    models.write_text(MODELS.replace("fx = -grip * slip", "fx = -grip * slip\n        assert wheel.vx.max() < -1e9, wheel"))
    checked = run("plugin", "check", models, "--timeout", "60", "--only", "step-output-finite")
    assert checked.returncode == 1 and "(my_models.py, line 19)" in checked.stdout, checked.stdout + checked.stderr
    for change, text in [
        (("slid = State", "slid = = State"), "SyntaxError: invalid syntax (my_models.py, line 11)"),
        (('"""A force', '""; """A force'), "has no docstring; expected a description of the model (my_models.py, line"),
        (("import simhost", "import simhost_absent"), "No module named 'simhost_absent' (my_models.py, line 3)"),
        (("@simhost.model", "#"), "declares no models"),
    ]:
        models.write_text(MODELS.replace(*change, 1))
        refused = run("plugin", "check", models)
        assert refused.returncode == 12 and text in refused.stderr, refused.stderr
    assert run("plugin", "check", "absent.py").returncode == 12


def test_verbs_take_models_of_a_file(models, tmp_path):
    world = tmp_path / "car.world.xml"
    text = Path(simhost.worlds.goal_blind).read_text()
    world.write_text(text.replace("</vehicle>", '<friction class="file/rubber"/></vehicle>'))
    without = run("check", world)
    assert without.returncode == 12 and "file/rubber" in without.stderr
    assert run("check", world, "--python", models).returncode == 0
    done = run("run", world, "--duration", "0.5", "--python", models, "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    # in another working folder, from the record
    again = run("rerun", tmp_path / "out", f"--python={models}", cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    listed = run("quantities", world, "--python", models)
    assert "slid" in listed.stdout, listed.stderr
    swept = run(
        "sweep", world, "--vary", "robot/friction/mu=range:0.2:0.9:2", "--duration", "0.2",
        "--metric", "speed=max(robot/twist[0])",
        "--python", models, "--out", tmp_path / "study", "--isolate",
    )
    assert swept.returncode == 0, swept.stderr
    shown = run("plugin", "doc", "file/rubber", "--python", models)
    assert "Friction coefficient" in shown.stdout, shown.stderr
    assert "file/rubber" in run("plugin", "info", models).stdout


def test_example_worlds_are_listed():
    assert {"demo", "racetrack"} <= set(simhost.worlds.names())
    for name in simhost.worlds.names():
        simhost.open(getattr(simhost.worlds, name)).close()
    with pytest.raises(AttributeError, match="expected one of"):
        simhost.worlds.absent
