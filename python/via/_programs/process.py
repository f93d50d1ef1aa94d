# SPDX-License-Identifier: GPL-2.0-only
"""Simulated processes: C programs and Python functions on the nodes of a cluster."""

from __future__ import annotations

import inspect
import os
import re
import site
import sysconfig
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from via import _core
from via._base import kinds
from via._base.arguments import KnownArguments
from via._base.units import MAX_PS, whole, whole_time
from via.errors import refuse
from via.ns3 import Simulation

_PLACE = re.compile(r"\(\S+:\d+, in \S+\)$")
_LIBRARIES = (
    str(Path(__file__).resolve().parents[1]), "<frozen ",
    *(path for name, path in sysconfig.get_paths().items() if name.endswith("lib")),
    *site.getsitepackages(),
)  # fmt: skip
Function = TypeVar("Function", bound=Callable[..., Any])
Watcher = TypeVar("Watcher", bound=Callable[[Simulation], object])


def describe(error: BaseException) -> str:
    """Return one line with an exception and the line of the user's code that raised it."""
    name = type(error).__name__
    text = kinds.encodable(f"{name}: {error}" if str(error) else name)
    frames = traceback.extract_tb(error.__traceback__)
    if not frames or _PLACE.search(text):  # a forgotten await: the text has the line of the call
        return text
    own = [frame for frame in frames if not frame.filename.startswith(_LIBRARIES)]
    last = (own or frames)[-1]
    return f"{text} ({Path(last.filename).name}:{last.lineno}, in {last.name})"


@dataclass(frozen=True)
class PythonSpec:
    """A process to start that is written in Python."""

    node: int
    function: Callable[..., Any]
    start_ps: int
    stop_ps: int

    def add(self, cluster: _core.Cluster, size: int) -> None:
        """Give it to a cluster."""
        cluster.add_python(self.node, self.function, self.start_ps, self.stop_ps)

    def provenance(self) -> dict[str, Any]:
        """What is known of it."""
        return {"node": self.node, "python": name_of(self.function)}


@dataclass(frozen=True)
class ProgramSpec:
    """A process to start that runs a C program."""

    node: int
    path: str
    args: tuple[str, ...]
    env: tuple[str, ...]
    cwd: str
    stdin: str
    prefix: bool
    start_ps: int

    def add(self, cluster: _core.Cluster, size: int) -> None:
        """Give it to a cluster."""
        spec = _core.ProgramSpec()
        spec.path = self.path
        spec.node = self.node
        spec.size = size
        spec.arguments = list(self.args)
        spec.environment = list(self.env)
        spec.directory = self.cwd
        spec.input = self.stdin
        spec.prefix = self.prefix
        spec.start_ps = self.start_ps
        cluster.add_program(spec)

    def provenance(self) -> dict[str, Any]:
        """What is known of it."""
        return {"node": self.node, "program": Path(self.path).name, "args": list(self.args)}


