# SPDX-License-Identifier: GPL-2.0-only
"""`via uncertainty`: a simulated value with its error bar."""

from __future__ import annotations

import argparse
import inspect
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from via._base.jobs import MOST_JOBS, usual_jobs
from via._cli.guard import answered
from via._cli.options import Parser, add_override, each_once, overrides
from via._programs import plug_ins
from via.errors import refuse

EPILOG = """\
The value is the one-way latency of ping-pong and socket-ping-pong, and the bandwidth of stream,
socket-stream and message-stream; of every other workload and protocol it is the mean time of its
rounds. Each number of product, host and kernel has a range by its trust, and the band is what these
ranges leave. The page "Uncertainty" says what it does not contain.

examples:
  via uncertainty ping-pong size=4
  via uncertainty --profile gm-lanai9-200 stream size=4096 --linear
  via uncertainty barrier --nodes 16 --samples 500 --jobs 4 --out barrier.csv
  via uncertainty ping-pong --range 'nic.clock=50 MHz:66 MHz'

The same seed gives the same band, whatever the number of jobs. Exit codes: 0 shown; 2 usage error.
"""


def main(argv: Sequence[str]) -> int:
    """Run `via uncertainty`; return the exit code."""
    given = parser().parse_intermixed_args(argv)
    with plug_ins.permitted(given.allow_plug_in):
        return answered(lambda: run(given), parser())


def parser() -> argparse.ArgumentParser:
    """Return the parser of all options."""
    made = Parser(
        prog="via uncertainty",
        description="Shows a simulated value, the band in which it can be trusted, and which"
        " numbers the band comes from.",
        epilog=EPILOG,
    )
    made.add_argument("workload", metavar="WORKLOAD", help="one of `via workloads`")
    made.add_argument(
        "parameters", nargs="*", metavar="NAME=VALUE", help="a parameter of the workload"
    )
    made.add_argument(
        "--profile", default="giganet-clan1000", metavar="P", help="product (default: %(default)s)"
    )
    made.add_argument("--host", metavar="H", help="host computer (default: the product's test bed)")
    made.add_argument("--kernel", metavar="K", help="network stack (default: the host's own)")
    made.add_argument(
        "--nodes", default="2", metavar="N", help="nodes of the cluster (default: %(default)s)"
    )
    made.add_argument(
        "--topology", default="star", metavar="T", help="the network (default: %(default)s)"
    )
    add_override(made)
    plug_ins.add_option(made)
    made.add_argument(
        "--range", action="append", default=[], metavar="KEY=LOW:HIGH",
        help="another range of a number; may be repeated",
    )  # fmt: skip
    made.add_argument(
        "--samples", default="200", metavar="N", help="draws of all numbers (default: %(default)s)"
    )
    made.add_argument(
        "--linear", action="store_true", help="sum the effects of one number at a time; no samples"
    )
    made.add_argument("--seed", default="1", metavar="S", help="of the draws (default: 1)")
    made.add_argument(
        "--phases", default="8", metavar="N",
        help="clusters with other phases of their clocks, whose mean is the value (default: 8)",
    )  # fmt: skip
    made.add_argument(
        "--jobs", default=str(usual_jobs()), metavar="N", help="OS processes (default: %(default)s)"
    )
    made.add_argument("--out", type=Path, metavar="FILE", help="write all numbers as CSV")
    made.add_argument("--draws", type=Path, metavar="FILE", help="write the samples as CSV")
    made.add_argument("--json", type=Path, metavar="FILE", help="write the result as JSON")
    return made


def run(given: argparse.Namespace) -> int:
    """Simulate and print; return the exit code."""
    from via._base import commands
    from via._base.files import check_outputs, written
    from via._cli.sources import files_of_cluster, whole
    from via._cluster.configured import MAX_NODES
    from via.studies.uncertainty import LEAST_SAMPLES, MOST_PHASES, MOST_SAMPLES, uncertainty

    if given.linear and given.draws is not None:
        raise refuse("--draws", given.draws, "--linear draws nothing")
    files = {"--out": given.out, "--draws": given.draws, "--json": given.json}
    check_outputs(files, files_of_cluster(given))
    parameters = each_once("parameter", given.parameters, _parameter)
    for name in parameters.keys() & inspect.signature(uncertainty).parameters:
        raise refuse(name, parameters[name], "not a parameter of the workload, but of the command")
    with commands.recording(commands.of_command("uncertainty", *_words(given))):
        found = uncertainty(
            given.workload, topology=given.topology, profile=given.profile, host=given.host,
            kernel=given.kernel, nodes=whole("--nodes", given.nodes, 1, MAX_NODES),
            overrides=overrides(given.override),
            ranges=each_once("--range", given.range, _range),
            samples=whole("--samples", given.samples, LEAST_SAMPLES, MOST_SAMPLES),
            linear=given.linear, seed=whole("--seed", given.seed, 0, 2**64 - 1),
            phases=whole("--phases", given.phases, 1, MOST_PHASES),
            jobs=whole("--jobs", given.jobs, 1, MOST_JOBS), out=given.out, **parameters,
        )  # fmt: skip
    print(found.text())
    if given.draws is not None:
        with written(given.draws) as file:
            found.samples.to_csv(file, index=False, lineterminator="\n")
    if given.json is not None:
        with written(given.json) as file:
            file.write(json.dumps(_told(found), indent=1) + "\n")
    sys.stdout.flush()
    return 0


def _told(found: Any) -> dict[str, Any]:
    parts = found.parts.to_dict("records")
    names = ("what", "value", "low", "high", "unit")
    return {**{name: getattr(found, name) for name in names}, "samples": len(found.samples),
            "numbers": parts}  # fmt: skip


def _words(given: argparse.Namespace) -> list[str]:
    """Return the words that repeat the command, without jobs and files."""
    words = [given.workload, *given.parameters]
    for name in ("profile", "host", "kernel", "nodes", "topology", "samples", "seed", "phases"):
        value = getattr(given, name)
        words += [] if value is None else [f"--{name}", str(value)]
    for name in ("override", "range"):
        words += [word for each in getattr(given, name) for word in (f"--{name}", each)]
    return [*words, *(["--linear"] if given.linear else []), *plug_ins.words()]


def _parameter(text: str) -> tuple[str, object]:
    name, equals, value = text.partition("=")
    if not equals or not name.replace("-", "_").isidentifier():
        raise refuse("parameter", text, "NAME=VALUE is needed, such as size=4")
    return name.replace("-", "_"), int(value) if value.isascii() and value.isdigit() else value


def _range(text: str) -> tuple[str, list[str]]:
    key, equals, ends = (part.strip() for part in text.partition("="))
    low, colon, high = (part.strip() for part in ends.partition(":"))
    if not (key and equals and low and colon and high):
        raise refuse("--range", text, "KEY=LOW:HIGH is needed, such as nic.tpt_lookup=6:20")
    return key, [low, high]
