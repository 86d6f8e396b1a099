"""Simulates the chunks of a study with Dask: python3 study_dask.py SCHEDULER FOLDER [OPTIONS of chunks]"""

import subprocess
import sys
from pathlib import Path

from distributed import Client


def simulate(chunk, folder, options):
    subprocess.run(["simhost", "sweep", "chunk", folder, chunk, *options], check=True)


if __name__ == "__main__":
    scheduler, folder, *options = sys.argv[1:]
    chunks = Path(folder, "chunks.txt").read_text().split()
    with Client(scheduler) as client:
        tasks = client.map(simulate, chunks, folder=folder, options=options, retries=5)
        client.gather(tasks, errors="skip")  # what is missing then is left to --resume
