#!/usr/bin/env python3
"""Fails if a release build needs more instructions for a step than the build of the benches.

    cargo build --release
    benches/release.py target/release/simhost

Link-time optimisation can keep a loop from being vectorised. A step of 1,000 Ackermann vehicles is counted
with callgrind, as the difference of a long and a short run, and may exceed its budget in
benches/instructions.csv by 10 %.
"""

import csv
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import worlds

VEHICLES, SHORT, LONG = 1_000, 10, 60


def instructions(program, world, steps):
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    command = [program, str(world), "--duration", repr(steps * 0.005), "--threads", "1"]
    done = subprocess.run(valgrind + command, check=True, capture_output=True, text=True)
    return int(re.search(r"Collected : (\d+)", done.stderr).group(1))


def budget():
    table = (Path(__file__).parent / "instructions.csv").read_text().splitlines()
    return next(float(row["budget"]) for row in csv.DictReader(table) if "Ackermann" in row["path"])


def main():
    with tempfile.TemporaryDirectory() as folder:
        world = worlds.crowd(folder, "ackermann", VEHICLES)
        short, long = (instructions(sys.argv[1], world, steps) for steps in (SHORT, LONG))
    measured, most = (long - short) / (LONG - SHORT) / VEHICLES, 1.1 * budget()
    print(f"{measured:.0f} instructions per Ackermann vehicle and step, at most {most:.0f}")
    if measured > most:
        sys.exit("error: the release build exceeds the budget of the benches by more than 10 %")


main()
