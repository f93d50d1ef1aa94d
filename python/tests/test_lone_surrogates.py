# SPDX-License-Identifier: GPL-2.0-only
"""Texts with lone surrogates, which no file in UTF-8 and no text of the simulator can hold."""

from pathlib import Path

import pytest
import via

LONE = "a\udc80b"  # what Python makes of bytes that are not UTF-8


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Files that a wrong value names are made here."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VIA_SWEEP_CACHE", "none")


@pytest.mark.parametrize("argument", ["path", "base", "changes", "title", "source", "host"])
def test_a_profile_with_a_text_that_is_not_unicode_is_refused_before_it_is_written(argument):
    wrong = {"path": f"{LONE}.toml", "changes": {"nic.clock": LONE}}.get(argument, LONE)
    usual = {"path": "mine.toml", "base": "ideal", "changes": {}, "title": "t", "source": "s"}
    with pytest.raises(via.ConfigError, match=rf"^{argument} = .*a.udc80b.*: a text without lone"):
        via.profiles.extend(**(usual | {argument: wrong}))
    assert list(Path.cwd().iterdir()) == []


@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("topology", via.Cluster),
        ("profile", lambda profile: via.Cluster(profile=profile)),
        ("overrides", lambda value: via.Cluster(overrides={"nic.clock": value})),
        ("node_profiles", lambda product: via.Cluster(node_profiles={1: product})),
        ("faults", lambda path: via.Cluster(faults=path)),
        ("workload", lambda name: via.Cluster().run(name)),
        ("transport", lambda value: via.Cluster().run("ping-pong", transport=value)),
        ("pcap", lambda path: via.Cluster().run("ping-pong", pcap=path)),
        ("program", lambda path: via.Cluster().run_program(path)),
        ("a", lambda text: via.sweep(lambda a: 1, {"a": text}, jobs=1, out="t.csv")),
    ],
)
def test_no_other_text_that_is_not_unicode_is_taken(argument, call):
    with pytest.raises(via.ConfigError, match=f"^{argument} = .*: a text without lone surrogates"):
        call(LONE)


def test_what_a_function_says_that_is_not_unicode_is_an_error_of_its_own():
    def fails(a):
        raise ValueError(LONE)

    with pytest.warns(via.SweepWarning):
        errors = [
            via.sweep(each, {"a": [1]}, jobs=1, out="t.csv")["error"][0]
            for each in (fails, lambda a: LONE)
        ]
    assert errors[0] == r"ValueError: a\udc80b"
    assert errors[1].startswith("ConfigError: value = ")
    cluster = via.Cluster()

    @cluster.process(0)
    async def process(_):
        fails(0)

    assert r"ValueError: a\udc80b (" in cluster.run(check=False).troubles[0]


def test_a_run_is_loaded_from_a_folder_whose_name_is_not_unicode():
    run = via.Cluster().run("ping-pong", rounds=2)
    run.save(LONE)
    assert via.Run.load(LONE).digest == run.digest
