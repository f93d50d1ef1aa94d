# SPDX-License-Identifier: GPL-2.0-only
"""The published measurements with which a profile is compared, a row each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from via import profiles
from via._base import published
from via._core import ProfileEntry
from via.studies import costs
from via.studies.calibration_table import Comparison, Left, Table
from via.studies.costs import (
    BANDWIDTH,
    BARRIER,
    CALLS,
    DMA,
    HALF,
    MEASURES,
    PAGES,
    SOCKET_BANDWIDTH,
    SOCKET_LATENCY,
    TWO_WAY,
    WAY,
    Found,
    Task,
)
from via.studies.plan import Plan

# Relation of a row to the profile, weakest claim first.
FITTED, INPUT, PREDICTED = "fitted", "input", "predicted"
CONTEXT = "context"  # shown, not compared

# What sets the values of a kind of simulation; not named: a latency.
_MECHANISMS = {
    BANDWIDTH: "rate: wire, bus, card", TWO_WAY: "rate: wire, bus, card",
    HALF: "upkeep of a message", BARRIER: "barriers", DMA: "bus of a host",
    SOCKET_LATENCY: "kernel and its sockets", SOCKET_BANDWIDTH: "kernel and its sockets",
    CALLS: "calls that set up", PAGES: "calls that set up", WAY: "switches and cables",
}  # fmt: skip

BARE = "ideal"  # the product with whose file a host by itself is read

_BITS = {"Mb/s": 8.0}  # simulated bandwidths are in bytes


@dataclass(frozen=True)
class Row:
    """A published measurement and our simulation of it.

    Attributes:
        asked: the requested profile: a name or a path.
        label: its name for text and figure.
        host: the simulated host.
        standing: FITTED: a number was chosen to meet it; INPUT: a number or a part of the product
            was derived from it, so that they agree by construction; PREDICTED: neither.
        keys: the keys of the profile that cite it.
        processor: what does the card's work: "pipeline", "firmware" or "host".
        low, high: the band of the simulated value, if it was asked for and the row is predicted.
    """

    asked: str
    profile: str
    label: str
    host: str
    comparison: Comparison
    standing: str
    keys: Sequence[str]
    processor: str = ""
    simulated: float | None = None
    residual_share_pct: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def target(self) -> float:
        """The published value."""
        return float(self.comparison.row.value)

    @property
    def trust(self) -> str:
        """The trust level of the published value."""
        return self.comparison.row.trust

    @property
    def used(self) -> bool:
        """Whether the row is compared, not only shown."""
        return self.comparison.use != "context"

    @property
    def over_sockets(self) -> bool:
        """Whether the messages go through a kernel's sockets."""
        return self.comparison.kernel is not None

    @property
    def mechanism(self) -> str:
        """What sets the value: hardware, firmware or kernel with a latency, and so on."""
        if self.comparison.measure == "ping_pong_rate":  # of long messages
            return _MECHANISMS[BANDWIDTH]
        kind = MEASURES[self.comparison.measure].kind
        return _MECHANISMS.get(kind) or f"latency, {self.processor}"

    @property
    def error_pct(self) -> float | None:
        """Our error in percent of the published value."""
        if self.simulated is None:
            return None
        return round(100 * (self.simulated / self.target - 1), 3)

    @property
    def multiple(self) -> float:
        """The error as a multiple of the uncertainty of the published value."""
        return published.multiple(
            self.simulated or 0.0, self.target, self.trust, kernel=self.over_sockets
        )

    @property
    def source(self) -> str:
        """First author and year."""
        return published.short_source(self.comparison.row.source)

    @property
    def explained(self) -> str:
        """What the comparison is worth, in words."""
        if self.standing == FITTED:
            return f"fitted: {', '.join(self.keys)} was chosen to meet it"
        if self.standing == INPUT and not self.keys:
            return f"input: {self.comparison.chose} chosen because of it"
        if self.standing == INPUT:
            return f"input: {', '.join(self.keys)} taken from it"
        return "predicted: no number of product, host or kernel was taken from it"

    @property
    def reason(self) -> str:
        """Source, worth of the comparison, and remarks."""
        outside = f"outside: {self.comparison.outside}" if self.comparison.outside else ""
        kernel = f"TCP of {self.comparison.kernel}" if self.comparison.kernel else ""
        parts = [self.explained if self.used else "", kernel, self.comparison.reason, outside]
        return f"{self.source}: {'; '.join(part for part in parts if part)}"

    def cells(self) -> list[object]:
        """Return the row of the CSV file."""
        row = self.comparison.row
        return [
            self.profile, self.host, row.metric, self.comparison.size, row.value, row.unit,
            self.simulated, self.error_pct, self.trust, "yes" if self.used else "no",
            self.residual_share_pct, self.reason, self.low, self.high,
            self.standing if self.used else CONTEXT,
        ]  # fmt: skip


