#!/usr/bin/env bash
# Builds the families of built-in models, except observers, and the examples in C as WebAssembly modules.
#
#   framework/sandbox/build.sh OUT   writes OUT/*.wasm
#
# Needs clang, wasm-ld and wasi-libc for the examples. framework/wasm/toolchain.sh says which Rust compiler is used.
set -euo pipefail
mkdir -p "$1"
out=$(realpath "$1")
cd "$(dirname "$0")/../.."
target=wasm32-unknown-unknown

for example in coulomb cruise wheel_slip; do
    clang --target=wasm32-wasi -mexec-model=reactor -O2 -ffp-contract=off -Wall -Wextra -Isdk/c -Wl,--export-dynamic \
        "sdk/c/example/$example.c" sdk/c/simhost_module.c -o "$out/$example.wasm"
done

# shellcheck source=framework/wasm/toolchain.sh
. framework/wasm/toolchain.sh $target
for family in actuators cars commonroad controllers dynamics environment friction lab planning sensors suspension trajectory tyres; do
    RUSTFLAGS="-C target-feature=+simd128" \
        cargo rustc --locked --quiet --release --target $target -p "simhost-$family" --features shared --lib --crate-type cdylib
    cp "${CARGO_TARGET_DIR:-target}/$target/release/simhost_$family.wasm" "$out/"
done
