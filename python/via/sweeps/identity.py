# SPDX-License-Identifier: GPL-2.0-only
"""The identity of a function: a digest of its code and everything it uses, as far as visible.

The digest covers the function's source and bytecode; its defaults and closure values; the
functions, classes and values of its own file that it names, recursively; and the whole file of each
user module that it imports. Other packages count by version, except where they hold something of
the user's: what functools.cache or a decorator wraps, what an object keeps.
"""

from __future__ import annotations

import copyreg
import functools
import hashlib
import inspect
import pickle
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from via.errors import refuse
from via.sweeps.code import bytecode, imports, names, source
from via.sweeps.origin import file_of, file_of_module, is_own, version

_PLAIN = frozenset({type(None), bool, int, float, complex, str, bytes})
_CACHED = type(functools.lru_cache(len))  # of functools.cache, too


def identity_of(function: Callable[..., object]) -> str:
    """Return a digest of a function's code and of what it uses.

    Raises:
        ConfigError: it uses a value whose changes cannot be detected.
    """
    total = hashlib.sha256()
    try:
        for line in _Walk().lines(function):
            total.update(line.encode() + b"\n")
    except RecursionError:
        limit = "it uses values that are nested too deeply to compare: call sweep(..., cache=None)"
        raise refuse("function", repr(function), limit) from None
    return total.hexdigest()[:32]


def own_module(function: Callable[..., object]) -> types.ModuleType | None:
    """Return the user module of a function; None: it is of the script itself, or of a package."""
    module = inspect.getmodule(function)
    if module is None or module.__name__ == "__main__" or not is_own(file_of(module)):
        return None
    return module


