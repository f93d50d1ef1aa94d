# SPDX-License-Identifier: GPL-2.0-only
"""via.sweep: checks the request, reuses kept results, runs the remaining points."""

from __future__ import annotations

import os
import platform
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from via import _core, versions, workloads
from via._base import commands, kinds
from via._base.files import check_outputs, is_kept, written
from via._base.jobs import MOST_JOBS, usual_jobs
from via._base.progress import bar
from via._base.units import whole
from via._cluster import reading
from via._cluster.files import faults_file, topology_file
from via._programs import plug_ins
from via._runs import provenance
from via.errors import refuse, refuse_name
from via.measured import seeds_of
from via.protocol import Protocol
from via.sweeps.grid import ERROR, Grid, Point, canonical, points, rows_of, shown
from via.sweeps.identity import identity_of
from via.sweeps.judging import expect_some, judged
from via.sweeps.local import run_here
from via.sweeps.point import SEED, Outcome, Task, Workload, with_seed
from via.sweeps.store import USUAL, Store, folder_of

if TYPE_CHECKING:
    import pandas as pd
    from distributed import Client


class SweepWarning(UserWarning):
    """Some points of a sweep have no results."""


class CacheWarning(UserWarning):
    """The results of a sweep are not kept for the next one."""


def sweep(
    what: str | workloads.Workload | type[workloads.Workload] | Callable[..., object],
    grid: Grid,
    *,
    jobs: int | None = None,
    seed: int = 1,
    seeds: int | Sequence[int] | None = None,
    cache: str | os.PathLike[str] | None = USUAL,
    client: Client | None = None,
    progress: bool | None = None,
    out: str | os.PathLike[str] | None = None,
    allow_plug_in: bool = False,
) -> pd.DataFrame:
    """Run a workload or function at many points; return a table with a row per point.

    Rows are in the grid's order. The table does not depend on jobs, client, cache or
    interruptions.

    Args:
        what: a workload such as "barrier" or workloads.Barrier(rounds=20), whose points name
            arguments of via.Cluster and parameters of the workload; a subclass of via.Protocol,
            whose points name also arguments of its constructor; or a function that is called with a
            point's values as keywords and returns a number, a string, a mapping of columns to them,
            or a Run.
        grid: {"nodes": [2, 4, 8], "profile": "ideal"}: every combination, the last name changing
            fastest; or the points themselves, as a list of mappings.
        jobs: number of OS processes; None: $VIA_JOBS, or one per processor.
        seed: the seed of points that have none; a function gets it if it has an argument `seed`.
        seeds: run each point with several seeds: how many, from `seed` on, or a list; the table
            then has a column `seed` and via.intervals() gives means with confidence intervals.
        cache: the folder for results of earlier sweeps; None: nothing is kept. The default is
            $VIA_SWEEP_CACHE, or the folder sweeps in the user's cache folder of via.
        client: a distributed.Client, whose workers run the points.
        progress: show a progress bar with the remaining time; None: if stderr is a terminal.
        out: a CSV file for the table; the file that `via reproduce` needs is written beside it.
        allow_plug_in: run the shared objects that profiles name, as for via.Cluster.

    Returns:
        The columns of the grid, the columns of the results, and `error`, which is empty or tells
        why a point has no results. A failed point does not stop the others. `attrs["via"]` tells
        what was swept, with which seeds and versions, the product if there is one, and in `grid`
        the columns of the grid.

    Raises:
        ConfigError: the text names the option, its value and what is allowed; or all points are
            refused.
    """
    made = what() if isinstance(what, type) and issubclass(what, workloads.Workload) else what
    if isinstance(made, workloads.Workload):
        grid = _with_chosen(made.chosen(), grid)
        made = made.name
    function = _function_of(made)
    if not callable(function):
        raise refuse("what", repr(what), "a function, or the name of a workload is needed")
    if isinstance(made, str) and made not in _core.workload_names():
        raise refuse_name("workload", made, _core.workload_names())
    if seeds is not None:
        grid = with_seeds(seeds_of(seeds, whole(SEED, seed, 0, 2**64 - 1)), grid)
    kinds.flag("allow_plug_in", allow_plug_in)
    jobs = whole("jobs", _usual_jobs() if jobs is None else jobs, 1, MOST_JOBS)
    seed = whole(SEED, seed, 0, 2**64 - 1)
    wanted = points(grid)
    if out is not None:
        out = kinds.path("out", out)
        beside = provenance.beside(Path(out)) if is_kept(out) else None
        check_outputs({"out": out, "file beside out": beside}, _read_by(wanted))
    if isinstance(function, Workload):
        for product in sorted({str(point["profile"]) for point in wanted if "profile" in point}):
            plug_ins.check(product, allow_plug_in)
    store = Store(folder_of(None if cache is None else str(kinds.path("cache", cache))))
    if client is not None:
        from via.sweeps.on_dask import check_client

        check_client(client)
    tasks = [
        Task(number, function, with_seed(function, point, seed))
        for number, point in enumerate(wanted)
    ]
    with plug_ins.permitted(allow_plug_in):
        outcomes = _all(tasks, store, jobs, client, progress)
        table = _table(wanted, outcomes)
        if out is not None:
            _write(Path(out), table, function, wanted, seed)
    if store.trouble:
        text = f"results are not kept: {store.trouble}"
        warnings.warn(text, CacheWarning, stacklevel=2)
    _warn(table)
    typed = _typed(table)
    typed.attrs["via"] = _origin(function, tasks)
    return typed


