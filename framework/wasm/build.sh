#!/usr/bin/env bash
# Builds the simulator as a WebAssembly module, simhost.wasm, for a browser tab.
#
#   framework/wasm/build.sh OUT   writes OUT/simhost.wasm and OUT/simhost.wasm.gz
#
# Uses the target wasm32-wasip1 of rustup if it is installed. Otherwise, Debian's packages rustc-web and wasi-libc are
# unpacked in target/tools/wasm, where the standard library for the target is built once. They are not installed.
set -euo pipefail
here=$PWD
mkdir -p "$1"
out=$(realpath "$1")
cd "$(dirname "$0")/../.."
target=wasm32-wasip1
most=3650000 # bytes of the compressed module

# Unpacks Debian's packages of the compiler in the folder $1.
unpack() {
    local folder=$1 packages
    apt-get update -qq || true
    # the packages of the standard library and of LLVM are named after their versions
    packages=$(apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces \
        --no-enhances rustc-web | grep -oE '^(rustc-web|libstd-rust-web-[a-z0-9.]+|libllvm[0-9]+)$' | sort -u)
    mkdir -p "$folder/packages" "$folder/root"
    chmod 777 "$folder/packages" # of another user, who downloads
    # shellcheck disable=SC2086 # the names of packages
    (cd "$folder/packages" && apt-get download -qq $packages rust-web-src wasi-libc)
    for package in "$folder"/packages/*.deb; do dpkg -x "$package" "$folder/root"; done
    rm -rf "$folder/packages"
}

# Builds the standard library of the compiler in the folder $1.
build_library() {
    local library=$1/root/usr/lib/rustlib/$target/lib
    mkdir -p "$library/self-contained" "$1/empty/src"
    cp "$1"/root/usr/lib/wasm32-wasi/{libc.a,crt1-reactor.o,crt1-command.o} "$library/self-contained/"
    printf '#![no_std]\n' >"$1/empty/src/lib.rs"
    printf '[package]\nname = "empty"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n' >"$1/empty/Cargo.toml"
    (cd "$1/empty" && CARGO_TARGET_DIR=$1/empty/target RUSTC_BOOTSTRAP=1 \
        cargo build --quiet -Zbuild-std=std,panic_abort --target $target --release)
    cp "$1/empty/target/$target/release/deps/"*.rlib "$library/"
    rm -rf "$1/empty"
}

if ! rustc --print target-libdir --target $target 2>/dev/null | xargs -I{} test -e {}/self-contained; then
    tools=${SIMHOST_WASM_TOOLS:-$PWD/target/tools/wasm}
    host=$(rustc --print sysroot)/lib/rustlib/$(rustc -vV | sed -n 's/^host: //p')
    export CARGO_TARGET_WASM32_WASIP1_LINKER=$host/bin/rust-lld
    [ -x "$tools/root/usr/bin/rustc" ] || unpack "$tools"
    export RUSTC=$tools/root/usr/bin/rustc
    LD_LIBRARY_PATH=$(find "$tools/root/usr/lib" -maxdepth 3 \( -name 'librustc_driver*.so' -o -name 'libLLVM*.so*' \) \
        -printf '%h\n' | sort -u | paste -sd :)
    export LD_LIBRARY_PATH
    compgen -G "$tools/root/usr/lib/rustlib/$target/lib/libstd-*.rlib" >/dev/null || build_library "$tools"
fi

# rustix and tempfile use functions of WASI that the standard library has not declared stable
RUSTC_BOOTSTRAP=1 cargo build --locked --profile tab --target $target -p simhost-wasm --lib
cp "${CARGO_TARGET_DIR:-target}/$target/tab/simhost_wasm.wasm" "$out/simhost.wasm"
gzip -9 -n -k -f "$out/simhost.wasm"
size=$(stat -c %s "$out/simhost.wasm.gz")
cd "$here"
echo "simhost.wasm: $(stat -c %s "$out/simhost.wasm") bytes, $size compressed, at most $most"
[ "$size" -le $most ]
