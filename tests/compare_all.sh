#!/usr/bin/env bash
# Compares simhost with all reference numbers in a folder, prints tables of the worst errors, and exits with 1
# when one is out of tolerance.
#
#   tests/compare_all.sh FOLDER
#
# FOLDER has `trajectories/CASE/{case.json,world.xml,trajectory.csv}` (as tests/data/reference), or such
# cases themselves, and `commonroad.json` (as tests/data/commonroad/reference.json); one of them may be absent.
set -euo pipefail
[ $# -eq 1 ] || { sed -n '2,8p' "$0" >&2; exit 2; }
folder=$(realpath "$1")
cd "$(dirname "$0")/.."

failed=0 found=0
cases=$folder
[ -d "$folder/trajectories" ] && cases=$folder/trajectories
if compgen -G "$cases/*/case.json" >/dev/null; then
    found=1
    cargo build --release -q
    python3 tests/compare_reference.py --simhost target/release/simhost "$cases" || failed=1
fi
if [ -f "$folder/commonroad.json" ]; then
    found=1
    cargo run --release -q -p simhost-commonroad --example compare -- "$folder/commonroad.json" || failed=1
fi
[ $found -eq 1 ] || { echo "$1: neither trajectories nor commonroad.json in it" >&2; exit 2; }
exit $failed
