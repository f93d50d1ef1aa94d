# SPDX-License-Identifier: GPL-2.0-only
"""The command line: finds the command, and turns errors into exit codes.

Exit codes: 0 success; 1 a simulated process failed, or what was compared differs; 2 usage or a
ConfigError; 3 deadlock; 4 internal error, or a run that makes no progress; 130 Ctrl-C.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

from via.cli.options import EXIT_USAGE
from via.hints import hint

EXIT_INTERRUPTED = 130  # as shells have it: 128 and the number of the signal

# A command is a module with main(argv) -> exit code; it is imported when it is called.
COMMANDS = {
    "run": ("via.cli.run", "run VIPL programs on a simulated cluster"),
    "cc": ("via.compiler", "compile a VIPL program for run"),
    "demo": ("via.cli.demo", "latency, bandwidth, where the time goes, a barrier"),
    "study": ("via.cli.study", "reproduce a study: tables and figures"),
    "sweep": ("via.cli.sweep", "do one thing at many points: a table that is the same every time"),
    "reproduce": ("via.cli.reproduce", "make a table or figure again, and compare"),
    "breakdown": ("via.cli.breakdown", "where the time of a message goes, stage by stage"),
    "trace": ("via.cli.trace", "a run's time line for Perfetto, a message's log"),
    "compare": ("via.cli.compare", "two runs, benchmarks or studies: what differs"),
    "topology": ("via.cli.topology", "describe a topology: counts, routes, deadlock; draw it"),
    "profiles": ("via.cli.profiles", "list products and hosts, or show one's numbers"),
    "completion": ("via.cli.completion", "make the shell complete via's words with Tab"),
}


def usage() -> str:
    """Return the text of --help."""
    lines = [f"  {name:12}{text}" for name, (_, text) in COMMANDS.items()]
    return "\n".join(
        [
            "usage: via COMMAND [options]",
            "",
            *lines,
            "",
            "Each takes --help, which ends with examples. via --version says which.",
        ]
    )


def main(argv: Sequence[str]) -> int:
    """Run a command line; return the exit code."""
    if "_ARGCOMPLETE" in os.environ:
        from via.cli.completion import complete

        complete()
    if not argv or argv[0] in ("-h", "--help", "help"):
        print(usage(), file=sys.stdout if argv else sys.stderr)
        return 0 if argv else EXIT_USAGE
    if argv[0] == "--version":
        from via import __version__

        print(f"via {__version__}")
        return 0
    if argv[0] not in COMMANDS:
        meant = hint(argv[0], COMMANDS)
        more = f"{meant} (see via --help)" if meant else f"\n{usage()}"
        print(f"via: unknown command {argv[0]}{more}", file=sys.stderr)
        return EXIT_USAGE
    try:
        module = importlib.import_module(COMMANDS[argv[0]][0])
        code: int = module.main(list(argv[1:]))
    except SystemExit as ended:  # argparse, after --help or a mistake
        return int(ended.code or 0)
    except KeyboardInterrupt:
        print("via: interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED
    return code
