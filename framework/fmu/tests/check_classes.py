"""Exports every built-in class as an FMU of both versions: its description is valid, or the error says what a model needs from a world.

Usage: check_classes.py PROGRAM FOLDER
"""

import json
import subprocess
import sys
from pathlib import Path

import fmpy

# parts of the reasons that are accepted
REASONS = ["has no default", "which only a world can", "has no ports"]
# at least so many classes can be exported, and so many cannot
EXPORTED, REFUSED = 60, 20


def main(program, folder):
    Path(folder).mkdir(parents=True, exist_ok=True)
    # the descriptions do not depend on the library
    library = Path(folder, "library.so")
    library.write_bytes(b"")
    listed = json.loads(subprocess.run([program, "plugin", "list", "--json"], capture_output=True, text=True, check=True).stdout)
    classes = sorted({(one["kind"], one["full_name"]) for one in listed["classes"]})
    exported = refused = 0
    for kind, name in classes:
        path = Path(folder, f"{kind}_{name.replace('/', '_')}.fmu")
        words = ["plugin", "fmu", name, "--kind", kind, "--fmi", "both", "--library", str(library), "--out", str(path)]
        done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            assert any(reason in done.stderr for reason in REASONS), f"{kind} {name}: {done.stderr}"
            refused += 1
            continue
        exported += 1
        for version in (2, 3):
            file = path.with_suffix(f".fmi{version}.fmu")
            names = [one.name for one in fmpy.read_model_description(str(file), validate=True).modelVariables]
            assert len(names) == len(set(names))
            file.unlink()
    assert exported >= EXPORTED and refused >= REFUSED, (exported, refused)
    print(f"{exported} classes exported, {refused} refused")


if __name__ == "__main__":
    main(*sys.argv[1:])
