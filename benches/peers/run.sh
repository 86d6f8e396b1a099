#!/usr/bin/env bash
# Builds other simulators where their sources are given, and measures them beside the benches.
#
#   MVSIM_SOURCE=DIR       sources of MVSim 1.2, with the libraries of MRPT installed
#   RANGE_LIBC_SOURCE=DIR  sources of range_libc; or its Python package `range_libc` is installed
#   F110_GYM=DIR           sources of F1TENTH gym; or its Python package `f110_gym` is installed
#
# A simulator that is absent is "not measured". Untested: none of the three could be installed where this
# script was written, so only the lines "not measured" have been seen.
set -euo pipefail
cd "$(dirname "$0")"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

mvsim() {
    [ -n "${MVSIM_SOURCE-}" ] || { echo "MVSim: not measured (set MVSIM_SOURCE)"; return; }
    cmake -S mvsim -B "$folder/mvsim" -DMVSIM_SOURCE="$(realpath "$MVSIM_SOURCE")" >&2
    cmake --build "$folder/mvsim" --target driver -j >&2
    python3 measure.py mvsim "$folder/mvsim/driver"
}

python_package() { # name, source folder or nothing, measurement
    local path=${2-}
    if ! PYTHONPATH=$path python3 -c "import $1" 2>/dev/null; then
        echo "$1: not measured (the Python package cannot be imported)"
        return
    fi
    PYTHONPATH=$path python3 measure.py "$1"
}

range_libc() {
    local source=${RANGE_LIBC_SOURCE-}
    if [ -n "$source" ]; then
        (cd "$source/pywrapper" && python3 setup.py build_ext --inplace) >&2
        source=$source/pywrapper
    fi
    python_package range_libc "$source"
}

mvsim
range_libc
python_package f110_gym "${F110_GYM:+$F110_GYM/gym}"
