# SPDX-License-Identifier: GPL-2.0-only
"""Captures the output of simulated programs, which use file descriptors 1 and 2 of this process."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass
class Captured:
    """The captured text; set when the block has ended."""

    stdout: str | None = None
    stderr: str | None = None


@contextmanager
def captured(wanted: bool) -> Iterator[Captured]:
    """Capture the output of a block if wanted; if not, let it pass."""
    result = Captured()
    _flush()  # keep the order of Python's own output
    if not wanted:
        yield result
        return
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        saved = os.dup(1), os.dup(2)
        try:
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            yield result
        finally:
            _flush()
            for number, copy in zip((1, 2), saved, strict=True):
                os.dup2(copy, number)
                os.close(copy)
        out.seek(0)
        err.seek(0)
        result.stdout = out.read().decode(errors="replace")
        result.stderr = err.read().decode(errors="replace")


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # closed when Python began
            stream.flush()
