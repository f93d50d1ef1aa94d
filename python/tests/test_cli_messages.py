# SPDX-License-Identifier: GPL-2.0-only
"""`via breakdown`, `via trace`, `via compare`: what a run says of its messages, and of another."""

import csv
import io
import json
import sys
from itertools import pairwise

import pandas as pd
import pytest
import via as package
from hypothesis import given, settings
from hypothesis import strategies as st
from via import figures
from via._base.hints import hint, hint_within
from via._cli import comparing, main


@pytest.fixture
def via(capfd):
    """A function that runs a command line in this process: exit code, stdout, stderr."""

    def called(*arguments):
        code = main([str(argument) for argument in arguments])
        return (code, *capfd.readouterr())

    return called


@pytest.mark.parametrize(
    ("given", "code", "printed"),
    [("no quorum", 1, "no quorum\n"), ("", 1, "\n"), ((1, 2), 1, "(1, 2)\n"), (None, 0, ""),
     (True, 1, ""), (7, 7, "")],
)  # fmt: skip
def test_a_command_ends_with_what_it_gives_to_sys_exit_as_python_does(
    given, code, printed, via, monkeypatch
):
    monkeypatch.setattr("via._cli.workloads.main", lambda _: sys.exit(given))
    assert via("workloads") == (code, "", printed)


@pytest.fixture(scope="module")
def run():
    return package.Cluster().run("ping-pong", size=100, rounds=4)


@pytest.fixture(scope="module")
def folder(run, tmp_path_factory):
    path = tmp_path_factory.mktemp("cli") / "ping"
    run.save(path)
    return path


@pytest.fixture(scope="module")
def stages(run, tmp_path_factory):
    path = tmp_path_factory.mktemp("cli") / "stages.csv"
    run.breakdown.to_csv(path, index=False)
    return path


# ---- runs in folders


def test_a_run_can_be_saved_and_looked_at(via, ping_pong, tmp_path):
    code, _, err = via("run", "--save", tmp_path / "ping", ping_pong, "--", "-n", "3")
    assert code == 0
    saved = package.Run.load(tmp_path / "ping")
    assert f"via: digest {saved.digest}" in err
    assert via("breakdown", tmp_path / "ping", "--list")[0] == 0


def test_a_folder_with_something_else_is_refused_before_anything_runs(via, ping_pong, tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    code, out, err = via("run", "--save", tmp_path, ping_pong, "--", "-n", "3")
    assert (code, out) == (2, "")
    assert f"--save = {tmp_path}: it exists and holds no run" in err


# ---- breakdown


def test_without_a_source_a_ping_pong_is_taken_apart(via):
    code, out, _ = via("breakdown", "--size", "64")
    assert code == 0
    assert "(send, 64 bytes)" in out
    assert "n1.nic-receive" in out and "100" not in out.splitlines()[0]


def test_the_stages_of_a_message_tile_its_life(via, run, folder):
    code, out, _ = via("breakdown", folder, "--message", "0.0.2", "--csv")
    assert code == 0
    rows = list(csv.DictReader(io.StringIO(out)))
    life = run.messages.set_index("message").loc["0.0.2"]
    assert sum(int(row["ps"]) for row in rows) == life["end_ps"] - life["posted_ps"]
    assert all(a["end_ps"] == b["start_ps"] for a, b in pairwise(rows))


def test_a_file_of_stages_says_the_same_as_the_folder(via, folder, stages):
    of_folder = via("breakdown", folder, "--message", "0.0.2")
    assert via("breakdown", stages, "--message", "0.0.2") == of_folder


def test_messages_are_listed(via, run, folder):
    code, out, _ = via("breakdown", folder, "--list", "--csv")
    assert code == 0
    listed = pd.read_csv(io.StringIO(out))
    assert listed["message"].tolist() == run.messages["message"].tolist()
    assert listed["ps"].tolist() == (run.messages["end_ps"] - run.messages["posted_ps"]).tolist()


def test_a_sum_is_written_as_json(via, run, folder, tmp_path):
    assert via("breakdown", folder, "--by", "part", "--json", tmp_path / "parts.json")[0] == 0
    rows = json.loads((tmp_path / "parts.json").read_text())
    assert rows == run.breakdown(by="part").to_dict("records")


@pytest.mark.parametrize("message", [["--message", "0.0.2"], []])
def test_a_breakdown_is_drawn_with_provenance(via, run, folder, tmp_path, message):
    assert via("breakdown", folder, *message, "--plot", tmp_path / "b.svg")[0] == 0
    assert figures.read(tmp_path / "b.svg")["provenance"] == [run.provenance]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere"], "source = nowhere: there is no such file or folder; via run --save"),
        (["--size", "x"], "--size = x: a whole number"),
        (["--size", "-1"], "--size = -1: a whole number"),
        (["--size", "99999999999"], "--size = 99999999999: a whole number"),
        (["--profile", "clan1000"], "did you mean giganet-clan1000?"),
        (["--by", "colour"], "invalid choice: 'colour'"),
        (["--plot", "x.gif"], "--plot = x.gif: a figure ends in .png, .svg or .pdf"),
        (["--json", "/nowhere/x.json"], "--json = /nowhere/x.json: the folder /nowhere does not"),
        (
            ["--list", "--by", "part"],
            "--list = given: it can be combined only with --csv and --json",
        ),
        (["--message", "9.9.9"], "--message = 9.9.9: there is no such message; there are 0.0.0"),
        (["--sise", "4"], "did you mean --size? (see via breakdown --help)"),
    ],
)
def test_a_wrong_breakdown_is_exit_code_2_and_named(via, arguments, said):
    code, out, err = via("breakdown", *arguments)
    assert (code, out) == (2, "")
    assert said in err and "Traceback" not in err