def inner(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function inside of partial objects."""
    while isinstance(function, partial):
        function = function.func
    return function


def name_of(function: Callable[..., Any]) -> str:
    """Return the name of a function for reports."""
    return str(getattr(inner(function), "__qualname__", repr(function)))


def variables(env: Mapping[str, str] | None) -> list[str]:
    """Return "NAME=value" of each environment variable; NAME may begin with ranks, as "1-:".

    Raises:
        ConfigError: a variable has no name.
    """
    found = kinds.mapping("env", env)
    for name in found:
        if not re.fullmatch(r"[^:=]+(:[^=]*[^:=])?", str(name), re.DOTALL):
            raise refuse("env", f"{name}={found[name]}", "NAME, or RANKS:NAME such as 1-:NAME")
    return [f"{name}={value}" for name, value in found.items()]


def _check_function(function: object) -> None:
    if not callable(function):
        raise refuse("process", repr(function), "a function is needed")
    body = inner(function)
    if not (inspect.iscoroutinefunction(body) or inspect.isgeneratorfunction(body)):
        raise refuse("process", repr(function), "an `async def` or a generator function is needed")


class Processes(KnownArguments):
    """The processes that a cluster will run; base class of via.Cluster."""

    def __init__(self, nodes: int) -> None:
        self._node_count = nodes
        self._specs: list[PythonSpec | ProgramSpec] = []
        self._watchers: list[Callable[[Simulation], object]] = []

    def process(
        self,
        nodes: int | Iterable[int],
        *args: object,
        start: str | int = 0,
        stop: str | int | None = None,
    ) -> Callable[[Function], Function]:
        """Decorate a Python function: run() starts a process with it on each of the nodes.

        The function is an `async def` or a generator function. Its arguments are the process, a
        via.Process, and args. Its return value is in Run.returned.

        Args:
            nodes: a node, or several: range(1024).
            args: further arguments of the function.
            start: simulated time at which it starts, such as "10us" or picoseconds.
            stop: simulated time at which it is killed; None: never.

        Raises:
            ConfigError: there is no such node, or the function is of another kind.
        """
        wanted = [nodes] if hasattr(nodes, "__index__") else kinds.listed("nodes", nodes)
        checked = [whole("nodes", node, 0, self._node_count - 1) for node in wanted]
        start_ps = whole_time("start", start, 0)
        stop_ps = MAX_PS if stop is None else whole_time("stop", stop, 0)
        if stop_ps <= start_ps:
            raise refuse("stop", stop, f"it must be later than start = {start}")

        def enter(function: Function) -> Function:
            _check_function(function)
            given: Callable[..., Any] = _with_args(function, args)
            self._specs.extend(PythonSpec(node, given, start_ps, stop_ps) for node in checked)
            return function

        return enter

    def spawn(
        self,
        node: int,
        program: str | os.PathLike[str] | Callable[..., Any],
        args: Sequence[object] = (),
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | os.PathLike[str] = "",
        stdin: str | os.PathLike[str] = "",
        prefix: bool = False,
        start: str | int = 0,
    ) -> None:
        """Add a process that run() will run: a program made by `via cc`, or a Python function.

        Processes get ranks in the order in which they are added.

        Args:
            node: the node that runs it.
            program: the shared object, or a function as for process().
            args: its arguments; for a program, {rank}, {size} and {host} are replaced.
            env, cwd, stdin, prefix: for a program, as for run_program().
            start: simulated time at which it starts, such as "10us" or picoseconds.

        Raises:
            ConfigError: there is no such node or file.
        """
        if callable(program):
            self.process(node, *args, start=start)(program)
            return
        path = kinds.written("program", kinds.path("program", program))
        if not Path(path).is_file():
            raise refuse("program", path, "there is no such file; `via cc` makes one of C sources")
        self._specs.append(
            ProgramSpec(
                whole("node", node, 0, self._node_count - 1),
                path,
                tuple(str(each) for each in kinds.listed("args", args)),
                tuple(variables(env)),
                kinds.text("cwd", cwd),
                kinds.text("stdin", stdin),
                kinds.flag("prefix", prefix),
                whole_time("start", start, 0),
            )
        )

    def ns3(self, function: Watcher) -> Watcher:
        """Decorate a function that is called with a via.ns3.Simulation when a run begins.

        It can read the run's ns-3 objects, set their attributes and connect to their trace
        sources: see the page "Objects of ns-3". An exception that it raises ends the run.

        Raises:
            ConfigError: the function cannot be called.
        """
        if not callable(function):
            raise refuse("ns3", repr(function), "a function is needed")
        self._watchers.append(function)
        return function

    def clear(self) -> None:
        """Remove everything that process(), spawn() and ns3() added."""
        self._specs.clear()
        self._watchers.clear()


def _with_args(function: Callable[..., Any], args: tuple[object, ...]) -> Callable[..., Any]:
    if not args:
        return function

    def called(process: _core.Process) -> Any:
        return function(process, *args)

    called.__qualname__ = getattr(function, "__qualname__", "process")
    called.__wrapped__ = function  # type: ignore[attr-defined]
    return called
