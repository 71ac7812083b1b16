#!/usr/bin/env node
// May this candidate be deployed here and now? The rules of `beleg verify` in Node alone: no package, no network.
//
//   node verify.mjs FILE... --trust trust.dsse.json --root root.pub.pem --subject sha256:HEX --environment production
//
// FILE is a decision, an override, or a folder of them. Exit 0 deploys and nothing else does: 10 REVIEW, 20 BLOCK,
// 30 everything else, 2 a wrong call. A state that `beleg verify --state` keeps may be read with --state; it is not written.

import { createHash, createPublicKey, verify as verifySignature } from "node:crypto";
import { readFileSync, readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const STATEMENT = "application/vnd.in-toto+json";
const TRUST = "application/vnd.beleg.trust+json";
const DECISION = "https://github.com/beleg/beleg/release-decision/v1";
const OVERRIDE = "https://github.com/beleg/beleg/release-override/v1";
const KINDS = { [DECISION]: "decision", [OVERRIDE]: "override" };
const HOUR = 3_600_000_000n;
const MAX_SIGNATURES = 64;
const MAX_KEYS = 256;

// In the order in which a statement meets them: of several refused, the reason of the one that came furthest is given.
const HOW_FAR = [
  "wrong_predicate", "bad_envelope", "untrusted_key", "bad_signature", "wrong_payload_type", "not_strict",
  "key_not_allowed", "key_not_yet_valid", "key_retired", "wrong_subject", "wrong_environment", "override_not_by_owner",
  "below_threshold", "revoked", "stale_sequence", "override_of_other", "override_not_yet_valid", "override_expired", "override_too_long",
  "override_incomplete", "not_waivable",
];

class Refused extends Error {
  constructor(reason, kind = null) {
    super(reason);
    this.reason = reason;
    this.kind = kind;
  }
}

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");
const isWellFormed = (text) => !/\p{Surrogate}/u.test(text); // halves of pairs alone; whole pairs are one character
const utf8 = (bytes) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);

// --- bytes to values ------------------------------------------------------------------------------------------------

function canonical(value) {
  if (typeof value === "string") {
    if (!isWellFormed(value)) throw new Error("half a surrogate pair");
    return JSON.stringify(value);
  }
  if (value === null || typeof value === "boolean") return JSON.stringify(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new Error("no finite number");
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const fields = Object.keys(value).sort();
  return `{${fields.map((name) => `${canonical(name)}:${canonical(value[name])}`).join(",")}}`;
}

function parseCanonical(bytes) {
  const text = utf8(bytes);
  const value = JSON.parse(text);
  if (canonical(value) !== text) throw new Error("not in the one form");
  return value;
}

function requireUniqueFields(text) {
  const open = [];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],]/gs)) {
    const top = open.at(-1);
    if (token === "{") open.push({ fields: new Set(), atField: true });
    else if (token === "[") open.push({ fields: null, atField: false });
    else if (token === "}" || token === "]") open.pop();
    else if (token === ",") {
      if (top) top.atField = top.fields !== null;
    } else if (top?.atField) {
      const name = JSON.parse(token);
      if (top.fields.has(name)) throw new Error("a field stands twice");
      top.fields.add(name);
      top.atField = false;
    }
  }
}

function fromBase64(text) {
  if (typeof text !== "string") throw new Error("no text");
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) && !/^[A-Za-z0-9_-]*={0,2}$/.test(text)) throw new Error("no base64");
  const standard = text.replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Buffer.from(standard, "base64");
  if (bytes.toString("base64") !== standard) throw new Error("base64 that is not the form of its bytes");
  return bytes;
}

function openEnvelope(bytes) {
  const text = utf8(bytes);
  const value = JSON.parse(text);
  requireUniqueFields(text);
  const { payload, payloadType, signatures } = value;
  if (typeof payloadType !== "string" || !isWellFormed(payloadType)) throw new Error("no payload type");
  if (!Array.isArray(signatures) || signatures.length < 1 || signatures.length > MAX_SIGNATURES) {
    throw new Error("signatures");
  }
  const hints = signatures.map(({ keyid }) => keyid ?? null).filter((hint) => hint !== null);
  if (!hints.every((hint) => typeof hint === "string" && isWellFormed(hint))) throw new Error("key id");
  return { payload: fromBase64(payload), payloadType, signatures: signatures.map(({ sig }) => fromBase64(sig)), hints };
}

// --- keys and signatures --------------------------------------------------------------------------------------------

