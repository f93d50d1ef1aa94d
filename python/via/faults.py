# SPDX-License-Identifier: GPL-2.0-only
"""Fault plans: which faults happen in a run, and when."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from operator import index
from typing import Any

import numpy as np

from via import _core
from via._base import kinds
from via.errors import refuse

SCHEMA = "via-faults/1"

Time = str | int
"""A time with its unit, "1.5 ms", or a whole number of picoseconds."""


class Faults:
    """A fault plan. Every method that adds a fault returns the plan.

    For example::

        via.Faults().link_down("n3", at="1 ms", until="2 ms").loss("s0", corrupt_ppb=1000)

    `where` is a host "n3", a switch "s0", a port "s0.2", a wire "n3-s0", one direction of it
    "n3>s0", or "all". A fault lasts from `at` until `until`; None: to the end of the run. Times are
    picoseconds, or text with a unit. Errors show when a Cluster is made with the plan, because
    only the topology says which components exist: via.Cluster raises ConfigError.
    """

    def __init__(self) -> None:
        self._plan: dict[str, list[dict[str, Any]]] = {}

    def __repr__(self) -> str:
        count = sum(len(each) for each in self._plan.values())
        return f"<via.Faults: {count} in all>"

    def loss(
        self,
        where: str = "all",
        *,
        corrupt_ppb: int = 0,
        vanish_ppb: int = 0,
        bit_errors: int = 0,
        at: Time = 0,
        until: Time | None = None,
    ) -> Faults:
        """Wires damage cells.

        Args:
            where: the wires.
            corrupt_ppb: cells damaged, of 10^9 cells.
            vanish_ppb: cells lost, of 10^9 cells.
            bit_errors: wrong bits, of 10^15 bits.
            at, until: when.
        """
        shares = {"corrupt_ppb": corrupt_ppb, "vanish_ppb": vanish_ppb, "bit_errors": bit_errors}
        return self._add("loss", at, until, where=where, **shares)

    def link_down(self, where: str, *, at: Time = 0, until: Time | None = None) -> Faults:
        """Wires are cut at `at` and restored at `until`."""
        return self._add("link_down", at, until, where=where)

    def switch_down(self, where: str, *, at: Time = 0, until: Time | None = None) -> Faults:
        """A switch fails; the cells that it holds are lost."""
        return self._add("switch_down", at, until, where=where)

    def nic_reset(self, where: str, *, at: Time, until: Time) -> Faults:
        """A card loses its connections, and receives nothing until `until`."""
        return self._add("nic_reset", at, until, where=where)

    def node_crash(
        self, where: str, *, at: Time = 0, until: Time | None = None, restart: bool = False
    ) -> Faults:
        """A host crashes with its processes; with restart its programs start again at `until`."""
        return self._add("node_crash", at, until, where=where, restart=restart)

    def slow_node(
        self, where: str, *, factor: str | int, at: Time = 0, until: Time | None = None
    ) -> Faults:
        """The CPUs of a host run slower by a factor, such as 3 or "3/2"."""
        return self._add("slow_node", at, until, where=where, factor=factor)

    def partition(
        self, sets: Sequence[Sequence[str]], *, at: Time = 0, until: Time | None = None
    ) -> Faults:
        """Hosts of different sets cannot reach each other. Unlisted hosts form one more set."""
        return self._add(
            "partition",
            at,
            until,
            sets=[kinds.listed("sets", each) for each in kinds.listed("sets", sets)],
        )

    def storm(
        self,
        kind: str,
        where: str = "all",
        *,
        per_second: int,
        least: Time,
        most: Time,
        until: Time,
        at: Time = 0,
        **more: object,
    ) -> Faults:
        """Faults of one kind occur at random, at a mean rate per component.

        Args:
            kind: the name of another method that adds a fault.
            where: one component; "all": each. Partitions are of all hosts.
            per_second: faults per component and second of simulated time.
            least, most: range of a fault's duration.
            at, until: range of the times at which faults begin.
            more: further arguments of that method, such as factor=3.
        """
        if kind != "partition":
            more["where"] = where
        elif where != "all":
            raise refuse("where", where, 'a partition is of all hosts: "all" is needed')
        span = {"per_second": per_second, "least": least, "most": most}
        return self._add("storm", at, until, kind=kind, **span, **more)

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as the content of a plan file."""
        return {"schema": SCHEMA, **self._plan}

    def _add(self, kind: str, at: Time, until: Time | None, /, **values: object) -> Faults:
        span = {"at": at} if until is None else {"at": at, "until": until}
        given = {name: _plain_value(name, value) for name, value in {**values, **span}.items()}
        self._plan.setdefault(kind, []).append(given)
        return self


Given = Faults | Mapping[str, Any] | str | os.PathLike[str] | None
"""What via.Cluster accepts: a plan, its dictionary, or a TOML or JSON file."""


def load(given: Given) -> tuple[_core.FaultPlan, str]:
    """Read a plan; return it and its text for the provenance of results.

    Raises:
        ConfigError: the text names file, line, key, value and what is allowed.
    """
    if given is None:
        return _core.FaultPlan(), ""
    if isinstance(given, Faults | Mapping):
        text = json.dumps(_plain(given))
        return _core.FaultPlan.read_json(text, "faults"), text
    place = kinds.path("faults", given)
    if os.path.isdir(place):  # Path.is_dir() raises an error if its folder may not be entered
        raise refuse("faults", place, "a file is needed, this is a folder")
    path = kinds.written("faults", place)
    plan = _core.FaultPlan.read(path)
    try:
        return plan, place.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise refuse(
            "faults", path, f"is not UTF-8: {error.reason} at byte {error.start}"
        ) from error
    except OSError as error:  # it is gone since
        raise refuse("faults", path, f"cannot be read: {error.strerror}") from error


def task(given: Given, text: str) -> dict[str, Any]:
    """Return a plan as part of a task for several MPI ranks.

    Args:
        given: the plan; it, or its file, may have other faults by now.
        text: what load() has returned of it.
    """
    if given is None:
        return {}
    if isinstance(given, Faults | Mapping):
        return {"faults": json.loads(text)}
    is_json = str(kinds.path("faults", given)).endswith(".json")
    return {"faults_text": [".json" if is_json else ".toml", text]}


def _plain(given: Faults | Mapping[str, Any]) -> dict[str, Any]:
    return given.to_dict() if isinstance(given, Faults) else _plain_value("faults", given)


def _plain_value(name: str, value: object) -> Any:
    """Return a value as JSON represents it."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, np.bool_):  # some versions of numpy count with it
        return bool(value)
    if isinstance(value, float):
        if not math.isfinite(value):  # JSON has no word for it
            raise refuse(name, value, "a finite number is needed")
        return float(value)  # of numpy, too
    if isinstance(value, list | tuple):
        return [_plain_value(name, each) for each in value]
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return {key: _plain_value(key, each) for key, each in value.items()}
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        raise refuse(name, repr(value), "a number, a text, or a list of them") from None
