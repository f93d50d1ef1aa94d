# SPDX-License-Identifier: GPL-2.0-only
"""`via completion`: Tab completion for the shell, through argcomplete."""

from __future__ import annotations

import argparse
import importlib
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from via._cli.commands import COMMANDS
from via._cli.guard import answered
from via._cli.options import Parser
from via.errors import refuse

SHELLS = ("bash", "zsh", "fish")
_OF_BASH = "autoload -U +X bashcompinit && bashcompinit"  # after this zsh accepts bash's code

EPILOG = """\
examples:
  eval "$(via completion bash)"                         for this shell
  via completion bash >> ~/.bashrc                      for all later ones
  eval "$(via completion zsh)"
  via completion fish > ~/.config/fish/completions/via.fish

Then try `via stu<Tab>`, `via run --prof<Tab>`, `via profiles giga<Tab>`. Completion needs
argcomplete (Debian: python3-argcomplete). It also works for ./via.
"""


def main(argv: Sequence[str]) -> int:
    """Run `via completion`; return the exit code."""
    given = parser().parse_args(argv)
    return answered(lambda: tell(given.shell))


def parser() -> argparse.ArgumentParser:
    """Return the parser of all options."""
    made = Parser(
        prog="via completion",
        description="Prints shell code that enables Tab completion for via.",
        epilog=EPILOG,
    )
    made.add_argument("shell", nargs="?", choices=SHELLS, default="bash", help="default: bash")
    return made


def tell(shell: str) -> int:
    """Print the shell's code."""
    try:
        import argcomplete
    except ImportError:
        raise refuse("shell", shell, "argcomplete is missing: apt-get install python3-argcomplete, "
                     "or pip install argcomplete") from None  # fmt: skip
    if shell == "zsh":
        print(_OF_BASH)
    print(argcomplete.shellcode(["via"], shell="bash" if shell == "zsh" else shell))
    return 0


def complete() -> None:
    """Answer the shell's request, made by environment variables, and end this process."""
    try:
        import argcomplete
    except ImportError:
        raise SystemExit(1) from None
    words = os.environ.get("COMP_LINE", "").split()
    argcomplete.autocomplete(everything(words[1] if len(words) > 1 else ""))


def everything(command: str | None = None) -> argparse.ArgumentParser:
    """Return one parser of all commands, with completers for the values of their options.

    Args:
        command: include only this command's options, which is faster; None: all.
    """
    top = argparse.ArgumentParser(prog="via")
    top.add_argument("--version", action="store_true")
    commands = top.add_subparsers()
    for name, (module, text) in COMMANDS.items():
        is_wanted = command in (None, name)
        make = getattr(importlib.import_module(module), "parser", None) if is_wanted else None
        parents = [] if make is None else [make()]
        made = commands.add_parser(name, parents=parents, add_help=not parents, help=text)
        for action in made._actions:
            chooser = _CHOICES.get((name, action.dest)) or _CHOICES.get(("", action.dest))
            if chooser is not None:
                action.completer = _completer(chooser)  # type: ignore[attr-defined]
    for name in os.environ.get("VIA_SCRIPT_COMMANDS", "").split():
        commands.add_parser(name)
    return top


def _completer(chooser: Callable[[], Iterable[str]]) -> Callable[..., list[str]]:
    def completer(prefix: str, **_: Any) -> list[str]:
        return [word for word in chooser() if word.startswith(prefix)]

    return completer


def _profiles() -> Iterable[str]:
    from via import profiles

    return profiles.names()


def _hosts() -> Iterable[str]:
    from via import profiles

    return profiles.hosts()


def _studies() -> Iterable[str]:
    from via.studies import STUDIES

    return STUDIES


def _workloads() -> Iterable[str]:
    from via import workloads

    return workloads.names()


def _topologies() -> Iterable[str]:
    return ("star", "back-to-back", "crossbar", "chain", "ring", "mesh:", "torus:", "hypercube:",
            "fat-tree:", "clos:", "dragonfly:", "file:")  # fmt: skip


# Possible values by command and option; "" is any command.
_CHOICES: dict[tuple[str, str], Callable[[], Iterable[str]]] = {
    ("", "profile"): _profiles,
    ("", "host"): _hosts,
    ("", "topology"): _topologies,
    ("topology", "name"): _topologies,
    ("study", "study"): _studies,
    ("workloads", "workload"): _workloads,
}
