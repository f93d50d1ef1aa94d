# SPDX-License-Identifier: GPL-2.0-only
"""The identity of a function: a digest of its code and everything it uses, as far as visible.

The digest covers the function's source; its defaults and closure values; the functions, classes and
values of its own file that it names, recursively; and the whole file of each user module that it
imports. Other packages count by version.
"""

from __future__ import annotations

import dis
import functools
import hashlib
import importlib.util
import inspect
import pickle
import site
import sys
import sysconfig
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from via.errors import refuse
from via.versions import PACKAGE

_NAMING = frozenset({"LOAD_GLOBAL", "LOAD_NAME", "IMPORT_NAME"})


def identity_of(function: Callable[..., object]) -> str:
    """Return a digest of a function's code and of what it uses.

    Raises:
        ConfigError: it uses a value whose changes cannot be detected.
    """
    total = hashlib.sha256()
    for line in _Walk().lines(function):
        total.update(line.encode() + b"\n")
    return total.hexdigest()[:32]


def own_module(function: Callable[..., object]) -> types.ModuleType | None:
    """Return the user module of a function; None: it is of the script itself, or of a package."""
    module = inspect.getmodule(function)
    if module is None or module.__name__ == "__main__" or not _is_own(_file_of(module)):
        return None
    return module


class _Walk:
    """Visits everything that a function uses, once each."""

    def __init__(self) -> None:
        self._seen: dict[int, int] = {}
        self._kept: list[object] = []  # keeps objects alive, so that no id() is reused

    def lines(self, value: Any) -> Iterator[str]:
        """Yield lines that are equal if and only if the value is, as far as visible."""
        if value is None or isinstance(value, bool | int | float | complex | str | bytes):
            yield f"{type(value).__name__} {value!r}"
            return
        if id(value) in self._seen:
            yield f"again {self._seen[id(value)]}"
            return
        self._seen[id(value)] = len(self._seen)
        self._kept.append(value)
        yield from self._parts(value)

    def _parts(self, value: Any) -> Iterator[str]:
        if isinstance(value, list | tuple):
            yield f"{type(value).__name__} of {len(value)}"
            for each in value:
                yield from self.lines(each)
        elif isinstance(value, dict):
            yield f"dict of {len(value)}"
            for key, each in value.items():
                yield from self.lines(key)
                yield from self.lines(each)
        elif isinstance(value, set | frozenset):
            yield f"set of {sorted(map(repr, value))}"
        elif isinstance(value, Path):
            yield f"path {value} {_digest(value.read_bytes()) if value.is_file() else ''}"
        elif isinstance(value, np.ndarray) and value.dtype != object:
            yield f"array {value.dtype} {value.shape} {_digest(value.tobytes())}"
        elif isinstance(value, types.ModuleType):
            yield from self._module(value)
        elif isinstance(value, functools.partial):
            yield "partial"
            yield from self.lines([value.func, value.args, value.keywords])
        elif isinstance(value, types.MethodType):
            yield "method"
            yield from self.lines([value.__func__, value.__self__])
        elif isinstance(value, types.FunctionType):
            yield from self._function(value)
        elif isinstance(value, type):
            yield from self._class(value)
        else:
            yield from self._other(value)

    def _function(self, function: types.FunctionType) -> Iterator[str]:
        if not _is_own(_file_of(function)):
            yield f"{function.__qualname__} of {_version(function.__module__)}"
            return
        yield f"function {function.__qualname__} {_source(function)}"
        yield from self.lines([function.__defaults__, function.__kwdefaults__])
        for cell in function.__closure__ or ():
            yield from self.lines(_content(cell))
        yield from self._names(function.__code__, function.__globals__)
        yield from self._home(function.__module__)

    def _names(self, code: types.CodeType, known: dict[str, Any]) -> Iterator[str]:
        """Yield lines for the names in code that are neither arguments nor local."""
        for name, imported in _named(code):
            if imported:
                yield f"import {name}"
                yield from self._import(name)
            elif name in known:
                yield f"name {name}"
                yield from self.lines(known[name])

    def _import(self, name: str) -> Iterator[str]:
        try:
            found = importlib.util.find_spec(name)
        except (ImportError, ValueError):
            found = None
        file = Path(found.origin) if found is not None and found.origin else None
        if file is None or not file.is_file() or not _is_own(file):
            yield _version(name)
        elif name in sys.modules:
            yield from self.lines(sys.modules[name])
        else:
            yield _digest(file.read_bytes())

    def _home(self, name: str) -> Iterator[str]:
        """Yield lines for the file of a module; for the script itself the used parts suffice."""
        if name != "__main__" and name in sys.modules:
            yield from self.lines(sys.modules[name])

    def _module(self, module: types.ModuleType) -> Iterator[str]:
        file = getattr(module, "__file__", None)
        if not file or not _is_own(Path(file)):
            yield f"module {_version(module.__name__)}"
            return
        yield f"module {module.__name__} {_digest(Path(file).read_bytes())}"
        for each in list(vars(module).values()):  # other user files that it uses
            home = each if isinstance(each, types.ModuleType) else inspect.getmodule(each)
            if home is not None and home is not module and _is_own(_file_of(home)):
                yield from self.lines(home)

    def _class(self, kind: type) -> Iterator[str]:
        if not _is_own(_file_of(kind)):
            yield f"class {kind.__qualname__} of {_version(kind.__module__)}"
            return
        yield f"class {kind.__qualname__}"
        yield from self.lines(list(kind.__bases__))
        for name, member in sorted(vars(kind).items()):
            inner = member.__func__ if isinstance(member, classmethod | staticmethod) else member
            if isinstance(inner, property):
                inner = [inner.fget, inner.fset]
            elif isinstance(inner, functools.cached_property):
                inner = inner.func
            if not name.startswith("__") or isinstance(inner, types.FunctionType):
                yield f"member {name}"
                yield from self.lines(inner)
        yield from self._home(kind.__module__)

    def _other(self, value: Any) -> Iterator[str]:
        if isinstance(value, types.BuiltinFunctionType):
            yield f"built in {value.__qualname__} of {_version(value.__module__ or '')}"
            return
        yield from self.lines(type(value))
        try:
            yield _digest(pickle.dumps(value, protocol=4))
        except Exception:
            raise refuse(
                "function", repr(value),
                "it uses this value, and changes of it cannot be detected: make it a"
                " parameter, or call sweep(..., cache=None)",
            ) from None  # fmt: skip


