# SPDX-License-Identifier: GPL-2.0-only
"""Sweeps: the table, failures of single points, what is kept, and what is refused."""

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest
import via
from hypothesis import given, settings
from hypothesis import strategies as st
from via.errors import ConfigError
from via.sweeps.grid import canonical, points
from via.sweeps.point import Outcome
from via.sweeps.store import Store, folder_of


def product(a, b):
    return a * b


def fails_at_two(a):
    if a == 2:
        raise ValueError("no two\n  at all")
    return {"twice": 2 * a, "seed_is": None}


def ends_its_process(a):
    if a == 1:
        os.kill(os.getpid(), signal.SIGUSR1)
    if a == 2:
        os._exit(7)
    return a


def is_killed(a, tries):
    with Path(tries).open("a", encoding="ascii") as file:
        file.write("x")
    if Path(tries).stat().st_size <= a:
        os.kill(os.getpid(), signal.SIGKILL)
    return a


def leaves_a_mark(folder, a):
    (Path(folder) / f"{os.getpid()}-{a}").touch()
    return a


def sweeps_itself(a):
    return int(via.sweep(product, {"a": [a, a + 1], "b": 2}, cache=None, jobs=2)["value"].sum())


class Relay(via.Protocol):
    """Process 0 and process 1 send each other a message, some times per round."""

    def __init__(self, hops=1):
        if hops < 1:
            raise via.ConfigError("hops: at least one is needed")
        self.hops = hops

    async def run(self):
        for number in range(self.rounds):
            self.enter(number)
            for _ in range(self.hops):
                if self.rank == 0:
                    self.send(1, b"there")
                    await self.recv()
                elif self.rank == 1:
                    await self.recv()
                    self.send(0, b"back")
            self.leave(number)


class Crowd(Relay):
    def __init__(self, nodes=1):
        super().__init__(nodes)


@dataclass
class Pause(via.Protocol):
    us: int = 1

    async def run(self):
        self.enter(0)
        await self.sleep(f"{self.us}us")
        self.leave(0)


def test_a_protocol_is_swept_over_its_own_parameters_and_those_of_the_cluster():
    grid = {"hops": [1, 3], "profile": ["ideal", "giganet-clan1000"], "rounds": 4}
    table = via.sweep(Relay, grid, cache=None, jobs=1)
    assert list(table["error"]) == [""] * 4
    assert table.attrs["via"]["protocol"] == "Relay"
    for row in table.itertuples():
        run = via.Cluster(profile=row.profile, record=False).run(Relay, hops=row.hops, rounds=4)
        assert (row.latency_us, row.digest) == (run.latency_us(), run.digest)
    assert table["latency_us"][2] > 2 * table["latency_us"][0]


def test_a_protocol_that_is_a_dataclass_is_swept_and_its_results_are_kept(tmp_path):
    tables = [via.sweep(Pause, {"us": [1, 9]}, cache=tmp_path, jobs=1) for _ in range(2)]
    assert tables[0].equals(tables[1])
    assert tables[0]["end_ps"].diff()[1] == 8_000_000
    assert len([each for each in tmp_path.rglob("*") if each.is_file()]) == 2


def test_results_of_a_protocol_are_kept_until_its_code_changes(tmp_path):
    def made(factor):
        class Longer(Relay):
            async def run(self):
                await self.sleep(f"{factor}us")
                await Relay.run(self)

        return Longer

    def ends(factor):
        table = via.sweep(made(factor), {"rounds": 1, "hops": 1}, cache=tmp_path, jobs=1)
        return table["end_ps"][0], len([each for each in tmp_path.rglob("*") if each.is_file()])

    assert ends(1) == ends(1)
    assert ends(50)[0] > ends(1)[0]


@pytest.mark.parametrize(
    ("what", "grid", "text"),
    [
        (Relay, {"hop": [1, 2]}, "argument of Relay = hop: .*hops"),
        (Relay, {"hops": [0]}, "none can be run; the first: hops: at least one"),
        (Relay, {"nodes": [0]}, "nodes = 0"),
        (Relay(hops=2), {"nodes": [2]}, r"what = an instance of Relay: its class .*sweep\(Relay, "),
        (Crowd, {"rounds": [1]}, "parameter of Crowd = nodes: via.Cluster has an argument"),
    ],
)
def test_a_wrong_sweep_of_a_protocol_is_refused_at_once(what, grid, text):
    with pytest.raises(ConfigError, match=text):
        via.sweep(what, grid, cache=None)


