"""The compiled module: the interface of the simulator as built."""

from collections.abc import Callable, Coroutine, Generator, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Result = TypeVar("Result", covariant=True)

Column: TypeAlias = NDArray[Any] | tuple[NDArray[np.int32], list[str]]

MOST_HOSTS: int
MOST_OF_WIRES: dict[str, int]

def build() -> dict[str, str]: ...
def types() -> list[dict[str, Any]]: ...
def global_values() -> list[dict[str, str]]: ...

class ProfileEntry:
    """One number of a profile, with its source."""

    @property
    def key(self) -> str:
        """The key, such as "nic.clock"."""
    @property
    def value(self) -> str:
        """The value as written in the profile."""
    @property
    def unit(self) -> str:
        """The unit of the value; empty: it has none."""
    @property
    def source(self) -> str:
        """Where the number is from."""
    @property
    def trust(self) -> str:
        """How far to trust it: one of via.profiles.TRUSTS."""
    @property
    def file(self) -> str:
        """The file that has the entry."""
    @property
    def line(self) -> int:
        """The line in that file."""

class Profile:
    """All numbers of a product on a host, each with its source. via.profiles.load() makes one."""

    @property
    def name(self) -> str:
        """The name of the product, such as "giganet-clan1000"."""
    @property
    def title(self) -> str:
        """The product in words."""
    @property
    def sketch(self) -> str:
        """Why the profile is only a sketch; empty: it is a full one."""
    @property
    def host(self) -> str:
        """The name of the host computer."""
    @property
    def kernel(self) -> str:
        """The name of the kernel whose network stack carries IP."""
    @property
    def fingerprint(self) -> str:
        """Hexadecimal digits of a hash over the values."""
    @property
    def entries(self) -> list[ProfileEntry]:
        """All entries with their sources."""
    @property
    def plug_in_file(self) -> str:
        """The path of the plug-in in C; empty: there is none."""
    def with_value(self, key: str, value: str) -> Profile:
        """Return a profile with another value for one key: with_value("nic.clock", "125 MHz").

        Raises:
            ConfigError: the key is unknown, or the value is not allowed.
        """
    def with_values(self, changes: dict[str, str]) -> Profile:
        """Return a profile with other values for several keys.

        Raises:
            ConfigError: a key is unknown, or a value is not allowed.
        """
    def with_kernel(self, kernel: str = "") -> Profile:
        """Return a profile with another kernel; empty: the one that belongs to the host.

        Raises:
            ConfigError: there is no such kernel.
        """

class ProfileKey:
    """What a key of profiles means."""

    @property
    def key(self) -> str:
        """The key."""
    @property
    def meaning(self) -> str:
        """What it means."""
    @property
    def allowed(self) -> str:
        """The allowed values."""
    @property
    def only_if(self) -> str:
        """The setting of another key without which this one has no use; empty: none."""
    @property
    def scope(self) -> str:
        """The kind of file that has it: "host", "product" or "kernel"."""

def profile_key(name: str) -> ProfileKey: ...
def profile_keys() -> list[str]: ...
def load_profile(name_or_path: str, host: str) -> Profile: ...
def dma_time_ps(profile: Profile, test: str, bytes: int, bursts: int) -> int: ...
def profile_names() -> list[str]: ...
def profile_folder() -> str: ...

