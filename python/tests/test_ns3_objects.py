# SPDX-License-Identifier: GPL-2.0-only
"""The objects of ns-3 behind a run: attributes by name, trace sources as Python callbacks."""

import gc

import pytest
import via
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=20),
    st.binary(max_size=8),
    st.sampled_from(["5us", "100Mbps", "64p", "64KiB", "-1p", "1e99ns", "true", "nan", "0x10"]),
    st.lists(st.integers(), max_size=2),
)


def looked(nodes=2, run=("ping-pong", {"rounds": 2}), **options):
    """A decorator that runs a function with the objects of a small cluster; it gives the run."""

    def decorate(function):
        cluster = via.Cluster(nodes=nodes, **options)
        cluster.ns3(function)
        return cluster.run(run[0], **run[1])

    return decorate


def test_nodes_and_nics_are_there_by_number():
    names = []

    @looked(nodes=3, run=("barrier", {"rounds": 1}))
    def look(ns3):
        names.extend(
            (node["Id"], node.nic["HostName"], node.nic["HostIndex"]) for node in ns3.nodes
        )

    assert names == [(0, "n0", 0), (1, "n1", 1), (2, "n2", 2)]


def test_looking_changes_nothing():
    @looked(run=("ping-pong", {"rounds": 5}))
    def watched(ns3):
        ns3.nodes[0].nic.connect("MessageEnd", lambda message: None)

    assert watched.digest == via.Cluster(nodes=2).run("ping-pong", rounds=5).digest
    assert watched.provenance["ns3"] == ["test_looking_changes_nothing.<locals>.watched"]


def test_what_a_nic_does_is_shown_and_changes_nothing():
    seen = {"Doorbell": [], "Queue": [], "Completion": [], "Credits": []}

    @looked(run=("ping-pong", {"rounds": 5, "size": 4}))
    def watched(ns3):
        for name, found in seen.items():
            ns3.nodes[0].nic.connect(name, lambda *told, found=found: found.append(told))

    sends = [told for told in seen["Completion"] if not told[1]]
    assert len(sends) >= 5 and all(told[3] == 4 for told in sends)
    assert [told[2] for told in seen["Queue"] if not told[1]][-1] == 0
    assert len(seen["Doorbell"]) >= 10 and min(told[0] for told in seen["Credits"]) >= 1
    assert watched.digest == via.Cluster(nodes=2).run("ping-pong", rounds=5, size=4).digest


def test_messages_are_shown_as_they_end():
    seen = []

    @looked(nodes=4, run=("barrier", {"rounds": 2}))
    def watched(ns3):
        for node in ns3.nodes:
            node.nic.connect("MessageEnd", seen.append)

    table = watched.messages.sort_values(["end_ps", "src_rank", "dst_rank"])
    columns = ["src_rank", "dst_rank", "vi", "seq", "op", "bytes", "dropped", "posted_ps", "end_ps"]
    rows = sorted(
        (tuple(getattr(each, name) for name in columns) for each in seen),
        key=lambda row: (row[-1], row[0], row[1]),
    )
    assert rows == [tuple(row) for row in table[columns].itertuples(index=False)]


def test_processes_of_python_are_watched_too():
    ends = []
    cluster = via.Cluster(nodes=2)

    @cluster.ns3
    def watch(ns3):
        nic = ns3.nodes[1].nic
        nic.connect("MessageEnd", lambda message: ends.append((message.bytes, nic["ViCount"])))

    @cluster.process([0, 1])
    async def talk(p):
        nic = await p.open_nic()
        memory = p.allocate(64)
        await nic.register(memory)
        vi = await nic.create_vi()
        await vi.post_recv(memory)
        await vi.connect_peer(1 - p.rank, "x")
        if p.rank == 0:
            await vi.send(memory[:7])
        else:
            await vi.recv()

    cluster.run()
    assert ends == [(7, 1)]
    cluster.clear()
    assert "ns3" not in cluster.run("ping-pong", rounds=1).provenance
    assert len(ends) == 1


