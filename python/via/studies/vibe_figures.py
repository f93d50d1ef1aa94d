# SPDX-License-Identifier: GPL-2.0-only
"""The figures of VIBe: one per experiment, with all products and published values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from via._drawing import overlay, plots
from via.studies import calibration_table
from via.studies.calibration_table import Comparison
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
_PANEL_WIDTH = 6.0


def draw(folder: Path, results: Sequence[Result], labels: Mapping[str, str]) -> list[Path]:
    """Draw every experiment; return the files. labels: the label of each product."""
    names = list(dict.fromkeys(row.profile for row in results))
    look = overlay.looks({name: labels[name] for name in names})
    hosts = {row.profile: row.host for row in results}
    files = []
    for each in EXPERIMENTS:
        mine = [row for row in results if row.series in each.series]
        path = folder / f"vibe-{each.name}.png"
        if each.name == "setup":
            _draw_dots(path, each, mine, names, look, hosts)
        else:
            _draw_lines(path, each, mine, names, look, hosts)
        files.append(path)
    return files


def _draw_lines(
    path: Path, experiment: Experiment, rows: Sequence[Result], names: Sequence[str],
    look: dict[str, overlay.Look], hosts: dict[str, str],
) -> None:  # fmt: skip
    places = sorted({row.x for row in rows})

    def panel(of: Panel) -> plots.Draw:
        mine = [line_of(name, of, rows) for name in names]
        points = published_points(of.series, names, hosts, places)
        shown = overlay.Axes(
            of.title, experiment.x, of.y, of.log, places, experiment.doubling,
            in_bytes="size" in experiment.x.lower(), names_left=of.names_left,
        )  # fmt: skip

        def drawn(axes: Any) -> None:
            overlay.lines(axes, shown, [line for line in mine if line.xs], points, look)
            if points:
                overlay.explain(axes)

        return drawn

    draws = [panel(each) for each in experiment.panels]
    columns = min(len(draws), _COLUMNS if len(draws) > 2 else 2)
    grid = (len(draws) // columns, columns)
    size = (_PANEL_WIDTH * columns, overlay.height(len(names)) * grid[0])
    plots.compose(path, draws, grid, size)


def line_of(name: str, panel: Panel, rows: Sequence[Result]) -> overlay.Line:
    """Return the line of a product in a panel."""
    mine = sorted(
        (row.x, row.value) for row in rows if row.profile == name and row.series == panel.series
    )
    values = [value for _, value in mine]
    if panel.change:
        values = [100 * (value / values[-1] - 1) for value in values]
    return overlay.Line(name, [x for x, _ in mine], values)


def _draw_dots(
    path: Path, experiment: Experiment, rows: Sequence[Result], names: Sequence[str],
    look: dict[str, overlay.Look], hosts: dict[str, str],
) -> None:  # fmt: skip
    def panel(of: Panel) -> plots.Draw:
        values = {row.profile: row.value for row in rows if row.series == of.series}
        points = published_points(of.series, names, hosts, [0])
        shown = overlay.Axes(of.title, "", of.y, of.log, [])
        return lambda axes: overlay.dots(axes, shown, values, points, look, names)

    draws = [panel(each) for each in experiment.panels]
    grid = (len(draws) // _COLUMNS, _COLUMNS)
    size = (4.6 * _COLUMNS, (1.1 + 0.19 * len(names)) * grid[0])
    plots.compose(path, draws, grid, size)


def published_points(
    series: str, names: Sequence[str], hosts: dict[str, str], places: Sequence[int]
) -> list[overlay.Point]:
    """Return the published values of these products on the simulated hosts."""
    points = []
    for each in calibration_table.load().comparisons:
        mine, factor = _SERIES.get(each.measure, ("", 0.0))
        if mine != series or each.profile not in names or not _comparable(each, hosts):
            continue
        x = places[-1] if each.size is None else each.size
        value = float(each.row.value) * factor * _PER_UNIT.get(each.row.unit, 1.0)
        points.append(overlay.Point(each.profile, x, value, each.row.trust))
    return points


def _comparable(comparison: Comparison, hosts: dict[str, str]) -> bool:
    """Return whether to show a value: bandwidths for any host, others only for the same host."""
    is_rate = comparison.measure == "bandwidth"
    same_host = comparison.host in (None, hosts[comparison.profile])
    return comparison.use != "context" and (is_rate or same_host)
