# SPDX-License-Identifier: GPL-2.0-only
"""Tables of a run, its percentiles and summaries, and runs in folders."""

import json
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import via
from hypothesis import given, settings
from hypothesis import strategies as st
from via._base.quantiles import percentile_us, quantile_us
from via._runs import store, tables


@pytest.fixture(scope="module")
def cluster():
    return via.Cluster("torus:2x2,hosts=1", nodes=4)


@pytest.fixture(scope="module")
def run(cluster):
    return cluster.run("all-to-all", size=1000, rounds=2)


@pytest.fixture(scope="module")
def saved(run, tmp_path_factory):
    folder = tmp_path_factory.mktemp("saved") / "run"
    run.save(folder)
    return folder


# ---- links, counters, CPU


def test_every_cable_is_two_rows_one_for_each_direction(run, cluster):
    links = run.links
    assert list(links.columns) == list(tables.LINK_COLUMNS)
    ends = list(zip(links["source"], links["destination"], strict=True))
    cables = cluster.topology.cables
    assert ends == [pair for a, b in cables for pair in ((a, b), (b, a))]


def test_what_hosts_send_is_what_hosts_get(run):
    links = run.links.astype({"source": str, "destination": str})
    sent = links[links["source"].str.startswith("n")]["cells"].sum()
    received = links[links["destination"].str.startswith("n")]["cells"].sum()
    assert sent == received > 0
    assert (links["lost"] == 0).all() and (links["corrupt"] == 0).all()


def test_a_wire_is_busy_as_long_as_its_bytes_take(run):
    first = run.links.iloc[0]
    rows = run.spans[(run.spans["stage"] == "serialize") & (run.spans["owner"] == "n0.link")]
    assert first["bytes"] == rows["cycles"].sum()
    assert first["busy_ps"] == (rows["end_ps"] - rows["start_ps"]).sum()
    assert first["busy_pct"] == pytest.approx(100 * first["busy_ps"] / run.end_ps)


def test_links_are_there_without_recording():
    silent = via.Cluster(record=False).run("ping-pong", rounds=2)
    assert silent.links["cells"].sum() > 0
    assert len(silent.counters) > 0


def test_what_a_switch_counts_adds_up(run):
    counted = run.counters[run.counters["owner"].astype(str).str.startswith("s")]
    sums = counted.groupby("counter", observed=True)["value"].sum()
    assert sums["cells_in"] == sums["cells_out"] + sums["dropped"]
    sent = run.links[run.links["source"].str.startswith("s")]["cells"].sum()
    assert sums["cells_out"] == sent


def test_counters_of_cards_are_those_of_the_report():
    run = via.Cluster(profile="gm-lanai9-133").run("ping-pong", size=4, rounds=2)
    rows = run.counters[run.counters["counter"] == "translation_misses"]
    assert rows["owner"].tolist() == ["n0", "n1"]
    assert rows["value"].sum() == run.translation_misses > 0


def test_every_card_of_a_node_counts_on_its_own():
    run = via.Cluster(nodes=2, rails=2, record=False).run("ping-pong", rounds=2)
    owners = run.counters["owner"].astype(str).unique()
    assert {"n0", "n0.1", "n1", "n1.1"} <= set(owners)
    assert len(run.links) == 8


def test_the_table_of_cpus_is_that_of_the_report(run):
    assert run.cpu["ps"].sum() == sum(run.report["cpu"].values())
    assert set(run.cpu["node"]) == {0, 1, 2, 3}


def test_processes_are_rows(run):
    assert run.processes["rank"].tolist() == [0, 1, 2, 3]
    assert (run.processes["exit"] == 0).all()


# ---- percentiles


