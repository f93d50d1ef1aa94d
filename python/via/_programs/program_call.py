# SPDX-License-Identifier: GPL-2.0-only
"""A VIPL program on every node: the arguments of Cluster.run_program, checked and as a task."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from via import _core
from via._base import kinds
from via._base.units import whole
from via._programs.process import variables
from via._programs.task import Task
from via.errors import refuse

MAX_PROCS_PER_NODE = 1024


@dataclass(frozen=True)
class ProgramCall:
    """A program with its arguments, checked.

    Attributes:
        path: the shared object.
        nodes: on nodes 0 to this one minus 1,
        procs_per_node: so many processes each.
        arguments: without the program name.
        environment: "NAME=value" each.
        directory: working directory; "": this process's.
        source: a file as standard input; "": empty input.
        prefix: write the process's name before each output line.
    """

    path: str
    nodes: int
    procs_per_node: int
    arguments: list[str]
    environment: list[str]
    directory: str
    source: str
    prefix: bool

    @classmethod
    def of(
        cls,
        program: str | os.PathLike[str],
        nodes: int,
        *,
        args: Sequence[object],
        procs_per_node: int,
        env: Mapping[str, str] | None,
        cwd: str | os.PathLike[str],
        stdin: str | os.PathLike[str],
        prefix: bool,
    ) -> ProgramCall:
        """Check the arguments of Cluster.run_program.

        Raises:
            ConfigError: an argument is wrong, or there is no such program.
        """
        path = kinds.written("program", kinds.path("program", program))
        per_node = whole("procs_per_node", procs_per_node, 1, MAX_PROCS_PER_NODE)
        if not Path(path).is_file():
            raise refuse("program", path, "there is no such file; `via cc` makes one of C sources")
        arguments = [str(each) for each in kinds.listed("args", args)]
        environment = variables(env)
        directory, source = kinds.text("cwd", cwd), kinds.text("stdin", stdin)
        return cls(
            path, nodes, per_node, arguments, environment, directory, source,
            kinds.flag("prefix", prefix),
        )  # fmt: skip

    def task(self) -> Task:
        """Return what adds the processes to the simulator, with its provenance."""
        return Task(self._add, self.command())

    def command(self) -> dict[str, Any]:
        """Return the provenance."""
        return {
            "program": Path(self.path).name,
            "sha256": hashlib.sha256(Path(self.path).read_bytes()).hexdigest(),
            "args": self.arguments,
            "procs_per_node": self.procs_per_node,
            "env": self.environment,
            **({"cwd": self.directory} if self.directory else {}),
            **({"stdin": self.source} if self.source else {}),
        }

    def sent(self) -> dict[str, Any]:
        """Return what each MPI rank is told."""
        return {
            "path": os.path.abspath(self.path),
            "procs_per_node": self.procs_per_node,
            "arguments": self.arguments,
            "environment": self._variables,
            "directory": self.directory,
            "input": self.source,
            "prefix": self.prefix,
        }

    @property
    def _variables(self) -> list[str]:
        return [*self.environment, f"VIA_PROCS_PER_NODE={self.procs_per_node}"]

    def _add(self, cluster: _core.Cluster) -> None:
        size = self.nodes * self.procs_per_node
        for rank in range(size):
            spec = _core.ProgramSpec()
            spec.path = self.path
            spec.node, spec.slot = divmod(rank, self.procs_per_node)
            spec.size = size
            spec.arguments = self.arguments
            spec.environment = self._variables
            spec.directory = self.directory
            spec.input = self.source
            spec.prefix = self.prefix
            cluster.add_program(spec)