const KEY_FORMS = [
  { prefix: "302a300506032b6570032100", length: 44 }, // Ed25519
  { prefix: "3059301306072a8648ce3d020106082a8648ce3d03010703420004", length: 91 }, // P-256, uncompressed point
];

function keyIdOf(pem) {
  const match = /^-----BEGIN PUBLIC KEY-----\n((?:[A-Za-z0-9+/=]{1,64}\n)+)-----END PUBLIC KEY-----\n?$/.exec(pem);
  if (!match) throw new Error("no PEM of one public key");
  const body = match[1].replaceAll("\n", "");
  const der = Buffer.from(body, "base64");
  if (der.toString("base64") !== body) throw new Error("damaged base64");
  const hex = der.toString("hex");
  if (!KEY_FORMS.some(({ prefix, length }) => hex.startsWith(prefix) && der.length === length)) {
    throw new Error("neither Ed25519 nor P-256");
  }
  return sha256(der);
}

function hasSigned(pem, signature, encoded) {
  try {
    const key = createPublicKey(pem);
    return verifySignature(key.asymmetricKeyType === "ed25519" ? null : "sha256", encoded, key, signature);
  } catch {
    return false;
  }
}

function signersOf({ payload, payloadType, signatures }, keys) {
  const type = Buffer.from(payloadType, "utf-8");
  const head = `DSSEv1 ${type.length} ${payloadType} ${payload.length} `;
  const encoded = Buffer.concat([Buffer.from(head, "utf-8"), payload]);
  return Object.keys(keys).filter((id) => signatures.some((signature) => hasSigned(keys[id], signature, encoded)));
}

// --- the forms of what is signed ------------------------------------------------------------------------------------

const textOf = (most, form = /^/, least = 1) => (value) => {
  const length = typeof value === "string" ? [...value].length : -1;
  return length >= least && length <= most && form.test(value);
};
const identifier = textOf(512, /^[^\x00-\x1f\x7f]+$/);
const short = textOf(4_000);
const long = textOf(200_000);
const hex = textOf(64, /^[0-9a-f]{64}$/);
const counter = textOf(18, /^(0|[1-9][0-9]{0,17})$/);
const decimal = textOf(40, /^-?(0|[1-9][0-9]{0,17})(\.[0-9]{1,17})?$/);
const oneOf = (...words) => (value) => words.includes(value);
const whole = (least, most) => (value) => Number.isInteger(value) && value >= least && value <= most;
const listOf = (item, least = 0) => (value) => Array.isArray(value) && value.length >= least && value.every(item);
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const mapOf = (key, item) => (value) => isObject(value) && Object.entries(value).every(([k, v]) => key(k) && item(v));
const instant = (value) => microsecondsOf(value) !== null;

// A field may be left out where its name ends in "?"; null says the same where it ends in "??".
const record = (fields) => {
  const rules = Object.entries(fields).map(([name, check]) => {
    const marks = name.length - name.replace(/\?+$/, "").length;
    return [name.slice(0, name.length - marks), { check, marks }];
  });
  const known = new Map(rules);
  return (value) =>
    isObject(value) &&
    Object.keys(value).every((name) => known.has(name)) &&
    rules.every(([name, { check, marks }]) => {
      if (!Object.hasOwn(value, name)) return marks > 0;
      return (marks === 2 && value[name] === null) || check(value[name]);
    });
};

