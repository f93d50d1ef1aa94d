# SPDX-License-Identifier: GPL-2.0-only
"""Workloads as classes: their options are the simulator's, and so are their runs."""

import dataclasses
import inspect

import numpy as np
import pytest
import via
from via import workloads
from via._cli import main

PRODUCTS = ("giganet-clan1000", "gm-lanai9-200")


def fewer(kind):
    count = "rounds" if "rounds" in kind.meanings else "messages"
    return kind(**{count: 2})


def test_every_workload_of_the_simulator_has_a_class():
    assert sorted(kind.name for kind in workloads.CLASSES) == workloads.names()


@pytest.mark.parametrize("kind", workloads.CLASSES, ids=lambda kind: kind.name)
def test_a_class_has_the_options_of_the_simulator(kind):
    for nodes in (2, 16, 33):
        table = workloads.options(kind.name, nodes).set_index("option")
        fields = {field.name: field.default for field in dataclasses.fields(kind)}
        assert set(table.index) == set(fields)
        said = {name: value for name, value in fields.items() if value is not None}
        assert said == table["default"][list(said)].to_dict()


@pytest.mark.parametrize("kind", workloads.CLASSES, ids=lambda kind: kind.name)
def test_what_a_class_leaves_to_the_simulator_depends_on_the_cluster_or_is_told(kind):
    small, large = (workloads.options(kind.name, nodes).set_index("option") for nodes in (2, 33))
    for field in dataclasses.fields(kind):
        if field.default is None:
            depends = small["default"][field.name] != large["default"][field.name]
            assert depends or small["most"][field.name] < large["most"][field.name]
            assert "None:" in kind.meanings[field.name]


@pytest.mark.parametrize("kind", workloads.CLASSES, ids=lambda kind: kind.name)
def test_every_option_is_explained(kind):
    assert all(kind.meanings[field.name] for field in dataclasses.fields(kind))
    assert all(f"    {name}: " in inspect.getdoc(kind) for name in kind.meanings)


@pytest.mark.parametrize("kind", workloads.CLASSES, ids=lambda kind: kind.name)
def test_a_class_and_its_name_run_the_same(kind):
    cluster = via.Cluster(nodes=4, profile=PRODUCTS[kind is workloads.NicBarrier], record=False)
    given = fewer(kind)
    named = {name.replace("-", "_"): value for name, value in given.parameters().items()}
    named.pop("patience", None)  # by name it is an argument of run()
    assert cluster.run(given).digest == cluster.run(kind.name, **named).digest


def test_a_class_may_be_given_with_parameters():
    cluster = via.Cluster(nodes=2)
    run = cluster.run(workloads.PingPong, size=64, rounds=3)
    assert run.digest == cluster.run(workloads.PingPong(size=64, rounds=3)).digest
    assert run.provenance["workload"] == "ping-pong"
    assert run.provenance["parameters"] == {"size": "64", "rounds": "3"}


@pytest.mark.parametrize("wrong", ["4", 4.5, True, None, -1])
def test_a_value_of_another_kind_is_refused_where_it_is_written(wrong):
    with pytest.raises(via.ConfigError, match="PingPong size = "):
        workloads.PingPong(size=wrong)


@pytest.mark.parametrize("wrong", [True, False, np.True_])
def test_a_truth_value_is_no_number_by_name_either(wrong):
    with pytest.raises(via.ConfigError, match="^ping-pong rounds = .*whole number"):
        via.Cluster().run("ping-pong", rounds=wrong)
    with pytest.raises(via.ConfigError, match="barrier rounds = .*whole number"):
        via.sweep("barrier", {"rounds": [wrong]}, cache=None, progress=False)


@pytest.mark.parametrize("argument", ["nodes", "seed", "rails"])
def test_a_truth_value_is_no_number_of_a_cluster(argument):
    with pytest.raises(via.ConfigError, match=f"^{argument} = True: a whole number is needed"):
        via.Cluster(**{argument: True})


def test_a_negative_value_tells_the_limits():
    with pytest.raises(via.ConfigError, match="size = -1: a whole number from 0 to 65536 in a clu"):
        workloads.PingPong(size=-1)


@pytest.mark.parametrize("kind", workloads.CLASSES, ids=lambda kind: kind.name)
def test_all_arguments_that_are_numbers_tell_their_limits(kind):
    for field in dataclasses.fields(kind):
        if "int" in str(field.type):
            with pytest.raises(via.ConfigError, match=r"-2: a whole number from \d+ to \d+ in"):
                kind(**{field.name: -2})


def test_a_text_must_be_a_text():
    with pytest.raises(via.ConfigError, match="Barrier transport = 7: a string"):
        workloads.Barrier(transport=7)


