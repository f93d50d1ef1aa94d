# SPDX-License-Identifier: GPL-2.0-only
"""The figures and tables of a page, drawn by Bokeh. Their data comes later: page.js fills it in.

No text of a run is in a title, a label or a code of these figures: Bokeh reads formulas between two
dollar signs. What the user may point at shows columns of data, which Bokeh writes as plain text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from via._drawing import plots
from via.errors import refuse

LEAST = "3.9"  # of Bokeh
HEIGHTS = {
    "flight": 110, "messages-lines": 320, "path": 300, "stages": 380, "network": 560, "cdf": 320,
}  # fmt: skip
EDGES = (96, 104)  # points left and right of all time lines, so that their times align
TABLE_HEIGHT = 380
ROW_HEIGHT = 25
LOADS = "Cividis256"  # looks the same with any kind of colour vision
FONT = "system-ui, sans-serif"
FAULT = plots.VERMILION
PALE_BLUE = "#9cc7e0"

# Tables: field, title, width, format of a number (None: text).
COLUMNS: dict[str, Sequence[tuple[str, str, int, str | None]]] = {
    "messages": (
        ("message", "message", 90, None), ("op", "operation", 100, None),
        ("source", "from rank", 80, "0"), ("target", "to rank", 70, "0"),
        ("bytes", "bytes", 80, "0,0"), ("posted", "posted, \u00b5s", 130, "0,0.000000"),
        ("took", "took, \u00b5s", 120, "0,0.000000"), ("fate", "fate", 90, None),
        ("has_stages", "stages", 70, None),
    ),
    "links": (
        ("source", "from", 80, None), ("destination", "to", 80, None),
        ("busy_pct", "busy, %", 80, "0.00"), ("cells", "cells", 100, "0,0"),
        ("bytes", "bytes", 110, "0,0"), ("corrupt", "corrupt", 70, "0,0"),
        ("lost", "lost", 70, "0,0"),
    ),
    "counters": (
        ("owner", "owner", 100, None), ("counter", "counter", 180, None),
        ("value", "value", 120, "0,0"),
    ),
}  # fmt: skip


def check_library() -> None:
    """Refuse to go on without Bokeh.

    Raises:
        ConfigError: it is not installed, or too old.
    """
    need = f"a page needs {LEAST} or later, to be written: pip install 'bokeh>={LEAST}'"
    try:
        import bokeh
        import bokeh.plotting  # and what it needs itself
        import jinja2  # noqa: F401
    except ImportError as error:
        raise refuse("bokeh", "not installed", f"{need} ({error})") from None
    release = tuple(int(part) for part in bokeh.__version__.split(".")[:2])
    if release < tuple(map(int, LEAST.split("."))):
        raise refuse("bokeh", bokeh.__version__, need)


def scripts() -> list[str]:
    """Return the JavaScript of Bokeh that a page needs."""
    from bokeh.resources import Resources

    parts = ["bokeh", "bokeh-widgets", "bokeh-tables"]  # without formulas, maps and WebGL
    return list(Resources(mode="inline", components=parts, log_level="error").js_raw)


def document(
    names: Sequence[str],
    end_us: float,
    limits: tuple[float, float],
    busiest: float,
    over_decades: bool,
    time_axis: str,
) -> dict[str, Any]:
    """Return, as plain values for BokehJS, a document with these figures and tables.

    Args:
        names: of HEIGHTS and COLUMNS.
        end_us: end of the run.
        limits: of the colours of messages, in microseconds.
        busiest: upper limit of the colours of wires, in percent.
        over_decades: whether the axis of latencies is logarithmic.
        time_axis: its label.
    """
    from bokeh.core.json_encoder import serialize_json
    from bokeh.document import Document
    from bokeh.models import Range1d

    end = max(end_us, 1e-6)
    window = Range1d(0, end, bounds=(0, end), name="window")
    made = Document()
    for name in names:
        figure = "cdf-over-decades" if name == "cdf" and over_decades else name
        made.add_root(_table(name) if name in COLUMNS else _FIGURES[figure](window))
    for name, (low, high) in {"messages": limits, "network": (0, busiest)}.items():
        colours = made.get_model_by_name(f"{name}-colours")
        if colours is not None:
            colours.update(low=low, high=high)
    curve = made.get_model_by_name("cdf")
    if curve is not None:
        curve.below[0].axis_label = time_axis
    told: dict[str, Any] = json.loads(serialize_json(made.to_json(deferred=False)))
    return dict(_renumbered(told, {}))


def _renumbered(value: Any, known: dict[str, str]) -> Any:
    """Return a document whose ids count from 1: Bokeh's go on from figure to figure."""
    if isinstance(value, list):
        return [_renumbered(each, known) for each in value]
    if not isinstance(value, dict):
        return value
    found = {name: _renumbered(each, known) for name, each in value.items()}
    if isinstance(value.get("id"), str):
        found["id"] = known.setdefault(value["id"], f"m{len(known) + 1}")
    return found


