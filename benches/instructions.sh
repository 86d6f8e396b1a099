#!/usr/bin/env bash
# Counts the instructions of hot paths with callgrind and compares them with committed budgets.
#
#   benches/instructions.sh            fails if a path exceeds its budget by more than 5 %
#   benches/instructions.sh --update   writes the counts to benches/instructions.csv as budgets
#
# A count is the difference of a long and a short run, so that the start cancels. It does not depend on the
# load of the machine. valgrind offers AVX2 but not AVX-512 to programs, so the counts are those of AVX2.
# Paths that begin with `simhost` are runs of the release program, with all its threads; the others are those of the
# bench `instructions`. Needs Python 3.
set -euo pipefail
cd "$(dirname "$0")/.."
table=benches/instructions.csv
bench=$(cargo bench -q -p simhost-benches --bench instructions --no-run --message-format=json |
    grep '"name":"instructions"' | grep -o '"executable":"[^"]*"' | cut -d'"' -f4)
cargo build -q --release --locked --bin simhost
simhost=${CARGO_TARGET_DIR:-target}/release/simhost
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Writes a world of vehicles that do not touch each other, and prints its path.
crowd() { # dynamics class, number of vehicles
    PYTHONPATH=benches python3 -c 'import sys, worlds; print(worlds.crowd(sys.argv[1], sys.argv[2], int(sys.argv[3])))' \
        "$folder" "$@"
}

# Prints the instructions of a command, whose output goes to a file.
instructions() { # command
    valgrind --tool=callgrind --callgrind-out-file="$folder/callgrind" --log-file="$folder/log" "$@" \
        >"$folder/output" 2>"$folder/errors" || { cat "$folder/log" "$folder/errors" >&2; exit 1; }
    grep -oE 'Collected : [0-9]+' "$folder/log" | grep -oE '[0-9]+$'
}

# Prints instructions and units of work of a path with a number of repetitions.
count() { # path, repetitions
    local world
    case $1 in
    "simhost loads vehicles") # the repetitions are vehicles
        world=$(crowd differential "$2")
        echo "$(instructions "$simhost" "$world" --duration 0.005 --threads 1) $2"
        ;;
    "simhost records 100 Ackermann vehicles") # the repetitions are steps, with all streams in CSV and MCAP
        world=$(crowd ackermann 100)
        echo "$(instructions "$simhost" "$world" --duration "$(awk "BEGIN { print 0.005 * $2 }")" --threads 1 \
            --out "$folder/out" --force --mcap) $((100 * $2))"
        ;;
    *)
        local counted
        counted=$(instructions "$bench" "$1" "$2")
        echo "$counted $(cat "$folder/output")"
        ;;
    esac
}

failed=0
rows="path,unit,short,long,budget"
while IFS=, read -r path unit short long budget; do
    [ "$path" = path ] && continue
    read -r few_instructions few_units <<<"$(count "$path" "$short")"
    read -r instructions units <<<"$(count "$path" "$long")"
    measured=$(awk "BEGIN { printf \"%.1f\", ($instructions - $few_instructions) / ($units - $few_units) }")
    printf '%-40s %10s instructions per %s, budget %s\n' "$path" "$measured" "$unit" "$budget"
    if awk "BEGIN { exit !($measured > 1.05 * $budget) }"; then
        echo "error: $path exceeds its budget by more than 5 %" >&2
        failed=1
    fi
    rows+=$'\n'"$path,$unit,$short,$long,$measured"
done <"$table"
if [ "${1-}" = --update ]; then
    echo "$rows" >"$table"
    exit
fi
[ "$failed" = 0 ] || { echo "help: to accept the counts, run benches/instructions.sh --update" >&2; exit 1; }
