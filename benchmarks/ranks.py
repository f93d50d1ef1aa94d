# SPDX-License-Identifier: GPL-2.0-only
"""Measures the wall time of one process and of two MPI ranks."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from statistics import median

NAME = "ranks2_barrier_4096"
TEXT = (
    "{name}: {one_process_wall_s:.2f} s in one process, {ranks_wall_s:.2f} s on {ranks} MPI ranks, "
    "ratio {ratio_to_one_process:.2f}; {one_process_peak_mib:.0f} MiB, {rank_peak_mib:.0f} MiB "
    "per rank"
)
MPIRUN = ("mpirun", "-np", "2", "--allow-run-as-root", "--oversubscribe")
ROUNDS = (1, 5)  # what both runs take for the start of the programs and set-up is not counted
TIMEOUT_S = 600


def measure(program: Path, times: int, child: Callable[..., dict]) -> dict:
    """Measure both in turn.

    Args:
        program: via-bench; via-partitions is beside it.
        times: the results are medians of so many.
        child: runs via-bench with some arguments.
    """
    partitions = program.with_name("via-partitions")
    if why := why_not(partitions):
        return {"name": NAME, "skipped": why}
    one_process, both_ranks = [], []
    for _ in range(times):
        marks = [time.perf_counter()]
        for rounds in ROUNDS:
            one = child(program, NAME, "via", str(rounds))
            marks.append(time.perf_counter())
            several = run(partitions, one)
            marks.append(time.perf_counter())
        short_one, short_several, long_one, long_several = (
            after - before for before, after in pairwise(marks)
        )
        one_process.append(long_one - short_one)
        both_ranks.append(long_several - short_several)
    return {
        "name": NAME,
        "ranks": len(several["partitions"]),
        "one_process_wall_s": median(one_process),
        "ranks_wall_s": median(both_ranks),
        "ratio_to_one_process": median(one_process) / median(both_ranks),
        "one_process_peak_mib": one["peak_rss_kib"] / 2**10,
        "rank_peak_mib": max(share["peak_bytes"] for share in several["partitions"]) / 2**20,
    }


def why_not(partitions: Path) -> str:
    """Return why nothing can run on MPI ranks here, or ""."""
    if not partitions.is_file():
        return "via-partitions is not built: ./via setup --mpi, ./via build"
    return "" if shutil.which(MPIRUN[0]) else "there is no mpirun: ./via setup --mpi"


def run(partitions: Path, one: dict) -> dict:
    """Run on MPI ranks what one process has run."""
    with tempfile.TemporaryDirectory(prefix="via-bench-") as folder:
        task, result = Path(folder, "task.json"), Path(folder, "result.json")
        parameters = {"size": str(one["bytes"]), "rounds": str(one["rounds"])}
        cluster = {key: one[key] for key in ("profile", "topology", "nodes")}
        task.write_text(json.dumps({**cluster, "workload": "barrier", "parameters": parameters}))
        done = subprocess.run(
            [*MPIRUN, partitions, task, result],
            capture_output=True, text=True, timeout=TIMEOUT_S, check=False,
        )  # fmt: skip
        found = json.loads(result.read_text()) if result.is_file() else {}
    if done.returncode != 0 or "error" in found:
        sys.exit(f"{NAME} on MPI ranks failed: {found.get('error', done.stderr.strip())}")
    if found["digest"] != one["digest"]:
        sys.exit(f"{NAME}: the digest on MPI ranks is not that of one process")
    return found
