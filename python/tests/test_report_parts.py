# SPDX-License-Identifier: GPL-2.0-only
"""What the report of a run needs besides Bokeh: samples, the network, the command, refusals."""

import hashlib
import shlex
import shutil
import sys
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import via
from reported import run_with_faults
from via._cli import main
from via._page import again, network, sampling


@pytest.fixture(scope="module")
def run():
    return run_with_faults()


@pytest.fixture(scope="module")
def folder(run, tmp_path_factory):
    place = tmp_path_factory.mktemp("saved") / "run"
    run.save(place)
    return place


def test_a_sample_has_the_slowest_and_is_spread_evenly():
    lives = np.arange(1_000)[::-1]
    chosen = sampling.kept(lives, 100)
    assert len(chosen) == 100
    assert set(range(50)) <= set(chosen.tolist())  # the slowest are the first here
    assert chosen[-1] == 999
    assert sampling.kept(lives, 1_000).tolist() == list(range(1_000))


def test_a_message_that_is_posted_when_another_ends_is_not_in_flight_with_it():
    messages = pd.DataFrame({"posted_ps": [0, 5], "end_ps": [5, 9]})
    assert sampling.in_flight(messages, 9)[1].max() == 1


def test_what_is_in_flight_is_counted_between_the_steps_too():
    messages = pd.DataFrame({"posted_ps": [0, 0, 500_000], "end_ps": [400_000, 1_000, 900_000]})
    at, level = sampling.in_flight(messages, 1_000_000)
    levels = dict(zip(at.tolist(), level.tolist(), strict=True))
    assert [levels[ps] for ps in (0, 2_000, 300_000, 450_000, 600_000, 950_000)] == [
        2, 1, 1, 0, 1, 0,
    ]  # fmt: skip


@pytest.mark.parametrize("topology", ["back-to-back", "torus:3x3", "dragonfly:a=4,p=2,h=2"])
def test_the_network_is_drawn_with_the_places_of_its_family(topology):
    done = via.Cluster(topology, nodes=2).run("ping-pong", rounds=1)
    places, lines = network.drawing(done.links, done.provenance)
    assert len(lines) == len(done.links)
    assert set(places) >= {"n0", "n1"}


def test_a_network_of_no_known_family_is_drawn_by_its_cables(run):
    origin = run.provenance | {"topology": "file:/etc/passwd"}
    places, lines = network.drawing(run.links, origin)
    assert set(places) == {"n0", "n1", "n2", "n3", "s0"}
    assert len(lines) == len(run.links)


@pytest.mark.parametrize("end", ["n999999", "elsewhere", ""])
def test_a_network_that_cannot_be_drawn_is_said_to_be_so(run, end):
    links = run.links.assign(source=[end, *run.links["source"][1:]])
    assert isinstance(network.drawing(links, {}), str)


def test_the_script_of_the_page_makes_the_run_again(run):
    language, text = again.command(run.provenance, run.digest)
    assert language == "python"
    names = {}
    exec(text, names)
    assert names["run"].digest == run.digest


def test_the_command_of_a_program_is_a_line_for_the_shell(ping_pong):
    cluster = via.Cluster(nodes=2, seed=7, overrides={"nic.clock": "125 MHz"})
    done = cluster.run_program(ping_pong, args=["-n", "2; echo"], check=False)
    language, text = again.command(done.provenance, done.digest)
    assert language == "sh"
    assert shlex.split(text.replace("\\\n", ""), comments=True) == [
        "via", "run", "--profile", "giganet-clan1000", "--host", "pii300-linux22", "--nodes", "2",
        "--topology", "star", "--seed", "7", "--override", "nic.clock=125 MHz", "--save", "again",
        str(done.provenance["program"]), "--", "-n", "2; echo",
    ]  # fmt: skip


def test_the_command_of_a_program_runs_in_its_folder_and_says_so_elsewhere(
    ping_pong, tmp_path, monkeypatch, capfd
):
    cluster = via.Cluster()
    done = cluster.run_program(ping_pong, ["-n", 2])
    script = via.Cluster(faults=via.Faults().loss("n1", corrupt_ppb=1)).run_program(ping_pong)
    for one in (done, script):
        _, text = again.command(one.provenance, one.digest)
        sum_of = hashlib.sha256(ping_pong.read_bytes()).hexdigest()
        assert f"# in the folder of {ping_pong.name}, whose SHA-256 is\n# {sum_of}\n" in text
    compile(text, "script", "exec")
    _, text = again.command(done.provenance, done.digest)
    words = shlex.split(text.replace("\\\n", ""), comments=True)
    monkeypatch.chdir(tmp_path)
    assert main(words[1:]) == 2
    assert f"program = {ping_pong.name}: there is no such file" in capfd.readouterr().err
    shutil.copy(ping_pong, tmp_path)
    assert main(words[1:]) == 0
    assert via.Run.load("again").digest == done.digest


