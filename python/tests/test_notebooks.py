# SPDX-License-Identifier: GPL-2.0-only
"""The tutorial notebooks work: their cells run from top to bottom, in a folder of their own."""

import json
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "contrib" / "via" / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def cells(path: Path) -> list[dict]:
    return json.loads(path.read_text("ascii"))["cells"]


def test_there_are_three():
    assert len(NOTEBOOKS) == 3


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_clean(path):
    book = json.loads(path.read_text("ascii"))
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"])
    assert book["cells"][0]["cell_type"] == "markdown"
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            assert (cell["outputs"], cell["execution_count"]) == ([], None)


@pytest.mark.ci
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VIA_SWEEP_CACHE", "none")
    names: dict[str, object] = {"__name__": "__main__"}
    for cell in cells(path):
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{path.name}:{cell['id']}", "exec"), names)
