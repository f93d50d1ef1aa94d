# SPDX-License-Identifier: GPL-2.0-only
"""The command line: finds the command, and turns errors into exit codes.

Exit codes: 0 success; 1 a simulated process failed, or compared values differ; 2 usage error or
ConfigError; 3 deadlock; 4 internal error, or simulated time that stands still; 130 Ctrl-C.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

from via._base.hints import hint
from via._cli.commands import COMMANDS
from via._cli.options import EXIT_USAGE

EXIT_FAILED = 1  # Python's own for sys.exit("text")
EXIT_INTERRUPTED = 130  # the shells' convention: 128 plus the signal number


def usage() -> str:
    """Return the text of --help."""
    lines = [f"  {name:12}{text}" for name, (_, text) in COMMANDS.items()]
    return "\n".join(
        [
            "usage: via COMMAND [options]",
            "",
            *lines,
            "",
            "Every command has --help with examples. via --version prints the version.",
        ]
    )


def main(argv: Sequence[str]) -> int:
    """Run a command line; return the exit code."""
    if "_ARGCOMPLETE" in os.environ:
        from via._cli.completion import complete

        complete()
    if not argv or argv[0] in ("-h", "--help", "help"):
        print(usage(), file=sys.stdout if argv else sys.stderr)
        return 0 if argv else EXIT_USAGE
    if argv[0] == "--version":
        from via.versions import VERSION

        print(f"via {VERSION}")
        return 0
    if argv[0] not in COMMANDS:
        meant = hint(argv[0], COMMANDS)
        more = f"{meant} (see via --help)" if meant else f"\n{usage()}"
        print(f"via: unknown command {argv[0]}{more}", file=sys.stderr)
        return EXIT_USAGE
    try:
        module = importlib.import_module(COMMANDS[argv[0]][0])
        code: int = module.main(list(argv[1:]))
    except SystemExit as ended:  # argparse, after --help or a mistake; or code of the user
        return _code_of(ended)
    except KeyboardInterrupt:
        print("via: interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED
    return code


def _code_of(ended: SystemExit) -> int:
    """Return the exit code as Python makes it: what is neither a number nor None is printed."""
    if ended.code is None or isinstance(ended.code, int):
        return int(ended.code or 0)
    print(ended.code, file=sys.stderr)
    return EXIT_FAILED
