# SPDX-License-Identifier: GPL-2.0-only
"""The workloads and protocols that are built in, a class each.

    import via
    from via.workloads import PingPong

    run = via.Cluster(nodes=2).run(PingPong(size=4, rounds=100))

The name of a class, in lower case and with hyphens, does the same: run("ping-pong", size=4,
rounds=100). Values are checked by the simulator, for the number of nodes and the product of the
cluster that runs them; `options()` and `via workloads NAME` tell the limits.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from via import _core, profiles
from via._base import kinds
from via._base.arguments import KnownArguments
from via._base.units import whole
from via.errors import refuse, refuse_name

if TYPE_CHECKING:
    import pandas as pd

_ANY = 2**63 - 1  # a whole number in C++; the simulator knows the limits
_SECTION = "Args:\n"


class Timed(Enum):
    """What the samples of a workload are, which decides what its latency is."""

    ROUNDS = "the time of each round, which is its latency"
    ROUND_TRIPS = "each round trip, twice the latency"
    ARRIVALS = "times since the start; latencies are the lives of the messages of process 0"


@dataclass(frozen=True, kw_only=True)
class Workload(KnownArguments):
    """The base class of all workloads.

    Attributes:
        name: the name of the workload for Cluster.run() and via.sweep().
        timed: what its samples are.
    """

    name: ClassVar[str] = ""
    timed: ClassVar[Timed] = Timed.ROUNDS
    meanings: ClassVar[dict[str, str]] = {}

    def __init_subclass__(cls) -> None:
        """Name the workload; complete its help with the arguments that it inherits."""
        cls.name = re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower()
        text = inspect.cleandoc(cls.__doc__ or "") + "\n"  # 3.13 removes the indentation itself
        summary, _, section = text.partition(_SECTION)
        own = re.findall(r"^ {4}(\w+): ((?:.|\n {8})*)", section, flags=re.MULTILINE)
        cls.meanings = {**cls.meanings, **{name: " ".join(said.split()) for name, said in own}}
        lines = [f"    {name}: {said}\n" for name, said in cls.meanings.items()]
        cls.__doc__ = "".join([summary.rstrip(), "\n\n", _SECTION, *lines] if lines else [summary])

    def __post_init__(self) -> None:
        """Check the types of the values.

        Raises:
            ConfigError: a value is not of the kind that its argument needs.
        """
        for field in fields(self):
            value = getattr(self, field.name)
            option = f"{type(self).__name__} {field.name}"
            if value is None and "None" in str(field.type):
                continue
            if "int" in str(field.type):
                if whole(option, value, -_ANY, _ANY) < 0:
                    raise refuse(option, value, self._limits(field.name))
            else:
                kinds.text(option, value)

    def _limits(self, option: str) -> str:
        """Return the limits of an argument, where the cluster is not known yet."""
        row = options(self.name).set_index("option").loc[option]
        where = f"a cluster of two nodes; `via workloads {self.name}` lists those of others"
        return f"a whole number from {row['least']} to {row['most']} in {where}"

    def parameters(self) -> dict[str, str]:
        """Return the values as the simulator reads them; what it is to choose is left out."""
        given = {field.name.replace("_", "-"): getattr(self, field.name) for field in fields(self)}
        return {name: str(value) for name, value in given.items() if value not in (None, "")}

    def chosen(self) -> dict[str, Any]:
        """Return the values that differ from the defaults."""
        given = {field.name: (getattr(self, field.name), field.default) for field in fields(self)}
        return {name: value for name, (value, usual) in given.items() if value != usual}


def names() -> list[str]:
    """Return the sorted names of all workloads, those of other modules included."""
    return _core.workload_names()


def find(name: str) -> type[Workload]:
    """Return the class of a workload.

    Raises:
        ConfigError: there is no such workload, or another module has added it without a class.
    """
    known = {each.name: each for each in CLASSES}
    if name not in known:
        raise refuse_name("workload", name, known)
    return known[name]


def kind_of(name: object, other: type[Workload] = Workload) -> type[Workload]:
    """Return the class of a workload; the other one for what is none, or of another module."""
    return next((each for each in CLASSES if each.name == name), other)


def check_no_flags(name: str, parameters: Mapping[str, object]) -> None:
    """Refuse True and False for parameters of a workload or protocol that are whole numbers.

    Texts are left to the simulator, which knows the limits: a run's provenance has them.

    Raises:
        ConfigError: the text names the parameter.
    """
    kind = kind_of(name, Protocol)
    numbers = {field.name for field in fields(kind) if "int" in str(field.type)}
    for parameter, value in parameters.items():
        if isinstance(value, bool | np.bool_) and parameter.replace("-", "_") in numbers:
            raise refuse(f"{name} {parameter}", value, "a whole number is needed")


def options(
    name: str, nodes: int = 2, profile: str | profiles.Profile = "giganet-clan1000"
) -> pd.DataFrame:
    """Return the options of a workload, a row each, as the simulator checks them.

    Args:
        name: one of names().
        nodes: of the cluster that would run it; some defaults and limits depend on it.
        profile: the product, whose card limits sizes and windows.

    Returns:
        The columns option, default, least and most (<NA> for texts), and meaning.

    Raises:
        ConfigError: there is no such workload or product, or the workload needs more nodes.
    """
    import pandas as pd  # takes a while to load

    card = profiles.load(profile) if isinstance(profile, str) else profile
    nodes = whole("nodes", nodes, 1, _core.MOST_HOSTS)
    known = _core.judge_workload(kinds.text("name", name), {}, nodes, card)
    kind = kind_of(name)
    order = {option: number for number, option in enumerate(kind.meanings)}
    rows: list[list[Any]] = []
    for text, (default, least, most) in known.items():
        option = text.replace("-", "_")
        limits: list[int | None] = [least, most] if most else [None, None]
        value = int(default) if most else default
        rows.append([option, value, *limits, kind.meanings.get(option, "")])
    rows.sort(key=lambda row: order.get(row[0], len(order)))
    table = pd.DataFrame(rows, columns=["option", "default", "least", "most", "meaning"])
    return table.astype({"default": object, "least": "Int64", "most": "Int64"})


@dataclass(frozen=True, kw_only=True)
class PingPong(Workload):
    """Two processes send one message back and forth. Samples: each round trip.

    Args:
        size: bytes of each message, from 0 to what the card transfers at once.
        rounds: round trips.
    """

    timed: ClassVar[Timed] = Timed.ROUND_TRIPS
    size: int = 4
    rounds: int = 1000


@dataclass(frozen=True, kw_only=True)
class Stream(Workload):
    """Process 0 sends to process 1 as fast as it can. Sample: the arrival of the last message.

    Args:
        size: bytes of each message, from 0 to what the card transfers at once.
        messages: number of messages.
        window: messages under way at once, at most what a queue of the card holds.
    """

    timed: ClassVar[Timed] = Timed.ARRIVALS
    size: int = 32768
    messages: int = 200
    window: int = 16


@dataclass(frozen=True, kw_only=True)
class SocketPingPong(Workload):
    """A ping-pong through sockets of the hosts' kernels. Samples: each round trip.

    Args:
        size: bytes of each message: up to 1,000,000, or 65,507 over UDP.
        rounds: round trips.
        transport: "kernel-tcp" or "kernel-udp".
    """

    timed: ClassVar[Timed] = Timed.ROUND_TRIPS
    size: int = 1
    rounds: int = 1000
    transport: str = "kernel-tcp"


@dataclass(frozen=True, kw_only=True)
class SocketStream(Workload):
    """A stream through sockets of the hosts' kernels. Samples: each message's arrival.

    Args:
        size: bytes of each message: up to 1,000,000, or 65,507 over UDP.
        messages: number of messages.
        transport: "kernel-tcp" or "kernel-udp".
    """

    timed: ClassVar[Timed] = Timed.ARRIVALS
    size: int = 32768
    messages: int = 200
    transport: str = "kernel-tcp"


@dataclass(frozen=True, kw_only=True)
class NodeProtocol(Workload):
    """The base class of workloads with a process on each node. Samples: the time of each round.

    Args:
        size: bytes of each message on the wire; what exceeds the message itself is padding.
        rounds: barriers, transactions, slots, updates of each sender.
        process_faults: a list such as "crash:2:40,slow:1:5:10:300", see the page "Protocols".
        limit_ms: simulated milliseconds after which no timer is set: who waits for ever ends.
    """

    size: int
    rounds: int = 10
    process_faults: str = ""
    limit_ms: int = 600_000


@dataclass(frozen=True, kw_only=True)
class Protocol(NodeProtocol):
    """The base class of protocols that run over any transport.

    Args:
        transport: "via-send", "via-rdma-write", "kernel-udp" or "kernel-tcp".
    """

    transport: str = "via-send"


@dataclass(frozen=True, kw_only=True)
class MessageStream(Protocol):
    """Process 0 sends process 1 `rounds` messages as fast as they are taken, over any transport.

    Samples: each message's arrival.

    Args:
        window: messages under way without a credit.
    """

    timed: ClassVar[Timed] = Timed.ARRIVALS
    size: int = 8
    window: int = 64


@dataclass(frozen=True, kw_only=True)
class Barrier(Protocol):
    """The dissemination barrier: ceil(log2 N) steps. Samples: last entry to last exit."""

    size: int = 8


@dataclass(frozen=True, kw_only=True)
class CentralBarrier(Protocol):
    """A barrier whose process 0 hears all and tells all: two steps."""

    size: int = 8


@dataclass(frozen=True, kw_only=True)
class TreeBarrier(Protocol):
    """A barrier on a tree: up to the root, and down.

    Args:
        fan_in: children of a process, at most the number of nodes; None: 4.
    """

    size: int = 8
    fan_in: int | None = None


@dataclass(frozen=True, kw_only=True)
class NicBarrier(NodeProtocol):
    """A barrier that the cards make, if the product's firmware can."""

    size: int = 8


