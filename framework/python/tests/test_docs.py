"""The Python blocks of the documentation run."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGES = ["README.md", "docs/src/python.md"]


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
