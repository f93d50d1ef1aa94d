# SPDX-License-Identifier: GPL-2.0-only
"""The report of a run as one HTML page: what it holds, and what it refuses."""

import base64
import json
import re
import shlex
import sys
from html.parser import HTMLParser
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import via
from via._cli import main
from via._page import again, network, sampling

pytest.importorskip("bokeh", "3.9", reason="Bokeh is not installed: ./via setup --ci does it")

HOSTILE = "</script><img src=x onerror=\"document.title='taken'\">$$x^2$$ \\(y\\) {{ 7 * 7 }}"


@pytest.fixture(scope="module")
def run():
    plan = via.Faults().link_down("n1", at="200 us", until="250 us").loss("all", corrupt_ppb=1000)
    return via.Cluster(nodes=4, faults=plan).run("all-to-all", rounds=3)


@pytest.fixture(scope="module")
def folder(run, tmp_path_factory):
    place = tmp_path_factory.mktemp("saved") / "run"
    run.save(place)
    return place


@pytest.fixture(scope="module")
def page(run, tmp_path_factory):
    place = tmp_path_factory.mktemp("page") / "page.html"
    run.report_page(place)
    return place.read_text("utf-8")


def embedded(page, name):
    """The JSON of a script element."""
    found = re.search(f'<script type="application/json" id="{name}">(.*?)</script>', page, re.S)
    return json.loads(found[1])


def column(packed):
    if isinstance(packed, list):
        return packed
    if "names" in packed:
        return [packed["names"][code] for code in column(packed["codes"])]
    ((kind, text),) = packed.items()
    return np.frombuffer(base64.b64decode(text), {"i32": "<i4", "f64": "<f8"}[kind]).tolist()


def test_a_page_has_the_provenance_for_programs(run, page):
    told = embedded(page, "provenance")
    assert told == {"digest": run.digest, **json.loads(json.dumps(run.provenance))}


def test_each_scale_of_colours_tells_its_unit(page):
    titles = re.findall(r'"name":"ColorBar".*?"title":("[^"]*")', page)
    assert list(map(json.loads, titles)) == ["took, \u00b5s", "busy, %"]


class Elements(HTMLParser):
    """The elements of a page, with the names of their attributes."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, tuple(name for name, _ in attrs)))


def test_the_page_has_every_message_to_the_picosecond(run, page):
    packed = embedded(page, "data")["messages"]
    assert column(packed["message"]) == run.messages["message"].tolist()
    assert column(packed["posted_ps"]) == run.messages["posted_ps"].tolist()
    lives = run.messages["end_ps"] - run.messages["posted_ps"]
    assert column(packed["took_ps"]) == lives.tolist()
    assert column(packed["op"]) == run.messages["op"].astype(str).tolist()


def test_the_stages_of_a_message_tile_its_life(run, page):
    packed = {name: column(each) for name, each in embedded(page, "data")["stages"].items()}
    stages = pd.DataFrame(packed)
    for row, of_one in stages.groupby("row"):
        message = run.messages.iloc[row]
        assert of_one["took_ps"].sum() == message["end_ps"] - message["posted_ps"]
        assert of_one["begin_ps"].min() == message["posted_ps"]
    assert stages["row"].nunique() == len(run.messages)


def test_the_page_has_the_faults_with_their_times(run, page):
    faults = embedded(page, "data")["faults"]
    assert column(faults["left"]) == [0.0, 200.0]
    assert column(faults["right"]) == [run.end_ps / 1e6, 250.0]
    assert column(faults["kind"]) == run.faults["kind"].tolist() == ["loss", "link_down"]
    assert "<td>link_down</td><td>n1</td><td>200.000 \u00b5s</td><td>250.000 \u00b5s</td>" in page
    assert "<b>2</b><span>faults</span>" in page


def test_one_fault_is_counted_as_one(tmp_path):
    plan = via.Faults().link_down("n1", at="20 us", until="25 us")
    via.Cluster(nodes=2, faults=plan).run("barrier", rounds=9).report_page(tmp_path / "one.html")
    assert "<b>1</b><span>fault</span>" in (tmp_path / "one.html").read_text("utf-8")


def test_the_page_has_percentiles_load_counters_and_digest(run, page):
    data = embedded(page, "data")
    assert f"{run.latency_us(0.99):,.6f}" in page
    assert column(data["links"]["busy_pct"]) == run.links["busy_pct"].tolist()
    assert column(data["counters"]["value"]) == [v for v in run.counters["value"] if v]
    assert run.digest in page
    assert len(data["network"]["xs"]) == len(run.links)


@pytest.mark.parametrize(("last", "axis"), [(40_000_000, "LogAxis"), (9_000_000, "LinearAxis")])
def test_times_over_decades_are_on_a_logarithmic_axis(run, last, axis, monkeypatch, tmp_path):
    monkeypatch.setattr(via.Run, "times_ps", lambda self: np.array([1_000_000, last]))
    run.report_page(tmp_path / "page.html")
    figures = embedded((tmp_path / "page.html").read_text("utf-8"), "figures")
    roots = {each["attributes"]["name"]: each for each in figures["document"]["roots"]}
    (below,) = roots["cdf"]["attributes"]["below"]
    assert below["name"] == axis


def test_the_curve_of_latencies_goes_from_no_time_to_all(run, page):
    curve = {name: column(each) for name, each in embedded(page, "data")["cdf"].items()}
    times = np.sort(run.times_ps())
    assert (curve["ps"][0], curve["percent"][0]) == (times[0], 0)
    assert (curve["ps"][-1], curve["percent"][-1]) == (times[-1], 100)


@pytest.mark.parametrize(
    ("workload", "of", "axis"),
    [
        ("ping-pong", "half round trips", "half of a round trip"),
        ("barrier", "rounds", "time of a round"),
        ("stream", "messages", "from post to reap of a message"),
        ("socket-stream", "messages", "from post to reap of a message"),
    ],
)
def test_cards_and_curve_say_what_their_times_are_of(workload, of, axis, tmp_path):
    via.Cluster().run(workload).report_page(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    for name in ("median", "99th percentile", "maximum"):
        assert f"<span>{name} of {of}, \u00b5s</span>" in page
    roots = embedded(page, "figures")["document"]["roots"]
    (curve,) = (root for root in roots if root["attributes"]["name"] == "cdf")
    assert curve["attributes"]["below"][0]["attributes"]["axis_label"] == f"{axis}, \u00b5s"


def test_the_percentiles_of_a_stream_are_those_of_its_latency(tmp_path):
    run = via.Cluster().run("stream", size=1000, messages=20, window=2)
    run.report_page(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "messages, from post to reap (20)" in page
    assert f"{run.latency_us(0.5):,.6f}" in page


def test_no_other_file_and_no_address_is_loaded(page):
    assert not [attrs for _, attrs in Elements(page).found if {"src", "srcset"} & set(attrs)]
    policy = re.search('http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src &#39;none&#39;; script-src &#39;sha256-")
    assert "unsafe-eval" not in policy
    assert "connect-src" not in policy


def test_the_same_run_gives_the_same_bytes(run, folder, page, tmp_path):
    via.Run.load(folder).report_page(tmp_path / "second.html")
    assert (tmp_path / "second.html").read_text("utf-8") == page


def hostile_copy(folder, place):
    """A run's folder in which all texts of tables and provenance are hostile."""
    run = via.Run.load(folder)
    for name in ("messages", "breakdown", "links", "counters"):
        table = run.table(name)
        for text in table.select_dtypes(include=["object", "category"]):
            keep = table[text].astype(str)
            table[text] = keep if text in ("op", "stage") else HOSTILE + keep
            if text == "stage":
                table[text] = pd.Categorical(keep + HOSTILE)
    run.faults["kind"] = run.faults["where"] = HOSTILE
    run.report["violations"] = [HOSTILE]
    run.report["digest"] = HOSTILE
    texts = ("profile", "host", "topology", "workload", "via")
    run.provenance.update(dict.fromkeys(texts, HOSTILE), parameters={HOSTILE: HOSTILE})
    run.report_page(place)
    return place.read_text("utf-8")


