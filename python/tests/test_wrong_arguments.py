# SPDX-License-Identifier: GPL-2.0-only
"""Any value for any argument: it is taken, or the error names the argument."""

import contextlib
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import via
from matplotlib.figure import Figure

VALUES = [
    None, True, -1, 0, 1.5, float("nan"), float("inf"), 2**70, -(2**70), "", "x", "\0", b"x", [],
    [None], {}, {"x": None}, {1: 2}, object(), np.int64(-1), np.float64(1.5), np.array([1, 2]), len,
]  # fmt: skip
RAW = ("incompatible", "Unable to cast", "argument types are supported", "C++")
ROUNDS = {"rounds": 1}


def attempt(call, argument, values=VALUES, also=()):
    """Call with each value for an argument; it may be taken, or refused by name."""
    wrong = []
    for value in values:
        try:
            call(**{argument: value})
        except via.RunError:
            continue  # it was taken
        except (via.ViaError, TypeError, ValueError) as error:
            text = str(error)
            if any(raw in text for raw in RAW) or not any(
                name in text.replace("-", "_") for name in (argument, *also)
            ):
                wrong.append(f"{value!r}: {type(error).__name__}: {text}")
        except Exception as error:
            wrong.append(f"{value!r}: {type(error).__name__}: {error}")
    assert not wrong, "\n".join(wrong)


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Files that a wrong value names are made here."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VIA_SWEEP_CACHE", "none")


@pytest.fixture(scope="module")
def run():
    return via.Cluster(nodes=2).run("ping-pong", rounds=2)


@pytest.mark.parametrize(
    "argument",
    ["topology", "nodes", "rails", "profile", "host", "kernel", "node_profiles", "seed", "faults",
     "overrides"],
)  # fmt: skip
def test_a_cluster(argument):
    attempt(via.Cluster, argument, also=["no such key"])


@pytest.mark.parametrize(
    "argument",
    ["workload", "patience", "stop", "pcap", "snaplen", "mpi_ranks", "mpi_engine",
     "partition_of_switch", "size", "rounds"],
)  # fmt: skip
def test_a_workload(argument):
    cluster = via.Cluster(nodes=2)
    attempt(lambda **one: cluster.run(**({"workload": "ping-pong"} | ROUNDS | one)), argument)


@pytest.mark.parametrize(
    "argument",
    ["program", "args", "procs_per_node", "env", "cwd", "stdin", "stop", "patience", "pcap",
     "snaplen"],
)  # fmt: skip
def test_a_program(argument, leaves):
    cluster = via.Cluster(nodes=1)
    given = {"program": leaves, "check": False}
    attempt(lambda **one: cluster.run_program(**(given | one)), argument)


@pytest.mark.parametrize("argument", ["node", "program", "args", "env", "cwd", "stdin", "start"])
def test_a_process_of_a_program(argument, leaves):
    cluster = via.Cluster(nodes=1)

    def spawn(**one):
        cluster.spawn(**({"node": 0, "program": leaves} | one))
        cluster.run(check=False)

    attempt(spawn, argument, also=["process"])


@pytest.mark.parametrize("argument", ["nodes", "start", "stop"])
def test_a_process_in_python(argument):
    async def waits(process):
        await process.sleep("1us")

    cluster = via.Cluster(nodes=1)
    attempt(lambda **one: cluster.process(**({"nodes": 0} | one))(waits), argument)


@pytest.mark.parametrize("value", ["no", "False", 0, 1, None, [], np.int64(1), np.array([True])])
def test_an_option_that_is_true_or_false_takes_nothing_else(value, leaves):
    cluster = via.Cluster(nodes=2)
    cluster.start("barrier", rounds=1)
    calls = {
        "allow_plug_in reference payload_digest record control_network low_memory": via.Cluster,
        "check": cluster.finish,
        "check ": lambda check: cluster.run("barrier", rounds=1, check=check),
        "check capture prefix": lambda **one: cluster.run_program(leaves, **one),
        "prefix": lambda prefix: cluster.spawn(0, leaves, prefix=prefix),
        "slotted reference": via.traffic,
        "linear": lambda linear: via.uncertainty("ping-pong", linear=linear),
        "allow_plug_in": lambda allow_plug_in: via.sweep(
            "barrier", {"nodes": 2}, allow_plug_in=allow_plug_in
        ),
    }
    for arguments, call in calls.items():
        for argument in arguments.split():
            with pytest.raises(via.ConfigError, match=f"^{argument} = .*: True or False is needed"):
                call(**{argument: value})
    cluster.step("1s")
    cluster.finish()


