# SPDX-License-Identifier: GPL-2.0-only
"""Runs a simulation whose processes are Python; tells them what does not pass simulated time."""

from __future__ import annotations

import inspect
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from types import FrameType
from typing import Any

from via import _core

_IN_TASKS = inspect.CO_COROUTINE | inspect.CO_GENERATOR | inspect.CO_ITERABLE_COROUTINE


def advance(
    cluster: _core.Cluster,
    codes: Iterable[Callable[..., object]],
    until_ps: int,
    watchdog_s: int,
    progress: Callable[[int], object] | None,
) -> bool:
    """Run a cluster; processes that call time.sleep or asyncio.sleep get an exception.

    Args:
        cluster: what runs.
        codes: functions of the processes; empty: nothing in Python runs.
        until_ps: simulated time; MAX_PS: to the end.
        watchdog_s: as for Cluster.run().
        progress: called with the simulated time, several times per second.

    Returns:
        Whether nothing is left to simulate.
    """
    scopes = {id(scope): scope for scope in map(_globals_of, codes)}
    if not scopes:
        return cluster.advance(until_ps, watchdog_s, progress)
    depth = sys.get_coroutine_origin_tracking_depth()
    sys.set_coroutine_origin_tracking_depth(max(1, depth))  # "never awaited" names the line
    try:
        with _refusing_sleeps(list(scopes.values())):
            return cluster.advance(until_ps, watchdog_s, progress)
    finally:
        sys.set_coroutine_origin_tracking_depth(depth)


def _globals_of(function: Callable[..., object]) -> dict[str, Any]:
    found: dict[str, Any] = getattr(function, "__globals__", {})
    return found


@contextmanager
def _refusing_sleeps(scopes: list[dict[str, Any]]) -> Iterator[None]:
    """Replace sleeps of modules, and those that were imported by name into the scopes."""
    sleeps: dict[int, Callable[..., Any]] = {id(time.sleep): _refusing("time.sleep", time.sleep)}
    holders: list[Mapping[str, Any]] = [vars(time), *scopes]
    if asyncio := sys.modules.get("asyncio"):  # otherwise nobody can have called it
        sleeps[id(asyncio.sleep)] = _refusing("asyncio.sleep", asyncio.sleep)
        holders.append(vars(asyncio))
    replaced = [
        (holder, name, value)
        for holder in holders
        for name, value in list(holder.items())
        if id(value) in sleeps
    ]
    try:
        for holder, name, value in replaced:
            holder[name] = sleeps[id(value)]  # type: ignore[index]
        yield
    finally:
        for holder, name, value in replaced:
            holder[name] = value  # type: ignore[index]


def _refusing(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(real)
    def sleep(*given: Any, **named: Any) -> Any:
        if _is_in_process(sys._getframe(1)):
            raise TypeError(
                f"{name}() passes no simulated time: await the sleep() of the process or protocol"
            )
        return real(*given, **named)

    return sleep


def _is_in_process(frame: FrameType | None) -> bool:
    """Return whether a coroutine or generator lies between the simulation and this frame."""
    is_in_task = False
    while frame is not None and frame.f_code is not advance.__code__:
        is_in_task = is_in_task or bool(frame.f_code.co_flags & _IN_TASKS)
        frame = frame.f_back
    return frame is not None and is_in_task
