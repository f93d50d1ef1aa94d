# SPDX-License-Identifier: GPL-2.0-only
"""Protocols written in Python: a class whose run() is one process per node, on any transport."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterable, Sequence
from typing import Any, Generic, TypeVar

from via import _core

Value = TypeVar("Value")

MOST_BYTES = 2**31 - 1  # more than any card transfers at once

SPANS = ("first-entry-to-first-exit", "first-entry-to-last-exit", "last-entry-to-last-exit")


class Task(Generic[Value]):
    """A task of a protocol's process: an `async def` that runs beside run().

    `await task` waits for its end and returns its value. An exception goes to who waits for the
    task; if nobody does, it ends the process. The end of run() ends all tasks.
    """

    def __init__(self, protocol: Protocol, body: Awaitable[Value]) -> None:
        """Start the task, which runs to its first await. Use Protocol.spawn()."""
        self._protocol = protocol
        self._done = False
        self._value: Any = None
        self._error: BaseException | None = None
        self._waiters: list[int] = []
        self._number: int | None = None  # while it runs for the first time
        number = protocol._spawn(self._run(body))
        if not self._done:
            self._number = number

    async def _run(self, body: Awaitable[Value]) -> None:
        try:
            self._value = await body
        except Exception as error:
            if not self._waiters:
                raise
            self._error = error
        self._end()

    def _end(self) -> None:
        self._done = True
        self._number = None  # another task may get it
        for waiter in self._waiters:
            self._protocol._wake(waiter)

    @property
    def done(self) -> bool:
        """Whether it has ended: returned, failed, or was cancelled."""
        return self._done

    @property
    def failed(self) -> bool:
        """Whether an exception ended it, or it was cancelled."""
        return self._error is not None

    def cancel(self) -> None:
        """End the task where it is: its `finally` blocks run. Nothing happens if it has ended.

        Raises:
            ValueError: it is the task that runs now.
            Exception: what its `finally` blocks raised.
        """
        if self._done:
            return
        if self._number is None:
            raise ValueError("a task cannot cancel itself")
        raised = self._protocol._cancel(self._number)
        self._error = raised or RuntimeError("this task was cancelled")
        self._end()
        if raised is not None:
            raise raised

    def result(self) -> Value:
        """Return the value of a task that has ended.

        Raises:
            RuntimeError: it has not ended, or was cancelled.
            Exception: what ended the task.
        """
        if not self._done:
            raise RuntimeError("this task has not ended")
        if self._error is not None:
            raise self._error
        value: Value = self._value
        return value

    def __await__(self) -> Generator[Any, Any, Value]:
        """Wait for its end."""
        yield from _until(self._protocol, [self], lambda: self._done).__await__()
        return self.result()


async def _until(
    protocol: Protocol, tasks: Sequence[Task[Any]], is_enough: Callable[[], bool]
) -> None:
    """Wait until a condition holds, which can change when one of the tasks ends."""
    me = protocol._current
    for task in tasks:
        task._waiters.append(me)
    try:
        while not is_enough():
            await protocol._park()
    finally:
        for task in tasks:
            task._waiters.remove(me)


class Protocol(_core.Protocol):
    """One process of a protocol. Override run(), then call Cluster.run(YourProtocol).

    For example::

        class Ring(via.Protocol):
            def targets(self):
                return [(self.rank + 1) % self.size]

            async def run(self):
                for round in range(self.rounds):
                    self.enter(round)
                    self.send((self.rank + 1) % self.size, b"token")
                    peer, data = await self.recv()
                    self.leave(round)

    run() can use what this class has, and tasks: spawn() starts another task of this process,
    first_of() waits for the first of several events and all_of() for all of them.

    Code between two awaits takes no simulated time except for its messages, which are sent at the
    next await. What is called without its `await` is an error with the line of the call.

    A class may have a constructor: Cluster.run(Ring, rounds=10, hops=3) makes each process with
    Ring(hops=3), which is also what a dataclass is for.

    Attributes:
        window: messages that may be in flight to each peer.
        bounded: the protocol itself never has more in flight, so no credits are needed.
        selective: recv() always names its source, which can be cheaper.
        message_bytes: size of each message, from 5 to what the card transfers at once; run(size=N)
            makes it longer on the wire.
        max_message_bytes: size of the longest message. None: all have message_bytes; else what is
            sent arrives with its own length, and only shorter ones are padded to message_bytes.
        span: what a sample measures in a round: "first-entry-to-last-exit",
            "last-entry-to-last-exit" or, where only the process that asked leaves the round,
            "first-entry-to-first-exit". Until the last exit each process must leave it that has
            neither crashed nor finished; a round that has not come to its end has no sample.
    """

    window: int = 8
    bounded: bool = False
    selective: bool = False
    message_bytes: int = 8
    max_message_bytes: int | None = None
    span: str = "first-entry-to-last-exit"

    def targets(self) -> Iterable[int] | None:
        """Return the ranks to which this process may send; None: all others."""
        return None

    def run(self) -> Any:
        """The body of this process: an `async def`, or a generator."""
        raise NotImplementedError("a protocol is what its run() does")

    def spawn(self, body: Coroutine[Any, Any, Value]) -> Task[Value]:
        """Start another task of this process; it runs to its first await.

        Args:
            body: a call of an `async def`, such as self.work(3).

        Raises:
            TypeError: it is something else, such as the function itself.
        """
        if not inspect.iscoroutine(body):
            raise TypeError(
                f"spawn() needs a call of an `async def`, such as self.work(), not {body!r}"
            )
        return Task(self, body)

    async def first_of(self, *events: Awaitable[Any]) -> tuple[int, Any]:
        """Wait for the first of several events.

        Args:
            events: what could be awaited: self.recv(), self.sleep(), tasks, calls of an
                `async def`. They begin in this order, and those that are not first are withdrawn:
                a recv() then takes no message. Tasks of spawn() go on.

        Returns:
            The place of the first event among the arguments, from 0, and its value.

        Raises:
            TypeError: nothing to wait for.
            Exception: what ended the first event.
        """
        if not events:
            raise TypeError("first_of() needs at least one event")
        with _Started(self) as started:
            started.start(events, first_ends=True)
            tasks = started.tasks
            await _until(self, tasks, lambda: any(task.done for task in tasks))
            first = next(place for place, task in enumerate(tasks) if task.done)
            return first, tasks[first].result()

    async def all_of(self, *events: Awaitable[Any]) -> list[Any]:
        """Wait for all of several events.

        Args:
            events: as for first_of().

        Returns:
            Their values, in the order of the arguments.

        Raises:
            Exception: what ended the first event that failed; the others are withdrawn.
        """
        with _Started(self) as started:
            started.start(events)
            tasks = started.tasks
            await _until(
                self,
                tasks,
                lambda: any(task.failed for task in tasks) or all(task.done for task in tasks),
            )
            for task in tasks:
                if task.failed:
                    task.result()
            return [task.result() for task in tasks]


def _withdraw(event: object) -> None:
    """Say of an event that nobody will await it."""
    if not isinstance(event, Task) and hasattr(event, "close"):
        event.close()


class _Started:
    """Events that have begun, as tasks; those that are no tasks of the user end with the wait."""

    def __init__(self, protocol: Protocol) -> None:
        self.tasks: list[Task[Any]] = []
        self._protocol = protocol
        self._own: list[Task[Any]] = []

    def __enter__(self) -> _Started:
        return self

    def __exit__(self, *_: object) -> None:
        for task in self._own:
            task.cancel()

    def start(self, events: Iterable[Awaitable[Any]], *, first_ends: bool = False) -> None:
        """Begin the events, in order; those after one that raises, or ends the wait, never begin.

        They are withdrawn, as an event that nobody awaits is an error of the process.
        """
        left = iter(events)
        try:
            for event in left:
                if self._add(event).done and first_ends:
                    break
        finally:
            for late in left:
                _withdraw(late)

    def _add(self, event: Awaitable[Any]) -> Task[Any]:
        if isinstance(event, Task):
            self.tasks.append(event)
            return event
        task: Task[Any] = Task(self._protocol, event)
        self.tasks.append(task)
        self._own.append(task)
        return task
