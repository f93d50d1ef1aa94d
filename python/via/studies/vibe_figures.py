# SPDX-License-Identifier: GPL-2.0-only
"""The figures of VIBe: one per experiment, a small panel per product, and published values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from via._drawing import multiples, plots
from via.studies import calibration_table
from via.studies.calibration_table import Comparison
from via.studies.plan import Plan
from via.studies.vibe_experiments import EXPERIMENTS, Experiment, Panel, Result

# By measure in the calibration's table: its series, and a factor for its value.
_SERIES = {
    "latency": ("latency_polled", 1.0),
    "round_trip": ("latency_polled", 0.5),
    "bandwidth": ("bandwidth_polled", 1.0),
    "vi_create": ("vi_create", 1.0),
    "vi_destroy": ("vi_destroy", 1.0),
    "cq_create": ("cq_create", 1.0),
    "cq_destroy": ("cq_destroy", 1.0),
    "connection_establish": ("connection_establish", 1.0),
    "connection_teardown": ("connection_teardown", 1.0),
}
_PER_UNIT = {"Mb/s": 1 / 8}  # figures are in bytes
_COLUMNS = 3


def draw(plan: Plan, results: Sequence[Result], labels: Mapping[str, str]) -> list[Path]:
    """Draw every experiment; return the files. labels: the label of each product."""
    names = list(dict.fromkeys(row.profile for row in results))
    shown = {name: labels[name] for name in names}
    hosts = {row.profile: row.host for row in results}
    files = []
    for each in EXPERIMENTS:
        mine = [row for row in results if row.series in each.series]
        files.append(plan.figure(f"vibe-{each.name}"))
        if each.name == "setup":
            _draw_dots(files[-1], each, mine, shown, hosts)
        else:
            multiples.save(files[-1], blocks(each, mine, hosts), shown)
    return files


def blocks(
    experiment: Experiment, rows: Sequence[Result], hosts: Mapping[str, str]
) -> list[multiples.Block]:
    """Return a block for each quantity of an experiment, with all its series."""
    places = sorted({row.x for row in rows})
    groups: dict[str, list[Panel]] = {}
    for panel in experiment.panels:
        groups.setdefault(panel.quantity, []).append(panel)
    return [
        multiples.Block(
            quantity, experiment.x, panels[0].y, panels[0].log,
            experiment.doubling, "size" in experiment.x.lower(),
            [line_of(name, panel, rows) for name in hosts for panel in panels],
            [point for panel in panels
             for point in published_points(panel.series, list(hosts), hosts, places)],
        )
        for quantity, panels in groups.items()
    ]  # fmt: skip


def line_of(name: str, panel: Panel, rows: Sequence[Result]) -> multiples.Line:
    """Return the line of a product in a panel."""
    mine = sorted(
        (row.x, row.value) for row in rows if row.profile == name and row.series == panel.series
    )
    values = [value for _, value in mine]
    if panel.change:
        values = [100 * (value / values[-1] - 1) for value in values]
    return multiples.Line(name, panel.label, [x for x, _ in mine], values)


def _draw_dots(
    path: Path, experiment: Experiment, rows: Sequence[Result], labels: Mapping[str, str],
    hosts: Mapping[str, str],
) -> None:  # fmt: skip
    points = {of.series: published_points(of.series, list(labels), hosts, [0])
              for of in experiment.panels}  # fmt: skip

    def panel(of: Panel) -> plots.Draw:
        values = {row.profile: row.value for row in rows if row.series == of.series}
        mine = points[of.series]
        return lambda axes: multiples.dots(axes, of.quantity, of.y, values, mine, labels)

    draws = [panel(each) for each in experiment.panels]
    grid = (len(draws) // _COLUMNS, _COLUMNS)
    size = (4.6 * _COLUMNS, (1.1 + 0.19 * len(labels)) * grid[0])
    every = [point for mine in points.values() for point in mine]
    plots.compose(path, draws, grid, size, notes=multiples.explanation(every))


def published_points(
    series: str, names: Sequence[str], hosts: Mapping[str, str], places: Sequence[int]
) -> list[multiples.Point]:
    """Return the published values of these products on the simulated hosts."""
    points = []
    for each in calibration_table.load().comparisons:
        mine, factor = _SERIES.get(each.measure, ("", 0.0))
        if mine != series or each.profile not in names or not _comparable(each, hosts):
            continue
        x = places[-1] if each.size is None else each.size
        value = float(each.row.value) * factor * _PER_UNIT.get(each.row.unit, 1.0)
        points.append(multiples.Point(each.profile, x, value, each.row.trust))
    return points


def _comparable(comparison: Comparison, hosts: Mapping[str, str]) -> bool:
    """Return whether to show a value: bandwidths for any host, others only for the same host."""
    is_rate = comparison.measure == "bandwidth"
    same_host = comparison.host in (None, hosts[comparison.profile])
    return comparison.use != "context" and (is_rate or same_host)
