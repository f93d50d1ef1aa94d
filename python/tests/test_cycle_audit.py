# SPDX-License-Identifier: GPL-2.0-only
"""The cycles of every message are those of its profile's tables: an independent script adds up."""

import csv
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
import via
from cycle_audit import Audit, Phase, Row
from cycle_tables import Cut, Tables, hertz
from via import profiles

ROOT = Path(__file__).resolve().parents[2]
SIZES = (0, 4, 48, 1500, 4096, 65536)
# hardware, firmware that polls and stores, a kernel that copies
DIFFERENT = ("giganet-clan1000", "berkeley-via-lanai4", "mvia-gnic2")
EVERY = [
    pytest.param(name, marks=() if name in DIFFERENT else pytest.mark.ci)
    for name in profiles.names()
]
BLOCK_HEAD = 16  # bytes, the least block of an all-to-all
OPEN_VIS = 12  # more than any program here opens on a card


def rows(run) -> list[Row]:
    return list(run.breakdown[list(Row._fields)].itertuples(index=False, name=None))


def audited(run, profile: str, *, procs_per_node: int = 1, host: str = "") -> Audit:
    audit = Audit(Tables(profile, host), procs_per_node=procs_per_node, vis=OPEN_VIS)
    found = audit.check(Row(*each) for each in rows(run))
    assert found == []
    return audit


def sizes_of(profile: str) -> list[int]:
    longest = Tables(profile).number("nic.max_transfer_size")
    return [size for size in SIZES if size <= longest]


@pytest.mark.parametrize("profile", EVERY)
def test_a_message_alone_costs_what_the_tables_give(profile):
    for size in sizes_of(profile):
        run = via.Cluster(profile=profile, seed=size + 2).run("ping-pong", size=size, rounds=2)
        assert audited(run, profile).messages == 4


def sums_by_hand(tables: Tables) -> dict[str, int]:
    """Cycles of each clock for 4 bytes on an idle cluster, but for looking for the doorbell."""
    number, dma = tables.number, tables.number("nic.dma_start")
    keys = ("doorbell_decode", "segment_cell", "send_residual", "receive_demux", "receive_residual")
    nic = sum(number(f"nic.{key}") for key in keys) + dma
    cpu = number("vipl.post_send") + number("cpu.cache_miss") + number("vipl.done_hit")
    bus = [*tables.bus_store(1), *tables.bus_read(4)]
    if tables.is_kernel():
        per_end = number("vipl.kernel_descriptor") + number("vipl.kernel_translate")
        received = ("os.interrupt", "vipl.kernel_receive", "vipl.kernel_residual")
        cpu += tables.trap() + number("vipl.kernel_send") + 2 * per_end + sum(map(number, received))
        cpu += tables.copy(4) * (1 + number("nic.send_copy"))
        bus += 2 * tables.bus_read(number("nic.ring_entry_bytes"))
        bus += tables.bus_write(4 + max(number("link.message_header"), 1))
        nic += 3 * dma
    else:
        bus += tables.bus_write(4) + tables.bus_write(number("nic.status_bytes"))
        nic += 2 * number("nic.tpt_lookup") + 2 * number("nic.tlb_hit") + 2 * dma
        if tables.word("nic.descriptor") == "pio-write":
            bus += tables.bus_store(tables.descriptor_bytes(1))
            nic += 2 * number("nic.descriptor_read")
        else:
            fetches = 1 if number("nic.descriptor_prefetch") else 2
            bus += fetches * tables.bus_read(tables.descriptor_lines(1))
            nic += fetches * dma
    wires = 2 if tables.word("switch.forwarding") == "store-and-forward" else 1
    link = wires * Cut(tables, 4).wire_bytes(0, 1)
    clocks = {"cpu": cpu, "bus": sum(bus), "nic": nic, "link": link}
    return clocks | {"crossbar": number("switch.latency")}


@pytest.mark.parametrize("profile", EVERY)
def test_the_cycles_of_each_clock_are_the_sum_of_the_tables(profile):
    run = via.Cluster(profile=profile).run("ping-pong", size=4, rounds=3)
    found: Counter[str] = Counter()
    for row in (Row(*each) for each in rows(run)):
        if row.message == "1.0.2" and row.cycles and row.stage != "doorbell-scan":
            found[row.engine().split("-")[0]] += row.cycles
    assert found == {k: v for k, v in sums_by_hand(Tables(profile)).items() if v}