def test_no_name_in_a_run_becomes_an_element_or_a_script(folder, page, tmp_path):
    hostile = hostile_copy(folder, tmp_path / "hostile.html")
    elements = Elements(hostile).found
    assert "img" not in {tag for tag, _ in elements}
    assert not [attrs for _, attrs in elements if any(each.startswith("on") for each in attrs)]
    assert [tag for tag, _ in elements].count("script") == [
        tag for tag, _ in Elements(page).found
    ].count("script")
    assert "&lt;/script&gt;&lt;img src=x" in hostile
    assert "{{ 7 * 7 }}" in hostile
    assert embedded(hostile, "data")["messages"]["message"][0].startswith(HOSTILE)


@pytest.mark.ci
def test_the_page_of_a_run_of_100000_messages_is_small_and_says_what_it_leaves_out(
    run, folder, tmp_path
):
    times = 100_000 // len(run.messages) + 1
    large = via.Run.load(folder)
    for name in ("messages", "breakdown"):
        table = pd.concat([large.table(name)] * times, ignore_index=True)
        which = np.repeat(np.arange(times), len(large.table(name))).astype(str)
        large._tables[name] = table.assign(message=table["message"].astype(str) + "." + which)
    large.report_page(tmp_path / "large.html")
    page = (tmp_path / "large.html").read_text("utf-8")
    known = len(set(column(embedded(page, "data")["stages"]["row"])))
    assert len(column(embedded(page, "data")["messages"]["message"])) >= 100_000
    assert f"Stages: those of {known:,} messages are in the page" in page
    assert len(page) < 20_000_000


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


def test_a_run_without_tables_has_a_page_that_says_so(tmp_path):
    silent = via.Cluster(record=False).run("ping-pong", rounds=2)
    silent.report_page(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "This run recorded no messages" in page
    assert f"{silent.latency_us():,.6f}" in page


def test_a_run_that_failed_says_what_went_wrong(tmp_path):
    plan = via.Faults().node_crash("n1", at="100 us")
    with pytest.raises(via.RunError) as caught:
        via.Cluster(nodes=2, faults=plan).run("ping-pong", rounds=50).expect_clean()
    caught.value.run.report_page(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "rank 1 on n1" in page
    assert "What went wrong" in page
    assert "check=False" in page  # the script that makes it again gets to its digest


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


def test_the_command_writes_the_page(folder, page, tmp_path, capsys):
    assert main(["report", str(folder), "-o", str(tmp_path / "page.html")]) == 0
    assert (tmp_path / "page.html").read_text("utf-8") == page
    assert capsys.readouterr() == ("", "")


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


def test_a_full_disk_leaves_no_page(folder, capfd):
    assert main(["report", str(folder), "-o", "/dev/full"]) == 2
    assert "No space left on device" in capfd.readouterr().err


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


def test_an_old_bokeh_is_refused(run, tmp_path, monkeypatch):
    monkeypatch.setattr("bokeh.__version__", "3.8.1")
    with pytest.raises(via.ConfigError, match=r"^bokeh = 3.8.1: a page needs 3.9 or later"):
        run.report_page(tmp_path / "page.html")
