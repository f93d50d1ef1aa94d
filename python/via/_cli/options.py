# SPDX-License-Identifier: GPL-2.0-only
"""The base parser of all commands: one-line errors with a suggestion; shared options."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from via._base.hints import hint
from via.errors import refuse

EXIT_USAGE = 2
FORMATS = ("png", "svg", "pdf")

Value = TypeVar("Value")


def add_override(group: Any) -> None:
    """Add --override to a parser or a group of one."""
    group.add_argument(
        "--override", action="append", default=[], metavar="KEY=VALUE",
        help="another value for a key of the profile: nic.clock=125 MHz; may be repeated",
    )  # fmt: skip


def add_format(parser: Any) -> None:
    """Add --format to a parser: the format of figures."""
    parser.add_argument(
        "--format", choices=FORMATS, default=FORMATS[0],
        help="format of the figures; svg and pdf are vectors (default: %(default)s)",
    )  # fmt: skip


def overrides(texts: Sequence[str]) -> dict[str, str]:
    """Return the values of --override by key.

    Raises:
        ConfigError: a word is not KEY=VALUE, or a key occurs twice.
    """
    return each_once("--override", texts, _override)


def _override(text: str) -> tuple[str, str]:
    key, equals, value = (part.strip() for part in text.partition("="))
    if not key or not equals or not value:
        raise refuse("--override", text, "KEY=VALUE is needed, such as nic.clock=125 MHz")
    return key, value


def each_once(
    option: str, texts: Sequence[str], pair: Callable[[str], tuple[str, Value]]
) -> dict[str, Value]:
    """Return what words such as NAME=VALUE say, as a dictionary.

    Args:
        option: what the words belong to, for the error text.
        texts: the words.
        pair: takes a word apart.

    Raises:
        ConfigError: two words have the same name, or as `pair`.
    """
    found: dict[str, Value] = {}
    for text in texts:
        name, value = pair(text)
        if name in found:
            raise refuse(option, text, f"{name} is given twice")
        found[name] = value
    return found


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line with a suggestion; exit code 2."""

    def __init__(self, **given: Any) -> None:
        given.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(allow_abbrev=False, **given)

    def error(self, message: str) -> Any:
        """Print the error and exit."""
        wrong = re.fullmatch(r"unrecognized arguments: (\S+).*", message, re.DOTALL)
        if wrong:
            message += hint(wrong[1].partition("=")[0], self._option_string_actions)
        print(f"via: {message} (see {self.prog} --help)", file=sys.stderr)
        raise SystemExit(EXIT_USAGE)
