#!/usr/bin/env bash
# Counts the instructions of five hot paths with callgrind and compares them with committed budgets.
#
#   benches/instructions.sh            fails if a path exceeds its budget by more than 5 %
#   benches/instructions.sh --update   writes the counts to benches/instructions.csv as budgets
#
# A count is the difference of a long and a short run, so that the start cancels. It does not depend on the
# load of the machine. valgrind offers AVX2 but not AVX-512 to programs, so the counts are those of AVX2.
set -euo pipefail
cd "$(dirname "$0")/.."
table=benches/instructions.csv
program=$(cargo bench -q -p simhost-benches --bench instructions --no-run --message-format=json |
    grep '"name":"instructions"' | grep -o '"executable":"[^"]*"' | cut -d'"' -f4)
log=$(mktemp)
trap 'rm -f "$log" "$log".*' EXIT

# Prints instructions and units of work of a path with a number of repetitions.
count() {
    local units
    units=$(valgrind --tool=callgrind --callgrind-out-file="$log.out" --log-file="$log" \
        "$program" "$1" "$2") || { cat "$log" >&2; exit 1; }
    echo "$(grep -oE 'Collected : [0-9]+' "$log" | grep -oE '[0-9]+$') $units"
}

failed=0
rows="path,unit,short,long,budget"
while IFS=, read -r path unit short long budget; do
    [ "$path" = path ] && continue
    read -r few_instructions few_units <<<"$(count "$path" "$short")"
    read -r instructions units <<<"$(count "$path" "$long")"
    measured=$(awk "BEGIN { printf \"%.1f\", ($instructions - $few_instructions) / ($units - $few_units) }")
    printf '%-28s %10s instructions per %s, budget %s\n' "$path" "$measured" "$unit" "$budget"
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
