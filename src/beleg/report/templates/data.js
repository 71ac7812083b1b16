"use strict";
/* Data: unpacks the blocks of the page on demand. Untrusted text only ever becomes text nodes. */
document.documentElement.classList.add("js");
const settings = JSON.parse(document.getElementById("settings").textContent);
const UNSEEN = new RegExp(settings.unseen, "gu");
const MINUS = "\u2212";

const language = () => (document.getElementById("lang-de").checked ? "de" : "en");
const word = (key, values = {}) =>
  settings.words[language()][key].replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
const say = (key, values) => word(`js.${key}`, values);
const stageWord = (stage) => settings.words[language()][`stage.${stage}`] ?? stage;

/* An element with text children; attributes come from this script alone, never from data, save those set below. */
function el(tag, options = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (name === "onclick") node.addEventListener("click", value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== undefined && value !== null && value !== false) node.setAttribute(name, String(value));
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/* Untrusted text: characters that cannot be seen are named, direction is isolated. */
function untrusted(text, tag = "bdi") {
  const node = el(tag, tag === "bdi" ? {} : { dir: "auto" });
  node.append(...shown(text));
  return node;
}
function shown(text) {
  const parts = [];
  let from = 0;
  for (const hit of text.replaceAll("\r\n", "\n").matchAll(UNSEEN)) {
    const clean = hit.input;
    if (hit.index > from) parts.push(clean.slice(from, hit.index));
    parts.push(el("span", { class: "ctl" }, `U+${hit[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`));
    from = hit.index + hit[0].length;
  }
  const rest = text.replaceAll("\r\n", "\n").slice(from);
  if (rest) parts.push(rest);
  return parts;
}

async function unpack(name) {
  const element = document.getElementById(name);
  const packed = element.textContent;
  const bytes = Uint8Array.fromBase64 ? Uint8Array.fromBase64(packed) : Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}
const unpacked = new Map();
function block(name) {
  if (!unpacked.has(name)) unpacked.set(name, unpack(name));
  return unpacked.get(name);
}
const itemStarts = [...document.querySelectorAll('script[id^="items-"]')].map((node) => Number(node.id.slice(6)));
async function item(number) {
  let low = 0;
  let high = itemStarts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (itemStarts[middle] <= number) low = middle;
    else high = middle - 1;
  }
  const items = await block(`items-${itemStarts[low]}`);
  return items[number - itemStarts[low]];
}

/* Numbers as the language writes them. */
function figure(value, metric, signed = false) {
  if (typeof value === "string") return el("span", { class: "reason" }, word(`reason.${value}`));
  const text = new Intl.NumberFormat(language(), {
    minimumFractionDigits: metric.digits[0],
    maximumFractionDigits: metric.digits[1],
    signDisplay: signed ? "exceptZero" : "auto",
  }).format(value).replace("-", MINUS);
  return metric.unit ? `${text}\u00a0${metric.unit}` : text;
}
const count = (value) => new Intl.NumberFormat(language()).format(value);
const plainNumber = (value, digits) => new Intl.NumberFormat(language(), { maximumFractionDigits: digits }).format(value).replace("-", MINUS);
