"""Example worlds, by name: `simhost.worlds.demo` is the path of `demo.world.xml`."""

from pathlib import Path

_FOLDER = Path(__file__).parent
_END = ".world.xml"


def names() -> list[str]:
    """Returns the names of the example worlds, sorted."""
    return sorted(path.name.removesuffix(_END) for path in _FOLDER.glob(f"*{_END}"))


def __getattr__(name: str) -> Path:
    path = _FOLDER / f"{name}{_END}"
    if name.startswith("_") or not path.is_file():
        raise AttributeError(f"unknown example world: {name!r}; expected one of {', '.join(names())}")
    return path


def __dir__() -> list[str]:
    return [*names(), "names"]