async def everybody_to_the_first(p, size, count):
    """Messages of any length, even none: ranks 1, 2, .. send to rank 0, all at once."""
    nic = await p.open_nic()
    memory, tag = p.allocate(max(size, 1)), await nic.create_tag()
    await nic.register(memory, tag=tag)
    vis = [await nic.create_vi(tag=tag) for _ in range(1 if p.rank else p.size - 1)]
    for peer, vi in enumerate(vis, start=1):
        for _ in range(0 if p.rank else count):
            await vi.post_recv(memory[:size])
        if p.rank:
            await p.sleep(f"{20 * p.rank}ms")  # one after the other is waited for
            await vi.connect(0, f"from {p.rank}")
        else:
            await (await nic.listen(f"from {peer}")).accept(vi)
    await p.sleep(10**11 - p.now)
    for _ in range(count):
        for vi in vis:
            await (vi.send(memory[:size]) if p.rank else vi.recv(poll=True))


def cross_traffic(cluster, size, count):
    """All-to-all, whose blocks have a head; for what is shorter, everybody to the first."""
    if size >= BLOCK_HEAD:
        return cluster.run("all-to-all", size=size, rounds=count)
    cluster.clear()
    cluster.process(range(cluster.nodes), size, count)(everybody_to_the_first)
    return cluster.run()


@pytest.mark.parametrize("profile", EVERY)
def test_cross_traffic_adds_waits_and_no_cycles(profile):
    cluster = via.Cluster(profile=profile, nodes=4, seed=3)
    for size in (0, 4, 16, 1500, 20000):
        messages = 2 * (4 * 3 if size >= BLOCK_HEAD else 3)
        assert audited(cross_traffic(cluster, size, 2), profile).messages == messages


@pytest.mark.ci
@pytest.mark.parametrize("seed", range(2, 6))
@pytest.mark.parametrize("profile", profiles.names())
def test_no_phase_of_the_clocks_changes_a_cycle(profile, seed):
    for size in sizes_of(profile):
        cluster = via.Cluster(profile=profile, nodes=3, seed=seed)
        audited(cross_traffic(cluster, size, 1), profile)


@pytest.mark.parametrize("profile", EVERY)
def test_two_processes_that_share_cpu_and_card_change_no_cycle(profile, barrier):
    often = {"os.quantum": "50", "cpu.count": "1"}
    cluster = via.Cluster(profile=profile, nodes=2, overrides=often)
    run = cluster.run_program(barrier, ["-n", 2, "-k", 2], procs_per_node=2, capture=True)
    assert audited(run, profile, procs_per_node=2).messages > 0


@pytest.mark.parametrize("profile", EVERY)
def test_a_process_that_sleeps_is_woken_at_the_price_of_the_tables(profile, ping_pong):
    run = via.Cluster(profile=profile).run_program(
        ping_pong, ["-s", 3000, "-n", 3, "-b"], capture=True
    )
    audited(run, profile)
    assert {"interrupt", "blocked"} & set(run.breakdown["stage"])


@pytest.fixture(scope="module")
def rdma_ring(built):
    return via.programs.build("rdma-ring", built)


@pytest.mark.parametrize("profile", EVERY)
def test_writes_into_a_peers_memory_cost_what_the_tables_give(profile, rdma_ring):
    run = via.Cluster(profile=profile, nodes=3).run_program(
        rdma_ring, ["-s", 3000, "-n", 3], capture=True
    )
    audited(run, profile)
    assert "rdma-write" in set(run.breakdown["op"])


@pytest.mark.parametrize("topology", ["back-to-back", "crossbar"])
def test_no_topology_changes_a_cycle(topology):
    run = via.Cluster(topology).run("ping-pong", size=20000, rounds=3)
    audited(run, "giganet-clan1000")


def test_reference_mode_spends_the_same_cycles():
    run = via.Cluster(reference=True).run("ping-pong", size=20000, rounds=3)
    audited(run, "giganet-clan1000")


