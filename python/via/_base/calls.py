# SPDX-License-Identifier: GPL-2.0-only
"""Names the wrong argument of a call to a compiled method; pybind11 only lists its signatures."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from operator import index
from typing import Any, NoReturn

from via._base.hints import hint
from via.errors import refuse

_MOST = 2**31  # no integer argument of these methods needs to be larger


@dataclass(frozen=True)
class Parameter:
    """A parameter of a method, from its signature."""

    name: str
    kind: str
    is_needed: bool
    may_be_none: bool
    by_name_only: bool

    def fits(self, value: object) -> bool:
        """Return whether a value has the needed type."""
        return (value is None and self.may_be_none) or _fits(self.kind, value)


def refuse_call(
    method: str, signature: str, first: object, more: tuple[Any, ...], named: Mapping[str, Any]
) -> NoReturn:
    """Raise the error that names the wrong argument of a call that pybind11 has refused.

    Args:
        method: the method's name.
        signature: pybind11's signature, such as "at(self: X, offset: int, length: int) -> X".
        first: the first positional argument; ...: there was none.
        more: the further positional arguments.
        named: the keyword arguments.

    Raises:
        TypeError: an argument is missing, superfluous or of the wrong type.
        ConfigError: a number is out of range.
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
    """Return the parameters of a method without self."""
    inside = signature[signature.find("(") + 1 : signature.rfind(") ->")]
    found = []
    by_name_only = False
    for part in re.split(r",\s*(?![^\[(<]*[\])>])", inside):
        declared = re.match(r"(\w+): ([^=]+?)(?: = .*)?$", part.strip(), re.DOTALL)
        if part.strip() == "*":
            by_name_only = True
        elif declared and declared[1] not in ("self", "arg0"):
            kind = _kind(declared[2])
            is_needed = " = " not in part
            may_be_none = part.strip().endswith("= None") or "None" in declared[2]
            found.append(Parameter(declared[1], kind, is_needed, may_be_none, by_name_only))
    return found


def _kind(declared: str) -> str:
    """Return "int", "float" or the bare name of a class, whatever the release of pybind11."""
    for word, kind in (("SupportsInt", "int"), ("SupportsFloat", "float")):
        if word in declared:
            return kind
    maybe = re.fullmatch(r"(?:typing\.)?Optional\[(.+)\]|(.+) \| None", declared.strip())
    return (maybe[1] or maybe[2] if maybe else declared).rpartition(".")[2]


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
