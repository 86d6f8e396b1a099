"""Speed of the package, beside the environments of Gymnasium and, where they are installed, of EnvPool and highway-env, on one
core and on two. Prints a table.

    python framework/python/benches/speed.py [--quick]
"""

import argparse
import importlib.metadata
import importlib.util
import json
import multiprocessing
import subprocess
import sys
import time
from pathlib import Path

import gymnasium
import numpy as np
import simhost
import simhost.gym

PARSER = argparse.ArgumentParser(description=__doc__)
PARSER.add_argument("--quick", action="store_true", help="measure shortly, to see that it runs")
PARSER.add_argument("--models", action="store_true", help="measure models in Python alone")
WORDS = PARSER.parse_args()
SECONDS = 0.05 if WORDS.quick else 0.25
ROUNDS = 1 if WORDS.quick else 20
# after as many actions, episodes have ended at different times
ENDED = 1 if WORDS.quick else 300


def rounds(*acts):
    """Returns the time of a call in each of several rounds, s, for each of some functions. They take turns with as many calls
    each, so that a machine that is slower at times is so for all of them, and their environments are at the same step."""
    times = np.empty((len(acts), ROUNDS))
    for turn in range(ROUNDS):
        calls = 0
        for row, act in zip(times, acts, strict=True):
            count, began = 0, time.perf_counter()
            while count < calls or (calls == 0 and (count == 0 or time.perf_counter() - began < SECONDS)):
                act()
                count += 1
            row[turn] = (time.perf_counter() - began) / count
            calls = count
    return times


def fastest(act):
    """Returns the time of a call, s: the fastest of several rounds."""
    return rounds(act).min()


def vector(name, count, **options):
    """Returns a function that takes a step of all environments."""
    env = gymnasium.make_vec(name, num_envs=count, **options)
    env.reset(seed=1)
    env.action_space.seed(1)
    actions = [env.action_space.sample() for _ in range(16)]
    turn = iter(range(10**9))
    return lambda: env.step(actions[next(turn) % 16])


def answer(pipe, name, count):
    """Takes ten steps of environments for each message."""
    act = vector(name, count)
    while pipe.recv():
        for _ in range(10):
            act()
        pipe.send(True)


def processes(name, count):
    """Returns how many times as many steps two processes take as one alone: as many as the machine allows."""
    spawn = multiprocessing.get_context("spawn")
    pipes = []
    for _ in range(2):
        own, other = spawn.Pipe()
        spawn.Process(target=answer, args=(other, name, count), daemon=True).start()
        pipes.append(own)

    def ask(some):
        for pipe in some:
            pipe.send(True)
        for pipe in some:
            pipe.recv()

    ask(pipes)
    # each takes as many steps alone as beside the other
    alone, other, both = rounds(lambda: ask(pipes[:1]), lambda: ask(pipes[1:]), lambda: ask(pipes))
    for pipe in pipes:
        pipe.send(False)
    return np.median((alone + other) / both)


def sustained(name, count):
    """Returns the time of a step when episodes have ended at different times, s: the fastest of several rounds."""
    act = vector(name, count)
    for _ in range(ENDED):
        act()
    return fastest(act)


def single(name):
    """Returns the time of a step of one environment, s."""
    env = gymnasium.make(name).unwrapped
    env.reset(seed=1)
    env.action_space.seed(1)
    action = env.action_space.sample()

    def act():
        for _ in range(100):
            if env.step(action)[2]:
                env.reset()

    return fastest(act) / 100


def overhead():
    """Returns the time of a command and a read of 1,024 members x 16 float32 without a step, s."""
    task = simhost.gym.TASKS["simhost/GoalBlind-v0"]
    ens = simhost.Ensemble(task.world, 1024)
    selection, values = ens.select(task.observe), np.zeros((1024, 3), dtype=np.float32)
    ens.exchange(task.command, values, 1, selection)
    return fastest(lambda: ens.exchange(task.command, values, 0, selection))


def is_installed(package):
    """Returns whether a package can be imported."""
    return importlib.util.find_spec(package) is not None


def pool(count):
    """Returns a function that takes a step of all of some environments of EnvPool on one core."""
    import envpool

    env = envpool.make("CartPole-v1", env_type="gymnasium", num_envs=count, num_threads=1, seed=1)
    env.reset()
    random = np.random.default_rng(1)
    actions = [random.integers(0, 2, count).astype(np.int32) for _ in range(16)]
    turn = iter(range(10**9))
    return lambda: env.step(actions[next(turn) % 16])


