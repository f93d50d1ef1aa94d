# SPDX-License-Identifier: GPL-2.0-only
"""Figures of studies: of many products each is drawn, and looks like no other."""

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
    protocol_runs,
    request_reply_cases,
    request_reply_figure,
    small_messages_cases,
    small_messages_figure,
)

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
    assert {len(lines) for lines in named} - {0} == {transports * len(CALLED)}
    for lines in named:
        assert max(Counter(map(look, lines)).values(), default=1) == 1
