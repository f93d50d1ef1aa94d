# SPDX-License-Identifier: GPL-2.0-only
"""The base parser of all commands: one-line errors with a suggestion; shared options."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from typing import Any

from via._base.hints import hint
from via.errors import refuse

EXIT_USAGE = 2
FORMATS = ("png", "svg", "pdf")


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
    found: dict[str, str] = {}
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not key or not equals or not value:
            raise refuse("--override", text, "KEY=VALUE is needed, such as nic.clock=125 MHz")
        if key in found:
            raise refuse("--override", text, f"{key} is given twice")
        found[key] = value
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
