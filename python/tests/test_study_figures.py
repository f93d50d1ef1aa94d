# SPDX-License-Identifier: GPL-2.0-only
"""Figures of studies: many products, each drawn and like no other; notes on what was run."""

from collections import Counter

import numpy as np
import pytest
from matplotlib.figure import Figure
from via._drawing import plots
from via.studies import (
    faults_cases,
    faults_figure,
    mscs_cases,
    mscs_figure,
    multiround,
    protocol_runs,
    request_reply_cases,
    request_reply_figure,
    small_messages,
    small_messages_cases,
    small_messages_figure,
    what_if,
)
from via.studies.plan import Plan

CLAN = "giganet-clan1000"
CALLED = {f"product-{i}": f"Product {i}" for i in range(20)}


def of_faults(path):
    study = faults_cases
    found = [
        study.Outage(
            study.Task(protocol, fault, transport, name, nodes, outs), name, "", 1, 1, 2, ""
        )
        for protocol, about in study.PROTOCOLS.items()
        for fault in about.faults
        for name in CALLED
        for transport in ("via-send", "kernel-udp")
        for outs in (study.FITTED, study.USUAL)
        for nodes in (3, 5)
    ]
    faults_figure.draw(path, found, CALLED)


def of_mscs(path):
    found, beats = [], []
    for name in CALLED:
        for what in (mscs_cases.UPDATE, mscs_cases.REGROUP):
            for transport in ("via-send", "kernel-udp", "kernel-tcp"):
                for nodes in (2, 4):
                    case = protocol_runs.Case(what, transport, name, nodes, 1)
                    times = np.array([nodes * 1_000_000])
                    found.append(protocol_runs.Timed(case, name, "", times, 1, 1, ""))
        beat = protocol_runs.Case(mscs_cases.HEARTBEAT, "via-send", name, 2, 1)
        beats.append(mscs_cases.Beats(beat, name, "", 2, 2.0, 7e6, ""))
    mscs_figure.draw(path, found, beats, CALLED, 2)


def of_small_messages(path):
    task, stream = small_messages_cases.Task, small_messages_cases.Stream
    found = [
        stream(task("size", name, transport, size, 9), name, "", size, 1, 0, "")
        for name in CALLED
        for transport in ("via-send", "kernel-tcp")
        for size in (8, 64)
    ]
    found += [
        stream(task("latency", "", transport, 64, 9, 1.0, 64), "", "", 9, 1, 2, "")
        for transport in ("via-send", "kernel-tcp")
    ]
    small_messages_figure.draw(path, found, CALLED)


def of_request_reply(path):
    study = request_reply_cases
    found = [
        study.Served(study.Task(path, name, transport, nodes, 3, (1, 2)), name, "", nodes, 1, 1, "")
        for name in CALLED
        for transport in study.TRANSPORTS
        for nodes in (2, 4)
    ]
    request_reply_figure.draw(path, found, CALLED)


@pytest.fixture
def panels(monkeypatch):
    """The panels that a study draws."""
    made = []

    def compose(path, draws, grid, size, notes=()):
        for draw in draws:
            made.append(Figure().subplots())
            draw(made[-1])

    monkeypatch.setattr(plots, "compose", compose)
    return made


def look(line):
    """What tells a line from others."""
    return line.get_color(), line.get_linestyle(), line.get_marker(), line.get_fillstyle()


@pytest.mark.parametrize(
    ("draw", "transports"),
    [(of_faults, 2), (of_mscs, 3), (of_small_messages, 2), (of_request_reply, 2)],
)
def test_each_of_many_products_is_drawn_and_looks_like_no_other(draw, transports, panels, tmp_path):
    draw(tmp_path)
    named = [
        [line for line in panel.lines if "Product" in str(line.get_label())] for panel in panels
    ]
    amounts = {len(lines) for lines in named} - {0}
    heartbeats = {len(CALLED)} if draw is of_mscs else set()  # over one transport
    assert amounts == {transports * len(CALLED)} | heartbeats
    for lines in named:
        assert max(Counter(map(look, lines)).values(), default=1) == 1


@pytest.fixture
def noted(monkeypatch, tmp_path):
    """A function that returns the notes of a figure: those of a study's quick plan or others."""
    notes = []
    monkeypatch.setattr(plots, "compose", lambda *given, **named: notes.extend(named["notes"]))

    def text_of(study, quick):
        study.run(Plan(tmp_path, [CLAN], quick=quick))
        return " ".join(notes)

    return text_of


def small_run(task):
    """A result of a stream that was not run."""
    return small_messages_cases.Stream(task, CLAN, "", float(task.size), 1.0, 2.0, "")


@pytest.mark.parametrize(
    ("quick", "messages", "apart"), [(True, "600", "factor of 4"), (False, "3,000", "factor of 2")]
)
def test_small_messages_tell_how_many_were_sent(noted, monkeypatch, quick, messages, apart):
    monkeypatch.setattr(small_messages, "stream", small_run)
    told = noted(small_messages, quick)
    assert f"all but the first quarter of {messages} messages" in told
    assert f"({apart}" in told.replace("(a factor", "(factor")


def what_if_run(task):
    """A result of a changed number that was not run: each has its own digest."""
    return what_if.Found(task, CLAN, "", 1.0, task.key)


@pytest.mark.parametrize(("quick", "rounds"), [(True, 4), (False, 20)])
def test_what_if_tells_how_many_rounds_it_ran(noted, monkeypatch, quick, rounds):
    monkeypatch.setattr(what_if, "measure", what_if_run)
    assert f"; {rounds} rounds," in noted(what_if, quick)


def multiround_run(case):
    """A result of rounds that were not run."""
    times = np.array([1_000_000])
    return protocol_runs.Timed(case, CLAN, "", times, 1, 1, "")


@pytest.mark.parametrize("quick", [True, False])
def test_multiround_tells_where_kernels_end_if_they_do(noted, monkeypatch, quick):
    monkeypatch.setattr(multiround, "timed", multiround_run)
    assert ("UDP to 512 nodes" in noted(multiround, quick)) != quick
