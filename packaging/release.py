#!/usr/bin/env python3
"""Makes the files of a release, without a network once the tools and crates are there.

  packaging/release.py [--out DIR] [--target TRIPLE] [--glibc VERSION] [--features LIST] [--profile NAME]
                       [--program FILE] [--wheel FILE] [--twice]

DIR (target/release-files) then has, for the version in Cargo.toml and a target:

  simhost-VERSION-TARGET.tar.gz   program, completions, manual, schemas, book, C SDK, libraries, licences, SBOM
  simhost_VERSION_ARCH.deb        the same for Debian and its relatives
  simhost-VERSION-TARGET.oci.tar  an OCI image with the program alone
  simhost-VERSION-source.tar.gz   the repository at HEAD
  simhost-VERSION-*.whl           the Python package, if --wheel names it
  SHA256SUMS                      sums of all of them

Without --program, it builds the program with all features and the libraries with the profile `dist`; --features and
--profile name others, to try it in less time. With --program, the libraries are those next to the program. With --glibc, or
for another processor than that of the machine, Zig links and compiles the C code; the program then needs this version of
glibc or a later one, which is checked. The tools for that are fetched into target/tools/release: Zig, cargo-zigbuild, and for
a target without a standard library next to the compiler, Debian's compiler, library and emulator, for which the machine needs
apt. Programs need mdbook for the book, and dpkg-deb for the Debian package; missing parts are left out with a warning.

The time of all files is that of the commit, and paths of the build are replaced, so that two builds of a commit by the same
compiler give the same bytes, wherever they are made. --twice checks that: it makes the files again from a clone in another
folder and compares them.
"""

import argparse
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path

from program import ROOT, Target, newest_glibc, own_glibc, read, run
from twice import check_is_clean, make_again

FEATURES = "full,gpu,learned"
# the world whose result hash is compared
WORLD = "demo"
SHELLS = {
    "bash": "share/bash-completion/completions/simhost",
    "zsh": "share/zsh/site-functions/_simhost",
    "fish": "share/fish/vendor_completions.d/simhost.fish",
}
HEADERS = ["simhost_plugin.h", "simhost_math.h", "simhost_plugin.hpp", "simhost_test.h", "simhost_module.c"]
HOST_HEADERS = ["simhost.h", "simhost.hpp"]
# libraries next to the program, and their places
LIBRARIES = {"libsimhost.so": "lib/libsimhost.so", "libsimhost_fmu.so": "lib/simhost/libsimhost_fmu.so"}
LICENCE_NAMES = ("LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE")


def warn(text):
    print(f"warning: {text}", file=sys.stderr)


def packages(target):
    """Returns the crates that the program is built from, sorted, without those of the repository."""
    words = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", target]
    metadata = json.loads(read(*words))
    return sorted((p for p in metadata["packages"] if p["source"]), key=lambda p: (p["name"], p["version"]))


def licences(crates):
    """Returns the licences of the crates as one text."""
    text = "simhost is built from these crates. Each is followed by the texts of its licences.\n"
    for crate in crates:
        text += f"\n{'=' * 100}\n{crate['name']} {crate['version']}: {crate['license'] or 'see below'}\n"
        text += f"{crate['repository'] or ''}\n"
        folder = Path(crate["manifest_path"]).parent
        for file in sorted(folder.iterdir()):
            if file.is_file() and file.name.upper().startswith(LICENCE_NAMES):
                text += f"\n-- {file.name}\n\n{file.read_text(errors='replace').strip()}\n"
    return text


def bill(crates):
    """Returns a software bill of materials in the format CycloneDX 1.5."""
    component = lambda crate: {
        "type": "library",
        "name": crate["name"],
        "version": crate["version"],
        "purl": f"pkg:cargo/{crate['name']}@{crate['version']}",
        **({"licenses": [{"expression": crate["license"].replace("/", " OR ")}]} if crate["license"] else {}),
    }
    program = {"type": "application", "name": "simhost", "version": VERSION, "purl": f"pkg:cargo/simhost-cli@{VERSION}"}
    return json.dumps(
        {
            "bomFormat": "CycloneDX",
            "specVersion": "1.5",
            "version": 1,
            "metadata": {"component": program},
            "components": [component(crate) for crate in crates],
        },
        indent=1,
    )


