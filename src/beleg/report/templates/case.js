/* The case page: what was asked, what was expected, and what each side did at every stage. */
const caseArea = () => document.getElementById("case-page");

/* Fetches every text and passage that a record points at, once. */
async function resolved(record) {
  const wanted = new Set();
  const want = (number) => { if (number !== undefined && number !== null) wanted.add(number); };
  want(record.question); want(record.reference);
  (record.turns ?? []).forEach((turn) => want(turn[1]));
  (record.expected ?? []).forEach((piece) => want(piece.quote));
  (record.clauses ?? []).flat().forEach(want);
  for (const trace of record.runs.flat()) {
    want(trace.answer); want(trace.error?.[1]);
    (trace.rewrites ?? []).forEach(want);
    (trace.prompt ?? []).forEach(want);
    Object.values(trace.stages ?? {}).flat().forEach((entry) => want(entry[0]));
  }
  return lookedUp(wanted);
}
async function lookedUp(wanted) {
  const found = new Map();
  const load = (numbers) => Promise.all([...numbers].map(async (number) => found.set(number, await item(number))));
  await load(wanted);
  const texts = [...found.values()].filter(Array.isArray).map((passage) => passage[3]).filter((number) => number !== null);
  await load(new Set(texts.filter((number) => !found.has(number))));
  return (number) => found.get(number);
}
const textOf = (entry) => (typeof entry === "string" ? entry : entry.cut);
function cutNote(entry) {
  return typeof entry === "string" ? null : el("span", { class: "aside" }, ` … (${say("shortened")}, ${count(entry.length)})`);
}
function prose(entry, extra = "") {
  return el("p", { class: `text ${extra}`, dir: "auto" }, ...shown(textOf(entry)), cutNote(entry));
}

/* A text with spans marked; spans are UTF-16 offsets, cut to the text that is there. */
function marked(entry, spans) {
  const text = textOf(entry);
  const node = el("p", { class: "text", dir: "auto" });
  let from = 0;
  for (const [start, end] of spans.filter((s) => s[0] < text.length).sort((a, b) => a[0] - b[0])) {
    if (end <= from) continue;
    node.append(...shown(text.slice(from, Math.max(start, from))), el("mark", {}, ...shown(text.slice(Math.max(start, from), end))));
    from = end;
  }
  node.append(...shown(text.slice(from)));
  const note = cutNote(entry);
  if (note) node.append(note);
  return node;
}

function passageRow(entry, rank, at, forbidden) {
  const [number, score, hits = []] = entry;
  const [passageId, documentId, version, textNumber, metadata] = at(number);
  const banned = forbidden.has(documentId);
  const held = hits.some((hit) => hit.length !== 2);
  const summary = el("summary", {}, `${rank}. `, untrusted(passageId), passageId !== documentId && [" · ", untrusted(documentId)],
    version !== null && [" · ", untrusted(version)], score !== null && ` · ${say("score")} ${plainNumber(score, 4)}`,
    held && el("span", { class: "held" }, ` ✓ ${say("holds")}`), banned && el("span", { class: "banned" }, ` ✗ ${say("forbidden_hit")}`));
  const body = textNumber === null ? el("p", { class: "aside" }, say("no_text")) : marked(at(textNumber), hits.filter((hit) => hit.length === 3).map((hit) => [hit[1], hit[2]]));
  const details = el("details", { open: held || banned }, summary, body,
    metadata && el("p", { class: "aside" }, untrusted(Object.entries(metadata).map(([k, v]) => `${k} = ${v}`).join(" · "))));
  const row = el("li", { tabindex: "-1" }, details);
  row.passage = passageId;
  row.source = documentId;
  return row;
}
function stageSections(trace, at, forbidden) {
  const parts = [];
  let before = null;
  for (const stage of ["retrieved", "reranked", "delivered"]) {
    const listed = trace.stages?.[stage];
    if (!listed) {
      parts.push(el("h4", {}, stageWord(stage)), el("p", { class: "aside" }, say("not_recorded")));
      continue;
    }
    const size = listed.length === 1 ? say("passage_one") : say("passages", { n: count(listed.length) });
    parts.push(el("h4", {}, `${stageWord(stage)} `, el("span", { class: "aside" }, size)));
    parts.push(el("ol", { class: "passages", "data-stage": stage }, ...listed.map((entry, i) => passageRow(entry, i + 1, at, forbidden))));
    if (before) {
      const kept = new Set(listed.map((entry) => at(entry[0])[0]));
      const gone = before.filter((entry) => !kept.has(at(entry[0])[0]));
      if (gone.length) {
        parts.push(el("p", { class: "aside" }, `${say("dropped")}: `, ...gone.flatMap((entry, i) => [i ? ", " : "", untrusted(at(entry[0])[0]), (entry[2] ?? []).some((hit) => hit.length !== 2) ? el("span", { class: "banned" }, ` (${say("holds")})`) : ""])));
      }
    }
    before = listed;
  }
  return parts;
}

