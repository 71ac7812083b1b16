// Pages work without this script. It marks that scripts run, so that controls which need one are shown.
"use strict";
document.documentElement.classList.add("js");

// Parts of pages are fetched and swapped where the page has one. Whatever goes wrong, the browser opens the page itself.
(() => {
  const one = (selector, within = document) => within.querySelector(selector);
  const policy = window.trustedTypes?.createPolicy("beleg-fragment", { createHTML: (text) => text });
  const OURS_NEVER_HOLD = "script, style, iframe, object, embed, base, meta, link";
  const FIRST_WAIT_MS = 1_000, LONGEST_WAIT_MS = 30_000, MOST_LOOKS = 120;
  const same = (url) => url.origin === location.origin && url.pathname === location.pathname;
  const list = () => one("[data-part]");
  let shown = location.pathname + location.search, running = null;

  function say(text) {
    const live = one("#live");
    live.textContent = "";
    setTimeout(() => { live.textContent = text; }, 60);
  }
  /** The element of a page of ours that stands for a part, from an answer that says that it is that part. */
  async function part(url, id, signal) {
    const answer = await fetch(url, { headers: { "X-Fragment": id }, redirect: "manual", signal });
    if (!answer.ok || answer.headers.get("X-Fragment") !== id) throw new Error("the answer is not the part");
    const text = await answer.text();
    const found = new DOMParser().parseFromString(policy ? policy.createHTML(text) : text, "text/html").getElementById(id);
    if (!found || one(OURS_NEVER_HOLD, found)) throw new Error("the answer does not hold the part");
    return document.adoptNode(found);
  }
  /** A selector that finds the focused element again once its part is another one. */
  function focused(old) {
    const at = document.activeElement;
    if (!at || !old.contains(at)) return null;
    for (const [name, value] of [["id", at.id], ["data-keep", at.dataset.keep], ["name", at.name]]) {
      if (!value) continue;
      const only = name === "name" && at.type === "checkbox" ? `[value="${CSS.escape(at.value)}"]` : "";
      return `[${name}="${CSS.escape(value)}"]${only}`;
    }
    return at.type === "submit" ? "[type=submit]" : "h2[tabindex], h1";
  }
  function swap(old, fresh) {
    const focus = focused(old), scrolled = [...old.querySelectorAll(".scroll")].map((each) => each.scrollLeft);
    const opened = [...old.querySelectorAll("details")].map((each) => each.open), top = scrollY;
    old.replaceWith(fresh);
    fresh.querySelectorAll("details").forEach((each, at) => { each.open ||= opened[at] ?? false; });
    fresh.querySelectorAll(".scroll").forEach((each, at) => { each.scrollLeft = scrolled[at] ?? 0; });
    if (focus) (one(focus, fresh) ?? one("h2[tabindex]", fresh) ?? fresh).focus({ preventScroll: true });
    scrollTo({ top, behavior: "instant" });
    count();
  }
  /** Shows the list as an address says. */
  async function show(url, { remember, to }) {
    const old = list(), address = url.pathname + url.search;
    if (running?.address === address) return;
    running?.stop.abort();
    const mine = running = { address, stop: new AbortController() };
    old.setAttribute("aria-busy", "true");
    try {
      const fresh = await part(address, old.id, mine.stop.signal);
      if (running !== mine) return;
      swap(old, fresh);
      if (remember && address !== shown) history.pushState(null, "", url);
      shown = address;
      const other = one(".switches a[hreflang]"), there = new URL(url);
      there.searchParams.set("lang", other.hreflang);
      other.href = there.pathname + there.search;
      if (to) { one(`#${to} h2`, fresh).focus(); one(`#${to}`, fresh).scrollIntoView(); }
      say(one("[data-tell]", fresh)?.textContent.trim() ?? "");
    } catch {
      if (running === mine) location.assign(url);
      return;
    } finally {
      if (running === mine) { running = null; list()?.removeAttribute("aria-busy"); }
    }
  }
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || !list() || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const url = new URL(link.href);
    if (url.hash !== "#cases" || !same(url) || (url.search === location.search && !link.closest("[data-part]"))) return;
    event.preventDefault();
    show(url, { remember: true, to: link.dataset.shows });
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method === "post" && !("draft" in form.dataset)) {
      if (form.dataset.sent) event.preventDefault();
      form.dataset.sent = "yes";
      return;
    }
    if (!form.closest("[data-part]") || form.method !== "get" || event.defaultPrevented) return;
    const url = new URL(form.action);
    if (!same(url)) return;
    event.preventDefault();
    url.search = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ""));
    show(url, { remember: true });
  });
  // A page that the browser kept comes back as it was left: its forms may be sent again.
  addEventListener("pageshow", () => document.querySelectorAll("form[data-sent]").forEach((form) => { delete form.dataset.sent; }));
  addEventListener("popstate", () => {
    if (list() && location.pathname + location.search !== shown) show(new URL(location.href), {});
  });

  // The time that an override still has, counted down as the server wrote it; at its end the page says so.
  function count() {
    const inWords = (unit) => new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit, unitDisplay: "long" });
    for (const time of document.querySelectorAll("[data-countdown]")) {
      const minutes = Math.ceil((Date.parse(time.dateTime) - Date.now()) / 60_000);
      const parts = [[Math.trunc(minutes / 60), "hour"], [minutes % 60, "minute"]].filter(([n]) => n > 0);
      if (minutes > 0) time.textContent = time.dataset.countdown.replace("{left}", parts.map(([n, unit]) => inWords(unit).format(n)).join(", "));
      else end(time.closest("[data-lives]"), time);
    }
  }
  function end(living, time) {
    const state = one("[data-over]", living);
    state.textContent = state.dataset.over;
    living.classList.add("over");
    time.remove();
    say(state.textContent);
  }
  count();
  setInterval(count, 60_000);

  // What is still being made is looked at again by itself, ever more slowly, and never while nobody looks.
  let wait = FIRST_WAIT_MS, looks = 0, timer = 0;
  const making = (within = document) => [...within.querySelectorAll("[data-refresh]")].map((each) => each.dataset.refresh);
  async function look() {
    looks += 1;
    let fresh;
    try { fresh = await part(location.pathname + location.search, "content"); } catch (error) {
      // Without the network it may come back; an answer that is no part says that somebody should look themselves.
      if (error instanceof TypeError) again();
      return;
    }
    const still = making(fresh), made = making().filter((word) => !still.includes(word));
    if (!made.length) { again(); return; }
    swap(one("#content"), fresh);
    say(made.join(" "));
    wait = FIRST_WAIT_MS;
    again();
  }
  function again() {
    clearTimeout(timer);
    if (!making().length || document.hidden || looks >= MOST_LOOKS) return;
    timer = setTimeout(look, wait);
    wait = Math.min(LONGEST_WAIT_MS, wait * 1.6);
  }
  document.addEventListener("visibilitychange", () => { wait = FIRST_WAIT_MS; again(); });
  again();
})();