def _figure(name: str, tools: str | list[Any], **given: Any) -> Any:
    from bokeh.plotting import figure

    made = figure(
        name=name, height=HEIGHTS[name], sizing_mode="stretch_width", tools=tools,
        toolbar_location="right", output_backend="canvas", **given,
    )  # fmt: skip
    made.toolbar.logo = None
    made.outline_line_color = None
    made.background_fill_color = made.border_fill_color = None
    made.grid.grid_line_color = "#e8eaee"
    for axis in made.axis:
        axis.axis_line_color = axis.major_tick_line_color = "#9aa3af"
        axis.minor_tick_line_color = None
        axis.major_label_text_font = axis.axis_label_text_font = FONT
        axis.axis_label_text_font_style = "normal"
        axis.axis_label_text_color = axis.major_label_text_color = "#4b5563"
    return made


def _time_axis(made: Any, label: str) -> None:
    from bokeh.models import NumeralTickFormatter

    made.xaxis.axis_label = label
    made.xaxis.formatter = NumeralTickFormatter(format="0,0.[000000]")
    made.xaxis.ticker.desired_num_ticks = 7


def _source(name: str, columns: Sequence[str]) -> Any:
    from bokeh.models import ColumnDataSource

    return ColumnDataSource({column: [] for column in columns}, name=f"{name}-data")


def _faults(made: Any) -> Any:
    """Mark the faults of a run: a pale strip from begin to end, over the full height."""
    data = _source(f"{made.name}-faults", ("left", "right", "kind", "where", "at", "until"))
    return made.vstrip(
        x0="left", x1="right", source=data, fill_color=FAULT, fill_alpha=0.07, line_color=FAULT,
        line_alpha=0.7, line_width=1.2,
    )  # fmt: skip


def _flight(window: Any) -> Any:
    from bokeh.models import HoverTool, RangeTool

    made = _figure("flight", "", x_range=(0, window.end), y_axis_label="in flight")
    made.toolbar_location = None
    made.min_border_left, made.min_border_right = EDGES
    made.quad(
        left="at", right="until", bottom=0, top="level",
        source=_source("flight", ("at", "until", "level")), fill_color=PALE_BLUE,
        line_color=PALE_BLUE,
    )  # fmt: skip
    tips = [("fault", "@kind"), ("where", "@where"), ("from", "@at"), ("until", "@until")]
    made.add_tools(HoverTool(renderers=[_faults(made)], tooltips=tips, visible=False))
    chooser = RangeTool(x_range=window)
    chooser.overlay.fill_color = plots.ORANGE
    chooser.overlay.fill_alpha = 0.08
    chooser.overlay.line_color = plots.ORANGE
    made.add_tools(chooser)
    made.y_range.start = 0
    made.yaxis.ticker.desired_num_ticks = 3
    made.xaxis.visible = False
    return made


def _tools(dimensions: str) -> list[Any]:
    """Return the tools of a time line; the wheel alone scrolls the page."""
    from bokeh import models

    return [
        models.PanTool(dimensions=dimensions), models.BoxZoomTool(dimensions=dimensions),
        models.WheelZoomTool(dimensions="width", modifiers={"ctrl": True}),
        models.ZoomInTool(dimensions="width", level=1, factor=0.5),
        models.ZoomOutTool(dimensions="width", level=1, factor=0.5),
        models.ResetTool(), models.SaveTool(),
    ]  # fmt: skip


