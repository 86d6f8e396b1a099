"""Simulates the chunks of a study with Ray: python3 study_ray.py ADDRESS|local FOLDER [OPTIONS of chunks]"""

import subprocess
import sys
from pathlib import Path

import ray


@ray.remote(max_retries=5)
def simulate(chunk, folder, options):
    return subprocess.run(["simhost", "sweep", "chunk", folder, chunk, *options]).returncode


if __name__ == "__main__":
    address, folder, *options = sys.argv[1:]
    ray.init(address)
    chunks = Path(folder, "chunks.txt").read_text().split()
    codes = ray.get([simulate.remote(chunk, folder, options) for chunk in chunks])
    print(f"{codes.count(0)} of {len(codes)} chunks are complete")
