# SPDX-License-Identifier: GPL-2.0-only
"""Which argument of a compiled method is wrong: pybind11 itself lists what it would have taken."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from operator import index
from typing import Any, NoReturn

from via.errors import refuse
from via.hints import hint

_MOST = 2**31  # no whole number of these methods has to be larger


@dataclass(frozen=True)
class Parameter:
    """An argument of a method, as its signature names it."""

    name: str
    kind: str
    is_needed: bool
    may_be_none: bool
    by_name_only: bool

    def fits(self, value: object) -> bool:
        """Tell whether a value is of the kind that is needed."""
        return (value is None and self.may_be_none) or _fits(self.kind, value)


def refuse_call(
    method: str, signature: str, first: object, more: tuple[Any, ...], named: Mapping[str, Any]
) -> NoReturn:
    """Say which argument of a call is wrong; nothing else fitted it.

    Args:
        method: its name.
        signature: what pybind11 says of it: "at(self: X, offset: int, length: int) -> X".
        first: the first argument given by place; ...: none was.
        more: those after it.
        named: those given by name.

    Raises:
        TypeError: something is missing, superfluous or of another kind.
        ConfigError: a number is out of its range.
    """
    known = parameters(signature)
    places = [each for each in known if not each.by_name_only]
    by_place = () if first is ... else (first, *more)
    if len(by_place) > len(places):
        raise TypeError(f"{method}() takes {len(places)} arguments, not {len(by_place)}")
    given = dict(zip((each.name for each in places), by_place, strict=False))
    names = [each.name for each in known]
    for name in named:
        if name not in names:
            listed = f"it has {', '.join(names)}" if names else "it has none"
            raise TypeError(f"{method}() has no argument {name!r}: {listed}{hint(name, names)}")
        if name in given:
            raise TypeError(f"{method}() has {name} twice")
    given |= named
    for each in known:
        if each.is_needed and each.name not in given:
            raise TypeError(f"{method}() needs {each.name}")
        if each.name in given and not each.fits(given[each.name]):
            raise TypeError(f"{each.name} = {given[each.name]!r}: {_wanted(each.kind)} is needed")
    for each in known:
        if each.kind == "int" and given.get(each.name) is not None:
            number = index(given[each.name])
            if not 0 <= number < _MOST:
                raise refuse(each.name, number, "out of range; it must not be negative"
                             if number < 0 else "out of range; it is too large")  # fmt: skip
    for each in known:
        if each.kind == "bool" and not isinstance(given.get(each.name, False), bool):
            raise TypeError(f"{each.name} = {given[each.name]!r}: True or False is needed")
    raise TypeError(f"{method}() takes {', '.join(f'{each.name}: {each.kind}' for each in known)}")


def parameters(signature: str) -> list[Parameter]:
    """Return the arguments of a method but for self."""
    inside = signature[signature.find("(") + 1 : signature.rfind(") ->")]
    found = []
    by_name_only = False
    for part in re.split(r",\s*(?![^\[(<]*[\])>])", inside):
        declared = re.match(r"(\w+): ([^=]+?)(?: = .*)?$", part.strip(), re.DOTALL)
        if part.strip() == "*":
            by_name_only = True
        elif declared and declared[1] not in ("self", "arg0"):
            kind = _kind(declared[2])
            is_needed, may_be_none = " = " not in part, part.strip().endswith("= None")
            found.append(Parameter(declared[1], kind, is_needed, may_be_none, by_name_only))
    return found


def _kind(declared: str) -> str:
    """Return "int", "float" or the bare name of a class; releases of pybind11 differ in words."""
    for word, kind in (("SupportsInt", "int"), ("SupportsFloat", "float")):
        if word in declared:
            return kind
    return declared.rpartition(".")[2]


def _fits(kind: str, value: object) -> bool:
    if kind == "int":
        try:
            index(value)  # type: ignore[arg-type]
        except TypeError:
            return False
        return True
    if kind == "str":
        return isinstance(value, str | bytes)
    if kind == "float":
        return hasattr(type(value), "__float__") or hasattr(type(value), "__index__")
    if kind in ("object", "bool"):
        return True
    return any(each.__name__ == kind for each in type(value).__mro__)


def _wanted(kind: str) -> str:
    names = {"int": "a whole number", "str": "a text", "float": "a number"}
    return names.get(kind, f"a {kind}")
