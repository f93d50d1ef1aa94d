# SPDX-License-Identifier: GPL-2.0-only
"""Saves runs in folders, as CSV or Parquet, completely or not at all.

    run.json          the report, as from `via run --json`
    provenance.json   what is needed to repeat the run
    tables.json       the tables, with the types of their columns
    messages.csv ...  one file per table, or .parquet
    stdout.txt ...    captured output of the processes
    returned.json     what processes written in Python returned, as far as JSON holds it exactly

The files have no date, and no path of this machine except those given: the same run gives the same
bytes, except for the memory and CPU time of MPI ranks in run.json. A folder gets its name when it
is complete.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from via._base.files import check_room_for, place_for, read_json
from via._runs import returned
from via.errors import ConfigError, refuse, refuse_name

if TYPE_CHECKING:
    import pandas as pd

SCHEMA = "via-results/1"
KINDS = ("csv", "parquet")
TABLES = ("messages", "breakdown", "spans", "links", "counters", "decisions", "samples")

_NAMES = frozenset(
    ["run.json", "provenance.json", "tables.json", "stdout.txt", "stderr.txt", returned.NAME]
    + [f"{name}.{kind}" for name in TABLES for kind in KINDS]
)

Sources: TypeAlias = "dict[str, Callable[[], pd.DataFrame]]"


class Saved(Protocol):
    """The part of a via.Run that is saved."""

    @property
    def report(self) -> dict[str, Any]:
        """The run as a dictionary of plain values."""

    @property
    def provenance(self) -> dict[str, Any]:
        """What is needed to repeat the run."""

    @property
    def stdout(self) -> str | None:
        """Standard output of the processes; None: not captured."""

    @property
    def stderr(self) -> str | None:
        """Standard error of the processes; None: not captured."""

    @property
    def returned(self) -> dict[int, Any]:
        """Return values of processes written in Python, by rank."""

    def table(self, name: str) -> pd.DataFrame | None:
        """Return the table of this name, one of TABLES; None: the run has none."""


def check_kind(kind: str) -> None:
    """Refuse a table format that cannot be written.

    Raises:
        ConfigError: it is neither "csv" nor "parquet", or pyarrow is missing.
    """
    if kind not in KINDS:
        raise refuse_name("format", kind, KINDS)
    if kind == "parquet" and importlib.util.find_spec("pyarrow") is None:
        raise refuse("format", kind, "this needs pyarrow: pip install pyarrow; csv needs nothing")


def write_table(table: pd.DataFrame, path: str | os.PathLike[str]) -> None:
    """Write a table to a .csv or .parquet file, completely or not at all.

    Raises:
        ConfigError: another suffix, or its library is missing.
    """
    place = Path(path)
    kind = place.suffix.removeprefix(".")
    check_kind(kind)
    with place_for(place) as beside:
        _write(table, beside, kind)


def _write(table: pd.DataFrame, path: Path, kind: str) -> None:
    if kind == "parquet":
        table.to_parquet(path, engine="pyarrow", index=False)
    else:
        table.to_csv(path, index=False, lineterminator="\n")


def save(run: Saved, folder: Path, kind: str) -> None:
    """Write a run into a folder; it replaces another run there.

    Raises:
        ConfigError: the folder holds something else or cannot be made, or the format is unknown.
    """
    check_kind(kind)
    check_folder(folder)
    folder = Path(os.path.realpath(folder))  # keep a link
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    except OSError as error:
        raise refuse("folder", folder, f"cannot be written: {error.strerror}") from error
    old = beside.with_name(f"{beside.name}.old")
    try:
        _fill(run, beside, kind)
        beside.chmod(0o755)
        _exchange(beside, folder, old)
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be written: {error.strerror or error}") from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
        if folder.exists():  # if not, the old run is all there is
            shutil.rmtree(old, ignore_errors=True)


def _exchange(new: Path, folder: Path, old: Path) -> None:
    """Put a new folder in the place of the old one, which is renamed; or change nothing."""
    try:
        if folder.exists():
            folder.rename(old)
        new.rename(folder)
    except BaseException:  # Ctrl-C, too, comes between any two lines
        if old.exists() and not folder.exists():
            old.rename(folder)
        raise


def check_folder(folder: Path, option: str = "folder") -> None:
    """Refuse a folder that holds something other than a run, or cannot be made.

    Raises:
        ConfigError: the text names the folder.
    """
    if folder.exists() and not _may_replace(folder):
        raise refuse(option, folder, "it exists and holds no run, or more than a run: give another"
                     " name")  # fmt: skip
    check_room_for(folder, option)


def _may_replace(folder: Path) -> bool:
    if not folder.is_dir():
        return False
    names = {file.name for file in folder.iterdir()}
    return not names or (is_run(folder) and names <= _NAMES)


def is_run(folder: Path) -> bool:
    """Return whether a folder holds a run."""
    return (folder / "tables.json").is_file() and (folder / "run.json").is_file()


def _fill(run: Saved, folder: Path, kind: str) -> None:
    _dump(folder / "run.json", run.report)
    _dump(folder / "provenance.json", run.provenance)
    for name, text in (("stdout", run.stdout), ("stderr", run.stderr)):
        if text is not None:
            (folder / f"{name}.txt").write_text(text, encoding="utf-8", newline="")
    returned.write(folder, run.returned)
    described = {}
    for name in TABLES:
        table = run.table(name)
        if table is not None:
            _write(table, folder / f"{name}.{kind}", kind)
            types = {column: str(dtype) for column, dtype in table.dtypes.items()}
            described[name] = {"rows": len(table), "columns": types}
    _dump(folder / "tables.json", {"schema": SCHEMA, "format": kind, "tables": described})


def _dump(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")


def load(folder: Path) -> tuple[dict[str, Any], dict[str, Any], Sources, dict[str, str]]:
    """Return report, provenance, tables (read on demand) and captured output of a run's folder.

    Raises:
        ConfigError: the folder holds no run, or is incomplete.
    """
    if not is_run(folder):
        raise refuse("folder", folder, "it holds no run; via run --save FOLDER makes such a folder")
    report, origin, described = (
        _read_json(folder / f"{name}.json") for name in ("run", "provenance", "tables")
    )
    if described.get("schema") != SCHEMA:
        raise refuse("folder", folder, f"its schema is {described.get('schema')}, not {SCHEMA}")
    if not _is_report(report):
        raise refuse("folder", folder, "run.json is not the report of a run")
    if not isinstance(described.get("tables"), dict):
        raise refuse("folder", folder, "tables.json does not say which tables there are")
    kind = str(described.get("format"))
    check_kind(kind)
    sources: Sources = {}
    for name, what in described["tables"].items():
        if name not in TABLES or not _is_description(what):
            raise refuse("folder", folder, f"tables.json has no right to {name!r}")
        path = (folder / f"{name}.{kind}").absolute()  # it is read later, perhaps from elsewhere
        if not path.is_file():
            raise refuse("folder", folder, f"{path.name} is missing")
        sources[name] = partial(_read_table, path, kind, what, report["digest"])
    texts = {
        name: (folder / f"{name}.txt").read_bytes().decode("utf-8")  # with its "\r\n"
        for name in ("stdout", "stderr")
        if (folder / f"{name}.txt").is_file()
    }
    return report, origin, sources, texts


def _is_report(report: Mapping[str, Any]) -> bool:
    """Return whether a report has the fields that every run has."""
    processes = report.get("processes")
    return (
        all(isinstance(report.get(name), int) for name in ("end_ps", "exit"))
        and isinstance(report.get("digest"), str)
        and isinstance(processes, list)
        and all(
            isinstance(each, dict) and isinstance(each.get(name), int)
            for each in processes
            for name in ("rank", "node")
        )
    )


def _is_description(what: Any) -> bool:
    """Return whether a description of a table has the form that _fill() writes."""
    columns = what.get("columns") if isinstance(what, dict) else None
    return (
        isinstance(columns, dict)
        and all(isinstance(kind, str) for kind in columns.values())
        and isinstance(what.get("rows"), int)
    )


def _read_json(path: Path) -> dict[str, Any]:
    value = read_json(path, "folder")
    if not isinstance(value, dict):
        raise refuse("folder", path.parent, f"{path.name} is not a JSON object")
    return value


def _read_table(path: Path, kind: str, described: Mapping[str, Any], digest: str) -> pd.DataFrame:
    """Read a table of the run with this digest.

    Raises:
        ConfigError: the table cannot be read, or the folder holds another run now.
    """
    import pandas as pd  # takes a while to load

    _check_run(path.parent, digest)
    types: dict[str, str] = described["columns"]
    try:
        table = read_csv(path, types) if kind == "csv" else _with_categories(
            pd.read_parquet(path, engine="pyarrow"), types
        )  # fmt: skip
    except (OSError, ValueError, KeyError) as error:
        raise refuse("folder", path.parent, f"{path.name} cannot be read: {error}") from error
    if list(table.columns) != list(types) or len(table) != described["rows"]:
        raise refuse("folder", path.parent, f"{path.name} is not what tables.json says")
    _check_run(path.parent, digest)  # another run may have come while the table was read
    return table


def _check_run(folder: Path, digest: str) -> None:
    """Refuse a folder into which another run was saved since it was loaded."""
    now = _read_json(folder / "run.json").get("digest")
    if now != digest:
        limit = f"it holds another run now, with digest {now}, not {digest}: load it again"
        raise refuse("folder", folder, limit)


def read_csv(path: Path, types: Mapping[str, str]) -> pd.DataFrame:
    """Read a table with these types; categories are in the order of their first row.

    Raises:
        ValueError: the file is not such a table.
    """
    import pandas as pd  # takes a while to load

    plain = {name: "str" if kind == "category" else kind for name, kind in types.items()}
    try:
        table = pd.read_csv(path, dtype=plain, keep_default_na=False, float_precision="round_trip")
    except (ValueError, TypeError, OverflowError) as error:  # from cells or names of types
        raise ValueError(str(error).strip().replace("\n", "; ")) from error
    if list(table.columns) != list(types):
        raise ValueError(f"its columns are {', '.join(table.columns)}")
    for name, kind in plain.items():  # pandas reads 2^63 as uint64, whatever it was asked for
        if kind.startswith("int") and str(table[name].dtype) != kind:
            raise ValueError(f"column {name} has numbers that are no {kind}")
    return _with_categories(table, types).reset_index(drop=True)  # an empty one has another index


def _with_categories(table: pd.DataFrame, types: Mapping[str, str]) -> pd.DataFrame:
    import pandas as pd  # takes a while to load

    for name, kind in types.items():
        if kind == "category" and str(table[name].dtype) != "category":
            table[name] = pd.Categorical(table[name], categories=table[name].unique())
    return table
