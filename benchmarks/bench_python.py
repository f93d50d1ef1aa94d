#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Measures the cost of Python: `./via python benchmarks/bench_python.py [OPTIONS]`.

rate    messages per CPU second (user and system) of a dissemination barrier of 1,024 processes
        written in Python: the median of several runs, each in its own process. It is the difference
        of runs of two lengths, so that it excludes set-up.
extra   instructions of built-in workloads started from Python, relative to the same from C++
        (via-bench), counted by perf or, if that does not work, callgrind; also differences.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
from pathlib import Path
from statistics import median

from instructions import Counter, find_counter

ROOT = Path(__file__).resolve().parent.parent
NODES = 1024
STEPS = (NODES - 1).bit_length()
RATE_ROUNDS = (2, 22)
CASES = {
    "pingpong_8B": ("ping-pong", 2, 8, (1_000, 6_000)),
    "barrier_1024": ("barrier", 1024, 8, (1, 4)),
    "alltoall_64_4KiB": ("all-to-all", 64, 4096, (1, 3)),
}


def cpu_s() -> float:
    """Return the CPU seconds of this process, user and system."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def barrier_class() -> type:
    """Return the class of the barrier in examples/python-barrier.py."""
    import importlib.util

    path = ROOT / "contrib" / "via" / "examples" / "python-barrier.py"
    spec = importlib.util.spec_from_file_location("python_barrier", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Barrier


def child_rate() -> None:
    """Measure the rate once, in its own process."""
    import via

    barrier = barrier_class()
    cluster = via.Cluster("crossbar", nodes=NODES, record=False)
    cluster.run(barrier, rounds=1)
    taken = []
    for rounds in RATE_ROUNDS:
        began = cpu_s()
        cluster.run(barrier, rounds=rounds)
        taken.append(cpu_s() - began)
    messages = (RATE_ROUNDS[1] - RATE_ROUNDS[0]) * NODES * STEPS
    print(json.dumps(messages / (taken[1] - taken[0])))


def child_workload(name: str, rounds: int) -> None:
    """Run a built-in workload from Python."""
    import via

    workload, nodes, size, _ = CASES[name]
    cluster = via.Cluster("crossbar", nodes=nodes, record=False)
    print(cluster.run(workload, size=size, rounds=rounds).digest)


def instructions(count: Counter, command: list[str]) -> tuple[int, str]:
    """Return the user instructions of a command and the digest that it prints."""
    counted, printed = count.count(command)
    digest = re.search(r"\b[0-9a-f]{32}\b", printed)
    if not digest:
        sys.exit(f"{' '.join(command)}: no digest")
    return counted, digest[0]


def extra(count: Counter, program: Path, name: str) -> float:
    """Return the instructions from Python relative to those from C++, minus 1."""
    me = [sys.executable, __file__]
    per_side = []
    for command in (lambda n: [*me, "--workload", name, str(n)],
                    lambda n: [str(program), name, "via", str(n)]):  # fmt: skip
        per_side.append([instructions(count, command(rounds)) for rounds in CASES[name][3]])
    python, plain = per_side
    if [digest for _, digest in python] != [digest for _, digest in plain]:
        sys.exit(f"{name}: the digests from Python and from C++ differ")
    return (python[1][0] - python[0][0]) / (plain[1][0] - plain[0][0]) - 1


def rates(rounds: int) -> list[float]:
    """Measure the rate in several processes."""
    command = [sys.executable, __file__, "--rate"]
    return [
        json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        for _ in range(rounds)
    ]


def main() -> int:
    """Measure, or run as one of the measured processes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results to FILE")
    parser.add_argument("--runs", type=int, default=5, help="runs whose median is reported")
    parser.add_argument("--rate", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--workload", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.rate:
        child_rate()
        return 0
    if given.workload:
        child_workload(given.workload[0], int(given.workload[1]))
        return 0
    measured = rates(given.runs)
    results: dict[str, object] = {
        "barrier_1024_python_messages_per_cpu_s": median(measured), "runs": measured
    }  # fmt: skip
    print(f"barrier of {NODES} in Python: {median(measured):,.0f} messages per second of CPU, "
          f"median of {given.runs} runs ({min(measured):,.0f} to {max(measured):,.0f}), "
          f"load {os.getloadavg()[0]:.1f}")  # fmt: skip
    program = (
        Path(os.environ.get("VIA_BUILD_DIR", ROOT / "build" / "release")) / "bin" / "via-bench"
    )
    count = find_counter()
    if count is None or not program.exists():
        print("instructions are not counted: that needs perf or valgrind, and via-bench")
    else:
        for name in CASES:
            share = extra(count, program, name)
            results[f"{name}_extra_instructions"] = share
            print(f"{name}: {share:+.2%} instructions from Python")
    if given.json is not None:
        part = given.json.with_name(given.json.name + ".part")
        part.write_text(json.dumps(results, indent=2) + "\n", encoding="ascii")
        part.replace(given.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
