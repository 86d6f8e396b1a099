#!/usr/bin/env bash
# Tries the files of a release as a user does who has nothing of the project, in a bare system without a network.
#
#   packaging/try.sh FILES ROOT
#
# FILES is the folder that packaging/release.py has written. ROOT has a bare Debian, which nothing changes:
#   debootstrap --variant=minbase --include=gcc,libc6-dev,python3-numpy,python3-pip bookworm ROOT
# Needs bubblewrap. A model in Rust is tried if cargo is on the path; the crates that the SDK depends on must be cached,
# as they are after a build of simhost.
set -euo pipefail
files=$(realpath "$1") root=$(realpath "$2")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
more=()

# Runs commands in the bare system, in the folder of the user, and says how long they took.
bare() { # title, commands
    local start=$SECONDS
    bwrap --ro-bind "$root" / --dev /dev --proc /proc --tmpfs /tmp --bind "$place" /home --unshare-net --chdir /home \
        --clearenv --setenv HOME /home --setenv PATH /home/simhost/bin:/usr/bin:/bin "${more[@]}" \
        sh -eu -c "$2" >"$place/log" 2>&1 || { cat "$place/log"; echo "failed: $1" >&2; exit 1; }
    echo "$1: $((SECONDS - start)) s"
}

archive=$(ls "$files"/simhost-*-linux-gnu.tar.gz)
mkdir "$place/simhost"
tar xzf "$archive" -C "$place/simhost" --strip-components=1

bare "the demo and its page" '
    simhost --version --verbose
    simhost demo demo
    simhost rerun demo/out
    simhost report demo/out && test -s demo/out/report.html'
# the commands that plugin new prints, from the line next: to the blank one
next='sed -n "/^next:/,/^$/p" new.txt | sed -n "s/^  //p" >commands.sh'
bare "a model in C" "
    simhost plugin new brush --kind friction --lang c --vendor acme >new.txt
    $next
    sh -eu commands.sh
    cd brush
    simhost plugin check plugins/brush.so
    simhost plugin pack plugins/brush.so --world brush.world.xml
    simhost plugin install acme.brush-0.1.0.simplugin
    simhost brush.world.xml --duration 1"
bare "the headers by pkg-config" '
    mkdir headers && cd headers && cp ../brush/model.c .
    cc -std=c99 -I../simhost/include/simhost -ffp-contract=off -shared -fPIC model.c -o brush.so -lm
    simhost plugin info brush.so'
bare "a study" '
    simhost sweep simhost/share/simhost/worlds/demo.world.xml --vary robot/friction/mu=uniform:0.3:0.9 --samples 4 \
        --duration 1 --metric "v=max(abs(robot/twist[0]))" --out study
    test "$(wc -l <study/runs.csv)" = 5'

if command -v cargo >/dev/null; then
    cargo=${CARGO_HOME:-$HOME/.cargo} toolchain=$(rustc --print sysroot)
    more=(--ro-bind "$toolchain" /mnt --tmpfs /opt --ro-bind "$cargo/registry" /media --setenv PATH
        /home/simhost/bin:/mnt/bin:/usr/bin:/bin)
    bare "a model in Rust" "
        mkdir -p .cargo && cp -r /media .cargo/registry
        simhost plugin new magic --kind friction --vendor acme >new.txt
        $next
        export CARGO_NET_OFFLINE=true
        sh -eu commands.sh"
    more=()
fi

wheel=$(ls "$files"/*.whl 2>/dev/null || true)
if [ -n "$wheel" ]; then
    cp "$wheel" "$place"
    bare "a model in Python" "
        python3 -m pip install --no-deps --no-index --break-system-packages --target python *.whl
        export PYTHONPATH=/home/python PATH=/usr/bin:/bin
        python3 -m simhost plugin new pilot --kind controller --lang python --vendor acme
        cd pilot
        python3 -m simhost pilot.world.xml --python pilot.py --commands pilot.commands.csv --out out"
fi

package=$(ls "$files"/*.deb 2>/dev/null || true)
if [ -n "$package" ]; then
    cp "$package" "$place/simhost.deb"
    bare "the Debian package" 'dpkg-deb -x simhost.deb deb && deb/usr/bin/simhost --version && test -s deb/usr/share/man/man1/simhost.1'
fi

mkdir -p "$place/image" "$place/system"
tar xf "$files"/simhost-*.oci.tar -C "$place/image"
layer=$(python3 - "$place/image" <<'PY'
import json, sys
from pathlib import Path
blobs = Path(sys.argv[1]) / "blobs/sha256"
of = lambda entry: blobs / entry["digest"].removeprefix("sha256:")
index = json.loads((blobs.parent.parent / "index.json").read_text())
print(of(json.loads(of(index["manifests"][0]).read_text())["layers"][0]))
PY
)
tar xzf "$layer" -C "$place/system"
bwrap --ro-bind "$place/system" / --dev /dev --proc /proc --tmpfs /tmp --unshare-net /usr/bin/simhost demo /tmp/demo >/dev/null
echo "the image: it runs"
(cd "$files" && sha256sum --check --quiet SHA256SUMS)
echo "the sums: right"