class Topology:
    """Hosts, switches, cables and routes. The functions of via.topology make one."""

    @property
    def name(self) -> str:
        """The name in reports, such as "torus:8x8,hosts=2"."""
    @property
    def family(self) -> str:
        """The family, such as "torus" or "graph"."""
    @property
    def routing(self) -> str:
        """The name of the routing."""
    @property
    def hosts(self) -> int:
        """The number of hosts."""
    @property
    def rails(self) -> int:
        """The number of planes, copies of each other; each host has a card on each."""
    @property
    def lanes(self) -> int:
        """Virtual lanes that the routes need on each wire."""
    @property
    def bisection(self) -> int:
        """Fewest cables between two halves of the hosts; 0: unknown."""
    @property
    def switch_ports(self) -> list[int]:
        """The number of ports of each switch."""
    @property
    def cables(self) -> list[tuple[str, str]]:
        """The two ends of each cable: "n3" for a host, "s0.5" for port 5 of a switch."""
    @property
    def wires(self) -> dict[str, list[int]]:
        """What cables have in place of the product's wires, by attribute, in the order of cables.

        length_mm: length of the cable; latency_ns: time of flight in place of a length;
        rate_mbit_s: data rate of a wire after the line code in 10^6 bit/s; wires: parallel wires;
        cells: room for cells at the receiver. 0: the product's.
        """
    @property
    def places(self) -> list[list[int]]:
        """The coordinates of each switch; empty: its family has none."""
    def hops(self, source: int, destination: int) -> int:
        """Return the number of switches on the route between two hosts.

        Raises:
            ConfigError: there is no such host.
        """
    def hops_from(self, source: int) -> list[int]:
        """Return hops(source, host) of every host, in their order.

        Raises:
            ConfigError: there is no such host.
        """
    def routes(self, switch: int) -> list[tuple[int, int, list[int]]]:
        """Return a row per host: port and lane to it, and all ports that may be used.

        Raises:
            ConfigError: there is no such switch.
        """
    def diameter(self) -> int:
        """Return the number of cables between the two switches farthest apart."""
    def cycle(self) -> list[str]:
        """Return the channels that wait for each other in a cycle; empty: there is none."""

def parse_topology(text: str, hosts: int, profile: Profile) -> Topology: ...
def topology_to_json(topology: Topology) -> str: ...
def with_rails(topology: Topology, rails: int) -> Topology: ...
def with_wires(topology: Topology, wires: dict[int, dict[str, int]], name: str) -> Topology: ...
def topology_from_graph(
    hosts: list[str],
    switches: list[str],
    edges: list[tuple[str, str, int, int, dict[str, int]]],
    name: str,
    routing: str,
    may_deadlock: bool,
) -> Topology: ...

class FaultPlan:
    def __init__(self) -> None: ...
    @staticmethod
    def read(path: str) -> FaultPlan: ...
    @staticmethod
    def read_json(text: str, name: str) -> FaultPlan: ...
    def check(self, topology: Topology) -> None: ...

class NodeProfile:
    def __init__(self, profile: str, host: str) -> None: ...
    @property
    def profile(self) -> str: ...
    @property
    def host(self) -> str: ...

class ClusterConfig:
    def __init__(self) -> None: ...
    profile: str
    host: str
    kernel: str
    topology: str
    others: dict[int, NodeProfile]
    graph: Topology | None
    nodes: int
    seed: int
    reference: bool
    payload_digest: bool
    record: bool
    allow_plug_in: bool
    stop_ps: int
    plan: FaultPlan
    pcap: str
    snaplen: int
    patience_ps: int
    low_memory: bool
    control_network: bool
    overrides: dict[str, str]

class ProgramSpec:
    def __init__(self) -> None: ...
    path: str
    node: int
    slot: int
    size: int
    arguments: list[str]
    environment: list[str]
    directory: str
    input: str
    prefix: bool
    start_ps: int

class ProcessReport:
    @property
    def rank(self) -> int: ...
    @property
    def node(self) -> int: ...
    @property
    def exit(self) -> int: ...
    @property
    def signal(self) -> int: ...
    @property
    def end_ps(self) -> int: ...
    @property
    def cpu_ps(self) -> int: ...
    @property
    def system_ps(self) -> int: ...
    @property
    def left_connected(self) -> int: ...
    @property
    def report(self) -> str: ...

class FaultRow:
    @property
    def kind(self) -> str: ...
    @property
    def where(self) -> str: ...
    @property
    def at_ps(self) -> int: ...
    @property
    def until_ps(self) -> int: ...
    @property
    def corrupt(self) -> int: ...
    @property
    def lost(self) -> int: ...
    @property
    def killed(self) -> int: ...

