# Prepares a compiler for a target of WebAssembly, for scripts that are run in the root of the repository.
#
#   . framework/wasm/toolchain.sh TARGET   exports what cargo needs for wasm32-wasip1 or wasm32-unknown-unknown
#
# Uses the target of rustup if it is installed. Otherwise, Debian's packages rustc-web and wasi-libc are unpacked in
# target/tools/wasm, where the standard library for the target is built once. They are not installed.

# Unpacks Debian's packages of the compiler in the folder $1.
unpack_compiler() {
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

# Builds the standard library of the compiler in the folder $1 for the target $2.
build_library() {
    local folder=$1 target=$2 library=$1/root/usr/lib/rustlib/$2/lib empty=$1/empty-$2
    mkdir -p "$library/self-contained" "$empty/src"
    case $target in
    *-wasip1) cp "$folder"/root/usr/lib/wasm32-wasi/{libc.a,crt1-reactor.o,crt1-command.o} "$library/self-contained/" ;;
    esac
    printf '#![no_std]\n' >"$empty/src/lib.rs"
    printf '[package]\nname = "empty"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n' >"$empty/Cargo.toml"
    (cd "$empty" && CARGO_TARGET_DIR=$empty/target RUSTC_BOOTSTRAP=1 \
        cargo build --quiet -Zbuild-std=std,panic_abort --target "$target" --release)
    cp "$empty/target/$target/release/deps/"*.rlib "$library/"
    rm -rf "$empty"
}

# Exports the compiler and linker for the target $1.
use_target() {
    local target=$1 tools host
    compgen -G "$(rustc --print target-libdir --target "$target" 2>/dev/null)/libstd-*.rlib" >/dev/null && return
    tools=${SIMHOST_WASM_TOOLS:-$PWD/target/tools/wasm}
    if [ "${RUSTC-}" != "$tools/root/usr/bin/rustc" ]; then
        host=$(rustc --print sysroot)/lib/rustlib/$(rustc -vV | sed -n 's/^host: //p')
        export CARGO_TARGET_WASM32_WASIP1_LINKER=$host/bin/rust-lld
        export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$host/bin/rust-lld
        [ -x "$tools/root/usr/bin/rustc" ] || unpack_compiler "$tools"
        export RUSTC=$tools/root/usr/bin/rustc
        LD_LIBRARY_PATH=$(find "$tools/root/usr/lib" -maxdepth 3 \( -name 'librustc_driver*.so' -o -name 'libLLVM*.so*' \) \
            -printf '%h\n' | sort -u | paste -sd :)
        export LD_LIBRARY_PATH
    fi
    compgen -G "$tools/root/usr/lib/rustlib/$target/lib/libstd-*.rlib" >/dev/null || build_library "$tools" "$target"
}

use_target "$1"
