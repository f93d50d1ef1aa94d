# SPDX-License-Identifier: GPL-2.0-only
"""Finds wrong points of a sweep before any point runs."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from via import _core, profiles, workloads
from via._base import kinds
from via._base.hints import hint
from via._programs.task import constructor_of, task_of, texts
from via.cluster import Cluster
from via.errors import refuse, refuse_name
from via.protocol import Protocol
from via.sweeps.grid import Point, canonical
from via.sweeps.point import CLUSTER, SEED, Outcome, Task, Workload, refused

_RUN = frozenset(inspect.signature(Cluster.run).parameters) - {"self", "workload", "parameters"}
_SWEPT = _RUN - {"pcap", "snaplen"}  # a capture is one file, and a kept result would make none


def judged(tasks: Sequence[Task]) -> Iterator[tuple[Task, Outcome]]:
    """Yield the tasks that cannot be run, with the reason as outcome."""
    if not tasks:
        return
    function = tasks[0].function
    judge = _WorkloadJudge(function) if isinstance(function, Workload) else _judge_of(function)
    for task in tasks:
        try:
            judge(task.point)
        except (ValueError, TypeError, OSError) as error:  # a ConfigError is a ValueError
            yield task, refused(error)


def expect_some(tasks: Sequence[Task], wrong: Mapping[int, Outcome]) -> None:
    """Refuse a sweep if all its points are wrong.

    Raises:
        ConfigError: the text gives the reason for the first point.
    """
    if len(wrong) == len(tasks):
        reason = wrong[0].error.removeprefix("ConfigError: ")
        raise refuse("grid", f"{len(tasks)} points", f"none can be run; the first: {reason}")


class _WorkloadJudge:
    """Checks names and values of a workload's points as Cluster and run() do, without a run."""

    def __init__(self, workload: Workload) -> None:
        self._name = workload.name
        self._protocol = workload.protocol
        self._known = self._names()
        self._clusters: dict[str, tuple[int, profiles.Profile] | Exception] = {}

    def __call__(self, point: Point) -> None:
        for name in point:
            if name.replace("_", "-") not in self._known:
                known = sorted(each.replace("-", "_") for each in self._known)
                raise refuse_name(f"argument of {self._name}", name, known)
        kinds.flag("check", point.get("check", True))
        nodes, profile = self._cluster({name: point[name] for name in point if name in CLUSTER})
        if self._protocol is not None:
            others = {name: point[name] for name in point if name not in CLUSTER | _RUN}
            task_of(self._protocol, others, _RUN).judge(nodes, profile)
            return
        own = {name: point[name] for name in point if name not in CLUSTER | _RUN}
        workloads.check_no_flags(self._name, own)
        _core.judge_workload(self._name, texts(own), nodes, profile)

    def _names(self) -> set[str]:
        if self._protocol is not None:
            return self._names_of(self._protocol)
        own = _core.judge_workload(self._name, {}, 2, profiles.load("ideal"))
        return set(own) | {name.replace("_", "-") for name in CLUSTER | _SWEPT}

    def _names_of(self, protocol: type[Protocol]) -> set[str]:
        own = set(constructor_of(protocol))
        if both := sorted(own & CLUSTER):
            limit = "via.Cluster has an argument of this name: choose another"
            raise refuse(f"parameter of {self._name}", both[0], limit)
        known = {*own, *CLUSTER, *_SWEPT, *workloads.Protocol.meanings}
        return {name.replace("_", "-") for name in known}

    def _cluster(self, given: Mapping[str, Any]) -> tuple[int, profiles.Profile]:
        """Return number of nodes and product of node 0; cached for points that differ in seed."""
        key = canonical({**given, SEED: given.get(SEED, 1) if _is_odd(given.get(SEED)) else 1})
        if key not in self._clusters:
            try:
                cluster = Cluster(record=False, **given)
                self._clusters[key] = (cluster.nodes, cluster.profile_of(0))
            except (ValueError, TypeError, OSError) as error:
                self._clusters[key] = error
        found = self._clusters[key]
        if isinstance(found, Exception):
            raise found
        return found


def _is_odd(seed: object) -> bool:
    """Return whether a seed is not a valid integer, so that it must be checked."""
    return not isinstance(seed, int) or not 0 <= seed < 2**64


def _judge_of(function: Callable[..., object]) -> Callable[[Point], None]:
    """Return a function that checks the names of another function's points."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some C functions have no signature
        return lambda point: None

    def judge(point: Point) -> None:
        try:
            signature.bind(**point)
        except TypeError as error:
            known = list(signature.parameters)
            unknown = next((name for name in point if name not in known), "")
            meant = hint(unknown, known) if unknown else ""
            raise TypeError(f"{error}; the function takes {', '.join(known)}{meant}") from None

    return judge
