#!/usr/bin/env bash
# Compares two builds of simhost in turns: the time of a step with 1 to 100,000 vehicles and with a laser,
# loading, memory, and threads. Prints a Markdown table; a ratio above one favours the second program.
#
#   benches/compare.sh PROGRAM_A PROGRAM_B [ROUNDS]
#
# Figures are medians of 5 rounds, or ROUNDS. CPU time is user and system time of the process; a step is the
# difference of a long run and a run of one step, divided by the steps. The result hashes of both programs
# are compared. Needs Python 3.
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: benches/compare.sh PROGRAM_A PROGRAM_B [ROUNDS]" >&2; exit 2; }
exec python3 "$(dirname "$0")/compare.py" "$@"
