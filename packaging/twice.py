"""Makes the files of a release again from a clone in another folder, and compares them byte by byte."""

import io
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from program import ROOT, TOOLS, read

# number of different members of an archive that are listed
LISTED = 20


def check_is_clean():
    """Ends the program if the folder differs from the commit, which is what a clone has."""
    changed = read("git", "status", "--porcelain").strip()
    if changed:
        sys.exit(f"error: the working tree differs from HEAD:\n{changed}\nhelp: commit the changes, then compare the builds")


def make_again(words, out):
    """Makes the files again, compares them with those in `out`, and returns whether all are equal."""
    place = Path(tempfile.mkdtemp(prefix="simhost-made-again-"))
    clone = place / "a/longer/path/to/the/clone"
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", str(ROOT), str(clone)], check=True)
    environment = os.environ | {"SIMHOST_RELEASE_TOOLS": str(TOOLS), "CARGO_TARGET_DIR": str(place / "built")}
    again = place / "files"
    command = [sys.executable, str(clone / "packaging/release.py"), *words, "--out", str(again)]
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    names = sorted({path.name for folder in [out, again] for path in folder.iterdir()})
    different = [name for name in names if content(out / name) != content(again / name)]
    for name in different:
        print(f"different: {name}")
        for text in differences(content(out / name), content(again / name)):
            print(f"  {text}")
    if different:
        print(f"the second files are in {again}")
        return False
    subprocess.run(["rm", "-rf", str(place)], check=True)
    print(f"{len(names)} files are equal, byte by byte, in two builds in different folders")
    return True


def content(path):
    return path.read_bytes() if path.exists() else b""


def differences(one, other):
    """Returns descriptions of how two files differ: the members of archives, or the first byte."""
    try:
        archives = [members(data) for data in (one, other)]
    except tarfile.TarError:
        return [first_difference(one, other)]
    names = sorted({name for archive in archives for name in archive})
    found = [name for name in names if archives[0].get(name) != archives[1].get(name)]
    said = [f"{name}: {first_difference(*(archive.get(name, b'') for archive in archives))}" for name in found]
    return said[:LISTED] or ["the archives have equal members, but differ"]


def members(data):
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        files = [(entry.name, archive.extractfile(entry)) for entry in archive.getmembers()]
        return {name: file.read() if file else b"" for name, file in files}


def first_difference(one, other):
    places = (place for place, (a, b) in enumerate(zip(one, other)) if a != b)
    place = next(places, min(len(one), len(other)))
    return f"{len(one):,} and {len(other):,} bytes, which differ from byte {place:,} on"
