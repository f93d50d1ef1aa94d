# SPDX-License-Identifier: GPL-2.0-only
"""Runs on several MPI ranks: mpirun starts one OS process per MPI rank.

It is via-partitions, or a Python where processes are written in Python.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np

from via._base import kinds
from via._base.units import whole
from via._programs import python_partition
from via._programs.python_partition import RESULT, TASK, WORK, outcome_of
from via.errors import ConfigError, RankDied, from_core, refuse, refuse_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from via import _core
    from via._core import Column

MOST_RANKS = 64
GRAPH_CUT = "graph-cut"
USUAL_ENGINE = "granted-window"
ENGINES = (USUAL_ENGINE, "null-message")
_NOT_BUILT = "via-partitions is not built: ./via setup --mpi, ./via build"
# What MPI ranks cannot do that Python can tell, and why; the rest is C++'s to refuse.
_REFUSED = {
    "control_network": "sockets of programs, since a network stack comes into being with its "
    "first socket, which one MPI rank alone sees",
    "low_memory": "programs below 2 GiB, since their addresses depend on who else is in the same "
    "OS process",
    "progress": "a progress bar, since only the MPI ranks know the simulated time",
    "ns3": "what looks at ns-3's objects, since each MPI rank has its own",
}
# mpirun refuses to run as root, or more MPI ranks than cores, without these variables. MPI ranks
# yield the CPU while they wait: if not, on a busy machine they would wait for each other's time
# slice at every window. All are on this machine, so nothing but shared memory is looked for: that
# takes 0.2 s of each start.
_MPIRUN_VARIABLES = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_pml": "ob1",
}


@dataclass(frozen=True)
class PartitionsRun:
    """The results of a run on several MPI ranks, and the output of its processes."""

    report: dict[str, Any]
    log: _core.RunLog | None  # None: nothing was recorded
    counters: _core.RunCounters
    samples: NDArray[np.int64]
    decisions: dict[str, Column]
    stdout: str | None
    stderr: str | None
    returned: dict[int, Any] = field(default_factory=dict)  # by processes written in Python
    errors: dict[int, BaseException] = field(default_factory=dict)


def refusal(option: str, value: object, name: str | None = None) -> ConfigError:
    """Return the error for an option that several MPI ranks cannot do.

    Args:
        option: a key of `_REFUSED`.
        value: its value.
        name: the option as the user wrote it.
    """
    return refuse(name or option, value, f"not on several MPI ranks yet: {_REFUSED[option]}")


def asked_for(
    mpi_ranks: int | None, mpi_engine: str, partition_of_switch: Sequence[int] | str
) -> dict[str, Any]:
    """Return the part of a task about MPI ranks; empty without MPI ranks.

    Raises:
        ConfigError: an option needs MPI ranks and there are none, or its value is wrong.
    """
    if mpi_engine not in ENGINES:
        raise refuse_name("mpi_engine", mpi_engine, ENGINES)
    if mpi_ranks is not None:
        return {"engine": mpi_engine, "partition_of_switch": _placing(partition_of_switch)}
    no_ranks = "there are no MPI ranks: --mpi-ranks R, mpi_ranks=R"
    if mpi_engine != USUAL_ENGINE:
        raise refuse("mpi_engine", mpi_engine, no_ranks)
    given = partition_of_switch
    if given if isinstance(given, str) else kinds.listed("partition_of_switch", given):
        raise refuse("partition_of_switch", given, no_ranks)
    return {}


def graph_of(topology: _core.Topology) -> dict[str, Any]:
    """Return the part of a task about a topology that has more than a name."""
    from via import _core

    return {"graph": json.loads(_core.topology_to_json(topology))}


def cluster_of(config: _core.ClusterConfig) -> dict[str, Any]:
    """Return the part of a task about the cluster."""
    return {
        "profile": config.profile,
        "host": config.host,
        "kernel": config.kernel,
        "topology": config.topology,
        "nodes": config.nodes,
        "seed": config.seed,
        "stop_ps": config.stop_ps,
        "reference": config.reference,
        "allow_plug_in": config.allow_plug_in,
        "payload_digest": config.payload_digest,
        "node_profiles": {
            str(node): [other.profile, other.host] for node, other in config.others.items()
        },
        "overrides": dict(config.overrides),
    }


def _placing(partition_of_switch: Sequence[int] | str) -> list[int] | str:
    if partition_of_switch == GRAPH_CUT:
        return GRAPH_CUT
    if not isinstance(partition_of_switch, str):
        most = MOST_RANKS - 1
        return [
            whole("partition_of_switch", rank, 0, most)
            for rank in kinds.listed("partition_of_switch", partition_of_switch)
        ]
    limit = f"an MPI rank for each switch, or {GRAPH_CUT}"
    raise refuse("partition_of_switch", partition_of_switch, limit)


def packed(task: python_partition.Task, watchdog_s: int, ranks: int) -> bytes:
    """Return what MPI ranks need of processes that are written in Python.

    Raises:
        ConfigError: it cannot be sent to other OS processes.
    """
    if importlib.util.find_spec("via._partitions") is None:
        raise refuse("mpi_ranks", ranks, _NOT_BUILT)
    try:
        return python_partition.pack(task, watchdog_s)
    except ImportError as error:
        limit = "processes in Python need cloudpickle: apt-get install python3-cloudpickle"
        raise refuse("mpi_ranks", ranks, limit) from error
    except Exception as error:
        limit = f"the functions of processes go to other OS processes: {error}"
        raise refuse("mpi_ranks", ranks, limit) from error


def find_program(ranks: int) -> Path:
    """Return the path of via-partitions, beside the build of this package.

    Raises:
        ConfigError: it was not built.
    """
    from via import _core

    build = Path(_core.__file__).resolve().parent.parent.parent
    program = build / "bin" / "via-partitions"
    if not program.is_file():
        raise refuse("mpi_ranks", ranks, _NOT_BUILT)
    if shutil.which("mpirun") is None:
        raise refuse("mpi_ranks", ranks, "there is no mpirun: ./via setup --mpi")
    return program


def _write(stream: TextIO, output: bytes, text: str) -> None:
    """Write what ranks have printed, as it is if the stream takes bytes that are no text."""
    buffer = getattr(stream, "buffer", None)
    if buffer is None or text.encode() == output:
        stream.write(text)
    else:
        stream.flush()
        buffer.write(output)
    stream.flush()


def run(
    task: Mapping[str, Any],
    ranks: int,
    *,
    capture: bool = False,
    record: bool = False,
    pcap: str = "",
    snaplen: int = 0,
    python: bytes = b"",
) -> PartitionsRun:
    """Run a task on several MPI ranks of this machine.

    Args:
        task: what to run, see the page "Several processors".
        ranks: number of MPI ranks.
        capture: keep the output; if not, it goes to the streams of this process.
        record: keep messages and spans.
        pcap: write the packets at all NIC ports to this pcapng file; empty: do not.
        snaplen: bytes of payload to keep of each packet.
        python: what packed() has returned; empty: nothing is written in Python.

    Raises:
        ConfigError: the task cannot run on several MPI ranks.
        RankDied: an MPI rank died.
    """
    from via import _core

    program = find_program(ranks)
    with tempfile.TemporaryDirectory(prefix="via-partitions-") as folder:
        given, result = Path(folder, TASK), Path(folder, RESULT)
        tables: dict[str, Any] = {"tables_to": folder, "record": record}
        if pcap:
            tables["snap_length"] = snaplen
        what = {**task, **tables}
        if "faults_text" in what:
            what["faults_file"] = _faults_in(folder, *what.pop("faults_text"))
        given.write_text(json.dumps(what), encoding="utf-8")
        command, variables = [str(program), str(given), str(result)], {}
        if python:
            Path(folder, WORK).write_bytes(python)
            command = [sys.executable, "-c", python_partition.START, folder]
            variables = {"PYTHONPATH": os.pathsep.join(sys.path)}  # what this Python imports
        sys.stdout.flush()
        done = subprocess.run(
            ["mpirun", "-np", str(ranks), *command],
            env={**os.environ, **_MPIRUN_VARIABLES, **variables},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        # as outside of ranks: line ends stay what they are, wrong UTF-8 is replaced
        printed, complaints = (text.decode(errors="replace") for text in (done.stdout, done.stderr))
        try:
            found = json.loads(result.read_bytes()) if result.is_file() else {}
        except ValueError:
            found = {}  # it is not whole: see below
        if "error" in found:
            raise from_core(found["error"])
        if done.returncode != 0 or not found:
            raise RankDied(_death(ranks, done.returncode, complaints))
        log = _core.RunLog.join(_shares(folder, "records", ranks)) if record else None
        if pcap:
            _core.join_captures(_paths(folder, "capture", ranks), pcap, snaplen)
        samples = np.fromfile(Path(folder, "samples"), dtype=np.int64)
        counters = _core.RunCounters.join(_shares(folder, "counters", ranks))
        outcomes = [outcome_of(folder, rank) for rank in range(ranks) if python]
    if not capture:  # write it here, so that a failed write is reported
        _write(sys.stdout, done.stdout, printed)
        _write(sys.stderr, done.stderr, complaints)
    decisions = _columns(found.pop("decisions"))
    stdout, stderr = (printed, complaints) if capture else (None, None)
    returned, errors = _merged(outcomes)
    return PartitionsRun(found, log, counters, samples, decisions, stdout, stderr, returned, errors)


def _faults_in(folder: str, suffix: str, text: str) -> str:
    """Write the text of a fault plan's file, whose suffix says how it is read; return its path."""
    place = Path(folder, f"faults{suffix}")
    place.write_text(text, encoding="utf-8", newline="")
    return str(place)


