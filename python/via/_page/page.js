// SPDX-License-Identifier: GPL-2.0-only
// Fills the figures and tables of a page with the run's data, and answers searches and choices.
// Texts of the run reach the page as text nodes and as columns of data, never as HTML.
"use strict";

(() => {
  const MOST_DRAWN = { messages: 4000, stages: 6000 };
  const LANES_SHOWN = 28;
  const LANE_HEIGHT = 24;
  const TABLE_HEAD = 32; // pixels of a table that are no rows
  const NARROW = 700; // pixels of a page with room for few ticks
  const NARROW_EDGE = 64; // pixels right of its time lines: the scale of colours, without tools
  const WAIT_ALPHA = 0.3;
  const SETTLED_MS = 60; // redraw when a window has not changed for this long

  const json = (id) => JSON.parse(document.getElementById(id).textContent);
  const say = (id, text) => {
    const place = document.getElementById(id);
    if (place) place.textContent = text;
  };
  const number = (value, digits = 0) =>
    value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });

  const TYPES = { i32: Int32Array, f64: Float64Array };

  /** A column as an array, from what sampling.packed() wrote. */
  function unpacked(column) {
    if (Array.isArray(column)) return column;
    if (column.names) return Array.from(unpacked(column.codes), (code) => column.names[code]);
    const [kind] = Object.keys(column);
    const bytes = Uint8Array.from(atob(column[kind]), (letter) => letter.charCodeAt(0));
    return new TYPES[kind](bytes.buffer);
  }

  function table(packed) {
    const found = {};
    for (const name of Object.keys(packed)) found[name] = unpacked(packed[name]);
    return found;
  }

  const inUs = (column) => Float64Array.from(column, (ps) => ps / 1e6);
  const taken = (columns, rows) => {
    const found = {};
    for (const name of Object.keys(columns)) {
      const column = columns[name];
      found[name] = rows.map((row) => column[row]);
    }
    return found;
  };
  const rowsOf = (count) => Array.from({ length: count }, (_, row) => row);

  const data = json("data");
  const figures = json("figures");
  let models; // finds a figure or source by name
  const filled = (name, columns) => {
    const source = models(`${name}-data`);
    if (source) source.data = columns;
  };
  const inWindow = (begin, until, from, to) => {
    const rows = [];
    for (let row = 0; row < begin.length; ++row)
      if (until[row] >= from && begin[row] <= to) rows.push(row);
    return rows;
  };
  /** At most this many of some rows, evenly. */
  const thinned = (rows, most) => {
    if (rows.length <= most) return rows;
    const step = rows.length / most;
    return Array.from({ length: most }, (_, i) => rows[Math.floor(i * step)]);
  };
  const drawnText = (what, drawn, found, all) =>
    drawn < found
      ? `Drawn: ${number(drawn)} of the ${number(found)} ${what} in this window, evenly chosen ` +
        `(${number(all)} in the page). Zoom in to see all.`
      : `Drawn: all ${number(found)} ${what} in this window (${number(all)} in the page).`;

  // ---- messages and their stages

  let messages = null;
  let stages = null;
  let stagesOf = new Map(); // rows of stages by row of message

  /** The part of a node that an owner is: "bus" of "n0.bus". */
  const partOf = (owner) => {
    const part = owner.slice(owner.lastIndexOf(".") + 1);
    return Object.hasOwn(data.colours, part) ? part : "other";
  };

  function readMessages() {
    messages = table(data.messages);
    messages.posted = inUs(messages.posted_ps);
    messages.took = inUs(messages.took_ps);
    messages.ended = messages.posted.map((posted, row) => posted + messages.took[row]);
    messages.fate = Array.from(messages.dropped, (dropped) => (dropped ? "dropped" : "arrived"));
    messages.row = rowsOf(messages.posted.length);
  }

  function readStages() {
    stages = table(data.stages);
    stages.begin = inUs(stages.begin_ps);
    stages.took = inUs(stages.took_ps);
    stages.until = stages.begin.map((begin, row) => begin + stages.took[row]);
    stages.colour = stages.owner.map((owner) => data.colours[partOf(owner)]);
    stages.message = Array.from(stages.row, (row) => messages.message[row]);
    const { works, waits } = data.doings;
    stages.alpha = stages.doing.map((doing) => (doing === waits ? WAIT_ALPHA : 1));
    stages.effort = stages.doing.map((doing, i) =>
      doing === works
        ? `${number(stages.cycles[i])} cycles at ${stages.clock_hz[i] / 1e6} MHz`
        : doing,
    );
    stages.row.forEach((row, i) => {
      if (!stagesOf.has(row)) stagesOf.set(row, []);
      stagesOf.get(row).push(i);
    });
  }

  const DRAWN = ["row", "message", "op", "bytes", "posted", "ended", "took", "fate", "from_node",
    "to_node"];
  const BARS = ["begin", "until", "colour", "alpha", "stage", "owner", "message", "took", "effort"];
  const only = (columns, names) => Object.fromEntries(names.map((name) => [name, columns[name]]));

  function drawMessages(window) {
    const found = inWindow(messages.posted, messages.ended, window.start, window.end);
    const drawn = thinned(found, MOST_DRAWN.messages);
    const columns = only(messages, DRAWN);
    models("messages-drawn-data").selected.indices = []; // they are of what was drawn before
    filled("messages-drawn", taken(columns, drawn.filter((row) => !messages.dropped[row])));
    filled("messages-dropped", taken(columns, drawn.filter((row) => messages.dropped[row])));
    const all = messages.posted.length;
    say("messages-said", drawnText("messages", drawn.length, found.length, all));
  }

  function drawStages(window) {
    const found = inWindow(stages.begin, stages.until, window.start, window.end);
    const drawn = thinned(found, MOST_DRAWN.stages);
    filled("stages-drawn", taken({ ...only(stages, BARS), lane: stages.lane }, drawn));
    say("stages-said", drawnText("stages", drawn.length, found.length, stages.begin.length));
  }

  /** BokehJS takes what is between two dollar signs, or behind a backslash, for a formula. */
  const label = (text) => text.replaceAll("$", "\uff04").replaceAll("\\", "\uff3c").slice(0, 24);

  function nameLanes(figure, owners) {
    const axis = figure.left[0];
    axis.ticker.ticks = rowsOf(owners.length);
    axis.major_label_overrides = new Map(owners.map((owner, lane) => [lane, label(owner)]));
  }

  /** The lanes of all stages: nodes by number, then switches; of each, its parts in one order. */
  function placeStages(figure) {
    const parts = Object.keys(data.colours);
    const key = (owner) => {
      const [, letter, digits] = /^([ns])(\d+)/.exec(owner) || [0, "z", "0"];
      return letter + digits.padStart(8, "0") + String.fromCharCode(parts.indexOf(partOf(owner)));
    };
    const owners = [...new Set(stages.owner)];
    owners.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
    const lanes = new Map(owners.map((owner, lane) => [owner, lane]));
    stages.lane = stages.owner.map((owner) => lanes.get(owner));
    nameLanes(figure, owners);
    const shown = Math.min(owners.length, LANES_SHOWN);
    figure.y_range.setv({ start: shown - 0.4, end: -0.6, reset_start: shown - 0.4,
      reset_end: -0.6 });
    figure.height = 90 + Math.max(5, shown) * LANE_HEIGHT * 0.75;
    if (owners.length > shown)
      say("lanes-said", `${shown} of ${owners.length} lanes are in view: drag up to see others.`);
  }

  function showPath(row) {
    const chosen = stagesOf.get(row);
    const of = `message ${messages.message[row]}: ${messages.op[row]} of ` +
      `${number(messages.bytes[row])} bytes, rank ${messages.source[row]} to rank ` +
      `${messages.target[row]}, ${number(messages.took[row], 6)} \u00b5s`;
    filled("messages-chosen", taken(only(messages, DRAWN), [row]));
    const figure = models("path");
    if (!figure) return;
    if (!chosen) {
      say("path-said", `The stages of ${of} are not in this page, which has those of ` +
        `${number(stagesOf.size)} messages. In a terminal: via breakdown RUN_FOLDER --message ` +
        messages.message[row]);
      filled("path-drawn", taken({ ...only(stages, BARS), lane: [] }, []));
      return;
    }
    say("path-said", `M${of.slice(1)}`);
    const owners = [...new Set(chosen.map((i) => stages.owner[i]))];
    const columns = taken(only(stages, BARS), chosen);
    const begin = messages.posted[row];
    columns.lane = columns.owner.map((owner) => owners.indexOf(owner));
    columns.begin = columns.begin.map((at) => at - begin);
    columns.until = columns.until.map((at) => at - begin);
    nameLanes(figure, owners);
    const end = Math.max(messages.took[row], 1e-6);
    figure.x_range.setv({ start: -0.01 * end, end: 1.01 * end, reset_start: -0.01 * end,
      reset_end: 1.01 * end });
    figure.y_range.setv({ start: owners.length - 0.4, end: -0.6,
      reset_start: owners.length - 0.4, reset_end: -0.6 });
    figure.height = 90 + owners.length * LANE_HEIGHT;
    filled("path-drawn", columns);
  }

  function choose(row, window) {
    showPath(row);
    const [from, to] = [messages.posted[row], messages.ended[row]];
    if (window && (to < window.start || from > window.end ||
      to - from < 0.02 * (window.end - window.start))) {
      const room = Math.max(4 * (to - from), 1e-6);
      window.setv({ start: Math.max(0, from - room), end: Math.min(data.end_us, to + room) });
    }
  }

  // ---- tables and their searches

  const COMPARED = /^([a-z_]+)(<=|>=|<|>|=)(.+)$/;
  const COMPARE = {
    "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b,
    "=": (a, b) => a === b,
  };

  /** What a word of a search asks of a row: a comparison such as took>100, or a part of a text. */
  function question(word, columns, names) {
    const compared = COMPARED.exec(word);
    if (compared && names.includes(compared[1])) {
      const column = columns[compared[1]];
      const value = compared[3];
      return typeof column[0] === "number"
        ? (row) => COMPARE[compared[2]](column[row], Number(value))
        : (row) => COMPARE[compared[2]](String(column[row]).toLowerCase(), value);
    }
    return (row) => names.some((name) => String(columns[name][row]).toLowerCase().includes(word));
  }

  function searchable(name, columns, names) {
    const field = document.getElementById(`${name}-search`);
    const count = columns[names[0]].length;
    const grid = models(name);
    const most = grid.height;
    filled(`${name}-table`, only(columns, names));
    const search = () => {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      const asked = words.map((word) => question(word, columns, names));
      const rows = asked.length
        ? rowsOf(count).filter((row) => asked.every((fits) => fits(row)))
        : null;
      const shown = rows ? rows.length : count;
      grid.height = Math.min(most, TABLE_HEAD + Math.max(1, shown) * grid.row_height);
      models(`${name}-found`).indices = rows;
      models(`${name}-table-data`).change.emit();
      say(`${name}-count`, `${number(shown)} of ${number(count)} rows`);
    };
    let timer = 0;
    field.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(search, SETTLED_MS);
    });
    search();
  }

  // ---- the page

  function fillTime(window) {
    const faults = table(data.faults);
    if (faults.left) {
      for (const figure of ["flight", "messages-lines", "stages"])
        filled(`${figure}-faults`, faults);
    }
    if (data.flight) {
      const flight = table(data.flight);
      const at = inUs(flight.at_ps);
      filled("flight", { at, until: [...at.slice(1), data.end_us], level: flight.level });
    }
    if (!messages) return;
    models("messages-lines").y_range.setv({ start: data.top + 0.4, end: -0.4,
      reset_start: data.top + 0.4, reset_end: -0.4 });
    if (stages && models("stages")) placeStages(models("stages"));
    const draw = () => {
      drawMessages(window);
      if (stages) drawStages(window);
    };
    let timer = 0;
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(draw, SETTLED_MS);
    };
    window.properties.start.change.connect(later);
    window.properties.end.change.connect(later);
    draw();
  }

  function fillMessages(window) {
    if (!messages) return;
    messages.has_stages = messages.row.map((row) => (stagesOf.has(row) ? "yes" : "no"));
    searchable("messages", messages, data.fields.messages);
    const asked = (name, rowOf) => {
      const source = models(`${name}-data`);
      source.selected.properties.indices.change.connect(() => {
        const [first] = source.selected.indices;
        if (first !== undefined) choose(rowOf(first, source), window);
      });
    };
    asked("messages-table", (row) => row);
    asked("messages-drawn", (row, source) => source.data.row[row]);
    if (messages.row.length) {
      const slowest = messages.row.reduce((a, b) => (messages.took[b] > messages.took[a] ? b : a));
      showPath(slowest);
    }
  }

  function fillNetwork() {
    if (!data.links) return;
    const links = table(data.links);
    searchable("links", links, data.fields.links);
    if (!data.network) return;
    const { xs, ys, order, nodes } = data.network;
    const shown = only(links, ["source", "destination", "busy_pct", "cells", "lost", "corrupt"]);
    filled("network-wires", { ...taken(shown, order), xs, ys });
    filled("network-nodes", nodes);
  }

  function fill() {
    const window = models("window");
    if (document.documentElement.clientWidth < NARROW) {
      for (const name of ["messages-lines", "stages", "path", "cdf"])
        if (models(name)) models(name).below[0].ticker.desired_num_ticks = 3;
      for (const name of ["flight", "messages-lines", "stages"]) {
        if (!models(name)) continue;
        models(name).min_border_right = NARROW_EDGE;
        if (models(name).toolbar_location) models(name).toolbar_location = "above";
      }
    }
    if (data.messages) readMessages();
    if (messages && data.stages) readStages();
    fillTime(window);
    fillMessages(window);
    fillNetwork();
    if (data.cdf) {
      const cdf = table(data.cdf);
      filled("cdf", { us: inUs(cdf.ps), percent: cdf.percent });
    }
    if (data.counters) searchable("counters", table(data.counters), data.fields.counters);
    document.documentElement.dataset.ready = "yes"; // tests wait for it
  }

  const item = { docid: "run", roots: figures.roots, root_ids: Object.keys(figures.roots) };
  Bokeh.embed.embed_items({ run: figures.document }, [item]).then(() => {
    models = (name) => Bokeh.documents[0].get_model_by_name(name);
    fill();
  });
})();