def write(path, content, mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    path.chmod(mode)


def stage(folder, program, target, crates):
    """Lays out the files of a release below a folder, as below /usr."""
    write(folder / "bin/simhost", program.read_bytes(), 0o755)
    say = lambda *words: run(*target.command(program), *words, capture_output=True).stdout
    for shell, place in SHELLS.items():
        write(folder / place, say("completions", shell))
    (folder / "share/man/man1").mkdir(parents=True)
    say("man", "--out", str(folder / "share/man/man1"))
    doc = folder / "share/doc/simhost"
    for name in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"]:
        write(doc / name, (ROOT / name).read_bytes())
    write(doc / "LICENSES-OF-CRATES", licences(crates))
    write(doc / "simhost.cdx.json", bill(crates))
    share = folder / "share/simhost"
    (share / "schema").mkdir(parents=True)
    say("schema", "--xsd", "--out", str(share / "schema"))
    write(share / "schema/world.json", say("schema", "--json"))
    write(share / "schema/vehicle.schema.json", say("schema", "--vehicle"))
    for name in ["demo.world.xml", "demo.commands.csv"]:
        write(share / "worlds" / name, (ROOT / "worlds" / name).read_bytes())
    for name in HEADERS:
        write(folder / "include/simhost" / name, (ROOT / "sdk/c" / name).read_bytes())
    for name in HOST_HEADERS:
        write(folder / "include/simhost" / name, (ROOT / "framework/capi/include" / name).read_bytes())
    for name, place in LIBRARIES.items():
        library = program.with_name(name)
        if library.exists():
            write(folder / place, library.read_bytes())
        else:
            warn(f"{name} is not next to the program, so that the archive lacks it")
    write(folder / "share/pkgconfig/simhost.pc", PKG_CONFIG.replace("@VERSION@", VERSION))
    write(folder / "share/cmake/simhost/simhostConfig.cmake", CMAKE)
    write(folder / "share/cmake/simhost/simhostConfigVersion.cmake", CMAKE_VERSION.replace("@VERSION@", VERSION))
    if shutil.which("mdbook"):
        run("mdbook", "build", "docs", "--dest-dir", str(doc / "book"), capture_output=True)
    else:
        warn("mdbook is missing, so that the archive has no book: cargo install mdbook")


PKG_CONFIG = """prefix=${pcfiledir}/../..
includedir=${prefix}/include/simhost

Name: simhost
Description: Headers for models of simhost in C and C++
Version: @VERSION@
Cflags: -I${includedir} -ffp-contract=off
Libs: -lm
"""
CMAKE = """get_filename_component(simhost_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET simhost::sdk)
  add_library(simhost::sdk INTERFACE IMPORTED)
  target_include_directories(simhost::sdk INTERFACE "${simhost_prefix}/include/simhost")
  target_compile_options(simhost::sdk INTERFACE -ffp-contract=off)
  if(UNIX AND NOT APPLE)
    target_compile_options(simhost::sdk INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-gnu-unique>)
    target_link_libraries(simhost::sdk INTERFACE m)
  endif()
endif()
"""
CMAKE_VERSION = """set(PACKAGE_VERSION "@VERSION@")
if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_EXACT TRUE)
endif()
if(NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
"""


def archive(folder, prefix):
    """Returns a folder as an uncompressed tar archive, whose bytes depend on its files alone."""
    bytes_of = io.BytesIO()
    with tarfile.open(fileobj=bytes_of, mode="w", format=tarfile.PAX_FORMAT) as to:
        for path in sorted([folder, *folder.rglob("*")]):
            name = prefix + ("/" + str(path.relative_to(folder)) if path != folder else "")
            if not name:
                continue
            entry = to.gettarinfo(path, name.lstrip("/"))
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = "root"
            entry.mtime = EPOCH
            entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
            with path.open("rb") if path.is_file() else io.BytesIO() as content:
                to.addfile(entry, content if path.is_file() else None)
    return bytes_of.getvalue()


def compressed(content):
    bytes_of = io.BytesIO()
    with gzip.GzipFile(fileobj=bytes_of, mode="wb", mtime=EPOCH) as to:
        to.write(content)
    return bytes_of.getvalue()


def debian(folder, target, to):
    """Writes a Debian package."""
    if not shutil.which("dpkg-deb"):
        return warn("dpkg-deb is missing, so that there is no Debian package")
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) // 1024
    control = f"""Package: simhost
Version: {VERSION}
Architecture: {target.debian}
Maintainer: the developers of simhost <simhost@localhost>
Installed-Size: {size}
Depends: libc6 (>= {target.glibc or own_glibc()}), libgcc-s1
Section: science
Priority: optional
Description: simulator for ground vehicles and mobile robots
 Every model is a plugin; worlds are XML files. Runs repeat bit for bit.
"""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place) / "root"
        shutil.copytree(folder, root / "usr", symlinks=True)
        write(root / "DEBIAN/control", control)
        for path in [root, *root.rglob("*")]:
            os.utime(path, (EPOCH, EPOCH))
        environment = os.environ | {"SOURCE_DATE_EPOCH": str(EPOCH)}
        words = ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(root), str(to)]
        run(*words, env=environment, capture_output=True)


