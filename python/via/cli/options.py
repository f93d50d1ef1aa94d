# SPDX-License-Identifier: GPL-2.0-only
"""What the parsers of all commands share: errors with a hint, options that several have."""

from __future__ import annotations

import argparse
import difflib
import re
import sys
from collections.abc import Iterable
from typing import Any

EXIT_USAGE = 2
ALIKE = 0.66  # difflib's ratio from which a word may have been meant


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, with what was probably meant; exit code 2."""

    def __init__(self, **given: Any) -> None:
        given.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(allow_abbrev=False, **given)

    def error(self, message: str) -> Any:
        """Say what is wrong, and end."""
        wrong = re.fullmatch(r"unrecognized arguments: (\S+).*", message, re.DOTALL)
        if wrong:
            message += hint(wrong[1].partition("=")[0], self._option_string_actions)
        print(f"via: {message} (see {self.prog} --help)", file=sys.stderr)
        raise SystemExit(EXIT_USAGE)


def hint(word: str, known: Iterable[str]) -> str:
    """Return "; did you mean X?" if one of the known words is like this one; else nothing."""
    by_case = {each.lower(): each for each in known}
    close = difflib.get_close_matches(word.lower(), by_case, n=1, cutoff=ALIKE)
    return f"; did you mean {by_case[close[0]]}?" if close else ""


def hint_within(text: str) -> str:
    """Return a hint for an error such as "--profile = clan: must be one of a, b, c"."""
    parts = re.match(
        r"^[^=]+ = ([\w.-]+)\S*: .*?(?:one of|there are):? (.*)$", re.sub(r"\(.*?\)", "", text),
        re.DOTALL,
    )  # fmt: skip
    if parts is None or "did you mean" in text:
        return ""
    return hint(parts[1], re.findall(r"[A-Za-z][\w.-]*\w", parts[2]))
