# SPDX-License-Identifier: GPL-2.0-only
"""Captures of packets: what tshark reads through the dissector is what the run did."""

import csv
import random
import re
import shutil
import struct
import subprocess
from pathlib import Path

import pandas as pd
import pytest
import via
from via import programs

ROOT = Path(__file__).resolve().parents[2]
DISSECTOR = ROOT / "contrib" / "via" / "wireshark" / "via.lua"
PAGE = ROOT / "contrib" / "via" / "doc" / "capture.md"
HEADER = 168
SENT, RECEIVED = "0", "1"
SEND, RDMA_WRITE, READ_REQUEST, READ_RESPONSE = "1", "2", "3", "4"
CONNECT_REQUEST, CONNECT_ACCEPT, DISCONNECT = "16", "17", "23"
RESPONSE, ACKNOWLEDGE, NAK = "32", "33", "34"

needs_tshark = pytest.mark.skipif(
    shutil.which("tshark") is None, reason="tshark is not installed: ./via setup --ci brings it"
)


def tshark(*arguments: object) -> str:
    command = ["tshark", "-X", f"lua_script:{DISSECTOR}", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    assert "Lua" not in done.stdout + done.stderr, done.stdout[-2000:] + done.stderr
    return done.stdout


def frames(file: Path, *names: str, where: str = "via") -> pd.DataFrame:
    """A row per frame that a display filter lets pass, in two passes, with these fields as text."""
    wanted = [word for name in names for word in ("-e", f"via.{name}")]
    text = tshark("-2", "-r", file, "-R", where, "-T", "fields", "-E", "separator=,", *wanted)
    rows = list(csv.reader(text.splitlines()))
    return pd.DataFrame(rows, columns=list(names), dtype=str)


@pytest.fixture(scope="module")
def rdma_ring(built):
    return programs.build("rdma-ring", built)


# ---- what is in a capture


@needs_tshark
@pytest.mark.parametrize("size", [4, 5000])
def test_a_ping_pong_is_seen_as_the_tables_tell_it(size, tmp_path):
    file = tmp_path / "packets.pcapng"
    run = via.Cluster(nodes=2).run("ping-pong", size=size, rounds=5, pcap=file)
    for direction, column in ((SENT, "src"), (RECEIVED, "dst")):
        seen = frames(
            file, "src", "dst", "vi.src", "descriptor", "length", "port_node",
            where=f"via.kind == {SEND} && via.direction == {direction}",
        )  # fmt: skip
        told = run.messages[["src_rank", "dst_rank", "vi", "seq", "bytes"]].astype(str)
        columns = ["src", "dst", "vi.src", "descriptor", "length"]
        assert sorted(map(tuple, seen[columns].values)) == sorted(map(tuple, told.values))
        assert (seen["port_node"] == seen[column]).all()


@needs_tshark
def test_tools_show_the_times_of_long_runs(tmp_path):
    file = tmp_path / "packets.pcapng"
    run = via.Cluster(nodes=2).run("ping-pong", size=4, rounds=2000, pcap=file, snaplen=64)
    assert run.end_ps > 20 * 10**9  # Wireshark 4.0 fails on picoseconds from 18 ms on
    shown = tshark("-r", file, "-T", "fields", "-e", "frame.time_epoch", "-e", "via.last_bit")
    for line in shown.splitlines():
        seconds, last_bit = line.split()
        assert seconds.replace(".", "") == f"{int(last_bit) // 1000:010d}"


@needs_tshark
@pytest.mark.parametrize("topology", ["star", "back-to-back"])
@pytest.mark.parametrize("reference", [False, True])
def test_bits_pass_the_ports_when_the_spans_say(topology, reference, tmp_path):
    file = tmp_path / "packets.pcapng"
    cluster = via.Cluster(topology, nodes=2, reference=reference)
    run = cluster.run("ping-pong", size=300, rounds=2, pcap=file)
    spans = run.spans
    seen = frames(file, "first_bit", "last_bit", where="via.src == 0 && via.direction == 0")
    wire = spans[(spans["owner"] == "n0.link") & (spans["stage"] == "serialize")]
    assert set(seen["first_bit"].astype(int)) <= set(wire["start_ps"])
    assert set(seen["last_bit"].astype(int)) <= set(wire["end_ps"])
    arrived = frames(file, "first_bit", "last_bit", where="via.src == 0 && via.direction == 1")
    last = "s0.link" if topology == "star" else "n0.link"
    flights = spans[(spans["owner"] == last) & (spans["stage"] == "propagate")]
    flight = (flights["end_ps"] - flights["start_ps"]).iloc[0]
    begun = spans[(spans["owner"] == last) & (spans["stage"] == "serialize")]["start_ps"] + flight
    assert set(arrived["first_bit"].astype(int)) <= set(begun)
    assert set(arrived["last_bit"].astype(int)) <= set(flights["end_ps"])
    assert len(seen) == len(arrived) == 2


@needs_tshark
def test_fast_and_reference_mode_show_the_same_packets(tmp_path):
    files = []
    for reference in (False, True):
        files.append(tmp_path / f"{reference}.pcapng")
        cluster = via.Cluster(nodes=3, reference=reference)
        cluster.run("ping-pong", size=3000, rounds=3, pcap=files[-1])
    names = ("direction", "seq", "ack", "first_bit", "last_bit", "cells.seen", "payload")
    assert frames(files[0], *names).equals(frames(files[1], *names))


def pattern(message: int, size: int) -> str:
    """What message number n of the examples holds, see examples/vipl-bytes.c."""
    places = range(64 * (message % 16), 64 * (message % 16) + size)
    return bytes((at % 64 + at // 64 * 37) % 256 for at in places).hex()


@needs_tshark
def test_payloads_are_the_bytes_that_were_sent(ping_pong, tmp_path):
    file = tmp_path / "packets.pcapng"
    via.Cluster(nodes=2).run_program(ping_pong, ["-s", 300, "-n", 3], capture=True, pcap=file)
    for direction in (SENT, RECEIVED):
        where = f"via.kind == {SEND} && via.src == 0 && via.direction == {direction}"
        seen = frames(file, "descriptor", "payload", where=where)
        assert len(seen) >= 3
        for _, row in seen.iterrows():
            assert row["payload"] == pattern(int(row["descriptor"]), 300)


@needs_tshark
def test_a_connection_is_asked_for_accepted_and_ended(ping_pong, tmp_path):
    file = tmp_path / "packets.pcapng"
    via.Cluster(nodes=2).run_program(ping_pong, ["-n", 1], capture=True, pcap=file)
    seen = frames(
        file, "kind", "direction", "src", "dst", "connection", "request_in", "response_in",
        "response_time", "connect.max_transfer", "connect.reliability", "connect.local.host",
        "connect.remote.host",
        where=f"via.kind in {{{CONNECT_REQUEST},{CONNECT_ACCEPT},{DISCONNECT}}}",
    )  # fmt: skip
    request, arrived, accept, answered = (row for _, row in seen.head(4).iterrows())
    assert [request["kind"], accept["kind"]] == [CONNECT_REQUEST, CONNECT_ACCEPT]
    assert [request["direction"], arrived["direction"]] == [SENT, RECEIVED]
    assert (request["src"], request["dst"]) == (accept["dst"], accept["src"]) == ("0", "1")
    assert request["connect.local.host"] == "02:00:00:00:00:00"
    assert request["connect.remote.host"] == "02:00:00:00:00:01"
    assert int(request["connect.max_transfer"]) > 0
    assert request["connect.reliability"] in ("1", "2", "4")
    assert set(seen.head(4)["connection"]) == {request["connection"]}
    # the request has its response at the client's port, and at the server's
    assert (request["response_in"], arrived["response_in"]) == ("4", "3")
    assert (answered["request_in"], accept["request_in"]) == ("1", "2")
    assert int(answered["response_time"]) > int(accept["response_time"]) > 0
    assert set(seen.loc[4:, "kind"]) == {DISCONNECT}


@needs_tshark
def test_an_rdma_write_shows_address_region_and_immediate_data(rdma_ring, tmp_path):
    file = tmp_path / "packets.pcapng"
    run = via.Cluster(nodes=2).run_program(
        rdma_ring, ["-s", 3000, "-n", 2], capture=True, pcap=file
    )
    seen = frames(
        file, "src", "vi.src", "descriptor", "length", "has_immediate", "immediate",
        "rdma.address", "rdma.offset", "rdma.handle",
        where=f"via.kind == {RDMA_WRITE} && via.direction == 0",
    )  # fmt: skip
    told = run.messages[run.messages["op"] == "rdma-write"]
    assert len(seen) == len(told)
    assert set(seen["length"]) == {"3000"}
    assert (seen["has_immediate"] == "1").sum() == (seen["immediate"] != "").sum() > 0
    # one buffer of each process: its heap lies in the same place in every run
    assert seen.groupby("src")["rdma.address"].nunique().tolist() == [1, 1]
    assert (seen["rdma.address"].map(lambda text: int(text, 16)) >= 0x210000000000).all()
    assert (seen["rdma.offset"].astype(int) % 4096 >= 0).all()
    assert (seen["rdma.handle"] != "0x00000000").all()


@needs_tshark
def test_a_lossy_run_shows_complaints_and_what_is_sent_again(tmp_path):
    file = tmp_path / "packets.pcapng"
    faults = tmp_path / "faults.toml"
    faults.write_text('schema = "via-faults/1"\n[[loss]]\ncorrupt_ppb = 20000000\n')
    run = via.Cluster(nodes=2, faults=faults).run("stream", size=5000, messages=8, pcap=file)
    seen = frames(
        file, "kind", "direction", "src", "seq", "ack", "resent", "cells", "cells.first",
        "cells.seen", "cells.lost", "part.length", "sent_in", "flight_time",
    )  # fmt: skip
    numbers = ["seq", "ack", "cells", "cells.first", "cells.seen", "part.length"]
    seen[numbers] = seen[numbers].astype(int)
    sent = seen[(seen["kind"] == SEND) & (seen["direction"] == SENT)]
    first = sent[sent["resent"] == "0"]
    again = sent[sent["resent"] == "1"]
    assert len(first) == len(run.messages)
    assert first["part.length"].sum() == run.messages["bytes"].sum()
    assert len(again) > 0
    assert (again["cells.seen"] <= 16).all()
    # each complaint names the first cell that is missing; soon it is sent again
    complaints = seen[(seen["kind"] == NAK) & (seen["direction"] == RECEIVED)]
    begins, ends = again["seq"] + again["cells.first"], again["cells.seen"]
    assert len(complaints) > 0
    for place, missing in complaints["ack"].items():
        later = again.index > place
        assert (later & (begins <= missing) & (missing < begins + ends)).any()
    arrived = seen[(seen["kind"] == SEND) & (seen["direction"] == RECEIVED)]
    assert arrived["cells.lost"].astype(int).sum() > 0
    assert (seen[seen["direction"] == RECEIVED]["sent_in"] != "").all()
    warnings = frames(file, "cells.lost", where="via.loss")
    assert (warnings["cells.lost"].astype(int) > 0).all()


@needs_tshark
def test_every_cell_is_acknowledged_and_every_credit_comes_home(tmp_path):
    file = tmp_path / "packets.pcapng"
    via.Cluster(nodes=2).run("stream", size=30000, messages=40, pcap=file)
    seen = frames(file, "direction", "src", "seq", "ack", "cells", "credits.out",
                  "credits.returned", where="via.reliable || via.kind == 33")  # fmt: skip
    data = seen[(seen["src"] == "0") & (seen["direction"] == RECEIVED)]
    ends = data["seq"].astype(int) + data["cells"].astype(int)
    told = seen[(seen["src"] == "1") & (seen["direction"] == SENT)]["ack"].astype(int)
    assert told.is_monotonic_increasing
    assert told.max() <= ends.max()
    returned = data["credits.returned"].astype(int)
    assert returned.is_monotonic_increasing
    assert 0 < returned.max() <= data["cells"].astype(int).sum()
    out = seen[seen["direction"] == SENT]["credits.out"].astype(int)
    assert (out > 0).all()


@needs_tshark
def test_the_line_of_a_frame_tells_what_it_is(tmp_path):
    file = tmp_path / "packets.pcapng"
    via.Cluster(nodes=2).run("ping-pong", size=4, rounds=1, pcap=file)
    first = tshark("-r", file, "-c", 1).split()
    assert first[2:5:2] == ["02:00:00:00:00:00", "02:00:00:00:00:01"]
    assert " ".join(first[5:]) == f"VIA {HEADER + 4} TX Send VI 0 > 0 Len=4 Seq=0 Ack=0"


def test_the_steps_of_a_barrier_between_cards_are_told(tmp_path):
    file = tmp_path / "b.pcapng"
    via.Cluster(nodes=4, profile="berkeley-via-lanai4").run("nic-barrier", rounds=1, pcap=file)
    steps = frames(file, "src", "step", where="via.kind == 36 && via.direction == 0")
    assert sorted(steps["src"]) == sorted("0123" * 2)  # two steps of a dissemination barrier
    assert len(set(steps["step"])) == 2


# ---- the file


def test_the_same_run_makes_the_same_file(rdma_ring, tmp_path):
    files = [tmp_path / name for name in ("a.pcapng", "b.pcapng")]
    for file in files:
        via.Cluster(nodes=2).run_program(rdma_ring, ["-n", 2], capture=True, pcap=file)
    assert files[0].read_bytes() == files[1].read_bytes()
    assert sorted(tmp_path.iterdir()) == files  # nothing is left beside them


@pytest.mark.parametrize("profile", ["giganet-clan1000", "mvia-gnic2", "gm-lanai9-200"])
def test_a_capture_changes_nothing(profile, tmp_path):
    cluster = via.Cluster(nodes=4, profile=profile)
    plain = cluster.run("all-to-all", size=3000, rounds=2)
    captured = cluster.run("all-to-all", size=3000, rounds=2, pcap=tmp_path / "p.pcapng")
    assert captured.digest == plain.digest
    assert captured.report["payload_digest"] == plain.report["payload_digest"]


def packets_of(file: Path) -> list[tuple[int, int, int, bytes]]:
    """Interface, nanoseconds, original length and bytes of each packet of a file of ours."""
    data = file.read_bytes()
    found, at = [], 0
    while at < len(data):
        kind, length = struct.unpack_from(">II", data, at)
        assert data[at + length - 4 : at + length] == data[at + 4 : at + 8]
        if kind == 6:
            port, time, kept, original = struct.unpack_from(">IQII", data, at + 8)
            found.append((port, time, original, data[at + 28 : at + 28 + kept]))
        at += length
    return found


def test_packets_are_in_order_of_time_and_have_it_twice(tmp_path):
    file = tmp_path / "packets.pcapng"
    via.Cluster(nodes=8).run("all-to-all", size=20000, rounds=2, pcap=file)
    found = packets_of(file)
    times = [time for _, time, _, _ in found]
    assert times == sorted(times)
    assert times == [struct.unpack_from(">Q", frame, 24)[0] // 1000 for _, _, _, frame in found]
    assert len(found) >= 2 * 2 * 8 * 7


@pytest.mark.parametrize("snaplen", [0, 100, 65536])
def test_a_snap_length_cuts_payloads(snaplen, tmp_path):
    file = tmp_path / "packets.pcapng"
    via.Cluster(nodes=2).run("ping-pong", size=3000, rounds=2, pcap=file, snaplen=snaplen)
    assert [(original, len(frame)) for _, _, original, frame in packets_of(file)] == (
        [(HEADER + 3000, HEADER + min(snaplen, 3000))] * 8
    )


def test_a_run_that_is_stopped_shows_what_was_until_then(tmp_path):
    whole, part = tmp_path / "whole.pcapng", tmp_path / "part.pcapng"
    via.Cluster(nodes=2).run("ping-pong", rounds=20, pcap=whole)
    via.Cluster(nodes=2).run("ping-pong", rounds=20, stop="50us", pcap=part, check=False)
    before = [packet for packet in packets_of(whole) if packet[1] <= 50_000]
    assert packets_of(part) == before


@pytest.mark.parametrize("snaplen", [-1, 261977, "many"])
def test_a_snap_length_out_of_range_is_refused(snaplen, tmp_path):
    with pytest.raises(via.ConfigError, match="^snaplen = "):
        via.Cluster().run("ping-pong", pcap=tmp_path / "p.pcapng", snaplen=snaplen)


@pytest.mark.parametrize(
    "place",
    ["/", "/nowhere/p.pcapng", "/proc/p.pcapng", ""],
    ids=["a-folder", "in-no-folder", "in-proc", "nothing"],
)
def test_a_place_that_no_file_can_take_is_refused(place):
    with pytest.raises(via.ConfigError, match="^pcap = "):
        via.Cluster().run("ping-pong", pcap=place)


def test_a_run_that_cannot_start_leaves_no_file(tmp_path):
    with pytest.raises(via.ConfigError):
        via.Cluster().run("ping-pong", size=-1, pcap=tmp_path / "p.pcapng")
    assert list(tmp_path.iterdir()) == []


# ---- the dissector and frames that nobody sent


def block(kind: int, body: bytes) -> bytes:
    body += bytes(-len(body) % 4)
    length = struct.pack(">I", len(body) + 12)
    return struct.pack(">I", kind) + length + body + length


def write_packets(file: Path, packets: list[bytes]) -> None:
    """A pcapng file of one interface."""
    with file.open("wb") as out:
        out.write(block(0x0A0D0D0A, struct.pack(">IHHQ", 0x1A2B3C4D, 1, 0, 2**64 - 1)))
        out.write(block(1, struct.pack(">HHI", 147, 0, 0)))
        for number, packet in enumerate(packets):
            length = len(packet)
            out.write(block(6, struct.pack(">IQII", 0, number, length, length) + packet))


def spoiled(packet: bytes, chance: random.Random) -> bytes:
    """A frame with other bytes in a few places, or cut, or longer; most keep their magic."""
    changed = bytearray(packet)
    for _ in range(chance.randrange(6)):
        end = len(changed) if chance.random() < 0.3 else HEADER
        changed[chance.randrange(4, min(end, len(changed)))] = chance.choice(
            (0, 1, 23, 35, 168, 255)
        )
    if chance.random() < 0.3:
        changed[8] = chance.choice((0, 1, 2, 3, 4, *range(15, 25), *range(31, 37), 48, 255))
    if chance.random() < 0.2:
        del changed[chance.randrange(len(changed)) :]
    if chance.random() < 0.1:
        changed += chance.randbytes(chance.randrange(200))
    if chance.random() < 0.05:
        changed[:4] = chance.randbytes(4)
    return bytes(changed)


def frames_of_every_kind(ping_pong: Path, rdma_ring: Path, folder: Path) -> list[bytes]:
    """What runs that differ in what they send have left in captures."""
    file = folder / "packets.pcapng"
    lossy = folder / "lossy.toml"
    lossy.write_text('schema = "via-faults/1"\n[[loss]]\ncorrupt_ppb = 20000000\n')
    card = "berkeley-via-lanai4"
    two = via.Cluster(nodes=2)
    runs = [
        lambda: two.run_program(ping_pong, ["-n", 2], capture=True, pcap=file),
        lambda: two.run_program(rdma_ring, ["-n", 2], capture=True, pcap=file),
        lambda: two.run("socket-ping-pong", rounds=2, pcap=file),
        lambda: via.Cluster(nodes=4, profile=card).run("nic-barrier", rounds=1, pcap=file),
        lambda: via.Cluster(nodes=2, faults=lossy).run("stream", messages=30, pcap=file),
    ]
    found = []
    for run in runs:
        run()
        found += [frame for *_, frame in packets_of(file)]
    return found


@needs_tshark
@pytest.mark.parametrize(
    "count",
    [
        400,
        pytest.param(20_000, marks=pytest.mark.ci),
        pytest.param(100_000, marks=pytest.mark.night),
    ],
)
def test_no_frame_is_too_strange_for_the_dissector(count, ping_pong, rdma_ring, tmp_path):
    seeds = frames_of_every_kind(ping_pong, rdma_ring, tmp_path)
    chance = random.Random(count)
    strange = [spoiled(chance.choice(seeds), chance) for _ in range(count)]
    file = tmp_path / "strange.pcapng"
    write_packets(file, strange)
    whole = tshark("-r", file, "-T", "fields", "-e", "frame.number", "-e", "_ws.lua.error",
                   "-e", "via.kind", "-e", "via.malformed")  # fmt: skip
    rows = [line.split("\t") for line in whole.splitlines()]
    assert len(rows) == count
    assert {row[1] for row in rows} == {""}
    assert sum(row[2] != "" for row in rows) > count / 2
    assert any(row[3] for row in rows)
    ours = "_ws.malformed && !via.malformed && via.kind != 48"  # in datagrams others find mistakes
    assert tshark("-2", "-r", file, "-Y", f"_ws.lua.error || ({ours})") == ""


@needs_tshark
@pytest.mark.parametrize(
    ("place", "value", "name"),
    [(4, 2, "unknown_version"), (5, 100, "malformed"), (5, 255, "malformed"),
     (8, 99, "unknown_kind"), (8, 34, "nak"), (8, 35, "timeout"), (8, 18, "refused"),
     (7, 0x20, "loss"), (7, 0x08, "retransmission")],
)  # fmt: skip
def test_what_is_worth_a_warning_gets_one(place, value, name, tmp_path):
    file = tmp_path / "packets.pcapng"
    via.Cluster(nodes=2).run("ping-pong", rounds=1, pcap=file)
    frame = bytearray(packets_of(file)[0][3])
    frame[place] = value
    write_packets(file, [bytes(frame)])
    assert tshark("-r", file, "-Y", f"via.{name}") != ""


@needs_tshark
def test_frames_of_others_are_left_alone(tmp_path):
    file = tmp_path / "packets.pcapng"
    write_packets(file, [b"", b"VIA", b"something else " * 20])
    assert tshark("-r", file, "-Y", "via") == ""


# ---- the page about it


def test_the_page_tells_what_the_dissector_reads():
    text = DISSECTOR.read_text("ascii")
    rows = re.findall(r"^\| (\d+) \| (\d+) \| `(via\.[\w.]+)`", PAGE.read_text("utf-8"), re.M)
    assert len(rows) > 30
    for place, length, field in rows:
        name = field.removeprefix("via.")
        assert f'f["{name}"], tvb({place}, {length})' in text, field


def test_the_page_names_every_kind():
    page = PAGE.read_text("utf-8").lower()
    kinds, _ = DISSECTOR.read_text("ascii").split("\nlocal SEND", 1)
    named = re.findall(r'^    \[(\d+)\] = "([\w ]+)",$', kinds, re.MULTILINE)
    assert len(named) > 15
    for number, name in named:
        assert f"| {number} | {name.lower()} |" in page, name