def test_true_and_false_of_numpy_are_taken():
    cluster = via.Cluster(nodes=2, record=np.bool_(False), reference=np.True_)
    assert cluster.run("ping-pong", **ROUNDS, check=np.False_).table("messages") is None


FAULTS = {
    "loss": ("where", "corrupt_ppb", "vanish_ppb", "bit_errors", "at", "until"),
    "link_down": ("where", "at", "until"),
    "switch_down": ("where", "at", "until"),
    "nic_reset": ("where", "at", "until"),
    "node_crash": ("where", "at", "until", "restart"),
    "slow_node": ("where", "factor", "at", "until"),
    "partition": ("sets", "at", "until"),
    "storm": ("kind", "where", "per_second", "least", "most", "at", "until"),
}
USUAL = {
    "loss": {"corrupt_ppb": 1},
    "link_down": {"where": "n0"},
    "switch_down": {"where": "s0"},
    "nic_reset": {"where": "n0", "at": "1us", "until": "2us"},
    "node_crash": {"where": "n0", "until": "1ms"},
    "slow_node": {"where": "n0", "factor": 2},
    "partition": {"sets": [["n0"], ["n1"]]},
    "storm": {"kind": "link_down", "per_second": 1, "least": "1us", "most": "2us", "until": "1ms"},
}


@pytest.mark.parametrize(
    ("kind", "argument"), [(kind, each) for kind, names in FAULTS.items() for each in names]
)
def test_a_fault(kind, argument):
    def plan(**one):
        return via.Cluster(faults=getattr(via.Faults(), kind)(**(USUAL[kind] | one)))

    attempt(plan, argument)


TOPOLOGIES = {
    "star": {"nodes": 2, "profile": "ideal"},
    "crossbar": {"nodes": 2},
    "chain": {"switches": 2, "hosts": 1, "nodes": 2, "routing": "up-down"},
    "ring": {"switches": 3, "hosts": 1, "nodes": 2, "routing": "up-down"},
    "hypercube": {"dimensions": 2, "hosts": 1, "nodes": 2, "routing": "up-down"},
    "fat_tree": {"k": 2, "n": 2, "nodes": 2, "routing": "ecmp"},
    "clos": {"m": 2, "n": 2, "r": 2, "nodes": 2, "routing": "ecmp"},
    "dragonfly": {"a": 2, "p": 1, "h": 1, "g": 3, "nodes": 2, "routing": "up-down"},
    "parse": {"text": "star", "nodes": 2, "profile": "ideal"},
    "from_file": {"path": "x.csv", "nodes": 2, "routing": "up-down"},
    "with_rails": {"topology": via.topology.star(2), "rails": 2},
}


@pytest.mark.parametrize(
    ("family", "argument"), [(name, each) for name, given in TOPOLOGIES.items() for each in given]
)
def test_a_topology(family, argument):
    make = getattr(via.topology, family)
    Path("x.csv").write_text("a,b\nn0,s0\nn1,s0\n", "ascii")
    attempt(lambda **one: make(**(TOPOLOGIES[family] | one)), argument, also=["topology"])


@pytest.mark.parametrize("family", ["mesh", "torus"])
def test_a_size_of_a_grid(family):
    attempt(lambda sizes: getattr(via.topology, family)(2, sizes), "sizes")


@pytest.mark.parametrize("argument", ["graph", "hosts", "routing", "name"])
def test_a_graph(argument):
    nx = pytest.importorskip("networkx")
    given = {"graph": nx.path_graph(2), "hosts": 1}
    attempt(lambda **one: via.topology.from_networkx(**(given | one)), argument)


@pytest.mark.parametrize(
    ("method", "argument"),
    [("load", "name"), ("load", "host"), ("key", "name"), ("entries", "profile"),
     ("label", "profile"), ("mechanisms", "profile"), ("dma_rates", "host")],
)  # fmt: skip
def test_a_profile(method, argument):
    attempt(getattr(via.profiles, method), argument, also=["key", "profile", "name"])


@pytest.mark.parametrize(
    ("method", "argument", "given"),
    [
        ("with_value", "key", {"value": "1"}),
        ("with_value", "value", {"key": "nic.clock"}),
        ("with_values", "changes", {}),
        ("with_kernel", "kernel", {}),
    ],
)
def test_a_changed_profile(method, argument, given):
    change = getattr(via.profiles.load("ideal"), method)
    attempt(lambda **one: change(**(given | one)), argument, also=["profile ideal"])


