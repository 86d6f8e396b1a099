"""Runs of simhost as ROS 2 nodes."""

import contextlib
import csv
import json
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
WORLD = HERE / "robot.world.xml"


class Simulator:
    """A run of a world, which is a router unless `address` names another one."""

    program = ROOT / "target/debug/simhost"

    def __init__(self, *options, world=WORLD, address="tcp/127.0.0.1:0", out=None):
        words = [self.program, "run", world, f"--ros2={address}"]
        words += ["--out", out, "--force"] if out else []
        self.out = out
        self.process = subprocess.Popen(
            [str(word) for word in [*words, *options]], stderr=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, cwd=ROOT,
        )
        self.lines = []
        self.changed = threading.Condition()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        # a program that ends at once is an error with what it has written
        self.address = self.await_line(r"(tcp/[^ ;,]+)", timeout=60).group(1)

    def _read(self):
        for line in self.process.stderr:
            with self.changed:
                self.lines.append(line.rstrip())
                self.changed.notify_all()
        with self.changed:
            self.lines.append("<end>")
            self.changed.notify_all()

    def text(self):
        with self.changed:
            return "\n".join(self.lines)

    def await_line(self, pattern, timeout=15.0):
        """Waits for a line of standard error, and returns its match."""
        end = time.monotonic() + timeout
        with self.changed:
            while True:
                for line in self.lines:
                    if found := re.search(pattern, line):
                        return found
                rest = end - time.monotonic()
                if rest <= 0 or "<end>" in self.lines:
                    raise AssertionError(f"no line {pattern!r} in:\n" + "\n".join(self.lines))
                self.changed.wait(rest)

    def stop(self, code=(0, 130)):
        """Ends the run as Ctrl-C does, and returns what it has written to standard error."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        found = self.process.wait(timeout=60)
        self.reader.join()
        assert found in code, f"exit code {found}:\n{self.text()}"
        return self.text()

    def rerun(self):
        """Repeats the run from its record, which has to lead to the same result."""
        done = subprocess.run(
            [str(self.program), "rerun", str(self.out)], capture_output=True, text=True, cwd=ROOT
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def inputs(self):
        """Returns the recorded inputs."""
        text = (pathlib.Path(self.out) / "inputs.jsonl").read_text()
        return [json.loads(line) for line in text.splitlines()]

    def table(self, name):
        """Returns the rows of a table by their times in ns."""
        with open(pathlib.Path(self.out) / name, newline="") as file:
            rows = list(csv.DictReader(file))
        return {round(float(row["time_s"]) * 1e9): row for row in rows}


def definitions(world=WORLD):
    """Returns names and definitions of the messages of all streams of a world."""
    done = subprocess.run(
        [str(Simulator.program), "streams", str(world), "--json"],
        capture_output=True, text=True, check=True, cwd=ROOT,
    )
    return [(one["message"], one["definition"]) for one in json.loads(done.stdout)]


@contextlib.contextmanager
def running(*options, **settings):
    """A run in a folder of its own, which is ended."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ros2-", dir=ROOT / "target"))
    run = Simulator(*options, out=folder / "out", **settings)
    try:
        yield run
        run.stop()
    finally:
        if run.process.poll() is None:
            run.process.kill()
        shutil.rmtree(folder, ignore_errors=True)