const digest = record({ sha256: hex });
const descriptor = record({ "uri??": short, digest });
const check = record({
  id: identifier, state: oneOf("FAIL", "ERROR", "NOT_EVALUATED", "INCONCLUSIVE", "PASS"), "metric??": identifier,
  "segment??": identifier, "estimate??": decimal, "lower??": decimal, "upper??": decimal, "scored??": counter,
  "expected??": counter, "failed??": counter,
});
const isStatement = record({
  _type: oneOf("https://in-toto.io/Statement/v1"), subject: listOf(record({ name: short, digest }), 1),
  predicateType: short, predicate: isObject,
});
const PREDICATES = {
  decision: record({
    decision: oneOf("PASS", "REVIEW", "BLOCK"), environment: identifier, policy: descriptor, suite: descriptor,
    "baseline??": descriptor, "evidencePack??": descriptor, decisionRecord: descriptor, issuedAt: instant,
    notBefore: instant, expiresAt: instant, sequence: counter, headline: short, checks: listOf(check),
    "failedChecks?": listOf(identifier), "waivableChecks?": listOf(identifier),
    verifier: record({ id: short, version: identifier }),
  }),
  override: record({
    overrides: hex, environment: identifier, checks: listOf(identifier, 1), owner: short, reason: long, ticket: short,
    compensatingControl: long, issuedAt: instant, expiresAt: instant,
  }),
};
const isTrust = record({
  version: counter, issuedAt: instant, expiresAt: instant,
  keys: mapOf(identifier, record({
    publicKey: textOf(10_000, /^/, 0), name: short, predicateTypes: listOf(short, 1),
    environments: listOf(identifier, 1), validFrom: instant, validUntil: instant,
  })),
  "decisionThreshold?": whole(1, 16), "overrideThreshold?": whole(1, 16), "revokedStatements?": listOf(hex),
  "minimumSequence?": mapOf(identifier, counter), "maxDecisionAgeHours?": whole(1, 8_760),
  "maxOverrideHours?": whole(1, 8_760), "requireEvidencePack?": (value) => typeof value === "boolean",
});
const TRUST_DEFAULTS = {
  decisionThreshold: 1, overrideThreshold: 1, revokedStatements: [], minimumSequence: {}, maxDecisionAgeHours: 72,
  maxOverrideHours: 72, requireEvidencePack: false,
};

// Microseconds since 1970; JavaScript's own dates know milliseconds only. Null for every other way of writing a time.
export function microsecondsOf(text) {
  const form = /^([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,6}))?Z$/;
  const match = typeof text === "string" ? form.exec(text) : null;
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  const back = [
    date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes(),
    date.getUTCSeconds(),
  ];
  if (year < 1 || back.some((part, index) => part !== [year, month, day, hour, minute, second][index])) return null;
  return BigInt(date.getTime()) * 1_000n + BigInt((match[7] ?? "").padEnd(6, "0"));
}

// --- the trust file -------------------------------------------------------------------------------------------------

function readTrust(bytes, roots, at, state) {
  const keys = Object.fromEntries(roots.map((pem) => [keyIdOf(pem), pem]));
  let envelope;
  try {
    envelope = openEnvelope(bytes);
  } catch {
    throw new Refused("trust_unsigned");
  }
  if (signersOf(envelope, keys).length === 0) throw new Refused("trust_unsigned");
  if (envelope.payloadType !== TRUST) throw new Refused("trust_invalid");
  let trust;
  try {
    trust = parseCanonical(envelope.payload);
    if (!isTrust(trust) || Object.keys(trust.keys).length > MAX_KEYS) throw new Error("form");
    for (const [id, key] of Object.entries(trust.keys)) {
      if (keyIdOf(key.publicKey) !== id) throw new Error("another id");
      if ([DECISION, OVERRIDE].every((type) => key.predicateTypes.includes(type))) throw new Error("excuses itself");
    }
  } catch {
    throw new Refused("trust_invalid");
  }
  if (microsecondsOf(trust.issuedAt) > at) throw new Refused("trust_not_yet_valid");
  if (at >= microsecondsOf(trust.expiresAt)) throw new Refused("trust_expired");
  if (state.trust_version) {
    const [version, seen] = [BigInt(trust.version), BigInt(state.trust_version)];
    const another = version === seen && sha256(envelope.payload) !== state.trust_payload;
    if (version < seen || another) throw new Refused("trust_rollback");
  }
  return { ...TRUST_DEFAULTS, ...trust };
}

// --- one envelope ---------------------------------------------------------------------------------------------------