def rows_of(profile: str, table: Table) -> list[Row]:
    """Return every published row with which a profile is compared, not yet simulated."""
    card = profiles.load(profile)
    comparisons = table.of(card)
    named = Counter((each.row.provider, each.row.metric) for each in comparisons)
    return [
        _row(profile, card, each, alone=named[each.row.provider, each.row.metric] == 1)
        for each in comparisons
    ]


def host_rows(table: Table) -> list[Row]:
    """Return every published row with which a host by itself is compared, not yet simulated."""
    return [
        _row("", profiles.load(BARE, each.host), each, alone=False) for each in table.of_hosts()
    ]


def _row(asked: str, card: profiles.Profile, comparison: Comparison, *, alone: bool) -> Row:
    citing = _citing(asked, comparison)
    fitted = [entry for entry in citing if entry.trust == FITTED]
    # If several rows have one name, the table says which one was fitted.
    is_fit = bool(fitted) and (alone or comparison.use == "fit")
    is_input = bool(comparison.chose) or (bool(citing) and not fitted)
    standing = FITTED if is_fit else INPUT if is_input else PREDICTED
    keys = [entry.key for entry in (fitted if is_fit else citing)]
    host = comparison.host or card.host
    if not asked:
        return Row(asked, "", f"host {host}", host, comparison, standing, keys)
    label, runs_on = profiles.label(card), profiles.mechanisms(card)["nic.processor"]
    return Row(asked, card.name, label, host, comparison, standing, keys, runs_on)


def _citing(asked: str, comparison: Comparison) -> list[ProfileEntry]:
    """Return the entries of product, host and kernel that name a row in their sources."""
    row = comparison.row
    text = f"{row.conditions} {row.source}"
    card = profiles.load(asked or BARE, comparison.host)
    if comparison.kernel is not None:
        card = card.with_kernel(comparison.kernel)
    return [
        entry
        for entry in card.entries
        if any(
            (each.provider, each.metric) == (row.provider, row.metric) and each.where in text
            for each in published.named(entry.source)
        )
    ]


def unexplained_keys(
    asked: str, table: Table, host: str | None = None, kernel: str | None = None
) -> list[str]:
    """Return the keys whose time no mechanism of the product explains: residuals, and borrowed."""
    keys = costs.residual_keys(asked, host, kernel)
    return keys + (borrowed_keys(asked, table) if asked else [])


def borrowed_keys(asked: str, table: Table) -> list[str]:
    """Return the cycles of a product that were taken from measurements of other products.

    They explain no more than a residual does: nothing says that the products work alike.
    """
    card = profiles.load(asked)
    own = {each.row.provider for each in table.of(card)}
    return [
        entry.key
        for entry in card.entries
        if entry.unit == "nic cycles"
        and (cited := {each.provider for each in published.named(entry.source)})
        and not cited & own
    ]


def left_of(rows: Sequence[Row], table: Table, *, everything: bool) -> list[Left]:
    """Return the rows that are not compared, of the providers in `rows` or of all."""
    providers = {row.comparison.row.provider for row in rows}
    return [each for each in table.left if everything or each.row.provider in providers]


def task_of(row: Row, plan: Plan, program: Path) -> Task:
    """Return the simulation for a row."""
    kind = MEASURES[row.comparison.measure].kind
    return Task(
        row.asked, row.host, kind, row.comparison.size, plan.quick, row.comparison.topology,
        program=program if kind in (CALLS, PAGES) else None, kernel=row.comparison.kernel,
        nodes=row.comparison.nodes,
    )  # fmt: skip


def value_of(row: Row, found: Found) -> float:
    """Return the simulated value of a row, in its unit."""
    value = MEASURES[row.comparison.measure].of(found.values)
    return value * _BITS.get(row.comparison.row.unit, 1.0)
