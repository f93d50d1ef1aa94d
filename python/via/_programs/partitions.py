# SPDX-License-Identifier: GPL-2.0-only
"""Runs on several ranks: via-ranks, started by mpirun, does the work of one OS process each."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from via import kinds
from via.errors import ViaError, from_core, refuse, refuse_name
from via.tables import DECISION_COLUMNS
from via.units import whole

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from via._core import Column

MOST_RANKS = 64
GRAPH_CUT = "graph-cut"
USUAL_ENGINE = "granted-window"
ENGINES = (USUAL_ENGINE, "null-message")
# mpirun refuses root, and more ranks than cores, unless it is told that this is meant. Ranks that
# wait for each other give way: where a machine has other work they would wait for each other's
# time slice at every window.
_MPIRUN_VARIABLES = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
}


@dataclass(frozen=True)
class RanksRun:
    """What the ranks of one run have left: a report, and what its processes have printed."""

    report: dict[str, Any]
    samples: NDArray[np.int64]
    decisions: dict[str, Column]
    stdout: str | None
    stderr: str | None


def asked_for(
    mpi_ranks: int | None, mpi_engine: str, rank_of_switch: Sequence[int] | str
) -> dict[str, Any]:
    """Return what a task says of ranks; nothing, if there are none.

    Raises:
        ConfigError: something is said of ranks, and there are none, or it is none of theirs.
    """
    if mpi_engine not in ENGINES:
        raise refuse_name("mpi_engine", mpi_engine, ENGINES)
    if mpi_ranks is not None:
        return {"engine": mpi_engine, "rank_of_switch": _placing(rank_of_switch)}
    no_ranks = "there are no ranks: --mpi-ranks R, mpi_ranks=R"
    if mpi_engine != USUAL_ENGINE:
        raise refuse("mpi_engine", mpi_engine, no_ranks)
    if not isinstance(rank_of_switch, str) and not kinds.listed("rank_of_switch", rank_of_switch):
        return {}
    if rank_of_switch != "":
        raise refuse("rank_of_switch", rank_of_switch, no_ranks)
    return {}


def _placing(rank_of_switch: Sequence[int] | str) -> list[int] | str:
    if rank_of_switch == GRAPH_CUT:
        return GRAPH_CUT
    if not isinstance(rank_of_switch, str):
        most = MOST_RANKS - 1
        return [
            whole("rank_of_switch", rank, 0, most)
            for rank in kinds.listed("rank_of_switch", rank_of_switch)
        ]
    raise refuse("rank_of_switch", rank_of_switch, f"a rank for each switch, or {GRAPH_CUT}")


def find_program(ranks: int) -> Path:
    """Return the path of via-ranks, beside the build of this package.

    Raises:
        ConfigError: it was not built.
    """
    from via import _core

    build = Path(_core.__file__).resolve().parent.parent.parent
    program = build / "bin" / "via-ranks"
    if not program.is_file():
        raise refuse("mpi_ranks", ranks, "via-ranks is not built: ./via setup --mpi, ./via build")
    if shutil.which("mpirun") is None:
        raise refuse("mpi_ranks", ranks, "there is no mpirun: ./via setup --mpi")
    return program


def run(task: Mapping[str, Any], ranks: int, *, capture: bool = False) -> RanksRun:
    """Run a task on so many ranks of this machine.

    Args:
        task: what is to be run, see the page "Several ranks".
        ranks: OS processes.
        capture: keep what is printed; else it goes where this process prints.

    Raises:
        ConfigError: something that several ranks cannot do.
        ViaError: a rank has died.
    """
    program = find_program(ranks)
    with tempfile.TemporaryDirectory(prefix="via-ranks-") as folder:
        given, result = Path(folder, "task.json"), Path(folder, "result.json")
        given.write_text(json.dumps(task), encoding="utf-8")
        sys.stdout.flush()
        done = subprocess.run(
            ["mpirun", "-np", str(ranks), str(program), str(given), str(result)],
            env={**os.environ, **_MPIRUN_VARIABLES},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        text = result.read_text(encoding="utf-8") if result.is_file() else ""
    found = json.loads(text) if text else {}
    if "error" in found:
        raise from_core(found["error"])
    if done.returncode != 0 or not found:
        raise ViaError(_death(ranks, done.returncode, done.stderr))
    if not capture:  # written by us: who cannot write all of it says so
        sys.stdout.write(done.stdout)
        sys.stdout.flush()
        sys.stderr.write(done.stderr)
    samples = np.array(found.pop("samples_ps"), dtype=np.int64)
    decisions = _columns(found.pop("decisions"))
    texts = (done.stdout, done.stderr) if capture else (None, None)
    return RanksRun(found, samples, decisions, *texts)


def _death(ranks: int, code: int, said: str) -> str:
    """Return why ranks have died: what one of them, or mpirun, said of it."""
    lines = [line for line in said.splitlines() if line.strip(" -*")]
    told = [line for line in lines if line.startswith("msg=")] or lines
    return f"a rank of {ranks} has died, mpirun ended with code {code}: " + "\n  ".join(told[:4])


def _columns(rows: list[list[Any]]) -> dict[str, Column]:
    """Return the decisions of processes as the columns of their table."""
    columns: list[list[Any]] = [list(column) for column in zip(*rows, strict=True)] or [[]] * 5
    return dict(zip(DECISION_COLUMNS, columns, strict=True))
