/* The case table: filtered, sorted, and only the rows in view are in the page. */
const ROW = 36;
const OVERSCAN = 8;
const SAME = 1e-9;
const STATUSES = ["ok", "timeout", "error", "invalid", "no_trace"];
const CHANGES = ["worse", "better", "same", "changed", "uncompared"];
const view = { text: "", metric: 0, segment: "", lost: "", change: "", status: "", sort: "", down: false };
let index = null;
let order = [];
let drawn = { from: -1, to: -1 };
let paper = false;
const place = () => document.getElementById("case-table");

const ours = (row) => index.candidate[view.metric]?.[row];
const theirs = (row) => index.baseline?.[view.metric]?.[row];
function gap(row) {
  const a = ours(row);
  const b = theirs(row);
  return typeof a === "number" && typeof b === "number" ? a - b : null;
}
function changeOf(row) {
  const difference = gap(row);
  if (difference === null) return "uncompared";
  if (Math.abs(difference) <= SAME) return "same";
  const { higher } = settings.metrics[view.metric];
  if (higher === null) return "changed";
  return difference > 0 === higher ? "better" : "worse";
}
const lostWord = (row) =>
  index.lost[row] >= 0 ? stageWord(index.stages[index.lost[row]]) : say(index.followed[row] ? "not_lost" : "not_known");

function keeps(row, needle) {
  if (needle && !index.haystack[row].includes(needle)) return false;
  if (view.segment !== "" && !index.caseSegments[row].includes(Number(view.segment))) return false;
  if (view.lost !== "" && String(index.lost[row]) !== view.lost) return false;
  if (view.change && changeOf(row) !== view.change) return false;
  return !view.status || index.status[row] === view.status;
}
const KEYS = {
  id: (row) => index.ids[row],
  question: (row) => index.questions[row],
  lost: (row) => (index.lost[row] < 0 ? null : index.lost[row]),
  status: (row) => STATUSES.indexOf(index.status[row]),
  candidate: (row) => (typeof ours(row) === "number" ? ours(row) : null),
  baseline: (row) => (typeof theirs(row) === "number" ? theirs(row) : null),
  difference: gap,
};
function arrange() {
  const needle = view.text.trim().toLowerCase();
  order = [];
  for (let row = 0; row < index.ids.length; row += 1) if (keeps(row, needle)) order.push(row);
  if (!view.sort) return;
  const key = KEYS[view.sort];
  const values = new Map(order.map((row) => [row, key(row)]));
  const sign = view.down ? -1 : 1;
  order.sort((a, b) => {
    const x = values.get(a);
    const y = values.get(b);
    if (x === null || y === null) return (x === null) - (y === null) || a - b;
    const compared = typeof x === "string" ? x.localeCompare(y, undefined, { numeric: true }) : x - y;
    return sign * compared || a - b;
  });
}

const caseHref = (row) => `#case=${encodeURIComponent(index.ids[row])}`;
function tableRow(position) {
  const row = order[position];
  const metric = settings.metrics[view.metric];
  const change = changeOf(row);
  const cells = [
    el("td", {}, el("a", { href: caseHref(row), "data-row": row }, untrusted(index.ids[row]))),
    el("td", {}, untrusted(index.questions[row].replace(/\s+/g, " "))),
    el("td", {}, lostWord(row)),
    el("td", { class: index.status[row] === "ok" ? null : "fault" }, say(index.status[row])),
  ];
  if (metric) {
    cells.push(el("td", { class: "num" }, figure(ours(row), metric)));
    if (index.baseline) {
      const difference = gap(row);
      const told = change === "worse" || change === "better" ? ` ${say(change)}` : "";
      cells.push(
        el("td", { class: "num" }, figure(theirs(row), metric)),
        el("td", { class: `num ${change}-text` }, difference === null ? el("span", { class: "reason" }, say("uncompared")) : figure(difference, metric, true), told),
      );
    }
  }
  return el("tr", { "aria-rowindex": position + 2 }, ...cells);
}
/* On the screen the rows in view and some around them; on paper the first ones, and a line that says how many. */
function rowsInView(frame, total) {
  const told = frame.nextElementSibling;
  told.textContent = total > PRINTED ? say("printed", { n: count(PRINTED), all: count(total) }) : "";
  if (paper) return [0, Math.min(total, PRINTED)];
  const first = Math.max(0, Math.floor(frame.scrollTop / ROW) - OVERSCAN);
  return [first, Math.min(total, first + Math.ceil(window.innerHeight / ROW) + 2 * OVERSCAN)];
}
const printedNote = () => el("p", { class: "legend print-only" });
function spacer(rows, columns) {
  const row = el("tr", { class: "spacer", "aria-hidden": "true" }, el("td", { colspan: columns }));
  row.firstChild.style.height = `${rows * ROW}px`;
  return row;
}
function drawRows(force = false) {
  const frame = document.getElementById("case-window");
  if (!frame) return;
  const [first, last] = rowsInView(frame, order.length);
  if (!force && first === drawn.from && last === drawn.to) return;
  drawn = { from: first, to: last };
  const body = frame.querySelector("tbody");
  const held = body.contains(document.activeElement) ? document.activeElement.dataset.row : null;
  const columns = frame.querySelectorAll("thead th").length;
  const rows = [];
  for (let position = first; position < last; position += 1) rows.push(tableRow(position));
  body.replaceChildren(...(paper ? rows : [spacer(first, columns), ...rows, spacer(order.length - last, columns)]));
  if (held !== null) body.querySelector(`a[data-row="${held}"]`)?.focus({ preventScroll: true });
}

