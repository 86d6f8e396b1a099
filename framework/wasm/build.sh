#!/usr/bin/env bash
# Builds the simulator as a WebAssembly module, simhost.wasm, for a browser tab.
#
#   framework/wasm/build.sh OUT   writes OUT/simhost.wasm and OUT/simhost.wasm.gz
#
# toolchain.sh says which compiler is used.
set -euo pipefail
here=$PWD
mkdir -p "$1"
out=$(realpath "$1")
cd "$(dirname "$0")/../.."
target=wasm32-wasip1
most=3750000 # bytes of the compressed module

# shellcheck source=framework/wasm/toolchain.sh
. framework/wasm/toolchain.sh $target

# rustix and tempfile use functions of WASI that the standard library has not declared stable
RUSTC_BOOTSTRAP=1 cargo build --locked --profile tab --target $target -p simhost-wasm --lib
cp "${CARGO_TARGET_DIR:-target}/$target/tab/simhost_wasm.wasm" "$out/simhost.wasm"
gzip -9 -n -k -f "$out/simhost.wasm"
size=$(stat -c %s "$out/simhost.wasm.gz")
cd "$here"
echo "simhost.wasm: $(stat -c %s "$out/simhost.wasm") bytes, $size compressed, at most $most"
[ "$size" -le $most ]
