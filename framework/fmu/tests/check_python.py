"""Builds an FMU in Python with PythonFMU, and drives a vehicle with it: each output is the closed form of its inputs.

PythonFMU leaves the library of Python to the program that loads the FMU, so it is preloaded.

Usage: check_python.py SIMHOST FOLDER, with PythonFMU in this Python
"""

import csv
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

MODEL = """
from pythonfmu import Fmi2Causality, Fmi2Slave, Fmi2Variability, Real


class Pedal(Fmi2Slave):
    def __init__(self, **arguments):
        super().__init__(**arguments)
        self.speed, self.seen, self.torque, self.work, self.gain = 0.0, 0.0, 0.0, 0.0, 10.0
        self.register_variable(Real("speed", causality=Fmi2Causality.input))
        self.register_variable(Real("torque", causality=Fmi2Causality.output))
        self.register_variable(Real("work", causality=Fmi2Causality.output))
        self.register_variable(Real("seen", causality=Fmi2Causality.output))
        tunable = Fmi2Variability.tunable
        self.register_variable(Real("gain", causality=Fmi2Causality.parameter, variability=tunable))

    def do_step(self, time, step):
        self.seen = self.speed
        self.torque = self.gain * (2.0 - self.speed)
        self.work += self.torque * self.speed * step
        return True
"""
STEP = 0.01
WORLD = f"""<mvsim_world version="1.0"><simul_timestep>{STEP}</simul_timestep><duration>2</duration>
<vehicle name="r"><init_pose>0 0 0</init_pose><dynamics class="differential">
  <l_wheel pos="0 0.5" mass="1" width="0.1" diameter="0.4"/><r_wheel pos="0 -0.5" mass="1" width="0.1" diameter="0.4"/>
  <controller class="fmu" file="Pedal.fmu"><map port="odometry_vx" variable="speed"/>
    <map port="torque_left" variable="torque" unit="N·m"/><map port="torque_right" variable="torque" unit="N·m"/>
    <gain>4</gain></controller>
</dynamics></vehicle><record>r/controller/*</record></mvsim_world>
"""

program, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2]) / "pythonfmu"
folder.mkdir(parents=True, exist_ok=True)
library = Path(sysconfig.get_config_var("LIBDIR")) / sysconfig.get_config_var("INSTSONAME")
if library.suffix == ".a" or not library.exists():
    print(f"FMUs of PythonFMU are not tried: this Python has no shared library, such as {library}")
    sys.exit()
(folder / "pedal.py").write_text(MODEL)
(folder / "w.world.xml").write_text(WORLD)
subprocess.run([sys.executable, "-m", "pythonfmu", "build", "-f", "pedal.py"], cwd=folder, check=True)


def run(preload: str) -> subprocess.CompletedProcess:
    command = [program, "run", "w.world.xml", "--allow", "fmu", "--out", "out", "--force"]
    environment = {**os.environ, "LD_PRELOAD": preload}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


without = run("")
assert without.returncode == 12 and "run with LD_PRELOAD=libpython" in without.stderr, without.stderr
done = run(str(library))
assert done.returncode == 0, done.stderr
with (folder / "out" / "quantities.csv").open() as file:
    header, *rows = csv.reader(file)
columns = {name.split(" ")[0]: [float(row[place]) for row in rows] for place, name in enumerate(header)}
speeds, works, work = columns["r/controller/seen"], columns["r/controller/work"], 0.0
for row in range(1, len(speeds)):
    work += 4.0 * (2.0 - speeds[row]) * speeds[row] * STEP
    assert abs(works[row] - work) < 1e-9, (row, works[row], work)
assert speeds[-1] > 1.0, "the vehicle drives"
print(f"{folder / 'Pedal.fmu'}: {len(speeds)} rows are the closed form of the controller")