def _named(code: types.CodeType) -> list[tuple[str, bool]]:
    """Return the sorted names that code looks up, each with whether it imports it."""
    names = {
        (str(each.argval), each.opname == "IMPORT_NAME")
        for each in dis.get_instructions(code)
        if each.opname in _NAMING
    }
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            names.update(_named(inner))
    return sorted(names)


def _source(function: types.FunctionType) -> str:
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):  # typed into an interpreter
        return _bytecode(function.__code__)


def _bytecode(code: types.CodeType) -> str:
    constants = [
        _bytecode(each) if isinstance(each, types.CodeType) else repr(each)
        for each in code.co_consts
    ]
    return f"{code.co_code.hex()} {constants} {code.co_names} {code.co_varnames}"


def _content(cell: Any) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # the cell is still empty
        return None


def _file_of(thing: object) -> Path | None:
    """Return the file that defines something; None: an interactive session, or compiled code."""
    if isinstance(thing, types.FunctionType):
        return Path(thing.__code__.co_filename)
    if isinstance(thing, type):
        module = sys.modules.get(thing.__module__)
        return None if module is None else _file_of(module)
    file = getattr(thing, "__file__", None)
    return Path(file) if file else None


def _is_own(file: Path | None) -> bool:
    """Return whether a file is the user's: not of Python, installed packages or this package."""
    if file is None:
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
    return (PACKAGE, *{Path(each).resolve() for each in folders})


def _version(name: str) -> str:
    root = sys.modules.get(name.partition(".")[0])
    return f"{name} {getattr(root, '__version__', '')}"


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
