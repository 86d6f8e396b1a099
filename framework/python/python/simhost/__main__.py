"""The command line of simhost: `simhost` and `python -m simhost`."""

import sys
from pathlib import Path
from typing import NoReturn

from ._core import run_command_line


def main() -> NoReturn:
    """Runs the command line of this process, and ends it with the exit code of the verb."""
    words = sys.argv[1:]
    # a further process of this command line gets the files before the verb
    inherited = []
    while words[:1] == ["--python"]:
        inherited.append(words[1])
        words = words[2:]
    named = [*inherited, *_files(words)]
    loaded = [(file, _loaded(file)) for file in dict.fromkeys(named)]
    before = ["-m", "simhost", *(word for file, _ in loaded for word in ("--python", str(Path(file).absolute())))]
    sys.exit(run_command_line(["simhost", *words], sys.executable, before, loaded))


def _files(words: list[str]) -> list[str]:
    """Returns the files with models that a command line names."""
    if "--" in words:
        words = words[: words.index("--")]
    found = [after for word, after in zip(words, words[1:], strict=False) if word == "--python"]
    found += [word.removeprefix("--python=") for word in words if word.startswith("--python=")]
    return found + [word for word in words[2:] if words[0] == "plugin" and word.endswith(".py") and word not in found]


def _loaded(file: str) -> list[str]:
    """Runs a file with models, and returns the full names of the classes that it declares."""
    from .errors import SimhostError
    from .models import load_models

    try:
        return load_models(file)
    except SimhostError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(12)


if __name__ == "__main__":
    main()
