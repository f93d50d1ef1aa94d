# SPDX-License-Identifier: GPL-2.0-only
"""The versions that a result depends on."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import subprocess
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path

from via import _core

PACKAGE = Path(__file__).resolve().parent
VERSION = _core.build()["via"]


def about() -> dict[str, str]:
    """Return the versions that a result depends on, as plain text by name.

    `ns3`, `compiler` and `git` are those of the build; `profiles` is a digest of the files of all
    products and hosts, including those in $VIA_PROFILE_PATH.
    """
    build = _core.build()
    return {
        "via": VERSION,
        "git": commit(),
        "ns3": build["ns3"],
        "compiler": build["compiler"],
        "profiles": profile_set(),
        "python": platform.python_version(),
        **{name: version_of(name) for name in ("numpy", "pandas", "matplotlib")},
        "system": f"{platform.system()} {platform.machine()}",
    }


@cache
def version_of(package: str) -> str:
    """Return the version of an installed package without importing it, which takes a while."""
    from importlib import metadata  # so does this, and few need it

    return metadata.version(package)


@lru_cache(maxsize=1)
def commit() -> str:
    """Return the commit of the package, with -dirty for changes; "" if it is unknown."""
    built = PACKAGE / "built.json"  # exists in an installed package
    if built.is_file():
        return str(json.loads(built.read_text("utf-8"))["git"])
    root = PACKAGE.parents[1]
    # safe.directory: accept a clone that another user owns
    command = ["git", "-c", f"safe.directory={root}", "-C", str(root), "describe", "--always",
               "--dirty", "--abbrev=12"]  # fmt: skip
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:  # no git here
        return ""
    return done.stdout.strip()


def profile_set() -> str:
    """Return a digest of the profile files of all products, hosts and kernels."""
    listed = os.environ.get("VIA_PROFILE_PATH", "").split(":")
    folders = [Path(each) for each in (*listed, _core.profile_folder()) if each]
    return _digest((file, file.relative_to(folder)) for folder in folders
                   for file in sorted(folder.rglob("*.toml")))  # fmt: skip


@lru_cache(maxsize=1)
def simulator() -> str:
    """Return a digest of the bytes of the simulator's libraries and the package's sources."""
    libraries = [Path(_core.build()["library"]), Path(_core.__file__)]
    return _digest((file, Path(file.name)) for file in [*libraries, *_sources()])


@lru_cache(maxsize=1)
def sources() -> str:
    """Return a digest of the package's Python sources, independent of where it is installed."""
    return _digest((file, file.relative_to(PACKAGE)) for file in _sources())


def _sources() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def _digest(files: Iterable[tuple[Path, Path]]) -> str:
    total = hashlib.sha256()
    for file, name in files:
        total.update(f"{name} {hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return total.hexdigest()[:32]
