# SPDX-License-Identifier: GPL-2.0-only
"""One point of a sweep: its task and its outcome."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from via import workloads
from via._base import kinds
from via.errors import ViaError, refuse
from via.measured import summary
from via.protocol import Protocol
from via.results import Run
from via.sweeps.grid import ERROR, Point

VALUE = "value"  # the column of a function that returns a number or a string
SEED = "seed"

# Arguments of via.Cluster; a point's other values are parameters of the workload.
CLUSTER = frozenset(
    {"topology", "nodes", "rails", "profile", "host", "kernel", "node_profiles", "seed",
     "reference", "faults", "overrides"}
)  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """The outcome of a point: results by column, or why there are none."""

    values: Mapping[str, Any]
    error: str = ""


@dataclass(frozen=True)
class Task:
    """A point to run.

    Attributes:
        number: its row in the table.
        function: the function to call.
        point: the arguments.
    """

    number: int
    function: Callable[..., object]
    point: Point


@dataclass(frozen=True)
class Workload:
    """A workload as a function for a sweep.

    Attributes:
        name: of a built-in one; or of the protocol, for tables.
        protocol: a protocol of the user's own.
    """

    name: str
    protocol: type[Protocol] | None = None

    def __call__(self, **point: Any) -> Mapping[str, Any]:
        """Run it on the cluster that the point describes.

        Returns:
            The columns of summary() but those that are parameters, such as `messages` of streams.
        """
        from via.cluster import Cluster

        kind = workloads.Workload if self.protocol else workloads.kind_of(self.name)
        needs_messages = kind.timed is workloads.Timed.ARRIVALS
        cluster = {name: value for name, value in point.items() if name in CLUSTER}
        others = {name: value for name, value in point.items() if name not in CLUSTER}
        run = Cluster(record=needs_messages, **cluster).run(self.protocol or self.name, **others)
        parameters = {*kind.meanings, *others}
        return {name: value for name, value in summary(run).items() if name not in parameters}


def with_seed(function: Callable[..., object], point: Point, seed: int) -> Point:
    """Return a point with the sweep's seed added, if the function takes one and it has none."""
    return point if SEED in point or not takes_seed(function) else {**point, SEED: seed}


def takes_seed(function: Callable[..., object]) -> bool:
    """Return whether a function has an argument for the seed."""
    try:
        arguments = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    return isinstance(function, Workload) or any(each.name == SEED for each in arguments)


def evaluate(task: Task) -> Outcome:
    """Run a point; an exception becomes its outcome."""
    try:
        return Outcome(_values(task.function(**task.point), task.point))
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # SystemExit, too: the others go on
        return refused(error)


def refused(error: BaseException) -> Outcome:
    """Return the outcome of a point that raised an exception."""
    text = kinds.encodable(str(error))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return Outcome({}, f"{type(error).__name__}: {'; '.join(lines)}".removesuffix(": "))


def _values(given: object, point: Point) -> dict[str, Any]:
    if isinstance(given, Run):
        given = summary(given)
    columns = given if isinstance(given, Mapping) else {VALUE: given}
    for name in columns:
        if not isinstance(name, str):
            raise ViaError(f"the function returned {name!r} as the name of a column")
        if name in point or name == ERROR:
            raise ViaError(f"the function returned {name}, which the table has already")
    return {name: _cell(name, value) for name, value in columns.items()}


def _cell(name: str, value: object) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and math.isnan(value):
        value = None
    if isinstance(value, str):
        return kinds.written(name, value)
    if value is None or isinstance(value, bool | int | float):
        return value
    raise refuse(name, repr(value), "a function of a sweep returns numbers and strings, or a"
                 " mapping of names to them")  # fmt: skip