@dataclass(frozen=True, kw_only=True)
class Broadcast(Protocol):
    """A value of process 0 for all, on a binomial tree."""

    size: int = 16


@dataclass(frozen=True, kw_only=True)
class Reduce(Protocol):
    """The sum of all values for process 0, on a binomial tree."""

    size: int = 16


@dataclass(frozen=True, kw_only=True)
class AllReduce(Protocol):
    """The sum of all values for all, by recursive doubling."""

    size: int = 16


@dataclass(frozen=True, kw_only=True)
class AllGather(Protocol):
    """Each process' block for all, on a ring."""

    size: int = 16


@dataclass(frozen=True, kw_only=True)
class AllToAll(Protocol):
    """Each process sends a block of its own to each other, all at once."""

    size: int = 4096


@dataclass(frozen=True, kw_only=True)
class TwoPhaseCommit(Protocol):
    """Atomic commitment in two phases; it blocks if the coordinator crashes.

    Args:
        abort_percent: share of no votes in percent, 0 to 100.
        timeout_us: microseconds after which silence counts; None: 10,000 and 100 for each node.
    """

    size: int = 16
    abort_percent: int = 0
    timeout_us: int | None = None


@dataclass(frozen=True, kw_only=True)
class ThreePhaseCommit(Protocol):
    """Atomic commitment in three phases: nobody waits for a crashed process.

    Args:
        abort_percent: share of no votes in percent, 0 to 100.
        timeout_us: microseconds after which silence counts; None: 10,000 and 100 for each node.
    """

    size: int = 16
    abort_percent: int = 0
    timeout_us: int | None = None