function authenticate(bytes, { trust, subject, environment, at }) {
  let envelope;
  try {
    envelope = openEnvelope(bytes);
  } catch {
    throw new Refused("bad_envelope");
  }
  const keys = Object.fromEntries(Object.entries(trust.keys).map(([id, key]) => [id, key.publicKey]));
  const ids = signersOf(envelope, keys);
  if (ids.length === 0) {
    throw new Refused(envelope.hints.some((hint) => Object.hasOwn(keys, hint)) ? "bad_signature" : "untrusted_key");
  }
  if (envelope.payloadType !== STATEMENT) throw new Refused("wrong_payload_type");
  const { statement, kind } = readStatement(envelope.payload);
  const predicate = statement.predicate;
  const refuse = (reason) => {
    throw new Refused(reason, kind);
  };

  let signers = ids.map((id) => trust.keys[id]).filter((key) => key.predicateTypes.includes(statement.predicateType));
  if (signers.length === 0) refuse("key_not_allowed");
  const issued = microsecondsOf(predicate.issuedAt);
  const latest = issued > at ? issued : at;
  const isOver = (key) => microsecondsOf(key.validUntil) <= latest;
  const current = signers.filter((key) => microsecondsOf(key.validFrom) <= issued && !isOver(key));
  if (current.length === 0) refuse(signers.some(isOver) ? "key_retired" : "key_not_yet_valid");
  if (!statement.subject.some((one) => one.digest.sha256 === subject)) refuse("wrong_subject");
  if (predicate.environment !== environment) refuse("wrong_environment");
  signers = current.filter((key) => key.environments.includes(environment));
  if (signers.length === 0) refuse("key_not_allowed");
  const owners = new Set(signers.map(({ name }) => name)); // of whom one may hold two keys
  if (kind === "override" && !owners.has(predicate.owner)) refuse("override_not_by_owner");
  const signed = kind === "override" ? owners.size : signers.length;
  if (signed < trust[`${kind}Threshold`]) refuse("below_threshold");
  const payload = sha256(envelope.payload);
  if (trust.revokedStatements.includes(payload)) refuse("revoked");
  return { payload, kind, predicate };
}

function readStatement(payload) {
  let statement;
  try {
    statement = parseCanonical(payload);
  } catch {
    throw new Refused("not_strict");
  }
  if (!isStatement(statement)) throw new Refused("not_strict");
  const kind = Object.hasOwn(KINDS, statement.predicateType) ? KINDS[statement.predicateType] : null;
  if (kind === null) throw new Refused("wrong_predicate");
  if (!PREDICATES[kind](statement.predicate)) throw new Refused("not_strict");
  return { statement, kind };
}

// --- all of them ----------------------------------------------------------------------------------------------------

function seenBy(state, subject, environment) {
  const memory = Object.hasOwn(state.environments ?? {}, environment) ? state.environments[environment] : {};
  const heldBack = Object.hasOwn(memory.held_back ?? {}, subject) ? memory.held_back[subject] : null;
  return [memory.admitted, heldBack].filter(Boolean);
}

const highest = (numbers) => numbers.reduce((most, one) => (one > most ? one : most), 0n);
const furthest = (refused) =>
  refused.map(({ reason }) => reason).sort((one, two) => HOW_FAR.indexOf(two) - HOW_FAR.indexOf(one))[0];

// The answer: {admitted, reason, exit_code}. `at` is a text such as 2026-11-30T12:00:00Z; the rest is as in the files.
export function admit({ trust, roots, envelopes, subject, environment, at, state = {} }) {
  const answer = (reason, decision = null) => {
    const admitted = reason === "pass" || reason === "overridden";
    const exits = { REVIEW: 10, BLOCK: 20 };
    return { admitted, reason, exit_code: admitted ? 0 : (exits[decision] ?? 30) };
  };
  try {
    const now = microsecondsOf(at);
    const terms = { trust: readTrust(trust, roots, now, state), subject, environment, at: now };
    return decide(envelopes, terms, state, answer);
  } catch (error) {
    if (error instanceof Refused) return answer(error.reason);
    throw error;
  }
}

function decide(envelopes, terms, state, answer) {
  const authentic = new Map();
  const refused = [];
  for (const bytes of envelopes) {
    try {
      const one = authenticate(bytes, terms);
      authentic.set(one.payload, one);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refused.push(error);
    }
  }
  if (refused.some(({ reason }) => reason === "not_strict")) return answer("not_strict");
  const { trust, subject, environment, at } = terms;
  const decision = newest([...authentic.values()], refused, seenBy(state, subject, environment), trust, environment);
  requireInForce(decision.predicate, trust, at);
  const verdict = decision.predicate.decision;
  if (verdict === "PASS") return answer("pass");
  const faults = [...authentic.values()]
    .filter(({ kind }) => kind === "override")
    .map(({ predicate }) => faultOfOverride(predicate, decision, trust, at));
  if (faults.includes(null)) return answer("overridden");
  const kept = [...refused.filter(({ kind }) => kind === "override"), ...faults.map((reason) => ({ reason }))];
  return answer(furthest(kept) ?? verdict.toLowerCase(), verdict);
}

