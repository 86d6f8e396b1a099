"""The measurements of compare.sh."""

import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import worlds

DT = 0.005


def run(program, world, steps, threads=1, options=()):
    """Returns CPU time and wall time in s of a run, without output unless the options ask for it."""
    arguments = [program, str(world), "--duration", repr(steps * DT), "--threads", str(threads), *options]
    start = time.perf_counter()
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: exit code {process.returncode}")
    return usage.ru_utime + usage.ru_stime, wall


def peak(program, world, steps):
    """Returns the greatest resident size of a run in kB. That of the exited process includes Python's."""
    arguments = [program, str(world), "--duration", repr(steps * DT), "--threads", "1"]
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    greatest = 0
    while process.poll() is None:
        try:
            status = Path(f"/proc/{process.pid}/status").read_text()
            if os.path.samefile(f"/proc/{process.pid}/exe", program):
                greatest = max([greatest, *map(int, re.findall(r"VmHWM:\s*(\d+)", status))])
        except OSError:
            pass  # it has just ended
        time.sleep(0.002)
    if process.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: exit code {process.returncode}")
    return greatest


def result_hash(program, world, steps, threads):
    duration = repr(steps * DT)
    arguments = ["--duration", duration, "--hash-every", duration, "--threads", str(threads)]
    output = subprocess.run([program, str(world), *arguments], capture_output=True, text=True, check=True)
    return re.search(r"^result hash (\S+)", output.stdout, re.MULTILINE).group(1)


def check(programs, world, steps=20, threads=1):
    hashes = {result_hash(program, world, steps, count) for program in programs for count in (1, threads)}
    if len(hashes) > 1:
        sys.exit(f"{world}: the results of the programs differ")


def in_turns(programs, rounds, measure):
    """Returns the median of each program's figures, measured in turns."""
    figures = [[], []]
    for _ in range(rounds):
        for program, values in zip(programs, figures):
            values.append(measure(program))
    return [statistics.median(values) for values in figures]


def step_us(world, count, steps, threads=1, clock=0, options=()):
    """Returns a function that measures the time of a step per vehicle, µs; CPU time, or wall if clock is 1."""

    def measure(program):
        long = run(program, world, steps + 1, threads, options)[clock]
        return (long - run(program, world, 1, threads, options)[clock]) / steps / count * 1e6

    return measure


def row(name, unit, figures, better="less"):
    first, second = figures
    ratio = first / second if better == "less" else second / first
    print(f"| {name} | {first:.3g} {unit} | {second:.3g} {unit} | {ratio:.2f} |", flush=True)


def vehicles(programs, rounds, folder):
    for dynamics in ("differential", "ackermann"):
        for count in (1, 100, 1000):
            world = worlds.crowd(folder, dynamics, count)
            check(programs, world)
            figures = in_turns(programs, rounds, step_us(world, count, 40_000 if count < 10 else 400_000 // count))
            row(f"step, {count} {dynamics}", "µs", figures)


def growth(programs, rounds, folder):
    figures = {}
    for count, steps in ((1_000, 400), (10_000, 80), (100_000, 40)):
        world = worlds.crowd(folder, "ackermann", count)
        check(programs, world, 4)
        figures[count] = in_turns(programs, rounds, step_us(world, count, steps))
    for count in (10_000, 100_000):
        row(f"Ackermann step, {count} / 1000", "×", [a / b for a, b in zip(figures[count], figures[1_000])])


def lasers(programs, rounds, folder):
    world = worlds.floor_plan(folder, 1)
    check(programs, world)
    times = in_turns(programs, rounds, step_us(world, 1, 2_000))
    row("361 rays each step in a floor plan", "Mrays/s", [361 / us for us in times], "more")


def loading(programs, rounds, folder):
    empty = worlds.crowd(folder, "differential", 0)
    for count in (1_000, 10_000, 100_000):
        world = worlds.crowd(folder, "differential", count)

        def measure(program):
            return (run(program, world, 1)[0] - run(program, empty, 1)[0]) / count * 1e6

        row(f"loading, per vehicle at {count}", "µs", in_turns(programs, rounds, measure))


def memory(programs, rounds, folder):
    empty = worlds.crowd(folder, "differential", 0)
    for dynamics in ("differential", "ackermann"):
        world = worlds.crowd(folder, dynamics, 10_000)

        def measure(program):
            return (peak(program, world, 400) - peak(program, empty, 400_000)) / 10_000

        row(f"memory, per {dynamics} vehicle at 10000", "kB", in_turns(programs, rounds, measure))


def recording(programs, rounds, folder):
    """What all streams in MCAP take beyond the three files of CSV, on all threads together."""
    world = worlds.crowd(folder, "ackermann", 100)
    out = ("--out", str(Path(folder) / "out"), "--force")

    def measure(program):
        csv, mcap = (step_us(world, 100, 2_000, options=options)(program) for options in (out, (*out, "--mcap")))
        return mcap - csv

    row("all streams in MCAP, per vehicle and step", "µs", in_turns(programs, rounds, measure))


def threads(programs, rounds, folder):
    crowd, plan = worlds.crowd(folder, "differential", 10_000), worlds.floor_plan(folder, 64)
    for name, world, count, steps in (("10000 vehicles", crowd, 10_000, 400), ("64 lasers", plan, 64, 60)):
        check(programs, world, 4, 2)

        def measure(program):
            one, two = (step_us(world, count, steps, threads, 1)(program) for threads in (1, 2))
            return one / two

        row(f"wall time of one thread / two, {name}", "×", in_turns(programs, rounds, measure), better="more")


def main():
    programs, rounds = sys.argv[1:3], int(sys.argv[3]) if len(sys.argv) > 3 else 5
    print("| Work | A | B | ratio |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for measurement in (vehicles, growth, lasers, loading, memory, recording, threads):
            measurement(programs, rounds, folder)


main()
