# SPDX-License-Identifier: GPL-2.0-only
"""The gallery: each script is short, says what it shows, and draws one figure."""

import ast
import os
import runpy
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "contrib" / "via" / "examples" / "figures"
SCRIPTS = sorted(FOLDER.glob("*.py"))
MOST_LINES = 40


def test_there_are_at_least_24_with_titles_of_their_own():
    titles = {(ast.get_docstring(ast.parse(each.read_text())) or "").split("\n")[0]
              for each in SCRIPTS}  # fmt: skip
    assert len(titles) == len(SCRIPTS) >= 24


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda each: each.stem)
def test_a_script_of_the_gallery_draws_its_figure(script, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VIA_SWEEP_CACHE", "none")
    title, _, said = ast.get_docstring(ast.parse(script.read_text())).partition("\n\n")
    assert title.endswith(".") and said.endswith(".")
    assert len(script.read_text().splitlines()) <= MOST_LINES
    runpy.run_path(str(script), run_name="__main__")
    assert os.listdir() == ["figure.svg"]
    assert Path("figure.svg").read_text("utf-8").rstrip().endswith("</svg>")
