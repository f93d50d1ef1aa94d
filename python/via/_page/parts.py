# SPDX-License-Identifier: GPL-2.0-only
"""The parts of a page: data for page.js, names of figures, and texts for the template."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from via._base.doing import WAITS, WORKS, doings
from via._base.quantiles import percentile_us
from via._base.units import PS_PER_US, format_time
from via._drawing import plots
from via._page import again, network, panels, sampling
from via._runs import tables
from via._runs.stages import node_of
from via.errors import ConfigError

PERCENTS = (0, 1, 10, 25, 50, 75, 90, 99, 99.9, 100)
PERCENT_NAMES: dict[float, str] = {0: "minimum", 50: "50 (median)", 100: "maximum"}
MOST_TROUBLES = 20
MOST_FAULTS = 500
MOST_MEANS = 40  # stages in the breakdown
MOST_STEPS = 1_000  # of the curve of latencies
LONGEST = 600  # letters of a value of the provenance
LABELLED = 60  # largest network whose nodes are named
WAIT_ALPHA = 0.35
SCALES = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)  # percent
DOTS = {"s": ("square", plots.BLACK, 1.0), "n": ("circle", plots.GREY, 0.75)}


class Measured(NamedTuple):
    """What the latencies of a page are of."""

    column: str  # of the table of percentiles
    plural: str  # behind "median of"
    axis: str


ROUND_TRIPS = Measured("half of each round trip", "half round trips", "half of a round trip")
ROUNDS = Measured("rounds", "rounds", "time of a round")
MESSAGES = Measured("messages, from post to reap", "messages", "from post to reap of a message")


class Reported(Protocol):
    """The part of a via.Run that a page shows."""

    @property
    def report(self) -> dict[str, Any]:
        """The run as a dictionary of plain values."""

    @property
    def provenance(self) -> dict[str, Any]:
        """What is needed to repeat the run."""

    @property
    def digest(self) -> str:
        """Equal for the same program, profile and seed."""

    @property
    def end_ps(self) -> int:
        """Simulated time of the end, in picoseconds."""

    @property
    def exit(self) -> int:
        """0: it ended well; 1: a process failed or was killed; 3: deadlock."""

    @property
    def ending(self) -> str:
        """How it ended, in a few words."""

    @property
    def troubles(self) -> list[str]:
        """One line per process that did not end well."""

    @property
    def faults(self) -> pd.DataFrame:
        """One row per fault that began."""

    @property
    def breakdown(self) -> tables.Breakdown:
        """The critical paths of its messages."""

    @property
    def has_round_trips(self) -> bool:
        """Whether the workload was a ping-pong."""

    def table(self, name: str) -> pd.DataFrame | None:
        """Return the table of this name; None: the run has none."""

    def times_ps(self) -> NDArray[np.int64]:
        """Return one-way times of messages or rounds."""


@dataclass
class Parts:
    """What a page is made of.

    Attributes:
        data: for page.js, as plain values.
        figures: names of the figures and tables that the page has.
        limits: the times in microseconds at the ends of the colours of messages.
        over_decades: whether the latencies need a logarithmic axis.
        time_axis: what the latencies are of, for this axis.
        busiest: the load in percent at the dark end of the colours of wires.
        cards: names and values at the top of the page.
        notes: what the page leaves out, a sentence each.
        texts: values of the template.
        origin: digest and provenance of the run, as run.save() writes them.
    """

    data: dict[str, Any] = field(default_factory=dict)
    figures: list[str] = field(default_factory=list)
    limits: tuple[float, float] = (0.0, 1.0)
    over_decades: bool = False
    time_axis: str = ""
    busiest: float = 100.0
    cards: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    texts: dict[str, Any] = field(default_factory=dict)
    origin: dict[str, Any] = field(default_factory=dict)


def of_run(run: Reported) -> Parts:
    """Return the parts of the page of a run."""
    parts = Parts({"end_us": run.end_ps / PS_PER_US, "colours": _colours(), "faults": {}})
    parts.data["fields"] = {
        name: [column for column, *_ in columns] for name, columns in panels.COLUMNS.items()
    }
    _messages(parts, run)
    _latency(parts, run)
    _faults(parts, run)
    _network(parts, run)
    _counters(parts, run)
    _head(parts, run)
    _again(parts, run)
    return parts


def _colours() -> dict[str, str]:
    return {part: colour for part, (_, colour) in plots.ENGINES.items()} | {"other": plots.GREY}


def _messages(parts: Parts, run: Reported) -> None:
    messages = run.table("messages")
    if messages is None or len(messages) == 0:
        return
    lives = (messages["end_ps"] - messages["posted_ps"]).to_numpy()
    rows = sampling.kept(lives, sampling.MOST_MESSAGES)
    if len(rows) < len(messages):
        parts.notes.append(
            f"Messages: {len(rows):,} of {len(messages):,} are in the table and the time line, "
            f"evenly chosen, with the {sampling.SLOWEST} slowest. Percentiles, breakdown and the "
            "number in flight are of all."
        )
    shown = messages.iloc[rows].reset_index(drop=True)
    at = node_of(run.report)
    nodes = {
        name: shown[rank].map(lambda each: at.get(each, each)).to_numpy()
        for name, rank in (("from_node", "src_rank"), ("to_node", "dst_rank"))
    }
    parts.data["messages"] = sampling.packed({
        "message": shown["message"].astype(str), "op": shown["op"].astype("category"),
        "source": shown["src_rank"], "target": shown["dst_rank"], **nodes,
        "bytes": shown["bytes"], "dropped": shown["dropped"], "posted_ps": shown["posted_ps"],
        "took_ps": shown["end_ps"] - shown["posted_ps"],
    })  # fmt: skip
    parts.texts["drops"] = bool(messages["dropped"].any())
    at, level = sampling.in_flight(messages, run.end_ps)
    parts.data["flight"] = sampling.packed({"at_ps": at, "level": level})
    parts.data["top"] = int(max(nodes["from_node"].max(), nodes["to_node"].max()))
    low, high = (float(np.quantile(lives, q)) / PS_PER_US for q in (0.0, 0.99))
    parts.limits = (low, high if high > low else low + 1e-6)
    parts.figures += ["flight", "messages-lines", "messages"]
    breakdown = run.table("breakdown")
    if breakdown is not None and len(breakdown) > 0:
        _stages(parts, run, shown)


def _stages(parts: Parts, run: Reported, shown: pd.DataFrame) -> None:
    stages = sampling.stage_rows(run.breakdown, shown)
    if len(stages) == 0:
        return
    known = stages["row"].nunique()
    if known < len(shown):
        parts.notes.append(
            f"Stages: those of {known:,} messages are in the page, evenly chosen, with the "
            "slowest. For any other: via breakdown RUN_FOLDER --message M."
        )
    parts.data["stages"] = sampling.packed({
        "row": stages["row"], "stage": stages["stage"].astype("category"),
        "owner": stages["owner"].astype("category"), "clock_hz": stages["clock_hz"],
        "cycles": stages["cycles"], "doing": pd.Series(doings(stages), dtype="category"),
        "begin_ps": stages["start_ps"],
        "took_ps": stages["end_ps"] - stages["start_ps"],
    })  # fmt: skip
    parts.data["doings"] = {"works": WORKS, "waits": WAITS}
    parts.figures += ["stages", "path"]
    parts.texts["legend"] = list(dict.fromkeys(plots.ENGINES.values()))
    means = sampling.means(run.breakdown)
    total = float(means["ps"].sum())
    rows = [
        {
            "stage": row.stage,
            "part": row.part,
            "us": f"{row.ps / PS_PER_US:,.4f}",
            "share": f"{100 * row.ps / max(total, 1e-9):.1f}",
            "width": f"{100 * row.ps / max(float(means['ps'].max()), 1e-9):.2f}",
            "colour": plots.part_of(f".{row.part}")[1],
            "alpha": WAIT_ALPHA if row.is_wait else 1,
        }
        for row in means.head(MOST_MEANS).itertuples()
    ]
    if len(means) > MOST_MEANS:
        parts.notes.append(
            f"Breakdown: the {MOST_MEANS} longest of {len(means)} stages are listed."
        )
    count = tables.counted(run.breakdown)["message"].nunique()
    parts.texts |= {
        "means": rows,
        "means_of": f"{count:,} message{'s' if count != 1 else ''}{tables.without(run.breakdown)}",
        "mean_us": f"{total / PS_PER_US:,.4f}",
    }


def _latency(parts: Parts, run: Reported) -> None:
    try:
        times = np.sort(run.times_ps())
    except ConfigError:  # neither samples nor messages
        return
    messages = run.table("messages")
    measured = _measured(run, times)
    columns = {measured.column: times}
    if messages is not None and measured is not MESSAGES:
        kept = messages[~messages["dropped"]]
        lives = np.sort((kept["end_ps"] - kept["posted_ps"]).to_numpy())
        if len(lives) and not np.array_equal(lives, times):
            columns[MESSAGES.column] = lives
    parts.texts["times"] = [f"{name} ({len(values):,})" for name, values in columns.items()]
    parts.texts["percentiles"] = [
        (PERCENT_NAMES.get(percent, f"{percent:g}"),
         [f"{percentile_us(values, percent):,.6f}" for values in columns.values()])
        for percent in PERCENTS
    ]  # fmt: skip
    for label, percent in (("median", 50), ("99th percentile", 99), ("maximum", 100)):
        name = f"{label} of {measured.plural}, \u00b5s"
        parts.cards.append((name, f"{percentile_us(times, percent):,.3f}"))
    at = np.unique(np.linspace(0, len(times) - 1, MOST_STEPS).astype(np.int64))
    parts.data["cdf"] = sampling.packed({  # from 0 % at the minimum
        "ps": np.r_[times[0], times[at]], "percent": np.r_[0.0, 100.0 * (at + 1) / len(times)],
    })  # fmt: skip
    parts.figures.append("cdf")
    parts.time_axis = f"{measured.axis}, \u00b5s"
    parts.over_decades = plots.is_wide(times[[0, -1]])


def _measured(run: Reported, times: NDArray[np.int64]) -> Measured:
    """Return what run.times_ps() measured: times, sorted."""
    if run.has_round_trips:
        return ROUND_TRIPS
    samples = run.table("samples")
    is_samples = samples is not None and np.array_equal(np.sort(samples["ps"].to_numpy()), times)
    return ROUNDS if is_samples else MESSAGES


def _faults(parts: Parts, run: Reported) -> None:
    faults = run.faults
    if len(faults) == 0:
        return
    if len(faults) > MOST_FAULTS:
        parts.notes.append(f"Faults: the first {MOST_FAULTS} of {len(faults):,} are shown.")
        faults = faults.head(MOST_FAULTS)
    until = faults["until_ps"].fillna(run.end_ps).astype("int64")
    begins = [_time(ps) for ps in faults["at_ps"]]
    ends = ["the end" if pd.isna(ps) else _time(ps) for ps in faults["until_ps"]]
    parts.data["faults"] = sampling.packed({
        "left": faults["at_ps"] / PS_PER_US, "right": until / PS_PER_US, "kind": faults["kind"],
        "where": faults["where"], "at": np.array(begins), "until": np.array(ends),
    })  # fmt: skip
    columns = [faults[name] for name in ("corrupt", "lost", "killed")]
    parts.texts["faults"] = list(
        zip(faults["kind"], faults["where"], begins, ends, *columns, strict=True)
    )


def _time(ps: int) -> str:
    return format_time(ps).replace(" us", " \u00b5s")


def _network(parts: Parts, run: Reported) -> None:
    links = run.table("links")
    if links is None or len(links) == 0:
        parts.texts["no_drawing"] = "the run has no table of links"
        return
    parts.data["links"] = sampling.packed(
        {name: links[name] for name, *_ in panels.COLUMNS["links"]}
    )
    parts.figures.append("links")
    drawn = network.drawing(links, run.provenance)
    if isinstance(drawn, str):
        parts.texts["no_drawing"] = drawn
        return
    places, lines = drawn
    busy = links["busy_pct"].to_numpy(float)
    order = np.argsort(busy, kind="stable")  # busy wires on top
    parts.busiest = next((most for most in SCALES if busy.max() <= most), SCALES[-1])
    dot = max(3.0, min(13.0, 90 / len(places) ** 0.5))
    marks = [DOTS[name[0]] for name in places]
    parts.data["network"] = {
        "order": order.tolist(),
        "xs": [[round(x, 4) for x, _ in lines[i]] for i in order],
        "ys": [[round(y, 4) for _, y in lines[i]] for i in order],
        "nodes": {
            "x": [round(x, 4) for x, _ in places.values()],
            "y": [round(y, 4) for _, y in places.values()],
            "name": list(places),
            "label": list(places) if len(places) <= LABELLED else [""] * len(places),
            "mark": [mark for mark, _, _ in marks],
            "colour": [colour for _, colour, _ in marks],
            "size": [dot * scale for _, _, scale in marks],
        },
    }
    parts.figures.append("network")


def _counters(parts: Parts, run: Reported) -> None:
    counters = run.table("counters")
    if counters is None:
        return
    found = counters[counters["value"] != 0].reset_index(drop=True)
    if len(found) > sampling.MOST_COUNTERS:
        parts.notes.append(
            f"Counters: the first {sampling.MOST_COUNTERS:,} of {len(found):,} that are not 0."
        )
        found = found.head(sampling.MOST_COUNTERS)
    if len(found):
        parts.data["counters"] = sampling.packed(
            {name: found[name] for name in ("owner", "counter", "value")}
        )
        parts.figures.append("counters")


def _head(parts: Parts, run: Reported) -> None:
    origin, report = run.provenance, run.report
    whats = (origin.get(name) for name in ("workload", "program", "protocol"))
    what = next((str(each) for each in whats if each), "processes")
    nodes = report.get("nodes", "?")
    titled = f"{what} on {nodes} nodes, {origin.get('profile', '?')}"
    cards = [
        ("messages", f"{report.get('messages', 0):,}"),
        *parts.cards,
        ("simulated time", _time(run.end_ps)),
        ("events", f"{report.get('events', 0):,}"),
        ("fault" if len(run.faults) == 1 else "faults", f"{len(run.faults):,}"),
    ]
    troubles = run.troubles
    if len(troubles) > MOST_TROUBLES:
        troubles = [*troubles[:MOST_TROUBLES], f"... and {len(troubles) - MOST_TROUBLES} more"]
    parts.texts |= {
        "title": titled,
        "subtitle": f"topology {origin.get('topology', '?')}, seed {origin.get('seed', '?')}, "
        f"host {origin.get('host', '?')}, via {origin.get('via', '?')}, digest {run.digest}",
        "good": run.exit == 0,
        "ending": run.ending,
        "cards": cards,
        "troubles": troubles,
        "digest": run.digest,
    }


def _again(parts: Parts, run: Reported) -> None:
    parts.origin = {"digest": run.digest, **run.provenance}
    language, text = again.command(run.provenance, run.digest, run.exit == 0)
    how = "In a shell, beside the program:" if language == "sh" else "As a Python script:"
    parts.texts |= {
        "again": text,
        "again_how": how,
        "provenance": [(name, _short(value)) for name, value in run.provenance.items()],
    }


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ... ({len(text):,} letters)"
