/* Addresses, keys and switches. The address after # is the only state. */
const report = document.getElementById("report");
let seenAt = 0;
let shownCase = null;
let turn = 0;

function address() {
  const hash = location.hash.slice(1);
  return hash.includes("=") ? new URLSearchParams(hash.replaceAll("+", "%2B")) : null;
}
function failed(error) {
  document.getElementById("live").textContent = say("broken");
  place().replaceChildren(el("p", { class: "note" }, say("broken")));
  throw error;
}
async function showCase(id, focus, claim = null) {
  const mine = (turn += 1);
  await drawCase(id);
  if (mine !== turn) return;
  if (!report.hidden) seenAt = window.scrollY;
  report.hidden = true;
  caseArea().hidden = false;
  shownCase = id;
  if (focus) {
    window.scrollTo(0, 0);
    caseArea().querySelector("h1").focus({ preventScroll: true });
    if (claim !== null) goToClaim(claim);
  }
}
function showReport() {
  turn += 1;
  const from = shownCase;
  const wasCase = report.hidden;
  report.hidden = false;
  caseArea().hidden = true;
  caseArea().replaceChildren();
  shownCase = null;
  if (wasCase) {
    window.scrollTo(0, seenAt);
    drawRows(true);
    drawClaims(true);
    const row = index.ids.indexOf(from);
    document.querySelector(`#case-window a[data-row="${row}"]`)?.focus({ preventScroll: true });
  }
}
const NAMED = {
  lost: (value) => String(index.stages.indexOf(value)),
  segment: (value) => String(index.segments.indexOf(value)),
  change: (value) => value,
  status: (value) => value,
};
function follow(focus = true) {
  const asked = address();
  const id = asked?.get("case");
  if (id !== null && id !== undefined) {
    showCase(id, focus, asked.get("claim")).catch(failed);
    return;
  }
  const cameFrom = shownCase;
  showReport();
  if (asked === null) {
    const section = location.hash.slice(1);
    if (cameFrom === null && section) document.getElementById(section)?.scrollIntoView();
    return;
  }
  Object.assign(view, { text: "", segment: "", lost: "", change: "", status: "" });
  for (const [name, read] of Object.entries(NAMED)) if (asked.has(name)) view[name] = read(asked.get(name));
  if (asked.has("change")) view.metric = 0;
  drawTable();
  document.getElementById("cases").scrollIntoView();
  document.getElementById("case-window").focus({ preventScroll: true });
}

function drawKeys() {
  const rows = [["/", "key_filter"], ["j k", "key_next"], ["Enter", "key_open"], ["Esc", "key_back"], ["?", "key_help"]];
  const box = document.getElementById("keys");
  box.replaceChildren(el("h2", { id: "keys-title" }, say("keys_title")),
    el("dl", {}, ...rows.flatMap(([keys, text]) => [el("dt", {}, ...keys.split(" ").flatMap((k) => [el("kbd", {}, k), " "])), el("dd", {}, say(text))])),
    el("button", { type: "button", onclick: () => box.close() }, say("close")));
  return box;
}
function toggleKeys() {
  const box = document.getElementById("keys");
  if (box.open) box.close();
  else drawKeys().showModal();
}
function neighbour(by) {
  const row = index.ids.indexOf(shownCase);
  const next = order[order.indexOf(row) + by];
  if (order.includes(row) && next !== undefined) location.hash = caseHref(next);
}
const PRESSED = {
  "/": () => {
    if (shownCase !== null) location.hash = "#cases";
    showReport();
    document.getElementById("f-text").focus();
  },
  j: () => (shownCase === null ? step(1) : neighbour(1)),
  k: () => (shownCase === null ? step(-1) : neighbour(-1)),
  "?": toggleKeys,
  Escape: () => { if (shownCase !== null) location.hash = "#cases"; },
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || index === null) return;
  const typing = event.target.closest?.("input:not([type=radio]), select, textarea");
  if (typing) {
    if (event.key === "Escape") typing.blur();
    return;
  }
  if (document.getElementById("keys").open && event.key !== "?") return;
  const act = PRESSED[event.key];
  if (act === undefined) return;
  if (event.key !== "Escape") event.preventDefault();
  act();
});
document.getElementById("keys-open").addEventListener("click", toggleKeys);
for (const choice of document.querySelectorAll('input[name="lang"]')) {
  choice.addEventListener("change", () => {
    document.documentElement.lang = language();
    if (index === null) return;
    drawTable();
    drawSheet();
    if (shownCase !== null) showCase(shownCase, false).catch(failed);
  });
}
/* On paper there is no scrolling: the rows that the filters leave are all there, up to a number that is told. */
const PRINTED = 200;
function toPaper(on) {
  if (index === null) return;
  paper = on;
  drawRows(true);
  drawClaims(true);
}
window.addEventListener("beforeprint", () => toPaper(true));
window.addEventListener("afterprint", () => toPaper(false));
async function start() {
  if (typeof DecompressionStream === "undefined") {
    place().replaceChildren(el("p", { class: "note" }, say("old_browser")));
    return;
  }
  place().replaceChildren(el("p", { class: "aside" }, say("loading")));
  document.documentElement.lang = language();
  index = await block("index");
  index.haystack = index.ids.map((id, row) => `${id}\n${index.questions[row]}`.toLowerCase());
  drawTable();
  await openSheet();
  window.addEventListener("hashchange", () => follow());
  window.addEventListener("resize", () => { drawRows(); drawClaims(); });
  if (location.hash) follow();
  document.documentElement.dataset.ready = "yes";
}
start().catch(failed);
