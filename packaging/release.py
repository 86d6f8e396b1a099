#!/usr/bin/env python3
"""Makes the files of a release, without a network once the tools and crates are there.

  packaging/release.py [--out DIR] [--target TRIPLE] [--glibc VERSION] [--program FILE] [--wheel FILE]

DIR (target/release-files) then has, for the version in Cargo.toml and a target:

  simhost-VERSION-TARGET.tar.gz   program, completions, manual, schemas, book, C SDK, libraries, licences, SBOM
  simhost_VERSION_ARCH.deb        the same for Debian and its relatives
  simhost-VERSION-TARGET.oci.tar  an OCI image with the program alone
  simhost-VERSION-source.tar.gz   the repository at HEAD
  simhost-VERSION-*.whl           the Python package, if --wheel names it
  SHA256SUMS                      sums of all of them

Without --program, it builds the program with all features and the libraries with the profile `dist`; with it, the libraries
are those next to the program. With --glibc, it links with
Zig (pip install cargo-zigbuild ziglang), so that the program needs this version of glibc or a later one.
Programs need mdbook for the book, and dpkg-deb for the Debian package; what is missing is left out with a warning.

The time of all files is that of the commit, and paths of the build are replaced, so that two builds of a commit by
the same compiler give the same bytes, wherever they are made.
"""

import argparse
import gzip
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FEATURES = "full,gpu,learned"
ARCHITECTURES = {"x86_64": ("amd64", "amd64"), "aarch64": ("arm64", "arm64")}
SHELLS = {
    "bash": "share/bash-completion/completions/simhost",
    "zsh": "share/zsh/site-functions/_simhost",
    "fish": "share/fish/vendor_completions.d/simhost.fish",
}
HEADERS = ["simhost_plugin.h", "simhost_math.h", "simhost_plugin.hpp", "simhost_test.h"]
HOST_HEADERS = ["simhost.h", "simhost.hpp"]
# libraries next to the program, and their places
LIBRARIES = {"libsimhost.so": "lib/libsimhost.so", "libsimhost_fmu.so": "lib/simhost/libsimhost_fmu.so"}
LICENCE_NAMES = ("LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE")


def run(*words, **options):
    return subprocess.run(words, check=True, cwd=ROOT, **options)


def read(*words):
    return run(*words, capture_output=True, text=True).stdout


def warn(text):
    print(f"warning: {text}", file=sys.stderr)


def build(target, glibc):
    """Builds the program, and returns its path."""
    cargo = os.environ.get("CARGO_HOME", str(Path.home() / ".cargo"))
    sysroot = read("rustc", "--print", "sysroot").strip()
    # the last pair that fits counts
    prefixes = {sysroot: "/rustc", cargo: "/cargo", str(ROOT): "/simhost"}
    flags = [f"--remap-path-prefix={path}={name}" for path, name in prefixes.items()]
    environment = os.environ | {
        "CARGO_ENCODED_RUSTFLAGS": "\x1f".join(flags),
        "CARGO_INCREMENTAL": "0",
        "SIMHOST_RELEASE": "1",
        "SOURCE_DATE_EPOCH": str(EPOCH),
    }
    words = ["cargo", "zigbuild" if glibc else "build", "--profile", "dist", "--locked"]
    words += ["--target", f"{target}.{glibc}" if glibc else target]
    run(*words, "-p", "simhost-cli", "--features", FEATURES, env=environment)
    # not together: the libraries would get the features of the program
    run(*words, "-p", "simhost-capi", "-p", "simhost-fmu", env=environment)
    folder = os.environ.get("CARGO_TARGET_DIR", str(ROOT / "target"))
    return Path(folder) / target / "dist" / "simhost"


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


def stage(folder, program, crates):
    """Lays out the files of a release below a folder, as below /usr."""
    write(folder / "bin/simhost", program.read_bytes(), 0o755)
    say = lambda *words: run(str(program), *words, capture_output=True).stdout
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


def debian(folder, target, glibc, to):
    """Writes a Debian package."""
    if not shutil.which("dpkg-deb"):
        return warn("dpkg-deb is missing, so that there is no Debian package")
    architecture = ARCHITECTURES[target.split("-")[0]][0]
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) // 1024
    control = f"""Package: simhost
Version: {VERSION}
Architecture: {architecture}
Maintainer: the developers of simhost <simhost@localhost>
Installed-Size: {size}
Depends: libc6 (>= {glibc or own_glibc()}), libgcc-s1
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


def own_glibc():
    return read("ldd", "--version").splitlines()[0].split()[-1]


def image(program, target, to):
    """Writes an OCI image with the program and nothing else but what it links."""
    architecture = ARCHITECTURES[target.split("-")[0]][1]
    with tempfile.TemporaryDirectory() as place:
        root = Path(place) / "root"
        write(root / "usr/bin/simhost", program.read_bytes(), 0o755)
        for line in read("ldd", str(program)).splitlines():
            for word in line.split():
                if word.startswith("/") and Path(word).exists():
                    write(root / word.lstrip("/"), Path(word).read_bytes(), 0o755)
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
            "architecture": architecture,
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
    arguments.add_argument("--program", type=Path)
    arguments.add_argument("--wheel", type=Path)
    given = arguments.parse_args()
    program = (given.program or build(given.target, given.glibc)).resolve()
    out = given.out
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    name = f"simhost-{VERSION}-{given.target}"
    crates = packages(given.target)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / name
        stage(folder, program, crates)
        write(out / f"{name}.tar.gz", compressed(archive(folder, name)))
        architecture = ARCHITECTURES[given.target.split("-")[0]][0]
        debian(folder, given.target, given.glibc, out / f"simhost_{VERSION}_{architecture}.deb")
    image(program, given.target, out / f"{name}.oci.tar")
    source = f"simhost-{VERSION}"
    tree = run("git", "archive", "--format=tar", f"--prefix={source}/", "HEAD", capture_output=True).stdout
    write(out / f"{source}-source.tar.gz", compressed(tree))
    if given.wheel:
        write(out / given.wheel.name, given.wheel.read_bytes())
    files = sorted(path for path in out.iterdir())
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    write(out / "SHA256SUMS", "".join(sums))
    for path in files:
        print(f"{path.stat().st_size:>12,}  {path}")


VERSION = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
EPOCH = int(read("git", "log", "-1", "--format=%ct"))

if __name__ == "__main__":
    main()
