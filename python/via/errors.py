# SPDX-License-Identifier: GPL-2.0-only
"""The exceptions of the package:

    ViaError
    |-- ConfigError          a wrong argument: option, value and limit (a ValueError)
    |-- ViplError            a VIPL call failed in a simulated process; .code gives the reason
    |-- NoProgress           simulated time stands still although the simulator works
    |-- RankDied             an OS process of a run on several MPI ranks has died
    |-- NotReturned          a return value of a process cannot leave its MPI rank
    `-- RunError             the simulation ran but did not end well; .run has its results
        |-- ProcessFailed    a simulated process exited with a nonzero code, or was killed
        `-- Deadlock         no event is left, and processes still wait

Errors of the simulator itself raise no exception: they end the OS process at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING, Any, Protocol

from via._base.hints import with_hint

if TYPE_CHECKING:
    import pandas as pd


class ViaError(Exception):
    """Root of all errors of this package."""


class ConfigError(ViaError, ValueError):
    """An argument is wrong. The text names the option, its value and the limit."""


def refuse(option: str, value: object, limit: str) -> ConfigError:
    """Return the ConfigError "option = value: limit".

    If the limit lists names, "one of a, b, c", the text also suggests the nearest one.
    """
    lines = f"{option} = {value}: {limit}".splitlines()
    return ConfigError(with_hint("; ".join(line.strip() for line in lines if line.strip())))


def refuse_name(option: str, name: object, known: Iterable[object]) -> ConfigError:
    """Return the ConfigError for an unknown name; it lists the known ones and the nearest."""
    return refuse(option, name, f"one of {', '.join(map(str, known)) or 'none'}")


# "--faults", "ping-pong limit-ms" or "process-faults": before it, what is no part of the keyword
_OPTION = re.compile(r"(--|\S+ |(?=process-faults))([a-z]+(?:-[a-z]+)*)(?= = )")
_NO_PARAMETER = re.compile(r"parameter of \S+ = ")


def from_core(text: str) -> ConfigError:
    """Return the ConfigError of a text of the simulator; options become Python keywords."""
    if found := _OPTION.match(text):
        keyword = found[2].replace("-", "_")
        text = found[1].removesuffix("--") + keyword + text[found.end() :]
    elif found := _NO_PARAMETER.match(text):
        text = found[0] + text[found.end() :].replace("-", "_")
    return ConfigError(with_hint(text))


class Vip(IntEnum):
    """Return code of a VIPL call: VIP_RETURN of <vipl.h>."""

    SUCCESS = 0
    """It did what was asked."""
    NOT_DONE = 1
    """Nothing has completed yet; wait, or ask again."""
    INVALID_PARAMETER = 2
    """An argument is wrong: a handle, a length, or a value out of range."""
    ERROR_RESOURCE = 3
    """No more of the resource, or it is still in use."""
    TIMEOUT = 4
    """The time given ran out; milliseconds."""
    REJECT = 5
    """The other side rejected the connection."""
    INVALID_RELIABILITY_LEVEL = 6
    """The card does not offer this reliability level, or the two sides differ in it."""
    INVALID_MTU = 7
    """A maximum transfer size beyond that of the card, or the two sides differ in it."""
    INVALID_QOS = 8
    """A quality of service that the card does not offer."""
    INVALID_PTAG = 9
    """A protection tag that is not one of this process."""
    INVALID_RDMAREAD = 10
    """The card has no RDMA read."""
    DESCRIPTOR_ERROR = 11
    """The descriptor completed with an error, see VipStatus; or its queue is empty."""
    INVALID_STATE = 12
    """The VI is in a state in which this is not possible, such as connected."""
    ERROR_NAMESERVICE = 13
    """The name service has not been started, or does not know the name."""
    NO_MATCH = 14
    """Nobody waits at the remote address."""
    NOT_REACHABLE = 15
    """There is no such host, or no way to it."""
    ERROR_NOT_SUPPORTED = 16
    """The product does not have this call."""


class VipStatus(IntFlag):
    """Status bits of a descriptor: VIP_STATUS_* of <vipl.h>."""

    DONE = 0x00000001
    """The operation is over; the other bits say how."""
    FORMAT_ERROR = 0x00000002
    """The descriptor is malformed, such as one with too many segments."""
    PROTECTION_ERROR = 0x00000004
    """A segment lies outside its region, or the region has another tag than the VI."""
    LENGTH_ERROR = 0x00000008
    """The message is longer than the receive, or than the VI transfers."""
    PARTIAL_ERROR = 0x00000010
    """An error ended the operation when part of it was done."""
    DESC_FLUSHED_ERROR = 0x00000020
    """The VI was disconnected or broke before it was done."""
    TRANSPORT_ERROR = 0x00000040
    """The network or the other side failed."""
    RDMA_PROT_ERROR = 0x00000080
    """The remote memory does not allow this RDMA."""
    REMOTE_DESC_ERROR = 0x00000100
    """The other side had no receive for it, or a bad one."""
    OP_RECEIVE = 0x00010000
    """It is a receive."""
    OP_RDMA_WRITE = 0x00020000
    """It is an RDMA write, or a receive that one with immediate data completed."""
    OP_RDMA_READ = 0x00040000
    """It is an RDMA read."""
    IMMEDIATE = 0x00080000
    """Immediate data came with it."""


class ViplError(ViaError):
    """A VIPL call failed in a simulated process.

    Attributes:
        call: the name of the call, such as "VipConnectRequest".
        code: its return code, a Vip.
        status: the status of the failed descriptor, a VipStatus; no bits if none failed.
    """

    def __init__(self, call: str, code: int, status: int = 0) -> None:
        self.call = call
        self.code = Vip(code)
        self.status = VipStatus(status)
        text = f"{call}: VIP_{self.code.name}"
        if self.code is Vip.DESCRIPTOR_ERROR:
            bad = [
                bit.name or "" for bit in VipStatus if "ERROR" in (bit.name or "") and bit & status
            ]
            text += f" ({', '.join(bad) or 'the queue is empty'})"
        super().__init__(text)

    def __reduce__(self) -> tuple[type[ViplError], tuple[str, int, int]]:
        return (ViplError, (self.call, int(self.code), int(self.status)))


class NoProgress(ViaError):
    """Simulated time stood still for longer than the watchdog allows. The text says where."""


class RankDied(ViaError):
    """An OS process of a run on several MPI ranks has died. The text has what it said."""


class NotReturned(ViaError):
    """What a process written in Python returned cannot leave its MPI rank: it cannot be pickled."""


class Results(Protocol):
    """The part of a via.Run that RunError offers."""

    @property
    def report(self) -> dict[str, Any]:
        """The run as a dictionary of plain values."""

    @property
    def exit(self) -> int:
        """1: a process exited with a nonzero code or was killed; 3: deadlock."""

    @property
    def end_ps(self) -> int:
        """Simulated time of the end, in picoseconds."""

    @property
    def digest(self) -> str:
        """Equal for the same program, profile and seed."""

    @property
    def troubles(self) -> list[str]:
        """One line per process that did not end well."""

    @property
    def errors(self) -> dict[int, BaseException]:
        """The exceptions that ended processes written in Python, by rank."""

    @property
    def stdout(self) -> str | None:
        """Standard output of the processes; None: not captured."""

    @property
    def stderr(self) -> str | None:
        """Standard error of the processes; None: not captured."""

    @property
    def messages(self) -> pd.DataFrame:
        """One row per message."""

    def _without_tables(self) -> Results:
        """The run as it can be sent to another OS process."""


class RunError(ViaError):
    """The simulation ran but did not end well.

    Attributes:
        run: the results, a via.Run. In another OS process, such as that of a ProcessPoolExecutor,
            it has the report and the output of the processes, but no tables.
    """

    def __init__(self, text: str, run: Results) -> None:
        super().__init__(text)
        self.run = run

    def __reduce__(self) -> tuple[type[RunError], tuple[str, Results]]:
        return (type(self), (str(self), self.run._without_tables()))


class ProcessFailed(RunError):
    """A simulated process exited with a nonzero code, was killed, or had not ended."""


class Deadlock(RunError):
    """No event is left, and processes still wait."""
