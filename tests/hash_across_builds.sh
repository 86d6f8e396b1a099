#!/usr/bin/env bash
# Compares other builds of simhost with tests/data/hashes.csv: the result hash of each world must be the same.
#
#   tests/hash_across_builds.sh PROGRAM...   tests the given programs
#   tests/hash_across_builds.sh              builds and tests a release build, and one for x86-64-v3 (AVX2, FMA)
#
# Several programs must also agree on the state hash. Worlds whose plugins have not been built are skipped; the
# tests `families` and `hashes` build them.
set -euo pipefail
cd "$(dirname "$0")/.."

declare -A states
plugins=()
for folder in target/tmp/alone-c_examples target/tmp/alone-burckhardt; do
    [ -d "$folder" ] && plugins+=(--plugin-dir "$folder")
done

hashes_of() { # program, world, duration; prints the state hash and the result hash
    local commands=()
    [ -f "worlds/$2.commands.csv" ] && commands=(--commands "worlds/$2.commands.csv")
    "$1" "worlds/$2.world.xml" --duration "$3" --hash-every "$3" "${commands[@]}" "${plugins[@]}" |
        sed -n 's/^\(state\|result\) hash \([0-9a-f]*\) .*/\2/p' | paste -sd ' '
}

check() { # program
    local wrong=0 done=0
    while IFS=, read -r world duration expected; do
        case $world in
        c_plugin) ls target/tmp/alone-c_examples/table.* >/dev/null 2>&1 || continue ;;
        third_party) [ -d target/tmp/alone-burckhardt ] || continue ;;
        # needs the feature `opendrive`
        town) "$1" check worlds/town.world.xml >/dev/null 2>&1 || continue ;;
        esac
        local state found
        read -r state found < <(hashes_of "$1" "$world" "$duration")
        done=$((done + 1))
        if [ "$found" != "$expected" ]; then
            echo "$1: $world after $duration s has result hash $found, expected $expected" >&2
            wrong=$((wrong + 1))
        elif [ "${states[$world]:=$state}" != "$state" ]; then
            echo "$1: $world after $duration s has state hash $state, another build ${states[$world]}" >&2
            wrong=$((wrong + 1))
        fi
    done < <(tail -n +2 tests/data/hashes.csv)
    echo "$1: $done worlds, $wrong differ"
    [ "$done" -gt 0 ] && [ "$wrong" -eq 0 ]
}

if [ $# -eq 0 ]; then
    cargo build --release -q
    RUSTFLAGS="-C target-cpu=x86-64-v3" cargo build --release -q --target-dir target/x86-64-v3
    set -- target/release/simhost target/x86-64-v3/release/simhost
fi
failed=0
for program in "$@"; do check "$program" || failed=1; done
exit $failed
