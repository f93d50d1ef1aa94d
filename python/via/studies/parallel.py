# SPDX-License-Identifier: GPL-2.0-only
"""Many simulations at once: each OS process has one simulator."""

from __future__ import annotations

import ctypes
import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

from tqdm import tqdm

from via.errors import RunError, ViaError

Task = TypeVar("Task")
Result = TypeVar("Result")

_PR_SET_PDEATHSIG = 1  # of Linux's prctl


def run_all(
    work: Callable[[Task], Result], tasks: Sequence[Task], *, jobs: int, what: str
) -> list[Result]:
    """Do work for each task; return the results in the order of the tasks.

    Args:
        work: a function of a module.
        tasks: what it is called with.
        jobs: OS processes; 1: this one.
        what: a word for the progress that a terminal shows.
    """
    with _doer(min(jobs, len(tasks))) as do:
        results: Iterator[Result] = do(partial(_attempted, work), tasks)
        # None: a bar only if stderr is a terminal.
        return list(tqdm(results, total=len(tasks), desc=what, disable=None, leave=False))


@contextmanager
def _doer(jobs: int) -> Iterator[Callable[..., Iterator[Any]]]:
    if jobs <= 1:
        yield map
        return
    # Fork: a worker starts with everything loaded.
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_die_with_parent) as pool:
        try:
            yield pool.map
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _attempted(work: Callable[[Task], Result], task: Task) -> Result:
    try:
        return work(task)
    except RunError as error:  # its run cannot travel between OS processes
        raise ViaError(f"{task}: {error}") from None