@pytest.mark.parametrize(
    ("method", "argument"),
    [("latency_us", "quantile"), ("round_trip_us", "quantile"), ("percentiles", "percents"),
     ("table", "name"), ("breakdown", "message"), ("breakdown", "by"), ("timeline", "path"),
     ("save", "folder"), ("load", "folder")],
)  # fmt: skip
def test_results_of_a_run_name_a_wrong_argument(run, method, argument):
    attempt(getattr(run, method), argument)


@pytest.mark.parametrize(
    "argument",
    ["topology", "nodes", "profile", "pattern", "load", "hot_share", "packet_cells", "slots",
     "warm_up", "seed", "vanish", "overrides"],
)  # fmt: skip
def test_traffic_names_a_wrong_argument(argument):
    given = {"nodes": 2, "slots": 10, "warm_up": 0}
    attempt(lambda **one: via.traffic(**(given | one)), argument, also=["no such key"])


def twice(a):
    return 2 * a if isinstance(a, int) else 0


@pytest.mark.parametrize("argument", ["what", "grid", "jobs", "seed", "cache", "client", "out"])
def test_a_sweep(argument):
    values = [value for value in VALUES if value is not len]  # it takes no argument a
    given = {"what": twice, "grid": {"a": [1]}, "jobs": 1, "cache": None, "progress": False}
    attempt(lambda **one: via.sweep(**(given | one)), argument, values, ["workload"])


CHARTS = {
    "latency": ("rows", "y", "by", "published"),
    "bandwidth": ("rows", "y", "by", "published", "limit"),
    "scaling": ("rows", "x", "y", "high", "by"),
    "cdf": ("times_ps",),
}


@pytest.mark.parametrize(
    ("kind", "argument"), [(kind, each) for kind, names in CHARTS.items() for each in names]
)
def test_a_chart(kind, argument):
    rows = pd.DataFrame({"size_bytes": [4, 8], "nodes": [2, 4], "mb_s": [1.0, 2.0],
                         "latency_us": [1.0, 2.0], "latency_p99_us": [1.0, 2.0]})  # fmt: skip
    panel = Figure().subplots()
    given = {"times_ps": {"a": [1, 2]}} if kind == "cdf" else {"rows": rows}
    call = getattr(via.charts, kind)
    attempt(lambda **one: call(panel, **(given | one)), argument, also=["needs a column"])


@pytest.mark.parametrize("argument", ["path", "panels"])
def test_a_figure(argument):
    def draw(**one):
        with via.charts.figure(**({"path": "x.svg"} | one)) as panel:
            del panel

    attempt(draw, argument)


def in_a_process(steps):
    """Run something in a simulated process that has a NIC, a VI, a queue and memory."""
    cluster = via.Cluster(nodes=1, profile="ideal", record=False)

    @cluster.process(0)
    async def main(process):
        nic = await process.open_nic()
        tag = await nic.create_tag()
        memory = process.allocate(64)
        region = await nic.register(memory, tag=tag)
        cq = await nic.create_cq(4)
        vi = await nic.create_vi(tag=tag)
        there = {"process": process, "nic": nic, "cq": cq, "vi": vi}
        await steps(there, {"data": memory, "region": region})

    return cluster.run(check=False)


CALLS = {
    "process.compute": {"work": 1},
    "process.sleep": {"duration": 1},
    "process.allocate": {"bytes": 1},
    "process.open_nic": {"name": "nic0"},
    "nic.register": {"memory": bytearray(8), "tag": None},
    "nic.deregister": {"region": None},
    "nic.create_cq": {"entries": 1},
    "nic.create_vi": {"tag": None, "send_cq": None, "recv_cq": None, "reliability": 0,
                      "max_transfer": 64, "descriptors": 1, "segments": 1},
    "nic.listen": {"discriminator": b"x", "timeout": 0},
    "vi.connect": {"node": 0, "discriminator": b"x", "timeout": 0},
    "vi.connect_peer": {"node": 0, "discriminator": b"x", "timeout": 0},
    "vi.post_recv": {"data": None},
    "vi.post_send": {"data": None, "immediate": None},
    "vi.recv": {"timeout": 0},
    "cq.wait": {"timeout": 0},
}  # fmt: skip


@pytest.mark.parametrize(
    ("call", "argument"), [(call, each) for call, given in CALLS.items() for each in given]
)
def test_a_call_of_a_process(call, argument):
    owner, _, method = call.partition(".")

    async def steps(there, usual):
        bound = getattr(there[owner], method)
        given = CALLS[call] | {name: usual[name] for name in CALLS[call] if name in usual}
        pending = []
        attempt(
            lambda **one: pending.append(bound(**(given | one))), argument, also=["these bytes"]
        )
        for operation in pending:
            if method != "allocate":
                with contextlib.suppress(via.ViplError):
                    await operation

    run = in_a_process(steps)
    for error in run.errors.values():
        raise error


