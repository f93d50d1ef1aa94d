# SPDX-License-Identifier: GPL-2.0-only
"""Studies: what they leave, that it is the same every time, and what they refuse."""

import csv
import json
import os
import shutil
import signal
from unittest import mock

import pytest
from via import ConfigError, ViaError, profiles
from via._cli import main
from via._drawing import multiples
from via.studies import STUDIES, find, parallel, plan

CLAN = "giganet-clan1000"


def rows_in(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def do(name, out, **options):
    out.mkdir(exist_ok=True)
    return find(name).run(plan.Plan(out, [CLAN], quick=True, **options))


# ---- Every study ----

EACH = [pytest.param(name, marks=pytest.mark.ci if name == "vibe" else ()) for name in STUDIES]


@pytest.mark.parametrize("name", EACH)
def test_two_runs_of_a_study_write_the_same_bytes(name, tmp_path):
    first, again = (do(name, tmp_path / str(jobs), jobs=jobs) for jobs in (1, 2))
    assert first.digest() == again.digest()
    assert first.text == again.text
    names = [path.name for path in first.files]
    assert all(each.startswith(name) for each in names)
    assert {each.rpartition(".")[2] for each in names} == {"csv", "png"}
    for one, other in zip(first.files, again.files, strict=True):
        assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize("name", EACH)
def test_a_product_may_be_given_as_a_path_and_figures_are_vectors_where_asked_for(name, tmp_path):
    mine = tmp_path / "mine.toml"
    shutil.copy(profiles.entries(CLAN).query("key == 'nic.clock'")["file"].item(), mine)
    chosen = [CLAN, str(mine)]
    outcome = find(name).run(plan.Plan(tmp_path, chosen, quick=True, format="svg"))
    assert {row["profile"] for row in rows_in(outcome.files[0])} - {""} == {CLAN, "mine"}
    assert {path.suffix for path in outcome.files} == {".csv", ".svg"}
    texts = [path.read_text("utf-8") for path in outcome.files if path.suffix == ".svg"]
    assert all("</svg>" in text for text in texts)


def test_a_format_of_figures_that_is_not_there_is_refused(tmp_path, capsys):
    assert main(["study", "barrier", "--format", "gif", "--out", str(tmp_path)]) == 2
    assert "invalid choice: 'gif'" in capsys.readouterr().err


def test_a_study_in_another_format_is_made_again(tmp_path):
    words = ["--quick", "--profile", CLAN, "--format", "svg", "--out", str(tmp_path)]
    assert main(["study", "barrier", *words]) == 0
    assert main(["reproduce", "--yes", "--keep", str(tmp_path / "again"), str(tmp_path)]) == 0


def test_each_product_of_the_barrier_study_is_drawn(tmp_path):
    many = profiles.names()[:8]
    with mock.patch.object(multiples, "save") as saved:
        find("barrier").run(plan.Plan(tmp_path, many, quick=True))
    (_, (block,), labels), _ = saved.call_args
    assert list(labels) == many
    assert {line.name for line in block.lines} == set(many)


def test_an_unknown_study_is_refused_with_those_there_are():
    with pytest.raises(ConfigError, match="^study = alchemy: one of barrier, breakdown"):
        find("alchemy")


def test_results_stand_in_the_order_of_the_tasks():
    assert parallel.run_all(abs, [-3, 1, -2], jobs=2, what="numbers") == [3, 1, 2]


def test_a_failure_in_a_worker_is_this_commands_failure():
    with pytest.raises(ViaError, match="^line$"):
        parallel.run_all(fail, ["line", "other"], jobs=2, what="failures")


def fail(text):
    raise ViaError(text)


# ---- Barrier ----


def test_a_barrier_takes_longer_on_more_nodes(tmp_path):
    do("barrier", tmp_path)
    times = [float(row["latency_us"]) for row in rows_in(tmp_path / "barrier.csv")]
    assert len(times) == 3
    assert times == sorted(times)
    assert times[2] == pytest.approx(3 * times[0], rel=0.02)  # one step per doubling


# ---- Breakdown ----


def test_the_shares_of_a_message_add_up(tmp_path):
    outcome = do("breakdown", tmp_path, sizes=[4, 100])
    rows = rows_in(tmp_path / "breakdown.csv")
    assert {row["size_bytes"] for row in rows} == {"4", "100"}
    shares = [float(row["share_pct"]) for row in rows if row["size_bytes"] == "100"]
    assert sum(shares) == pytest.approx(100, abs=0.01)
    assert "100 bytes, giganet-clan1000 on pii300-linux22:" in outcome.text


# ---- The command ----


@pytest.fixture
def study(capfd):
    def called(*arguments):
        code = main(["study", *map(str, arguments)])
        return code, *capfd.readouterr()

    return called


def test_help_lists_every_study(study):
    code, out, _ = study("--help")
    assert code == 0
    assert all(f"\n  {name} " in out for name in STUDIES)


def test_a_study_leaves_files_and_says_so_in_json(study, tmp_path):
    chosen = ("--profile", CLAN, "--profile", "ideal")
    files = ("--out", tmp_path / "o", "--json", tmp_path / "j")
    code, out, _ = study("barrier", "--quick", *chosen, *files)
    assert code == 0
    (told,) = json.loads((tmp_path / "j").read_text())
    runs = 3 * 2
    assert (told["study"], told["quick"], told["runs"]) == ("barrier", True, runs)
    assert told["profiles"][0]["fingerprint"] == profiles.load(CLAN).fingerprint
    assert all((tmp_path / "o" / os.path.basename(name)).is_file() for name in told["files"])
    assert f"digest of all {runs} runs: {told['digest']}" in out


def test_an_unknown_study_is_exit_code_2_with_the_list(study):
    code, out, err = study("alchemy")
    assert (code, out) == (2, "")
    assert err == f"via: study = alchemy: one of {', '.join(STUDIES)}\n"


def test_without_a_name_it_says_what_is_missing(study):
    code, _, err = study()
    assert code == 2
    assert "arguments are required: NAME (see via study --help)" in err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["barrier", "--out", "/proc/o"], "--out = /proc/o: cannot be made a folder"),
        (["barrier", "--out", "/dev/null"], "--out = /dev/null: cannot be made a folder"),
        (["barrier", "--json", "/nowhere/j"], "--json = /nowhere/j: the folder /nowhere does not"),
        (["barrier", "--jobs", "0"], "--jobs = 0: a whole number from 1 to 1024"),
        (["barrier", "--jobs", "many"], "--jobs = many: a whole number"),
        (["barrier", "--profile", "cray"], "cray"),
        (["barrier", "--profile", CLAN, "--profile", CLAN], f"--profile = {CLAN}: once is enough"),
        (["barrier", "--size", "4"], "--size = 4: only the study breakdown"),
        (["barrier", "--refit"], "--refit = given: only the study calibration"),
        (["breakdown", "--size", "65537"], "--size = 65537: a whole number from 0 to 65536"),
        (["breakdown", "--size", "4", "--size", "04"], "--size = 4: once is enough"),
        (["barrier", "--colour", "blue"], "unrecognized arguments"),
    ],
)
def test_a_wrong_option_of_a_study_is_exit_code_2_and_named(
    study, options, said, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    code, out, err = study(*options)
    assert (code, out) == (2, "")
    assert said in err
    assert "Traceback" not in err


def test_a_crash_of_a_worker_is_exit_code_4(study, tmp_path, monkeypatch):
    monkeypatch.setattr("via.studies.barrier.measure", crash)
    code, _, err = study("barrier", "--quick", "--jobs", "2", "--out", tmp_path)
    assert code == 4
    assert "internal error: a simulation crashed" in err


def crash(task):
    os.kill(os.getpid(), signal.SIGKILL)


# ---- One entry of a profile ----


def test_an_entry_is_explained_with_range_trust_and_source(capfd):
    assert main(["profiles", CLAN, "--explain", "nic.receive_residual"]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[0].startswith("nic.receive_residual = ")
    assert lines[0].endswith(" nic cycles")
    assert "  allowed    a whole number from 0 to 10000000, nic cycles" in lines
    assert "  trust      fitted" in lines


def test_a_clock_is_explained_with_its_unit_once(capfd):
    assert main(["profiles", CLAN, "--explain", "cpu.clock"]) == 0
    assert capfd.readouterr().out.startswith("cpu.clock = 300000000 Hz\n")


def test_a_key_that_is_not_there_is_refused_with_those_like_it(capfd):
    assert main(["profiles", CLAN, "--explain", "tpt"]) == 2
    assert "did you mean nic.tpt_lookup, nic.tpt_segment?" in capfd.readouterr().err


def test_an_explanation_needs_a_profile(capfd):
    assert main(["profiles", "--explain", "cpu.clock"]) == 2
    assert "--explain needs a profile" in capfd.readouterr().err
