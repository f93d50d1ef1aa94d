# SPDX-License-Identifier: GPL-2.0-only
"""The report of a run as one HTML page: what it holds, and what it refuses."""

import base64
import json
import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
import via
from reported import run_with_faults
from via._cli import main

pytest.importorskip("bokeh", "3.9", reason="Bokeh is not installed: ./via setup --ci does it")

HOSTILE = "</script><img src=x onerror=\"document.title='taken'\">$$x^2$$ \\(y\\) {{ 7 * 7 }}"


@pytest.fixture(scope="module")
def run():
    return run_with_faults()


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


def test_the_command_writes_the_page(folder, page, tmp_path, capsys):
    assert main(["report", str(folder), "-o", str(tmp_path / "page.html")]) == 0
    assert (tmp_path / "page.html").read_text("utf-8") == page
    assert capsys.readouterr() == ("", "")


def test_a_full_disk_leaves_no_page(folder, capfd):
    assert main(["report", str(folder), "-o", "/dev/full"]) == 2
    assert "No space left on device" in capfd.readouterr().err


def test_an_old_bokeh_is_refused(run, tmp_path, monkeypatch):
    monkeypatch.setattr("bokeh.__version__", "3.8.1")
    with pytest.raises(via.ConfigError, match=r"^bokeh = 3.8.1: a page needs 3.9 or later"):
        run.report_page(tmp_path / "page.html")