def _time_line(name: str, window: Any, dimensions: str, **given: Any) -> Any:
    made = _figure(name, _tools(dimensions), x_range=window, active_scroll="auto", **given)
    made.min_border_left, made.min_border_right = EDGES
    _time_axis(made, "simulated time, \u00b5s")
    _faults(made)
    return made


def _messages(window: Any) -> Any:
    from bokeh.models import HoverTool, LinearColorMapper, Range1d, TapTool

    made = _time_line("messages-lines", window, "width", y_range=Range1d(), y_axis_label="node")
    colours = LinearColorMapper(palette=_loads(), name="messages-colours")
    fields = (
        "row", "message", "op", "bytes", "posted", "ended", "took", "fate", "from_node", "to_node",
    )  # fmt: skip
    data = _source("messages-drawn", fields)
    lines = made.segment(  # a click chooses one; the others keep their looks
        "posted", "from_node", "ended", "to_node", source=data, line_width=1.6,
        line_color={"field": "took", "transform": colours}, line_alpha=0.85,
        nonselection_line_alpha=0.85, nonselection_line_color={"field": "took",
        "transform": colours},
    )  # fmt: skip
    lost = made.segment(
        "posted", "from_node", "ended", "to_node", source=_source("messages-dropped", fields),
        line_color=FAULT, line_width=1.6, line_dash=[5, 3],
    )  # fmt: skip
    chosen = made.segment(
        "posted", "from_node", "ended", "to_node", source=_source("messages-chosen", fields),
        line_color=plots.BLACK, line_width=4,
    )  # fmt: skip
    tips = [
        ("message", "@message"), ("operation", "@op"), ("bytes", "@bytes{0,0}"),
        ("posted", "@posted{0,0.000000} \u00b5s"), ("took", "@took{0,0.000000} \u00b5s"),
        ("fate", "@fate"),
    ]  # fmt: skip
    made.add_tools(HoverTool(renderers=[lines, lost, chosen], tooltips=tips, visible=False),
                   TapTool(renderers=[lines], visible=False))  # fmt: skip
    made.add_layout(_colour_bar(colours, "took, \u00b5s"), "right")
    made.ygrid.visible = False
    made.yaxis.formatter = _counted("n%d")
    made.yaxis.ticker.min_interval = 1
    return made


def _colour_bar(colours: Any, title: str) -> Any:
    from bokeh.models import ColorBar

    return ColorBar(
        color_mapper=colours, width=10, padding=4, major_label_text_font=FONT,
        background_fill_color=None, bar_line_color=None, title=title, title_text_font=FONT,
        title_text_font_size="11px", title_text_font_style="normal",
    )  # fmt: skip


def _counted(text: str) -> Any:
    from bokeh.models import PrintfTickFormatter

    return PrintfTickFormatter(format=text)


def _loads() -> tuple[str, ...]:
    from bokeh import palettes

    return tuple(reversed(getattr(palettes, LOADS)))  # dark is busy


def _lanes(made: Any, name: str) -> Any:
    """Draw stages as bars, a lane per owner; waits are paler."""
    from bokeh.models import FixedTicker, HoverTool

    fields = ("lane", "begin", "until", "colour", "alpha", "stage", "owner", "message", "took",
              "effort")  # fmt: skip
    bars = made.hbar(
        y="lane", left="begin", right="until", height=0.78, source=_source(name, fields),
        fill_color="colour", fill_alpha="alpha", line_color="colour", line_alpha="alpha",
        line_width=0.5,
    )  # fmt: skip
    tips = [
        ("stage", "@stage"), ("owner", "@owner"), ("message", "@message"),
        ("begins", "@begin{0,0.000000} \u00b5s"), ("takes", "@took{0,0.000000} \u00b5s"),
        ("work", "@effort"),
    ]  # fmt: skip
    made.add_tools(HoverTool(renderers=[bars], tooltips=tips, visible=False))
    made.yaxis.ticker = FixedTicker(ticks=[])
    made.ygrid.visible = False
    return made


def _stages(window: Any) -> Any:
    from bokeh.models import Range1d

    made = _time_line("stages", window, "both", y_range=Range1d())
    return _lanes(made, "stages-drawn")


