"""The Python blocks of the documentation run, and so do the pages about tasks that use the package."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
BOOK = ROOT / "docs/src"
PAGES = ["README.md", "docs/src/python.md", "docs/src/python-learning.md", "docs/src/python-models.md"]
TASKS = [page.name for page in sorted(BOOK.glob("task-*.md")) if "<!-- needs: python -c" in page.read_text()]


def blocks():
    for page in PAGES:
        for number, code in enumerate(re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)):
            yield pytest.param(code, id=f"{page}-{number}")


@pytest.mark.parametrize("code", list(blocks()))
def test_blocks_run(code, tmp_path, monkeypatch):
    if "compile=True" in code:
        pytest.importorskip("numba")
    monkeypatch.chdir(tmp_path)
    # numba reads the source of a model
    file = tmp_path / "block.py"
    file.write_text(code)
    exec(compile(code, str(file), "exec"), {"__name__": "block"})


class Replay:
    """Replays a page as `tests/support/transcript.rs` does, with the programs of this environment."""

    def __init__(self, folder):
        self.folder = folder
        for name in ("docs", "sdk", "worlds"):
            (folder / name).symlink_to(ROOT / name)
        programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        self.environment = {**os.environ, "PATH": programs, "CARGO_NET_OFFLINE": "true"}

    def shell(self, command):
        return subprocess.run(
            ["sh", "-c", f"{{ {command}\n}} 2>&1"], cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )

    def step(self, kind, name, text):
        if kind == "file":
            (self.folder / name).write_text(text)
        elif kind == "diff":
            head, _, body = text.partition("\n")
            old, new = ("\n".join(line[1:] for line in body.splitlines() if line[:1] == mark) for mark in "-+")
            file = self.folder / head.removeprefix("--- ")
            assert file.read_text().count(old) == 1, f"{file} does not have once:\n{old}"
            file.write_text(file.read_text().replace(old, new))
        else:
            for part in f"\n{text}".split("\n$ ")[1:]:
                command, _, shown = part.partition("\n")
                done = self.shell(command)
                assert done.returncode == 0, f"`{command}` failed:\n{done.stdout}"
                assert fits(shown, done.stdout), f"`{command}` printed\n{done.stdout}\nthe page shows\n{shown}"


def fits(shown, printed):
    """Returns whether a text is the one that a page shows, in which dots stand for any text or lines."""
    lines = [".*" if line == "…" else "[^\n]*".join(map(re.escape, line.rstrip().split("…"))) for line in shown.rstrip().split("\n")]
    return re.fullmatch("\n".join(lines).replace("\n.*", "(?:\n.*)?").replace(".*\n", "(?:.*\n)?"), printed.rstrip(), re.DOTALL)


def steps(text):
    """Returns the blocks of a page that are replayed: their conditions, kinds, names of files, and texts."""
    pattern = r"(?:<!-- needs: (.*?) -->\n+)?(?:<!-- file: (.*?) -->\n+)?```(\w+)\n(.*?)```"
    for need, file, language, block in re.findall(pattern, text, re.DOTALL):
        kind = "file" if file else language
        if kind in ("file", "console", "diff"):
            yield need, kind, file, block


@pytest.mark.parametrize("page", TASKS)
def test_tasks_run(page, tmp_path):
    pytest.importorskip("scipy")
    pytest.importorskip("gymnasium")
    pytest.importorskip("mcap_ros2")
    replay, run = Replay(tmp_path), 0
    for need, kind, name, block in steps((BOOK / page).read_text()):
        if need and replay.shell(need).returncode != 0:
            continue
        replay.step(kind, name, block)
        run += bool(need)
    assert run > 0, "no block of the page needs the package"


def test_dots_stand_for_any_text_or_lines():
    assert fits("a … b\n", "a long way to b\n") and fits("…\nd\n", "b\nc\nd\n") and fits("a\n…\n", "a\n")
    assert not fits("a … b", "a long way to c") and not fits("a\nd", "a\nb\nd")
