#!/usr/bin/env python3
"""Prints which part of a step executes which share of the instructions, counted by callgrind.

    cargo build --profile profiling -p simhost-cli
    benches/profile.py target/profiling/simhost

The parts are functions of the engine and all that they call, with 1, 100 and 1,000 vehicles.
"""

import collections
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import worlds

# from the innermost function outwards, the first that matches decides
PARTS = [
    ("checks", r"first_non_finite|finite_outputs|check_states|divergence|has_faults"),
    ("models and their calls", r"model::call|fault::lanes|table::models"),
    ("normal loads", r"loading|loads"),
    ("odometry", r"odometry"),
    ("wheels", r"kinematics|wheel_forces|brake|driving|contact_velocities|wheel_angles|integrate_spin"),
    ("neighbour search", r"parry2d|rapier2d|neighbours"),
    ("bodies", r"finish_substep|read_bodies|physics|begin_substep"),
    ("rest", r""),
]


def part(chain):
    for function in chain.split("'"):
        for name, pattern in PARTS[:-1]:
            if re.search(pattern, function):
                return name
    return PARTS[-1][0]


def exclusive(file):
    """Returns the instructions of each chain of callers in a callgrind file, without those of callees."""
    names, counts, chain, of_callee = {}, collections.Counter(), "", False
    for line in file.read_text().splitlines():
        if found := re.match(r"(c?fn)=\((\d+)\)(?: (.*))?$", line):
            kind, number, name = found.groups()
            if name is not None:
                names[number] = name
            if kind == "fn":
                chain = names[number]
        elif line.startswith("calls="):
            of_callee = True
        elif found := re.match(r"[+\-*\d]\S* (\d+)$", line):
            if not of_callee:
                counts[chain] += int(found.group(1))
            of_callee = False
    return counts


def profile(program, world, steps, folder):
    out = Path(folder) / "callgrind.out"
    valgrind = ["valgrind", "--tool=callgrind", "--separate-callers=10", f"--callgrind-out-file={out}"]
    valgrind.append("--toggle-collect=simhost_engine::simulation::*run*")
    command = [program, str(world), "--duration", repr(steps * 0.005), "--threads", "1"]
    subprocess.run(valgrind + command, check=True, capture_output=True)
    parts = collections.Counter()
    for chain, count in exclusive(out).items():
        parts[part(chain)] += count
    return parts


def main():
    runs = {1: 8_000, 100: 1_000, 1_000: 200}
    for dynamics in ("differential", "ackermann"):
        with tempfile.TemporaryDirectory() as folder:
            profiles = [
                (count, steps, profile(sys.argv[1], worlds.crowd(folder, dynamics, count), steps, folder))
                for count, steps in runs.items()
            ]
        print(f"\n| {dynamics} | " + " | ".join(map(str, runs)) + " |\n|---|" + "---|" * len(runs))
        for name, _ in PARTS:
            shares = (f"{100 * parts[name] / parts.total():.0f} %" for _, _, parts in profiles)
            print(f"| {name} | " + " | ".join(shares) + " |")
        totals = (f"{parts.total() / steps / count:.0f}" for count, steps, parts in profiles)
        print("| instructions per vehicle and step | " + " | ".join(totals) + " |")


main()
