# SPDX-License-Identifier: GPL-2.0-only
"""What the package exports, and its errors as a tree."""

import pickle

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


def test_the_simulator_refuses_with_the_error_of_python():
    with pytest.raises(via.ConfigError, match="no-such-product"):
        via.profiles.load("no-such-product")