class _Walk:
    """Visits everything that a function uses, once each.

    The types of values are compared exactly: a subclass may have methods and attributes, which
    count. Lines depend on neither addresses nor the order of sets.
    """

    def __init__(self) -> None:
        self._seen: dict[int, int] = {}
        self._kept: list[object] = []  # keeps objects alive, so that no id() is reused
        self._files: set[Path] = set()
        self._is_strict = True  # refuse what cannot be seen; else it is passed over

    def lines(self, value: Any) -> Iterator[str]:
        """Yield lines that are equal if and only if the value is, as far as visible."""
        if type(value) in _PLAIN:
            yield f"{type(value).__name__} {value!r}"
            return
        if id(value) in self._seen:
            yield f"again {self._seen[id(value)]}"
            return
        self._seen[id(value)] = len(self._seen)
        self._kept.append(value)
        yield from self._parts(value)

    def _parts(self, value: Any) -> Iterator[str]:
        if isinstance(value, types.FunctionType):
            yield from self._function(value)
        elif isinstance(value, type):
            yield from self._class(value)
        elif isinstance(value, types.ModuleType):
            yield from self._module(value)
        elif isinstance(value, types.BuiltinFunctionType):
            yield from self._built_in(value)
        elif isinstance(value, types.MethodType):
            yield "method"
            yield from self.lines([value.__func__, value.__self__])
        elif isinstance(value, _CACHED):
            yield "cached"
            yield from self.lines([value.__wrapped__, value.cache_parameters()])
        elif isinstance(value, Path):
            yield f"path {value} {_digest(value.read_bytes()) if value.is_file() else ''}"
        elif type(value) is np.ndarray and not value.dtype.hasobject:
            yield f"array {value.dtype} {value.shape} {_digest(value.tobytes())}"
        else:
            yield from self._collection(value)

    def _collection(self, value: Any) -> Iterator[str]:
        kind = type(value)
        if kind in (list, tuple):
            yield f"{kind.__name__} of {len(value)}"
            for each in value:
                yield from self.lines(each)
        elif kind in (dict, types.MappingProxyType):  # its order can be seen
            yield f"{kind.__name__} of {len(value)}"
            for key, each in value.items():
                yield from self.lines(key)
                yield from self.lines(each)
        elif kind in (set, frozenset):
            yield f"{kind.__name__} of {len(value)}"
            yield from sorted("; ".join(self._apart(each)) for each in value)
        else:
            yield from self._object(value)

    def _apart(self, value: Any) -> Iterator[str]:
        """Yield the lines of an element of a set, as if no other had been visited before."""
        walk = _Walk()
        walk._seen, walk._files = dict(self._seen), set(self._files)
        walk._is_strict = self._is_strict
        return walk.lines(value)

    def _function(self, function: types.FunctionType) -> Iterator[str]:
        inner = [_content(cell) for cell in function.__closure__ or ()]
        if not is_own(file_of(function)):
            yield f"{function.__qualname__} of {version(function.__module__)}"
            held = [*inner, *vars(function).values()]
            if any(_is_home_made(each) for each in held):  # a decorator of another package
                yield from self._state(held)
            return
        was_strict, self._is_strict = self._is_strict, True
        # Two lambdas can share a line; and what runs may be older than the file.
        yield f"function {function.__qualname__} {source(function)} {bytecode(function.__code__)}"
        yield from self.lines([function.__defaults__, function.__kwdefaults__])
        for each in inner:
            yield from self.lines(each)
        yield from self._names(function.__code__, function.__globals__)
        yield from self._home(function.__module__)
        yield from self._state(vars(function))
        self._is_strict = was_strict

    def _state(self, value: list[Any] | dict[str, Any]) -> Iterator[str]:
        """Yield the lines of what may hold anything, such as attributes that a package adds."""
        was_strict, self._is_strict = self._is_strict, False
        yield from self.lines(value)
        self._is_strict = was_strict

    def _names(self, code: types.CodeType, known: dict[str, Any]) -> Iterator[str]:
        """Yield lines for the names in code that are neither arguments nor local."""
        for name in names(code):
            if name in known:
                yield f"name {name}"
                yield from self.lines(known[name])
        yield from self._imports(code, known.get("__package__") or "")

    def _imports(self, code: types.CodeType, package: str) -> Iterator[str]:
        for name in imports(code, package):
            yield f"import {name}"
            file = file_of_module(name)
            if file is None or not is_own(file):
                yield version(name)
            elif name in sys.modules:
                yield from self.lines(sys.modules[name])
            else:
                yield from self._file(file, name)

    def _file(self, file: Path, name: str) -> Iterator[str]:
        """Yield lines for the file of a user module and for what it imports, wherever in it."""
        content = file.read_bytes()
        yield _digest(content)
        if file in self._files or file.suffix != ".py":
            return
        self._files.add(file)
        try:
            code = compile(content, file, "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            return  # whoever imports it fails
        package = name if file.stem == "__init__" else name.rpartition(".")[0]
        yield from self._imports(code, package)

    def _home(self, name: str) -> Iterator[str]:
        """Yield lines for the file of a module; for the script itself the used parts suffice."""
        if name != "__main__" and name in sys.modules:
            yield from self.lines(sys.modules[name])

    def _module(self, module: types.ModuleType) -> Iterator[str]:
        file = getattr(module, "__file__", None)
        if not file and module.__spec__ is None and module.__name__ != "__main__":  # made by hand
            yield f"module {module.__name__}"
            held = {name: each for name, each in vars(module).items() if name != "__builtins__"}
            yield from self.lines(held)
            return
        if not file or not is_own(Path(file)):
            yield f"module {version(module.__name__)}"
            return
        yield f"module {module.__name__}"
        yield from self._file(Path(file), module.__name__)
        for each in list(vars(module).values()):  # other user files that it uses
            home = each if isinstance(each, types.ModuleType) else inspect.getmodule(each)
            if home is not None and home is not module and is_own(file_of(home)):
                yield from self.lines(home)

    def _class(self, kind: type) -> Iterator[str]:
        if not is_own(file_of(kind)):
            yield f"class {kind.__qualname__} of {version(kind.__module__)}"
            return
        yield f"class {kind.__qualname__}"
        yield from self.lines(list(kind.__bases__))
        for name, member in sorted(vars(kind).items()):
            if name == "_abc_impl":  # what abc.ABC has found out, no part of the class
                continue
            inner = member.__func__ if isinstance(member, classmethod | staticmethod) else member
            if isinstance(inner, property):
                inner = [inner.fget, inner.fset, inner.fdel]
            elif isinstance(inner, functools.cached_property):
                inner = inner.func
            if not name.startswith("__") or callable(inner):
                yield f"member {name}"
                yield from self.lines(inner)
        yield from self._home(kind.__module__)

    def _built_in(self, function: types.BuiltinFunctionType) -> Iterator[str]:
        yield f"built in {function.__qualname__} of {version(function.__module__ or '')}"
        if not isinstance(function.__self__, types.ModuleType):  # a method: TABLE.get
            yield from self._state([function.__self__])

    def _object(self, value: Any) -> Iterator[str]:
        """Yield lines for an object: its class, and what pickle would write."""
        yield from self.lines(type(value))
        try:
            parts = _reduced(value)
        except Exception:
            if not self._is_strict:
                return
            raise refuse(
                "function", repr(value),
                "it uses this value, and changes of it cannot be detected: make it a"
                " parameter, or call sweep(..., cache=None)",
            ) from None  # fmt: skip
        yield from self.lines(parts)


def _reduced(value: Any) -> list[Any]:
    """Return what pickle makes of an object, in parts; they are not yet pickled themselves.

    Raises:
        Exception: the object cannot be pickled.
    """
    reduce = copyreg.dispatch_table.get(type(value))
    parts = value.__reduce_ex__(4) if reduce is None else reduce(value)
    if not isinstance(parts, str):
        made, arguments, state, *iterators = (*parts, None, None, None)[:5]
        return [made, arguments, state, *(each and list(each) for each in iterators)]
    pickle.dumps(value, protocol=4)  # fails unless it can be found by this name
    own = vars(value) if is_own(file_of(type(value))) else getattr(value, "__wrapped__", None)
    return [parts, getattr(value, "__module__", None), own]


def _is_home_made(value: Any) -> bool:
    """Return whether a function or class is the user's, or wraps one that is."""
    try:
        inner = inspect.unwrap(value)
    except ValueError:  # it wraps itself
        return False
    return isinstance(inner, types.FunctionType | type) and is_own(file_of(inner))


def _content(cell: Any) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # the cell is still empty
        return None


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
