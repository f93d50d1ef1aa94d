# SPDX-License-Identifier: GPL-2.0-only
"""What the calibration shows: a table that says what each agreement is worth, and a figure."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from via import plots
from via.published import is_verified
from via.studies.costs import SLOPE_SIZES
from via.text import table

if TYPE_CHECKING:
    from via.studies.calibration import Row

# Standing to the profile: colour, and what it means.
STANDINGS = {
    "predicted": (plots.BLUE, "predicted: no number of the profile was taken from it"),
    "input": (plots.ORANGE, "input: taken from it, so agreement shows nothing"),
    "fitted": (plots.VERMILION, "fitted: a residual was chosen to meet it"),
}
_MARKS = {"VERIFIED": "D", "MEMORY-high": "o", "MEMORY-medium": "o", "MEMORY-low": "v"}
_TRUSTS = {
    "D": "published, read", "o": "recalled, high or medium", "v": "recalled, an order of magnitude",
}  # fmt: skip


def text(rows: Sequence[Row]) -> str:
    """Return the tables and the verdict for the terminal."""
    used = [row for row in rows if row.used]
    parts = [
        "Simulated beside published measurements",
        _compared(used),
        verdict(used),
        "Published, but not compared",
        _left_out([row for row in rows if not row.used]),
    ]
    return "\n\n".join(parts)


def _compared(rows: Sequence[Row]) -> str:
    header = ["metric", "bytes", "unit", "target", "simulated", "error", "residual", "trust",
              "standing", "host", "source"]  # fmt: skip
    lines = [
        [
            row.metric, row.size, row.unit, row.target, row.simulated, _percent(row.error_pct),
            f"{row.residual_share_pct:.1f} %", row.trust, row.standing, row.host, row.source,
        ]
        for row in rows
    ]  # fmt: skip
    low, high = SLOPE_SIZES[0], SLOPE_SIZES[-1]
    return table(header, lines, "  ") + (
        "\n\n  residual: how far the value moves when the profile's residuals are set to zero."
        f"\n  per_byte_cost: slope of the straight line through the latencies of {low} to {high} B."
    )


def _percent(value: float | None) -> str:
    return "" if value is None else f"{round(value, 1) + 0.0:+.1f} %"  # + 0.0: no "-0.0"


def verdict(used: Sequence[Row]) -> str:
    """Say which agreements validate something, and which only are consistent with memories."""
    read = [row for row in used if is_verified(row.trust)]
    recalled = [row for row in used if not is_verified(row.trust)]
    lines = [f"{len(used)} published values are compared."]
    if read:
        lines.append(f"Validated against measurements that were read: {_names(read)}.")
    else:
        lines.append("None of them was read where it was published, so nothing is validated here.")
    if recalled:
        lines.append(f"Only consistent with recalled literature, or not: {_names(recalled)}.")
    for standing, (_, meaning) in STANDINGS.items():
        some = [row for row in used if row.standing == standing]
        if some:
            worst = max(some, key=lambda row: abs(row.error_pct or 0))
            error = _percent(worst.error_pct)
            lines.append(f"{len(some)} {meaning}; largest error {error} ({_name(worst)}).")
    return "\n".join(f"  {line}" for line in lines)


def _name(row: Row) -> str:
    size = "" if row.size is None else f" {row.size} B"
    return f"{row.metric}{size} ({row.source})"


def _names(rows: Sequence[Row]) -> str:
    return ", ".join(sorted({_name(row) for row in rows}))


def _left_out(rows: Sequence[Row]) -> str:
    lines = [[row.metric, row.target, row.unit, row.trust, row.reason] for row in rows]
    return table(["metric", "target", "unit", "trust", "source and reason"], lines, "  ")


def draw(path: Path, rows: Sequence[Row]) -> None:
    """Draw simulated over published of every compared row, one panel per product."""
    used = [row for row in rows if row.used]
    products = sorted({row.profile for row in used})
    groups = [[row for row in used if row.profile == name] for name in products]

    def panel(group: Sequence[Row]) -> plots.Draw:
        return lambda axes: _panel(axes, group)

    height = 1.9 + 0.27 * max(map(len, groups))
    plots.compose(
        path, [panel(group) for group in groups], (len(groups), 1), (9.0, height * len(groups))
    )


def _panel(axes: Any, rows: Sequence[Row]) -> None:
    order = list(STANDINGS)
    rows = sorted(rows, key=lambda row: (order.index(row.standing), row.metric, row.size or 0))
    for place, row in enumerate(rows):
        colour, meaning = STANDINGS[row.standing]
        axes.plot(
            row.error_pct, place, _MARKS[row.trust], color=colour, zorder=3, markersize=7,
            markerfacecolor=colour if is_verified(row.trust) else "white",
            markeredgewidth=1.6, label=meaning,
        )  # fmt: skip
        axes.annotate(
            f"{row.target} \u2192 {row.simulated:.4g} {row.unit}", (1.01, place),
            xycoords=("axes fraction", "data"), va="center", fontsize=7.5,
        )  # fmt: skip
    axes.axvline(0, color=plots.BLACK, linewidth=1)
    widest = max(abs(row.error_pct or 0) for row in rows)
    axes.set_xlim(-1.15 * widest - 1, 1.15 * widest + 1)
    axes.set_yticks(range(len(rows)), [_label(row) for row in rows], fontsize=7.5)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set(title=f"Simulated against published: {rows[0].profile}")
    axes.set_xlabel("error in % of the published value (right: published \u2192 simulated)")
    _legend(axes, rows)


def _label(row: Row) -> str:
    size = "" if row.size is None else f" {plots.in_bytes(row.size)}"
    return f"{row.metric}{size}, {row.source}"


def _legend(axes: Any, rows: Sequence[Row]) -> None:
    marks = [mark for mark in _TRUSTS if any(_MARKS[row.trust] == mark for row in rows)]
    for mark in marks:
        axes.plot(
            [], [], mark, color=plots.BLACK, linestyle="none", label=_TRUSTS[mark],
            markerfacecolor=plots.BLACK if mark == "D" else "white",
        )  # fmt: skip
    handles, labels = axes.get_legend_handles_labels()
    kinds = dict(zip(labels, handles, strict=True))
    axes.legend(
        kinds.values(), kinds.keys(), loc="upper center", bbox_to_anchor=(0.4, -0.16), ncols=2
    )