/* Citation markers in the answer become buttons that lead to the passage in the same column. */
function findCited(side, citation) {
  const rows = [...side.querySelectorAll(".passages > li")].reverse();
  return rows.find((row) => citation[1] !== null && row.passage === citation[1]) ?? rows.find((row) => citation[1] === null && row.source === citation[2]);
}
function citeButton(side, citation, label) {
  return el("button", { type: "button", class: "cite", onclick: () => {
    const row = findCited(side, citation);
    if (!row) return;
    row.querySelector("details").open = true;
    row.focus();
    row.scrollIntoView({ block: "center" });
  } }, ...shown(label));
}
function answerText(entry, citations, side) {
  const text = textOf(entry);
  const node = el("div", { class: "text answer", dir: "auto", tabindex: "0", role: "group", "aria-label": say("answer_head") });
  const forms = new Map();
  for (const citation of citations) {
    const form = /^[[(【<{]/.test(citation[0]) ? citation[0] : `[${citation[0]}]`;
    if (!forms.has(form)) forms.set(form, citation);
  }
  const escaped = [...forms.keys()].sort((a, b) => b.length - a.length).map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  let from = 0;
  if (escaped.length) {
    for (const hit of text.matchAll(new RegExp(escaped.join("|"), "g"))) {
      node.append(...shown(text.slice(from, hit.index)), citeButton(side, forms.get(hit[0]), hit[0]));
      from = hit.index + hit[0].length;
    }
  }
  node.append(...shown(text.slice(from)));
  const note = cutNote(entry);
  if (note) node.append(note);
  return node;
}
function citationList(citations, side) {
  return el("ul", { class: "aside" }, ...citations.map((citation) => {
    const named = citation[1] ?? citation[2];
    const target = findCited(side, citation);
    return el("li", {}, target ? citeButton(side, citation, citation[0]) : untrusted(citation[0]), " → ", named === null ? "" : untrusted(named), target ? "" : ` (${say("cites_nothing")})`);
  }));
}

const filterLine = ([kind, field, op, values, hard]) =>
  el("li", {}, untrusted(field), op === "equals" ? " = " : " ∈ ", untrusted(values.map(String).join(", ")), ` · ${say(kind)}, ${say(hard ? "hard" : "soft")}`);
function costs(trace) {
  const rows = [];
  const ms = (value) => `${plainNumber(value, 0)}\u00a0ms`;
  const stages = Object.entries(trace.stageMs ?? {}).map(([name, value]) => `${stageWord(name)} ${ms(value)}`);
  rows.push([say("latency"), [`${say("total")} ${trace.ms === undefined ? say("unknown") : ms(trace.ms)}`, ...(trace.firstMs === undefined ? [] : [`${say("first_token")} ${ms(trace.firstMs)}`]), ...stages].join(" · ")]);
  const part = (value) => (value === null ? say("unknown") : count(value));
  rows.push([say("tokens"), trace.tokens ? say("tokens_in_out", { a: part(trace.tokens[0]), b: part(trace.tokens[1]) }) : say("unknown")]);
  rows.push([say("cost"), trace.cost === undefined ? say("unknown") : `${plainNumber(trace.cost, 6)}\u00a0USD`]);
  if (trace.model) rows.push([say("model"), trace.model]);
  if (trace.attempts) rows.push([say("attempts"), count(trace.attempts)]);
  return el("dl", { class: "costs" }, ...rows.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, untrusted(value)))));
}
function traceParts(trace, at, forbidden, side) {
  const parts = [];
  if (trace.status !== "ok") parts.push(el("p", { class: "fault" }, `■ ${say(trace.status)}`, trace.error ? [": ", untrusted(trace.error[0]), " · ", ...shown(textOf(at(trace.error[1])))] : ""));
  const stages = stageSections(trace, at, forbidden);
  const holder = el("div", {}, ...stages);
  side.append(holder);
  const cited = trace.citations ?? [];
  parts.push(el("h3", {}, say("answer_head")));
  if (trace.abstained) parts.push(el("p", { class: "aside" }, say("abstained")));
  parts.push(trace.answer === undefined ? el("p", { class: "aside" }, say("no_answer")) : answerText(at(trace.answer), cited, holder));
  if (cited.length) parts.push(el("h4", {}, say("citations")), citationList(cited, holder));
  parts.push(costs(trace));
  parts.push(el("h4", {}, say("filters")));
  if (trace.filters === undefined) parts.push(el("p", { class: "aside" }, say("not_recorded")));
  else if (trace.filters.length === 0) parts.push(el("p", { class: "aside" }, say("filters_none")));
  else parts.push(el("ul", {}, ...trace.filters.map(filterLine)));
  if (trace.rewrites) parts.push(el("h4", {}, say("rewrites")), el("ul", {}, ...trace.rewrites.map((n) => el("li", { dir: "auto" }, ...shown(textOf(at(n)))))));
  side.insertBefore(el("div", {}, ...parts), holder);
  if (trace.prompt) side.append(el("details", { class: "bulk" }, el("summary", {}, say("prompt")), el("div", { class: "pre", dir: "auto", tabindex: "0", role: "group", "aria-label": say("prompt") }, ...trace.prompt.flatMap((n) => [...shown(textOf(at(n))), cutNote(at(n)) ?? ""]))));
}
function sideOf(traces, title, name, at, forbidden) {
  const side = el("section", { class: "side" }, el("h2", {}, title, name !== null && [" ", el("span", { class: "aside" }, untrusted(name))]));
  if (!traces.length) side.append(el("p", { class: "aside" }, say("no_run")));
  traces.forEach((trace, i) => {
    const box = traces.length === 1 ? el("div") : el("details", { open: i === 0 }, el("summary", {}, say("repeat", { n: (trace.repeat ?? 0) + 1 })));
    traceParts(trace, at, forbidden, box);
    side.append(box);
  });
  return side;
}

