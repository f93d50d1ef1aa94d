# SPDX-License-Identifier: GPL-2.0-only
"""Unknown arguments of a class: the error lists the known ones and the nearest."""

from __future__ import annotations

import inspect
from typing import Self

from via.errors import refuse_name


class _SignatureOfInit:
    """The signature of a class by its `__init__`, which a `__new__` would hide."""

    def __get__(self, instance: object, owner: type) -> inspect.Signature:
        signature = inspect.signature(owner.__init__)  # type: ignore[misc]
        own = list(signature.parameters.values())[1:]  # without self
        return signature.replace(parameters=own, return_annotation=signature.empty)


class KnownArguments:
    """Base class of classes that refuse unknown arguments as a ConfigError."""

    __signature__ = _SignatureOfInit()

    def __new__(cls, *args: object, **given: object) -> Self:
        """Check the names of arguments.

        Raises:
            ConfigError: `__init__` does not have an argument.
        """
        known = inspect.signature(cls).parameters
        for name in given:
            if name not in known:
                raise refuse_name(f"argument of {cls.__name__}", name, known)
        return super().__new__(cls)
