# SPDX-License-Identifier: GPL-2.0-only
"""`via sweep`: the grid on the command line and in a file, and what is refused."""

import pytest
import via
from via._cli import main

MEASURE = """
import numbers_of_mine

def twice(a, seed):
    return {"twice": 2 * a, "of_seed": seed + numbers_of_mine.ZERO}

def fails(a):
    raise RuntimeError("as it must")

NOT_CALLABLE = 3
"""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VIA_SWEEP_CACHE", str(tmp_path / "kept"))
    (tmp_path / "measure.py").write_text(MEASURE, "ascii")
    (tmp_path / "numbers_of_mine.py").write_text("ZERO = 0\n", "ascii")
    return tmp_path


def test_a_grid_on_the_command_line(here, capfd):
    code = main(["sweep", "barrier", "nodes=2,4", "rounds=3", "--jobs", "1", "--out", "b.csv"])
    assert code == 0
    table = via.sweep("barrier", {"nodes": [2, 4], "rounds": 3})
    assert (here / "b.csv").read_text("ascii") == table.to_csv(index=False)
    assert table["digest"][1] in capfd.readouterr().out


def test_options_may_stand_among_the_axes_of_a_grid(here):
    assert main(["sweep", "barrier", "--jobs", "1", "nodes=2,4", "--out", "b.csv", "rounds=3"]) == 0
    table = via.sweep("barrier", {"nodes": [2, 4], "rounds": 3})
    assert (here / "b.csv").read_text("ascii") == table.to_csv(index=False)


def test_a_grid_in_a_file_gives_the_same_and_the_command_line_wins(here):
    (here / "b.toml").write_text(
        'what = "barrier"\nseed = 2\n[grid]\nnodes = [2, 4]\nrounds = 3\n', "ascii"
    )
    assert main(["sweep", "b.toml", "--out", "a.csv"]) == 0
    assert main(["sweep", "barrier", "nodes=2,4", "rounds=3", "--seed", "2", "--out", "b.csv"]) == 0
    assert main(["sweep", "b.toml", "nodes=8", "--out", "c.csv"]) == 0
    assert (here / "a.csv").read_bytes() == (here / "b.csv").read_bytes()
    assert (here / "c.csv").read_text("ascii").splitlines()[1].startswith("8,3,")


def test_values_may_be_a_list_as_in_toml(here):
    topologies = 'topology=["star", "torus:2x1,hosts=1"]'
    assert main(["sweep", "ping-pong", topologies, "rounds=2", "--out", "t.csv"]) == 0
    assert '"torus:2x1,hosts=1"' in (here / "t.csv").read_text("ascii")


def test_a_function_of_a_script(here):
    assert main(["sweep", "measure.py:twice", "a=1,2", "--seed", "7", "--out", "t.csv"]) == 0
    assert (here / "t.csv").read_text("ascii") == "a,twice,of_seed,error\n1,2,7,\n2,4,7,\n"


@pytest.mark.parametrize("word", ["false", "False", "FALSE"])
def test_false_in_any_case_is_no_text(word, capfd):
    words = ["--cache", "none", "barrier", "nodes=2", "rounds=50", "stop=5us"]
    assert main(["sweep", *words]) == 1
    assert "ProcessFailed" in capfd.readouterr().out
    assert main(["sweep", *words, f"check={word}"]) == 0


def test_what_is_neither_true_nor_false_is_refused_before_anything_runs(capfd):
    assert main(["sweep", "barrier", "nodes=2", "check=no"]) == 2
    assert "check = 'no': True or False is needed" in capfd.readouterr().err


@pytest.mark.ci
def test_a_table_of_a_functions_sweep_is_made_again(here, capfd):
    assert main(["sweep", "measure.py:twice", "a=1,2", "--out", "t.csv"]) == 0
    assert main(["reproduce", "--yes", "t.csv"]) == 0
    (here / "numbers_of_mine.py").write_text("ZERO = 1\n", "ascii")
    assert main(["reproduce", "--yes", "t.csv"]) == 1
    assert "line 2 was '1,2,1,', is now '1,2,2,'" in capfd.readouterr().out


