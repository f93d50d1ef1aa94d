# SPDX-License-Identifier: GPL-2.0-only
"""Runs many simulations at once, one per OS process."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from tqdm import tqdm

Task = TypeVar("Task")
Result = TypeVar("Result")

_PR_SET_PDEATHSIG = 1  # of Linux's prctl
_LONGEST_END_S = 2.0


def run_all(
    work: Callable[[Task], Result], tasks: Sequence[Task], *, jobs: int, what: str
) -> list[Result]:
    """Call work for each task; return the results in the order of the tasks.

    Args:
        work: a function at module level.
        tasks: its arguments.
        jobs: number of OS processes; 1: this process alone.
        what: label of the progress bar.
    """
    with _doer(min(jobs, len(tasks))) as do:
        results: Iterator[Result] = do(work, tasks)
        # None: a bar only if stderr is a terminal.
        return list(tqdm(results, total=len(tasks), desc=what, disable=None, leave=False))


@contextmanager
def _doer(jobs: int) -> Iterator[Callable[..., Iterator[Any]]]:
    if jobs <= 1:
        yield map
        return
    # Fork, so that a worker starts with all modules loaded.
    context = multiprocessing.get_context("fork")
    before = _ending_threads()
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_die_with_parent) as pool:
        try:
            yield pool.map
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    # The pool's threads have returned, but may not have ended. An ending thread holds locks of the
    # allocator, and a child forked then waits for them forever (seen under AddressSanitizer).
    deadline = time.monotonic() + _LONGEST_END_S
    while _ending_threads() > before and time.monotonic() < deadline:
        time.sleep(0.001)


def _ending_threads() -> int:
    """Return the number of threads that Python does not know, or no longer knows."""
    return len(os.listdir("/proc/self/task")) - threading.active_count()


def _die_with_parent() -> None:
    for each in (signal.SIGTERM, signal.SIGHUP):  # the pool ends its processes with the first
        if signal.getsignal(each) is not signal.SIG_IGN:
            signal.signal(each, signal.SIG_DFL)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