def test_what_is_of_a_ping_pong_is_refused_with_a_source(via, folder):
    code, _, err = via("breakdown", folder, "--size", "4")
    assert code == 2
    assert "--size = 4: only without SOURCE" in err


@pytest.mark.parametrize(
    "text",
    ["", "a,b\n1,2\n", "{}", "\0\0", '"'],
    ids=["nothing", "other-columns", "json", "zeros", "quote"],
)
def test_a_file_that_is_no_breakdown_is_refused(via, tmp_path, text):
    (tmp_path / "x.csv").write_text(text)
    code, _, err = via("breakdown", tmp_path / "x.csv")
    assert code == 2
    assert "not a file of via run --breakdown" in err


# ---- trace


def test_a_time_line_is_written(via, run, folder, tmp_path):
    code, out, _ = via("trace", folder, "--out", tmp_path / "t.json")
    assert (code, out) == (0, "")
    assert json.loads((tmp_path / "t.json").read_text())["otherData"]["digest"] == run.digest


def test_the_log_of_a_message_is_its_critical_path(via, run, stages):
    code, out, _ = via("trace", stages, "--message", "1.0.2")
    rows = run.breakdown(message="1.0.2")
    assert code == 0
    assert len(out.splitlines()) == 3 + len(rows)
    assert out.startswith("message 1.0.2: send of 100 bytes, rank 1 to rank 0, posted at ")


def test_the_full_log_marks_the_critical_path(via, run, folder):
    _, out, _ = via("trace", folder, "--message", "1.0.2", "--all")
    lines = out.splitlines()[3:]
    assert sum(" * " in line for line in lines) == len(run.breakdown(message="1.0.2"))
    assert len(lines) > len(run.breakdown(message="1.0.2"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "--out FILE writes its time line, --message M a log"),
        (["--all"], "source = "),
        (["--all", "--out", "t.json"], "--all = given: it needs --message"),
        (["--message", "x"], "--message = x: there is no such message"),
        (["--out", "/nowhere/t.json"], "--out = /nowhere/t.json: the folder /nowhere does not"),
    ],
)
def test_a_wrong_trace_is_exit_code_2_and_named(via, folder, arguments, said):
    code, out, err = via("trace", folder, *arguments)
    assert (code, out) == (2, "")
    assert said in err and "Traceback" not in err


def test_a_csv_has_no_time_line(via, stages, tmp_path):
    code, _, err = via("trace", stages, "--out", tmp_path / "t.json")
    assert code == 2
    assert "it holds no run" in err


