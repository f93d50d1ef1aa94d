# SPDX-License-Identifier: GPL-2.0-only
"""What a run does: a workload by name or by its class, or a protocol written in Python."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from via import _core, profiles, workloads
from via._base import kinds
from via._base.units import whole
from via._programs.process import inner
from via.errors import refuse, refuse_name
from via.protocol import MOST_BYTES, SPANS, Protocol
from via.workloads import Workload

Command: TypeAlias = dict[str, Any]


MOST_WINDOW = 4096


@dataclass(frozen=True)
class Task:
    """What a run does.

    Attributes:
        add: adds it to the simulator.
        command: its provenance.
        codes: its functions in Python.
        judge: checks its parameters for a number of nodes and the card of node 0, without a run.
    """

    add: Callable[[_core.Cluster], None]
    command: Command
    codes: Sequence[Callable[..., Any]] = ()
    judge: Callable[[int, profiles.Profile], object] = lambda nodes, profile: None


def named(
    workload: str | Workload | type[Workload] | Callable[..., Protocol] | None,
    parameters: dict[str, Any],
) -> tuple[Any, dict[str, object]]:
    """Return name and parameters of a workload of via.workloads; others as they are.

    Raises:
        ConfigError: a parameter of a workload by name is True or False and not a number, or
            parameters are given beside a workload that has its own.
    """
    if isinstance(workload, str):
        workloads.check_no_flags(workload, parameters)
    if isinstance(workload, type) and issubclass(workload, Workload):
        made = workload(**parameters)
        return made.name, {**made.parameters()}
    if not isinstance(workload, Workload):
        return workload, parameters
    if parameters:
        what = f"give them to {type(workload).__name__}() itself"
        raise refuse("parameters", ", ".join(sorted(parameters)), what)
    return workload.name, {**workload.parameters()}


def texts(parameters: Mapping[str, object]) -> dict[str, str]:
    """Return parameters as the simulator reads them.

    Raises:
        ConfigError: one is given twice, with - and with _, or is no text that can be written.
    """
    found: dict[str, str] = {}
    for name, value in parameters.items():
        text = kinds.written("parameter", name.replace("_", "-"))
        if text in found:
            raise refuse("parameter", name, "it is given twice, with - and with _")
        found[text] = kinds.written(name, int(value) if isinstance(value, bool) else value)
    return found


def task_of(
    workload: str | Callable[..., Protocol], parameters: dict[str, object], taken: Collection[str]
) -> Task:
    """Return a workload by name, or a Python protocol.

    Args:
        workload: the name, or what makes the protocol of a process.
        parameters: of the workload.
        taken: names that a constructor of a protocol cannot have: those of run().

    Raises:
        ConfigError: it is neither, or nobody knows a parameter.
    """
    if isinstance(workload, str):
        known, given = kinds.written("workload", workload), texts(parameters)
        return Task(
            lambda cluster: cluster.add_workload(known, given),
            {"workload": workload, "parameters": given},
            judge=lambda nodes, profile: _core.judge_workload(known, given, nodes, profile),
        )
    if isinstance(workload, Protocol):
        kind = type(workload)
        call = ", ".join([kind.__name__, *(f"{each}=..." for each in constructor_of(kind))])
        limit = f"its class is needed, which makes one for each process: run({call})"
        raise refuse("workload", f"an instance of {kind.__name__}", limit)
    if not callable(workload):
        raise refuse("workload", repr(workload), "a name, or a subclass of via.Protocol")
    own, others = _arguments(workload, parameters, taken)
    make = partial(workload, **own) if own else workload
    try:
        first = make()
    except TypeError as error:
        limit = f"a name, or a subclass of via.Protocol: {error}"
        raise refuse("workload", repr(workload), limit) from error
    if not isinstance(first, Protocol):
        raise refuse("workload", repr(workload), "a name, or a subclass of via.Protocol")
    name = type(first).__qualname__
    least = whole("message_bytes", first.message_bytes, 5, MOST_BYTES)
    most = least
    if first.max_message_bytes is not None:
        most = whole("max_message_bytes", first.max_message_bytes, least, MOST_BYTES)
        if "size" in others:
            raise refuse("size", others["size"], f"messages of {name} have their own sizes")
    if first.span not in SPANS:
        raise refuse_name("span", first.span, SPANS)
    flow_of(first)
    workloads.check_no_flags(name, others)
    given, span = texts(others), first.span

    def add(cluster: _core.Cluster) -> None:
        cluster.add_protocol(
            make, f"python:{name}", most, 0 if most == least else least, span, given
        )

    def judge(nodes: int, profile: profiles.Profile) -> None:
        _core.judge_protocol(f"python:{name}", most, given, nodes, profile)

    command = {"protocol": name, "parameters": given}
    if own:
        command["arguments"] = {name: repr(value) for name, value in own.items()}
    return Task(add, command, [type(first).run], judge)


def flow_of(protocol: Protocol) -> tuple[int, bool, bool]:
    """Return window, bounded and selective of a protocol, checked.

    Raises:
        ConfigError: one of them cannot be, or they do not go together.
    """
    window = whole("window", protocol.window, 1, MOST_WINDOW)
    bounded = kinds.flag("bounded", protocol.bounded)
    selective = kinds.flag("selective", protocol.selective)
    if selective and not bounded:
        raise refuse("selective", True, "only a protocol that is bounded, too, can be")
    return window, bounded, selective


def targets_of(given: object, rank: int, size: int) -> list[int]:
    """Return what targets() of a process has returned as ranks, checked.

    Raises:
        ConfigError: it is no list of ranks, or one of them is no other process.
    """
    option = f"targets() of process {rank}"
    if not isinstance(given, Iterable):
        raise refuse(option, repr(given), "None, or the ranks of other processes are needed")
    ranks = [whole(option, each, 0, size - 1) for each in given]
    if rank in ranks:
        raise refuse(option, rank, "a process does not send to itself")
    return ranks


def _arguments(
    make: Callable[..., Protocol], parameters: dict[str, object], taken: Collection[str]
) -> tuple[dict[str, object], dict[str, object]]:
    """Divide parameters among the constructor of a protocol and what all protocols have.

    Raises:
        ConfigError: nobody knows a parameter, or both know it.
    """
    common = workloads.Protocol.meanings
    own = set(constructor_of(make))
    name = getattr(make, "__qualname__", repr(make))
    for parameter in parameters:
        if parameter not in own and parameter.replace("-", "_") not in common:
            raise refuse_name(f"parameter of {name}", parameter, sorted({*own, *common}))
    if both := sorted(own & {*common, *taken}):
        limit = "run(), or every protocol, has one of this name: choose another"
        raise refuse(f"parameter of {name}", both[0], limit)
    return (
        {name: value for name, value in parameters.items() if name in own},
        {name: value for name, value in parameters.items() if name not in own},
    )


def constructor_of(make: Callable[..., Protocol]) -> list[str]:
    """Return the names of the arguments that make a protocol, in order."""
    try:
        given = inspect.signature(make).parameters.values()
    except (TypeError, ValueError):
        return []
    open_ended = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [each.name for each in given if each.kind not in open_ended]


def code_of(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function that the user wrote."""
    return inspect.unwrap(inner(function))
