# SPDX-License-Identifier: GPL-2.0-only
"""VIBe's text for the terminal: a summary of each product, and features not offered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from via._base.text import table
from via.studies.vibe_experiments import Missing, Result

# Columns of the summary: heading, series, and whether the least or the largest x.
_LEAST, _MOST = min, max
_SUMMARY = (
    ("VI us", "vi_create", _LEAST),
    ("connect us", "connection_establish", _LEAST),
    ("latency us", "latency_polled", _LEAST),
    ("blocking us", "latency_blocking", _LEAST),
    ("handler us", "async_handler", _LEAST),
    ("RDMA us", "rdma_latency", _LEAST),
    ("CQ us", "cq_latency", _LEAST),
    ("MB/s", "bandwidth_polled", _MOST),
    ("CPU %", "cpu_bandwidth_blocking", _MOST),
    ("0 % reuse us", "reuse_latency", _LEAST),
    ("100 % reuse us", "reuse_latency", _MOST),
    ("most VIs", "vis_latency", _MOST),
    ("requests/s", "transactions_polled", _LEAST),
)


def text(results: Sequence[Result], missing: Sequence[Missing], labels: Mapping[str, str]) -> str:
    """Return the summary, and a line for each feature that is not offered."""
    names = list(dict.fromkeys(row.profile for row in results))
    rows = [[name, *(_value(results, name, series, pick) for _, series, pick in _SUMMARY)]
            for name in names]  # fmt: skip
    header = ["product", *(heading for heading, _, _ in _SUMMARY)]
    title = (
        "VIBe: latencies one way of 4 bytes and, for reuse and most VIs, of 4 KiB and 4 bytes;"
        " MB/s and CPU time (receiver, blocking) of 64 KiB"
    )
    summary = f"{title}\n\n{table(header, rows, '  ')}"
    return f"{summary}\n\nNot offered, so not measured\n\n{_lacking(missing)}"


def _value(results: Sequence[Result], name: str, series: str, pick: object) -> float | None:
    mine = [(row.x, row.value) for row in results if (row.profile, row.series) == (name, series)]
    if not mine:
        return None
    return (min(mine) if pick is _LEAST else max(mine))[1]


def _lacking(missing: Sequence[Missing]) -> str:
    if not missing:
        return "  Every product offers all."

    xs: dict[tuple[str, str, str, str], list[int]] = {}
    for row in missing:
        xs.setdefault((row.profile, row.series, row.x_unit, row.reason), []).append(row.x)
    lines = [
        [name, series, f"{', '.join(map(str, places))} {unit}", reason]
        for (name, series, unit, reason), places in xs.items()
    ]
    return table(["product", "series", "at", "why"], lines, "  ")