function picker(name, label, options) {
  const box = el("select", { id: `f-${name}` }, ...options.map(([value, text]) => el("option", { value }, ...shown(text))));
  box.value = String(view[name]);
  box.addEventListener("change", () => {
    view[name] = name === "metric" ? Number(box.value) : box.value;
    drawTable();
  });
  return el("label", {}, label, box);
}
function filters() {
  const all = ["", say("all")];
  const search = el("input", { type: "search", id: "f-text", autocomplete: "off", spellcheck: "false", "aria-keyshortcuts": "/" });
  search.value = view.text;
  search.addEventListener("input", () => {
    view.text = search.value;
    refresh();
  });
  const clear = el("button", { type: "button", onclick: () => { Object.assign(view, { text: "", segment: "", lost: "", change: "", status: "" }); drawTable(); } }, say("clear"));
  return el("div", { class: "filters", role: "search" },
    el("label", {}, say("filter"), search),
    settings.metrics.length > 1 && picker("metric", say("metric"), settings.metrics.map((m, i) => [String(i), m.title[language()]])),
    index.baseline && picker("change", say("change"), [all, ...CHANGES.map((c) => [c, say(c)])]),
    picker("lost", say("lost"), [all, ...index.stages.map((s, i) => [String(i), stageWord(s)])]),
    picker("segment", say("segment"), [all, ...index.segments.map((s, i) => [String(i), s])]),
    picker("status", say("status"), [all, ...STATUSES.map((s) => [s, say(s)])]),
    clear);
}
function headCell(key, title, width, numeric) {
  const sorted = view.sort === key;
  const arrow = sorted ? (view.down ? " ↓" : " ↑") : "";
  const press = el("button", { type: "button", title: say("sort_by", { column: title }), "data-sort": key, onclick: () => {
    view.down = sorted ? !view.down : false;
    view.sort = key;
    drawTable();
    place().querySelector(`[data-sort="${key}"]`)?.focus();
  } }, title + arrow);
  return el("th", { scope: "col", class: `${width} ${numeric ? "num" : ""}`, "aria-sort": sorted ? (view.down ? "descending" : "ascending") : null }, press);
}
function drawTable() {
  const metric = settings.metrics[view.metric];
  const head = [headCell("id", say("case"), "w-id"), headCell("question", say("question"), "w-q"), headCell("lost", say("lost"), "w-lost"), headCell("status", say("status"), "w-status")];
  if (metric) head.push(headCell("candidate", say("candidate"), "", true));
  if (metric && index.baseline) head.push(headCell("baseline", say("baseline"), "", true), headCell("difference", say("difference"), "", true));
  const frame = el("div", { class: "window", id: "case-window", tabindex: "0", role: "region", "aria-labelledby": "case-count" },
    el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody")));
  frame.addEventListener("scroll", () => drawRows(), { passive: true });
  place().replaceChildren(filters(), el("p", { class: "aside", id: "case-count" }), frame, printedNote());
  refresh();
}
function refresh() {
  arrange();
  document.getElementById("case-count").textContent = order.length ? say("shown", { n: count(order.length), all: count(index.ids.length) }) : say("none_match");
  document.getElementById("case-window").scrollTop = 0;
  document.querySelector("#case-window table").setAttribute("aria-rowcount", String(order.length + 1));
  drawRows(true);
}

/* j and k in the table move the focus from case to case. */
function step(by) {
  const frame = document.getElementById("case-window");
  const focused = document.activeElement?.dataset?.row;
  const at = focused === undefined ? (by > 0 ? -1 : order.length) : order.indexOf(Number(focused));
  const next = Math.min(Math.max(at + by, 0), order.length - 1);
  if (next < 0) return;
  const top = next * ROW;
  if (top < frame.scrollTop || top > frame.scrollTop + frame.clientHeight - 3 * ROW) frame.scrollTop = Math.max(0, top - frame.clientHeight / 2);
  drawRows();
  frame.querySelector(`a[data-row="${order[next]}"]`)?.focus({ preventScroll: true });
  frame.scrollIntoView({ block: "nearest" });
}