def test_limits_are_those_of_the_string_form():
    cluster = via.Cluster(nodes=2)
    for given in (workloads.Stream(window=10**6), workloads.PingPong(size=2**40),
                  workloads.Barrier(transport="pigeon")):  # fmt: skip
        with pytest.raises(via.ConfigError) as of_class:
            cluster.run(given)
        with pytest.raises(via.ConfigError) as of_name:
            cluster.run(given.name, **{k: str(v) for k, v in vars(given).items()})
        assert str(of_class.value) == str(of_name.value)


def test_what_a_workload_does_not_have_is_refused():
    cluster = via.Cluster(nodes=2)
    with pytest.raises(via.ConfigError, match="did you mean rounds"):
        cluster.run(workloads.PingPong, round=3)
    with pytest.raises(via.ConfigError, match=r"give them to PingPong\(\) itself"):
        cluster.run(workloads.PingPong(), rounds=3)
    with pytest.raises(
        via.ConfigError, match="argument of PingPong = colour: one of size, rounds$"
    ):
        workloads.PingPong(colour=1)


class Silent(via.Protocol):
    async def run(self):
        return None


@pytest.mark.parametrize("workload", ["barrier", Silent])
def test_a_parameter_is_given_once(workload):
    twice = {"process-faults": "", "process_faults": "crash:1:1"}
    refused = "^parameter = process_faults: it is given twice, with - and with _"
    with pytest.raises(via.ConfigError, match=refused):
        via.Cluster(nodes=2).run(workload, **twice)


def test_a_workload_is_found_by_name():
    assert workloads.find("raft") is workloads.Raft
    with pytest.raises(via.ConfigError, match="did you mean raft"):
        workloads.find("rafd")
    with pytest.raises(via.ConfigError, match="workload = rafd"):
        workloads.options("rafd")
    with pytest.raises(via.ConfigError, match="barrier needs at least 2"):
        workloads.options("barrier", nodes=1)


def test_limits_are_those_of_the_product():
    most = [workloads.options("stream", 2, product).set_index("option").loc["size", "most"]
            for product in via.profiles.names()]  # fmt: skip
    assert len(set(most)) > 1


def test_a_sweep_takes_a_workload():
    grid = {"nodes": [2, 4]}
    mine = via.sweep(workloads.Barrier(rounds=3), grid, jobs=1, cache=None)
    named = via.sweep("barrier", {**grid, "rounds": 3}, jobs=1, cache=None)
    assert mine["digest"].tolist() == named["digest"].tolist()
    assert mine["rounds"].tolist() == [3, 3]
    usual = via.sweep(workloads.Barrier, [{"nodes": 2}], jobs=1, cache=None)
    assert usual["digest"][0] == via.Cluster(nodes=2).run("barrier").digest


def test_a_sweep_does_not_vary_what_its_workload_says():
    with pytest.raises(via.ConfigError, match="size = "):
        via.sweep(workloads.PingPong(size=8), {"size": [4, 8]}, cache=None)
    with pytest.raises(via.ConfigError, match="both give it"):
        via.sweep(workloads.PingPong(size=8), [{"size": 4}], cache=None)


def test_the_command_line_lists_workloads(capsys):
    assert main(["workloads"]) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in workloads.names())
    assert main(["workloads", "raft", "--nodes", "9", "--csv"]) == 0
    assert "heartbeat_us,5450,1,21800,microseconds" in capsys.readouterr().out
    assert main(["workloads", "raft"]) == 0
    assert "a replicated log" in capsys.readouterr().out


@pytest.mark.parametrize("wrong", [["rafd"], ["raft", "--nodes", "0"], ["raft", "--profile", "x"]])
def test_the_command_line_refuses_what_is_not_there(wrong, capsys):
    assert main(["workloads", *wrong]) == 2
    assert capsys.readouterr().err.startswith("via: ")


def test_arguments_are_found_where_python_has_removed_the_indentation():
    text = "Own.\n\nArgs:\n    beats: how many,\n        in all.\n"  # as Python 3.13 keeps it
    kind = type("OwnBeat", (via.workloads.Workload,), {"__doc__": text})
    assert kind.meanings["beats"] == "how many, in all."
    assert kind.__doc__.startswith("Own.\n\nArgs:\n    ")


def test_a_flag_behind_the_message_is_part_of_what_the_card_writes():
    cluster = via.Cluster(nodes=2)
    given = {"rounds": 1, "transport": "via-rdma-write"}
    assert cluster.run("sequencer", size=65528, **given).exit == 0
    with pytest.raises(
        via.ConfigError, match=r"size = 65529: .*at most 65536 bytes .* the 8 bytes"
    ):
        cluster.run("sequencer", size=65529, **given)
