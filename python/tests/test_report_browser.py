# SPDX-License-Identifier: GPL-2.0-only
"""Report pages in a browser: figures are drawn, searches and choices work, names stay text."""

import io

import browser
import pytest
import via
from PIL import Image
from test_report_page import HOSTILE, hostile_copy

pytest.importorskip("bokeh", "3.9", reason="Bokeh is not installed: ./via setup --ci does it")
pytestmark = [
    pytest.mark.night,
    pytest.mark.skipif(browser.PROGRAM is None, reason=browser.NEEDED),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    plan = via.Faults().link_down("n1", at="200 us", until="250 us")
    place = tmp_path_factory.mktemp("saved") / "run"
    via.Cluster("torus:3x3", nodes=9, faults=plan).run("all-to-all", rounds=3).save(place)
    return place


@pytest.fixture(scope="module")
def page(folder, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "page.html"
    via.Run.load(folder).report_page(path)
    with browser.opened(tmp_path_factory.mktemp("home")) as shown:
        shown.open(path, 1400)
        yield shown


def text(page, element):
    return page.value(f"document.getElementById('{element}').textContent")


def test_nothing_goes_wrong_and_nothing_is_asked_of_the_network(page):
    assert page.complaints() == []


@pytest.mark.parametrize("width", [480, 1400])
def test_the_figures_have_colours_and_the_page_is_not_too_wide(page, width):
    page.call("Emulation.setDeviceMetricsOverride", width=width, height=1000, deviceScaleFactor=1,
              mobile=False)  # fmt: skip
    page.until(f"document.documentElement.scrollWidth === {width}")
    shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    colours = {colour for _, colour in shot.getcolors(1 << 24)}
    assert shot.width == width
    assert {(0, 114, 178), (230, 159, 0), (0, 158, 115)} <= colours  # CPU, bus, NIC
    assert len(colours) > 256  # the scale of the loads


def test_the_page_is_dark_where_the_system_is(folder, tmp_path):
    via.Run.load(folder).report_page(tmp_path / "page.html")
    dark = [{"name": "prefers-color-scheme", "value": "dark"}]
    with browser.opened(tmp_path / "home") as shown:
        shown.call("Emulation.setEmulatedMedia", features=dark)
        shown.open(tmp_path / "page.html", 1400)
        shot = Image.open(io.BytesIO(shown.screenshot())).convert("L")
        ink = shown.value("getComputedStyle(document.querySelector('.plot.table')).color")
    bright = sum(shot.histogram()[160:]) / (shot.width * shot.height)
    assert 0.002 < bright < 0.05  # letters
    assert ink == "rgb(31, 41, 55)"  # a filter makes it light


def test_the_time_lines_are_equally_wide(page):
    figures = ["flight", "messages-lines", "stages"]
    widths = [page.value(f"Bokeh.documents[0].get_model_by_name('{each}').inner_width")
              for each in figures]  # fmt: skip
    assert widths[0] > 500
    assert len(set(widths)) == 1


def test_on_a_phone_the_time_lines_have_more_than_half_of_its_width(folder, tmp_path):
    via.Run.load(folder).report_page(tmp_path / "page.html")
    with browser.opened(tmp_path / "home") as phone:
        phone.open(tmp_path / "page.html", 390)
        widths = {phone.value(f"Bokeh.documents[0].get_model_by_name('{each}').inner_width")
                  for each in ("flight", "messages-lines", "stages")}  # fmt: skip
    assert len(widths) == 1 and min(widths) > 180


def test_a_search_finds_rows_by_text_and_by_number(page):
    search = "document.getElementById('messages-search')"
    for asked, found in (("from-nowhere", 0), ("source=3 target=4", 3), ("bytes>0", 216)):
        page.value(f"{search}.value = '{asked}', {search}.dispatchEvent(new Event('input'))")
        page.until(f"document.getElementById('messages-count').textContent.startsWith('{found} ')")


def test_a_table_is_as_high_as_its_rows_also_after_a_search(page):
    """No row is cut, and below the last one is no room for another."""
    room = (
        "(() => { const grid = Bokeh.index.get_by_id(Bokeh.documents[0]"
        ".get_model_by_name('messages').id).shadow_el.querySelector('.slick-viewport-left'); "
        "const ends = [...grid.querySelectorAll('.slick-row')].map((row) => "
        "row.getBoundingClientRect().bottom); "
        "return grid.getBoundingClientRect().bottom - Math.max(...ends); })()"
    )
    search, said = (f"document.getElementById('messages-{part}')" for part in ("search", "count"))
    for asked, found in (("source=3 target=4", 3), ("message=3.0.0", 1)):
        page.value(f"{search}.value = '{asked}', {search}.dispatchEvent(new Event('input'))")
        page.until(f"{said}.textContent.startsWith('{found} ')")
        page.until(f"{room} >= 0 && {room} < 12")
    height = "document.getElementById('plot-messages').getBoundingClientRect().height"
    low = page.value(height)
    page.value(f"{search}.value = '', {search}.dispatchEvent(new Event('input'))")
    page.until(f"{height} === 380")
    assert low < 80


def test_a_chosen_message_shows_its_critical_path(page):
    table = "Bokeh.documents[0].get_model_by_name('messages-table-data')"
    page.value(f"{table}.selected.indices = [7], 1")
    name = page.value(f"{table}.data.message[7]")
    assert text(page, "path-said").startswith(f"Message {name}: send of 4,096 bytes, rank ")
    drawn = "Bokeh.documents[0].get_model_by_name('path-drawn-data').data.message"
    assert set(page.value(f"[...{drawn}]")) == {name}


def test_a_click_on_a_line_chooses_its_message(page):
    drawn = "Bokeh.documents[0].get_model_by_name('messages-drawn-data')"
    for place in (5, 3):
        name = page.value(f"{drawn}.data.message[{place}]")
        page.value(f"{drawn}.selected.indices = [{place}], 1")
        assert text(page, "path-said").startswith(f"Message {name}: ")


def test_a_smaller_window_draws_fewer_messages_and_says_how_many(page):
    window = "Bokeh.documents[0].get_model_by_name('window')"
    assert "all 216 messages" in text(page, "messages-said")
    page.value(f"{window}.setv({{start: 0, end: 100}}), 1")
    page.until("!document.getElementById('messages-said').textContent.includes('all 216 messages')")


def test_names_from_a_run_stay_text_in_the_browser(folder, tmp_path):
    hostile_copy(folder, tmp_path / "hostile.html")
    with browser.opened(tmp_path / "home") as shown:
        shown.open(tmp_path / "hostile.html", 1400)
        shown.value("document.getElementById('messages').scrollIntoView()")
        assert shown.value("document.title").startswith("via report: ")
        assert shown.value("document.querySelectorAll('img').length") == 0
        assert HOSTILE in text(shown, "path-said")
        assert shown.complaints() == []
