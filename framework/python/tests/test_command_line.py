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


def test_example_worlds_are_listed():
    assert {"demo", "racetrack"} <= set(simhost.worlds.names())
    for name in simhost.worlds.names():
        simhost.open(getattr(simhost.worlds, name)).close()
    with pytest.raises(AttributeError, match="expected one of"):
        simhost.worlds.absent
