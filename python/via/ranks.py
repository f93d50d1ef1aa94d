# SPDX-License-Identifier: GPL-2.0-only
"""Runs on several ranks: via-ranks, started by mpirun, does the work of one OS process each."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from via.errors import ConfigError, ViaError, refuse

MOST_RANKS = 64
# mpirun refuses root, and more ranks than cores, unless it is told that this is meant.
_MPIRUN_VARIABLES = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}


@dataclass(frozen=True)
class RanksRun:
    """One finished simulation on several ranks.

    Attributes:
        digest: of all components, by number: the same for any number of ranks.
        end_ps: when the last process ended, in simulated picoseconds.
        events, messages: of all ranks.
        samples_ps: what the workload has measured.
        ranks: for each rank its hosts, switches, events, records_sent to other ranks, and the
            peak_bytes of its OS process.
        report: all of it, as plain values.
    """

    digest: str
    end_ps: int
    events: int
    messages: int
    samples_ps: NDArray[np.int64]
    ranks: list[dict[str, int]]
    report: dict[str, Any] = field(repr=False)


def find_program() -> Path:
    """Return the path of via-ranks, beside the build of this package.

    Raises:
        ConfigError: it was not built.
    """
    from via import _core

    build = Path(_core.__file__).resolve().parent.parent.parent
    program = build / "bin" / "via-ranks"
    if not program.is_file():
        raise refuse("mpi_ranks", "more than 1", "./via setup --mpi and ./via build make via-ranks")
    if shutil.which("mpirun") is None:
        raise refuse("mpi_ranks", "more than 1", "mpirun is needed: ./via setup --mpi")
    return program


def run(task: Mapping[str, Any], ranks: int) -> RanksRun:
    """Run a task on so many ranks of this machine.

    Raises:
        ConfigError: something that several ranks cannot do.
        ViaError: a rank has died, or the run ended in a deadlock.
    """
    program = find_program()
    with tempfile.TemporaryDirectory(prefix="via-ranks-") as folder:
        given, result = Path(folder, "task.json"), Path(folder, "result.json")
        given.write_text(json.dumps(task), encoding="utf-8")
        command = ["mpirun", "-np", str(ranks), str(program), str(given), str(result)]
        done = subprocess.run(
            command,
            env={**os.environ, **_MPIRUN_VARIABLES},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        found = json.loads(result.read_text(encoding="utf-8")) if result.is_file() else {}
    if "error" in found:
        raise ConfigError(found["error"])
    if done.returncode != 0 or not found:
        sys.stderr.write(done.stdout)
        raise ViaError(f"a rank of {ranks} has died: mpirun ended with code {done.returncode}")
    if found["exit"] != 0:
        raise ViaError(f"nothing is left to happen on {ranks} ranks, and processes still wait")
    samples = np.array(found["samples_ps"], dtype=np.int64)
    return RanksRun(
        found["digest"], found["end_ps"], found["events"], found["messages"], samples,
        found["ranks"], found,
    )  # fmt: skip
