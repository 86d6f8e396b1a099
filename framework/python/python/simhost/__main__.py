"""The command line of simhost: `simhost` and `python -m simhost`."""

import sys
from typing import NoReturn

from ._core import run_command_line


def main() -> NoReturn:
    """Runs the command line of this process, and ends it with the exit code of the verb."""
    sys.exit(run_command_line(["simhost", *sys.argv[1:]], sys.executable, ["-m", "simhost"]))


if __name__ == "__main__":
    main()
