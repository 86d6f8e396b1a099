"""Packages beside numpy, which only some parts need."""

import importlib
from typing import Any

from .errors import MissingPackageError

_INSTALLED_WITH = {
    "control": "control",
    "gymnasium": "simhost[gym]",
    "matplotlib": "simhost[notebook]",
    "numba": "simhost[models]",
    "pandas": "simhost[tables]",
    "pettingzoo": "simhost[zoo]",
    "polars": "simhost[tables]",
    "scipy": "simhost[fit]",
    "xarray": "simhost[tables]",
}


def needed(module: str, purpose: str) -> Any:
    """Returns a module of one of these packages.

    Raises:
        MissingPackageError: the package is not installed.
    """
    package = module.partition(".")[0]
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        # a package that is there may lack another one
        if error.name is not None and error.name.partition(".")[0] != package:
            raise
        text = f"{purpose} needs {package}, which is not installed; help: pip install '{_INSTALLED_WITH[package]}'"
        raise MissingPackageError(text, name=package) from None
