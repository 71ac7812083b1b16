/* The evidence sheet: a list of all claims, and the claims of a case with machines and people told apart. */
const CLAIM_KINDS = ["attribution", "machine", "human"];
const claimView = { text: "", attribution: "", machine: "", human: "" };
let sheet = null;
let claimOrder = [];
let claimsDrawn = { from: -1, to: -1 };
const sheetPlace = () => document.getElementById("sheet-table");
const sheetWord = (key, values) => word(`sheet.${key}`, values);
const spoken = (pair) => pair[language() === "de" ? 1 : 0];

function verdictWord(kind, code) {
  if (code === "nobody") return sheetWord(kind === "human" ? "nobody_decided" : "nobody_proposed");
  if (code === "differ") return sheetWord("people_differ");
  return sheetWord(kind === "attribution" && code === "not_assessable" ? "attribution_not_assessable" : code);
}
function verdictShape(kind, code) {
  return settings.shapes[kind === "attribution" ? kind : "support"][code] ?? "";
}

async function openSheet() {
  if (!document.getElementById("sheet-index")) return;
  sheet = await block("sheet-index");
  const { answer, id, text } = sheet.claims;
  sheet.haystack = id.map((name, n) => `${name}\n${index.ids[sheet.rows[answer[n]]]}\n${text[n]}`.toLowerCase());
  sheet.answersOf = new Map();
  sheet.rows.forEach((row, n) => sheet.answersOf.set(row, [...(sheet.answersOf.get(row) ?? []), n]));
  drawSheet();
}
function keepsClaim(n, needle) {
  if (needle && !sheet.haystack[n].includes(needle)) return false;
  return CLAIM_KINDS.every((kind) => claimView[kind] === "" || sheet.claims[kind][n] === claimView[kind]);
}
function claimCell(kind, n) {
  const code = sheet.claims[kind][n];
  const shape = verdictShape(kind, code);
  return el("td", { class: shape ? `by-${kind}` : "reason" }, shape && `${shape} `, verdictWord(kind, code));
}
function claimRow(position) {
  const n = claimOrder[position];
  const { answer, id, text } = sheet.claims;
  const row = sheet.rows[answer[n]];
  const href = `${caseHref(row)}&claim=${encodeURIComponent(id[n])}`;
  return el("tr", { "aria-rowindex": position + 2 },
    el("td", {}, el("a", { href, "data-claim": n }, untrusted(id[n]))), el("td", {}, untrusted(index.ids[row])), el("td", {}, untrusted(text[n])),
    ...CLAIM_KINDS.map((kind) => claimCell(kind, n)));
}
function drawClaims(force = false) {
  const frame = document.getElementById("claim-window");
  if (!frame) return;
  const [first, last] = rowsInView(frame, claimOrder.length);
  if (!force && first === claimsDrawn.from && last === claimsDrawn.to) return;
  claimsDrawn = { from: first, to: last };
  const body = frame.querySelector("tbody");
  const held = body.contains(document.activeElement) ? document.activeElement.dataset.claim : null;
  const rows = [];
  for (let position = first; position < last; position += 1) rows.push(claimRow(position));
  body.replaceChildren(...(paper ? rows : [spacer(first, 6), ...rows, spacer(claimOrder.length - last, 6)]));
  if (held !== null) body.querySelector(`a[data-claim="${held}"]`)?.focus({ preventScroll: true });
}
function claimPicker(kind) {
  const codes = [...new Set(sheet.claims[kind])].sort();
  const options = [["", say("all")], ...codes.map((code) => [code, verdictWord(kind, code)])];
  const box = el("select", { id: `c-${kind}` }, ...options.map(([value, text]) => el("option", { value }, text)));
  box.value = claimView[kind];
  box.addEventListener("change", () => { claimView[kind] = box.value; refreshClaims(); });
  return el("label", {}, sheetWord(kind), box);
}
function drawSheet() {
  if (sheet === null) return;
  const search = el("input", { type: "search", id: "c-text", autocomplete: "off", spellcheck: "false" });
  search.value = claimView.text;
  search.addEventListener("input", () => { claimView.text = search.value; refreshClaims(); });
  const clear = el("button", { type: "button", onclick: () => { Object.assign(claimView, { text: "", attribution: "", machine: "", human: "" }); drawSheet(); } }, say("clear"));
  const head = [sheetWord("claim"), say("case"), sheetWord("wording"), sheetWord("attribution"), sheetWord("machine"), sheetWord("human")];
  const frame = el("div", { class: "window", id: "claim-window", tabindex: "0", role: "region", "aria-labelledby": "claim-count" },
    el("table", { class: "claim-list" }, el("thead", {}, el("tr", {}, ...head.map((name) => el("th", { scope: "col" }, name)))), el("tbody")));
  frame.addEventListener("scroll", () => drawClaims(), { passive: true });
  sheetPlace().replaceChildren(el("div", { class: "filters", role: "search", "aria-label": sheetWord("title") }, el("label", {}, sheetWord("filter_text"), search), ...CLAIM_KINDS.map(claimPicker), clear),
    el("p", { class: "aside", id: "claim-count" }), frame, printedNote());
  refreshClaims();
}
function refreshClaims() {
  const needle = claimView.text.trim().toLowerCase();
  claimOrder = [];
  for (let n = 0; n < sheet.claims.id.length; n += 1) if (keepsClaim(n, needle)) claimOrder.push(n);
  document.getElementById("claim-count").textContent = claimOrder.length ? sheetWord("shown", { n: count(claimOrder.length), all: count(sheet.claims.id.length) }) : sheetWord("none_found");
  const frame = document.getElementById("claim-window");
  frame.scrollTop = 0;
  frame.querySelector("table").setAttribute("aria-rowcount", String(claimOrder.length + 1));
  drawClaims(true);
}

