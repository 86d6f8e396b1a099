"""Best values."""

import numpy as np
import pytest
import simhost

from test_ensemble import WORLD
from simhost.optimising import _Search


def minimum(function, size, generations, count=12):
    search = _Search(np.full(size, 0.5), 0.3, count, 1)
    best, least = None, np.inf
    for _ in range(generations):
        points = search.ask()
        costs = function(points)
        if costs.min() < least:
            best, least = points[costs.argmin()], costs.min()
        search.tell(costs)
    return best


def test_the_search_finds_minima_of_test_functions():
    # an ellipsoid of condition 1e6, and the valley of Rosenbrock
    scales = 10.0 ** np.linspace(0, 6, 5)
    found = minimum(lambda x: ((x - 0.2) ** 2 * scales).sum(axis=1), 5, 300)
    assert found == pytest.approx(np.full(5, 0.2), abs=1e-6)
    found = minimum(lambda x: 100 * (x[:, 1] - x[:, 0] ** 2) ** 2 + (1 - x[:, 0]) ** 2, 2, 300)
    assert found == pytest.approx([1, 1], abs=1e-6)


def test_metrics_are_those_of_members():
    ens = simhost.Ensemble("a.world.xml", 3, text=WORLD, vary={"robot/cmd_vel/vx": [0.1, 0.2, 0.3]})
    found = ens.metrics(["final:robot/pose[0]", "max:robot/twist[0]"], until=2.0)
    assert found["final:robot/pose[0]"] == pytest.approx([0.2, 0.4, 0.6], abs=0.01)
    assert found["max:robot/twist[0]"] == pytest.approx([0.1, 0.2, 0.3])
    with pytest.raises(simhost.InputError, match="largest:robot/pose"):
        ens.metrics("largest:robot/pose", until=3.0)
    for until in (-3.0, 1.0):
        for act in (ens.run_until, lambda time: ens.metrics("final:robot/pose", until=time)):
            with pytest.raises(simhost.InputError, match=f"cannot run until {until:g} s: the time is 2 s; expected a later"):
                act(until)
    ens.reset()
    with pytest.raises(simhost.InputError, match="the time is 0 s"):
        ens.run_until(-1.0)


def drive_to(target, **options):
    return simhost.optimise(
        "a.world.xml",
        free={"robot/cmd_vel/vx": (0.0, 2.0), "robot/cmd_vel/omega": (-1.0, 1.0)},
        metrics="final:robot/pose",
        objective=lambda found: np.hypot(found["final:robot/pose[0]"] - target[0], found["final:robot/pose[1]"] - target[1]),
        text=WORLD,
        **{"until": 2.0} | options,
    )


def test_a_robot_is_driven_to_a_place():
    found = drive_to((1.0, 1.0), generations=80)
    # an arc of a quarter of a circle with radius 1 m in 2 s
    assert found.cost < 0.01
    assert list(found.values.values()) == pytest.approx([np.pi / 4, np.pi / 4], abs=0.02)
    assert (np.diff(found.history["best"]) <= 0).all()
    assert found.values == drive_to((1.0, 1.0), generations=80, threads=2).values


def test_optuna_proposes_points():
    optuna = pytest.importorskip("optuna")
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=1))
    start = {"robot/cmd_vel/vx": 0.75, "robot/cmd_vel/omega": 0.75}
    found = drive_to((1.0, 1.0), generations=6, members=8, study=study, start=start)
    assert found.runs == len(study.trials) == 48
    assert study.trials[0].params == start
    assert found.cost == study.best_value < 0.15
    assert found.values == pytest.approx(study.best_params)


def test_studies_that_do_not_minimise_one_cost_are_refused():
    optuna = pytest.importorskip("optuna")
    for directions in (["maximize"], ["minimize", "minimize"]):
        study = optuna.create_study(directions=directions)
        with pytest.raises(simhost.InputError, match=f"the directions '{directions[0]}'.*; expected 'minimize' alone"):
            drive_to((1.0, 1.0), generations=1, study=study)
        assert not study.trials
    with pytest.raises(simhost.InputError, match="study is 5; expected a study of Optuna"):
        drive_to((1.0, 1.0), study=5)


def test_searches_that_cannot_work_say_why():
    for options, error, text in [
        ({"members": 3}, simhost.InputError, "members is 3"),
        ({"start": {"robot/cmd_vel/vx": 5.0}}, simhost.InputError, "within the ranges"),
        ({"start": {"robot/cmd_vel/vx": np.nan}}, simhost.InputError, "within the ranges"),
        ({"start": {"robot/cmd_vel/v": 0.5}}, simhost.UnknownNameError, "name in start: 'robot/cmd_vel/v'; did you mean"),
        ({"generations": 0}, simhost.InputError, "generations is 0; expected at least 1"),
        ({"seed": -1}, simhost.InputError, "seed is -1; expected at least 0"),
        ({"until": -1.0}, simhost.InputError, "cannot run until -1 s: the time is 0 s; expected a later, finite time"),
    ]:
        with pytest.raises(error, match=text):
            drive_to((1.0, 1.0), **options)
    with pytest.raises(simhost.InputError, match="no run of the first generation"):
        drive_to((np.nan, 0.0))
    with pytest.raises(simhost.ShapeError, match=r"shape \(\); expected \(16,\)"):
        simhost.optimise(
            "a.world.xml", {"robot/cmd_vel/vx": (0, 1)}, "final:robot/pose", lambda _: 1.0, until=1.0, text=WORLD
        )
