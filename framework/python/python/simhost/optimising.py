"""Values of a world for which metrics of its runs are best.

CMA-ES as in N. Hansen, "The CMA evolution strategy: a tutorial", arXiv:1604.00772, 2016, with its default parameters, in
coordinates that the ranges scale to 0 and 1, and that are mirrored at the ends of the ranges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from .ensemble import Ensemble
from .errors import InputError, ShapeError
from .fitting import ends, first
from .session import Array, PathLike, whole
from .table import Table

if TYPE_CHECKING:
    import optuna


@dataclass(frozen=True)
class Optimum:
    """The best values that a search has found."""

    values: dict[str, float]
    """The values."""
    cost: float
    """Cost of the values."""
    history: Table
    """Columns `generation`, `best` (cost so far) and `spread` (step size of CMA-ES, as a part of the ranges)."""
    runs: int
    """Number of simulated runs."""


class _Search:
    """CMA-ES, as `simhost sweep` uses it."""

    def __init__(self, mean: Array, spread: float, count: int, seed: int) -> None:
        self.core = _core.Strategy(mean.tolist(), spread, count, seed)

    @property
    def spread(self) -> float:
        return self.core.spread

    def ask(self) -> np.ndarray[Any, Any]:
        """Draws points, one per row."""
        return np.array(self.core.ask())

    def tell(self, costs: Array) -> None:
        """Moves the distribution towards the points with the lowest costs."""
        self.core.tell(np.argsort(costs, kind="stable").tolist())


class _Asking:
    """A study of Optuna as a search."""

    spread = float("nan")

    def __init__(self, study: optuna.Study, names: list[str], low: Array, high: Array, count: int, start: dict[str, float] | None) -> None:
        from optuna import Study
        from optuna.distributions import BaseDistribution, FloatDistribution
        from optuna.study import StudyDirection

        if not isinstance(study, Study):
            raise InputError(f"study is {study!r}; expected a study of Optuna")
        if study.directions != [StudyDirection.MINIMIZE]:
            found = ", ".join(repr(direction.name.lower()) for direction in study.directions)
            raise InputError(
                f"the study has the directions {found}; expected 'minimize' alone; help: create it with optuna.create_study(), and "
                "return the negative of what is to be largest"
            )

        self.study, self.count, self.low, self.range = study, count, low, high - low
        self.ranges: dict[str, BaseDistribution] = {
            name: FloatDistribution(least, largest)
            for name, least, largest in zip(names, low.tolist(), high.tolist(), strict=True)
        }
        if start is not None:
            study.enqueue_trial(start)

    def ask(self) -> np.ndarray[Any, Any]:
        self.trials = [self.study.ask(self.ranges) for _ in range(self.count)]
        values = np.array([[trial.params[name] for name in self.ranges] for trial in self.trials])
        return np.clip((values - self.low) / self.range, 0.0, 1.0)

    def tell(self, costs: Array) -> None:
        from optuna.trial import TrialState

        for trial, cost in zip(self.trials, costs.tolist(), strict=True):
            if np.isfinite(cost):
                self.study.tell(trial, cost)
            else:
                self.study.tell(trial, state=TrialState.FAIL)


def optimise(
    world: PathLike,
    free: Mapping[str, tuple[float, float]],
    metrics: str | Iterable[str],
    objective: Callable[[dict[str, Array]], Array],
    *,
    until: float,
    every: float = 0.1,
    start: Mapping[str, float] | None = None,
    members: int = 16,
    generations: int = 60,
    tolerance: float = 1e-4,
    commands: PathLike | None = None,
    text: str | None = None,
    seed: int = 0,
    threads: int = 1,
    study: optuna.Study | None = None,
) -> Optimum:
    """Finds values for which an objective of the metrics of a run is smallest, with CMA-ES.

    All runs of a generation are members of one ensemble with the same seed.

    Args:
        world: Path of a world file.
        free: Names of parameters, poses, velocities or commands, as differences of ensembles, with their ranges.
        metrics: Metrics, as of `Ensemble.metrics`.
        objective: Returns the costs for the metrics, both arrays of shape (members,). A cost that is not a number, and that of
            a run that has failed, counts as infinite.
        until: Simulated time at which the runs end, s.
        every: Simulated time between samples, s.
        start: Values with which the search starts; otherwise the middle of each range.
        members: Number of runs in a generation, at least 4.
        generations: Number of generations after which the search ends.
        tolerance: Step size at which the search ends, as a part of the ranges.
        commands: Path of a command file.
        text: Text of a world file, in place of the content of `world`.
        seed: Seed of the search and of all runs.
        threads: Number of threads.
        study: A study of Optuna, whose sampler proposes the points in place of CMA-ES, and which gets the costs; that of a
            run without a finite cost fails. It needs `simhost[sweep]`. `start` is proposed first; `tolerance` has no effect.

    Raises:
        InputError: a range is empty, a start is outside of it, `until` is negative, no run of the first generation has a finite
            cost, or the study does not minimise one cost.
        UnknownNameError: `start` has a name that is not in `free`.
        ShapeError: the objective returns another number of costs.
    """
    names = list(free)
    low, high = ends(free)
    if not names or not np.isfinite([low, high]).all() or (low >= high).any():
        raise InputError(f"the ranges are {dict(free)}; expected at least one, with finite, increasing numbers")
    members, generations, seed = whole("members", members, 4), whole("generations", generations, 1), whole("seed", seed, 0, 2**64 - 1)
    begin = first(start, names, low, high)
    if not ((begin >= low) & (begin <= high)).all():
        raise InputError(f"the start is {dict(zip(names, begin.tolist(), strict=True))}; expected values within the ranges")
    if study is None:
        search: _Search | _Asking = _Search((begin - low) / (high - low), 0.3, members, seed)
    else:
        search = _Asking(study, names, low, high, members, dict(zip(names, begin.tolist(), strict=True)) if start else None)
    best, cost, rows = begin, np.inf, []
    for generation in range(generations):
        points = search.ask()
        # mirrored at 0 and 1
        mirrored = np.abs((points + 1) % 2 - 1)
        values = low + mirrored * (high - low)
        vary: dict[str, Any] = {name: values[:, index] for index, name in enumerate(names)} | {"seed": seed}
        with Ensemble(world, members, vary=vary, text=text, threads=threads, commands=commands) as ens:
            costs = np.asarray(objective(ens.metrics(metrics, until=until, every=every)), dtype=np.float64)
            failed = [end.member for end in ens.ends if end.kind in ("fault", "diverged", "scan")]
        if costs.shape != (members,):
            raise ShapeError(f"the objective returns an array of shape {costs.shape}; expected ({members},)")
        costs = np.where(np.isnan(costs), np.inf, costs)
        costs[failed] = np.inf
        if generation == 0 and not np.isfinite(costs).any():
            raise InputError("no run of the first generation has a finite cost; help: start elsewhere, or narrow the ranges")
        search.tell(costs)
        if costs.min() < cost:
            best, cost = values[int(costs.argmin())], float(costs.min())
        rows.append((generation, cost, search.spread))
        if isinstance(search, _Search) and search.core.widest < tolerance:
            break
    columns = dict(zip(("generation", "best", "spread"), np.ascontiguousarray(np.array(rows, dtype=np.float64).T), strict=True))
    return Optimum(
        values=dict(zip(names, best.tolist(), strict=True)),
        cost=cost,
        history=Table(columns, {"generation": "1", "best": "", "spread": "1"}),
        runs=len(rows) * members,
    )
