# SPDX-License-Identifier: GPL-2.0-only
"""The command, or the Python script, that makes a run again, from its provenance."""

from __future__ import annotations

import ast
import json
import math
import pprint
import shlex
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from via._base.units import PATIENCE

Origin = Mapping[str, Any]

# What `via run` cannot be told in one line.
_PYTHON_ONLY = ("ns3", "mpi_ranks", "faults")
# An argument of run() that is also a parameter of a workload, which must be given to that itself.
_OF_RUN = "patience"
WIDTH = 88  # letters of a line
INDENT = "    "


def command(origin: Origin, digest: str, is_clean: bool = True) -> tuple[str, str]:
    """Return language and text: "sh" for a C program, "python" for all others.

    The text comes from a file, which may hold anything: words of a shell command are quoted, values
    in Python are literals, and comments have one line.

    Args:
        origin: the provenance of the run.
        digest: of the run.
        is_clean: whether its exit was 0; a script that makes another one does not end in an error.
    """
    if isinstance(origin.get("program"), str) and not any(map(origin.get, _PYTHON_ONLY)):
        return "sh", f"{_file(origin)}{_shell(origin)}\n# digest {_one_line(digest)}"
    return "python", _script(origin, digest, is_clean)


def _file(origin: Origin) -> str:
    """Return the comment on a program: provenance has its name, as folders differ by machine."""
    if not isinstance(origin.get("sha256"), str):
        return ""
    file, digest = _one_line(origin["program"]), _one_line(origin["sha256"])
    return f"# in the folder of {file}, whose SHA-256 is\n# {digest}\n"


def _shell(origin: Origin) -> str:
    words: list[Sequence[Any]] = [("via", "run")]  # an option and its value stay together
    for name in ("profile", "host", "kernel", "nodes", "topology", "seed"):
        if origin.get(name) not in (None, ""):
            words.append((f"--{name}", origin[name]))
    for key, value in _mapping(origin.get("overrides")).items():
        words.append(("--override", f"{key}={value}"))
    for node, what in _mapping(origin.get("node_profiles")).items():
        product, host = (*_listed(what), "", "")[:2]
        words.append(("--node-profile", f"{node}={product}{'@' if host else ''}{host}"))
    if origin.get("procs_per_node", 1) != 1:
        words.append(("--procs-per-node", origin["procs_per_node"]))
    for variable in _listed(origin.get("env")):
        words.append(("--env", variable))
    if origin.get("stop_ps") is not None:
        words.append(("--stop", f"{origin['stop_ps']}ps"))
    for name, value in _unusual(origin).items():
        words.append((f"--{name}", value))
    for flag in ("reference", "control_network", "low_memory"):
        if origin.get(flag):
            words.append((f"--{flag.replace('_', '-')}",))
    words += [("--save", "again"), (origin["program"],)]
    if arguments := _listed(origin.get("args")):
        words += [("--", arguments[0]), *((each,) for each in arguments[1:])]
    return _filled([shlex.join(map(str, each)) for each in words])


def _unusual(origin: Origin) -> dict[str, Any]:
    """Return options of a run that few have, which the command and the script call the same."""
    usual = {"patience": (None, PATIENCE), "cwd": (None, ""), "stdin": (None, "")}
    return {name: origin[name] for name, values in usual.items() if origin.get(name) not in values}


def _filled(words: Sequence[str]) -> str:
    """Return words of a shell command, on several lines if it is long."""
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + 1 + len(word) + len(" \\") <= WIDTH:
            lines[-1] += f" {word}"
        else:
            lines.append(INDENT + word)
    return " \\\n".join(lines)


def _call(function: str, first: Sequence[object], named: Mapping[str, object]) -> str:
    """Return a call in Python, with a line per argument if it is long."""
    given = [*map(repr, first), *(f"{name}={value!r}" for name, value in named.items())]
    line = f"{function}({', '.join(given)})"
    if len(line) <= WIDTH:
        return line
    given = [
        *map(repr, first),
        *(f"{name}={_wrapped(value, name)}" for name, value in named.items()),
    ]
    return "\n".join([f"{function}(", *(f"{INDENT}{each}," for each in given), ")"])


