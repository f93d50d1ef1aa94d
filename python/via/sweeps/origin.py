# SPDX-License-Identifier: GPL-2.0-only
"""Where code comes from: from the user's files, or from Python and installed packages."""

from __future__ import annotations

import functools
import importlib.util
import site
import sys
import sysconfig
import types
from importlib.machinery import PathFinder
from pathlib import Path

from via import _core
from via.versions import PACKAGE


def file_of(thing: object) -> Path | None:
    """Return the file that defines something; None: an interactive session, or compiled code."""
    if isinstance(thing, types.FunctionType):
        return Path(thing.__code__.co_filename)
    if isinstance(thing, type):
        module = sys.modules.get(thing.__module__)
        if thing.__module__ == "__main__" and not hasattr(module, "__file__"):
            return Path("<stdin>")
        return None if module is None else file_of(module)
    file = getattr(thing, "__file__", None)
    return Path(file) if file else None


def file_of_module(name: str) -> Path | None:
    """Return the file of a module without importing it, nor the packages around it.

    Args:
        name: the absolute name, such as "package.module".

    Returns:
        None: there is no such module, or it has no file.
    """
    top, *below = name.split(".")
    try:
        found = importlib.util.find_spec(top)
        for part in below:
            if found is None or found.submodule_search_locations is None:
                return None
            inner = f"{found.name}.{part}"
            found = PathFinder.find_spec(inner, list(found.submodule_search_locations))
    except (ImportError, ValueError):
        return None
    file = Path(found.origin) if found is not None and found.origin else None
    return file if file is not None and file.is_file() else None


def is_own(file: Path | None) -> bool:
    """Return whether a file is the user's: not of Python, installed packages or this package."""
    if file is None or str(file).startswith("<frozen "):  # of Python itself
        return False
    if not file.is_file():  # <stdin>, a cell of a notebook
        return True
    whole = file.resolve()
    return not any(whole.is_relative_to(folder) for folder in _libraries())


@functools.lru_cache(maxsize=1)
def _libraries() -> tuple[Path, ...]:
    paths = sysconfig.get_paths()
    named = [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    folders = [*named, *site.getsitepackages(), site.getusersitepackages()]
    compiled = Path(str(_core.__file__)).resolve().parent  # in a build folder, unless installed
    return (PACKAGE, compiled, *{Path(each).resolve() for each in folders})


def version(name: str) -> str:
    """Return the name of a module, with the version of its package if that tells one."""
    root = sys.modules.get(name.partition(".")[0])
    return f"{name} {getattr(root, '__version__', '')}"
