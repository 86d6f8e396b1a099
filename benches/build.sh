#!/usr/bin/env bash
# Builds the program from nothing and compares what that takes with committed figures.
#
#   benches/build.sh            fails if units of compilation or bytes of the program grew by more than 10 %
#   benches/build.sh --update   writes the figures to benches/build.csv
#
# The build goes to target if that has no release build yet, so that it serves what follows, and otherwise
# to a temporary folder.
#
# User time depends on the machine, so it only warns.
set -euo pipefail
cd "$(dirname "$0")/.."
table=benches/build.csv
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
folder=target
[ ! -d target/release ] || folder=$logs/target

cargo fetch --locked --quiet
TIMEFORMAT='%U %S %R'
{ time CARGO_TARGET_DIR=$folder cargo build --release --locked --bin simhost --message-format=json \
    2>/dev/null >"$logs/messages"; } 2>"$logs/times"
read -r user system wall <"$logs/times"
declare -A measured=(
    [units]=$(grep -cE '"reason":"(compiler-artifact|build-script-executed)"' "$logs/messages")
    [bytes]=$(stat -c %s "$folder/release/simhost")
    [user_seconds]=${user%.*}
)
echo "user $user s, system $system s, wall $wall s"

failed=0 rows=figure,value
while IFS=, read -r figure value; do
    [ "$figure" = figure ] && continue
    now=${measured[$figure]}
    printf '%-14s %10s, committed %s\n' "$figure" "$now" "$value"
    rows+=$'\n'"$figure,$now"
    [ $((now * 10)) -le $((value * 11)) ] && continue
    if [ "$figure" = user_seconds ]; then
        echo "warning: the build needs over 10 % more user time" >&2
    else
        echo "error: $figure grew by more than 10 %" >&2
        failed=1
    fi
done <"$table"
if [ "${1-}" = --update ]; then
    echo "$rows" >"$table"
    exit
fi
[ "$failed" = 0 ] || { echo "help: to accept the figures, run benches/build.sh --update" >&2; exit 1; }
