# SPDX-License-Identifier: GPL-2.0-only
"""What the code of a function says: its text, its bytecode, the names and modules that it uses."""

from __future__ import annotations

import dis
import inspect
import types
from collections.abc import Iterator
from importlib.util import resolve_name

_NAMING = frozenset({"LOAD_GLOBAL", "LOAD_NAME"})


def names(code: types.CodeType) -> list[str]:
    """Return the sorted names that code, and the code inside it, looks up in its module."""
    return sorted(
        {
            str(each.argval)
            for part in _parts(code)
            for each in dis.get_instructions(part)
            if each.opname in _NAMING
        }
    )


def imports(code: types.CodeType, package: str) -> list[str]:
    """Return the sorted absolute names of the modules that code, and the code inside it, imports.

    `import a.b` imports a and a.b. `from a import b` may import a.b, so that is among them, too.

    Args:
        code: the code.
        package: the package that relative imports start from; empty: there is none.
    """
    found: set[str] = set()
    for part in _parts(code):
        steps = [each for each in dis.get_instructions(part) if each.opname != "EXTENDED_ARG"]
        for level, wanted, step in zip(steps, steps[1:], steps[2:], strict=False):
            if step.opname == "IMPORT_NAME":
                found |= _imported(str(step.argval), level.argval, wanted.argval or (), package)
    return sorted(found)


def _imported(name: str, level: int, wanted: tuple[str, ...], package: str) -> set[str]:
    """Return the names of what one import may load."""
    try:
        whole = resolve_name("." * level + name, package)
    except ImportError:  # it goes beyond the package, and fails
        return set()
    parts = whole.split(".")
    around = {".".join(parts[:count]) for count in range(1, len(parts) + 1)}
    return around | {f"{whole}.{each}" for each in wanted if each != "*"}


def source(function: types.FunctionType) -> str:
    """Return the source of a function; of one typed into an interpreter, its bytecode."""
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        return bytecode(function.__code__)


def bytecode(code: types.CodeType) -> str:
    """Return what code does, as a text that is the same in each process of this Python."""
    used = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return f"{code.co_code.hex()} {code.co_exceptiontable.hex()} {_constant(code.co_consts)} {used}"


def _constant(value: object) -> str:
    """Return the text of a constant in code; that of a set has no order of its own."""
    if isinstance(value, types.CodeType):
        return bytecode(value)
    if isinstance(value, tuple):
        return f"({', '.join(map(_constant, value))})"
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(_constant, value)))}}}"
    return repr(value)


def _parts(code: types.CodeType) -> Iterator[types.CodeType]:
    """Yield code and the code of functions, classes and comprehensions inside it."""
    yield code
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from _parts(inner)
