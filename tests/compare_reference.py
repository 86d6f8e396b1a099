#!/usr/bin/env python3
"""Runs every case of a folder of reference trajectories and compares (see tests/data/reference).

usage: compare_reference.py --simhost BIN FOLDER

Prints a line a case, worst first, and exits with 1 when one is out of tolerance: in mass, in position, in yaw,
or in the spin of a wheel, which holds row by row, or as a root of mean squares for `ellipse`, whose spin
chatters from step to step.
Only the standard library of Python is used.
"""

import argparse
import csv
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile


def commands(case, dynamics):
    phases = case["command_phases"].split(";")
    for k, phase in enumerate(phases):
        time = k * case["duration_s"] / 2
        v = [float(value) for value in phase.split(",")]
        mode = case["command_mode"]
        if mode == "twist":
            values = ["twist", v[0], 0, v[1]]
        elif mode == "steer":
            values = ["speed_steer", v[0], v[1]]
        # MVSim drives forwards with negative torques
        elif dynamics == "ackermann":
            values = ["torque", -v[0], -v[1], v[2]]
        elif dynamics == "ackermann_drivetrain":
            values = ["torque", -v[0], 0, v[2]]
        else:
            values = ["torque", -v[0], -v[1]]
        yield ",".join(str(value) for value in [time, "r1", *values])


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def compare(simhost, folder, limits):
    case = json.loads((folder / "case.json").read_text())
    world = (folder / "world.xml").read_text()
    dynamics = re.search(r'<dynamics class="([^"]*)"', world).group(1)
    friction = re.search(r'<friction class="([^"]*)"', world)
    friction = friction.group(1) if friction else "default"
    reference = rows(folder / "trajectory.csv")
    period = float(reference[1]["t"]) - float(reference[0]["t"])
    with tempfile.TemporaryDirectory() as out:
        out = pathlib.Path(out)
        (out / "commands.csv").write_text("\n".join(commands(case, dynamics)) + "\n")
        run = subprocess.run(
            [simhost, folder / "world.xml", "--compat", "mvsim-1.2",
             "--duration", str(case["duration_s"]), "--log-period", f"{period:.9g}",
             "--commands", out / "commands.csv", "--out", out / "out"],
            capture_output=True, text=True)
        if run.returncode != 0:
            raise RuntimeError(f"{folder.name}: exit code {run.returncode}\n{run.stderr}")
        ours = rows(out / "out" / "trajectory.csv")
        wheels = rows(out / "out" / "wheels.csv")
        body = json.loads((out / "out" / "manifest.json").read_text())["vehicles"][0]
    wrong = body_share(body, case)
    if wrong > 1:
        raise RuntimeError(f"{folder.name}: mass, inertia or centre of mass differ: {body}")
    if len(ours) != len(reference):
        raise RuntimeError(f"{folder.name}: {len(ours)} rows, not {len(reference)}")
    driven = worst_m = worst_share = worst_yaw = 0.0
    before = None
    for mine, theirs in zip(ours, reference):
        if abs(float(mine["time_s"]) - float(theirs["t"])) > 1e-6:
            raise RuntimeError(f"{folder.name}: a row at {mine['time_s']} s, not {theirs['t']} s")
        at = (float(theirs["x"]), float(theirs["y"]))
        driven += math.dist(at, before or at)
        before = at
        off = math.dist(at, (float(mine["x_m"]), float(mine["y_m"])))
        turned = float(mine["yaw_rad"]) - float(theirs["yaw"])
        # a number that is not finite is out of every tolerance
        if not math.isfinite(off + turned):
            off = turned = math.inf
        else:
            turned = abs(math.remainder(turned, math.tau))
        worst_m = max(worst_m, off)
        worst_share = max(worst_share, off / (limits.metres + limits.share * driven))
        worst_yaw = max(worst_yaw, turned)
    spin = spin_share(wheels, reference, "ellipse" in friction, limits)
    share = max(worst_share, worst_yaw / limits.yaw, spin)
    return share, worst_m, worst_yaw, spin, driven, folder.name


def body_share(body, case):
    """Worst error of mass, inertia about the origin and centre of mass, by what is allowed."""
    x, y = body["centre_of_mass_m"]
    mass = body["mass_kg"]
    inertia = body["yaw_inertia_kgm2"] + mass * (x * x + y * y)
    pairs = [(mass, case["body_mass_kg"]), (inertia, case["body_inertia_about_origin_kg_m2"])]
    errors = [abs(a - b) / abs(b) for a, b in pairs]
    # the peer's numbers are of single precision
    errors += [abs(a - b) for a, b in zip((x, y), case["com_m"])]
    return max(errors) / 1e-6


def spin_share(wheels, reference, chatters, limits):
    """Worst error of a wheel's spin, by what is allowed."""
    names = list(dict.fromkeys(row["wheel"] for row in wheels))
    worst = 0.0
    for number, name in enumerate(names):
        ours = [float(row["spin_radps"]) for row in wheels if row["wheel"] == name]
        theirs = [float(row[f"w{number}_spin"]) for row in reference]
        errors = [a - b for a, b in zip(ours, theirs)]
        if not all(map(math.isfinite, errors)) or len(ours) != len(theirs):
            return math.inf
        if chatters:
            allowed = limits.chatter * math.hypot(*theirs) + 1e-3 * math.sqrt(len(theirs))
            worst = max(worst, math.hypot(*errors) / allowed)
        else:
            worst = max([worst] + [abs(e) / (limits.spin * abs(s) + 1e-3)
                                   for e, s in zip(errors, theirs)])
    return worst


def main():
    parser = argparse.ArgumentParser(description="compares simhost with reference trajectories")
    parser.add_argument("--simhost", required=True, help="the simhost program")
    parser.add_argument("--metres", type=float, default=0.001, help="position, m [0.001]")
    parser.add_argument("--share", type=float, default=0.0005, help="and of the distance [0.0005]")
    parser.add_argument("--yaw", type=float, default=0.001, help="yaw, rad [0.001]")
    parser.add_argument("--spin", type=float, default=0.005, help="spin, share beside 1 mrad/s [0.005]")
    parser.add_argument("--chatter", type=float, default=0.02, help="spin of ellipse, RMS share [0.02]")
    parser.add_argument("folder", type=pathlib.Path)
    limits = parser.parse_args()
    cases = sorted(path.parent for path in limits.folder.glob("*/case.json"))
    if not cases:
        sys.exit(f"no cases in {limits.folder}")
    results, failures = [], []
    for folder in cases:
        try:
            results.append(compare(limits.simhost, folder, limits))
        except RuntimeError as error:
            failures.append(str(error))
    print("of limit  position/mm  yaw/mrad  spin of limit  driven/m  case")
    for share, metres, yaw, spin, driven, name in sorted(results, reverse=True):
        print(f"{share:8.3f}  {metres * 1e3:11.4f}  {yaw * 1e3:8.4f}  {spin:13.3f}  {driven:8.3f}  {name}")
    for failure in failures:
        print(failure)
    out = sum(share > 1 for share, *_ in results) + len(failures)
    print(f"{len(cases)} cases, {out} out of tolerance")
    sys.exit(1 if out else 0)


if __name__ == "__main__":
    main()