def test_long_lines_of_what_makes_a_run_again_are_broken_between_arguments(ping_pong):
    overrides = {"nic.clock": "66 MHz", "link.propagation": "3 ns", "bus.clock": "66 MHz"}
    origin = {
        "topology": "torus:3x3", "nodes": 9, "profile": "giganet-clan1000", "seed": 7,
        "host": "pii300-linux22", "overrides": {**overrides, "a": "one, two", "b": "x" * 70},
    }  # fmt: skip
    _, text = again.command({**origin, "workload": "barrier", "parameters": {}}, "0" * 32)
    _, words = again.command({**origin, "program": ping_pong.name, "args": ["-n", "2"]}, "0" * 32)
    called = {}
    fake = SimpleNamespace(
        Cluster=lambda *given, **named: (
            called.update({"given": given, **named})
            or SimpleNamespace(run=lambda *_, **named: SimpleNamespace(digest="0" * 32))
        )
    )
    exec(text.replace("import via", ""), {"via": fake})
    assert called == {
        "given": ("torus:3x3",),
        **{k: v for k, v in origin.items() if k != "topology"},
    }
    assert "\n    profile='giganet-clan1000',\n" in text
    assert max(map(len, text.splitlines())) <= 100
    assert all(len(line) <= 88 for line in words.splitlines() if "xxx" not in line)
    assert words.count(" \\\n    ") >= 3


class Pauses(via.Protocol):
    def __init__(self, us=1, what=None):
        self.us = us

    async def run(self):
        self.enter(0)
        await self.sleep(f"{self.us}us")
        self.leave(0)


def test_a_protocol_is_run_again_with_the_arguments_of_its_constructor():
    first = via.Cluster().run(Pauses, us=9, rounds=1)
    _, text = again.command(first.provenance, first.digest)
    names = {"YourProtocol": Pauses}
    exec(text, names)
    assert names["run"].digest == first.digest
    other = via.Cluster().run(Pauses, what=open, rounds=1)
    assert "run(YourProtocol, rounds=1, what=...)" in again.command(other.provenance, "")[1]


def test_a_number_among_the_parameters_is_one_in_the_script(run):
    _, text = again.command(run.provenance, run.digest)
    assert run.provenance["parameters"]["rounds"] == "3"
    assert "run = cluster.run('all-to-all', rounds=3)" in text
    odd = {
        "workload": "barrier",
        "parameters": {"rounds": "007", "size": "1e3", "window": "0.5", "by": "nan"},
    }
    assert "rounds='007', size='1e3', window=0.5, by='nan'" in again.command(odd, "")[1]


@pytest.mark.parametrize(
    ("source", "out", "told"),
    [
        ("nowhere", "page.html", "source = {here}/nowhere: there is no such folder"),
        ("empty", "page.html", "folder = {here}/empty: it holds no run"),
        ("run", "missing/page.html", "--out = {here}/missing/page.html: the folder"),
        ("run", "empty", "--out = {here}/empty: a file is needed, this is a folder"),
        ("run", "run/messages.csv", "--out = {here}/run/messages.csv: another folder is needed"),
        ("run", "run/page.html", "--out = {here}/run/page.html: another folder is needed"),
    ],
)
def test_what_cannot_be_done_is_refused_and_nothing_is_written(
    folder, tmp_path, capfd, source, out, told
):
    (tmp_path / "empty").mkdir()
    via.Run.load(folder).save(tmp_path / "run")
    before = sorted(tmp_path.rglob("*"))
    assert main(["report", str(tmp_path / source), "-o", str(tmp_path / out)]) == 2
    assert capfd.readouterr().err.startswith(f"via: {told.format(here=tmp_path)}")
    assert sorted(tmp_path.rglob("*")) == before


def test_python_is_told_of_a_place_that_takes_no_page(run, tmp_path):
    with pytest.raises(via.ConfigError, match="^path = .*a file is needed, this is a folder"):
        run.report_page(tmp_path)
    with pytest.raises(via.ConfigError, match="^path = 3: a path is needed"):
        run.report_page(3)


def test_an_internal_error_has_exit_code_4(folder, tmp_path, monkeypatch, capfd):
    monkeypatch.setattr(via.Run, "report_page", lambda *_: 1 // 0)
    assert main(["report", str(folder), "-o", str(tmp_path / "page.html")]) == 4
    assert "ZeroDivisionError" in capfd.readouterr().err


def test_the_command_needs_a_place_for_the_page(folder, capsys):
    assert main(["report", str(folder)]) == 2
    assert "-o/--out" in capsys.readouterr().err


def test_without_bokeh_the_page_is_refused_with_the_way_to_get_it(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "bokeh", None)
    with pytest.raises(via.ConfigError, match=r"^bokeh = not installed: .*pip install"):
        run.report_page(tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == []
