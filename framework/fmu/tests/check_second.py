"""Simulates an exported FMU of FMI 2.0 with fmi-sim and with FMPy, and compares their results bit for bit.

fmi-sim (the crate of this name, written in Rust) and FMPy share no code. fmi-sim 0.7.0 cannot read variables of FMI 3.0 that have
a unit, so its FMUs are left to FMPy.

Usage: check_second.py FMI_SIM DEMO.fmu FOLDER
"""

import csv
import subprocess
import sys
from pathlib import Path

import fmpy
import numpy

STEP, STOP = 0.005, 2.0
INPUTS = {"robot/cmd_vel/vx": 0.8, "robot/cmd_vel/omega": 0.3}

fmi_sim, fmu, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
given, found = folder / "inputs.csv", folder / "fmi_sim.csv"
given.write_text("\n".join([",".join(["time", *INPUTS]), *(",".join(map(str, [time, *INPUTS.values()])) for time in (0, STOP))]))
words = ["--model", fmu, "--input-file", given, "--output-file", found, "co-simulation", "--step", STEP, "-n", "0", "-f", STOP]
subprocess.run([fmi_sim, *map(str, words)], check=True, stdout=subprocess.DEVNULL)
with found.open() as file:
    rows = [[float(value) for value in row] for row in list(csv.reader(file))[1:]]

signals = numpy.array(
    [(time, *INPUTS.values()) for time in (0.0, STOP)],
    dtype=[("time", float), *((name, float) for name in INPUTS)],
)
expected = fmpy.simulate_fmu(fmu, stop_time=STOP, step_size=STEP, output_interval=STEP, input=signals)
assert len(rows) == len(expected) == round(STOP / STEP) + 1, (len(rows), len(expected))
for row, other in zip(rows, expected, strict=True):
    # times are sums of steps in one importer, and products in the other
    assert abs(row[0] - other[0]) < 1e-9 and row[1:] == list(other)[1:], (row, list(other))
assert abs(rows[-1][1] - rows[0][1]) > 0.5, "the robot drives"
print(f"{fmu}: {len(rows)} rows of fmi-sim equal the rows of FMPy")
