# SPDX-License-Identifier: GPL-2.0-only
"""Campaigns find what is wrong, and the simulator passes short ones."""

import campaigns
import pytest
import via

WRONG = """
#include <stdio.h>
int main(void) { printf("RANK 0 calls 7 handlers 0 bad 1\\n"); return 7; }
"""


def test_a_run_that_is_refused_is_told_with_its_command(tmp_path):
    said = campaigns.outcome(["run", str(tmp_path / "none.so")], r"calls (\d+)")
    assert said.command == f"./via run {tmp_path}/none.so"
    assert said.told.startswith("exit code 2\n")


def test_what_a_program_finds_wrong_is_told_and_counted(compile_c):
    said = campaigns.outcome(["run", str(compile_c("wrong", WRONG))], r"calls (\d+)")
    assert (said.amount, "bad 1" in said.told) == (14, True)


@pytest.mark.parametrize(
    ("usual", "oracle", "told"),
    [
        ("calls 7\ndigest a\n", "calls 7\ndigest b\n", ["digest a", "digest b"]),
        ("calls 7\n", "calls 7\ndigest b\n", ["(no more lines)", "digest b"]),
        ("calls 7\n", "calls 7", ["line ends", "line ends"]),
    ],
)
def test_what_reference_mode_prints_otherwise_is_told(usual, oracle, told):
    said = campaigns.difference((0, usual), (0, oracle))
    assert said == [f"differs: {told[0]}", f"in reference mode: {told[1]}"]
    assert campaigns.difference((1, usual), (1, usual)) == []


def test_another_exit_code_in_reference_mode_is_told():
    said = campaigns.difference((0, "calls 7\n"), (3, "calls 7\n"))
    assert said == ["exit code 0, in reference mode: 3"]


@pytest.mark.parametrize("bits", [0, 1, 2, 4, 8, 16, 32, 63])
def test_a_storm_is_a_file_of_faults(bits, tmp_path):
    path = tmp_path / "faults.toml"
    path.write_text(campaigns.storm(bits, 20))
    via.Cluster(nodes=2, faults=str(path))


@pytest.mark.night
@pytest.mark.parametrize(
    ("what", "amount"), [("calls", "3e6"), ("sockets", "1e6"), ("storms", "3e5")]
)
def test_a_campaign_finds_nothing_wrong(what, amount, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["campaigns.py", what, "--amount", amount, "--first", "77"])
    assert campaigns.main() == 0, capsys.readouterr().out


@pytest.mark.night
def test_a_peer_that_a_reset_card_had_accepted_does_not_wait_for_ever(tmp_path):
    campaign = campaigns.CAMPAIGNS["storms"]
    program, faults = tmp_path / "storms.so", tmp_path / "faults.toml"
    assert campaign.build(program)
    faults.write_text(campaigns.storm(0b011011, 50))
    command = ["run", "--profile", "iwarp-early", "--nodes", "2", "--seed", "20051"]
    command += ["--procs-per-node", "4", "--watchdog", "120", "--faults", str(faults)]
    command += ["--stop", "100s", str(program), "--", "4", "1000", "20051", "4"]
    assert campaigns.outcome(command, campaign.counted).told == ""
