# SPDX-License-Identifier: GPL-2.0-only
"""The profiles held against the published measurements, and how much each agreement is worth."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from via import profiles, programs, published
from via._core import ProfileEntry
from via.errors import refuse
from via.studies import calibration_report, costs
from via.studies.costs import BANDWIDTH, CALLS, LATENCY, SLOPE, Found, Task
from via.studies.parallel import run_all
from via.studies.plan import Outcome, Plan, write_csv

COLUMNS = (
    "profile", "host", "metric", "size_bytes", "target", "unit", "simulated", "error_pct", "trust",
    "used", "residual_share_pct", "reason",
)  # fmt: skip

REGISTERED_BYTES = 8192  # of register_or_deregister_8KB

# What is simulated for a metric of published.csv, and which of the numbers found are its mean.
METRICS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "latency_one_way": (LATENCY, (LATENCY,)),
    "latency_one_way_base": (LATENCY, (LATENCY,)),
    "per_byte_cost": (SLOPE, (SLOPE,)),
    "bandwidth": (BANDWIDTH, (BANDWIDTH,)),
    "bandwidth_peak": (BANDWIDTH, (BANDWIDTH,)),
    "register_or_deregister_8KB": (CALLS, ("register", "deregister")),
    "vi_create": (CALLS, ("vi_create",)),
    "vi_destroy": (CALLS, ("vi_destroy",)),
    "cq_create": (CALLS, ("cq_create",)),
    "cq_destroy": (CALLS, ("cq_destroy",)),
    "connection_establish": (CALLS, ("connection_establish",)),
    "connection_teardown": (CALLS, ("connection_teardown",)),
}

# Why a metric cannot be simulated; the first that matches counts.
_BEYOND = (
    (r"tcp", "TCP over the card is not simulated"),
    (r"^(mpi|sockets)_", "a library above VIA that is not simulated"),
    (r"", "a property of the product, no measurement of a program"),
)

_CITED_ROW = re.compile(r"^([A-Za-z][\w-]*)/([A-Za-z][\w.-]*?)(?=:|,|\s|$)")

# Provider and metric that the source of a profile's entry names, and the entry.
Citation = tuple[str, str, ProfileEntry]

# How a row stands to the profile, the weakest claim first.
FITTED, INPUT, PREDICTED = "fitted", "input", "predicted"


@dataclass(frozen=True)
class Row:
    """A published measurement beside ours.

    Attributes:
        asked: the profile as it was asked for: a name or a path.
        host: that it is simulated on, if it is.
        standing: FITTED: a number was chosen to meet it; INPUT: a number follows from it, so that
            they agree by construction; PREDICTED: neither; empty: not compared.
        missing: why it is not compared; empty: it is.
    """

    asked: str
    profile: str
    host: str
    metric: str
    size: int | None
    target: str
    unit: str
    trust: str
    source: str
    standing: str
    explained: str
    missing: str
    simulated: float | None = None
    residual_share_pct: float | None = None

    @property
    def error_pct(self) -> float | None:
        """How far ours is from the published value, in percent of that."""
        if self.simulated is None:
            return None
        return round(100 * (self.simulated / float(self.target) - 1), 3)

    @property
    def used(self) -> bool:
        """Whether it is compared."""
        return not self.missing

    @property
    def reason(self) -> str:
        """Source, and why it is not compared or what the comparison is worth."""
        return f"{self.source}: {self.missing or self.explained}"

    def cells(self) -> list[object]:
        """Return the row of the CSV file."""
        host = "" if self.simulated is None else self.host
        return [
            self.profile, host, self.metric, self.size, self.target, self.unit, self.simulated,
            self.error_pct, self.trust, "yes" if self.used else "no", self.residual_share_pct,
            self.reason,
        ]  # fmt: skip


def run(plan: Plan) -> Outcome:
    """Simulate what was published, on the host it was measured on."""
    rows = [row for name in plan.profiles for row in rows_of(name)]
    if not rows:
        names = ", ".join(plan.profiles)
        raise refuse("profile", names, "it cites no published measurement to compare with")
    with tempfile.TemporaryDirectory(prefix="via-study-") as folder:
        program = programs.build("costs", Path(folder))
        tasks = list(dict.fromkeys(_tasks(rows, plan, program)))
        found = run_all(costs.simulate, tasks, jobs=plan.jobs, what="calibration")
    by_task = dict(zip(tasks, found, strict=True))
    rows = [_filled(row, plan, program, by_task) for row in rows]
    csv = write_csv(plan.out / "calibration.csv", [row.cells() for row in rows], COLUMNS)
    png = plan.out / "calibration.png"
    calibration_report.draw(png, rows)
    digests = [digest for each in found for digest in each.digests]
    return Outcome(calibration_report.text(rows), [csv, png], digests)


# ---- What was published ----


def rows_of(profile: str) -> list[Row]:
    """Return every published row of the product that a profile is of, not yet simulated."""
    card = profiles.load(profile)
    cited = _citations(card)
    provider = _provider(cited)
    table = published.load()
    mine = table[table["provider"] == provider]
    return [_row(profile, card, each, cited) for each in mine.itertuples()]


def _citations(card: profiles.Profile) -> list[Citation]:
    found = []
    for entry in card.entries:
        if match := _CITED_ROW.match(entry.source):
            found.append((match[1], match[2], entry))
    return found


def _provider(cited: Sequence[Citation]) -> str | None:
    """Return the name that the product bears in published.csv: the one it cites most."""
    counts = Counter(provider for provider, _, entry in cited if not _is_of_host(entry))
    return max(sorted(counts), key=counts.__getitem__) if counts else None


def _is_of_host(entry: ProfileEntry) -> bool:
    return entry.key.split(".")[0] in ("cpu", "os", "bus")


def _row(asked: str, card: profiles.Profile, each: Any, cited: Sequence[Citation]) -> Row:
    usual_host = card.host
    size = None if pd.isna(each.size_bytes) else int(each.size_bytes)
    host = published.test_bed(each.source)
    standing, explained = _standing(each, cited)
    missing = _missing(each, size, host, usual_host)
    if host is None and each.metric in METRICS and not missing:
        explained += f"; of its host there is no profile, {usual_host} stands in"
    return Row(
        asked=asked,
        profile=card.name,
        host=host or usual_host,
        metric=each.metric,
        size=size,
        target=str(each.value) if _is_number(each.value) else "",
        unit=each.unit,
        trust=each.status,
        source=published.short_source(each.source),
        standing=standing if not missing else "",
        explained=explained,
        missing=missing,
    )


def _missing(each: Any, size: int | None, host: str | None, usual_host: str) -> str:
    """Return why a row cannot be compared; empty: it can."""
    if each.unit.endswith("_as_printed"):
        return "the unit as printed cannot be right"
    if each.metric not in METRICS:
        return next(why for pattern, why in _BEYOND if re.search(pattern, each.metric))
    kind, _ = METRICS[each.metric]
    if not _is_number(each.value):
        return f"what is published is not one number: {each.value}"
    if kind == LATENCY and size is None:
        return "the size of the message is not known"
    if kind == LATENCY and host is None:
        return f"of its host there is no profile; simulated on {usual_host} for orientation"
    return ""


def _is_number(text: str) -> bool:
    return re.fullmatch(r"\d+(\.\d+)?", text) is not None


def _standing(each: Any, cited: Sequence[Citation]) -> tuple[str, str]:
    """Return how a row stands to the profile, and that in words."""
    citing = [
        entry
        for provider, metric, entry in cited
        if (provider, metric) == (each.provider, each.metric) and not _is_of_host(entry)
    ]
    fitted = [entry.key for entry in citing if entry.trust == "fitted"]
    if fitted:
        return FITTED, f"fitted: {', '.join(fitted)} was chosen to meet it"
    if citing:
        keys = ", ".join(entry.key for entry in citing)
        return INPUT, f"input: {keys} taken from it"
    return PREDICTED, "predicted: no number of the profile was taken from it"


# ---- What is simulated for it ----


def _task(row: Row, plan: Plan, program: Path) -> Task | None:
    """Return what to simulate for a row; None: nothing."""
    if row.metric not in METRICS or not row.target:
        return None
    kind, _ = METRICS[row.metric]
    if kind == LATENCY and row.size is None:
        return None
    calls = kind == CALLS
    return Task(
        row.asked, row.host, kind, REGISTERED_BYTES if calls else row.size, plan.quick,
        program=program if calls else None,
    )  # fmt: skip


def _tasks(rows: Sequence[Row], plan: Plan, program: Path) -> Iterator[Task]:
    for row in rows:
        task = _task(row, plan, program)
        if task is not None:
            yield task
            yield replace(task, residual=False)


def _filled(row: Row, plan: Plan, program: Path, found: Mapping[Task, Found]) -> Row:
    """Return a row with what was simulated for it."""
    task = _task(row, plan, program)
    if task is None:
        return row
    value = _value(row, found[task])
    without = _value(row, found[replace(task, residual=False)])
    share = 100 * abs(value - without) / value
    return replace(row, simulated=round(value, 6), residual_share_pct=round(share, 3))


def _value(row: Row, found: Found) -> float:
    _, names = METRICS[row.metric]
    value = sum(found.values[name] for name in names) / len(names)
    return value * 8 if row.unit == "Mb/s" else value