def test_attributes_are_read_and_written_with_units():
    @looked(kernel="linux-2.2")
    def check(ns3):
        first, second = ns3.add_ip_devices()
        assert ns3.nodes[0].devices == [first] and first != second
        assert first["Mtu"] == 1500 and first["Arp"] is True
        first["Mtu"] = 1400
        first["Arp"] = False
        first["TxQueue"]["MaxSize"] = "64KiB"
        assert (first["Mtu"], first["Arp"], second["Mtu"]) == (1400, False, 1500)
        assert first["TxQueue"]["MaxSize"] == "65536B"
        second["TxQueue"] = first["TxQueue"]
        assert second["TxQueue"] == first["TxQueue"]
        mtu = first.attributes["Mtu"]
        assert (mtu.kind, mtu.readable, mtu.writable) == ("Uinteger", True, True)
        assert "68" in mtu.allowed and "bytes" in mtu.help
        assert {"MacTx", "PhyRxDrop"} <= set(first.trace_sources)
        assert first["TxQueue"].trace_sources["PacketsInQueue"].connectable


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    [
        (
            lambda nic, device: nic["Mtu"],
            AttributeError,
            "Object has no attribute 'Mtu'.*ViC",
        ),
        (lambda nic, device: device["Mtv"], AttributeError, "did you mean Mtu"),
        (lambda nic, device: device.set("Mtu", 67), via.ConfigError, "Mtu = 67: uint16_t 68:65535"),
        (lambda nic, device: device.set("Mtu", -1), via.ConfigError, "Mtu = -1: uint16_t"),
        (lambda nic, device: device.set("Mtu", "9k"), via.ConfigError, "Mtu = '9k': uint16_t"),
        (lambda nic, device: device.set("Arp", 1), via.ConfigError, "Arp = 1: bool"),
        (
            lambda nic, device: device.set("TxQueue", nic),
            via.ConfigError,
            "TxQueue = <ns3::",
        ),
        (lambda nic, device: nic.set("ViCount", 3), AttributeError, "ViCount cannot be written"),
        (lambda nic, device: device.set("Address", "x"), AttributeError, "cannot be written"),
        (
            lambda nic, device: device["TxQueue"].set("MaxSize", "many"),
            via.ConfigError,
            "MaxSize = 'many': packets or bytes are needed, such as \"100p\"",
        ),
        (
            lambda nic, device: nic.connect("End", print),
            AttributeError,
            "trace source 'End'.*Messag",
        ),
        (lambda nic, device: nic.connect("MessageEnd", 5), via.ConfigError, "a callable is needed"),
    ],
)
def test_mistakes_are_refused_with_what_is_allowed(wrong, error, text):
    def check(ns3):
        wrong(ns3.nodes[0].nic, ns3.add_ip_devices()[0])

    with pytest.raises(error, match=text):
        looked(kernel="linux-2.2")(check)


@pytest.mark.parametrize(
    ("path", "count"), [("/NodeList/*", 3), ("/NodeList/[1-2]", 2), ("/NodeList/7", 0),
                        ("/NodeList/1/$ns3::via::ViaNicObject", 1), ("/Nowhere/0", 0)],
)  # fmt: skip
def test_paths_of_ns3_find_objects(path, count):
    found = []
    looked(nodes=3, run=("barrier", {"rounds": 1}))(lambda ns3: found.extend(ns3.find(path)))
    assert len(found) == count


@pytest.mark.parametrize("path", ["", "NodeList", "/NodeList/0/$ns3::Nothing", "/$"])
def test_bad_paths_are_refused(path):
    with pytest.raises(via.ConfigError, match="path = "):
        looked()(lambda ns3: ns3.find(path))