def _path(window: Any) -> Any:
    from bokeh.models import Range1d

    made = _figure("path", _tools("width"), x_range=Range1d(), y_range=Range1d())
    _time_axis(made, "\u00b5s after the post")
    return _lanes(made, "path-drawn")


def _network(window: Any) -> Any:
    from bokeh.models import HoverTool, LinearColorMapper

    made = _figure("network", "pan,box_zoom,reset,save", match_aspect=True)
    made.axis.visible = made.grid.visible = False
    colours = LinearColorMapper(palette=_loads(), name="network-colours")
    wires = made.multi_line(
        "xs", "ys", source=_source("network-wires", (
            "xs", "ys", "source", "destination", "busy_pct", "cells", "lost", "corrupt")),
        line_color={"field": "busy_pct", "transform": colours}, line_width=2.5,
    )  # fmt: skip
    fields = ("x", "y", "name", "label", "mark", "colour", "size")
    dots = made.scatter(
        "x", "y", source=_source("network-nodes", fields),
        marker="mark", size="size", fill_color="colour", line_color="white",
    )  # fmt: skip
    made.text(
        "x", "y", "label", source=dots.data_source, x_offset=7, y_offset=-5, text_font=FONT,
        text_font_size="11px", text_color="#4b5563", background_fill_color="white",
        background_fill_alpha=0.8, padding=1,
    )  # fmt: skip
    tips = [
        ("wire", "@source to @destination"), ("busy", "@busy_pct{0.00} % of the time"),
        ("cells", "@cells{0,0}"), ("lost, corrupt", "@lost{0,0}, @corrupt{0,0}"),
    ]  # fmt: skip
    made.add_tools(
        HoverTool(renderers=[wires], tooltips=tips, visible=False, line_policy="interp"),
        HoverTool(renderers=[dots], tooltips=[("node", "@name")], visible=False),
    )
    made.add_layout(_colour_bar(colours, "busy, %"), "right")
    return made


def _cdf(window: Any, scale: str = "linear") -> Any:
    from bokeh.models import CrosshairTool, HoverTool, NumeralTickFormatter

    made = _figure(
        "cdf", "pan,box_zoom,reset,save", x_axis_type=scale,
        y_axis_label="% of the times at or below", y_range=(0, 102),
    )  # fmt: skip
    made.xaxis.formatter = NumeralTickFormatter(format="0,0.[000000]")
    data = _source("cdf", ("us", "percent"))
    line = made.step("us", "percent", source=data, mode="after", line_color=plots.BLUE,
                     line_width=2)  # fmt: skip
    tips = [("at or below", "@us{0,0.000} \u00b5s"), ("share", "@percent{0.00} %")]
    made.add_tools(
        HoverTool(renderers=[line], tooltips=tips, mode="vline", visible=False),
        CrosshairTool(dimensions="height", line_color="#9aa3af", visible=False),
    )
    return made


def _cdf_over_decades(window: Any) -> Any:
    return _cdf(window, "log")


_FIGURES: dict[str, Callable[[Any], Any]] = {
    "flight": _flight, "messages-lines": _messages, "path": _path, "stages": _stages,
    "network": _network, "cdf": _cdf, "cdf-over-decades": _cdf_over_decades,
}  # fmt: skip


def _table(name: str) -> Any:
    from bokeh.models import CDSView, DataTable, IndexFilter, NumberFormatter, TableColumn

    columns = [
        TableColumn(
            field=field, title=title, width=width,
            **({} if form is None else
               {"formatter": NumberFormatter(format=form, text_align="right")}),
        )
        for field, title, width, form in COLUMNS[name]
    ]  # fmt: skip
    fields = [field for field, _, _, _ in COLUMNS[name]]
    return DataTable(
        name=name, source=_source(f"{name}-table", fields), columns=columns,
        view=CDSView(filter=IndexFilter(indices=None, name=f"{name}-found")),
        height=TABLE_HEIGHT, row_height=ROW_HEIGHT, sizing_mode="stretch_width",
        index_position=None, selectable=True, reorderable=False,
    )  # fmt: skip
