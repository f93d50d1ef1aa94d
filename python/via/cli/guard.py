# SPDX-License-Identifier: GPL-2.0-only
"""The simulator behind glass: its crash is an exit code and a message, not a dead shell.

A mistake of the simulator itself aborts its OS process in every build. So commands simulate in a
child process, and the parent says what became of it.
"""

from __future__ import annotations

import ctypes
import os
import re
import signal
import sys
import traceback
from collections.abc import Callable

from via.cli import streams

EXIT_INTERNAL = 4
_SHELL_SIGNAL = 128
_PR_SET_PDEATHSIG = 1  # of Linux's prctl


def guarded(work: Callable[[], int]) -> int:
    """Run work in a child process and return its exit code; 4 if it crashed."""
    sys.stdout.flush()
    sys.stderr.flush()
    ended, end = os.pipe()  # a child that comes to its own end says so
    child = os.fork()
    if child == 0:
        code = _in_child(work)
        os.write(end, b".")
        os._exit(code)
    os.close(end)
    previous = signal.signal(signal.SIGINT, signal.SIG_IGN)  # the child decides what it means
    try:
        _, status = os.waitpid(child, 0)
    finally:
        signal.signal(signal.SIGINT, previous)
    with os.fdopen(ended, "rb") as pipe:
        return _explained(os.waitstatus_to_exitcode(status), by_itself=pipe.read(1) == b".")


def _in_child(work: Callable[[], int]) -> int:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # no Python runs that could answer
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)  # nobody waits for an orphan
    try:
        code = answered(work)
    except BaseException:
        traceback.print_exc()
        code = EXIT_INTERNAL
    return streams.finished(code)


def answered(work: Callable[[], int]) -> int:
    """Run work; the user's mistakes become a line and exit code 2."""
    from via.errors import ConfigError, ViaError

    try:
        return work()
    except ConfigError as error:
        # Python's keywords are the options' names, but for what is given without one.
        text = re.sub(
            r"^(?!(?:program|study|source|shell|file|folder|what|grid|a|b)\b)([a-z_]+) = ",
            _as_option,
            str(error),
        )
        print(f"via: {text}", file=sys.stderr)
        return 2
    except ViaError as error:
        print(f"via: {error}", file=sys.stderr)
        return 1
    except OSError as error:  # of a file or stream; names it
        print(f"via: {_told(error)}", file=sys.stderr)
        return 2


def _told(error: OSError) -> str:
    what = f"{error.filename}: " if error.filename is not None else ""
    return f"{what}{error.strerror or error}"


def _as_option(match: re.Match[str]) -> str:
    return f"--{match[1].replace('_', '-')} = "


def _explained(code: int, *, by_itself: bool) -> int:
    if code >= 0:
        if not by_itself:
            print(
                f"via: the program has ended the simulator itself, with exit code {code}: it made "
                "a system call of its own, or called a function that does. There are no results",
                file=sys.stderr,
            )
        return code if by_itself else EXIT_INTERNAL
    number = -code
    if number in (signal.SIGINT, signal.SIGTERM):
        return _SHELL_SIGNAL + number
    print(
        f"via: internal error: the simulator ended by {signal.Signals(number).name}; the message "
        "above says where. Please report it with the command line and the seed",
        file=sys.stderr,
    )
    return EXIT_INTERNAL