# ---- compare


def write(path, value):
    path.write_text(json.dumps(value))
    return path


def test_a_run_is_the_same_as_itself(via, run, tmp_path):
    a, b = (write(tmp_path / name, run.report) for name in ("a.json", "b.json"))
    code, out, _ = via("compare", a, b)
    assert code == 0
    assert out.endswith("the same\n")


def test_another_seed_is_told(via, run, tmp_path):
    other = package.Cluster(seed=2).run("ping-pong", size=100, rounds=4)
    a, b = write(tmp_path / "a.json", run.report), write(tmp_path / "b.json", other.report)
    code, out, _ = via("compare", a, b, "--json", tmp_path / "c.json")
    assert code == 1
    assert run.digest in out and other.digest in out
    told = json.loads((tmp_path / "c.json").read_text())
    assert not told["same"]
    assert {"where": "seed", "a": 1, "b": 2, "change_pct": 100.0} in told["differences"]


def test_what_mpi_ranks_took_of_the_machine_is_no_difference(via, run, tmp_path):
    rank = {"events": 7, "built_bytes": 1, "peak_bytes": 2, "built_cpu_us": 3, "cpu_us": 4}
    a, b, c = (
        write(tmp_path / f"{name}.json", {**run.report, "partitions": [{**rank, **changed}]})
        for name, changed in {
            "a": {},
            "b": {"built_bytes": 5, "peak_bytes": 6, "built_cpu_us": 7, "cpu_us": 8},
            "c": {"events": 8},
        }.items()
    )
    assert via("compare", a, b)[0] == 0
    assert via("compare", a, c)[0] == 1


def test_benchmarks_are_matched_by_name_and_may_differ_a_little(via, tmp_path):
    a = write(tmp_path / "a.json", [{"name": "x", "rate": 100.0}, {"name": "y", "rate": 5}])
    b = write(tmp_path / "b.json", [{"name": "y", "rate": 5}, {"name": "x", "rate": 103.0}])
    assert via("compare", a, b, "--tolerance", "5")[0] == 0
    code, out, _ = via("compare", a, b)
    assert code == 1
    assert "[x].rate  100  103  +3.00 %" in out
    assert "1 value differs" in out


def test_two_folders_have_their_times_compared(via, run, folder, tmp_path):
    package.Cluster(seed=2).run("ping-pong", size=100, rounds=4).save(tmp_path / "other")
    code, out, _ = via("compare", folder, tmp_path / "other")
    assert code == 1
    assert "Kolmogorov-Smirnov" in out
    assert via("compare", folder, folder, "--ignore", "seed")[0] == 0


def test_a_long_list_is_cut_unless_all_is_wanted(via, tmp_path):
    a, b = (write(tmp_path / f"{i}.json", [{"name": "n", "x": [i] * 40}]) for i in (1, 2))
    _, out, _ = via("compare", a, b)
    assert "40 values differ; 16 of them not shown: --all" in out
    assert "[n].x[39]" in via("compare", a, b, "--all")[1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "cannot be read"),
        ("{", "is not JSON"),
        ("3", "is not a result of via run, bench or study"),
        ("[1]", "is not a result of via run, bench or study"),
        ("[]", "is not a result of via run, bench or study"),
        ("{}", "is not a result of via run, bench or study"),
        ('[{"x": 1}]', "is not a result of via run, bench or study"),
        ('[{"name": "x"}]', "it is a list of benchmarks or studies, and"),
        pytest.param("[" * 100_000, "nested more than 64 levels deep", id="nested"),
    ],
)
def test_what_is_no_result_is_exit_code_2(via, run, tmp_path, text, said):
    a = write(tmp_path / "a.json", run.report)
    if text is not None:
        (tmp_path / "b.json").write_text(text)
    code, _, err = via("compare", a, tmp_path / "b.json")
    assert code == 2
    assert said in err


def test_two_that_are_no_results_are_not_the_same(via, tmp_path):
    empty = write(tmp_path / "a.json", {})
    assert via("compare", empty, empty)[0] == 2


