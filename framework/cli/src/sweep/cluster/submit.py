#!/usr/bin/env python3
"""Simulates the chunks of a study with HyperQueue 0.27 (pip install hyperqueue). Written by simhost."""

import sys
from pathlib import Path

from hyperqueue import Client, Job, LocalCluster
from hyperqueue.cluster import WorkerConfig

PROGRAM = [{program}]
FOLDER = Path({folder})
OPTIONS = [{options}]
SERVER = {server}  # directory of a running server; None starts one here
WORKERS = {workers}  # of one core each, if a server is started here


def simulate(client):
    job = Job(default_workdir=FOLDER, max_fails=None, name="simhost")
    for chunk in (FOLDER / "chunks.txt").read_text().split():
        words = [*PROGRAM, "sweep", "chunk", str(FOLDER), chunk, *OPTIONS]
        log = str(FOLDER / "chunks" / f"{chunk}.log")
        job.program(words, name=f"chunk {chunk}", stdout=None, stderr=log)
    return client.wait_for_jobs([client.submit(job)], raise_on_error=False)


if SERVER is not None:
    is_done = simulate(Client(SERVER))
else:
    with LocalCluster() as cluster:
        for _ in range(WORKERS):
            cluster.start_worker(WorkerConfig(cores=1))
        is_done = simulate(cluster.client())
sys.exit(0 if is_done else 1)