def image(program, target, to):
    """Writes an OCI image with the program and nothing else but what it links."""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place) / "root"
        write(root / "usr/bin/simhost", program.read_bytes(), 0o755)
        for path, library in target.libraries(program).items():
            write(root / path.lstrip("/"), library.read_bytes(), 0o755)
        write(root / "etc/passwd", "simhost:x:1000:1000::/work:/usr/bin/simhost\n")
        for name in ["dev", "proc", "tmp", "work"]:
            (root / name).mkdir()
        layer = archive(root, "")
        blobs = {}

        def blob(content, kind):
            digest = hashlib.sha256(content).hexdigest()
            blobs[digest] = content
            return {"mediaType": kind, "digest": f"sha256:{digest}", "size": len(content)}

        kind = "application/vnd.oci.image"
        packed = blob(compressed(layer), f"{kind}.layer.v1.tar+gzip")
        config = {
            "architecture": target.oci,
            "os": "linux",
            "config": {"Entrypoint": ["/usr/bin/simhost"], "WorkingDir": "/work"},
            "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(layer).hexdigest()}"]},
        }
        config = blob(json.dumps(config).encode(), f"{kind}.config.v1+json")
        manifest = {"schemaVersion": 2, "mediaType": f"{kind}.manifest.v1+json", "config": config, "layers": [packed]}
        manifest = blob(json.dumps(manifest).encode(), f"{kind}.manifest.v1+json")
        manifest["annotations"] = {"org.opencontainers.image.ref.name": VERSION}
        layout = Path(place) / "layout"
        write(layout / "oci-layout", '{"imageLayoutVersion": "1.0.0"}')
        write(layout / "index.json", json.dumps({"schemaVersion": 2, "manifests": [manifest]}))
        for digest, content in blobs.items():
            write(layout / "blobs/sha256" / digest, content)
        write(to, archive(layout, ""))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--out", type=Path, default=ROOT / "target/release-files")
    arguments.add_argument("--target", default="x86_64-unknown-linux-gnu")
    arguments.add_argument("--glibc")
    arguments.add_argument("--features", default=FEATURES)
    arguments.add_argument("--profile", default="dist")
    arguments.add_argument("--program", type=Path)
    arguments.add_argument("--wheel", type=Path)
    arguments.add_argument("--twice", action="store_true")
    given = arguments.parse_args()
    if given.twice and given.program:
        arguments.error("--twice builds the program, so that --program cannot be given")
    if given.twice:
        check_is_clean()
    target = Target(given.target, given.glibc, given.features, given.profile, EPOCH)
    out = given.out.resolve()
    make(given, target, out)
    for path in sorted(out.iterdir()):
        print(f"{path.stat().st_size:>12,}  {path}")
    if given.twice and not make_again(repeated(given), out):
        sys.exit(1)


def repeated(given):
    """Returns the options with which the files are made again."""
    words = ["--target", given.target, "--features", given.features, "--profile", given.profile]
    words += ["--glibc", given.glibc] if given.glibc else []
    return words + (["--wheel", str(given.wheel.resolve())] if given.wheel else [])


def check_glibc(program, target):
    """Ends the program if a file of the release needs a later version of glibc than it is made for."""
    expected = tuple(map(int, target.glibc.split(".")))
    for file in [program, *(program.with_name(name) for name in LIBRARIES)]:
        if not file.exists():
            continue
        found = newest_glibc(file)
        version = ".".join(map(str, found))
        if found > expected:
            sys.exit(f"error: {file.name} needs glibc {version}; expected at most {target.glibc}")
        print(f"{target.triple}: {file.name} needs glibc {version}")


def check_hash(program, target):
    """Ends the program if the demo has another result hash than the committed one."""
    rows = (line.split(",") for line in (ROOT / "tests/data/hashes.csv").read_text().splitlines())
    duration, expected = next((row[1], row[2]) for row in rows if row[0] == WORLD)
    words = [f"worlds/{WORLD}.world.xml", "--commands", f"worlds/{WORLD}.commands.csv"]
    said = read(*target.command(program), *words, "--duration", duration, "--hash-every", duration)
    found = re.search(r"^result hash ([0-9a-f]+)", said, re.M)
    if not found or found[1] != expected:
        sys.exit(f"error: the result hash of {WORLD} is {found and found[1]}; expected {expected}")
    print(f"{target.triple}: the result hash of {WORLD} is {expected}, as committed")


def make(given, target, out):
    """Makes the files of a release."""
    program = (given.program or target.build()).resolve()
    if target.glibc:
        check_glibc(program, target)
    check_hash(program, target)
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    name = f"simhost-{VERSION}-{target.triple}"
    crates = packages(target.triple)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / name
        stage(folder, program, target, crates)
        write(out / f"{name}.tar.gz", compressed(archive(folder, name)))
        debian(folder, target, out / f"simhost_{VERSION}_{target.debian}.deb")
    image(program, target, out / f"{name}.oci.tar")
    source = f"simhost-{VERSION}"
    tree = run("git", "archive", "--format=tar", f"--prefix={source}/", "HEAD", capture_output=True).stdout
    write(out / f"{source}-source.tar.gz", compressed(tree))
    if given.wheel:
        write(out / given.wheel.name, given.wheel.read_bytes())
    files = sorted(path for path in out.iterdir())
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    write(out / "SHA256SUMS", "".join(sums))


VERSION = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
EPOCH = int(read("git", "log", "-1", "--format=%ct"))

if __name__ == "__main__":
    main()
