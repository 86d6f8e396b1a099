"""Measures one of the other simulators of run.sh: measure.py mvsim DRIVER | range_libc | f110_gym."""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
import worlds

ROUNDS = 5


def median(measure):
    return statistics.median(measure() for _ in range(ROUNDS))


def mvsim(driver):
    def run(world, steps):
        output = subprocess.run([driver, world, str(steps)], capture_output=True, text=True, check=True)
        return [float(word) for word in output.stdout.split()[-2:]]

    with tempfile.TemporaryDirectory() as folder:
        for dynamics in ("differential", "ackermann"):
            for count in (1, 100, 1000):
                world, steps = worlds.crowd(folder, dynamics, count), 40_000 // count + 40
                us = median(lambda: run(world, steps)[1]) / steps / count * 1e6
                print(f"MVSim: step, {count} {dynamics}: {us:.2f} µs per vehicle")
        us = median(lambda: run(worlds.crowd(folder, "differential", 1000), 1)[0]) / 1000 * 1e6
        print(f"MVSim: loading, per vehicle at 1000: {us:.1f} µs")
        world = worlds.floor_plan(folder, 1)
        print(f"MVSim: laser: {361 * 400e-6 / median(lambda: run(world, 400)[1]):.2f} Mrays/s")


def range_libc():
    import math

    import numpy
    import range_libc as library

    pixels, places = worlds.rooms()
    cells = numpy.array([[pixel == 0 for pixel in row] for row in pixels], dtype=bool)
    # ranges in cells; 80 m as in the benches
    method = library.PyRayMarching(library.PyOMap(cells), 1600)
    turn = [2 * math.pi * ray / 360 for ray in range(361)]
    rays = [(20 * x + 500, 20 * y + 500, angle) for x, y in places for angle in turn]
    rays = numpy.array(rays, dtype=numpy.float32)
    ranges = numpy.zeros(len(rays), dtype=numpy.float32)

    def scan():
        start = time.process_time()
        for _ in range(20):
            method.calc_range_many(rays, ranges)
        return time.process_time() - start

    print(f"range_libc: ray marching: {20e-6 * len(rays) / median(scan):.1f} Mrays/s")


def f110_gym():
    import gym
    import numpy

    environment = gym.make("f110_gym:f110-v0", num_agents=1)
    environment.reset(numpy.zeros((1, 3)))
    action = numpy.array([[0.0, 0.5]])

    def steps():
        start = time.process_time()
        for _ in range(500):
            environment.step(action)
        return time.process_time() - start

    steps()  # numba compiles
    print(f"F1TENTH gym: {500 / median(steps):.0f} steps of one car with 1,080 beams per second")


{"mvsim": mvsim, "range_libc": range_libc, "f110_gym": f110_gym}[sys.argv[1]](*sys.argv[2:])
