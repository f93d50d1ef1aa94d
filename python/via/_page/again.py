# SPDX-License-Identifier: GPL-2.0-only
"""The command, or the Python script, that makes a run again, from its provenance."""

from __future__ import annotations

import json
import shlex
import tomllib
from collections.abc import Mapping
from typing import Any

Origin = Mapping[str, Any]

# What `via run` cannot be told in one line.
_PYTHON_ONLY = ("ns3", "mpi_ranks", "faults")


def command(origin: Origin, digest: str) -> tuple[str, str]:
    """Return language and text: "sh" for a C program, "python" for all others.

    The text comes from a file, which may hold anything: words of a shell command are quoted, values
    in Python are literals, and comments have one line.
    """
    if isinstance(origin.get("program"), str) and not any(map(origin.get, _PYTHON_ONLY)):
        return "sh", f"{_shell(origin)}\n# digest {_one_line(digest)}"
    return "python", _script(origin, digest)


def _shell(origin: Origin) -> str:
    words: list[Any] = ["via", "run"]
    for name in ("profile", "host", "nodes", "topology", "seed"):
        if origin.get(name) not in (None, ""):
            words += [f"--{name}", origin[name]]
    for key, value in _mapping(origin.get("overrides")).items():
        words += ["--override", f"{key}={value}"]
    for node, what in _mapping(origin.get("node_profiles")).items():
        product, host = (*_listed(what), "", "")[:2]
        words += ["--node-profile", f"{node}={product}{'@' if host else ''}{host}"]
    if origin.get("procs_per_node", 1) != 1:
        words += ["--procs-per-node", origin["procs_per_node"]]
    for variable in _listed(origin.get("env")):
        words += ["--env", variable]
    if origin.get("stop_ps") is not None:
        words += ["--stop", f"{origin['stop_ps']}ps"]
    for flag in ("reference", "control_network", "low_memory"):
        if origin.get(flag):
            words.append(f"--{flag.replace('_', '-')}")
    words += ["--save", "again", origin["program"]]
    arguments = _listed(origin.get("args"))
    return shlex.join(map(str, [*words, *(["--", *arguments] if arguments else [])]))


def _script(origin: Origin, digest: str) -> str:
    given: dict[str, Any] = {"nodes": origin.get("nodes"), "profile": origin.get("profile")}
    for name in ("host", "seed", "overrides", "reference", "control_network", "low_memory"):
        if origin.get(name):
            given[name] = origin[name]
    if origin.get("faults"):
        given["faults"] = _plan(str(origin["faults"]))
    others = _mapping(origin.get("node_profiles"))
    if others:
        given["node_profiles"] = {_whole(node): tuple(_listed(it)) for node, it in others.items()}
    words = ", ".join(f"{name}={value!r}" for name, value in given.items())
    first = f"cluster = via.Cluster({origin.get('topology')!r}, {words})"
    stop = origin.get("stop_ps")
    more = {} if stop is None else {"stop": stop}
    if origin.get("mpi_ranks"):
        more["mpi_ranks"] = origin["mpi_ranks"]
    lines = ["import via", "", first, *_run(origin, more), f"assert run.digest == {digest!r}"]
    if origin.get("ns3"):
        lines.insert(3, f"# with these watchers of ns-3 objects: {_one_line(origin['ns3'])}")
    return "\n".join(lines)


def _run(origin: Origin, more: Mapping[str, Any]) -> list[str]:
    """Return the lines that run what the provenance names."""
    parameters = _mapping(origin.get("parameters"))
    named = parameters.keys() <= {name for name in parameters if str(name).isidentifier()}
    words = {**parameters, **more} if named else dict(more)
    tail = "".join(f", {name}={value!r}" for name, value in words.items())
    if "workload" in origin:
        return [f"run = cluster.run({origin['workload']!r}{tail})"]
    if "program" in origin:
        given = {
            "args": _listed(origin.get("args")),
            "procs_per_node": origin.get("procs_per_node", 1),
            "env": _variables(origin),
            **more,
        }
        listed = ", ".join(f"{name}={value!r}" for name, value in given.items())
        return [f"run = cluster.run_program({origin['program']!r}, {listed})"]
    if "protocol" in origin:
        what = _one_line(origin["protocol"])
        return [f"# the script's own class: {what}", f"run = cluster.run(YourProtocol{tail})"]
    started = _one_line(origin.get("processes", "unknown"))
    return [f"# with the script's own processes: {started}", f"run = cluster.run({tail[2:]})"]


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
