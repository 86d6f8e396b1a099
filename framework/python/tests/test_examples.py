"""Example programs and benches run."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("gymnasium")


def test_training_begins_and_writes_a_curve(tmp_path):
    words = [sys.executable, "-m", "simhost.examples.train", "Goal", "--seconds", "0.1", "--out", "curve.csv"]
    run = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 1, run.stderr
    assert "score nan, reference 15.0" in run.stdout
    assert (tmp_path / "curve.csv").read_text() == "seconds,steps,mean_return,score\n"


def test_a_short_training_improves():
    from simhost.examples.train import Trainer

    trainer = Trainer("simhost/Goal-v0", 128, 32, 1, 1)
    before = trainer.score(64)
    for _ in range(12):
        trainer.learn(1e-3)
    assert trainer.score(64) > before + 1.0


def test_the_bench_runs():
    bench = Path(__file__).parents[1] / "benches" / "speed.py"
    run = subprocess.run([sys.executable, str(bench), "--quick"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "GoalBlind-v0, 1024 environments" in run.stdout