/* Where a piece of evidence stands in a run: the ranks at each recorded stage. */
function foundAt(trace, which) {
  if (!trace?.stages) return say("not_recorded");
  return ["retrieved", "reranked", "delivered"].filter((stage) => trace.stages[stage]).map((stage) => {
    const rankWhere = (sure) => trace.stages[stage].findIndex((entry) => (entry[2] ?? []).some((hit) => hit[0] === which && (hit.length !== 2) === sure));
    const rank = rankWhere(true);
    const otherwise = rankWhere(false) < 0 ? say("absent") : say("text_unknown");
    return `${stageWord(stage)}: ${rank < 0 ? otherwise : say("rank", { n: rank + 1 })}`;
  }).join(" · ");
}
function expectedTable(record, at) {
  if (!record.expected) return el("p", { class: "aside" }, say("no_expected"));
  const [mine, other] = record.runs;
  const head = [say("source"), say("quote"), say("need"), say("candidate"), settings.hasBaseline && say("baseline")].filter(Boolean);
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": say("expected") }, el("table", {},
    el("thead", {}, el("tr", {}, ...head.map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, ...record.expected.map((piece, which) => el("tr", {},
      el("th", { scope: "row" }, untrusted([piece.document, piece.passage].filter(Boolean).join(" · "))),
      el("td", {}, piece.quote === undefined ? el("span", { class: "aside" }, say("no_quote")) : say("quoted").split("{text}").flatMap((mark, i) => (i ? [untrusted(textOf(at(piece.quote))), mark] : [mark]))),
      el("td", {}, piece.group ? [say("one_of", { group: "" }), untrusted(piece.group)] : say(piece.required ? "required" : "optional")),
      el("td", {}, foundAt(mine[0], which)), settings.hasBaseline && el("td", {}, foundAt(other[0], which)))))));
}
function scoreRow(metric, m, row) {
  const a = index.candidate[m][row];
  const cells = [el("th", { scope: "row" }, ...shown(metric.title[language()])), el("td", { class: "num" }, figure(a, metric))];
  if (!index.baseline) return el("tr", {}, ...cells);
  const b = index.baseline[m][row];
  const both = typeof a === "number" && typeof b === "number";
  const tone = !both || Math.abs(a - b) <= SAME || metric.higher === null ? "" : (a - b > 0) === metric.higher ? "better" : "worse";
  const difference = both ? figure(a - b, metric, true) : el("span", { class: "reason" }, say("uncompared"));
  cells.push(el("td", { class: "num" }, figure(b, metric)), el("td", { class: `num ${tone}-text` }, difference, tone && ` ${say(tone)}`));
  return el("tr", {}, ...cells);
}
function scoreRows(numbers, row) {
  const head = [say("metric"), say("candidate"), ...(index.baseline ? [say("baseline"), say("difference")] : [])];
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": say("scores") }, el("table", {},
    el("thead", {}, el("tr", {}, ...head.map((name, i) => el("th", { scope: "col", class: i ? "num" : null }, name)))),
    el("tbody", {}, ...numbers.map((m) => scoreRow(settings.metrics[m], m, row)))));
}