def _merged(
    outcomes: Sequence[tuple[dict[int, Any], dict[int, BaseException]]],
) -> tuple[dict[int, Any], dict[int, BaseException]]:
    """Return what functions returned and raised on all MPI ranks, in the order of processes."""
    returned = {rank: value for own, _ in outcomes for rank, value in own.items()}
    errors = {rank: error for _, own in outcomes for rank, error in own.items()}
    return dict(sorted(returned.items())), dict(sorted(errors.items()))


def _shares(folder: str, name: str, ranks: int) -> list[bytes]:
    """Return what each MPI rank wrote."""
    return [Path(path).read_bytes() for path in _paths(folder, name, ranks)]


def _paths(folder: str, name: str, ranks: int) -> list[str]:
    return [str(Path(folder, f"{name}.{rank}")) for rank in range(ranks)]


def _death(ranks: int, code: int, said: str) -> str:
    """Return why MPI ranks died, from the message of one of them or of mpirun."""
    lines = [line for line in said.splitlines() if line.strip(" -*")]
    told = [line for line in lines if line.startswith("msg=")] or lines
    what = f"an MPI rank of {ranks} has died, mpirun ended with code {code}"
    return f"{what}: " + "\n  ".join(told[:4])


def _columns(rows: list[list[Any]]) -> dict[str, Column]:
    """Return the rows of the decisions table as columns, as a run without MPI has them."""
    at, rank, event, key, value = [list(column) for column in zip(*rows, strict=True)] or [[]] * 5
    texts = list(dict.fromkeys(event))
    numbers = {text: number for number, text in enumerate(texts)}
    codes = [numbers[text] for text in event]
    return {
        "at_ps": np.array(at, np.int64),
        "rank": np.array(rank, np.uint32),
        "event": (np.array(codes, np.int32), texts),
        "key": np.array(key, np.uint64),
        "value": np.array(value, np.uint64),
    }
