# SPDX-License-Identifier: GPL-2.0-only
"""The points of a sweep on this machine: an OS process for each, so many at a time."""

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
# Somebody else's doing, such as the system's when memory runs out: worth another try.
_FROM_OUTSIDE = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP)
MOST_TRIES = 3


class _Forking:
    """One thread forks at a time: else a worker keeps the pipe of another's open."""

    lock = threading.Lock()


_forking = _Forking()


@dataclass
class _Worker:
    """An OS process that does one point."""

    task: Task
    attempt: int
    process: int
    pipe: int
    answer: bytearray = field(default_factory=bytearray)


def run_here(tasks: Sequence[Task], jobs: int) -> Iterator[tuple[Task, Outcome]]:
    """Do all tasks; yield what came of each as it is done.

    Args:
        tasks: what is to be done.
        jobs: OS processes at a time.
    """
    waiting = deque((task, 1) for task in tasks)
    working: dict[int, _Worker] = {}
    with selectors.DefaultSelector() as selector:
        try:
            while waiting or working:
                while waiting and len(working) < jobs:
                    with _no_interrupt():  # until it is known: else nobody would wait for its end
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
    """Do one task in an OS process of its own."""
    return next(outcome for _, outcome in run_here([task], 1))


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Let Ctrl-C wait: what is raised while Python forks is lost.

    A mask would not do: a thread that numpy started takes the signal then.
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
    # What is buffered is written once, not by the child again.
    sys.stdout.flush()
    sys.stderr.flush()
    with _forking.lock:
        reading, writing = os.pipe()
        parent = os.getpid()
        process = os.fork()
        if process == 0:
            _forking.lock = threading.Lock()  # a point may sweep, too
            os.close(reading)
            _work(task, writing, parent)
        os.close(writing)
    return _Worker(task, attempt, process, reading)


def _work(task: Task, pipe: int, parent: int) -> None:
    """Do a point in a child process, which ends here."""
    code = 1
    try:
        for ending in (signal.SIGINT, signal.SIGTERM):
            signal.signal(ending, signal.SIG_DFL)
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)  # nobody waits for an orphan
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
    """Take what a worker has written; return whether more may come."""
    piece = os.read(worker.pipe, _PIECE)
    worker.answer += piece
    return bool(piece)


def _reap(worker: _Worker) -> int:
    os.close(worker.pipe)
    _, status = os.waitpid(worker.process, 0)
    return os.waitstatus_to_exitcode(status)


def _end(worker: _Worker) -> Outcome | None:
    """Return what came of a point; None: it is to be tried again."""
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