def test_a_row_per_point_in_the_order_of_the_grid():
    table = via.sweep(product, {"a": [3, 1], "b": (2, 5)}, cache=None, jobs=2)
    assert table.to_csv(index=False) == "a,b,value,error\n3,2,6,\n3,5,15,\n1,2,2,\n1,5,5,\n"
    assert table["value"].dtype == np.int64


def test_a_table_says_of_which_sweep_it_is():
    table = via.sweep("ping-pong", {"size": [4, 8], "rounds": 2}, seed=3, cache=None, jobs=1)
    origin = table.attrs["via"]
    assert (origin["workload"], origin["profile"], origin["seed"]) == (
        "ping-pong",
        "giganet-clan1000",
        3,
    )
    assert {"via", "simulator", "profiles", "python", "numpy", "pandas"} <= set(origin)
    assert table.query("size == 4").attrs["via"] == origin


def test_a_table_of_several_products_and_seeds_names_the_seeds_and_no_product():
    grid = {"profile": ["ideal", "giganet-clan1000"], "rounds": 1}
    origin = via.sweep("ping-pong", grid, seeds=2, cache=None, jobs=1).attrs["via"]
    assert origin["seed"] == [1, 2] and "profile" not in origin


def test_a_table_of_a_function_names_the_function():
    origin = via.sweep(product, {"a": 1, "b": 2}, cache=None, jobs=1).attrs["via"]
    assert origin["function"] == "product" and not {"profile", "workload"} & set(origin)


def test_points_may_be_listed():
    table = via.sweep(product, [{"a": 1, "b": 2.5}, {"b": 0, "a": 7}], cache=None)
    assert table["value"].tolist() == [2.5, 0]


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_point_that_fails_is_a_row_that_says_why(jobs):
    with pytest.warns(via.SweepWarning, match=r"1 of 4 points have no results.*no two; at all"):
        table = via.sweep(fails_at_two, {"a": range(4)}, cache=None, jobs=jobs)
    assert table["error"].tolist() == ["", "", "ValueError: no two; at all", ""]
    assert table["twice"].dtype == "Int64"
    assert table["twice"].fillna(-1).tolist() == [0, 2, -1, 6]


def refuses_none(a):
    if a is None:
        raise ValueError("none")
    return {"got": a}


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 2**63 - 1], "Int64"),
        ([0, 2**63], "UInt64"),
        ([-1, 2**63], "object"),
        ([2**64], "object"),
    ],
)
def test_whole_numbers_of_any_size_stay_as_they_are_beside_a_point_that_fails(values, kind):
    with pytest.warns(via.SweepWarning):
        table = via.sweep(refuses_none, {"a": [*values, None]}, cache=None, jobs=1)
    assert table["got"].dtype == kind
    assert table["got"].dropna().tolist() == values
    assert table["a"].dtype == kind and table["error"].tolist()[-1] == "ValueError: none"


def test_a_worker_that_crashes_loses_its_point_only():
    with pytest.warns(via.SweepWarning):
        table = via.sweep(ends_its_process, {"a": range(4)}, cache=None, jobs=2)
    assert table["error"].tolist() == [
        "",
        "the worker was ended by SIGUSR1",
        "the worker ended with exit code 7 and without a result",
        "",
    ]


def test_a_worker_that_is_killed_is_started_again(tmp_path):
    table = via.sweep(is_killed, {"a": 2, "tries": str(tmp_path / "a")}, cache=None)
    assert table["value"].tolist() == [2]
    with pytest.warns(via.SweepWarning, match="SIGKILL in 3 tries"):
        via.sweep(is_killed, {"a": 9, "tries": str(tmp_path / "b")}, cache=None)


def test_a_workload_is_swept_with_its_clusters_arguments():
    table = via.sweep("barrier", {"nodes": [2, 4], "rounds": 3}, cache=None)
    alone = via.Cluster(nodes=4).run("barrier", rounds=3)
    assert table["digest"][1] == alone.digest
    assert table["latency_us"][1] == alone.latency().median_us
    assert table["end_ps"][1] == alone.end_ps