def test_percentiles_are_samples_in_order():
    run = via.Cluster().run("ping-pong", rounds=20)
    found = run.percentiles()
    assert found.index.tolist() == [50, 90, 99, 99.9, 100]
    assert found.is_monotonic_increasing
    assert found[50] == run.latency_us(0.5)
    assert set(np.rint(found * 1e6).astype(np.int64)) <= set(run.samples // 2)


@pytest.mark.parametrize(
    ("percent", "count", "place"), [(99.9, 1000, 999), (7, 100, 7), (28, 25, 7)]
)
def test_a_percentage_is_taken_in_decimal(percent: float, count: int, place: int):
    times = np.arange(1, count + 1) * 1_000_000
    assert percentile_us(times, percent) == place
    assert percentile_us(times[::-1], percent) == quantile_us(times, place / count)


@given(st.floats().filter(lambda q: not 0 <= q <= 100))
def test_percents_beyond_100_are_refused(run_once, percent):
    with pytest.raises(via.ConfigError, match="^percents = "):
        run_once.percentiles([percent])


@pytest.fixture(scope="module")
def run_once():
    return via.Cluster().run("ping-pong", rounds=2)


# ---- breakdown as a call


def test_true_is_no_percentage_and_no_quantile(run):
    for call in (lambda: run.percentiles([True]), lambda: run.latency_us(True)):
        with pytest.raises(via.ConfigError, match="= True: 0 to 1"):
            call()


def test_a_run_can_be_pickled_with_its_tables(run, saved):
    for one in (run, via.Run.load(saved)):
        again = pickle.loads(pickle.dumps(one))
        assert again.digest == run.digest and (again.samples == run.samples).all()
        assert again.messages.equals(run.messages) and again.links.equals(run.links)
        assert again.breakdown(by="stage").equals(run.breakdown(by="stage"))


def test_the_breakdown_of_a_message_is_its_rows(run):
    name = run.messages["message"].iloc[3]
    rows = run.breakdown(message=name)
    assert set(rows["message"]) == {name}
    assert len(rows) == (run.breakdown["message"] == name).sum()


def test_a_summary_is_the_mean_life_of_a_message(run):
    lives = (run.messages["end_ps"] - run.messages["posted_ps"]).mean()
    for by in ("stage", "part", ["stage", "owner"]):
        summary = run.breakdown(by=by)
        assert summary["ps"].sum() == pytest.approx(lives)
        assert summary["share_pct"].sum() == pytest.approx(100)
    assert {"cpu", "bus", "nic-send", "link", "crossbar"} <= set(run.breakdown(by="part")["part"])


def test_a_summary_by_message_has_their_lives(run):
    lives = run.messages.set_index("message")
    found = run.breakdown(by="message").set_index("message")["ps"]
    assert found.to_dict() == (lives["end_ps"] - lives["posted_ps"]).to_dict()


def test_what_is_made_of_a_breakdown_is_a_plain_table(run):
    assert type(run.breakdown[run.breakdown["cycles"] > 0]) is pd.DataFrame


def test_an_unknown_message_or_column_is_refused(run):
    with pytest.raises(via.ConfigError, match=r"^message = 9\.9\.9: there is none.*0\.0\.0"):
        run.breakdown(message="9.9.9")
    with pytest.raises(via.ConfigError, match="^by = colour: one of message"):
        run.breakdown(by="colour")
    with pytest.raises(via.ConfigError, match="^by = nothing"):
        run.breakdown(by=[])


@settings(max_examples=50)
@given(st.lists(st.text(max_size=8), max_size=3))
def test_no_list_of_columns_is_a_crash(run_once, by):
    try:
        summary = run_once.breakdown(by=by)
    except via.ConfigError:
        return
    assert set(by) <= set(summary.columns)


# ---- folders


def same(run, other):
    assert other.report == run.report
    assert other.provenance == run.provenance
    assert (other.stdout, other.stderr) == (run.stdout, run.stderr)
    for name in store.TABLES:
        one, two = run.table(name), other.table(name)
        assert (one is None) == (two is None)
        if one is not None:
            pd.testing.assert_frame_equal(one, two)


def test_a_run_comes_back_from_its_folder(run, saved):
    other = via.Run.load(saved)
    same(run, other)
    assert other.latency() == run.latency()
    assert other.digest == run.digest
    assert other.breakdown(by="stage").equals(run.breakdown(by="stage"))


def test_captured_output_keeps_its_ends_of_lines(run, tmp_path):
    run.save(tmp_path)
    (tmp_path / "stdout.txt").write_bytes(b"10 %\r20 %\r\n")
    assert via.Run.load(tmp_path).stdout == "10 %\r20 %\r\n"


def test_the_same_run_makes_the_same_bytes(cluster, saved, tmp_path):
    cluster.run("all-to-all", size=1000, rounds=2).save(tmp_path / "again")
    files = sorted(path.name for path in saved.iterdir())
    assert files == sorted(path.name for path in (tmp_path / "again").iterdir())
    for name in files:
        assert (saved / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


def test_parquet_holds_the_same(run, tmp_path):
    pytest.importorskip("pyarrow", reason="./via setup --ci brings it")
    run.save(tmp_path / "run", format="parquet")
    same(run, via.Run.load(tmp_path / "run"))


def test_without_pyarrow_parquet_is_refused_with_the_way_to_get_it(run, tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(via.ConfigError, match=r"^format = parquet: .*pip install pyarrow"):
        run.save(tmp_path / "run", format="parquet")
    assert list(tmp_path.iterdir()) == []


def test_what_a_program_printed_is_kept(ping_pong, tmp_path):
    run = via.Cluster().run_program(ping_pong, ["-n", 3], capture=True)
    run.save(tmp_path / "run")
    same(run, via.Run.load(tmp_path / "run"))


def returning(values):
    cluster = via.Cluster(nodes=len(values), record=False)

    @cluster.process(range(len(values)))
    async def says(process):
        return values[process.rank]

    return cluster.run()


def test_what_processes_returned_comes_back_if_json_holds_it_exactly(tmp_path):
    exact = [None, -0.0, 1.5, 2**70, True, "\ud800 \u00b5", [], {"a": [{"": [1]}, None]}]
    other = [(1, 2), float("nan"), {3: 4}, [np.float64(1)], via.Vip.TIMEOUT, 10**5000, {1}]
    run = returning([*exact, *other])
    run.save(tmp_path / "run")
    loaded = via.Run.load(tmp_path / "run")
    assert len(run.returned) == len(exact) + len(other)
    assert repr(loaded.returned) == repr(dict(enumerate(exact)))
    assert loaded.errors == {}
    run.save(tmp_path / "run")  # a run with this file, too, may be replaced


def test_a_value_that_is_nested_too_deeply_to_be_read_is_left_out(tmp_path):
    nested = [[]]
    for _ in range(100):
        nested.append([nested[-1]])
    returning(nested).save(tmp_path / "run")
    kept = via.Run.load(tmp_path / "run").returned
    assert 50 < len(kept) < 64 and all(kept[rank] == nested[rank] for rank in kept)


def test_a_run_saved_without_what_processes_returned_still_loads(tmp_path):
    returning([1]).save(tmp_path / "run")
    (tmp_path / "run" / "returned.json").unlink()
    assert via.Run.load(tmp_path / "run").returned == {}


@pytest.mark.parametrize("text", ["", "[]", '{"x": 1}', '{"1": 1}', '{"0": NaN}', '{"00": 1}'])
def test_a_malformed_file_of_what_processes_returned_is_refused(text, tmp_path):
    returning([1]).save(tmp_path / "run")
    (tmp_path / "run" / "returned.json").write_text(text)
    with pytest.raises(via.ConfigError, match=r"^folder = .*returned\.json"):
        via.Run.load(tmp_path / "run")


def test_a_silent_run_comes_back_without_messages(tmp_path):
    silent = via.Cluster(record=False).run("ping-pong", rounds=2)
    silent.save(tmp_path / "run")
    other = via.Run.load(tmp_path / "run")
    same(silent, other)
    with pytest.raises(via.ConfigError, match="record=True"):
        _ = other.messages


def test_a_loaded_run_refuses_the_tables_of_another_run(run, run_once, tmp_path):
    run.save(tmp_path / "run")
    loaded = via.Run.load(tmp_path / "run")
    run_once.save(tmp_path / "run")
    with pytest.raises(via.ConfigError, match=f"another run now.*{run_once.digest}"):
        _ = loaded.messages


def test_a_loaded_run_finds_its_tables_from_another_folder(saved, run, monkeypatch):
    monkeypatch.chdir(saved.parent)
    loaded = via.Run.load(saved.name)
    monkeypatch.chdir("/")
    assert loaded.messages.equals(run.messages)


def test_a_run_takes_the_place_of_a_run_but_of_nothing_else(run, run_once, tmp_path):
    run.save(tmp_path / "run")
    run_once.save(tmp_path / "run")
    assert via.Run.load(tmp_path / "run").digest == run_once.digest
    assert [path.name for path in tmp_path.iterdir()] == ["run"]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("years of work")
    with pytest.raises(via.ConfigError, match="it exists and holds no run"):
        run.save(tmp_path / "mine")
    assert (tmp_path / "mine" / "thesis.tex").exists()


@pytest.mark.parametrize("interrupted", [1, 2])
def test_ctrl_c_while_one_run_replaces_another_leaves_one_of_them(
    interrupted, run, run_once, tmp_path, monkeypatch
):
    run.save(tmp_path / "run")
    rename, renamed = Path.rename, []

    def interrupt(self, target):
        done = rename(self, target)
        renamed.append(self)
        if len(renamed) == interrupted:
            raise KeyboardInterrupt
        return done

    monkeypatch.setattr(Path, "rename", interrupt)
    with pytest.raises(KeyboardInterrupt):
        run_once.save(tmp_path / "run")
    assert via.Run.load(tmp_path / "run").digest == [run, run_once][interrupted - 1].digest
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_a_save_that_fails_leaves_what_was_there(run, run_once, tmp_path, monkeypatch):
    run.save(tmp_path / "run")
    monkeypatch.setattr(store, "_write", lambda *_: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        run_once.save(tmp_path / "run")
    assert [path.name for path in tmp_path.iterdir()] == ["run"]
    assert via.Run.load(tmp_path / "run").digest == run.digest


def damaged(saved: Path, folder: Path, name: str, text: str | None) -> Path:
    for path in saved.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    if text is None:
        (folder / name).unlink()
    else:
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("run.json", None, "it holds no run"),
        ("run.json", "{", "run.json: is not JSON"),
        ("run.json", "[]", "run.json is not a JSON object"),
        ("run.json", "{}", "run.json is not the report of a run"),
        ("provenance.json", None, "provenance.json: cannot be read"),
        ("tables.json", '{"schema": "other"}', "its schema is other"),
        ("tables.json", '{"schema": "via-results/1"}', "tables.json does not say"),
        ("messages.csv", None, "messages.csv is missing"),
        ("messages.csv", "message\n1\n", "messages.csv"),
    ],
)
def test_a_damaged_folder_is_refused(saved, tmp_path, name, text, said):
    with pytest.raises(via.ConfigError, match=said):
        _ = via.Run.load(damaged(saved, tmp_path, name, text)).messages


def test_a_folder_that_is_none_is_refused(tmp_path):
    with pytest.raises(via.ConfigError, match="^folder = "):
        via.Run.load(tmp_path / "nowhere")


def test_a_table_can_be_written_alone(run, tmp_path):
    store.write_table(run.links, tmp_path / "links.csv")
    types = {name: str(kind) for name, kind in run.links.dtypes.items()}
    pd.testing.assert_frame_equal(store.read_csv(tmp_path / "links.csv", types), run.links)
    with pytest.raises(via.ConfigError, match="^format = xlsx"):
        store.write_table(run.links, tmp_path / "links.xlsx")


def test_a_number_that_no_column_of_times_can_hold_is_refused(tmp_path):
    (tmp_path / "times.csv").write_text("end_ps\n1\n9223372036854775808\n")
    with pytest.raises(ValueError, match="column end_ps has numbers that are no int64"):
        store.read_csv(tmp_path / "times.csv", {"end_ps": "int64"})


def test_the_provenance_is_plain_json(saved, run):
    assert json.loads((saved / "provenance.json").read_text()) == run.provenance


def test_a_wire_that_works_on_after_the_last_process_is_not_busy_for_more_than_the_time():
    class Leaves(via.Protocol):
        message_bytes = 30_000

        async def run(self):
            if self.rank == 0:
                for _ in range(8):
                    self.send(1, b"x")

    run = via.Cluster(nodes=2).run(Leaves)
    links = run.links
    assert run.end_ps < links["busy_ps"].max()
    assert 50 < links["busy_pct"].max() <= 100
    assert links["busy_pct"].min() >= 0


@pytest.mark.parametrize("transport", ["via-send", "via-rdma-write"])
def test_rows_of_records_are_in_one_order_in_every_mode(transport):
    usual, reference = (
        via.Cluster(nodes=6, profile="gamma-gnic2", reference=mode).run(
            "barrier", rounds=3, transport=transport
        )
        for mode in (False, True)
    )
    for name in ("messages", "spans", "breakdown", "decisions"):
        assert getattr(usual, name).equals(getattr(reference, name)), name
