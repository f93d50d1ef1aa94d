# SPDX-License-Identifier: GPL-2.0-only
"""Output of the demonstration: tables on the terminal, CSV files and figures."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pandas as pd

from via._base.files import written
from via._base.text import table
from via._cli import demonstration as demo
from via._drawing import plots
from via.studies import measure


def write_tables(results: demo.Results, out: Path) -> list[Path]:
    """Write the CSV files; the same results give the same bytes."""
    tables = {
        "latency": results.latency,
        "bandwidth": results.bandwidth,
        "stages": results.stages,
        "breakdown": results.message,
        "barrier": results.barrier,
        "published": results.published,
    }
    paths = []
    for name, rows in tables.items():
        paths.append(out / f"{name}.csv")
        with written(paths[-1]) as file:
            rows.to_csv(file, index=False, lineterminator="\n", float_format="%.6f")
    return paths


def panels(results: demo.Results) -> dict[str, plots.Draw]:
    """Return the drawing function of each panel, by file name."""
    points = results.published
    label = f"simulated ({results.host})"
    latencies = points[points["metric"] == "latency"]
    bandwidths = points[points["metric"] != "latency"]
    drawn: dict[str, Callable[..., None]] = {
        "latency": partial(
            plots.latency, ours=results.latency, published=latencies, label=label
        ),
        "bandwidth": partial(
            plots.bandwidth, ours=results.bandwidth, published=bandwidths,
            limit_mb_s=results.limit_mb_s,
        ),
        "stages": partial(plots.stages, rows=results.stages, residual=measure.RESIDUAL),
        "barrier": partial(plots.barrier, rows=results.barrier),
    }  # fmt: skip
    return {name: partial(draw, product=results.product) for name, draw in drawn.items()}


def draw_figures(results: demo.Results, out: Path, form: str = "png") -> list[Path]:
    """Draw each panel into its own file, and all into demo.png, or another format."""
    drawn = panels(results)
    paths = []
    for name, draw in drawn.items():
        paths.append(out / f"{name}.{form}")
        plots.save(paths[-1], draw)
    paths.append(out / f"demo.{form}")
    plots.compose(paths[-1], list(drawn.values()), (2, 2), (10.4, 7.6))
    return paths


def text(results: demo.Results) -> str:
    """Return all tables for the terminal."""
    parts = [
        ("One-way latency and bandwidth", _performance(results)),
        (
            "Beside published measurements (VERIFIED: read where it was published; MEMORY:"
            " recalled)",
            _published(results.published),
        ),
        (f"Where {_total_us(results.stages):.3f} us of {demo.SMALL} bytes go", _stages(results)),
        ("Dissemination barrier", _barrier(results.barrier)),
    ]
    return "\n\n".join(f"{title}\n\n{body}" for title, body in parts)


def _performance(results: demo.Results) -> str:
    rates = results.bandwidth.pivot(index="size_bytes", columns="bytes_are", values="mb_s")
    both = results.latency.merge(rates, on="size_bytes")
    rows = [
        [
            row.size_bytes,
            row.latency_us,
            row.latency_p99_us,
            row.printed_us,
            row.untouched,
            row.checked,
        ]
        for row in both.itertuples()
    ]
    header = ["bytes", "one-way us", "99 % us", "as printed us", "MB/s", "MB/s checked"]
    note = (
        "\n\n  One-way latency is half of the median round trip; the program prints its mean, by a"
        " clock of whole microseconds.\n  MB/s: the receiver leaves the bytes alone, as benchmarks"
        " do; checked: it compares and clears each, as programs do."
        f"\n  The cells leave {results.limit_mb_s:.1f} MB/s of the link."
        f" {results.product}, host {results.host}."
    )
    return table(header, rows, "  ") + note


def _published(rows: pd.DataFrame) -> str:
    lines = [
        [
            row.metric, None if pd.isna(row.size_bytes) else int(row.size_bytes), row.unit,
            row.published, row.ours, f"{row.difference_pct:+.1f} %", row.trust, row.our_host,
            row.source,
        ]
        for row in rows.itertuples()
    ]  # fmt: skip
    header = ["metric", "bytes", "unit", "published", "ours", "difference", "trust", "our host",
              "source"]  # fmt: skip
    return table(header, lines, "  ")


def _total_us(stages: pd.DataFrame) -> float:
    return float(stages["latency_ps"].sum()) / 1e6


def _stages(results: demo.Results) -> str:
    rows = [
        [row.stage, row.owner, row.latency_ps / 1e3, f"{row.share_pct:.1f} %"]
        for row in results.stages.itertuples()
    ]
    share = measure.residual_share_pct(results.stages)
    note = (
        f"\n\n  {share:.1f} % are the residual: cycles of the NIC that no stage explains, fitted"
        " to one measurement."
        "\n  The rows tile every round trip to the picosecond; here is half their mean."
    )
    return table(["stage", "owner", "ns", "share"], rows, "  ") + note


def _barrier(rows: pd.DataFrame) -> str:
    wide = rows.pivot(index="nodes", columns="mode", values="barrier_us").reset_index()
    lines = [[int(row.nodes), row.send, row.rdma] for row in wide.itertuples()]
    return table(["nodes", "send/receive us", "RDMA write us"], lines, "  ")