function newest(authentic, refused, seen, trust, environment) {
  const own = Object.hasOwn(trust.minimumSequence, environment) ? trust.minimumSequence[environment] : "0";
  const least = highest([BigInt(own), ...seen.map(({ sequence }) => BigInt(sequence))]);
  const decisions = authentic.filter(({ kind }) => kind === "decision");
  const fresh = decisions.filter(({ predicate }) => BigInt(predicate.sequence) >= least);
  const stale = decisions.length > fresh.length ? [{ reason: "stale_sequence" }] : [];
  if (fresh.length === 0) {
    const others = refused.filter(({ kind }) => kind !== "override");
    throw new Refused(furthest([...others, ...stale]) ?? "nothing_found");
  }
  const most = highest(fresh.map(({ predicate }) => BigInt(predicate.sequence)));
  const first = fresh.filter(({ predicate }) => BigInt(predicate.sequence) === most);
  const another = seen.some((one) => BigInt(one.sequence) === most && one.statement !== first[0].payload);
  if (first.length > 1 || another) throw new Refused("sequence_tie");
  return first[0];
}

function requireInForce(decision, trust, at) {
  if (!agreesWithItself(decision)) throw new Refused("inconsistent");
  const [issued, begins, ends] = [decision.issuedAt, decision.notBefore, decision.expiresAt].map(microsecondsOf);
  if (issued > at || begins > at) throw new Refused("not_yet_valid");
  if (at >= ends) throw new Refused("expired");
  if (at - issued > BigInt(trust.maxDecisionAgeHours) * HOUR) throw new Refused("too_old");
  if (trust.requireEvidencePack && !decision.evidencePack) throw new Refused("no_pack");
}

function agreesWithItself({ decision, checks, failedChecks = [], waivableChecks = [] }) {
  const notPassed = new Set(checks.filter(({ state }) => state !== "PASS").map(({ id }) => id));
  const failed = new Set(failedChecks);
  const unique = new Set(checks.map(({ id }) => id)).size === checks.length;
  const same = failed.size === notPassed.size && [...failed].every((id) => notPassed.has(id));
  const agree = unique && same && waivableChecks.every((id) => failed.has(id));
  return agree && (decision !== "PASS" || (checks.length > 0 && failed.size === 0));
}

function faultOfOverride(override, { payload, predicate }, trust, at) {
  const [issued, ends] = [override.issuedAt, override.expiresAt].map(microsecondsOf);
  const failed = predicate.failedChecks ?? [];
  if (override.overrides !== payload) return "override_of_other";
  if (issued > at) return "override_not_yet_valid";
  if (at >= ends) return "override_expired";
  if (ends - issued > BigInt(trust.maxOverrideHours) * HOUR) return "override_too_long";
  // Where nothing is named as failed, nothing can be covered.
  if (failed.length === 0 || !failed.every((id) => override.checks.includes(id))) return "override_incomplete";
  return failed.every((id) => (predicate.waivableChecks ?? []).includes(id)) ? null : "not_waivable";
}

// --- the command line -----------------------------------------------------------------------------------------------

const OPTIONS = {
  trust: { type: "string" }, root: { type: "string", multiple: true }, subject: { type: "string" },
  environment: { type: "string" }, state: { type: "string" }, json: { type: "boolean" },
};

function filesOf(path) {
  if (!statSync(path).isDirectory()) return [path];
  const entries = readdirSync(path, { withFileTypes: true });
  const here = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".dsse.json"));
  const below = entries.some((entry) => entry.isDirectory() && entry.name === "overrides");
  return [...here.map(({ name }) => join(path, name)), ...(below ? filesOf(join(path, "overrides")) : [])];
}

function main() {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const { trust, root = [], subject, environment } = values;
  const hexOf = subject?.replace(/^sha256:/, "") ?? "";
  if (positionals.length === 0 || !trust || root.length === 0 || !hex(hexOf) || !environment) {
    throw new Error("FILE..., --trust, --root, --subject sha256:HEX and --environment are needed");
  }
  const result = admit({
    trust: readFileSync(trust),
    roots: root.map((path) => readFileSync(path, "utf-8").replaceAll("\r\n", "\n")),
    envelopes: positionals.flatMap(filesOf).map((path) => readFileSync(path)),
    subject: hexOf,
    environment,
    at: new Date().toISOString(),
    state: values.state ? JSON.parse(readFileSync(values.state, "utf-8")) : {},
  });
  console.log(values.json ? JSON.stringify(result) : `${result.admitted ? "ALLOW" : "DENY"}: ${result.reason}`);
  return result.exit_code;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = main();
  } catch (error) {
    console.error(`verify: ${error.message}`);
    process.exitCode = 2;
  }
}
