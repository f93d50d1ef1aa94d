# SPDX-License-Identifier: GPL-2.0-only
"""The ns-3 objects of a run: attributes by name, trace sources as callbacks.

For example::

    @cluster.ns3
    def watch(ns3):
        nic = ns3.nodes[1].nic
        nic.connect("MessageEnd", lambda message: print(message.end_ps))

ns-3's own Python bindings are not needed. Objects are valid during their run; later use raises
ConfigError.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, TypeAlias

from via import _core
from via._base.units import parse_time
from via.errors import refuse

NIC = "ns3::via::ViaNicObject"
MAX_PS = 2**63 - 1

Value: TypeAlias = "bool | int | float | str | Ns3Object | list[Ns3Object] | None"

_NUMBER = r"\d{1,15}(?:\.\d{1,9})?"
_RATE = re.compile(_NUMBER + r"(?:[kKMGT]|[KMGT]i)?(?:bps|b/s|Bps|B/s)")
_SIZE = re.compile(r"\d{1,9}(?:[kKMG]|[KMG]i)?[pB]")


@dataclass(frozen=True)
class Attribute:
    """Description of an ns-3 attribute.

    Attributes:
        name: such as "Mtu".
        help: ns-3's description.
        kind: class of its values without "ns3::" and "Value", such as "Uinteger" or "Time".
        allowed: type and range of its values, if ns-3 states them.
        readable, writable: whether get() and set() accept it.
    """

    name: str
    help: str
    kind: str
    allowed: str
    readable: bool
    writable: bool


@dataclass(frozen=True)
class TraceSource:
    """Description of an ns-3 trace source; connect() accepts it if it is connectable."""

    name: str
    help: str
    connectable: bool


def _unknown(owner: str, what: str, name: object, known: list[str]) -> AttributeError:
    close = get_close_matches(str(name), known, 1)
    hint = f" (did you mean {close[0]}?)" if close else ""
    text = f"{owner} has no {what} {name!r}{hint}; it has {', '.join(sorted(known)) or 'none'}"
    return AttributeError(text)


class Ns3Object:
    """An ns-3 object: a node, a NIC, a device, a queue.

    `obj["Mtu"]` calls get(), `obj["Mtu"] = 9000` calls set().
    """

    def __init__(self, core: _core.Ns3Object) -> None:
        self._core = core
        self._attributes: dict[str, Attribute] | None = None

    def __repr__(self) -> str:
        return f"<{self._core.type_name}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ns3Object) and self._core == other._core

    __hash__ = object.__hash__

    @property
    def type_name(self) -> str:
        """The name of its ns-3 class, such as "ns3::Node"."""
        return self._core.type_name

    @property
    def attributes(self) -> dict[str, Attribute]:
        """Its attributes by name, those of its class first."""
        if self._attributes is None:
            self._attributes = {}
            for name, text, kind, allowed, readable, writable in self._core.attributes():
                plain = kind.removeprefix("ns3::").split("<")[0].removesuffix("Value")
                known = Attribute(name, text, plain, allowed, readable, writable)
                self._attributes.setdefault(name, known)
        return dict(self._attributes)

    @property
    def trace_sources(self) -> dict[str, TraceSource]:
        """Its trace sources by name."""
        return {row[0]: TraceSource(*row) for row in reversed(self._core.trace_sources())}

    @property
    def aggregated(self) -> list[Ns3Object]:
        """The other objects of its ns-3 aggregate."""
        found = self._core.aggregated()
        return [Ns3Object(each) for each in found if each != self._core]

    def get(self, name: str) -> Value:
        """Return an attribute as a Python value; times are picoseconds, other types text.

        Raises:
            AttributeError: there is no such attribute, or it cannot be read.
            ConfigError: the object's run is over.
        """
        known = self._known(name)
        if not known.readable:
            raise AttributeError(f"{self.type_name}: attribute {name} cannot be read")
        return _wrapped(self._core.get(name))

    def set(self, name: str, value: bool | int | float | str | Ns3Object) -> None:
        """Set an attribute. Times are picoseconds or "5us", rates "100Mbps", queues "64p".

        Raises:
            AttributeError: there is no such attribute, or it cannot be written.
            ConfigError: the attribute does not accept the value, or the object's run is over.
        """
        known = self._known(name)
        if not known.writable:
            raise AttributeError(f"{self.type_name}: attribute {name} cannot be written")
        option = f"{self.type_name}::{name}"
        if not self._core.set(name, _checked(option, known, value)):
            raise refuse(option, repr(value), known.allowed or f"a {known.kind} is needed")

    def connect(self, name: str, function: Callable[..., object]) -> None:
        """Call function with the arguments of the trace source whenever it fires.

        Messages and packets are passed as objects with attributes, traced values as the old and the
        new value, times as picoseconds. The function takes no simulated time. An exception that it
        raises ends the run, and `cluster.run` raises it.

        Raises:
            AttributeError: there is no such trace source.
            ConfigError: its arguments have no Python form, function cannot be called, or the
                object's run is over.
        """
        sources = self.trace_sources
        if name not in sources:
            raise _unknown(self.type_name, "trace source", name, list(sources))
        if not callable(function):
            raise refuse("function", repr(function), "a callable is needed")
        if not sources[name].connectable or not self._core.connect(name, function):
            good = sorted(each.name for each in sources.values() if each.connectable)
            limit = f"its arguments have no Python form; these do: {', '.join(good) or 'none'}"
            raise refuse("trace source", name, limit)

    def __getitem__(self, name: str) -> Value:
        """Return an attribute, as get() does."""
        return self.get(name)

    def __setitem__(self, name: str, value: bool | int | float | str | Ns3Object) -> None:
        """Set an attribute, as set() does."""
        self.set(name, value)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of its attributes."""
        return iter(self.attributes)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self.attributes)

    def _known(self, name: str) -> Attribute:
        attributes = self.attributes
        if name not in attributes:
            raise _unknown(self.type_name, "attribute", name, list(attributes))
        return attributes[name]


