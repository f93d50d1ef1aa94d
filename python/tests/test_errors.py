# SPDX-License-Identifier: GPL-2.0-only
"""What the package exports, and its errors as a tree."""

import inspect
import pickle
from concurrent.futures import ProcessPoolExecutor

import pytest
import via
from via.errors import refuse


def test_the_names_of_the_package_are_these():
    assert sorted(via.__all__) == [
        "Cluster", "Completion", "CompletionQueue", "ConfigError", "Connection", "Deadlock",
        "Faults", "Interval", "Latency", "Nic", "Process", "ProcessFailed", "Profile",
        "ProtectionTag",
        "Protocol", "Region", "RemoteMemory", "Run", "RunError", "Runs", "SweepWarning", "Topology",
        "Traffic", "Uncertainty", "Vi", "ViaError", "Vip", "VipStatus", "ViplError", "about",
        "charts", "interval", "intervals", "plot_topology", "profiles", "programs", "save_figure",
        "sweep", "topology", "traffic", "uncertainty", "workloads",
    ]  # fmt: skip
    assert all(hasattr(via, name) for name in via.__all__)


def test_one_except_clause_catches_all_errors():
    assert issubclass(via.ConfigError, via.ViaError)
    assert issubclass(via.ProcessFailed, via.RunError)
    assert issubclass(via.Deadlock, via.RunError)
    assert issubclass(via.RunError, via.ViaError)


def test_a_config_error_is_a_value_error():
    assert issubclass(via.ConfigError, ValueError)


def test_a_refusal_names_option_value_and_limit():
    assert str(refuse("nodes", 0, "1 to 65535")) == "nodes = 0: 1 to 65535"


def test_a_refusal_travels_between_processes():
    assert str(pickle.loads(pickle.dumps(refuse("nodes", 0, "1 to 9")))) == "nodes = 0: 1 to 9"


def ends_badly(how: str) -> via.Run:
    cluster = via.Cluster(nodes=2)

    @cluster.process(0)
    async def main(p):
        if how == "raises":
            raise RuntimeError("as it must")
        nic = await p.open_nic()
        queue = await nic.create_cq(8)
        await queue.wait()

    @cluster.process(1)
    async def other(p):
        await p.sleep("1us")
        return lambda: None  # nothing that could be pickled

    return cluster.run()


@pytest.mark.parametrize(
    ("how", "kind", "code", "said"),
    [("raises", via.ProcessFailed, 1, "as it must"), ("waits", via.Deadlock, 3, "deadlock")],
)
def test_a_run_that_fails_in_a_pool_of_processes_says_so_there(how, kind, code, said):
    with pytest.raises(kind) as here:
        ends_badly(how)
    with ProcessPoolExecutor(1) as pool, pytest.raises(kind, match=said) as there:
        pool.submit(ends_badly, how).result()
    assert str(there.value) == str(here.value)
    for error in (there.value, pickle.loads(pickle.dumps(there.value))):
        run = error.run
        assert (run.exit, run.troubles) == (code, here.value.run.troubles)
        assert run.report == here.value.run.report
        with pytest.raises(via.ConfigError, match="messages = none: tables stay in the OS process"):
            _ = run.messages


def test_the_simulator_refuses_with_the_error_of_python():
    with pytest.raises(via.ConfigError, match="no-such-product"):
        via.profiles.load("no-such-product")


@pytest.mark.parametrize(
    ("call", "option", "lists", "meant"),
    [
        (lambda: via.Cluster(nodez=2), "argument of Cluster = nodez", "topology, nodes", "nodes"),
        (lambda: via.Cluster(profile="clan"), "profile = clan", "ideal, ", "giganet-clan1000"),
        (lambda: via.Cluster(host="pii300"), "host = pii300", "ideal-host, ", "pii300-linux22"),
        (lambda: via.Cluster(kernel="linux-2.5"), "kernel = linux-2.5", "nt4, ", "linux-2.4"),
        (lambda: via.Cluster("starr"), "topology = starr", "torus, ", "star"),
        (lambda: via.topology.parse("tours:4x4", 16), "topology = tours:4x4", "star, ", "torus"),
        (lambda: via.Cluster().run("bariier"), "workload = bariier", "paxos, ", "barrier"),
        (lambda: via.Cluster().start("bariier"), "workload = bariier", "paxos, ", "barrier"),
        (lambda: via.Cluster().measure("bariier"), "workload = bariier", "paxos, ", "barrier"),
        (lambda: via.workloads.find("bariier"), "workload = bariier", "paxos, ", "barrier"),
        (lambda: via.workloads.options("bariier"), "workload = bariier", "paxos, ", "barrier"),
        (lambda: via.sweep("bariier", {}), "workload = bariier", "paxos, ", "barrier"),
        (lambda: via.sweep("barrier", {"nodez": [1]}), "argument of barrier = nodez",
         "host, ", "nodes"),
        (lambda: via.sweep("barrier", {"profile": ["clan"]}), "profile = clan",
         "ideal, ", "giganet-clan1000"),
        (lambda: via.Cluster().run("barrier", roundz=1), "parameter of barrier = roundz",
         "size, ", "rounds"),
        (lambda: via.Cluster().run(via.workloads.Barrier, roundz=1), "argument of Barrier = roundz",
         "size, ", "rounds"),
        (lambda: via.workloads.Barrier(roundz=1), "argument of Barrier = roundz", "size, ",
         "rounds"),
    ],
)  # fmt: skip
def test_an_unknown_name_is_refused_with_those_there_are_and_the_nearest(
    call, option, lists, meant
):
    with pytest.raises(via.ConfigError) as refused:
        call()
    text = str(refused.value)
    assert f"{option}: " in text
    assert lists in text
    assert text.endswith(f"; did you mean {meant}?")


@pytest.mark.parametrize("kind", [via.Cluster, via.workloads.Barrier])
def test_help_shows_the_arguments_of_a_class_that_refuses_others(kind):
    known = inspect.signature(kind).parameters
    assert "self" not in known
    assert list(known) == list(inspect.signature(kind.__init__).parameters)[1:]