@dataclass(frozen=True, kw_only=True)
class MscsHeartbeat(Protocol):
    """Microsoft Cluster Server: heartbeats, and who is suspected.

    Args:
        interval_us: microseconds between two heartbeats.
        missed: silent intervals after which a node is suspected, 2 to 1,000.
    """

    size: int = 24
    interval_us: int = 1_200_000
    missed: int = 6


@dataclass(frozen=True, kw_only=True)
class MscsRegroup(Protocol):
    """Microsoft Cluster Server: five stages agree on the members.

    Args:
        tick_us: microseconds of a tick.
        patience: silent ticks after which a member is left out, 1 to 1,000.
    """

    size: int = 24
    tick_us: int = 300_000
    patience: int = 4


@dataclass(frozen=True, kw_only=True)
class MscsGlobalUpdate(Protocol):
    """Microsoft Cluster Server: updates that all apply in one order.

    Args:
        timeout_us: microseconds after which a silent member is left out.
        writers: processes that update, at most all but the locker.
    """

    size: int = 24
    timeout_us: int = 10_000
    writers: int = 1


@dataclass(frozen=True, kw_only=True)
class MscsJoin(Protocol):
    """Microsoft Cluster Server: nodes join by a sponsor and leave again.

    Args:
        timeout_us: microseconds after which a step is tried again.
        founders: processes that form the cluster; each other one joins `rounds` times.
        pages: messages of the database that a new member gets, 0 to 1,000,000.
        pause_us: microseconds between leaving and joining again.
    """

    size: int = 24
    timeout_us: int = 250_000
    founders: int = 1
    pages: int = 16
    pause_us: int = 1_000