def _wrapped(value: object, name: str) -> str:
    """Return the literal of an argument, which stands behind its name in a line of its own."""
    before = len(f"{INDENT}{name}=")
    width = max(WIDTH // 2, WIDTH - before - 1)
    text = pprint.pformat(value, width=width, sort_dicts=False)
    return text.replace("\n", "\n" + " " * before)


def _script(origin: Origin, digest: str, is_clean: bool) -> str:
    given: dict[str, Any] = {name: origin.get(name) for name in ("nodes", "profile", "seed")}
    for name in ("host", "kernel", "overrides", "reference", "control_network", "low_memory"):
        if origin.get(name):
            given[name] = origin[name]
    if origin.get("faults"):
        given["faults"] = _plan(str(origin["faults"]))
    others = _mapping(origin.get("node_profiles"))
    if others:
        given["node_profiles"] = {_whole(node): tuple(_listed(it)) for node, it in others.items()}
    first = _call("cluster = via.Cluster", [origin.get("topology")], given)
    stop = origin.get("stop_ps")
    more = {} if stop is None else {"stop": stop}
    more |= _unusual(origin)
    if origin.get("mpi_ranks"):
        more["mpi_ranks"] = origin["mpi_ranks"]
    if not is_clean:
        more["check"] = False
    lines = ["import via", "", first, *_run(origin, more), f"assert run.digest == {digest!r}"]
    if origin.get("ns3"):
        lines.insert(3, f"# with these watchers of ns-3 objects: {_one_line(origin['ns3'])}")
    return "\n".join(lines)


def _run(origin: Origin, more: Mapping[str, Any]) -> list[str]:
    """Return the lines that run what the provenance names."""
    words = _parameters(origin)
    if "workload" in origin:
        kind = "".join(map(str.capitalize, str(origin["workload"]).split("-")))
        if _OF_RUN in words and kind.isidentifier():
            made = _call(f"workload = via.workloads.{kind}", [], words)
            return [made, _call("run = cluster.run", [_Name("workload")], more)]
        return [_call("run = cluster.run", [origin["workload"]], {**words, **more})]
    words |= more
    if "program" in origin:
        given = {
            "args": _listed(origin.get("args")),
            "procs_per_node": origin.get("procs_per_node", 1),
            "env": _variables(origin),
            **more,
        }
        call = _call("run = cluster.run_program", [origin["program"]], given)
        return [*_file(origin).splitlines(), call]
    if "protocol" in origin:
        what = _one_line(origin["protocol"])
        words |= _literals(_mapping(origin.get("arguments")))
        return [
            f"# the script's own class: {what}",
            _call("run = cluster.run", [_Name("YourProtocol")], words),
        ]
    started = _one_line(origin.get("processes", "unknown"))
    return [f"# with the script's own processes: {started}", _call("run = cluster.run", [], words)]


def _parameters(origin: Origin) -> dict[str, Any]:
    """Return the parameters of what runs, called as in Python; none if one cannot be."""
    parameters = _mapping(origin.get("parameters"))
    words = {str(name).replace("-", "_"): _number(value) for name, value in parameters.items()}
    return words if all(map(str.isidentifier, words)) else {}


def _literals(texts: Mapping[Any, Any]) -> dict[str, Any]:
    """Return arguments of a protocol's constructor; what is no literal stands as three dots."""
    found = {}
    for name, text in texts.items():
        try:
            value = ast.literal_eval(text)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            value = _Name("...")
        if str(name).isidentifier():
            found[str(name)] = value
    return found


class _Name(str):
    """A name in a script; a text would be in quotes."""

    def __repr__(self) -> str:
        return str(self)


def _number(value: Any) -> Any:
    """Return the number that a parameter is, if it is written as Python writes it."""
    for kind in (int, float):
        try:
            if str(number := kind(value)) == value and math.isfinite(number):
                return number
        except (TypeError, ValueError, OverflowError):
            continue
    return value


def _variables(origin: Origin) -> dict[str, str]:
    pairs = (str(each).partition("=") for each in _listed(origin.get("env")))
    return {name: value for name, _, value in pairs}


def _plan(text: str) -> Any:
    """Return a fault plan, whose text is TOML or JSON, as plain values; or the text itself."""
    for read in (tomllib.loads, json.loads):
        try:
            return read(text)
        except (ValueError, RecursionError):
            continue
    return text


def _mapping(value: Any) -> dict[Any, Any]:
    return value if isinstance(value, dict) else {}


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _whole(text: Any) -> Any:
    return int(text) if str(text).isdecimal() else text


def _one_line(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return " ".join(text.split())
