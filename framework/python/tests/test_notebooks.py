"""The notebooks of the book run, and draw pictures."""

from pathlib import Path

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")

NOTEBOOKS = sorted(Path(__file__).parents[3].joinpath("docs", "notebooks").glob("*.ipynb"))


def test_there_are_notebooks_without_outputs():
    assert [file.stem for file in NOTEBOOKS] == ["fitting", "learning", "sessions"]
    for file in NOTEBOOKS:
        cells = nbformat.read(file, as_version=4).cells
        assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells), file


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_runs(file, tmp_path):
    needs = {"fitting": "scipy", "learning": "gymnasium"}
    pytest.importorskip(needs.get(file.stem, "numpy"))
    notebook = nbformat.read(file, as_version=4)
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": tmp_path}}).execute()
    nbformat.write(notebook, tmp_path / file.name)
    outputs = [one for cell in notebook.cells for one in cell.get("outputs", ())]
    assert not [one for one in outputs if one.output_type == "stream" and one.name == "stderr"], outputs
    pictures = [one for one in outputs if {"image/png", "text/html"} & set(one.get("data", {}))]
    assert pictures, "a notebook draws something"
