# SPDX-License-Identifier: GPL-2.0-only
"""The page "What was wrong, and how it was mended": its numbers are what the simulator gives."""

import re
from pathlib import Path

import pytest
from via import profiles
from via.studies import costs

DOC = Path(__file__).parents[2] / "contrib" / "via" / "doc"


def line_of(where):
    """Return the line of the page's table that begins with a cell."""
    text = (DOC / "predictions.md").read_text("utf-8")
    return next(line for line in text.splitlines() if line.startswith(f"| {where} |"))


def tabled():
    """Return the rows of the calibration's first table: cells by their header."""
    lines = (DOC / "calibration-table.md").read_text("utf-8").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")]
             for line in lines[: lines.index("")]]  # fmt: skip
    return [dict(zip(cells[0], row, strict=True)) for row in cells[2:]]


def row_of(product, metric):
    found = [row for row in tabled()
             if row["product"].split(" (")[0] == product and row["metric"] == metric]  # fmt: skip
    assert len(found) == 1, (product, metric)
    return float(found[0]["simulated"]), float(found[0]["published"].split()[0])


def mhz(product):
    clock = next(e.value for e in profiles.load(product).entries if e.key == "nic.clock")
    return float(clock.split()[0]) / 1e6


# ---- numbers of the calibration's table


@pytest.mark.parametrize(
    ("where", "product", "metric", "told"),
    [
        ("work beside the latency", "gm-lanai9-133", "half_bandwidth_message_PCI64B",
         "{:,.0f} B"),
        ("barriers of hosts", "gm-lanai4", "barrier_host_based_16_nodes", "{:.0f} us"),
        ("barriers of hosts", "gm-lanai7", "barrier_improvement_8_nodes_LANai7.2",
         "{:.2f} of {:.2f}"),
        ("latency of large fabrics", "gm-lanai9-200", "hardware_latency_large_network",
         "{:.2f} us"),
        ("two-way traffic", "gm-lanai9-133", "bandwidth_two_way_PCI64B", "{:.0f} of {:.0f}"),
        ("32-bit PCI", "giganet-clan1000", "effective_bandwidth", "{:.0f} of {:.0f}"),
        ("hosts against their own rows", "host xeon2400-linux24", "pcix_dma_read_4KB",
         "{:.0f} of {:.0f}"),
        ("MyVIA", "myvia-m2000", "bandwidth", "{:.0f} of {:.0f}"),
    ],
)  # fmt: skip
def test_the_page_has_the_numbers_of_the_table(where, product, metric, told):
    assert told.format(*row_of(product, metric)) in line_of(where)


@pytest.mark.parametrize(
    ("product", "metric", "steps"),
    [
        ("gm-lanai4", "barrier_NIC_based_16_nodes", 4),
        ("gm-lanai7", "barrier_NIC_based_8_nodes_LANai7.2", 3),
    ],
)
def test_a_step_of_a_card_s_barrier_has_the_cycles_that_the_page_tells(product, metric, steps):
    ours, published = (time_us / steps * mhz(product) for time_us in row_of(product, metric))
    published -= 0.01  # 1,083.5 was cut to 1,083
    assert f"{ours:,.0f} of {published:,.0f}" in line_of("barriers between cards")


def test_the_page_tells_how_far_a_predicted_rate_of_nt_is_off():
    ours, published = row_of("mvia-gnic2", "bandwidth_tcp_PII333_NT_Essential")
    assert f"{100 * (ours / published - 1):.0f} % high" in line_of("TCP")


def test_the_page_tells_how_well_rows_that_were_read_are_predicted():
    told = (DOC / "calibration-table.md").read_text("utf-8")
    rows, median, nine = re.search(
        r"Read and predicted: (\d+) rows, median error (\S+) %, nine of ten within (\S+) %", told
    ).groups()
    page = " ".join((DOC / "predictions.md").read_text("utf-8").split())
    assert f"Today {rows} rows were read in their texts and are predicted" in page
    assert f"median error is {median} %, and nine of ten are within {nine} %" in page
    assert int(rows) >= 28 and float(median) <= 5 and float(nine) <= 21


# ---- fitted numbers


def fitted():
    """Return all fitted numbers: file, key, value with unit, row."""
    cards = [profiles.load(name) for name in profiles.names()]
    cards += [profiles.load("ideal").with_kernel(name) for name in profiles.kernels()]
    cards += [profiles.load("ideal", name) for name in profiles.hosts()]
    return {
        (Path(each.file).stem, f"`{each.key}`", f"{each.value} {each.unit}",
         each.source.split(":")[0])
        for card in cards for each in card.entries if each.trust == "fitted"
    }  # fmt: skip


def test_the_page_lists_all_fitted_numbers_with_their_rows():
    text = (DOC / "predictions.md").read_text("utf-8")
    lines = text.partition("## Fitted numbers")[2].partition("##")[0].splitlines()
    listed = {tuple(cell.strip() for cell in line.strip("|").split("|"))
              for line in lines if line.startswith("| ")}  # fmt: skip
    listed.discard(("file", "number", "value", "row"))
    assert listed == fitted()
    of_kernels = sum(file in profiles.kernels() for file, *_ in listed)
    told = f"{len(listed)} numbers were moved until a measurement came out:"
    assert f"{told} {len(listed) - of_kernels} of products, {of_kernels} of kernels" in text


def test_no_engine_of_a_product_has_two_fitted_numbers_and_no_number_two_rows():
    numbers = list(fitted())
    engines = [(file, key.split("_")[0]) for file, key, *_ in numbers]
    assert len(set(engines)) == len(engines)
    assert not any(file in profiles.hosts() for file, *_ in numbers)


# ---- numbers of other runs


def latency_us(profile, size):
    task = costs.Task(profile, None, costs.LATENCY, size, quick=True)
    return costs.simulate(task).values[costs.LATENCY]


def rate_mb_s(profile, size=None):
    task = costs.Task(profile, None, costs.BANDWIDTH, size, quick=False)
    return costs.simulate(task).values[costs.BANDWIDTH]


@pytest.mark.parametrize(
    ("where", "told", "values"),
    [
        ("pieces", "BIP take {:.0f} us", lambda: [latency_us("bip", 4096)]),
        ("pieces", "of MX {:.0f} instead", lambda: [latency_us("mx-d", 4096)]),
        ("InfiniHost", "{:.0f} MB/s", lambda: [rate_mb_s("infinihost")]),
        ("VMMC, MyVIA", "{:.0f}, {:.0f}", lambda: [rate_mb_s("vmmc", n) for n in (4076, 4080)]),
        ("ServerNet II", "{:.0f}, {:.0f}",
         lambda: [rate_mb_s("servernet2", n) for n in (496, 512)]),
    ],
)  # fmt: skip
def test_the_page_has_the_numbers_of_its_runs(where, told, values):
    assert told.format(*values()) in line_of(where).split("|")[3]


@pytest.mark.night
def test_the_page_has_both_ways_of_the_faster_card():
    task = costs.Task("gm-lanai9-200", None, costs.TWO_WAY, None, quick=False)
    rate = costs.simulate(task).values[costs.BANDWIDTH]
    assert f"{rate:.0f} at 200 MHz" in line_of("two-way traffic")
