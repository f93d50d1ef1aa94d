# SPDX-License-Identifier: GPL-2.0-only
"""Functions that the commands of ./via share: messages, options, calling programs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parents[2]
SYSTEM_PYTHON = "/usr/bin/python3"
Command = Callable[[list[str]], int]  # its docstring is its help


def say(text: str) -> None:
    """Print a line on stderr, because stdout of `run` belongs to the simulated programs."""
    if sys.stderr is not None:  # 2>&-
        print(f"via: {text}", file=sys.stderr)


def fail(code: int, text: str, log: Path | None = None) -> NoReturn:
    """Print the last lines of a log and the error, and exit."""
    if log:
        call("tail", "-n", "20", log, stdout=2)
    say(text)
    raise SystemExit(code)


def usage_error(text: str, command: str) -> NoReturn:
    """Report a wrong command line and exit with code 2."""
    fail(2, f"{text} (see ./via {command} --help)")


def show_help(command: Command) -> int:
    """Print the help of a command."""
    print("usage:", (command.__doc__ or "").replace("\n    ", "\n").rstrip())
    return 0


def options(
    command: Command, words: list[str],
    flags: Collection[str] = (), values: Collection[str] = (), *, takes_words: bool = False,
) -> tuple[Any, list[str]]:  # fmt: skip
    """Read the words of a command, or print its help.

    Args:
        flags: options without a value; "-y --yes" are two names of one.
        values: options with a value; "" if it is missing.
        takes_words: also accept words that are not options.

    Returns:
        The options by name, and the other words.
    """
    from argparse import ArgumentError, ArgumentParser  # here, so that other commands start fast

    name = command.__name__.replace("_", "-")
    parser = ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    for flag in ("-h --help", *flags):
        parser.add_argument(*flag.split(), action="store_true")
    for value in values:
        parser.add_argument(value, nargs="?", const="")
    try:
        given, others = parser.parse_known_args(words)
    except ArgumentError as wrong:
        usage_error(str(wrong), name)
    if given.help:
        raise SystemExit(show_help(command))
    for word in others:
        if word.startswith("-") or not takes_words:
            usage_error(f"unknown option {word}", name)
    return given, others


def call(*command: str | Path, **settings: Any) -> int:
    """Run a program to its end; return its exit code, or 128 plus the number of the signal."""
    try:
        with subprocess.Popen(command, **settings) as process:
            try:
                code = process.wait()
            except KeyboardInterrupt:  # the program gets it, too, and may need time to clean up
                process.wait()
                raise
    except FileNotFoundError:
        say(f"{command[0]}: command not found")
        return 127
    return code if code >= 0 else 128 - code


def must(*command: str | Path, **settings: Any) -> None:
    """Run a program; if it fails, exit with its exit code."""
    if code := call(*command, **settings):
        raise SystemExit(code)


def logged(log: Path, *commands: Collection[str | Path]) -> bool:
    """Run programs with output into a log until one fails; return whether all succeeded."""
    log.parent.mkdir(exist_ok=True)
    with log.open("w") as file:
        return not any(call(*command, stdout=file, stderr=file) for command in commands)


def is_on_path(program: str) -> bool:
    """Return whether a program is on the path."""
    return any(os.access(Path(folder, program), os.X_OK) for folder in os.get_exec_path())
