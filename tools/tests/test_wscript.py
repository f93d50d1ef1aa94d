# SPDX-License-Identifier: GPL-2.0-only
"""waf's wscript names what CMakeLists.txt names, and is Python that waf can read."""

import ast
from pathlib import Path

import pytest
import wscript


def lists_of(text: str) -> dict[str, list[str]]:
    """The lists that the script begins with."""
    return {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }


def test_it_names_every_source_and_header():
    cmake = (wscript.MODULE / "CMakeLists.txt").read_text(encoding="utf-8")
    lists = lists_of(wscript.wanted())
    assert lists["SOURCES"] == wscript.listed(cmake, "via_sources")
    assert lists["HEADERS"] == wscript.listed(cmake, "via_headers")
    assert "model/base/via-agenda.cc" in lists["SOURCES"]


def test_a_list_that_is_not_there_is_named():
    with pytest.raises(SystemExit, match="no list via_sources"):
        wscript.listed("project(via)\n", "via_sources")


def test_a_wscript_of_yesterday_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(wscript, "COMPAT", tmp_path)
    monkeypatch.setattr("sys.argv", ["wscript.py"])
    (tmp_path / "wscript").write_text("SOURCES = []\n", encoding="utf-8")
    assert wscript.main() == 1
    assert "tools/wscript.py --fix" in capsys.readouterr().out
    monkeypatch.setattr("sys.argv", ["wscript.py", "--fix"])
    assert wscript.main() == 0
    assert (tmp_path / "wscript").read_text(encoding="utf-8") == wscript.wanted()


def test_examples_whose_events_are_lambdas_are_left_out():
    assert '["via-ping-pong"]' in wscript.wanted()
