"""One of several partitions; not to be used directly. Built where there is ns-3's module mpi."""

from typing import Protocol

from via import _core

class Work(Protocol):
    def build(self, config: _core.ClusterConfig) -> int: ...
    def simulate(self) -> None: ...
    def close(self) -> None: ...

def run(task: str, result: str, work: Work) -> int:
    """Run this OS process' partition of a task; return an exit code."""