def peers():
    """Returns rows with the times of environments of other packages."""
    rows = []
    for mode, count in (("vector_entry_point", 1024), ("sync", 1024)):
        needed = fastest(vector("CartPole-v1", count, vectorization_mode=mode))
        rows.append((f"CartPole-v1 of Gymnasium, {count} environments, {mode}", f"{count / needed:,.0f} steps/s"))
    rows.append(("CartPole-v1 of Gymnasium, one environment", f"{single('CartPole-v1') * 1e6:.1f} us per step"))
    if is_installed("envpool"):
        rows.append(("CartPole-v1 of EnvPool, 1024 environments", f"{1024 / fastest(pool(1024)):,.0f} steps/s"))
        rows.append(("CartPole-v1 of EnvPool, one environment", f"{fastest(pool(1)) * 1e6:.1f} us per step"))
    if is_installed("highway_env"):
        # registers its environments
        importlib.import_module("highway_env")
        count = 4
        needed = fastest(vector("highway-fast-v0", count, vectorization_mode="sync"))
        rows.append((f"highway-fast-v0 of highway-env, {count} environments, sync", f"{count / needed:,.0f} steps/s"))
    return rows


def versions():
    """Returns the names and versions of the packages that are measured."""
    names = ["simhost", "numpy", "gymnasium", "numba", "envpool", "highway-env"]
    installed = [name for name in names if is_installed(name.replace("-", "_"))]
    return ", ".join(f"{name} {importlib.metadata.version(name)}" for name in installed)


MODELS = Path(__file__).with_name("friction_models.py")


def friction():
    """Returns rows with the times of friction models in a batch of 128 wheels, those of one formula next to each other."""
    if not is_installed("numba"):
        return
    words = [sys.executable, "-m", "simhost", "plugin", "bench", str(MODELS), "--json"]
    measured = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    times = {one["class"]: next(of["ns_per_lane"] for of in one["batches"] if of["lanes"] == 128) for one in measured}
    rust = times["simhost/default"]
    yield "built-in friction model `default`, batch of 128", f"{rust:.2f} ns per wheel"
    for name in ("compiled", "numpy"):
        own = times[f"bench/{name}"]
        yield f"the same formula in Python, {name}, batch of 128", f"{own:.2f} ns, {own / rust:.2f} times"
    yield "call of a friction model in Python for a table of 128", f"{times['bench/empty'] * 0.128:.1f} us"


def main():
    """Measures all rows."""
    if WORDS.models:
        for name, value in friction():
            print(f"{name:56}  {value:>24}")
        return
    rows = []
    # an environment alone, as that of F1TENTH gym is
    rows.append(("Race-v0, one environment", f"{1.0 / single('simhost/Race-v0'):,.0f} steps/s"))
    for name, count in (("Race", 256), ("Goal", 4096), ("GoalBlind", 1024), ("GoalBlind", 4096)):
        one, two = rounds(*(vector(f"simhost/{name}-v0", count, threads=threads) for threads in (1, 2)))
        rows.append((f"{name}-v0, {count} environments", f"{count / one.min():,.0f} steps/s"))
        # of a round beside each other, because the fastest ones may be of different phases of the machine
        gain = f"{np.median(one / two):.2f} times"
        rows.append((f"{name}-v0, {count} environments, 2 threads", f"{count / two.min():,.0f} steps/s, {gain}"))
        rows.append((f"{name}-v0, {count} environments each, 2 processes", f"{processes(f'simhost/{name}-v0', count):.2f} times"))
        later = f"{name}-v0, {count} environments, after {ENDED} actions"
        rows.append((later, f"{count / sustained(f'simhost/{name}-v0', count):,.0f} steps/s"))
    rows.append(("call with 1,024 x 16 float32, without a step", f"{overhead() * 1e6:.1f} us"))
    rows.append(("GoalBlind-v0, one environment", f"{single('simhost/GoalBlind-v0') * 1e6:.1f} us per step"))
    rows.extend(peers())
    rows.extend(friction())
    print(versions())
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        print(f"{name:{width}}  {value:>24}")


if __name__ == "__main__":
    main()
