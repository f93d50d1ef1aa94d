# SPDX-License-Identifier: GPL-2.0-only
"""Runs the points of a sweep on a cluster of machines, through Dask."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from via import versions
from via.errors import ConfigError, ViaError, refuse
from via.sweeps.identity import own_module
from via.sweeps.local import MOST_TRIES, run_apart
from via.sweeps.point import Outcome, Task, Workload

if TYPE_CHECKING:
    from distributed import Client


def check_client(client: Client) -> None:
    """Refuse a cluster whose workers could give other results.

    Raises:
        ConfigError: `client` is not a Client, or a worker has another via or other profiles.
        ViaError: no worker appeared, or a worker has no via.
    """
    try:
        import distributed
    except ImportError:
        raise refuse(
            "client", repr(client),
            "Dask is not installed: apt-get install python3-distributed, or pip install via[dask]",
        ) from None  # fmt: skip
    if not isinstance(client, distributed.Client):
        raise refuse("client", repr(client), "a distributed.Client is needed")
    try:
        client.wait_for_workers(1, timeout=60)
        theirs = client.run(what_runs)
    except ConfigError:
        raise
    except Exception as error:
        raise ViaError(f"the workers cannot run via ({type(error).__name__}: {error})") from error
    ours = what_runs()
    for worker, found in theirs.items():
        for name, version in ours.items():
            if found[name] != version:
                raise refuse(
                    "client", worker, f"has another {name}: {found[name]}, here it is {version}"
                )


def what_runs() -> dict[str, str]:
    """Return the versions that must be the same on all machines, because results depend on them."""
    return {
        "via": versions.VERSION,
        "package": versions.sources(),
        "profile set": versions.profile_set(),
    }


def run_on(client: Client, tasks: Sequence[Task]) -> Iterator[tuple[Task, Outcome]]:
    """Run all tasks on a client's workers; yield each with its outcome when it is finished."""
    from distributed import KilledWorker, as_completed

    tries: Counter[int] = Counter()
    pending = {client.submit(run_sent, _sent(task), pure=False): task for task in tasks}
    coming = as_completed(list(pending))
    try:
        for future in coming:
            task = pending.pop(future)
            tries[task.number] += 1
            try:
                # If the worker is lost, Dask runs the task again and this waits.
                outcome = future.result()
            except Exception as error:
                # A worker died, perhaps because of another task.
                if isinstance(error, KilledWorker) and tries[task.number] < MOST_TRIES:
                    again = client.submit(run_sent, _sent(task), pure=False)
                    pending[again] = task
                    coming.add(again)
                    continue
                outcome = Outcome({}, f"on the worker: {type(error).__name__}: {error}")
            yield task, outcome
    finally:
        client.cancel(list(pending))


def run_sent(task: bytes) -> Outcome:
    """Run a task that _sent has packed."""
    return run_apart(pickle.loads(task))


def _sent(task: Task) -> bytes:
    """Pack a task with the code of a user module, so that workers need not have the file.

    Dask itself would import the module by name, and a script on the command line has no such name.
    """
    import cloudpickle

    protocol = task.function.protocol if isinstance(task.function, Workload) else None
    module = own_module(protocol or task.function)
    if module is None:
        return bytes(cloudpickle.dumps(task))
    cloudpickle.register_pickle_by_value(module)
    try:
        return bytes(cloudpickle.dumps(task))
    finally:
        cloudpickle.unregister_pickle_by_value(module)