@pytest.mark.parametrize(
    ("what", "grid", "said"),
    [
        ("barrier", {"nodez": [1, 2]}, "argument of barrier = nodez: .*did you mean nodes?"),
        ("barrier", {"rouns": [1]}, "did you mean rounds?"),
        ("barier", {"nodes": [2]}, "workload = barier: one of .*did you mean barrier?"),
        ("barrier", {"profile": ["giganet-clan100"]}, "did you mean giganet-clan1000?"),
        ("barrier", {"topology": ["tours:2x2"]}, "did you mean torus?"),
        ("barrier", {"topology": ["torus:2x2,hots=1"]}, "did you mean hosts?"),
        ("barrier", {"rounds": [0, -1]}, "barrier rounds = 0: a whole number from 1"),
        ("barrier", {"transport": "via-sent"}, "did you mean via-send?"),
        ("paxos", {"nodes": 4, "proposers": [5, 6]}, "proposers = 5: a whole number from 1 to 4"),
        ("ping-pong", {"size": 2**31}, "size = 2147483648: a whole number from 0"),
        ("ping-pong", {"nodes": 1}, "needs at least 2"),
        ("barrier", {"overrides": {"nic.clok": "1 MHz"}}, "did you mean nic.clock?"),
        ("barrier", {"faults": {"link_dwn": []}}, "did you mean link_down?"),
        ("barrier", {"record": True}, "argument of barrier = record: one of "),
        ("barrier", {"nodes": 2, "pcap": "a.pcapng"}, "argument of barrier = pcap: one of "),
        ("barrier", {"nodes": 2, "snaplen": 64}, "argument of barrier = snaplen: one of "),
        (Relay, {"pcap": "a.pcapng"}, "argument of Relay = pcap: one of "),
        (product, {"a": 1, "c": [1]}, "the function takes"),
    ],
)
def test_a_sweep_that_cannot_be_done_fails_before_anything_runs(what, grid, said, monkeypatch):
    def never(*_):
        pytest.fail("a point was started")

    monkeypatch.setattr("via.sweeps.driver.run_here", never)
    with pytest.raises(via.ConfigError, match=said.replace("?", r"\?")):
        via.sweep(what, grid, cache=None)


def test_points_that_are_refused_are_not_started(monkeypatch):
    from via.sweeps import driver

    started = []

    def watched(tasks, jobs):
        started.extend(task.point["nodes"] for task in tasks)
        return run_here(tasks, jobs)

    run_here = driver.run_here
    monkeypatch.setattr(driver, "run_here", watched)
    grid = {"nodes": [1, 2, 300_000], "rounds": 1}
    with pytest.warns(via.SweepWarning, match="2 of 3 points"):
        table = via.sweep("barrier", grid, cache=None)
    assert started == [2]
    assert table["error"][0] == "ConfigError: nodes = 1: barrier needs at least 2"
    assert table["error"][2] == "ConfigError: nodes = 300000: 1 to 262144 are possible"


def test_a_ping_pong_is_swept_one_way_and_there_and_back():
    table = via.sweep("ping-pong", {"rounds": 3, "rails": [1, 2]}, cache=None)
    assert (table["round_trip_us"] / 2 - table["latency_us"]).abs().max() < 1e-5


def test_a_workload_that_is_refused_says_so_in_its_row():
    with pytest.warns(via.SweepWarning):
        table = via.sweep("ping-pong", {"rounds": [1, -1], "nodes": 2}, cache=None)
    assert table["error"][0] == ""
    assert "ConfigError" in table["error"][1] and "rounds" in table["error"][1]


def test_a_point_may_sweep_itself():
    assert via.sweep(sweeps_itself, {"a": [1, 2]}, cache=None)["value"].tolist() == [6, 10]


def test_a_sweep_may_run_in_several_threads():
    found = {}

    def one(number):
        found[number] = via.sweep(product, {"a": range(10), "b": number}, cache=None, jobs=2)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert [found[n]["value"].sum() for n in range(3)] == [0, 45, 90]


