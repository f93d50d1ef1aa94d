# SPDX-License-Identifier: GPL-2.0-only
"""`via sweep`: one workload or function at many points."""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import sys
import tomllib
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from via import _core
from via._base import kinds
from via._base.files import check_outputs, read_json, read_toml
from via._base.units import whole
from via._cli.guard import answered
from via._cli.options import Parser, add_override, each_once, overrides
from via._programs import plug_ins
from via._programs.process import describe
from via.errors import refuse
from via.measured import seeds_of

if TYPE_CHECKING:
    from via.sweeps.grid import Grid

EPILOG = """\
WHAT is a workload, such as barrier; a function or a protocol in Python, as script.py:name; or a
TOML file:

  what = "barrier"
  seed = 1
  [grid]
  nodes = [2, 4, 8]
  profile = ["giganet-clan1000", "mvia-gnic2"]

examples:
  via sweep barrier nodes=2,4,8 rounds=50 --out barrier.csv
  via sweep ping-pong size=4,1024 'topology=["star", "torus:2x1,hosts=1"]'
  via sweep barrier.toml --jobs 8 --out barrier.csv
  via sweep measure.py:latency size=4,64 --dask tcp://head:8786

The table does not depend on the number of jobs, on Dask or on interruptions. Exit codes: 0 all
points have results; 1 some have none, and the column error says why; 2 usage error.
"""
_KEYS = {"what", "seed", "grid", "points"}
_AS_TOML = re.compile(r"^[\[\"'{]")


def main(argv: Sequence[str]) -> int:
    """Run `via sweep`; return the exit code."""
    given = parser().parse_intermixed_args(argv)  # options may stand between the words
    with plug_ins.permitted(given.allow_plug_in):
        return answered(lambda: run(given), parser())


def parser() -> argparse.ArgumentParser:
    """Return the parser of all options."""
    made = Parser(
        prog="via sweep",
        description="Runs one experiment at every point of a grid; the table has a row per point.",
        epilog=EPILOG,
    )
    made.add_argument("what", metavar="WHAT", help="see below")
    made.add_argument(
        "grid", metavar="NAME=VALUES", nargs="*",
        help="values of an argument, separated by commas, or a TOML list",
    )  # fmt: skip
    made.add_argument("--seed", metavar="N", help="seed of points that have none (default: 1)")
    made.add_argument(
        "--seeds", metavar="N", help="run each point with N seeds, from that of --seed on"
    )
    add_override(made)
    made.add_argument("--jobs", metavar="N", help="OS processes (default: one per processor)")
    made.add_argument("--out", type=Path, metavar="FILE", help="write the table as CSV")
    made.add_argument(
        "--cache", metavar="DIR",
        help="folder for finished points, or none (default: $VIA_SWEEP_CACHE, else ~/.cache/via)",
    )  # fmt: skip
    made.add_argument("--dask", metavar="ADDRESS", help="scheduler of a Dask cluster")
    plug_ins.add_option(made)
    made.add_argument("--points", type=Path, metavar="FILE", help="the points, as a JSON list")
    return made


def run(given: argparse.Namespace) -> int:
    """Sweep, print the table; return the exit code."""
    from via._base import commands
    from via.sweeps import SweepWarning, sweep
    from via.sweeps.driver import CacheWarning, with_seeds
    from via.sweeps.store import NOTHING, USUAL

    asked = _asked(given)
    script = asked["what"].rpartition(":")[0]
    check_outputs({"--out": given.out},
                  [("WHAT", given.what), ("WHAT", script), ("--points", given.points)])  # fmt: skip
    jobs = None if given.jobs is None else _whole("--jobs", given.jobs)
    cache = None if given.cache == NOTHING else given.cache or USUAL
    what = _function(asked["what"]) if ".py:" in asked["what"] else asked["what"]
    grid: Grid = asked["points"] if "points" in asked else asked["grid"]
    if given.seeds is not None:
        first = whole("seed", asked["seed"], 0, 2**64 - 1)
        grid = with_seeds(seeds_of(_whole("--seeds", given.seeds), first), grid)
    command = commands.of_command(
        "sweep", _from_here(asked["what"]), "--seed", str(asked["seed"]), *plug_ins.words()
    )
    client = None if given.dask is None else _client(given.dask)
    try:
        with (
            commands.recording({**command, **_recorded(grid)}),
            warnings.catch_warnings(record=True) as warned,
        ):
            warnings.simplefilter("always", CacheWarning)
            warnings.simplefilter("ignore", SweepWarning)  # the table has the errors
            table = sweep(what, grid, jobs=jobs, seed=asked["seed"], cache=cache, client=client,
                          out=given.out)  # fmt: skip
    finally:
        if client is not None:
            client.close()
    for each in warned:
        print(f"via: {each.message}", file=sys.stderr)
    failed = int((table["error"] != "").sum())
    print(table.to_string(index=False, na_rep=""))
    if failed:
        print(f"via: {failed} of {len(table)} points have no results", file=sys.stderr)
    return 1 if failed else 0