def _function_of(what: Any) -> Any:
    """Return a workload or a protocol as a function; others as they are."""
    if isinstance(what, Protocol):
        name = type(what).__name__
        limit = f"its class is needed, with what its constructor takes in the grid: sweep({name}, "
        raise refuse("what", f"an instance of {name}", limit + "{...})")
    if isinstance(what, type) and issubclass(what, Protocol):
        return Workload(what.__qualname__, what)
    return Workload(what) if isinstance(what, str) else what


def _with_chosen(chosen: Mapping[str, object], grid: Grid) -> Grid:
    """Return a grid whose points have the values that a workload was made with."""
    if not chosen:
        return grid
    if isinstance(grid, Mapping):
        rows: list[Mapping[str, object]] = [grid]
    else:
        rows = list(rows_of(grid))
    for name, value in chosen.items():
        if any(name in row for row in rows):
            raise refuse(name, value, "the workload and the grid both give it")
    changed = [{**row, **chosen} for row in rows]
    return changed[0] if isinstance(grid, Mapping) else changed


def with_seeds(seeds: list[int], grid: Grid) -> Grid:
    """Return a grid with each point once per seed."""
    if isinstance(grid, Mapping):
        if SEED in grid:
            raise refuse("seeds", seeds, "the grid has seeds already")
        return {**grid, SEED: seeds}
    rows = rows_of(grid)
    if any(SEED in row for row in rows):
        raise refuse("seeds", seeds, "the grid has seeds already")
    return [{**row, SEED: seed} for row in rows for seed in seeds]


def _usual_jobs() -> int:
    if named := os.environ.get("VIA_JOBS"):
        if not (named.isascii() and named.isdigit()):
            raise refuse("VIA_JOBS", named, "a whole number is needed")
        return int(named)
    return usual_jobs()


def _all(
    tasks: Sequence[Task], store: Store, jobs: int, client: Client | None, progress: bool | None
) -> list[Outcome]:
    """Return the outcomes of all tasks, in order; each is kept as soon as it is known."""
    function = tasks[0].function
    keys = [
        store.key(each, task.point) for task, each in zip(tasks, _all_about(tasks), strict=True)
    ]
    outcomes = [store.get(key) for key in keys]
    left = [task for task, outcome in zip(tasks, outcomes, strict=True) if outcome is None]
    wrong = {task.number: outcome for task, outcome in judged(left)}
    expect_some(tasks, wrong)
    left = [task for task in left if task.number not in wrong]
    for number, outcome in wrong.items():
        outcomes[number] = outcome
    # None: a bar only if stderr is a terminal.
    disable = None if progress is None else not progress
    with bar(
        total=len(tasks), initial=len(tasks) - len(left), desc=_name_of(function), disable=disable,
        leave=False,
    ) as drawn:  # fmt: skip
        for task, outcome in _doing(left, jobs, client):
            store.put(keys[task.number], outcome)
            outcomes[task.number] = outcome
            drawn.update()
    return [outcome for outcome in outcomes if outcome is not None]


def _doing(
    tasks: Sequence[Task], jobs: int, client: Client | None
) -> Iterator[tuple[Task, Outcome]]:
    if client is None:
        return run_here(tasks, jobs)
    from via.sweeps.on_dask import run_on

    return run_on(client, tasks)


