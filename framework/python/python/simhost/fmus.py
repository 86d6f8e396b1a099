"""Writes worlds and models as FMUs, for tools with the Functional Mock-up Interface."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from . import _core
from .errors import InputError
from .session import PathLike, one_or_many, whole, world_options

_LIBRARY = "libsimhost_fmu.so"
_VERSIONS: dict[object, list[int]] = {2: [2], 3: [3], "2": [2], "3": [3], "both": [2, 3]}


def export_fmu(
    world: PathLike,
    path: PathLike,
    *,
    inputs: str | Iterable[str] = "**",
    outputs: str | Iterable[str] | None = None,
    parameters: str | Iterable[str] = (),
    fmi: int | str = 2,
    library: PathLike | None = None,
    plugins: PathLike | Iterable[PathLike] = (),
    with_plugins: bool = False,
    seed: int | None = None,
    compat: str | None = None,
    lenient: bool = False,
) -> list[Path]:
    """Writes a world as an FMU for co-simulation, as `simhost fmu export` does.

    Args:
        world: Path of a world file.
        path: The FMU.
        inputs: Patterns of the commands whose values are inputs, such as "robot/cmd_vel".
        outputs: Patterns of the quantities that are outputs; otherwise pose and twist of all vehicles.
        parameters: Patterns of the parameters, such as "robot/controller/*".
        fmi: Version of FMI: 2, 3, or "both" for two files, with `.fmi2` and `.fmi3` before the ending.
        library: The library that every FMU contains; otherwise the one next to the program `simhost`.
        plugins: Folder with plugins, or several of them.
        with_plugins: Put the plugins from which models come into the FMU.
        seed: Seed of all random numbers; otherwise that of the world, otherwise 0.
        compat: Name of a compatibility profile, such as "mvsim-1.2".
        lenient: Accept unknown names in the world file.

    Returns:
        The paths of the FMUs.

    Raises:
        WorldError: the world has errors, or a model that an FMU cannot contain.
        UnknownNameError: a pattern selects nothing.
        InputError: the library is not found, or the version is unknown.
        OutputError: an FMU cannot be written.
    """
    options = world_options(seed, 1, plugins, None, False, compat, lenient)
    selected = None if outputs is None else one_or_many(outputs)
    patterns = (one_or_many(inputs), selected, one_or_many(parameters))
    target = (os.fspath(path), _versions(fmi), _library(library))
    return [Path(one) for one in _core.export_fmu(os.fspath(world), patterns, with_plugins, target, options)]


def export_model_fmu(
    name: str,
    path: PathLike,
    *,
    kind: str | None = None,
    variant: int = 1,
    parameters: Mapping[str, Any] | None = None,
    wheels: int = 4,
    step: float = 0.001,
    fmi: int | str = 2,
    library: PathLike | None = None,
    plugins: PathLike | Iterable[PathLike] = (),
) -> list[Path]:
    """Writes one model as an FMU, as `simhost plugin fmu` does: for co-simulation, and for model exchange if it has continuous states.

    A communication step of the FMU is one call of the model. A plugin from which the model comes is part of the FMU.

    Args:
        name: The class, such as "magic_formula" or "simhost/magic_formula".
        path: The FMU.
        kind: Kind of the model, such as "friction", if several kinds have a class with this name.
        variant: Number of the variant of the class, from 1 on.
        parameters: Values that parameters have in place of their defaults. Files are relative to the working folder.
        wheels: Number of wheels of a vehicle, for a class that does not declare them.
        step: Suggested communication step, s.
        fmi: Version of FMI: 2, 3, or "both" for two files, with `.fmi2` and `.fmi3` before the ending.
        library: The library that every FMU contains; otherwise the one next to the program `simhost`.
        plugins: Folder with plugins, or several of them.

    Returns:
        The paths of the FMUs.

    Raises:
        ModelError: the model needs a world, or does not accept a parameter.
        UnknownNameError: there is no such class or parameter.
        InputError: the library is not found, or an argument is out of its range.
        OutputError: an FMU cannot be written.
    """
    if not 0.0 < step < 1e3:
        raise InputError(f"step is {step}; expected seconds, above 0 and below 1000")
    choice = {
        "name": name,
        "kind": kind,
        "variant": whole("variant", variant, 1) - 1,
        "wheels": whole("wheels", wheels, 1, 64),
        "step": step,
        "parameters": [(key, _text(value)) for key, value in (parameters or {}).items()],
    }
    target = (os.fspath(path), _versions(fmi), _library(library))
    folders = world_options(None, 1, plugins)["plugins"]
    return [Path(one) for one in _core.export_model_fmu(choice, target, folders)]


def _text(value: object) -> str:
    """Returns a value of a parameter as a world file has it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | os.PathLike):
        return os.fspath(value)
    if isinstance(value, Iterable):
        return " ".join(_text(one) for one in value)
    return str(value)


def _versions(fmi: int | str) -> list[int]:
    """Returns the versions of FMI that a value names."""
    if (versions := _VERSIONS.get(fmi)) is None:
        raise InputError(f"fmi is {fmi!r}; expected 2, 3 or 'both'")
    return versions


def _library(library: PathLike | None) -> str:
    """Returns the path of the library that every FMU contains."""
    if library is not None:
        return os.fspath(library)
    program = shutil.which("simhost")
    places = [Path(__file__).parent] if program is None else [Path(__file__).parent, Path(program).resolve().parent]
    for place in [*places, *(place.parent / "lib/simhost" for place in places)]:
        if (file := place / _LIBRARY).is_file():
            return str(file)
    raise InputError(
        f"library not found: {_LIBRARY}; help: build it with `cargo build --release -p simhost-fmu`, or take it from a release, and "
        "name it with library="
    )