def test_what_was_done_is_not_done_again(tmp_path):
    marks = tmp_path / "marks"
    marks.mkdir()
    grid = {"folder": str(marks), "a": [1, 2]}
    first = via.sweep(leaves_a_mark, grid, cache=tmp_path / "kept")
    again = via.sweep(leaves_a_mark, grid | {"a": [2, 3]}, cache=tmp_path / "kept")
    assert first["value"].tolist() == [1, 2] and again["value"].tolist() == [2, 3]
    assert sorted(file.name.partition("-")[2] for file in marks.iterdir()) == ["1", "2", "3"]


def test_a_point_that_failed_is_tried_again(tmp_path):
    for _ in range(2):
        with pytest.warns(via.SweepWarning):
            via.sweep(is_killed, {"a": 99, "tries": str(tmp_path / "t")}, cache=tmp_path / "kept")
    assert (tmp_path / "t").stat().st_size == 6


def test_another_seed_and_another_profile_are_another_point(tmp_path):
    kept = tmp_path / "kept"
    digests = {
        via.sweep("ping-pong", {"rounds": 2, **extra}, seed=seed, cache=kept)["digest"][0]
        for seed, extra in ((1, {}), (2, {}), (1, {"overrides": {"nic.clock": "125 MHz"}}))
    }
    assert len(digests) == 3
    assert len(list(kept.rglob("*.json"))) == 3


def stem_and_size(file):
    return {"stem": file.stem, "size": file.stat().st_size}


def test_a_file_counts_by_its_name_and_its_content(tmp_path):
    a, b = tmp_path / "a.txt", tmp_path / "b.txt"

    def swept(*files):
        table = via.sweep(stem_and_size, {"file": files}, cache=tmp_path / "kept")
        return table[["stem", "size"]].to_numpy().tolist()

    for file in (a, b):
        file.write_text("same", "ascii")
    assert (swept(a), swept(b)) == ([["a", 4]], [["b", 4]])
    assert swept(a, b) == [["a", 4], ["b", 4]]
    a.write_text("changed", "ascii")
    assert swept(a) == [["a", 7]]


def test_a_profile_that_changed_is_another_point(tmp_path):
    folder = Path(via._core.profile_folder())
    text = (folder / "giganet-clan1000.toml").read_text("utf-8")
    mine = tmp_path / "mine.toml"
    found = []
    for comment in ("", "\n# a comment changes nothing\n", None):
        if comment is None:
            changed = text.replace("value = 900,", "value = 901,", 1)
            assert changed != text
            mine.write_text(changed, "utf-8")
        else:
            mine.write_text(text + comment, "utf-8")
        point = {"rounds": 1, "profile": str(mine)}
        via.sweep("ping-pong", point, cache=tmp_path / "kept")
        found.append(len(list((tmp_path / "kept").rglob("*.json"))))
    assert found == [1, 1, 2]


PROFILES = Path(via._core.profile_folder())
HOST = (PROFILES / "hosts" / "pii300-linux22.toml").read_text("utf-8")
KERNEL = (PROFILES / "kernels" / "linux-2.2.toml").read_text("utf-8")
CARD = """
schema = "via-product/1"
title = "Mine"
extends = "giganet-clan1000"
nic.clock = { value = "50 MHz", unit = "Hz", source = "mine", trust = "assumed" }
"""
WIRES = "a,b,rate_mbit_s\nn0,s0,1000\nn1,s0,1000\n"
FILES = {  # by what is read: its content, what is changed in it, and into what
    "kernel": (KERNEL, "value = 700,", "value = 9000,"),
    "card": (CARD, "50 MHz", "40 MHz"),
    "wires": (WIRES, ",1000", ",100"),
}