def _recorded(grid: Grid) -> dict[str, Any]:
    from via.sweeps.grid import points

    return {"points": points(grid)}


def _asked(given: argparse.Namespace) -> dict[str, Any]:
    """Return what, seed, and grid or points, from the command line and its file."""
    from via.sweeps.grid import rows_of

    asked: dict[str, Any] = {"what": given.what, "seed": 1}
    if given.what.endswith(".toml"):
        asked |= _file(Path(given.what))
    if given.seed is not None:
        asked["seed"] = _whole("--seed", given.seed)
    if given.points is not None:
        asked["points"] = read_json(given.points, "--points")
    own = each_once("grid", given.grid, _axis)
    if "points" in asked and (own or "grid" in asked):
        raise refuse("points", "given", "give points or a grid, not both")
    if "points" in asked:
        asked["points"] = rows_of(asked["points"], "points", "a list of mappings is needed")
    else:
        asked["grid"] = {**kinds.mapping("grid", asked.get("grid")), **own}
    changes = overrides(given.override)
    if changes and ".py:" in asked["what"]:
        raise refuse("--override", given.override[0], "only for workloads: a function decides")
    if changes and any("overrides" in point for point in asked.get("points", [asked.get("grid")])):
        raise refuse("--override", given.override[0], "the points have overrides already")
    if changes and "points" in asked:
        asked["points"] = [{**point, "overrides": changes} for point in asked["points"]]
    elif changes:
        asked["grid"]["overrides"] = [changes]
    return asked


def _file(path: Path) -> dict[str, Any]:
    found = read_toml(path, "file")
    for name in found:
        if name not in _KEYS:
            raise refuse("file", path, f"{name} is none of {', '.join(sorted(_KEYS))}")
    if not isinstance(found.get("what"), str):
        raise refuse("file", path, "what = must name a workload, or a function as script.py:name")
    if ".py:" in found["what"]:  # relative to the TOML file
        found["what"] = str(path.parent / found["what"])
    return found


def _from_here(what: str) -> str:
    """Return a function's name with the path of its file relative to this folder."""
    file, colon, name = what.rpartition(":")
    return os.path.relpath(file) + colon + name if ".py:" in what else what


def _axis(text: str) -> tuple[str, object]:
    name, equals, values = text.partition("=")
    name = name.replace("-", "_")
    if not equals or not name.isidentifier():
        raise refuse("grid", text, "NAME=VALUES is needed, such as nodes=2,4,8")
    if _AS_TOML.match(values):
        try:
            _core.check_nesting(values, name)
            return name, tomllib.loads(f"x = {values}")["x"]
        except tomllib.TOMLDecodeError as error:
            raise refuse(name, values, f"is not a TOML list: {error}") from None
    return name, [_value(each.strip()) for each in values.split(",")]


def _value(text: str) -> object:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _whole(option: str, text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise refuse(option, text, "a whole number is needed")
    return int(text)


def _function(text: str) -> Callable[..., object]:
    """Load script.py:name; imports are also searched in the script's folder."""
    file, _, name = text.rpartition(":")
    path = Path(file).resolve()
    if not path.is_file():
        raise refuse("what", text, f"there is no file {file}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        raise refuse("what", text, f"is not Python: {error}") from error
    except SystemExit as error:  # not an Exception
        limit = f'cannot be loaded: {describe(error)}: only below if __name__ == "__main__":'
        raise refuse("what", text, limit) from error
    except Exception as error:
        raise refuse("what", text, f"cannot be loaded: {describe(error)}") from error
    function = getattr(module, name, None)
    if not callable(function):
        raise refuse("what", text, f"{path.name} has no function {name}")
    found: Callable[..., object] = function
    return found


def _client(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise refuse(
            "--dask", address,
            "Dask is not installed: apt-get install python3-distributed, or pip install via[dask]",
        ) from None  # fmt: skip
    try:
        return Client(address, timeout=10)
    except (OSError, ValueError) as error:
        raise refuse("--dask", address, f"no scheduler answers there: {error}") from None
