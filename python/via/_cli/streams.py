# SPDX-License-Identifier: GPL-2.0-only
"""Standard streams that do not raise when they are closed, full or without a reader.

A failed write is recorded and the command goes on. At its end it reports the loss in one line and
exits with a nonzero code.
"""

from __future__ import annotations

import io
import os
import sys
from typing import Any, TextIO

EXIT_LOST = 2
_NAMES = {1: "standard output", 2: "standard error"}

_lost: dict[int, str] = {}  # reason of a loss, by file descriptor


class _Noting(io.TextIOWrapper):
    """A stream that records a failed write instead of raising."""

    def __init__(self, number: int) -> None:
        self._number = number
        raw = open(number, "wb", closefd=False)  # noqa: SIM115 (open until this process ends)
        is_terminal = os.isatty(number)
        super().__init__(
            raw,
            encoding="utf-8",
            errors="backslashreplace",
            line_buffering=is_terminal or number == 2,
        )

    def write(self, text: str) -> int:
        try:
            return super().write(text)
        except OSError as error:
            self._lose(error)
            return len(text)

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            self._lose(error)

    def _lose(self, error: OSError) -> None:
        """Record the error and discard the rest: the interpreter writes again when it ends."""
        note(self._number, error)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._number)
        os.close(nowhere)


def note(number: int, error: OSError) -> None:
    """Keep the first reason for a loss."""
    _lost.setdefault(number, error.strerror or str(error))


def prepare() -> None:
    """Make the streams of this OS process safe to write to.

    The next file opened would get the descriptor of a closed stream, and so the stream's output.
    So that descriptor is opened for reading: a write fails as on a closed stream.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, os.O_RDONLY)  # the lowest free descriptor
            os.set_inheritable(opened, True)
            assert opened == number
    sys.stdout, sys.stderr = _Noting(1), _Noting(2)


def finished(code: int) -> int:
    """Flush the streams; return the exit code, which is not 0 if output was lost."""
    for number, stream in ((1, sys.stdout), (2, sys.stderr)):
        _flush(number, stream)
    core: Any = sys.modules.get("via._core")
    number, why = core.take_lost_output() if core is not None else (0, 0)
    if number:
        note(number, OSError(why, os.strerror(why)))
    if not _lost:
        return code
    for number, reason in sorted(_lost.items()):
        print(f"via: {_NAMES[number]}: cannot be written: {reason}", file=sys.stderr, flush=True)
    _lost.clear()
    return max(code, EXIT_LOST)


def _flush(number: int, stream: TextIO | None) -> None:
    try:
        if stream is not None:
            stream.flush()
    except OSError as error:
        note(number, error)
