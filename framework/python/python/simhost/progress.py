"""Progress of long runs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = bool | Callable[[float], object]
"""True for a bar, False for none, or a function that is called with the simulated time, s."""

_WIDTH = 30


@contextmanager
def shown(progress: Progress, start: float, end: float) -> Iterator[Callable[[float], object] | None]:
    """Shows the progress from `start` to `end`, s, and returns the function that is to be called with the time."""
    if callable(progress):
        yield progress
        return
    if not progress:
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield lambda time: _draw(time, start, end)
        _draw(end, start, end)
        sys.stderr.write("\n")
        return
    with tqdm(total=round(end - start, 9), unit="s") as bar:
        yield lambda time: bar.update(round(time - start, 9) - bar.n)
        bar.update(bar.total - bar.n)


def _draw(time: float, start: float, end: float) -> None:
    share = 1.0 if end <= start else (time - start) / (end - start)
    done = round(share * _WIDTH)
    sys.stderr.write(f"\r[{'#' * done}{'.' * (_WIDTH - done)}] {time:.1f} s")
    sys.stderr.flush()
