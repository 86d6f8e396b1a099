"""Many resets, many sessions and random calls."""

import faulthandler
import gc
import os
import random
import resource
import select
import signal
import subprocess
import sys

import numpy as np
import pytest
import simhost

from test_ensemble import WORLD


def memory():
    """Returns the resident memory, MiB."""
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 2**20


def test_a_million_resets_need_no_memory():
    ens = simhost.Ensemble("soak.world.xml", 4096, text=WORLD, vary={"robot/pose/x": "uniform:0:1"})
    draw = np.random.default_rng(1)
    resets, before = 0, None
    while resets < 1_000_000:
        mask = draw.random(4096) < 0.5
        ens.reset(mask=mask)
        if resets % 7 == 0:
            ens.step(1)
        resets += int(mask.sum())
        if before is None and resets > 200_000:
            before = memory()
    assert memory() - before < 8


def test_sessions_come_and_go_without_memory():
    def use():
        with simhost.open("soak.world.xml", text=WORLD) as sim:
            record, watched = sim.record("robot/**"), sim.watch("robot/pose")
            sim.step(10)
            state = sim.snapshot()
            fork = sim.fork()
            fork.restore(state)
            return record["robot/pose[0]"], watched

    for _ in range(300):
        use()
    before = memory()
    for _ in range(2000):
        use()
    assert memory() - before < 8


NUMBERS = [0, 1, -1, 3, 2**31, 2**64, 0.0, -0.5, 1e300, float("nan"), float("inf")]
TEXTS = ["", "robot", "robot/pose", "robot/**", "**", "robot/cmd_vel", "nothing", "robot/friction/mu", "\0", "ä", "a" * 5000]
ARRAYS = [
    np.zeros((4, 3)),
    np.zeros((4, 3), dtype=np.float32)[::-1],
    np.zeros((3, 4)),
    np.full((4, 3), np.nan),
    np.zeros(0),
    np.ones(4, dtype=bool),
    np.zeros((4, 12), dtype=np.float32),
    np.array(["a"]),
]


def test_random_calls_raise_errors_and_do_not_crash():
    faulthandler.enable()
    draw = random.Random(1)
    sessions, ensembles, known = [], [], [None, True, [], {}, object(), b"bytes", *NUMBERS, *TEXTS, *ARRAYS]

    def renew():
        sessions[:] = [simhost.open("random.world.xml", text=WORLD) for _ in range(2)]
        ensembles[:] = [simhost.Ensemble("random.world.xml", 4, text=WORLD) for _ in range(2)]
        known[:] = [one for one in known if not isinstance(one, simhost.Snapshot | simhost.Selection)]
        known.extend([sessions[0].snapshot(), ensembles[0].select("robot/pose"), ensembles[1].snapshot()])

    # calls that take long, or write files
    left_out = {"write_mcap", "write_world", "serve", "commands_from", "run_until"}
    names = {
        kind: [name for name in dir(kind) if not name.startswith("_") and name not in left_out]
        for kind in (simhost.Session, simhost.Ensemble)
    }
    counts = {"done": 0, "raised": 0}
    for number in range(10_000):
        if number % 100 == 0:
            renew()
        target = draw.choice(sessions + ensembles)
        name = draw.choice(names[type(target)])
        arguments = [draw.choice(known) for _ in range(draw.choice([0, 1, 1, 2, 3]))]
        if name in ("step", "exchange", "end_after") or (name == "close" and draw.random() < 0.9):
            arguments = [draw.choice([0, 1, 2, -1, None, "x"])]
        try:
            attribute = getattr(target, name)
            if callable(attribute):
                attribute(*arguments)
            counts["done"] += 1
        except (simhost.SimhostError, TypeError, ValueError, OverflowError, AttributeError):
            counts["raised"] += 1
    assert counts["done"] > 1000
    assert counts["raised"] > 1000