def test_a_point_without_results_is_exit_code_1(capfd):
    assert main(["sweep", "measure.py:fails", "a=1"]) == 1
    said = capfd.readouterr()
    assert "RuntimeError: as it must" in said.out
    assert "1 of 1 points have no results" in said.err


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["barrier", "nodes"], "NAME=VALUES"),
        (["barrier", "3=4"], "NAME=VALUES"),
        (["barrier", "nodes=[2,"], "is not a TOML list"),
        (["barrier"], "at least one point"),
        (["barrier", "nodes=2", "--jobs", "0"], "jobs = 0"),
        (["barrier", "nodes=2", "--jobs", "x"], "whole number"),
        (["barrier", "nodes=2", "--seed", "-x"], "expected one argument"),
        (["barrier", "nodes=2", "--out", "nowhere/t.csv"], "does not exist"),
        (["measure.py:none", "a=1"], "has no function none"),
        (["measure.py:NOT_CALLABLE", "a=1"], "has no function"),
        (["none.py:f", "a=1"], "there is no file"),
        (["none.toml"], "cannot be read"),
        (["bad.toml"], "is not TOML"),
        (["key.toml"], "nodes is none of"),
        (["what.toml"], "must name a workload"),
        (["barrier", "--points", "none.json"], "cannot be read"),
        (["barrier", "nodes=2", "--points", "p.json"], "not both"),
        (["barrier", "nodes=2", "--dask", "nonsense://x"], r"no scheduler answers|not installed"),
        (["barrier", "--points", "three.json"], "--points = 3: a list of mappings"),
        (["barrier", "--points", "three.json", "--seeds", "2"], "--points = 3: a list of"),
        (["barrier", "--points", "axes.json"], "--points = {'nodes': .*: a list of mappings"),
        (["list.toml"], r"grid = \[1, 2\]: a mapping"),
        (["text.toml", "nodes=2"], "grid = 'x': a mapping"),
        (["points.toml", "--seeds", "2"], "--points = 1: each point must be a mapping"),
        (["points.toml", "--override", "nic.clock=1 MHz"], "--points = 1: each point must be"),
        (["seed.toml", "--seeds", "2"], "--seed = 'x': a whole number"),
        (["broken.py:f", "a=1"], r"what = broken.py:f: is not Python: .*\(broken.py, line 1\)"),
        (["stops.py:f", "a=1"], r"what = stops.py:f: cannot be loaded: KeyError: 1 \(stops.py:1,"),
        (["barrier", "nodes=2", "nodes=3"], "grid = nodes=3: nodes is given twice"),
        (["barrier", "limit-ms=2", "limit_ms=3"], "grid = limit_ms=3: limit_ms is given twice"),
        ([], "required: WHAT"),
    ],
)
def test_a_command_line_that_makes_no_sense_is_refused(here, capfd, arguments, text):
    import re

    (here / "bad.toml").write_text("what = ", "ascii")
    (here / "key.toml").write_text('what = "barrier"\nnodes = 2\n', "ascii")
    (here / "what.toml").write_text("[grid]\na = 1\n", "ascii")
    (here / "p.json").write_text('[{"nodes": 2}]', "ascii")
    (here / "three.json").write_text("3", "ascii")
    (here / "axes.json").write_text('{"nodes": [2, 4]}', "ascii")
    (here / "list.toml").write_text('what = "barrier"\ngrid = [1, 2]\n', "ascii")
    (here / "text.toml").write_text('what = "barrier"\ngrid = "x"\n', "ascii")
    (here / "points.toml").write_text('what = "barrier"\npoints = [1, 2]\n', "ascii")
    (here / "seed.toml").write_text('what = "barrier"\nseed = "x"\n[grid]\nnodes = 2\n', "ascii")
    (here / "broken.py").write_text("def f(a:\n", "ascii")
    (here / "stops.py").write_text("{}[1]\n", "ascii")
    assert main(["sweep", *arguments]) == 2
    assert re.search(text, capfd.readouterr().err)


@pytest.mark.parametrize("code", ["", "0", "3", "'bad usage'"])
def test_a_script_that_ends_python_when_it_is_loaded_is_refused(here, capfd, code):
    (here / "ends.py").write_text(
        f"import sys\ndef f(a):\n    return a\nsys.exit({code})\n", "ascii"
    )
    assert main(["sweep", "ends.py:f", "a=1", "--cache", "none"]) == 2
    said = capfd.readouterr().err
    assert "what = ends.py:f: cannot be loaded: SystemExit" in said
    assert '(ends.py:4, in <module>): only below if __name__ == "__main__":' in said


def test_help_has_examples(capfd):
    assert main(["sweep", "--help"]) == 0
    assert "via sweep barrier nodes=2,4,8" in capfd.readouterr().out
