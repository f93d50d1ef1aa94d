# SPDX-License-Identifier: GPL-2.0-only
"""Charts of where the time of messages goes: bars of parts, and the time line of one message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.patches import Patch
from matplotlib.text import Text
from matplotlib.textpath import TextPath
from matplotlib.transforms import ScaledTranslation

from via._base.doing import WAITS, doing
from via._base.units import SYMBOLS
from via._drawing import plots
from via._drawing.plots import part_of
from via._runs.tables import counted
from via.charts.paper import UNITS, columns, product_of, shared_title, unit_for
from via.errors import refuse

WAIT = 0.35  # opacity of a wait beside work of the same part
OVERLAPPED = 0.22
RESIDUAL = "residual"
LABEL_POINTS = 6  # the font of labels within bars
LABEL_SHARE = 0.9  # of a bar's width that its label may take
TOTAL_POINTS = 7  # the font of totals beside bars
DARK = (plots.BLUE, plots.GREEN, plots.VERMILION, plots.BLACK)


def stacked(panel: Any, breakdowns: Mapping[str, pd.DataFrame], *, share: bool = False) -> None:
    """Draw a bar per label: the mean time of its messages, divided by part.

    Waits are paler than work; the residual, which no modelled stage explains, is hatched.

    Args:
        panel: the panel to draw on.
        breakdowns: by label: `run.breakdown`, or rows of it; those of programs are left out, and of
            `run.breakdown` those of messages that were dropped or are credits of a stream.
        share: draw percentages, not times.
    """
    if not breakdowns:
        raise refuse("breakdowns", "none", "at least one label is needed")
    bars = {label: _bar(rows) for label, rows in breakdowns.items()}
    totals = {label: sum(bar.values()) for label, bar in bars.items()}
    unit = unit_for(max(totals.values()))
    used: dict[str, str] = {}
    widest = 0.0
    for place, (label, bar) in enumerate(bars.items()):
        scale = totals[label] / 100 if share else UNITS[unit]
        left = 0.0
        for (part, kind), ps in bar.items():
            used[part] = _COLOURS[part]
            panel.barh(place, ps / scale, left=left, height=0.7, **_look(_COLOURS[part], kind))
            left += ps / scale
        total = f"{totals[label] / UNITS[unit]:.2f} {SYMBOLS[unit]}"
        widest = max(widest, TextPath((0, 0), total, TOTAL_POINTS).get_extents().width)
        panel.annotate(
            total, (left, place), xytext=(4, 0), textcoords="offset points", va="center",
            fontsize=TOTAL_POINTS, color="#444444",
        )  # fmt: skip
    panel.set_yticks(range(len(bars)), list(bars))
    panel.invert_yaxis()
    panel.grid(axis="y", visible=False)
    largest = 100.0 if share else max(totals.values()) / UNITS[unit]
    panel.set_xlim(0, largest)
    panel.set(title=shared_title(map(product_of, breakdowns.values()), "where the time goes"))
    panel.set_xlabel("share of the mean time (%)" if share else f"mean time ({SYMBOLS[unit]})")
    kinds = {kind for bar in bars.values() for _, kind in bar}
    _legend(panel, used, kinds, aside=widest + 4)


_COLOURS = dict(plots.ENGINES.values()) | {"other": plots.GREY}
_ORDER = list(_COLOURS)
_KINDS = ("work", "wait", RESIDUAL)


def _bar(rows: pd.DataFrame) -> dict[tuple[str, str], float]:
    """Return the mean picoseconds per message by part and kind, in a fixed order."""
    columns(rows, ["message", "op", "stage", "owner", "clock_hz", "start_ps", "end_ps"], "stacked")
    rows = counted(rows)
    columns(rows, [], "stacked (of messages)")
    ps = rows["end_ps"] - rows["start_ps"]
    keys = pd.Series(
        [
            (part_of(owner)[0], _kind(stage, hz))
            for owner, stage, hz in zip(rows["owner"], rows["stage"], rows["clock_hz"], strict=True)
        ],
        index=rows.index,
    )
    sums = ps.groupby(keys).sum() / rows["message"].astype(str).nunique()
    ordered = [(part, kind) for part in _ORDER for kind in _KINDS]
    return {key: float(sums[key]) for key in ordered if key in sums.index and sums[key] > 0}


def _kind(stage: str, clock_hz: int) -> str:
    if stage == RESIDUAL:
        return RESIDUAL
    return "wait" if doing(stage, clock_hz) == WAITS else "work"


def _look(colour: str, kind: str) -> dict[str, Any]:
    look: dict[str, Any] = {"color": colour, "linewidth": 0.5, "edgecolor": "white"}
    if kind == "wait":
        look["alpha"] = WAIT
    elif kind == RESIDUAL:
        look["hatch"] = plots.RESIDUAL_HATCH
    return look


def _legend(
    panel: Any,
    used: Mapping[str, str],
    kinds: set[str],
    more: tuple[Patch, ...] = (),
    *,
    aside: float = 0.0,
) -> None:
    """Write the legend at the right of a panel, so many points aside."""
    keys = [Patch(color=used[name], label=name) for name in _ORDER if name in used]
    if "wait" in kinds:
        keys.append(Patch(facecolor=plots.BLACK, alpha=WAIT, label="paler: it waits"))
    if RESIDUAL in kinds:
        keys.append(
            Patch(facecolor=plots.GREEN, edgecolor="white", hatch=plots.RESIDUAL_HATCH,
                  label="residual, fitted")
        )  # fmt: skip
    inches = ScaledTranslation(aside / 72, 0, panel.figure.dpi_scale_trans)
    panel.legend(
        handles=[*keys, *more], loc="upper left", bbox_to_anchor=(1.0, 1.0),
        bbox_transform=panel.transAxes + inches,
    )  # fmt: skip


def gantt(panel: Any, rows: pd.DataFrame, spans: pd.DataFrame | None = None) -> None:
    """Draw the time line of one message: a lane per part, the critical path from left to right.

    Args:
        panel: the panel to draw on.
        rows: the breakdown of one message: `run.breakdown(message="1.0.3")`.
        spans: the table run.spans: work that overlaps with the message is drawn paler behind it.
    """
    columns(rows, ["message", "stage", "owner", "clock_hz", "start_ps", "end_ps"], "gantt")
    names = rows["message"].unique()
    if len(names) != 1:
        raise refuse("rows", f"{len(names)} messages", "a time line is of one message")
    rows = rows.sort_values(["start_ps", "end_ps"], kind="stable")
    begin, end = int(rows["start_ps"].min()), int(rows["end_ps"].max())
    unit = UNITS[unit_for(end - begin)]
    lanes = {owner: place for place, owner in enumerate(dict.fromkeys(rows["owner"]))}
    behind = _overlapped(spans, lanes, begin, end)
    for row in behind.itertuples():
        at, length = (row.start_ps - begin) / unit, (row.end_ps - row.start_ps) / unit
        panel.barh(lanes[row.owner], length, left=at, height=0.82, alpha=OVERLAPPED, linewidth=0,
                   color=part_of(row.owner)[1])  # fmt: skip
    _path(panel, rows, lanes, begin, unit)
    panel.set_yticks(range(len(lanes)), list(lanes))
    panel.set_ylim(len(lanes) - 0.4, -0.6)
    panel.set_xlim(0, (end - begin) / unit * 1.02)
    panel.grid(axis="y", visible=False)
    symbol = SYMBOLS[unit_for(end - begin)]
    what = f"{product_of(rows)}: message" if product_of(rows) else "Message"
    panel.set(title=f"{what} {names[0]}, {(end - begin) / unit:.3f} {symbol}")
    panel.set_xlabel(f"time after the post ({symbol})")
    used = dict(part_of(owner) for owner in lanes)
    more = (Patch(color=plots.GREY, alpha=OVERLAPPED, label="not on its critical path"),)
    kinds = {_kind(row.stage, row.clock_hz) for row in rows.itertuples()}
    _legend(panel, used, kinds, more if len(behind) else ())


def _overlapped(
    spans: pd.DataFrame | None, lanes: Mapping[str, int], begin: int, end: int
) -> pd.DataFrame:
    if spans is None:
        return pd.DataFrame(columns=["owner", "start_ps", "end_ps"])
    columns(spans, ["owner", "clock_hz", "start_ps", "end_ps"], "gantt")
    inside = (spans["end_ps"] > begin) & (spans["start_ps"] < end) & (spans["clock_hz"] > 0)
    found = spans[inside & spans["owner"].isin(list(lanes))]
    # The order in which a run records spans is not part of the figure.
    return found.sort_values(["owner", "start_ps", "end_ps"], kind="stable").assign(
        start_ps=found["start_ps"].clip(lower=begin), end_ps=found["end_ps"].clip(upper=end)
    )


def _path(
    panel: Any, rows: pd.DataFrame, lanes: Mapping[str, int], begin: int, unit: float
) -> None:
    """Draw the critical path, with a thin line from each stage to the next."""
    before: tuple[float, int] | None = None
    for row in rows.itertuples():
        at, until = (row.start_ps - begin) / unit, (row.end_ps - begin) / unit
        lane = lanes[row.owner]
        if before is not None and before[1] != lane:
            panel.plot([at, at], [before[1], lane], color=plots.GREY, linewidth=0.7, zorder=1)
        colour, kind = part_of(row.owner)[1], _kind(row.stage, row.clock_hz)
        panel.barh(lane, until - at, left=at, height=0.56, zorder=2, **_look(colour, kind))
        if kind != RESIDUAL:
            label = _Label(row.stage, at, until, lane)
            label.set_color("white" if colour in DARK and kind == "work" else plots.BLACK)
            panel.add_artist(label)
        before = (until, lane)


class _Label(Text):
    """A text within a bar; it is drawn where the bar is wide enough, which the layout decides."""

    def __init__(self, text: str, left: float, right: float, place: float) -> None:
        super().__init__((left + right) / 2, place, text, ha="center", va="center",
                         fontsize=LABEL_POINTS, zorder=3)  # fmt: skip
        self._ends = [(left, place), (right, place)]
        self.set_in_layout(False)

    def draw(self, renderer: Any) -> None:
        """Draw it, or nothing."""
        (left, _), (right, _) = self.axes.transData.transform(self._ends)
        if self.get_window_extent(renderer).width < LABEL_SHARE * (right - left):
            super().draw(renderer)
