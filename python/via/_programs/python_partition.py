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
from via.errors import NotReturned

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
    packed: tuple[dict[int, bytes], dict[int, bytes]]
    packed = pickle.loads(Path(folder, f"outcome.{rank}").read_bytes())
    returned, errors = (
        {each: pickle.loads(value) for each, value in one.items()} for one in packed
    )
    return returned, errors


def _packed(
    returned: Mapping[int, Any], errors: Mapping[int, BaseException]
) -> tuple[dict[int, bytes], dict[int, bytes]]:
    """Pack each value by itself: one that cannot be packed must not cost those of others."""
    values, found = {}, {rank: _packed_error(error) for rank, error in errors.items()}
    for rank, value in returned.items():
        try:
            values[rank] = _tried(value)
        except Exception as error:
            why = f"what process {rank} returned cannot leave its MPI rank: {error}"
            found[rank] = _tried(NotReturned(why))
    return values, found


def _packed_error(error: BaseException) -> bytes:
    """Pack an error, if need be without its constructor, or else its text."""
    try:
        return _tried(error)
    except Exception:
        pass
    try:
        return _tried(_Remade(error))
    except Exception:
        return _tried(RuntimeError(describe(error)))


def _tried(value: object) -> bytes:
    import cloudpickle

    packed = bytes(cloudpickle.dumps(value))
    pickle.loads(packed)
    return packed


class _Remade:
    """Unpacks as an error whose constructor does not take its `args`."""

    def __init__(self, error: BaseException) -> None:
        self._parts = type(error), error.args, dict(error.__dict__)

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, self._parts


def _remake(
    kind: type[BaseException], args: tuple[Any, ...], state: dict[str, Any]
) -> BaseException:
    error: BaseException = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error


def main(folder: Path) -> int:
    """Run this MPI rank's partition."""
    from via import _partitions

    task, watchdog_s = pickle.loads(Path(folder, WORK).read_bytes())
    work = Work(task, watchdog_s)
    code = _partitions.run(str(folder / TASK), str(folder / RESULT), work)
    rank = os.environ["OMPI_COMM_WORLD_RANK"]
    (folder / f"outcome.{rank}").write_bytes(pickle.dumps(_packed(*work.outcome)))
    return code


def start(folder: str) -> None:
    """Run this MPI rank's partition and end this process."""
    try:
        sys.exit(main(Path(folder)))
    except Exception as error:
        sys.stdout.flush()
        print(f"msg={describe(error)}", file=sys.stderr, flush=True)
        os._exit(1)  # mpirun ends the others