@pytest.mark.parametrize("call", [lambda sim: sim.step(2**70), lambda sim: sim.reset(-1), lambda sim: sim.step("x")])
def test_numbers_beyond_the_range_are_errors(call):
    with pytest.raises((OverflowError, TypeError, ValueError)):
        call(simhost.open("random.world.xml", text=WORLD))


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda sim, ens: sim.reset(-1), "seed is -1; expected at least 0"),
        (lambda sim, ens: sim.reset(1.5), "seed is 1.5; expected a whole number"),
        (lambda sim, ens: sim["robot"].add_fault("brake", "damaged", -1), "code is -1; expected at least 0"),
        (lambda sim, ens: ens.reset(seeds=[3, -1]), r"seeds\[1\] is -1; expected at least 0"),
        (lambda sim, ens: ens.reset(seeds=[1.9, 2]), r"seeds\[0\] is 1.9; expected a whole number"),
        (lambda sim, ens: ens.set_streams(np.ones(2, dtype=bool), [0, -1]), r"streams\[1\] is -1; expected at least 0"),
        (lambda sim, ens: ens.end_after(-1), "steps is -1; expected at least 0"),
        (lambda sim, ens: ens.exchange("robot/cmd_vel", np.zeros((2, 3)), -1, ens.select("**")), "steps is -1; expected at least 0"),
        (lambda sim, ens: sim.ensemble(2, max_memory=-1), "max_memory is -1; expected at least 0"),
        (lambda sim, ens: simhost.Ensemble("a.world.xml", 2, text=WORLD, max_memory=-1), "max_memory is -1; expected at least 0"),
        (lambda sim, ens: ens.seed(2**70), "unknown member"),
    ],
)
def test_negative_numbers_are_input_errors(call, text):
    with pytest.raises(simhost.InputError, match=text):
        call(simhost.open("random.world.xml", text=WORLD), simhost.Ensemble("random.world.xml", 2, text=WORLD))


def in_a_fork(call):
    """Returns what a call returns, or the text of its error, in a forked process."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            text = str(call())
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
        os.write(writer, text.encode())
        os._exit(0)
    os.close(writer)
    ready, _, _ = select.select([reader], [], [], 20)
    if not ready:
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    text = os.read(reader, 10_000).decode() if ready else "it hangs"
    os.close(reader)
    return text


@pytest.mark.filterwarnings("ignore:This process")
def test_a_forked_process_has_no_threads_of_its_parent():
    def step(ens):
        ens.step(5)
        return ens.steps[0]

    def leave(ens):
        del ens[:]
        return gc.collect() >= 0

    one = simhost.Ensemble("fork.world.xml", 4, text=WORLD)
    two = simhost.Ensemble("fork.world.xml", 4, text=WORLD, threads=2)
    for ens in (one, two):
        ens.step(5)
    assert in_a_fork(lambda: step(one)) == "10"
    assert in_a_fork(lambda: step(two)).startswith("BusyError: it has threads")
    held = [two]
    del two, ens
    assert in_a_fork(lambda: leave(held)) == "True"
    assert step(held[0]) == 10


@pytest.mark.filterwarnings("ignore:This process")
@pytest.mark.parametrize("kind", ["out", "mcap", "serve"])
def test_a_forked_process_leaves_the_output_of_its_parent_alone(kind, tmp_path):
    sim = simhost.open("fork.world.xml", text=WORLD, out=tmp_path / "out" if kind == "out" else None)
    if kind == "mcap":
        sim.write_mcap(tmp_path / "run.mcap")
    if kind == "serve":
        sim.serve(pace=None)
    sim.step(10)
    plain = sim.fork()
    for call in (lambda: sim.step(5), lambda: sim.read("robot/pose"), lambda: sim.time, lambda: sim.reset()):
        assert in_a_fork(call).startswith("BusyError: it has threads")
    assert in_a_fork(lambda: (sim.close(), sim.close())) == "([], [])"
    # a copy without output has no threads
    assert in_a_fork(lambda: plain.step(5)) == "reached"
    held = [sim]
    del sim
    assert in_a_fork(lambda: held.clear() or gc.collect() >= 0) == "True"
    sim = held[0]
    assert sim.step(10) == "reached"
    files = sim.close()
    if kind == "mcap":
        assert simhost.load(files[0])["robot"].rows == 21
    if kind == "out":
        assert simhost.load(tmp_path / "out")["trajectory/robot"].rows == 21


@pytest.mark.filterwarnings("ignore:This process")
def test_a_forked_process_can_exit(tmp_path):
    program = """
import os, sys, simhost
sim = simhost.open("fork.world.xml", text=sys.argv[1], out=sys.argv[2])
sim.step(10)
child = os.fork()
if child == 0:
    sys.exit(0)
print(os.waitpid(child, 0)[1], sim.step(10), len(sim.close()) > 0)
"""
    words = [sys.executable, "-W", "ignore", "-c", program, WORLD, str(tmp_path / "out")]
    run = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert (run.stdout, run.stderr) == ("0 reached True\n", "")
