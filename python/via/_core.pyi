"""The compiled module: the facade of the simulator as it is."""

from collections.abc import Callable, Generator, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Result = TypeVar("Result", covariant=True)

Column: TypeAlias = NDArray[Any] | tuple[NDArray[np.int32], list[str]]

def build() -> dict[str, str]: ...
def types() -> list[dict[str, Any]]: ...
def global_values() -> list[dict[str, str]]: ...

class ProfileEntry:
    @property
    def key(self) -> str: ...
    @property
    def value(self) -> str: ...
    @property
    def unit(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def trust(self) -> str: ...
    @property
    def file(self) -> str: ...
    @property
    def line(self) -> int: ...

class Profile:
    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def sketch(self) -> str: ...
    @property
    def host(self) -> str: ...
    @property
    def kernel(self) -> str: ...
    @property
    def fingerprint(self) -> str: ...
    @property
    def entries(self) -> list[ProfileEntry]: ...
    def with_value(self, key: str, value: str) -> Profile: ...
    def with_values(self, changes: dict[str, str]) -> Profile: ...
    def with_kernel(self, kernel: str = "") -> Profile: ...

class ProfileKey:
    @property
    def key(self) -> str: ...
    @property
    def meaning(self) -> str: ...
    @property
    def allowed(self) -> str: ...
    @property
    def only_if(self) -> str: ...
    @property
    def is_kernels(self) -> bool: ...

def profile_key(name: str) -> ProfileKey: ...
def profile_keys() -> list[str]: ...
def load_profile(name_or_path: str, host: str) -> Profile: ...
def profile_names() -> list[str]: ...
def profile_folder() -> str: ...

class Topology:
    @property
    def name(self) -> str: ...
    @property
    def family(self) -> str: ...
    @property
    def routing(self) -> str: ...
    @property
    def hosts(self) -> int: ...
    @property
    def rails(self) -> int: ...
    @property
    def lanes(self) -> int: ...
    @property
    def bisection(self) -> int: ...
    @property
    def switch_ports(self) -> list[int]: ...
    @property
    def cables(self) -> list[tuple[str, str]]: ...
    @property
    def lengths_mm(self) -> list[int]: ...
    @property
    def places(self) -> list[list[int]]: ...
    def hops(self, source: int, destination: int) -> int: ...
    def hops_from(self, source: int) -> list[int]: ...
    def routes(self, switch: int) -> list[tuple[int, int, list[int]]]: ...
    def diameter(self) -> int: ...
    def cycle(self) -> list[str]: ...

def parse_topology(text: str, hosts: int, profile: Profile) -> Topology: ...
def with_rails(topology: Topology, rails: int) -> Topology: ...
def topology_from_graph(
    hosts: list[str],
    switches: list[str],
    edges: list[tuple[str, str, int, int, int]],
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
    record: bool
    stop_ps: int
    plan: FaultPlan
    pcap: str
    snaplen: int
    patience_ps: int
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

class Cluster:
    def __init__(self, config: ClusterConfig) -> None: ...
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
        span: str,
        parameters: dict[str, str],
    ) -> None: ...
    def run(self, interruptible: bool) -> RunReport: ...
    def returned(self) -> dict[int, Any]: ...
    def errors(self) -> dict[int, BaseException]: ...
    def messages(self) -> dict[str, Column]: ...
    def breakdown(self) -> dict[str, Column]: ...
    def spans(self) -> dict[str, Column]: ...
    def decisions(self) -> dict[str, Column]: ...
    def links(self) -> dict[str, Column]: ...
    def ports(self) -> dict[str, Column]: ...
    def cards(self) -> dict[str, Column]: ...
    def samples(self) -> NDArray[np.int64]: ...
    def close(self) -> None: ...

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

class Operation(Generic[Result]):
    """What a process awaits, or yields. It can be awaited once."""

    def __await__(self) -> Generator[Any, Any, Result]: ...

Bytes: TypeAlias = bytearray | memoryview | NDArray[Any]
"""Bytes of registered memory, by Python's buffer protocol."""

Pieces: TypeAlias = Bytes | Sequence[Bytes] | None
"""One piece of memory; several, which are gathered or scattered; or none."""

class Completion:
    """A descriptor that has come back."""

    @property
    def data(self) -> Any:
        """What was given to the post."""
    @property
    def length(self) -> int:
        """Bytes that were transferred."""
    @property
    def status(self) -> int:
        """Bits of VipStatus."""
    @property
    def immediate(self) -> int | None: ...
    @property
    def receive(self) -> bool: ...

class RemoteMemory:
    """Memory of another process, as RDMA names it: an address and a memory handle."""

    def __init__(self, address: int, handle: int, length: int) -> None: ...
    @property
    def address(self) -> int: ...
    @property
    def handle(self) -> int: ...
    @property
    def length(self) -> int: ...
    def at(self, offset: int, length: int) -> RemoteMemory:
        """Return a part of it."""

class ProtectionTag:
    """A VI reaches only regions that carry its tag."""

    def destroy(self) -> Operation[None]:
        """VipDestroyPtag."""

class Region:
    """Registered memory. Its bytes stay where they are until it is deregistered."""

    @property
    def memory(self) -> Any: ...
    @property
    def handle(self) -> int: ...
    @property
    def address(self) -> int: ...
    @property
    def length(self) -> int: ...
    @property
    def live(self) -> bool: ...
    @property
    def remote(self) -> RemoteMemory:
        """What another process needs for RDMA."""

class CompletionQueue:
    """Completions of several work queues."""

    def done(self) -> Operation[tuple[Vi, bool] | None]:
        """VipCQDone: the VI and whether it is its receive queue; None when there is nothing."""
    def wait(self, *, poll: bool = False, timeout: int | None = None) -> Operation[tuple[Vi, bool]]:
        """VipCQWait, at most timeout milliseconds; with poll, VipCQDone until something is."""
    def destroy(self) -> Operation[None]:
        """VipDestroyCQ."""

class Connection:
    """A request for a connection."""

    @property
    def node(self) -> int:
        """Who asks."""
    @property
    def discriminator(self) -> bytes:
        """The asker's own."""
    def accept(self, vi: Vi) -> Operation[None]:
        """VipConnectAccept."""
    def reject(self) -> Operation[None]:
        """VipConnectReject."""

class Vi:
    """A virtual interface, with registered descriptors of its own."""

    def connect(
        self, node: int, discriminator: bytes | str, timeout: int | None = None
    ) -> Operation[None]:
        """VipConnectRequest, to a process that listens on the node."""
    def connect_peer(
        self, node: int, discriminator: bytes | str, timeout: int | None = None
    ) -> Operation[None]:
        """VipConnectPeerRequest and VipConnectPeerWait: both sides call it."""
    def disconnect(self) -> Operation[None]:
        """VipDisconnect."""
    def query(self) -> Operation[str]:
        """VipQueryVi: "idle", "connected", "connect-pending" or "error"."""
    def destroy(self) -> Operation[None]:
        """VipDestroyVi, and VipDeregisterMem of its descriptors."""
    def post_send(self, data: Pieces, immediate: int | None = None) -> Operation[None]:
        """VipPostSend."""
    def post_recv(self, data: Pieces) -> Operation[None]:
        """VipPostRecv."""
    def post_rdma_write(
        self, data: Pieces, remote: RemoteMemory, immediate: int | None = None
    ) -> Operation[None]:
        """VipPostSend of an RDMA write."""
    def post_rdma_read(self, data: Pieces, remote: RemoteMemory) -> Operation[None]:
        """VipPostSend of an RDMA read."""
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
        """VipRecvWait, at most timeout milliseconds; with poll, VipRecvDone until it is done."""
    def sent(self, *, poll: bool = False, timeout: int | None = None) -> Operation[Completion]:
        """VipSendWait, at most timeout milliseconds; with poll, VipSendDone until it is done."""
    def recv_done(self) -> Operation[Completion | None]:
        """VipRecvDone: None when the oldest receive is not done."""
    def send_done(self) -> Operation[Completion | None]:
        """VipSendDone: None when the oldest send is not done."""

class Nic:
    """An opened NIC."""

    @property
    def limits(self) -> dict[str, Any]:
        """What VipQueryNic said."""
    def create_tag(self) -> Operation[ProtectionTag]:
        """VipCreatePtag."""
    def register(
        self,
        memory: Bytes,
        *,
        tag: ProtectionTag | None = None,
        rdma_write: bool = False,
        rdma_read: bool = False,
    ) -> Operation[Region]:
        """VipRegisterMem of anything whose bytes can be written: nothing is copied."""
    def deregister(self, region: Region) -> Operation[None]:
        """VipDeregisterMem."""
    def create_cq(self, entries: int) -> Operation[CompletionQueue]:
        """VipCreateCQ."""
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
        """VipRegisterMem of its descriptors, and VipCreateVi."""
    def listen(
        self, discriminator: bytes | str, timeout: int | None = None
    ) -> Operation[Connection]:
        """VipConnectWait."""
    def close(self) -> Operation[None]:
        """VipCloseNic."""

class Process:
    """A simulated process written in Python, as its function sees it."""

    @property
    def rank(self) -> int:
        """Its number among the processes of the run."""
    @property
    def size(self) -> int:
        """How many these are."""
    @property
    def node(self) -> int: ...
    @property
    def host(self) -> str:
        """The name of the node: "n3"."""
    @property
    def now(self) -> int:
        """Its clock in picoseconds; looking costs nothing."""
    @property
    def alive(self) -> bool: ...
    def compute(self, work: int | str) -> Operation[None]:
        """Keep the CPU busy for so many cycles, or for a time such as "5us"."""
    def sleep(self, duration: int | str) -> Operation[None]:
        """Sleep for picoseconds, or a time such as "5us"."""
    def clock(self) -> Operation[int]:
        """Ask the operating system for the time, which costs: picoseconds."""
    def allocate(self, bytes: int) -> memoryview:
        """Return zeroed memory that begins at a page."""
    def open_nic(self, name: str = "nic0") -> Operation[Nic]:
        """VipOpenNic and VipQueryNic."""

class Protocol:
    """The part in C++ of via.Protocol."""

    def __init__(self) -> None: ...
    @property
    def rank(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def rounds(self) -> int: ...
    @property
    def now(self) -> int: ...
    def send(self, to: int, data: bytes | Bytes) -> None: ...
    def recv(
        self, source: int | None = None, timeout: int | str | None = None
    ) -> Operation[tuple[int, bytes]]: ...
    def sleep(self, duration: int | str) -> Operation[None]: ...
    def enter(self, round: int) -> None: ...
    def leave(self, round: int) -> None: ...
    def note(self, event: str, key: int, value: int = 0) -> None: ...
    def random(self, what: int) -> int: ...
