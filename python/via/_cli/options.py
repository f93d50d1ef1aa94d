# SPDX-License-Identifier: GPL-2.0-only
"""The base parser of all commands: one-line errors with a suggestion."""

from __future__ import annotations

import argparse
import re
import sys
from typing import Any

from via._base.hints import hint

EXIT_USAGE = 2


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
