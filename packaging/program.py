"""Builds the program and the libraries of a release for a target, and says what they need to run.

With a version of glibc, or for another target than that of the machine, Zig compiles the C code and links, by
cargo-zigbuild. Without a standard library of the target next to the compiler, the compiler is Debian's rustc-web, which is
unpacked in a folder together with its standard library for the target. Nothing is installed in the system.
"""

import os
import platform
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# tools that are fetched, and their versions
TOOLS = Path(os.environ.get("SIMHOST_RELEASE_TOOLS", ROOT / "target/tools/release"))
ZIG, ZIGBUILD = "ziglang==0.17.1", "0.24.1"
# names of an architecture: Debian's, that of OCI images, and the program that runs its programs elsewhere
ARCHITECTURES = {
    "x86_64": ("amd64", "amd64", "qemu-x86_64-static"),
    "aarch64": ("arm64", "arm64", "qemu-aarch64-static"),
}
COMPILER = re.compile(r"^(rustc-web|libstd-rust-web-[0-9][a-z0-9.]*|libllvm[0-9]+)$", re.M)


def run(*words, **options):
    return subprocess.run(words, check=True, cwd=ROOT, **options)


def read(*words, **options):
    return run(*words, capture_output=True, text=True, **options).stdout


class Target:
    """A target triple, with the oldest version of glibc on which its programs run."""

    def __init__(self, triple, glibc, features, profile, epoch):
        self.triple, self.glibc, self.epoch = triple, glibc, epoch
        self.features, self.profile = features, profile
        self.architecture = triple.split("-")[0]
        self.debian, self.oci, self.emulator = ARCHITECTURES[self.architecture]
        self.is_native = self.architecture == platform.machine()
        self.uses_zig = bool(glibc) or not self.is_native
        self.debs = TOOLS / "debian"

    def build(self):
        """Builds the program and the libraries, and returns the path of the program."""
        environment = self.environment()
        words = ["cargo", "zigbuild" if self.uses_zig else "build", "--profile", self.profile, "--locked"]
        words += ["--target", f"{self.triple}.{self.glibc}" if self.glibc else self.triple]
        run(*words, "-p", "simhost-cli", "--features", self.features, env=environment)
        # not together: the libraries would get the features of the program
        run(*words, "-p", "simhost-capi", "-p", "simhost-fmu", env=environment)
        folder = {"dev": "debug"}.get(self.profile, self.profile)
        return self.folder() / self.triple / folder / "simhost"

    def folder(self):
        return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))

    def environment(self):
        """Returns the variables of a build that depends on no path of the machine."""
        found = os.environ | {
            "CARGO_INCREMENTAL": "0",
            "SIMHOST_RELEASE": "1",
            "SOURCE_DATE_EPOCH": str(self.epoch),
        }
        if self.uses_zig:
            found |= self.zig()
        rustc = found.get("RUSTC", "rustc")
        sysroot = read(rustc, "--print", "sysroot", env=found).strip()
        cargo = os.environ.get("CARGO_HOME", str(Path.home() / ".cargo"))
        # the last pair that fits counts
        prefixes = {sysroot: "/rustc", cargo: "/cargo", str(ROOT): "/simhost", str(self.folder()): "/target"}
        flags = [f"--remap-path-prefix={path}={name}" for path, name in prefixes.items()]
        found["CARGO_ENCODED_RUSTFLAGS"] = "\x1f".join(flags)
        # the variable of the environment would replace that of the settings of cargo
        settings = tomllib.loads((ROOT / ".cargo/config.toml").read_text())
        flags = [f"-ffile-prefix-map={path}={name}" for path, name in prefixes.items()]
        found["CFLAGS"] = " ".join([os.environ.get("CFLAGS", settings["env"]["CFLAGS"]), *flags])
        return found

    def zig(self):
        """Returns the variables of a build with Zig, which is fetched if necessary."""
        python, cargo = TOOLS / ZIG, TOOLS / f"cargo-zigbuild-{ZIGBUILD}"
        if not (python / "ziglang/zig").exists():
            run(sys.executable, "-m", "pip", "install", "--quiet", "--target", str(python), ZIG)
        if not (cargo / "bin/cargo-zigbuild").exists():
            # not with the flags of the release
            words = ["cargo", "install", "--quiet", "--locked", "--root", str(cargo)]
            run(*words, "cargo-zigbuild", "--version", ZIGBUILD)
        found = {
            "CARGO_ZIGBUILD_ZIG_PATH": str(python / "ziglang/zig"),
            "PATH": f"{cargo / 'bin'}:{os.environ['PATH']}",
        }
        library = Path(read("rustc", "--print", "target-libdir", "--target", self.triple).strip())
        if not any(library.glob("libstd-*.rlib")):
            found |= self.debian_compiler()
        return found

    def debian_compiler(self):
        """Returns the variables of Debian's compiler with its library for the target, which are unpacked if necessary."""
        compiler = self.debs / "usr/bin/rustc"
        if not (self.debs / "usr/lib/rustlib" / self.triple / "lib").exists():
            words = ["depends", "--recurse", "rustc-web"]
            words += [f"--no-{kind}" for kind in ["recommends", "suggests", "conflicts", "breaks", "replaces", "enhances"]]
            names = COMPILER.findall(self.apt("apt-cache", *words))
            self.unpack(*sorted(set(names)), "libstd-rust-web-dev", f"libstd-rust-web-dev:{self.debian}")
        libraries = [*self.debs.glob("usr/lib/**/librustc_driver*.so"), *self.debs.glob("usr/lib/**/libLLVM*.so*")]
        folders = sorted({str(library.parent) for library in libraries})
        return {"RUSTC": str(compiler), "LD_LIBRARY_PATH": ":".join(folders)}

    def apt(self, program, *words):
        """Runs apt with lists of its own, which have the packages of the architecture too."""
        lists, cache = TOOLS / "apt/lists", TOOLS / "apt/cache"
        options = [f"Dir::State::Lists={lists}", f"Dir::Cache={cache}", "Debug::NoLocking=1"]
        options += ["APT::Sandbox::User=root", "APT::Architectures::=amd64", f"APT::Architectures::={self.debian}"]
        options = [word for option in options for word in ("-o", option)]
        if not lists.exists():
            (lists / "partial").mkdir(parents=True)
            (cache / "archives/partial").mkdir(parents=True)
            run("apt-get", *options, "update", "-qq")
        return subprocess.run([program, *options, *words], check=True, cwd=cache, capture_output=True, text=True).stdout

    def unpack(self, *packages):
        """Unpacks packages of Debian in a folder."""
        self.apt("apt-get", "download", "-qq", *packages)
        self.debs.mkdir(parents=True, exist_ok=True)
        for package in sorted((TOOLS / "apt/cache").glob("*.deb")):
            run("dpkg", "-x", str(package), str(self.debs))
            package.unlink()

    def system(self):
        """Returns a folder with the C library of the target."""
        if self.is_native:
            return Path("/")
        if not any(self.debs.glob(f"lib/{self.architecture}-linux-gnu/libc.so.6")):
            self.unpack(f"libc6:{self.debian}", f"libgcc-s1:{self.debian}", "qemu-user-static")
        return self.debs

    def command(self, program):
        """Returns the words that run a program of the target on this machine."""
        if self.is_native:
            return [str(program)]
        system = self.system()
        return [str(system / "usr/bin" / self.emulator), "-L", str(system), str(program)]

    def libraries(self, program):
        """Returns the libraries that a program links, by their paths on the target, and where they are here."""
        if self.is_native:
            words = read("ldd", str(program)).split()
            return {word: Path(word) for word in words if word.startswith("/") and Path(word).exists()}
        interpreter = re.search(r"interpreter: (\S+)\]", read("readelf", "-lW", str(program)))[1]
        folder, found, left = f"/lib/{self.architecture}-linux-gnu", {}, [program]
        while left:
            for name in re.findall(r"\(NEEDED\).*\[(.+)\]", read("readelf", "-dW", str(left.pop()))):
                place = interpreter if interpreter.endswith(f"/{name}") else f"{folder}/{name}"
                if place not in found:
                    # below the folder, links are to be followed there
                    found[place] = self.system() / (folder + "/" + name).lstrip("/")
                    left.append(found[place])
        return found


def newest_glibc(file):
    """Returns the newest version of glibc that a program or a library needs, as numbers."""
    versions = re.findall(r"Name: GLIBC_([0-9.]+)", read("readelf", "-VW", str(file)))
    return max((tuple(map(int, version.split("."))) for version in versions), default=(2,))


def own_glibc():
    return read("ldd", "--version").splitlines()[0].split()[-1]