@dataclass(frozen=True, kw_only=True)
class ViewSynchrony(Protocol):
    """View-synchronous membership of up to 64 processes.

    Args:
        timeout_us: microseconds after which silence counts; None: 10,000 and 100 for each node.
    """

    size: int = 48
    timeout_us: int | None = None


@dataclass(frozen=True, kw_only=True)
class Sequencer(Protocol):
    """Total order by process 0, which numbers all messages.

    Args:
        senders: processes that send; None: all.
    """

    size: int = 24
    senders: int | None = None


@dataclass(frozen=True, kw_only=True)
class TokenRing(Protocol):
    """Total order by a token that goes round.

    Args:
        senders: processes that send; None: all.
        burst: messages that the holder may send, 1 to 1,000.
    """

    size: int = 24
    senders: int | None = None
    burst: int = 1


@dataclass(frozen=True, kw_only=True)
class Paxos(Protocol):
    """Single-decree Paxos, once a round.

    Args:
        timeout_us: microseconds after which silence counts; None: 10,000 and 100 for each node.
        proposers: processes that propose.
    """

    size: int = 40
    timeout_us: int | None = None
    proposers: int = 1


@dataclass(frozen=True, kw_only=True)
class MultiPaxos(Protocol):
    """Paxos with a leader, slot by slot.

    Args:
        timeout_us: microseconds after which silence counts; None: 10,000 and 100 for each node.
        proposers: processes that may lead; None: all.
    """

    size: int = 40
    timeout_us: int | None = None
    proposers: int | None = None


@dataclass(frozen=True, kw_only=True)
class Raft(Protocol):
    """Raft: elections and a replicated log.

    Args:
        election_us: microseconds without a leader before an election; None: 20,000 and 200 for
            each node.
        heartbeat_us: microseconds between a leader's messages; None: a quarter of election_us.
    """

    size: int = 56
    election_us: int | None = None
    heartbeat_us: int | None = None


@dataclass(frozen=True, kw_only=True)
class RequestReply(Protocol):
    """Clients ask process 0, which answers one after the other."""

    size: int = 24


@dataclass(frozen=True, kw_only=True)
class PrimaryBackup(Protocol):
    """A client's requests are kept by a primary and its backups."""

    size: int = 24


@dataclass(frozen=True, kw_only=True)
class ChainReplication(Protocol):
    """A client's requests pass a chain of servers."""

    size: int = 24


@dataclass(frozen=True, kw_only=True)
class LockServer(Protocol):
    """A lock that process 0 grants.

    Args:
        hold_us: microseconds for which the lock is held.
    """

    size: int = 16
    hold_us: int = 10


@dataclass(frozen=True, kw_only=True)
class RicartAgrawala(Protocol):
    """A lock by permission of all others.

    Args:
        hold_us: microseconds for which the lock is held.
    """

    size: int = 16
    hold_us: int = 10


@dataclass(frozen=True, kw_only=True)
class Gossip(Protocol):
    """A rumour that is told to processes drawn by the seed.

    Args:
        period_us: microseconds of a turn.
        fanout: processes told in a turn, 1 to 64.
        turns: turns that a process tells it, 1 to 10,000; None: ceil(log2 N) + 6.
    """

    size: int = 16
    period_us: int = 1_000
    fanout: int = 1
    turns: int | None = None


CLASSES: tuple[type[Workload], ...] = (
    PingPong,
    Stream,
    SocketPingPong,
    SocketStream,
    MessageStream,
    Barrier,
    CentralBarrier,
    TreeBarrier,
    NicBarrier,
    Broadcast,
    Reduce,
    AllReduce,
    AllGather,
    AllToAll,
    TwoPhaseCommit,
    ThreePhaseCommit,
    MscsHeartbeat,
    MscsRegroup,
    MscsGlobalUpdate,
    MscsJoin,
    ViewSynchrony,
    Sequencer,
    TokenRing,
    Paxos,
    MultiPaxos,
    Raft,
    RequestReply,
    PrimaryBackup,
    ChainReplication,
    LockServer,
    RicartAgrawala,
    Gossip,
)