def test_what_a_callback_raises_ends_the_run():
    calls = []

    def fail(message):
        calls.append(message)
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough") as raised:
        looked(run=("ping-pong", {"rounds": 100}))(
            lambda ns3: ns3.nodes[1].nic.connect("MessageEnd", fail)
        )
    assert len(calls) == 1
    assert raised.traceback[-1].name == "fail"
    assert via.Cluster(nodes=2).run("ping-pong", rounds=1).exit == 0


def test_a_callback_cannot_run_another_simulation():
    def nested(message):
        via.Cluster(nodes=2).run("ping-pong", rounds=1)

    with pytest.raises(via.ConfigError, match="one simulation ends before the next"):
        looked()(lambda ns3: ns3.nodes[0].nic.connect("MessageEnd", nested))


def test_what_the_function_itself_raises_ends_the_run_before_it_begins():
    def fail(ns3):
        raise LookupError("not today")

    with pytest.raises(LookupError, match="not today"):
        looked()(fail)
    with pytest.raises(via.ConfigError, match="a function is needed"):
        via.Cluster().ns3("watch")


def test_objects_of_a_run_that_is_over_refuse():
    kept = []
    looked()(lambda ns3: kept.extend([ns3, ns3.nodes[0], ns3.nodes[0].nic]))
    ns3, node, nic = kept
    for late in (
        lambda: node["Id"],
        lambda: node.nic,
        lambda: nic.connect("MessageEnd", print),
        lambda: nic.attributes,
        lambda: ns3.find("/NodeList/0"),
        lambda: ns3.add_ip_devices(),
    ):
        with pytest.raises(ValueError, match=r"has ended|is closed"):
            late()
    assert repr(nic) == "<ns3::via::ViaNicObject>"
    kept.clear()
    gc.collect()


def test_functions_are_let_go_when_the_run_ends():
    class Counter:
        def __call__(self, message):
            pass

    looked()(lambda ns3: ns3.nodes[0].nic.connect("MessageEnd", Counter()))
    gc.collect()
    assert not [each for each in gc.get_objects() if isinstance(each, Counter)]


@pytest.mark.ci
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_no_name_and_no_value_crashes(data):
    def fuzz(ns3):
        devices = ns3.add_ip_devices()
        for _ in range(30):
            one = data.draw(
                st.sampled_from([*ns3.nodes, ns3.nodes[0].nic, *devices, devices[0]["TxQueue"]])
            )
            name = data.draw(st.one_of(st.sampled_from(list(one)), st.text(max_size=8)))
            value = data.draw(st.one_of(ODD, st.sampled_from([*devices, one])))
            for call in (
                lambda one=one, name=name: one.get(name),
                lambda one=one, name=name, value=value: one.set(name, value),
                lambda one=one, name=name, value=value: one.connect(name, value),
                lambda value=value: ns3.find(f"/NodeList/{value}"),
                lambda name=name: ns3.find(name),
            ):
                try:
                    call()
                except (via.ConfigError, AttributeError, ValueError):
                    continue

    looked(kernel="linux-2.2", run=("ping-pong", {"rounds": 1}))(fuzz)


@pytest.mark.parametrize("stop", (None, "5ms"))
@pytest.mark.parametrize("kind", ("tcp", "udp"))
def test_processes_whose_sockets_are_open_at_the_end_are_watched(kind, stop):
    async def waits(p):
        socket = await p.socket(kind)
        await socket.bind(5000)
        if kind == "tcp":
            await socket.listen()
            socket, _ = await socket.accept()
        await socket.recv(10)

    async def asks(p):
        socket = await p.socket(kind)
        await socket.connect("n0", 5000)
        await socket.recv(10)

    cluster = via.Cluster(nodes=2)
    cluster.ns3(lambda _: None)
    cluster.process(0)(waits)
    cluster.process(1, start="1ms")(asks)
    assert cluster.run(check=False, stop=stop).exit == 3
    assert cluster.run(check=False, stop=stop).exit == 3  # the first left nothing behind