def _all_about(tasks: Sequence[Task]) -> Iterator[Mapping[str, str]]:
    """Yield, for each task, what its outcome depends on in addition to its point."""
    function = tasks[0].function
    common = _software()
    if not isinstance(function, Workload):
        common |= {"code": identity_of(function), "profiles": versions.profile_set()}
        return (common for _ in tasks)
    own = function.protocol
    common["code"] = function.name if own is None else identity_of(own)
    return (
        {**common, "profiles": reading.fingerprint(task.point), "files": files_of(task.point)}
        for task in tasks
    )


def files_of(point: Point) -> str:
    """Return a digest of the files that a workload's point names, except those of profiles."""
    return canonical([Path(topology_file(point)), Path(faults_file(point))])


def _origin(function: Callable[..., object], tasks: Sequence[Task]) -> dict[str, Any]:
    """Return what a table says about itself; small, as pandas copies it with each selection."""
    is_workload = isinstance(function, Workload)
    is_own = isinstance(function, Workload) and function.protocol is not None
    kind = "protocol" if is_own else "workload" if is_workload else "function"
    about: dict[str, Any] = {kind: _name_of(function)}
    if is_workload:
        products = {str(task.point.get("profile", reading.USUAL_PROFILE)) for task in tasks}
        about |= {"profile": products.pop()} if len(products) == 1 else {}
    about["grid"] = list(dict.fromkeys(name for task in tasks for name in task.point))
    seeds = list(dict.fromkeys(task.point[SEED] for task in tasks if SEED in task.point))
    if seeds:
        about["seed"] = seeds[0] if len(seeds) == 1 else seeds
    return {
        "via": versions.VERSION, **about, "profiles": versions.profile_set(), **_software()
    }  # fmt: skip


def _software() -> dict[str, str]:
    import pandas as pd  # takes a while to load: before workers fork, which then share it

    return {
        "simulator": versions.simulator(), "python": platform.python_version(),
        "numpy": np.__version__, "pandas": pd.__version__,
    }  # fmt: skip


def _read_by(points: Sequence[Point]) -> list[tuple[str, str]]:
    """Return the files that points name, with their arguments."""
    chosen = [{name: point[name] for name in reading.NAMING & point.keys()} for point in points]
    clusters = {canonical(each): each for each in chosen}
    return list(dict.fromkeys(file for each in clusters.values() for file in reading.files(each)))


def _name_of(function: Callable[..., object]) -> str:
    if isinstance(function, Workload):
        return function.name
    return getattr(function, "__name__", type(function).__name__)


def _table(wanted: Sequence[Point], outcomes: Sequence[Outcome]) -> pd.DataFrame:
    import pandas as pd  # takes a while to load

    axes = dict.fromkeys(name for point in wanted for name in point)
    results = dict.fromkeys(name for each in outcomes for name in each.values)
    rows = [
        [*(shown(point.get(name)) for name in axes), *(done.values.get(name) for name in results),
         done.error]
        for point, done in zip(wanted, outcomes, strict=True)
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=[*axes, *results, ERROR], dtype=object)


def _typed(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table with typed columns; integers stay integers beside missing values."""
    typed = table.infer_objects()
    for name in table:
        kinds = {type(cell) for cell in table[name]}
        if kinds == {int, type(None)}:
            numbers = [cell for cell in table[name] if cell is not None]
            typed[name] = table[name].astype(_kind_of(numbers))
    return typed


def _kind_of(numbers: Sequence[int]) -> str:
    """Return the type of a column for these integers, some of which are missing in it."""
    low, high = min(numbers), max(numbers)
    if low >= 0 and 2**63 <= high < 2**64:
        return "UInt64"
    return "Int64" if low >= -(2**63) and high < 2**63 else "object"


def _write(
    path: Path, table: pd.DataFrame, function: Callable[..., object], wanted: list[Point], seed: int
) -> None:
    with written(path) as file:
        table.to_csv(file, index=False, lineterminator="\n")
    if not is_kept(path):
        return
    command = commands.current()
    if isinstance(function, Workload) and function.protocol is None:
        command = commands.of_sweep(function.name, wanted, seed, plug_ins.words())
    provenance.write(provenance.beside(path), command, [path])


def _warn(table: pd.DataFrame) -> None:
    failed: list[Any] = [error for error in table[ERROR] if error]
    if failed:
        warnings.warn(
            f"{len(failed)} of {len(table)} points have no results; the first: {failed[0]}",
            SweepWarning,
            stacklevel=3,
        )