# ---- bugs that this found


def test_an_acknowledgement_in_the_middle_of_a_message_is_part_of_its_path(built):
    stream = via.programs.build("stream", built)
    cluster = via.Cluster(profile="berkeley-via-lanai4", seed=5)
    run = cluster.run_program(stream, ["-s", 9000, "-n", 30], capture=True)
    audited(run, "berkeley-via-lanai4")


def test_a_cell_that_would_overtake_another_messages_cell_keeps_its_own_path():
    run = via.Cluster(profile="mx-e", nodes=4, seed=5).run("all-to-all", size=4096, rounds=2)
    audited(run, "mx-e")


# ---- the audit itself: what it must find


@pytest.fixture(scope="module", params=DIFFERENT)
def sound(request):
    run = via.Cluster(profile=request.param).run("ping-pong", size=4096, rounds=1)
    return request.param, [row for row in rows(run) if row[0] == "1.0.0"]


def faults(profile: str, wrong: list[Row]) -> list[str]:
    return Audit(Tables(profile)).check(Row(*each) for each in wrong)


def changed(lines: list[Row], at: int, **fields) -> list[Row]:
    return [*lines[:at], Row(*lines[at])._replace(**fields), *lines[at + 1 :]]


def test_one_cycle_more_is_found_in_each_stage(sound):
    profile, lines = sound
    for at, line in enumerate(Row(*each) for each in lines):
        more = faults(profile, changed(lines, at, cycles=line.cycles + 1))
        assert any(f"{line.stage} of {line.owner} at {line.start_ps} ps" in fault for fault in more)


def test_a_stage_that_takes_a_picosecond_longer_is_found(sound):
    profile, lines = sound
    for at, line in enumerate(Row(*each) for each in lines[:-1]):
        assert faults(profile, changed(lines, at, end_ps=line.end_ps + 1))


def test_a_stage_that_is_missing_or_there_twice_is_found(sound):
    profile, lines = sound
    for at in range(len(lines)):
        assert at == 0 or faults(profile, lines[:at] + lines[at + 1 :])
        assert faults(profile, lines[: at + 1] + lines[at:])


def test_a_stage_that_another_node_paid_is_found(sound):
    profile, lines = sound
    for at, line in enumerate(Row(*each) for each in lines):
        if line.cycles and line.owner.startswith("n"):
            other = "n1" if line.owner.startswith("n0") else "n0"
            owner = f"{other}.{line.engine()}"
            assert faults(profile, changed(lines, at, owner=owner))


def test_the_tables_of_another_product_do_not_fit(sound):
    profile, lines = sound
    assert all(faults(other, lines) for other in DIFFERENT if other != profile)


def test_a_clock_has_one_phase():
    pci = Phase(hertz("100/3 MHz"))
    assert pci.allows(30_100, 2, 90_100)
    assert not pci.allows(30_101, 2, 90_101)
    uneven = Phase(hertz("133 MHz"))  # 7518.797 ps
    assert uneven.allows(5 + 7518, 1, 5 + 15037)
    assert not uneven.allows(5 + 15037, 2, 5 + 15037 + 15036)


def audit_file(path: Path, *options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, ROOT / "tools" / "cycle_audit.py", "--breakdown", path, *options]
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)


def write(lines: list[Row], path: Path) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([Row._fields, *lines])
    return path


def test_the_script_adds_up_a_file(sound, tmp_path):
    profile, lines = sound
    done = audit_file(write(lines, tmp_path / "b.csv"), "--profile", profile, "--size", 4096)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("1 messages, 0 faults\n")


def test_the_script_names_what_is_wrong(sound, tmp_path):
    profile, lines = sound
    at = next(at for at, line in enumerate(lines) if Row(*line).stage == "post-send")
    wrong = changed(lines, at, cycles=Row(*lines[at]).cycles + 1)
    done = audit_file(write(wrong, tmp_path / "b.csv"), "--profile", profile)
    assert done.returncode == 1
    assert "the tables say post-send" in done.stderr


def test_a_file_without_messages_proves_nothing(tmp_path):
    done = audit_file(write([], tmp_path / "b.csv"), "--profile", "giganet-clan1000")
    assert done.returncode == 1