// Review: drafts that outlive a reload, keys that can be changed and switched off, and the time a claim took.
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const one = (selector) => document.querySelector(selector);
  const store = {
    get(name) { try { return JSON.parse(localStorage.getItem(name)); } catch { return null; } },
    set(name, value) { try { localStorage.setItem(name, JSON.stringify(value)); } catch { /* full, or switched off */ } },
    drop(name) { try { localStorage.removeItem(name); } catch { /* switched off */ } },
    names() { try { return Object.keys(localStorage); } catch { return []; } },
  };
  const say = (text) => { const live = one("#live"); live.textContent = ""; setTimeout(() => { live.textContent = text; }, 60); };

  const DRAFT = "beleg-draft:";
  const FIELDS = ["support", "support_rationale", "missing", "attribution", "attribution_rationale", "note", "reason"];
  const saved = new URLSearchParams(location.search).get("saved");
  if (saved) for (const name of store.names()) if (name.startsWith(DRAFT) && store.get(name)?.key === saved) store.drop(name);

  function read(form) {
    const data = new FormData(form), texts = {};
    for (const name of FIELDS) if (data.get(name)) texts[name] = data.get(name);
    return texts;
  }
  function put(form, texts) {
    for (const name of FIELDS) {
      const field = form.elements[name];
      if (field instanceof RadioNodeList) field.value = texts[name] ?? "";
      else if (field) field.value = texts[name] ?? "";
    }
  }
  function draft(form) {
    const name = DRAFT + form.dataset.draft, key = form.elements.idempotency_key.value;
    const began = Date.now(), first = JSON.stringify(read(form));
    let before = 0, hidden = 0, left = document.hidden ? began : 0;
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) left = Date.now();
      else if (left) { hidden += Date.now() - left; left = 0; }
    });
    const spent = () => Math.min(86_400_000, Math.max(0, before + Date.now() - began - hidden - (left ? Date.now() - left : 0)));
    const keep = () => store.set(name, { key, spent: spent(), texts: read(form) });
    const kept = store.get(name);
    if (kept && kept.key === form.dataset.ownKey) store.drop(name);
    else if (kept && typeof kept.texts === "object") {
      before = Number(kept.spent) || 0;
      if (!("typed" in form.dataset) && JSON.stringify(kept.texts) !== first) {
        put(form, kept.texts);
        const around = form.closest("details");
        if (around) around.open = true;
        one("#draft-note").hidden = false;
        say(one("#draft-note").textContent);
      }
      keep();
    } else if ("typed" in form.dataset) keep();
    form.addEventListener("input", keep);
    form.addEventListener("change", keep);
    form.addEventListener("submit", (event) => {
      if (form.dataset.sent) { event.preventDefault(); return; }
      form.dataset.sent = "yes";
      form.elements.spent_ms.value = spent();
      keep();
    });
    addEventListener("pageshow", () => { delete form.dataset.sent; });
  }
  all("form[data-draft]").forEach(draft);

  const told = one("[data-announce]");
  if (told) say(told.textContent.trim());
  // A new page begins at its heading, so that the keys work and a screen reader says where one is.
  if (one(".reviewing") && !location.hash) (one("[role=alert]") ?? one("#top")).focus();

  one("[data-tick-all]")?.addEventListener("click", () => all("input[name=claim]").forEach((box) => { box.checked = true; }));

  if (!one(".reviewing")) return;
  const AS_DELIVERED = {
    support1: "1", support2: "2", support3: "3", support4: "4",
    attribution1: "Shift+1", attribution2: "Shift+2", attribution3: "Shift+3", attribution4: "Shift+4", attribution5: "Shift+5",
    next: "j", previous: "k", open: "n", rationale: "r", save: "Enter", withdraw: "u", help: "?",
  };
  const settings = { on: true, keys: {}, ...(store.get("beleg-keys") ?? {}) };
  const keyOf = (action) => settings.keys?.[action] ?? AS_DELIVERED[action];
  const dialog = one("#keys");

  function pressed(event) {
    const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code);
    if (digit) return (event.shiftKey ? "Shift+" : "") + digit[1];
    if (event.key.length > 1) return event.key;
    const isLetter = event.key.toLowerCase() !== event.key.toUpperCase();
    return (isLetter && event.shiftKey ? "Shift+" : "") + event.key.toLowerCase();
  }
  function showKeys() {
    all("[data-key-of]").forEach((hint) => { hint.textContent = keyOf(hint.dataset.keyOf); hint.hidden = !settings.on; });
    all("[data-remap]").forEach((field) => { field.value = keyOf(field.dataset.remap); });
    one("#keys-on").checked = settings.on;
  }
  const form = () => one("form.judging");
  function choose(name, place) {
    const radio = form()?.querySelectorAll(`input[name=${name}]`)[place - 1];
    if (!radio) return;
    open(radio);
    radio.checked = true;
    radio.dispatchEvent(new Event("change", { bubbles: true }));
    say(`${one("#chosen-word").textContent}: ${radio.parentElement.querySelector(".choice").textContent}`);
  }
  function open(element) {
    const around = element.closest("details");
    if (around) around.open = true;
  }
  function go(where) { one(`[data-move=${where}]`)?.click(); }
  function toReason() {
    const fields = form()?.elements;
    if (!fields) return;
    const isOther = fields.attribution.value && (!fields.support.value || fields.support_rationale.value.trim());
    const field = isOther ? fields.attribution_rationale : fields.support_rationale;
    open(field);
    field.focus();
  }
  const ACTIONS = {
    next: () => go("next"), previous: () => go("previous"), open: () => go("open"), rationale: toReason,
    save: () => form()?.requestSubmit(),
    withdraw: () => { const part = one("#withdraw"); if (part) { part.open = true; part.querySelector("textarea").focus(); } },
    help: () => dialog.showModal(),
  };
  const act = (action) => {
    const choice = /^(support|attribution)(\d)$/.exec(action);
    if (choice) choose(choice[1], Number(choice[2]));
    else ACTIONS[action]();
  };
  document.addEventListener("keydown", (event) => {
    const at = event.target;
    const isText = at instanceof HTMLTextAreaElement || at instanceof HTMLSelectElement || at.isContentEditable
      || (at instanceof HTMLInputElement && at.type !== "radio" && at.type !== "checkbox");
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && at instanceof HTMLTextAreaElement) {
      event.preventDefault();
      at.form.requestSubmit();
      return;
    }
    if (isText || !settings.on || dialog.open || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const name = pressed(event), action = Object.keys(AS_DELIVERED).find((each) => keyOf(each) === name);
    if (!action) return;
    // Where Enter already does something, it does that.
    if ((name === "Enter" || name === " ") && at.closest("a, button, summary")) return;
    event.preventDefault();
    act(action);
  });
  one("[data-help]").addEventListener("click", () => dialog.showModal());
  one("#keys-close").addEventListener("click", () => dialog.close());
  one("#keys-on").addEventListener("change", (event) => { settings.on = event.target.checked; store.set("beleg-keys", settings); showKeys(); });
  one("#keys-reset").addEventListener("click", () => { settings.keys = {}; store.set("beleg-keys", settings); showKeys(); });
  all("[data-remap]").forEach((field) => field.addEventListener("keydown", (event) => {
    if (["Tab", "Escape", "Shift", "Control", "Alt", "Meta"].includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const name = pressed(event), action = field.dataset.remap, warning = one("#keys-taken");
    const isTaken = Object.keys(AS_DELIVERED).some((each) => each !== action && keyOf(each) === name);
    warning.textContent = isTaken ? `${warning.dataset.word}: ${name}` : "";
    if (isTaken) return;
    settings.keys = { ...settings.keys, [action]: name };
    store.set("beleg-keys", settings);
    showKeys();
  }));
  showKeys();
})();