/* The claims on the page of a case. */
const labelled = (text, ...more) => el("p", { class: "label" }, text, ...more);
function aside(label, text) {
  return el("p", { class: "aside" }, `${label}: `, untrusted(text));
}
function verdictParts(verdict, at) {
  const by = [untrusted(spoken(verdict.by)), verdict.condition && `, ${word(verdict.condition)}`, verdict.at && `, ${verdict.at}`];
  return [
    el("p", { class: "verdict-line" }, el("span", { class: "word" }, el("span", { class: "shape", "aria-hidden": "true" }, verdict.shape), ` ${spoken(verdict.word)}`), " ", el("span", { class: "by" }, ...by)),
    prose(at(verdict.why)),
    ...(verdict.lacks ?? []).map((text) => aside(sheetWord("lacks"), text)),
    ...(verdict.flags ?? []).map((text) => aside(sheetWord("flags"), text)),
  ];
}
function humanParts(human, key, at, extra = "") {
  const parts = [labelled(`${sheetWord(key)} · `, untrusted(human.who), `, ${human.at}`, human.outdated && ` · ${sheetWord("outdated")}`)];
  if (human.attribution) parts.push(labelled(sheetWord("attribution")), ...verdictParts(human.attribution, at));
  if (human.support) parts.push(labelled(sheetWord("support")), ...verdictParts(human.support, at));
  if (human.reason !== undefined) parts.push(prose(at(human.reason), "aside"));
  if (human.note !== undefined) parts.push(labelled(sheetWord("open_note")), prose(at(human.note)));
  return el("div", { class: `decided ${extra}` }, ...parts);
}
function seenParts(observations) {
  return (observations ?? []).map((each) => el("div", { class: "seen" },
    el("p", {}, el("span", { class: "label" }, `${sheetWord("observation")}: `), spoken(each.seen), " ", el("span", { class: "by" }, ...each.subjects.flatMap((name, i) => [i ? ", " : "", untrusted(name)]))),
    el("p", {}, el("span", { class: "label" }, `${sheetWord("next_check")}: `), spoken(each.next))));
}
function sourceParts(passage, delivered) {
  const [, documentId, version, , , digest, documentDigest, url, span] = passage;
  const told = delivered === null ? "delivered_unknown" : delivered ? "delivered_yes" : "delivered_no";
  const rows = [["source", documentId], ["version", version], ["passage_digest", digest], ["document_digest", documentDigest]];
  const entry = (name, value, kind = "") => el("div", {}, el("dt", {}, name), el("dd", { class: kind }, value));
  return el("details", {}, el("summary", {}, `${sheetWord("version")}, ${sheetWord("digest")}`), el("dl", { class: "meta" },
    ...rows.map(([key, value]) => entry(sheetWord(key), value === null ? sheetWord("unknown") : untrusted(value), key.endsWith("digest") ? "digest" : "")),
    url !== null && entry("URL", untrusted(url)), span !== null && entry(sheetWord("position"), `${span[0]}–${span[1]}`), entry("", sheetWord(told))));
}
function quotedPassage([number, rank, delivered, spans], at) {
  const passage = at(number);
  const [passageId, documentId, version, textNumber, , , , , place] = passage;
  const name = [documentId, version, passageId].filter((part) => part !== null).join(" ");
  const around = (text) => (text ? el("span", { class: "around" }, ...text) : "");
  const quoted = textNumber === null ? el("p", { class: "reason" }, sheetWord("text_missing"))
    : el("blockquote", { tabindex: "0" }, around(place?.[2] && ["…", ...shown(place[2])]), marked(at(textNumber), spans), around(place?.[3] && [...shown(place[3]), "…"]));
  return el("div", { class: "quoted-passage" }, labelled(untrusted(name), ` · ${sheetWord("rank")} ${rank}`), quoted, sourceParts(passage, delivered));
}
function claimSupport(claim, at) {
  const parts = [el("h4", {}, sheetWord("support")),
    el("div", { class: "proposal" }, labelled(sheetWord("machine")), ...(claim.machine ? verdictParts(claim.machine, at) : [el("p", { class: "reason" }, sheetWord("nobody_proposed"))]))];
  if (claim.humans) parts.push(...claim.humans.map((human) => humanParts(human, "human", at)));
  else parts.push(el("p", { class: "reason" }, sheetWord("nobody_decided")));
  for (const [who, why] of claim.disputes ?? []) parts.push(el("p", {}, untrusted(sheetWord("disputed", { who, why }))));
  if (claim.settled) parts.push(humanParts(claim.settled, "adjudication", at));
  if (claim.takenBack) parts.push(el("details", {}, el("summary", {}, sheetWord("superseded")), ...claim.takenBack.map((human) => humanParts(human, "superseded", at, "taken-back"))));
  for (const who of claim.assignees ?? []) parts.push(el("p", { class: "aside" }, untrusted(sheetWord("assigned", { who }))));
  return el("div", {}, ...parts);
}
function claimSource(claim, at) {
  const passages = (claim.passages ?? []).map((passage) => quotedPassage(passage, at));
  const unknown = (claim.unknown ?? []).map((name) => el("p", { class: "reason" }, untrusted(sheetWord("passage_missing", { name }))));
  const none = passages.length + unknown.length ? [] : [el("p", { class: "reason" }, sheetWord("no_passage"))];
  return el("div", {}, el("h4", {}, sheetWord("passage")), ...passages, ...unknown, ...none);
}
function claimItem(claim, at) {
  const markers = claim.markers ? claim.markers.flatMap((marker, i) => [i ? ", " : "", untrusted(marker)]) : [sheetWord("no_citation")];
  const told = el("div", {}, el("h3", {}, `${sheetWord("claim")} `, el("span", { class: "claim-id" }, untrusted(claim.id))), prose(at(claim.text), "wording"),
    claim.restated !== undefined && el("details", {}, el("summary", {}, sheetWord("restated")), prose(at(claim.restated))),
    el("h4", {}, sheetWord("citation")), el("p", {}, ...markers), el("h4", {}, sheetWord("attribution")), ...verdictParts(claim.attribution, at));
  const notes = (claim.notes ?? []).map(([who, note]) => el("p", { class: "seen" }, `${sheetWord("open_note")}, `, untrusted(who), ": ", untrusted(note)));
  const open = claim.note === undefined ? "" : el("p", { class: "seen" }, `${sheetWord("open_note")}: `, untrusted(textOf(at(claim.note))));
  const node = el("li", { class: "claim", tabindex: "-1" }, el("div", { class: "columns" }, told, claimSupport(claim, at), claimSource(claim, at)), ...seenParts(claim.observations), open, ...notes);
  node.claim = claim.id;
  return node;
}
function textsOf(answer) {
  const wanted = new Set();
  const want = (number) => { if (number !== undefined) wanted.add(number); };
  const wantVerdict = (verdict) => want(verdict?.why);
  want(answer.failure);
  for (const claim of answer.claims ?? []) {
    [claim.text, claim.restated, claim.note].forEach(want);
    [claim.attribution, claim.machine].forEach(wantVerdict);
    for (const human of [...(claim.humans ?? []), ...(claim.takenBack ?? []), ...(claim.settled ? [claim.settled] : [])]) {
      [human.attribution, human.support].forEach(wantVerdict);
      [human.reason, human.note].forEach(want);
    }
    (claim.passages ?? []).forEach((passage) => want(passage[0]));
  }
  return wanted;
}
const plainList = (label, texts) => (texts ? [labelled(label), el("ul", { class: "list" }, ...texts.map((text) => el("li", {}, untrusted(text))))] : []);
async function sheetAnswer(number) {
  const answers = await block(`sheet-${Math.floor(number / sheet.perBlock)}`);
  const answer = answers[number % sheet.perBlock];
  const at = await lookedUp(textsOf(answer));
  const title = answer.repeat === undefined ? sheetWord("of_case") : sheetWord("of_repeat", { n: answer.repeat + 1 });
  return el("section", { class: "sheet-answer" }, el("h2", {}, title), el("p", { class: "aside" }, sheetWord("no_score")),
    answer.failure !== undefined && el("p", {}, `${sheetWord("failure")}: `, untrusted(textOf(at(answer.failure)))),
    answer.honest && el("p", {}, el("span", { class: "label" }, `${sheetWord("honest")}: `), spoken(answer.honest)),
    ...seenParts(answer.observations),
    answer.claims ? el("ol", { class: "claims" }, ...answer.claims.map((claim) => claimItem(claim, at))) : el("p", { class: "empty" }, sheetWord("no_claims")),
    ...plainList(sheetWord("gaps"), answer.gaps), ...plainList(sheetWord("lacks"), answer.missing));
}
async function sheetParts(row) {
  if (sheet === null) return [];
  return Promise.all((sheet.answersOf.get(row) ?? []).map(sheetAnswer));
}
function goToClaim(id) {
  const node = [...caseArea().querySelectorAll(".claim")].find((each) => each.claim === id);
  if (!node) return;
  node.focus({ preventScroll: true });
  node.scrollIntoView({ block: "start" });
}
