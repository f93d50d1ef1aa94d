# SPDX-License-Identifier: GPL-2.0-only
"""Signals that Python handles during a simulation."""

from __future__ import annotations

import signal
from types import CodeType


def raised_by_handler(error: BaseException) -> bool:
    """Return whether a signal handler raised this error, not the simulated process.

    Python runs a handler at any point, often inside a simulated process.
    """
    if isinstance(error, KeyboardInterrupt):  # Python's own handler leaves no frame
        return True
    codes = {_code(signal.getsignal(number)) for number in signal.valid_signals()} - {None}
    place = error.__traceback__
    while place is not None:
        if place.tb_frame.f_code in codes:
            return True
        place = place.tb_next
    return False


def _code(handler: object) -> CodeType | None:
    function = getattr(handler, "func", handler)  # of a functools.partial
    for each in (function, vars(type(function)).get("__call__")):
        found = getattr(each, "__code__", None)
        if isinstance(found, CodeType):
            return found
    return None
