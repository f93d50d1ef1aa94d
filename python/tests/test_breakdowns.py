# SPDX-License-Identifier: GPL-2.0-only
"""Means of breakdowns: over messages that arrived, of all their sizes."""

import matplotlib.pyplot as plt
import pytest
import via
from via import charts
from via._cli import main

SENT, RECEIVES = 5, 3  # without a receive, a message is dropped


@pytest.fixture(scope="module")
def run():
    return sent_into(RECEIVES)


def sent_into(receives):
    cluster = via.Cluster()

    @cluster.process([0, 1])
    async def send(p):
        nic = await p.open_nic()
        memory = p.allocate(4096)
        await nic.register(memory)
        vi = await nic.create_vi(reliability=1)
        for _ in range(receives * p.rank):
            await vi.post_recv(memory[64:128])
        await vi.connect_peer(1 - p.rank, "x", 1000)
        await p.sleep("2ms")
        for number in range(SENT * (1 - p.rank)):
            await vi.send(memory[: 8 * (number + 1)])
            await p.compute("50us")
        for _ in range(receives * p.rank):
            await vi.recv(poll=True)
        await p.sleep("2ms")

    return cluster.run(check=False)


def mean_life_ps(run):
    kept = run.messages[~run.messages["dropped"]]
    return float((kept["end_ps"] - kept["posted_ps"]).mean())


def test_means_leave_dropped_messages_out(run):
    assert run.messages["dropped"].sum() == SENT - RECEIVES
    for by in ("stage", "part", "bytes"):
        assert run.breakdown(by=by)["ps"].sum() == pytest.approx(mean_life_ps(run))
    assert len(run.breakdown(by="message")) == SENT
    dropped = run.messages["message"][run.messages["dropped"]].iloc[0]
    assert run.breakdown(message=dropped, by="part")["ps"].sum() > 0


def test_a_mean_says_how_many_messages_it_leaves_out_and_all_sizes(run, tmp_path, capfd):
    run.save(tmp_path / "run")
    assert main(["breakdown", str(tmp_path / "run")]) == 0
    title, *_ = capfd.readouterr().out.splitlines()
    mean_us = f"{mean_life_ps(run) / 1e6:.3f}"
    said = "send, 8 to 24 bytes, mean of 3, without 2 dropped"
    assert title == f"Where the {mean_us} us of a message go ({said})"


def test_a_file_of_stages_has_all_messages(run, tmp_path, capfd):
    run.breakdown.to_csv(tmp_path / "stages.csv", index=False)
    assert main(["breakdown", str(tmp_path / "stages.csv")]) == 0
    assert "(send, 8 to 40 bytes, mean of 5)" in capfd.readouterr().out


def test_a_bar_is_as_long_as_messages_that_arrived_live(run):
    panel = plt.figure().subplots()
    charts.stacked(panel, {"some": run.breakdown})
    ends = [bar.get_x() + bar.get_width() for bar in panel.patches]
    assert max(ends) == pytest.approx(mean_life_ps(run) / 1e6)


def test_the_page_of_a_run_has_the_same_means(run, tmp_path):
    pytest.importorskip("bokeh", "3.9", reason="Bokeh is not installed: ./via setup --ci does it")
    run.report_page(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert f"{mean_life_ps(run) / 1e6:,.4f}" in page and "3 messages" in page


def test_a_run_whose_messages_were_all_dropped_has_no_mean(tmp_path, capfd):
    lost = sent_into(0)
    assert len(lost.breakdown(by="stage")) == 0
    lost.save(tmp_path / "lost")
    assert main(["breakdown", str(tmp_path / "lost")]) == 2
    assert "no message arrived" in capfd.readouterr().err
    with pytest.raises(via.ConfigError, match="rows = no rows: stacked"):
        charts.stacked(plt.figure().subplots(), {"lost": lost.breakdown})