class RunReport:
    @property
    def digest(self) -> str: ...
    @property
    def payload_digest(self) -> str: ...
    @property
    def profile(self) -> str: ...
    @property
    def sketch(self) -> str: ...
    @property
    def host(self) -> str: ...
    @property
    def plug_in(self) -> str: ...
    @property
    def deadlock(self) -> str: ...
    @property
    def translation_hits(self) -> int: ...
    @property
    def translation_misses(self) -> int: ...
    @property
    def fingerprint(self) -> str: ...
    @property
    def seed(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def topology(self) -> str: ...
    @property
    def mpi_ranks(self) -> int: ...
    @property
    def end_ps(self) -> int: ...
    @property
    def events(self) -> int: ...
    @property
    def messages(self) -> int: ...
    @property
    def exit(self) -> int: ...
    @property
    def processes(self) -> list[ProcessReport]: ...
    @property
    def cpu(self) -> dict[str, int]: ...
    @property
    def node_cpu(self) -> list[dict[str, int]]: ...
    @property
    def violations(self) -> list[str]: ...
    @property
    def cells_corrupt(self) -> int: ...
    @property
    def cells_lost(self) -> int: ...
    @property
    def faults(self) -> list[FaultRow]: ...

class Ns3Object:
    """An ns-3 object, as via.ns3 uses it. Names and values must be valid."""

    @property
    def type_name(self) -> str: ...
    def attributes(self) -> list[tuple[str, str, str, str, bool, bool]]: ...
    def trace_sources(self) -> list[tuple[str, str, bool]]: ...
    def get(self, name: str) -> Any: ...
    def set(self, name: str, value: bool | int | float | str | Ns3Object) -> bool: ...
    def connect(self, name: str, function: Callable[..., object]) -> bool: ...
    def aggregated(self) -> list[Ns3Object]: ...

class TracedMessage:
    """A message that has ended, as trace source "MessageEnd" of a NIC reports it."""

    @property
    def src_rank(self) -> int: ...
    @property
    def dst_rank(self) -> int: ...
    @property
    def vi(self) -> int: ...
    @property
    def seq(self) -> int: ...
    @property
    def op(self) -> str: ...
    @property
    def bytes(self) -> int: ...
    @property
    def dropped(self) -> bool: ...
    @property
    def posted_ps(self) -> int: ...
    @property
    def end_ps(self) -> int: ...

class TracedPacket:
    """A packet, as an ns-3 trace source reports it."""

    @property
    def uid(self) -> int: ...
    @property
    def data(self) -> bytes: ...
    def __len__(self) -> int: ...

def check_nesting(text: str, name: str) -> None: ...
def take_lost_output() -> tuple[int, int]: ...

class Cluster:
    def __init__(self, config: ClusterConfig, ns3: bool = False) -> None: ...
    def nodes(self) -> list[Ns3Object]: ...
    def find_objects(self, path: str) -> list[Ns3Object]: ...
    def add_ip_devices(self) -> list[Ns3Object]: ...
    def add_program(self, spec: ProgramSpec) -> int: ...
    def add_workload(self, name: str, parameters: dict[str, str]) -> None: ...
    def add_python(
        self, node: int, function: Callable[..., Any], start_ps: int, stop_ps: int
    ) -> int: ...
    def add_protocol(
        self,
        make: Callable[[], Protocol],
        name: str,
        message_bytes: int,
        least_bytes: int,
        span: str,
        parameters: dict[str, str],
    ) -> None: ...
    def advance(
        self, until_ps: int, watchdog_s: int, progress: Callable[[int], object] | None
    ) -> bool: ...
    def finish(self) -> RunReport: ...
    def returned(self) -> dict[int, Any]: ...
    def errors(self) -> dict[int, BaseException]: ...
    def take_log(self) -> RunLog: ...
    def decisions(self) -> dict[str, Column]: ...
    def last_counters(self) -> RunCounters: ...
    def address(self) -> int:
        """Where the cluster is in memory, for via._partitions."""
    def samples(self) -> NDArray[np.int64]: ...
    def close(self) -> None: ...

def join_captures(shares: Sequence[str], path: str, snap_length: int) -> None:
    """Write the pcapng file of a run on several MPI ranks."""

class RunCounters:
    """What a run counted; tables are built when they are read."""

    @staticmethod
    def join(shares: Sequence[bytes]) -> RunCounters: ...
    def links(self) -> dict[str, Column]:
        """Two rows per cable: the traffic sent by each end."""
    def ports(self) -> dict[str, Column]:
        """One row per port of a switch."""
    def cards(self) -> dict[str, Column]:
        """One row per card of a node; those of one node are adjacent."""

class RunLog:
    """What a run recorded; tables are built when they are read."""

    @staticmethod
    def join(shares: Sequence[bytes]) -> RunLog: ...
    def messages(self) -> dict[str, Column]: ...
    def breakdown(self) -> dict[str, Column]: ...
    def spans(self) -> dict[str, Column]: ...

class TrafficConfig:
    topology: str
    nodes: int
    profile: str
    overrides: dict[str, str]
    slotted: bool
    reference: bool
    def set_pattern(self, pattern: str) -> None: ...
    def set_load(self, load: int) -> None: ...
    def set_hot_share(self, share: int) -> None: ...
    def set_packet_cells(self, cells: int) -> None: ...
    def set_slots(self, warm_up: int, slots: int) -> None: ...
    def set_seed(self, seed: int) -> None: ...
    def set_vanish(self, vanish: int) -> None: ...

class TrafficReport:
    @property
    def topology(self) -> str: ...
    @property
    def nodes(self) -> int: ...
    @property
    def sent(self) -> int: ...
    @property
    def delivered(self) -> int: ...
    @property
    def dropped(self) -> int: ...
    @property
    def spoiled(self) -> int: ...
    @property
    def vanished(self) -> int: ...
    @property
    def disordered(self) -> int: ...
    @property
    def held(self) -> int: ...
    @property
    def throughput(self) -> int: ...
    @property
    def bound(self) -> int: ...
    @property
    def hops(self) -> int: ...
    @property
    def packet_hops(self) -> int: ...
    @property
    def events(self) -> int: ...
    @property
    def notices(self) -> int: ...
    @property
    def stalls(self) -> int: ...
    @property
    def peak_fill(self) -> int: ...
    @property
    def slot_ps(self) -> int: ...
    @property
    def end_ps(self) -> int: ...
    @property
    def digest(self) -> str: ...
    @property
    def latencies(self) -> NDArray[np.int64]: ...

def run_traffic(config: TrafficConfig) -> TrafficReport: ...
def known_table() -> dict[str, Any]: ...
def workload_names() -> list[str]: ...
def judge_workload(
    name: str, parameters: dict[str, str], nodes: int, profile: Profile
) -> dict[str, tuple[str, int, int]]: ...
def judge_protocol(
    name: str, message_bytes: int, parameters: dict[str, str], nodes: int, profile: Profile
) -> None: ...

class Operation(Generic[Result]):
    """An operation that a process awaits or yields. It can be awaited only once."""

    def __await__(self) -> Generator[Any, Any, Result]: ...
    def send(self, value: Any) -> Any:
        """Resume it with a value, as `await` does."""

    def close(self) -> None:
        """Withdraw it: nobody will await it."""

Bytes: TypeAlias = bytearray | memoryview | NDArray[Any]
"""Bytes of registered memory, through Python's buffer protocol."""

Pieces: TypeAlias = Bytes | Sequence[Bytes] | None
"""One piece of memory; several, to gather or scatter; or none."""

class Completion:
    """A completed descriptor."""

    @property
    def data(self) -> Any:
        """The data passed to the post call."""
    @property
    def length(self) -> int:
        """Number of bytes transferred."""
    @property
    def status(self) -> int:
        """Status bits, see VipStatus."""
    @property
    def immediate(self) -> int | None:
        """The immediate data that came with it; None: there were none."""
    @property
    def receive(self) -> bool:
        """Whether it is a receive; else it is a send or RDMA operation."""

class RemoteMemory:
    """Memory of another process for RDMA: an address, a memory handle and a length in bytes."""

    def __init__(self, address: int, handle: int, length: int) -> None: ...
    @property
    def address(self) -> int:
        """The first address in the other process."""
    @property
    def handle(self) -> int:
        """The memory handle of the other process."""
    @property
    def length(self) -> int:
        """The number of bytes."""
    def at(self, offset: int, length: int) -> RemoteMemory:
        """Return a part of this memory."""

class ProtectionTag:
    """A protection tag: a VI can use only regions with the same tag."""

    def destroy(self) -> Operation[None]:
        """VipDestroyPtag.

        Raises:
            ViplError: ERROR_RESOURCE or INVALID_PARAMETER, by product, while a VI or region has it.
        """

class Region:
    """Registered memory. Its bytes stay in place until it is deregistered."""

    @property
    def memory(self) -> Any:
        """The object whose bytes are registered."""
    @property
    def handle(self) -> int:
        """The memory handle."""
    @property
    def address(self) -> int:
        """The address of the first byte."""
    @property
    def length(self) -> int:
        """The number of bytes."""
    @property
    def live(self) -> bool:
        """Whether it is still registered."""
    @property
    def remote(self) -> RemoteMemory:
        """The region as another process names it for RDMA."""

class CompletionQueue:
    """Completions of several work queues."""

    def done(self) -> Operation[tuple[Vi, bool] | None]:
        """VipCQDone: the VI, and whether it is its receive queue; None if the CQ is empty."""
    def wait(self, *, poll: bool = False, timeout: int | None = None) -> Operation[tuple[Vi, bool]]:
        """VipCQWait: return the VI, and whether it is its receive queue.

        Args:
            poll: call VipCQDone until there is an entry; the CPU is busy meanwhile.
            timeout: milliseconds to wait at most, from 0; None: no limit.

        Raises:
            ViplError: TIMEOUT.
        """
    def notify(self, function: Callable[[Vi, bool], object]) -> Operation[None]:
        """VipCQNotify: call the function, or coroutine, once with the next entry."""
    def destroy(self) -> Operation[None]:
        """VipDestroyCQ.

        Raises:
            ViplError: ERROR_RESOURCE while a VI uses it.
        """

class Connection:
    """A connection request from another process."""

    @property
    def node(self) -> int:
        """The node of the requesting process."""
    @property
    def discriminator(self) -> bytes:
        """The discriminator of the requesting process."""
    def accept(self, vi: Vi) -> Operation[None]:
        """VipConnectAccept: connect an idle VI to the one that asks.

        Raises:
            ViplError: INVALID_STATE of the VI, INVALID_RELIABILITY_LEVEL or INVALID_MTU if the two
                VIs differ, TIMEOUT if the other side has given up.
        """
    def reject(self) -> Operation[None]:
        """VipConnectReject: the other side gets REJECT."""

class Vi:
    """A VI with its own registered descriptors."""

    def connect(
        self, node: int, discriminator: bytes | str, timeout: int | None = None
    ) -> Operation[None]:
        """VipConnectRequest to a process that listens on a node.

        Args:
            node: the number of its node.
            discriminator: what it listens for, to 16 bytes on most products.
            timeout: milliseconds, at least 1; None: no limit.

        Raises:
            ViplError: NO_MATCH if nobody listens, REJECT, TIMEOUT, NOT_REACHABLE, INVALID_STATE
                if the VI is not idle; INVALID_RELIABILITY_LEVEL or INVALID_MTU if the VIs differ.
        """
    def connect_peer(
        self, node: int, discriminator: bytes | str, timeout: int | None = None
    ) -> Operation[None]:
        """VipConnectPeerRequest and VipConnectPeerWait; both sides call it, in any order.

        Args:
            node: the number of the other's node.
            discriminator: the same on both sides.
            timeout: milliseconds, at least 1; None: no limit.

        Raises:
            ViplError: TIMEOUT, NOT_REACHABLE, INVALID_STATE if the VI is not idle;
                INVALID_RELIABILITY_LEVEL or INVALID_MTU if the two VIs differ.
        """
    def disconnect(self) -> Operation[None]:
        """VipDisconnect: the VI is idle again; what is posted completes as DESC_FLUSHED_ERROR."""
    def query(self) -> Operation[str]:
        """VipQueryVi: "idle", "connected", "connect-pending" or "error"."""
    def destroy(self) -> Operation[None]:
        """VipDestroyVi, and VipDeregisterMem of its descriptors.

        Raises:
            ViplError: INVALID_STATE if it is connected, ERROR_RESOURCE if descriptors are queued.
        """
    def post_send(self, data: Pieces, immediate: int | None = None) -> Operation[None]:
        """VipPostSend: queue a message; its memory must stay unchanged until it has completed.

        Args:
            data: registered bytes to gather, to max_transfer in total; None: an empty message.
            immediate: 32 bits that come with it.

        Raises:
            ViplError: ERROR_RESOURCE if the VI has no free descriptor.
            ValueError: the bytes are not registered, or are in more pieces than segments.
        """
    def post_recv(self, data: Pieces) -> Operation[None]:
        """VipPostRecv: queue memory for one message, also before the VI is connected.

        Args:
            data: registered bytes to scatter into; None: for empty messages.

        Raises:
            ViplError: ERROR_RESOURCE if the VI has no free descriptor.
            ValueError: as post_send().
        """
    def post_rdma_write(
        self, data: Pieces, remote: RemoteMemory, immediate: int | None = None
    ) -> Operation[None]:
        """VipPostSend of an RDMA write into memory of the other process.

        Args:
            data: registered bytes to gather.
            remote: where they go; the region and both VIs must have RDMA writes enabled.
            immediate: 32 bits; with them it completes a receive of the other process.

        Raises:
            ViplError: as post_send().
            ValueError: as post_send(); the remote end takes a segment.
        """
    def post_rdma_read(self, data: Pieces, remote: RemoteMemory) -> Operation[None]:
        """VipPostSend of an RDMA read from memory of the other process.

        Args:
            data: registered bytes to scatter into.
            remote: where they come from.

        Raises:
            ViplError: as post_send(); products without it complete it as FORMAT_ERROR.
        """
    def send(
        self, data: Pieces, immediate: int | None = None, *, poll: bool = False
    ) -> Operation[Completion]:
        """post_send() and sent()."""
    def rdma_write(
        self,
        data: Pieces,
        remote: RemoteMemory,
        immediate: int | None = None,
        *,
        poll: bool = False,
    ) -> Operation[Completion]:
        """post_rdma_write() and sent()."""
    def rdma_read(
        self, data: Pieces, remote: RemoteMemory, *, poll: bool = False
    ) -> Operation[Completion]:
        """post_rdma_read() and sent()."""
    def recv(self, *, poll: bool = False, timeout: int | None = None) -> Operation[Completion]:
        """VipRecvWait: return the oldest receive when it completes.

        Args:
            poll: call VipRecvDone until then; the CPU is busy, and no interrupt is paid.
            timeout: milliseconds to wait at most, from 0; None: no limit.

        Raises:
            ViplError: DESCRIPTOR_ERROR with the status, or an empty queue; TIMEOUT.
        """
    def sent(self, *, poll: bool = False, timeout: int | None = None) -> Operation[Completion]:
        """VipSendWait: return the oldest send or RDMA operation when it completes.

        Args:
            poll: call VipSendDone until then; the CPU is busy, and no interrupt is paid.
            timeout: milliseconds to wait at most, from 0; None: no limit.

        Raises:
            ViplError: DESCRIPTOR_ERROR with the status, or an empty queue; TIMEOUT.
        """
    def recv_done(self) -> Operation[Completion | None]:
        """VipRecvDone: None if the oldest receive is not complete."""
    def send_done(self) -> Operation[Completion | None]:
        """VipSendDone: None if the oldest send is not complete."""
    def notify_recv(self, function: Callable[[Completion], object]) -> Operation[None]:
        """VipRecvNotify: call the function, or coroutine, once with the next receive."""
    def notify_sent(self, function: Callable[[Completion], object]) -> Operation[None]:
        """VipSendNotify: call the function, or coroutine, once with the next send."""

class Nic:
    """An opened NIC."""

    @property
    def limits(self) -> dict[str, Any]:
        """What VipQueryNic returned."""
    def create_tag(self) -> Operation[ProtectionTag]:
        """VipCreatePtag.

        Raises:
            ViplError: ERROR_RESOURCE if the card has no more.
        """
    def register(
        self,
        memory: Bytes,
        *,
        tag: ProtectionTag | None = None,
        rdma_write: bool = False,
        rdma_read: bool = False,
    ) -> Operation[Region]:
        """VipRegisterMem of any writable buffer: nothing is copied.

        Args:
            memory: the buffer; the cost grows with the pages that it touches.
            tag: its protection tag; None: the default one, on products that have it.
            rdma_write: other processes may write it.
            rdma_read: other processes may read it.

        Raises:
            ViplError: ERROR_RESOURCE if the card's table is full, INVALID_PTAG, or
                INVALID_RDMAREAD if the product has none.
        """
    def deregister(self, region: Region) -> Operation[None]:
        """VipDeregisterMem: the bytes may move again.

        Raises:
            ViplError: INVALID_PARAMETER if it is not registered.
        """
    def create_cq(self, entries: int) -> Operation[CompletionQueue]:
        """VipCreateCQ.

        Args:
            entries: completions that it holds.

        Raises:
            ViplError: ERROR_RESOURCE beyond the limits of the card.
        """
    def create_vi(
        self,
        *,
        tag: ProtectionTag | None = None,
        send_cq: CompletionQueue | None = None,
        recv_cq: CompletionQueue | None = None,
        reliability: int = 2,
        max_transfer: int | None = None,
        rdma_write: bool = False,
        rdma_read: bool = False,
        descriptors: int = 64,
        segments: int = 2,
    ) -> Operation[Vi]:
        """VipRegisterMem of the descriptors, then VipCreateVi.

        Args:
            tag: its protection tag; None: the default one, on products that have it.
            send_cq, recv_cq: where its queues complete; None: each by itself.
            reliability: 1: unreliable; 2: reliable delivery; 4: reliable reception.
            max_transfer: bytes of the longest message; None: what the card can.
            rdma_write, rdma_read: whether the other side may.
            descriptors: how many may be posted at a time, 1 to 65,536.
            segments: pieces of memory in one descriptor, 1 to 255; RDMA takes one for the other
                end.

        Raises:
            ViplError: INVALID_RELIABILITY_LEVEL, INVALID_MTU, INVALID_RDMAREAD, INVALID_PTAG, or
                ERROR_RESOURCE if the card has no more VIs.
            ValueError: descriptors or segments out of range.
        """
    def listen(
        self, discriminator: bytes | str, timeout: int | None = None
    ) -> Operation[Connection]:
        """VipConnectWait: return the first request for this discriminator.

        Args:
            discriminator: to 16 bytes on most products.
            timeout: milliseconds, from 0; None: no limit.

        Raises:
            ViplError: TIMEOUT.
        """
    def close(self) -> Operation[None]:
        """VipCloseNic.

        Raises:
            ViplError: ERROR_RESOURCE while a tag, region, CQ or VI of it is left.
        """

class Socket:
    """A socket of a process, over the simulated kernel and wire: the calls that C programs make.

    A host is "n3", "c3" on the control network, "localhost", an address such as "10.0.0.4", or a
    node's number. Errors are OSErrors, as those of Python's own sockets: ConnectionRefusedError,
    BrokenPipeError, TimeoutError.
    """

    @property
    def local(self) -> tuple[str, int]:
        """Address and port of this end.

        Raises:
            OSError: it is closed.
        """
    @property
    def peer(self) -> tuple[str, int]:
        """Address and port of the other end.

        Raises:
            OSError: it is closed or not connected.
        """
    def bind(self, port: int, host: str | int | None = None) -> Operation[None]:
        """Give it a port; 0: any.

        Args:
            port: 0 to 65535.
            host: its own address; None: all addresses of the node.

        Raises:
            OSError: another socket has the port, or the node has no such address.
        """
    def listen(self, backlog: int = 128) -> Operation[None]:
        """Take connections, of which so many may wait for accept().

        Raises:
            OSError: it is connected, or is a socket for datagrams.
        """
    def accept(self) -> Operation[tuple[Socket, tuple[str, int]]]:
        """Wait for a connection.

        Returns:
            Its socket, and address and port of its other end.

        Raises:
            OSError: it does not listen.
            TimeoutError: see set_timeout().
        """
    def connect(self, host: str | int, port: int) -> Operation[None]:
        """Connect to a listening socket; a socket for datagrams sends there from now on.

        Raises:
            OSError: nobody listens there, or the host does not answer for minutes.
            ValueError: there is no such host.
        """
    def send(self, data: bytes | Bytes) -> Operation[int]:
        """Send bytes, and wait until the kernel has taken them.

        Returns:
            How many it has taken; all, unless the connection failed or the time was up.

        Raises:
            OSError: the connection has ended, or there is none.
        """
    def sendto(self, data: bytes | Bytes, host: str | int, port: int) -> Operation[int]:
        """Send a datagram of up to 65,507 bytes.

        Raises:
            OSError: it is too long.
            ValueError: there is no such host.
        """
    def recv(self, most: int, all: bool = False) -> Operation[bytes]:
        """Wait for bytes, or for a datagram, which is cut if it is longer.

        Args:
            most: the most to return, up to 16 MiB.
            all: wait for so many.

        Returns:
            The bytes; none if the other end has closed.

        Raises:
            OSError: the connection has failed, or there is none.
            TimeoutError: see set_timeout().
        """
    def recvfrom(self, most: int) -> Operation[tuple[bytes, tuple[str, int]]]:
        """As recv(), and tell where the bytes come from."""
    def shutdown(self) -> Operation[None]:
        """Send no more: the other end reads the end, and may still send."""
    def set_timeout(self, time: str | int | None) -> None:
        """Limit the time of each call, such as "5ms" or picoseconds; None: no limit."""
    def close(self) -> Operation[None]:
        """Close it. The end of the process does so, too."""

class Process:
    """A simulated process written in Python; its function gets this object."""

    @property
    def rank(self) -> int:
        """Its number among the processes of the run."""
    @property
    def size(self) -> int:
        """Number of processes of the run."""
    @property
    def node(self) -> int:
        """The number of its node."""
    @property
    def host(self) -> str:
        """The name of the node: "n3"."""
    @property
    def now(self) -> int:
        """Its clock in picoseconds; reading it costs no simulated time."""
    @property
    def alive(self) -> bool:
        """Whether it still runs."""
    def compute(self, work: int | str) -> Operation[None]:
        """Keep the CPU busy for a number of cycles, or for a time such as "5us"."""
    def sleep(self, duration: int | str) -> Operation[None]:
        """Sleep for a number of picoseconds, or a time such as "5us"."""
    def clock(self) -> Operation[int]:
        """Ask the operating system for the time in picoseconds; this call costs time."""
    def allocate(self, bytes: int) -> memoryview:
        """Return zeroed memory that starts at a page boundary, at the same address in every run."""
    def socket(self, kind: str = "tcp") -> Operation[Socket]:
        """Make a socket, see the page "Sockets".

        Args:
            kind: "tcp" or "udp".
        """
    def open_nic(self, name: str = "nic0") -> Operation[Nic]:
        """VipOpenNic and VipQueryNic.

        Args:
            name: "nic0" is the node's card, "nic1" that on its second rail. A node with one card
                has it under every number, as programs name that of another machine.

        Raises:
            ViplError: INVALID_PARAMETER if there is no such card.
        """

class Protocol:
    """The C++ part of via.Protocol."""

    def __init__(self) -> None: ...
    @property
    def rank(self) -> int:
        """The number of this process, from 0."""
    @property
    def size(self) -> int:
        """The number of processes."""
    @property
    def rounds(self) -> int:
        """How many rounds to run."""
    @property
    def now(self) -> int:
        """Simulated time in picoseconds; reading it costs nothing."""
    def send(self, to: int, data: bytes | Bytes) -> None:
        """Send up to message_bytes, padded with zeros, at the next await.

        Raises:
            ValueError: targets() does not name the rank, the data are too long, or more messages
                are on their way than a `bounded` protocol may have.
        """
    def recv(
        self, source: int | None = None, timeout: int | str | None = None
    ) -> Operation[tuple[int, bytes]]:
        """Wait for a message; awaiting returns (rank, bytes).

        Args:
            source: the rank whose message to wait for; None: any.
            timeout: picoseconds, or a time such as "1ms", after which the result is None.
        """
    def sleep(self, duration: int | str) -> Operation[None]:
        """Wait for a number of picoseconds, or a time such as "5us"."""
    def enter(self, round: int) -> None:
        """Mark that this process begins a round."""
    def leave(self, round: int) -> None:
        """Mark that this process ends a round."""
    def note(self, event: str, key: int, value: int = 0) -> None:
        """Add a row to run.decisions; event is "propose", "vote", "decide", "deliver", ..."""
    def random(self, what: int) -> int:
        """Return a number that depends only on the seed, the rank and `what`."""
    def _spawn(self, coroutine: Coroutine[Any, Any, None]) -> int:
        """Start a task of this process; return its number."""
    def _cancel(self, number: int) -> BaseException | None:
        """End a task; return what its `finally` blocks raised."""
    def _wake(self, number: int) -> None:
        """Let a parked task go on."""
    def _park(self) -> Operation[None]:
        """Wait until the task is woken."""
    @property
    def _current(self) -> int:
        """The number of the running task."""