/* What differs comes first; the rest is one press away. */
function scoreTables(row) {
  const all = settings.metrics.map((_, m) => m);
  if (!index.baseline) return [scoreRows(all, row)];
  const equal = (a, b) => a === b || (typeof a === "number" && typeof b === "number" && Math.abs(a - b) <= SAME);
  const same = all.filter((m) => equal(index.candidate[m][row], index.baseline[m][row]));
  const other = all.filter((m) => !same.includes(m));
  return [other.length ? scoreRows(other, row) : "", same.length ? el("details", { open: other.length === 0 }, el("summary", {}, say("scores_same", { n: same.length })), scoreRows(same, row)) : ""];
}
function expectations(record, at) {
  const parts = [];
  if (record.reference !== undefined) parts.push(el("h3", {}, say("reference")), prose(at(record.reference)));
  if (record.clauses) parts.push(el("h3", {}, say("clauses")), el("ul", {}, ...record.clauses.map((clause) => el("li", {}, ...clause.flatMap((n, i) => [i ? " / " : "", untrusted(textOf(at(n)))])))));
  if (record.forbidden) parts.push(el("h3", {}, say("forbidden")), el("p", {}, untrusted(record.forbidden.join(", "))));
  return parts;
}
function conversation(record, at) {
  return el("div", {}, el("h3", {}, say("conversation")), ...record.turns.map(([role, n]) => el("p", { class: "text" }, el("strong", {}, `${say(role)}: `), untrusted(textOf(at(n))))));
}
function caseHead(row) {
  const position = order.indexOf(row);
  const link = (to, label, key) => (to === undefined ? "" : el("a", { href: caseHref(to), "aria-keyshortcuts": key }, label));
  return el("div", { class: "case-head" }, el("a", { href: "#cases", id: "back" }, `← ${say("back")}`),
    el("nav", {}, link(order[position - 1], say("previous"), "k"), position < 0 ? "" : link(order[position + 1], say("next"), "j")));
}
async function drawCase(id) {
  const row = index.ids.indexOf(id);
  if (row < 0) {
    caseArea().replaceChildren(caseHead(-1), el("h1", { tabindex: "-1" }, untrusted(id)), el("p", {}, say("no_case")));
    return;
  }
  const records = await block(`cases-${Math.floor(row / index.casesPerBlock)}`);
  const record = records[row % index.casesPerBlock];
  const at = await resolved(record);
  const forbidden = new Set(record.forbidden ?? []);
  const lost = index.lost[row] >= 0 && el("p", { class: "fault" }, `■ ${say("lost_at", { stage: stageWord(index.stages[index.lost[row]]) })}`);
  const sides = el("div", { class: "sides" }, sideOf(record.runs[0], say("candidate"), settings.names[0], at, forbidden), settings.hasBaseline && sideOf(record.runs[1], say("baseline"), settings.names[1], at, forbidden));
  caseArea().replaceChildren(caseHead(row), el("h1", { tabindex: "-1" }, untrusted(id)), ...(record.turns ? [conversation(record, at)] : []),
    prose(at(record.question), "question"), el("div", { class: "tags" }, el("span", { class: "tag" }, `${say("behaviour")}: ${say(record.behaviour)}`), ...(record.labels ?? []).filter((label) => !label.startsWith("expected_behaviour=")).map((label) => el("span", { class: "tag" }, untrusted(label)))),
    ...(lost ? [lost] : []), el("h2", {}, say("scores")), ...scoreTables(row), el("h2", {}, say("expected")), expectedTable(record, at), ...expectations(record, at), ...(await sheetParts(row)), sides);
}