PROTOCOL = {
    "send": {"to": 1, "data": b"x"},
    "recv": {"source": 1, "timeout": "1us"},
    "sleep": {"duration": "1us"},
    "note": {"event": "decide", "key": 1, "value": 1},
}


@pytest.mark.parametrize(
    ("call", "argument"), [(call, each) for call, given in PROTOCOL.items() for each in given]
)
def test_a_call_of_a_protocol(call, argument):
    class Wrong(via.Protocol):
        async def run(self):
            if self.rank == 0:
                bound = getattr(self, call)
                there = ["is not a peer", "message of this protocol"]

                def play(**one):
                    made = bound(**(PROTOCOL[call] | one))
                    if hasattr(made, "close"):
                        made.close()  # it is not awaited

                attempt(play, argument, also=there)

    run = via.Cluster(nodes=2, profile="ideal", record=False).run(Wrong, rounds=1, check=False)
    for error in run.errors.values():
        raise error


@pytest.mark.parametrize("argument", ["window", "message_bytes", "span"])
def test_what_a_protocol_is(argument):
    def play(**one):
        kind = type("Own", (via.Protocol,), {**one, "run": lambda self: iter(())})
        via.Cluster(nodes=2, profile="ideal", record=False).run(kind, rounds=1, check=False)

    attempt(play, argument)


def test_whole_numbers_of_numpy_are_whole_numbers():
    cluster = via.Cluster(nodes=np.int64(2), seed=np.uint32(3), rails=np.int8(1))
    run = cluster.run("ping-pong", size=np.int16(4), rounds=np.int64(2), stop=np.int64(10**12))
    assert run.digest == via.Cluster(seed=3).run("ping-pong", size=4, rounds=2).digest
    assert via.topology.torus(np.int64(2), np.int64(2)).hosts == 4
    assert via.Cluster(faults=via.Faults().loss(corrupt_ppb=np.int64(1), at=np.int64(5)))


def test_nothing_was_written_beside(tmp_path):
    assert list(Path(tmp_path).iterdir()) == [] and os.getcwd() == str(tmp_path)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"limit_ms": 0}, "^barrier limit_ms = 0: "),
        ({"process_faults": "x"}, "^process_faults = x: "),
        ({"limit": 0}, "one of limit_ms, process_faults, .*did you mean limit_ms"),
    ],
)
def test_a_parameter_is_called_as_in_python(given, says):
    with pytest.raises(via.ConfigError, match=says):
        via.Cluster(nodes=2).run("barrier", **given)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda p: p.sleep(-1), "duration = -1: 0 to "),
        (lambda p: p.sleep("27 d"), "duration = 27 d: a number and a unit are needed"),
        (lambda p: p.sleep("2400000 s"), "duration = '2400000 s': it must be 0 or more, and end"),
        (lambda p: p.sleep(None), "duration = None: a whole number is needed"),
        (lambda p: p.compute(2**63), f"work = {2**63}: 0 to 1099511627776 are possible"),
        (lambda p: p.compute(1.5), "work = 1.5: a whole number is needed"),
        (lambda p: p.allocate(0), "bytes = 0: 1 to 4294967296 are possible"),
        (lambda p: p.allocate(-1), "bytes = -1: 1 to 4294967296 are possible"),
        (lambda p: p.allocate("a"), "bytes = 'a': a whole number is needed"),
    ],
)
def test_errors_of_calls_of_a_process_name_argument_value_and_limit(call, says):
    cluster = via.Cluster(nodes=1)

    @cluster.process(0)
    async def work(p):
        with pytest.raises((ValueError, TypeError)) as refused:
            call(p)
        assert str(refused.value).startswith(says)

    cluster.run()


@pytest.mark.parametrize(
    ("immediate", "says"),
    [
        (2**32, "immediate = 4294967296: out of range; it is too large"),
        (-1, "immediate = -1: out of range; it must not be negative"),
        ("a", "immediate = 'a': a whole number is needed"),
    ],
)
def test_what_no_immediate_value_can_be_is_said(immediate, says):
    cluster = via.Cluster(nodes=1)

    @cluster.process(0)
    async def send(p):
        nic = await p.open_nic()
        vi = await nic.create_vi()
        memory = p.allocate(64)
        await nic.register(memory)
        await vi.post_send(memory[:8], immediate=immediate)

    with pytest.raises(via.ProcessFailed, match=says):
        cluster.run()
