# SPDX-License-Identifier: GPL-2.0-only
"""What can go wrong, as a tree.

    ViaError
    |-- ConfigError          a mistake in what was asked for: option, value and limit (ValueError)
    |-- ViplError            a call of VIPL failed inside a simulated process; .code says how
    |-- NoProgress           simulated time stands still although the simulator works
    `-- RunError             the simulation ran, and it did not end well; .run has its results
        |-- ProcessFailed    a simulated process exited with another code than 0, or was killed
        `-- Deadlock         nothing is left to happen, and processes still wait

Mistakes of the simulator itself raise nothing: they end the OS process at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING

from via.hints import with_hint

if TYPE_CHECKING:
    from via.results import Run


class ViaError(Exception):
    """Root of all errors of this package."""


class ConfigError(ViaError, ValueError):
    """A mistake in what was asked for. The text names the option, its value and the limit."""


def refuse(option: str, value: object, limit: str) -> ConfigError:
    """Make the ConfigError that says, in a line, which option has which value, and the limit.

    If the limit lists names, "one of a, b, c", the nearest one is added.
    """
    lines = f"{option} = {value}: {limit}".splitlines()
    return ConfigError(with_hint("; ".join(line.strip() for line in lines if line.strip())))


def refuse_name(option: str, name: object, known: Iterable[object]) -> ConfigError:
    """Make the ConfigError that says that there is no such name, which there are, the nearest."""
    return refuse(option, name, f"one of {', '.join(map(str, known)) or 'none'}")


def from_core(text: str) -> ConfigError:
    """Make the ConfigError of a text that names an option of the command line: its keyword."""
    option = re.match(r"--[a-z-]+(?= = )", text)
    keyword = option[0][2:].replace("-", "_") if option else ""
    return ConfigError(with_hint(keyword + text[len(option[0]) :] if option else text))


class Vip(IntEnum):
    """What a call of VIPL returns: VIP_RETURN of <vipl.h>."""

    SUCCESS = 0
    NOT_DONE = 1
    INVALID_PARAMETER = 2
    ERROR_RESOURCE = 3
    TIMEOUT = 4
    REJECT = 5
    INVALID_RELIABILITY_LEVEL = 6
    INVALID_MTU = 7
    INVALID_QOS = 8
    INVALID_PTAG = 9
    INVALID_RDMAREAD = 10
    DESCRIPTOR_ERROR = 11
    INVALID_STATE = 12
    ERROR_NAMESERVICE = 13
    NO_MATCH = 14
    NOT_REACHABLE = 15
    ERROR_NOT_SUPPORTED = 16


class VipStatus(IntFlag):
    """Bits of a descriptor's status: VIP_STATUS_* of <vipl.h>."""

    DONE = 0x00000001
    FORMAT_ERROR = 0x00000002
    PROTECTION_ERROR = 0x00000004
    LENGTH_ERROR = 0x00000008
    PARTIAL_ERROR = 0x00000010
    DESC_FLUSHED_ERROR = 0x00000020
    TRANSPORT_ERROR = 0x00000040
    RDMA_PROT_ERROR = 0x00000080
    REMOTE_DESC_ERROR = 0x00000100
    OP_RECEIVE = 0x00010000
    OP_RDMA_WRITE = 0x00020000
    OP_RDMA_READ = 0x00040000
    IMMEDIATE = 0x00080000


class ViplError(ViaError):
    """A call of VIPL failed inside a simulated process.

    Attributes:
        call: its name, such as "VipConnectRequest".
        code: a Vip.
        status: a VipStatus; the descriptor's, if that is what failed.
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
    """Simulated time stood still for as long as the watchdog allows. The text says who did what."""


class RunError(ViaError):
    """The simulation ran, and it did not end well."""

    def __init__(self, text: str, run: Run) -> None:
        super().__init__(text)
        self.run = run


class ProcessFailed(RunError):
    """A simulated process exited with another code than 0, or was killed."""


class Deadlock(RunError):
    """Nothing is left to happen, and processes still wait."""
