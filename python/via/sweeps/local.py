# SPDX-License-Identifier: GPL-2.0-only
"""Runs the points of a sweep on this machine, each in its own OS process."""

from __future__ import annotations

import ctypes
import os
import pickle
import selectors
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from via.sweeps.point import Outcome, Task, evaluate

_PR_SET_PDEATHSIG = 1  # of Linux's prctl
_PIECE = 1 << 16
# Signals from outside, such as the kernel's when memory runs out: worth another try.
_FROM_OUTSIDE = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP)
MOST_TRIES = 3


class _Forking:
    """Lock for fork: if two threads fork at once, a worker keeps another worker's pipe open."""

    lock = threading.Lock()


_forking = _Forking()


@dataclass
class _Worker:
    """An OS process that runs one point."""

    task: Task
    attempt: int
    process: int
    pipe: int
    answer: bytearray = field(default_factory=bytearray)


def run_here(tasks: Sequence[Task], jobs: int) -> Iterator[tuple[Task, Outcome]]:
    """Run all tasks; yield each with its outcome when it is finished.

    Args:
        tasks: the tasks to run.
        jobs: number of OS processes at a time.
    """
    waiting = deque((task, 1) for task in tasks)
    working: dict[int, _Worker] = {}
    with selectors.DefaultSelector() as selector:
        try:
            while waiting or working:
                while waiting and len(working) < jobs:
                    with _no_interrupt():  # until the worker is in the list and will be waited for
                        worker = _start(*waiting.popleft())
                        working[worker.pipe] = worker
                    selector.register(worker.pipe, selectors.EVENT_READ)
                for ready, _ in selector.select():
                    worker = working[ready.fd]
                    if _read(worker):
                        continue
                    selector.unregister(worker.pipe)
                    del working[worker.pipe]
                    outcome = _end(worker)
                    if outcome is None:
                        waiting.appendleft((worker.task, worker.attempt + 1))
                    else:
                        yield worker.task, outcome
        finally:
            for worker in working.values():
                os.kill(worker.process, signal.SIGKILL)
                _reap(worker)


def run_apart(task: Task) -> Outcome:
    """Run one task in its own OS process."""
    return next(outcome for _, outcome in run_here([task], 1))


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Delay Ctrl-C: an exception raised while Python forks is lost.

    A signal mask does not help: a thread of numpy would take the signal.
    """
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    late = []
    signal.signal(signal.SIGINT, lambda number, _: late.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        for number in late[:1]:
            signal.raise_signal(number)


def _start(task: Task, attempt: int) -> _Worker:
    # Flush, so that the child does not write buffered output again.
    sys.stdout.flush()
    sys.stderr.flush()
    with _forking.lock:
        reading, writing = os.pipe()
        parent = os.getpid()
        process = os.fork()
        if process == 0:
            _forking.lock = threading.Lock()  # a point may itself sweep
            os.close(reading)
            _work(task, writing, parent)
        os.close(writing)
    return _Worker(task, attempt, process, reading)


def _work(task: Task, pipe: int, parent: int) -> None:
    """Run a point in a child process, then end the process."""
    code = 1
    try:
        for ending in (signal.SIGINT, signal.SIGTERM):
            signal.signal(ending, signal.SIG_DFL)
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)  # do not outlive the parent
        if os.getppid() == parent:
            outcome = evaluate(task)
            sys.stdout.flush()
            sys.stderr.flush()
            with os.fdopen(pipe, "wb") as file:
                pickle.dump((dict(outcome.values), outcome.error), file)
            code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _read(worker: _Worker) -> bool:
    """Read what a worker has written; return whether more may come."""
    piece = os.read(worker.pipe, _PIECE)
    worker.answer += piece
    return bool(piece)


def _reap(worker: _Worker) -> int:
    os.close(worker.pipe)
    _, status = os.waitpid(worker.process, 0)
    return os.waitstatus_to_exitcode(status)


def _end(worker: _Worker) -> Outcome | None:
    """Return the outcome of a point; None: try it again."""
    code = _reap(worker)
    if code == 0:
        values, error = pickle.loads(worker.answer)
        return Outcome(values, error)
    if code > 0:
        return Outcome({}, f"the worker ended with exit code {code} and without a result")
    ended_by = signal.Signals(-code)
    if ended_by in _FROM_OUTSIDE and worker.attempt < MOST_TRIES:
        return None
    tries = f" in {worker.attempt} tries" if worker.attempt > 1 else ""
    return Outcome({}, f"the worker was ended by {ended_by.name}{tries}")