@pytest.mark.parametrize("text", ["-1", "five", "nan", "1e400", ""])
def test_a_wrong_tolerance_is_refused(via, tmp_path, text):
    code, _, err = via("compare", tmp_path, tmp_path, f"--tolerance={text}")
    assert code == 2
    assert "--tolerance = " in err


LEAF = st.none() | st.booleans() | st.integers(-9, 9) | st.floats(0, 1) | st.sampled_from("ab")
JSON = st.recursive(
    LEAF,
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["name", "rank", "x"]), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=60, deadline=None)
@given(JSON)
def test_anything_is_the_same_as_itself(value):
    assert comparing.differences(value, value) == []


@settings(max_examples=60, deadline=None)
@given(JSON, JSON)
def test_a_difference_is_one_from_both_sides(a, b):
    there, back = comparing.differences(a, b), comparing.differences(b, a)
    assert {d.where for d in there} == {d.where for d in back}


def test_the_spread_of_times_finds_a_shift():
    a = (pd.Series(range(1, 101)) * 1_000_000).to_numpy()
    found = comparing.spread(a, a + 50_000_000)
    assert found.median_us == 50
    assert found.low_us < 50 < found.high_us
    assert found.distance == 0.5
    assert found == comparing.spread(a, a + 50_000_000)


# ---- hints


def test_a_hint_names_what_was_probably_meant():
    assert hint("studdy", ["study", "run"]) == "; did you mean study?"
    assert hint("xyz", ["study", "run"]) == ""
    products = ["gigae-pm", "giganet-clan1000", "gm-lanai4", "servernet1", "servernet2"]
    assert hint("giganet", products) == "; did you mean giganet-clan1000?"
    assert hint("Giganet", products) == "; did you mean giganet-clan1000?"
    assert hint("giganet-clan100", products) == "; did you mean giganet-clan1000?"
    assert hint("gigae", products) == "; did you mean gigae-pm?"
    assert hint("rate", ["late", "rate_mbit_s"]) == "; did you mean rate_mbit_s?"
    assert hint_within("--profile = clan1000: must be one of: bip, giganet-clan1000 (in /x)") == (
        "; did you mean giganet-clan1000?"
    )
    assert hint_within("--topology = tours:4x4: one of star, torus") == "; did you mean torus?"
    assert hint_within(f"--topology = {'(' * 10_000}tours:4x4: one of star, torus") == ""
    assert hint_within("--stdin = where: there is no such file; nowhere") == ""
    assert hint_within("topology = torus:2x2,hots=2: torus:8x8[,hosts=1 to 9]") == (
        "; did you mean hosts?"
    )
    assert hint_within("topology = ring,routing=up-dwn: routing is one of up-down, ecmp") == (
        "; did you mean up-down?"
    )
    key = 'faults.link_dwn = [{where = "n1"}]: there is no such key; it may have link_down'
    assert hint_within(key) == "; did you mean link_down?"
    assert hint_within("profile ideal: nic.clok: no such key") == "; did you mean nic.clock?"


@given(st.text())
def test_no_text_is_a_crash_of_hints(text):
    assert isinstance(hint_within(f"--x = {text}: one of a, b"), str)


def test_an_unknown_command_is_refused_with_the_one_that_was_meant(via):
    code, _, err = via("brakdown")
    assert (code, err) == (
        2,
        "via: unknown command brakdown; did you mean breakdown? (see via --help)\n",
    )


@pytest.mark.parametrize(
    ("option", "given"), [("--partition-of-switch", "graph-cut"), ("--mpi-engine", "null-message")]
)
def test_what_is_said_of_ranks_is_refused_where_there_are_none(via, option, given):
    code, _, said = via("run", option, given, "no.so")
    assert code == 2
    assert f"{option} = {given}: there are no MPI ranks: --mpi-ranks R" in said


@pytest.mark.parametrize("given", ["graphcut", "0,x", "0,,1"])
def test_a_rank_of_a_switch_is_a_whole_number(via, given):
    code, _, said = via("run", "--mpi-ranks", 2, "--partition-of-switch", given, "no.so")
    assert code == 2
    assert "--partition-of-switch = " in said
    assert "a whole number is needed" in said