@pytest.mark.parametrize(
    ("what", "file", "point"),
    [
        ("kernel", "mine.toml", {"kernel": "mine.toml"}),
        ("kernel", "kernels/mine.toml", {"kernel": "mine"}),
        ("kernel", "kernels/mine.toml", {"host": "mine"}),
        ("card", "mine.toml", {"node_profiles": {1: "mine.toml"}}),
        ("card", "mine.toml", {"node_profiles": {1: ("mine.toml", "pii300-linux22")}}),
        ("card", "mine.toml", {"profile": "mine.toml", "node_profiles": {1: "giganet-clan1000"}}),
        ("wires", "q.csv", {"topology": "file:q.csv"}),
        ("wires", "q.csv", {"topology": "file:q.csv,routing=shortest-path"}),
        ("wires", "q.csv", {"topology": "file:q.csv,rails=2"}),
    ],
)
@pytest.mark.ci
def test_a_file_that_changed_between_two_sweeps_is_read_again(
    what, file, point, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VIA_PROFILE_PATH", str(tmp_path))
    for folder in ("hosts", "kernels"):
        (tmp_path / folder).mkdir()
    own_kernel = HOST.replace('default_kernel = "linux-2.2"', 'default_kernel = "mine"')
    (tmp_path / "hosts" / "mine.toml").write_text(own_kernel, "utf-8")
    workload = "socket-ping-pong" if what == "kernel" else "ping-pong"

    def swept(text):
        (tmp_path / file).write_text(text, "utf-8")
        return via.sweep(workload, {"rounds": 1, **point}, cache=tmp_path / "kept")["digest"][0]

    text, old, new = FILES[what]
    assert swept(text) == swept(text) != swept(text.replace(old, new))


def test_a_plan_of_faults_in_a_point_is_not_taken_for_a_file(tmp_path):
    cuts = [{"where": "n0-s0", "at": f"{at} s", "until": f"{at + 1} s"} for at in range(1, 99, 2)]
    point = {"rounds": 1, "faults": {"link_down": cuts, "schema": "via-faults/1"}}
    table = via.sweep("ping-pong", [point], cache=tmp_path / "kept")
    assert table["error"].tolist() == [""]


@pytest.mark.parametrize("damage", [b"", b"{", b'{"schema": "via-point/1"}', b"\xff"])
def test_a_kept_file_that_is_damaged_is_as_if_not_there(tmp_path, damage):
    store = Store(tmp_path)
    key = store.key({}, {"a": 1})
    store.put(key, Outcome({"b": 0.1}))
    assert store.get(key) == Outcome({"b": 0.1})
    next(tmp_path.rglob("*.json")).write_bytes(damage)
    assert store.get(key) is None


def test_a_kept_file_of_which_a_digit_changed_is_as_if_not_there(tmp_path):
    store = Store(tmp_path)
    key = store.key({}, {"a": 1})
    store.put(key, Outcome({"b": 0.1}))
    file = next(tmp_path.rglob("*.json"))
    file.write_text(file.read_text("ascii").replace("0.1", "0.2"), "ascii")
    assert store.get(key) is None


def test_the_place_of_what_is_kept(tmp_path, monkeypatch):
    monkeypatch.delenv("VIA_SWEEP_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert folder_of("usual") == tmp_path / "via" / "sweeps"
    assert folder_of(None) is None
    assert folder_of("here") == Path("here")
    monkeypatch.setenv("VIA_SWEEP_CACHE", "elsewhere")
    assert folder_of("usual") == Path("elsewhere")
    monkeypatch.setenv("VIA_SWEEP_CACHE", "none")
    assert folder_of("usual") is None and folder_of("here") is None


@pytest.mark.parametrize(
    ("grid", "text"),
    [
        ({}, "at least one point"),
        ([], "at least one point"),
        ({"a": []}, "at least one value"),
        ({"a": [1, 1]}, "twice"),
        ({"a b": 1}, "names"),
        ({3: 1}, "names"),
        ({"error": 1}, "another column"),
        ({"a": [float("nan")]}, "finite"),
        ({"a": [object()]}, "numbers, strings, paths"),
        ({"a": {1, 2}}, r"^a = \{1, 2\}: a set has no order: a list is needed"),
        ({"a": frozenset("bc")}, "a set has no order"),
        ({"a": np.array(4)}, r"^a = array\(4\): numbers, strings, paths"),
        (7, "a mapping of lists"),
        ([7], "each point must be a mapping"),
        ({name: range(1000) for name in "abc"}, "at most 10000000"),
    ],
)
def test_a_grid_that_makes_no_sense_is_refused(grid, text):
    with pytest.raises(ConfigError, match=text):
        via.sweep(product, grid, cache=None)


@pytest.mark.parametrize("what", [product, via.workloads.Barrier(rounds=2)])
@pytest.mark.parametrize(("grid", "text"), [(7, "a mapping of lists"), ([7], "each point must be")])
def test_a_grid_that_is_none_is_refused_with_seeds_and_of_a_workload(what, grid, text):
    with pytest.raises(ConfigError, match=f"^grid = .*{text}"):
        via.sweep(what, grid, seeds=2, cache=None)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"jobs": 0}, "jobs = 0"),
        ({"jobs": "many"}, "whole number"),
        ({"seed": -1}, "seed = -1"),
        ({"client": "tcp://x"}, r"Client is needed|Dask is not installed"),
        ({"out": "/nowhere/x.csv"}, "does not exist"),
        ({"cache": "/dev/null/x"}, "cache"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(options, text):
    with pytest.raises(ConfigError, match=text):
        via.sweep(product, {"a": 1, "b": 2}, **({"cache": None} | options))


def test_what_is_no_function_is_refused():
    with pytest.raises(ConfigError, match="a function, or the name of a workload"):
        via.sweep(7, {"a": 1})


@pytest.mark.parametrize("result", [object(), [1], {"a": 1}, {"error": 1}, {3: 1}])
def test_a_result_that_fits_no_table_is_an_error_of_its_point(result):
    with pytest.warns(via.SweepWarning):
        table = via.sweep(lambda a: result, {"a": 1}, cache=None)
    assert table["error"][0]


plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
values = plain | st.binary() | st.lists(plain) | st.dictionaries(st.text(), plain)
grids = st.dictionaries(st.text(max_size=3), values | st.lists(values, max_size=3), max_size=3)


@given(grids | st.lists(grids, max_size=3) | values)
@settings(max_examples=300, deadline=None)
def test_any_grid_becomes_points_or_is_refused(grid):
    try:
        found = points(grid)
    except ConfigError:
        return
    assert len({canonical(each) for each in found}) == len(found) > 0


def running(group):
    """The processes of a group that have not ended, whether or not somebody has waited for them."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            process, rest = stat.read_text(errors="replace").rsplit(")", 1)
        except OSError:  # ended meanwhile
            continue
        state, _, its_group = rest.split()[:3]
        if int(its_group) == group and state not in "ZX":
            found.append(process)
    return found


def test_ctrl_c_ends_all_workers_and_keeps_what_was_done(tmp_path):
    script = tmp_path / "slow.py"
    script.write_text(
        "import time, via\n"
        "def slow(a):\n"
        "    time.sleep(0 if a < 2 else 60)\n"
        "    return a\n"
        "via.sweep(slow, {'a': range(4)}, jobs=2, cache='kept')\n",
        encoding="ascii",
    )
    process = subprocess.Popen(
        [sys.executable, str(script)], cwd=tmp_path, start_new_session=True, stderr=subprocess.PIPE
    )
    while len(list(tmp_path.glob("kept/*/*.json"))) < 2:
        assert process.poll() is None
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=300)
    assert process.returncode != 0 and b"KeyboardInterrupt" in said
    assert running(group=process.pid) == []


def sleeps_after_the_first(a):
    time.sleep(60 if a else 0)


def test_no_worker_outlives_an_interrupt_between_two_results(monkeypatch, tmp_path):
    monkeypatch.setattr(Store, "put", Mock(side_effect=KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt) as caught:
        via.sweep(sleeps_after_the_first, {"a": [0, 1, 2]}, jobs=2, cache=tmp_path)
    assert caught.traceback  # is still there, as in a notebook
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_the_table_of_a_file_is_read_back_as_it_is(tmp_path):
    table = via.sweep(product, {"a": [1, 2], "b": 0.1}, cache=None, out=tmp_path / "t.csv")
    read = pd.read_csv(tmp_path / "t.csv", keep_default_na=False)
    pd.testing.assert_frame_equal(read, table)


def test_what_no_protocol_takes_is_found_before_any_point_runs(tmp_path):
    class Nothing(via.Protocol):
        async def run(self):
            (tmp_path / "ran").touch()

    for wrong in ({"rounds": [0]}, {"limit_ms": [0]}, {"transport": ["pigeon"]}, {"size": [1]}):
        with pytest.raises(via.ConfigError, match=f"none can be run.*{next(iter(wrong))} = "):
            via.sweep(Nothing, wrong, cache=None)
    assert not (tmp_path / "ran").exists()
