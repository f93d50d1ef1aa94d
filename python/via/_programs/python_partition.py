# SPDX-License-Identifier: GPL-2.0-only
"""One MPI rank of a run whose processes are written in Python: what mpirun starts.

It calls start() with the folder of the task.
"""

from __future__ import annotations

import os
import pickle
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from via import _core
from via._base.units import MAX_PS
from via._programs.foreign import advance
from via._programs.process import describe
from via._programs.task import Task, code_of

if TYPE_CHECKING:
    from collections.abc import Mapping

TASK, RESULT, WORK = "task.json", "result.json", "work.pickle"
START = f"import sys; from {__name__} import start; start(sys.argv[1])"  # for python -c


class Work:
    """A cluster and its processes, for via._partitions."""

    def __init__(self, task: Task, watchdog_s: int) -> None:
        self._task = task
        self._watchdog_s = watchdog_s
        self._cluster: _core.Cluster | None = None
        self.outcome: tuple[Mapping[int, Any], Mapping[int, BaseException]] = ({}, {})

    def build(self, config: _core.ClusterConfig) -> int:
        """Build the cluster with its processes; return where it is."""
        self._cluster = _core.Cluster(config, False)
        self._task.add(self._cluster)
        return self._cluster.address()

    def simulate(self) -> None:
        """Simulate it to its end."""
        assert self._cluster is not None
        codes = map(code_of, self._task.codes)
        advance(self._cluster, codes, MAX_PS, self._watchdog_s, None)
        self.outcome = self._cluster.returned(), self._cluster.errors()

    def close(self) -> None:
        """Remove the cluster."""
        if self._cluster is not None:
            self._cluster.close()


def pack(task: Task, watchdog_s: int) -> bytes:
    """Pack what another Python needs, with the code of functions that it cannot import.

    Raises:
        Exception: of cloudpickle, which names what cannot be packed.
    """
    import cloudpickle

    return bytes(cloudpickle.dumps((task, watchdog_s)))


def outcome_of(folder: str, rank: int) -> tuple[dict[int, Any], dict[int, BaseException]]:
    """Return what the functions on one MPI rank returned and raised, by process."""
    found: tuple[dict[int, Any], dict[int, BaseException]]
    found = pickle.loads(Path(folder, f"outcome.{rank}").read_bytes())
    return found


def main(folder: Path) -> int:
    """Run this MPI rank's partition."""
    import cloudpickle

    from via import _partitions

    task, watchdog_s = pickle.loads(Path(folder, WORK).read_bytes())
    work = Work(task, watchdog_s)
    code = _partitions.run(str(folder / TASK), str(folder / RESULT), work)
    rank = os.environ["OMPI_COMM_WORLD_RANK"]
    (folder / f"outcome.{rank}").write_bytes(cloudpickle.dumps(work.outcome))
    return code


def start(folder: str) -> None:
    """Run this MPI rank's partition and end this process."""
    try:
        sys.exit(main(Path(folder)))
    except Exception as error:
        sys.stdout.flush()
        print(f"msg={describe(error)}", file=sys.stderr, flush=True)
        os._exit(1)  # mpirun ends the others
