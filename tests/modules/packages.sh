#!/usr/bin/env bash
# A module travels as a package: packed, installed for the user, required by a world, and removed.
# Usage: tests/modules/packages.sh PROGRAM MODULE, with a program that has the feature `sandbox`, and the module of the friction
# model c_coulomb
set -euo pipefail
program=$(realpath "$1") module=$(realpath "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export XDG_DATA_HOME=$folder/data
has() { # text, file
    grep -qF -- "$1" "$2" || { echo "expected '$1' in:" && cat "$2"; exit 1; } >&2
}

"$program" plugin pack "$module" --out coulomb.simplugin >packed 2>/dev/null
has "coulomb.wasm  WebAssembly" packed
cat >w.world.xml <<'END'
<mvsim_world>
  <require plugin="example/coulomb" version="0.1"/>
  <vehicle name="r"><init_pose>0 0 0</init_pose><dynamics class="differential"/><friction class="c_coulomb"/></vehicle>
</mvsim_world>
END
! "$program" check w.world.xml 2>refused || exit 1
has "example/coulomb" refused
for option in "" --module; do
    # shellcheck disable=SC2086
    "$program" plugin install coulomb.simplugin $option >installed
done
has "installed already" installed
"$program" plugin list >listed
has "c_coulomb" listed
"$program" run w.world.xml --duration 0.1 --quiet
sed 's/version="0.1"/version="7"/' w.world.xml >other.world.xml
! "$program" check other.world.xml 2>refused || exit 1
has "7" refused
"$program" plugin remove example/coulomb >removed
[ -z "$(ls "$XDG_DATA_HOME/simhost/plugins")" ]
