#!/usr/bin/env python3
"""Fails if a release build needs more instructions than the build of the benches, or has lost vector code.

    cargo build --release
    benches/release.py target/release/simhost

A loop is no longer vectorised if something in it stays a call, such as a closure or a function of another
crate, which is compiled without vector instructions. Callgrind runs 1,000 Ackermann vehicles, and a robot with
a camera, a lidar and a laser among boxes and meshes. Reported are

* the instructions of a step of the vehicles, which may exceed their budget in benches/instructions.csv by 10 %,
* calls from functions with vector instructions to arithmetic without them, if there is more than one for fifty
  vehicles or rays.

All counts are differences of a long and a short run.
"""

import csv
import subprocess
import sys
import tempfile
from pathlib import Path

import worlds
from machine_code import MachineCode, Profile

VEHICLES, SHORT, LONG, STEP = 1_000, 10, 60, 0.005
# a frame of the camera, a sweep of the lidar and a scan of the laser
RAYS, PERIOD = 640 * 480 + 32 * 1024 + 1081, 0.1
# calls per vehicle or ray; fewer are those for an object, or for a case that is rare
FEW = 0.02


def run(program, world, duration, folder):
    """Returns what a run on one thread has executed."""
    out = Path(folder) / "callgrind.out"
    valgrind = ["valgrind", "--tool=callgrind", "--dump-instr=yes", f"--callgrind-out-file={out}"]
    command = [program, str(world), "--duration", repr(duration), "--threads", "1"]
    subprocess.run(valgrind + command, check=True, capture_output=True)
    return Profile.read(out, program)


def lost_vectors(code, profile, units, name):
    """Returns an error for each call that keeps a loop over vehicles or rays from being vectorised."""
    return [
        f"vector code at {code.name(call.caller)} calls scalar code at {code.name(call.callee)}, "
        f"{call.count / units:.2f} times per {name}"
        for call in code.scalar_calls(profile)
        if call.count > FEW * units
    ]


def budget():
    table = (Path(__file__).parent / "instructions.csv").read_text().splitlines()
    return next(float(row["budget"]) for row in csv.DictReader(table) if "Ackermann" in row["path"])


def check_steps(program, code, folder):
    world = worlds.crowd(folder, "ackermann", VEHICLES)
    short, long = (run(program, world, steps * STEP, folder) for steps in (SHORT, LONG))
    profile, units = long.minus(short), VEHICLES * (LONG - SHORT)
    measured, most = profile.instructions / units, 1.1 * budget()
    print(f"{measured:.0f} instructions per Ackermann vehicle and step, at most {most:.0f}")
    errors = lost_vectors(code, profile, units, "vehicle and step")
    if measured > most:
        errors.append("the release build exceeds the budget of the benches by more than 10 %")
    return errors


def check_scans(program, code, folder):
    world = worlds.sensors(folder)
    # the first sample also prepares what later ones share
    short, long = (run(program, world, samples * PERIOD - 0.5 * PERIOD, folder) for samples in (2, 3))
    profile = long.minus(short)
    print(f"{profile.instructions / RAYS:.0f} instructions per ray of a camera, a lidar and a laser")
    return lost_vectors(code, profile, RAYS, "ray")


def main():
    program = sys.argv[1]
    code = MachineCode(program)
    with tempfile.TemporaryDirectory() as folder:
        errors = check_steps(program, code, folder) + check_scans(program, code, folder)
    for error in errors:
        print(f"error: {error}", file=sys.stderr)
    if errors:
        sys.exit(
            "help: write the loop out, or mark what it calls #[inline(always)]; a build with the profile `profiling` "
            "has the names of functions"
        )


main()