class Node(Ns3Object):
    """An ns-3 node: nodes[i] is host i of the cluster."""

    @property
    def nic(self) -> Ns3Object:
        """Its VIA NIC; the trace source "MessageEnd" reports each message to this node."""
        for each in self.aggregated:
            if each.type_name == NIC:
                return each
        raise refuse("node", self["Id"], "it has no VIA NIC")

    @property
    def devices(self) -> list[Ns3Object]:
        """Its network devices; none until add_ip_devices() makes them."""
        found = self["DeviceList"]
        return found if isinstance(found, list) else []


class Simulation:
    """The ns-3 objects of one run; cluster.ns3() passes it to the decorated function.

    Attributes:
        nodes: the nodes in the cluster's order.
    """

    def __init__(self, core: _core.Cluster) -> None:
        self._core = core
        self.nodes = [Node(each) for each in core.nodes()]

    def find(self, path: str) -> list[Ns3Object]:
        """Return the objects that match an ns-3 Config path.

        Examples: ``/NodeList/*/DeviceList/0``, ``/NodeList/0/$ns3::via::ViaNicObject``.

        Raises:
            ConfigError: the text is no path, or names a class that ns-3 does not know.
        """
        return [Ns3Object(each) for each in self._core.find_objects(path)]

    def add_ip_devices(self) -> list[Ns3Object]:
        """Give each node a network device on its VIA NIC, for the network stack of its kernel.

        Raises:
            ConfigError: the hosts' kernel is not known; via.Cluster(kernel=...) sets it.
        """
        return [Ns3Object(each) for each in self._core.add_ip_devices()]


def _wrapped(value: Any) -> Value:
    if isinstance(value, _core.Ns3Object):
        return Ns3Object(value)
    if isinstance(value, list):
        return [Ns3Object(each) for each in value]
    plain: Value = value
    return plain


def _whole(option: str, known: Attribute, value: object) -> int:
    least, most = (0, 2**64 - 1) if known.kind == "Uinteger" else (-(2**63), 2**63 - 1)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise refuse(option, repr(value), known.allowed or "a whole number is needed")
    return value


def _time(option: str, value: object) -> int:
    if isinstance(value, str):
        return parse_time(value, option)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_PS:
        raise refuse(option, repr(value), 'picoseconds are needed, or a time such as "5us"')
    return value


def _text(option: str, value: object, form: re.Pattern[str], limit: str) -> str:
    if not isinstance(value, str) or not form.fullmatch(value):
        raise refuse(option, repr(value), limit)
    return value


def _checked(option: str, known: Attribute, value: object) -> Any:
    """Return the value in ns-3's form; ns-3 would end the OS process on one it cannot read."""
    kind = known.kind
    if kind == "Boolean" and isinstance(value, bool):
        return value
    if kind in ("Integer", "Uinteger"):
        return _whole(option, known, value)
    if kind == "Double" and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if kind == "Time":
        return _time(option, value)
    if kind == "DataRate":
        return _text(option, value, _RATE, 'a rate such as "100Mbps" is needed')
    if kind == "QueueSize":
        return _text(option, value, _SIZE, 'packets or bytes are needed, such as "100p" or "64KiB"')
    if kind == "Enum" and value in known.allowed.split("|"):
        return value
    if kind == "String" and isinstance(value, str):
        return value.encode().decode()
    if kind == "Pointer" and isinstance(value, Ns3Object):
        return value._core
    raise refuse(option, repr(value), known.allowed or f"a {kind} is needed")
