"""Writes tests/vectors/release: what a deployment controller is given, and what it must answer.

    python tools/release_vectors.py            write the files
    python tools/release_vectors.py --check    say which are stale

Nothing of Beleg is used here: statements, signatures and expected answers are written down by hand, so that the files
can hold Beleg and any other implementation to the same words.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import rfc8785

from vector_parts import (
    ADA,
    BEA,
    BLOCKED,
    CANDIDATE,
    DECISION,
    GATE,
    GATE_P256,
    GATE_TYPES,
    NEW_ROOT,
    OTHER,
    OVERRIDE,
    OWNER_TYPES,
    ROGUE,
    ROOT,
    TRUST,
    VSA,
    Data,
    Vector,
    allow,
    b64,
    check,
    decided,
    decision,
    deny,
    digest,
    entry,
    over,
    override,
    payload_of,
    remembers,
    seen,
    signed,
    statement,
    text,
    trust,
    with_keys,
)

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "vectors" / "release"


def first_vectors() -> dict[str, Vector]:
    """The 24 rules that every controller of such decisions needs."""
    block = signed(BLOCKED, GATE)
    only_one = ["faithfulness"]
    half = payload_of(decision("BLOCK", waivableChecks=only_one))
    doubled = payload_of(decision()).replace(b'"decision":"PASS"', b'"decision":"BLOCK","decision":"PASS"')
    return {
        "pass": allow("a PASS in date", decided()),
        "review": deny("a REVIEW is no PASS", "review", decided("REVIEW"), exit_code=10),
        "block": deny("a BLOCK", "block", block, exit_code=20),
        "expired": deny("past its end", "expired", decided(expiresAt="2026-11-30T11:00:00Z")),
        "not_yet": deny("before its beginning", "not_yet_valid", decided(notBefore="2026-11-30T13:00:00Z")),
        "too_old": deny(
            "in date by its own word, and older than the trust file allows", "too_old",
            decided(
                issuedAt="2026-11-27T11:59:59Z", notBefore="2026-11-27T11:59:59Z", expiresAt="2027-01-01T00:00:00Z"
            ),
        ),
        "wrong_environment": deny("a PASS for staging", "wrong_environment", decided(environment="staging")),
        "wrong_subject": deny(
            "a PASS for another candidate", "wrong_subject",
            signed(payload_of(decision(), subject=[{"name": "candidate", "digest": {"sha256": OTHER}}]), GATE),
        ),
        "rogue_key": deny("signed by a key that nobody trusts", "untrusted_key", decided("PASS", ROGUE)),
        "retired_key": deny(
            "the key counts no more", "key_retired", decided(),
            trust=with_keys(validUntil="2026-11-30T12:00:00Z"),
        ),
        "owner_signs_decision": deny("an owner is no gate", "key_not_allowed", decided("PASS", ADA)),
        "wrong_payload_type": deny(
            "signed as something else", "wrong_payload_type",
            signed(payload_of(decision()), GATE, payload_type="application/json"),
        ),
        "stale_sequence": deny(
            "older than what was deployed last", "stale_sequence", decided(), state=remembers(admitted=seen("43"))
        ),
        "duplicate_json_key": deny("one field twice: a reader could take either", "not_strict", signed(doubled, GATE)),
        "override_ok": allow("a BLOCK that its owner overrides", block, over(), reason="overridden"),
        "override_expired": deny(
            "its owner's time is up", "override_expired", block, over(expiresAt="2026-11-30T12:00:00Z"), exit_code=20
        ),
        "override_too_long": deny(
            "longer than the trust file allows", "override_too_long", block,
            over(expiresAt="2026-12-03T10:00:00.000001Z"), exit_code=20,
        ),
        "override_by_gates_key": deny(
            "the gate cannot excuse itself", "key_not_allowed", block, over(GATE), exit_code=20
        ),
        "override_of_other_decision": deny(
            "it names another decision", "override_of_other", block, over(overrides="8" * 64), exit_code=20
        ),
        "override_of_non_waivable_check": deny(
            "one check may not be overridden", "not_waivable", signed(half, GATE), over(overrides=digest(half)),
            exit_code=20,
        ),
        "override_misses_a_check": deny(
            "a check that failed is not covered", "override_incomplete", block, over(checks=only_one), exit_code=20
        ),
        "nothing_left": deny("no file at all", "nothing_found"),
        "newer_block_beats_older_pass": deny(
            "the newest decision speaks", "block", decided(sequence="41"), block, exit_code=20
        ),
        "unknown_value": deny("a verdict that does not exist", "not_strict", decided(decision="MAYBE")),
    }  # fmt: skip


def trust_vectors() -> dict[str, Vector]:
    """Whose signatures count."""
    payload = rfc8785.dumps(trust())
    good = signed(payload, ROOT, payload_type=TRUST)
    keys = trust()["keys"]
    swapped = {**keys, GATE.id: keys[ADA.id]}
    both = with_keys(predicateTypes=[DECISION, OVERRIDE])
    retired = {key: value for key, value in keys.items() if key != GATE.id}
    compressed = with_keys(publicKey=keys[ADA.id]["publicKey"].replace("\n", "\r\n"))
    known = {"trust_version": "7", "trust_payload": digest(payload)}
    return {
        "trust_known": allow("the very trust file that was seen before", decided(), state=known),
        "trust_newer": allow("a newer trust file", decided(), state={**known, "trust_version": "6"}),
        "trust_rollback": deny("an older one", "trust_rollback", decided(), state={**known, "trust_version": "8"}),
        "trust_version_reused": deny(
            "another file under the version that was seen", "trust_rollback", decided(),
            state={**known, "trust_payload": "7" * 64},
        ),
        "trust_version_beyond_double": deny(
            "versions differ in the last of 17 digits", "trust_rollback", decided(),
            trust=trust(version="90071992547409924"), state={**known, "trust_version": "90071992547409925"},
        ),
        "trust_unsigned": deny(
            "signed by the gate, not the root", "trust_unsigned", decided(),
            trust=text(signed(payload, GATE, payload_type=TRUST)),
        ),
        "trust_tampered": deny(
            "a key more than the root has signed", "trust_unsigned", decided("PASS", ROGUE),
            trust=text({**good, "payload": b64(payload.replace(b'"version":"7"', b'"version":"9"'))}),
        ),
        "trust_plain": deny("plain JSON without a signature", "trust_unsigned", decided(), trust=payload.decode()),
        "trust_expired": deny(
            "out of date", "trust_expired", decided(), trust=trust(expiresAt="2026-11-30T12:00:00Z")
        ),
        "trust_not_yet_valid": deny(
            "dated in the future", "trust_not_yet_valid", decided(), trust=trust(issuedAt="2026-11-30T12:00:01Z")
        ),
        "trust_wrong_payload_type": deny(
            "signed by the root as something else", "trust_invalid", decided(), trust=text(signed(payload, ROOT))
        ),
        "trust_key_under_another_id": deny(
            "a key that stands under the id of another", "trust_invalid", decided(), trust=trust(keys=swapped)
        ),
        "trust_gate_may_override": deny(
            "one key for decisions and overrides", "trust_invalid", decided(), trust=both
        ),
        "trust_unknown_field": deny(
            "a field that nobody knows", "trust_invalid", decided(), trust=trust(allowEverything=True)
        ),
        "trust_not_canonical": deny(
            "spaces between the fields", "trust_invalid", decided(),
            trust=text(signed(json.dumps(trust()).encode(), ROOT, payload_type=TRUST)),
        ),
        "trust_threshold_zero": deny(
            "no key at all would do", "trust_invalid", decided(), trust=trust(decisionThreshold=0)
        ),
        "trust_key_with_carriage_returns": deny(
            "a key in another written form", "trust_invalid", decided(), trust=compressed
        ),
        "trust_without_keys": deny("nobody is trusted", "bad_envelope", "{}", trust=trust(keys={})),
        "trust_key_removed": deny(
            "the new trust file has dropped the key", "untrusted_key", decided(), trust=trust(version="8", keys=retired)
        ),
        "trust_of_the_new_root": allow(
            "two roots are known, the new one has signed", decided(), roots=(ROOT, NEW_ROOT),
            trust=text(signed(payload, NEW_ROOT, payload_type=TRUST)),
        ),
    }  # fmt: skip


def signature_vectors() -> dict[str, Vector]:
    """Envelopes and keys."""
    good = decided()
    payload = payload_of(decision())
    blocked = signed(BLOCKED, GATE)
    sig = good["signatures"][0]["sig"]
    two = trust(decisionThreshold=2)
    flags = ">>>???~~~"  # gives + and / in base64
    wide = signed(payload_of(decision(headline=flags * 3)), GATE)
    url_safe = {
        **wide,
        "payload": wide["payload"].replace("+", "-").replace("/", "_"),
        "signatures": [{"sig": wide["signatures"][0]["sig"].replace("+", "-").replace("/", "_")}],
    }
    last = "B" if sig[-3] == "A" else chr(ord(sig[-3]) + 1)
    leftover = [{"keyid": GATE.id, "sig": sig[:-3] + last + sig[-2:]}]
    return {
        "url_safe_base64": allow("DSSE has both alphabets accepted", url_safe),
        "keyid_swapped": allow(
            "the key id is a hint, and it hints at another key", {**good, "signatures": [{"keyid": ADA.id, "sig": sig}]}
        ),
        "keyid_absent": allow("the key id may be left out", {**good, "signatures": [{"sig": sig}]}),
        "unknown_envelope_field": allow("fields that DSSE does not know are left out", {**good, "note": [1.5, None]}),
        "good_signature_among_strange_ones": allow(
            "one key that counts is enough where one is asked for", decided("PASS", ROGUE, GATE)
        ),
        "rogue_names_trusted_key": deny(
            "a stranger's signature under the gate's id", "bad_signature",
            {**good, "signatures": [{"keyid": GATE.id, "sig": decided("PASS", ROGUE)["signatures"][0]["sig"]}]},
        ),
        "embedded_key": deny(
            "an envelope that brings its own key along", "untrusted_key",
            {**decided("PASS", ROGUE), "publicKey": ROGUE.pem, "verificationMaterial": {"publicKey": ROGUE.pem}},
        ),
        "payload_tampered": deny(
            "BLOCK made PASS after signing", "bad_signature",
            {**blocked, "payload": b64(BLOCKED.replace(b'"decision":"BLOCK"', b'"decision":"PASS"'))},
        ),
        "payload_type_tampered": deny(
            "the payload type is signed too", "bad_signature", {**good, "payloadType": "application/json"}
        ),
        "signature_of_payload_alone": deny(
            "signed without its type", "bad_signature",
            {**good, "signatures": [{"keyid": GATE.id, "sig": b64(GATE._private.sign(payload))}]},
        ),
        "empty_signature": deny(
            "a signature of no bytes", "bad_signature", {**good, "signatures": [{"keyid": GATE.id, "sig": ""}]}
        ),
        "p256": allow("a key on P-256", decided("PASS", GATE_P256)),
        "p256_second_signature": allow("both keys of the gate", decided("PASS", GATE, GATE_P256), trust=two),
        "threshold_two_same_key_twice": deny(
            "one key cannot be two", "below_threshold", decided("PASS", GATE, GATE), trust=two
        ),
        "threshold_two_one_of_them_no_gate": deny(
            "an owner's signature does not count for a decision", "below_threshold", decided("PASS", GATE, ADA),
            trust=two,
        ),
        "base64_leftover_bits": deny(
            "another text of the same bytes", "bad_envelope", {**good, "signatures": leftover}
        ),
        "base64_unpadded": deny("no padding", "bad_envelope", {**good, "signatures": [{"sig": sig.rstrip("=")}]}),
        "base64_mixed_alphabets": deny("both alphabets in one text", "bad_envelope", {**good, "payload": "+_AA"}),
        "duplicate_envelope_field": deny(
            "the payload twice", "bad_envelope", text(good).replace("{", '{"payload":"e30=",', 1)
        ),
        "no_signatures": deny("nobody has signed", "bad_envelope", {**good, "signatures": []}),
        "too_many_signatures": deny(
            "65 of them", "bad_envelope", {**good, "signatures": [{"sig": sig}] * 65}
        ),
        "no_envelope": deny("no JSON", "bad_envelope", "PASS"),
        "byte_order_mark": deny("a mark before the text", "bad_envelope", "\ufeff" + text(good)),
        "nan_in_envelope": deny("NaN is no JSON", "bad_envelope", text(good).replace("{", '{"n":NaN,', 1)),
        "half_a_character": deny(
            "half a surrogate pair in the type", "bad_envelope",
            text(good).replace("application/vnd.in-toto+json", "\\ud800"),
        ),
    }  # fmt: skip


def strictness_vectors() -> dict[str, Vector]:
    """The bytes that were signed have one meaning."""

    def strict(says: str, change: Callable[[bytes], bytes], reason: str = "not_strict") -> Vector:
        return deny(says, reason, signed(change(payload_of(decision())), GATE))

    def other(old: str, new: str) -> Callable[[bytes], bytes]:
        def replaced(payload: bytes) -> bytes:
            if payload.count(old.encode()) != 1:
                raise ValueError(f"{old} stands {payload.count(old.encode())} times")
            return payload.replace(old.encode(), new.encode())

        return replaced

    numbers = [{**check("faithfulness", "PASS"), "estimate": 0.91}]
    return {
        "nan": strict("NaN is no JSON", other('"sequence":"42"', '"sequence":NaN')),
        "space_between_fields": strict("a space too many", other(',"predicateType"', ', "predicateType"')),
        "fields_in_another_order": strict(
            "another order of fields", lambda _: json.dumps(statement(decision()), separators=(",", ":")).encode()
        ),
        "escaped_letter": strict("an escape where none is needed", other('"PASS: f', '"PASS: \\u0066')),
        "line_end": strict("a line end after the document", lambda payload: payload + b"\n"),
        "half_a_pair_in_text": strict("half a surrogate pair", other("PASS: f", "\\ud800")),
        "no_json": strict("text", lambda _: b"PASS"),
        "extra_field": deny("a field that nobody knows", "not_strict", decided(force=True)),
        "extra_statement_field": deny(
            "one more, outside", "not_strict", signed(payload_of(decision(), admitted=True), GATE)
        ),
        "snake_case": strict("another spelling of a field", other('"notBefore"', '"not_before"')),
        "both_spellings": deny(
            "two spellings of a field", "not_strict", decided(not_before="2020-01-01T00:00:00Z")
        ),
        "missing_field": strict("no end", other('"expiresAt":"2026-12-02T09:00:00Z",', "")),
        "number_for_text": deny("a figure as a number", "not_strict", decided(checks=numbers)),
        "sequence_with_zero_before": deny("042", "not_strict", decided(sequence="042")),
        "sequence_below_zero": deny("-1", "not_strict", decided(sequence="-1")),
        "time_with_offset": deny("UTC in other words", "not_strict", decided(expiresAt="2026-12-02T09:00:00+00:00")),
        "time_without_zone": deny("a time of no place", "not_strict", decided(expiresAt="2026-12-02T09:00:00")),
        "time_in_seconds": deny("seconds since 1970", "not_strict", decided(expiresAt="1796000000")),
        "time_with_seven_digits": deny("seven digits", "not_strict", decided(expiresAt="2026-12-02T09:00:00.1234567Z")),
        "time_that_is_none": deny("the 31st of November", "not_strict", decided(expiresAt="2026-11-31T09:00:00Z")),
        "digest_in_capitals": deny(
            "the digest in capitals", "not_strict",
            signed(payload_of(decision(), subject=[{"name": "c", "digest": {"sha256": CANDIDATE.upper()}}]), GATE),
        ),
        "digest_of_another_kind": deny(
            "SHA-1 beside SHA-256", "not_strict",
            signed(
                payload_of(decision(), subject=[{"name": "c", "digest": {"sha256": CANDIDATE, "sha1": "0" * 40}}]), GATE
            ),
        ),
        "no_subject": deny("about nothing", "not_strict", signed(payload_of(decision(), subject=[]), GATE)),
        "wrong_statement_type": deny(
            "an older statement type", "not_strict",
            signed(payload_of(decision(), _type="https://in-toto.io/Statement/v0.1"), GATE),
        ),
        "unreadable_beside_pass": deny(
            "something newer may stand in what cannot be read", "not_strict", decided(), decided(force=True)
        ),
        "null_for_absent": allow("null says the same as nothing", decided(baseline=None)),
    }  # fmt: skip


def meaning_vectors() -> dict[str, Vector]:
    """What was signed, about what, and which of several counts."""
    good, block = decided(), signed(BLOCKED, GATE)
    both = [{"name": name, "digest": {"sha256": of}} for name, of in (("other", OTHER), ("candidate", CANDIDATE))]
    summary = signed(payload_of({"verificationResult": "PASSED"}, VSA), GATE)
    big = "900719925474099"
    exact = "2026-11-30T12:00:00Z"
    ended = decided(
        "BLOCK", sequence="43", issuedAt="2026-11-30T10:00:00Z", notBefore="2026-11-30T10:00:00Z",
        expiresAt="2026-11-30T11:00:00Z",
    )  # fmt: skip
    return {
        "two_subjects": allow("one of two is the candidate", signed(payload_of(decision(), subject=both), GATE)),
        "two_other_subjects": deny(
            "neither of two", "wrong_subject", signed(payload_of(decision(), subject=[both[0], both[0]]), GATE)
        ),
        "named_like_the_candidate": deny(
            "names count for nothing", "wrong_subject",
            signed(payload_of(decision(), subject=[{"name": CANDIDATE, "digest": {"sha256": OTHER}}]), GATE),
        ),
        "summary_alone": deny("a verification summary is no decision", "wrong_predicate", summary),
        "summary_beside_pass": allow("what is no decision is passed over", good, summary),
        "decision_under_another_kind": deny(
            "the kind of the statement counts, not its look", "wrong_predicate",
            signed(payload_of(decision(), "https://example.org/release-decision/v1"), GATE),
        ),
        "decision_as_override": deny(
            "a decision that calls itself an override", "not_strict", signed(payload_of(decision(), OVERRIDE), ADA)
        ),
        "override_alone": deny("there is nothing to override", "nothing_found", over()),
        "key_of_another_environment": deny(
            "the key is for staging", "key_not_allowed", good, trust=with_keys(environments=["staging"])
        ),
        "sealed_after_the_fact": deny(
            "dated before its key began to count", "key_not_yet_valid", good,
            trust=with_keys(validFrom="2026-11-30T09:00:01Z"),
        ),
        "issued_in_the_future": deny(
            "made in an hour", "not_yet_valid", decided(issuedAt="2026-11-30T13:00:00Z")
        ),
        "from_this_instant": allow("it counts from now on", decided(notBefore=exact)),
        "until_this_instant": deny("and until now", "expired", decided(expiresAt=exact)),
        "until_one_microsecond_later": allow("a microsecond is left", decided(expiresAt="2026-11-30T12:00:00.000001Z")),
        "as_old_as_allowed": allow(
            "72 hours to the second", decided(issuedAt="2026-11-27T12:00:00Z", notBefore="2026-11-27T12:00:00Z")
        ),
        "revoked": deny(
            "named by the trust file", "revoked", good, trust=trust(revokedStatements=[digest(payload_of(decision()))])
        ),
        "below_minimum_sequence": deny(
            "everything before it is revoked", "stale_sequence", good, trust=trust(minimumSequence={"production": "43"})
        ),
        "minimum_sequence_of_another_place": allow(
            "staging is another matter", good, trust=trust(minimumSequence={"staging": "43"})
        ),
        "no_pack": deny(
            "the trust file asks for an audit pack", "no_pack", decided(evidencePack=None),
            trust=trust(requireEvidencePack=True),
        ),
        "tie": deny("two decisions under one sequence", "sequence_tie", good, block),
        "same_file_twice": allow("one decision in two files", good, good),
        "tie_with_what_was_seen": deny(
            "another one was deployed under this sequence", "sequence_tie", good, state=remembers(admitted=seen("42"))
        ),
        "deployed_again": allow(
            "the very decision that was deployed", good,
            state=remembers(admitted=seen("42", digest(payload_of(decision())))),
        ),
        "newer_than_seen": allow("newer than what was deployed", good, state=remembers(admitted=seen("41"))),
        "held_back_before": deny(
            "a newer BLOCK on it was seen, and is left out now", "stale_sequence", good,
            state=remembers(held_back={CANDIDATE: seen("43")}),
        ),
        "another_one_held_back": allow(
            "a newer BLOCK on another candidate", good, state=remembers(held_back={OTHER: seen("43")})
        ),
        "newer_block_that_ran_out": deny("an older PASS does not come back", "expired", good, ended),
        "newer_pass_beats_older_block": allow("mended since", decided(sequence="43"), block),
        "sequence_beyond_double": deny(
            "sequences differ in the last of 17 digits", "block", decided(sequence=f"{big}24"),
            decided("BLOCK", sequence=f"{big}25"), exit_code=20,
        ),
        "sequence_by_value": allow("100 is more than 42", decided(sequence="100"), block),
        "pass_with_failed_check": deny(
            "a PASS that names a failed check", "inconsistent",
            decided(failedChecks=["latency"], checks=[check("latency", "FAIL")]),
        ),
        "pass_that_hides_a_failed_check": deny(
            "a failed check that the list leaves out", "inconsistent", decided(checks=[check("latency", "FAIL")])
        ),
        "pass_without_checks": deny("nothing was checked", "inconsistent", decided(checks=[])),
        "waives_what_did_not_fail": deny(
            "a list of its own", "inconsistent", decided("BLOCK", waivableChecks=["faithfulness", "cost"])
        ),
        "check_named_twice": deny(
            "one name for two checks", "inconsistent",
            decided(checks=[check("latency", "PASS"), check("latency", "PASS")]),
        ),
    }  # fmt: skip


def override_vectors() -> dict[str, Vector]:
    """What an owner can and cannot do."""
    block = signed(BLOCKED, GATE)
    two = trust(overrideThreshold=2)
    silent = payload_of(decision("REVIEW", checks=[check("latency", "PASS")], failedChecks=[], waivableChecks=[]))
    review = payload_of(decision("REVIEW"))
    elsewhere = [{"name": "candidate", "digest": {"sha256": OTHER}}]
    newer = payload_of(decision("BLOCK", sequence="43"))
    return {
        "override_of_review": allow(
            "a REVIEW that its owner overrides", signed(review, GATE), over(overrides=digest(review)),
            reason="overridden",
        ),
        "override_of_pass": allow("nothing to override", decided(), over()),
        "override_by_rogue": deny("a stranger's", "block", block, over(ROGUE), exit_code=20),
        "override_without_owner_key": deny(
            "of a candidate that is another", "wrong_subject", block,
            signed(payload_of(override(), OVERRIDE, subject=elsewhere), ADA), exit_code=20,
        ),
        "override_for_another_environment": deny(
            "for staging", "wrong_environment", block, over(environment="staging"), exit_code=20
        ),
        "override_from_the_future": deny(
            "dated in an hour", "override_not_yet_valid", block, over(issuedAt="2026-11-30T13:00:00Z"), exit_code=20
        ),
        "override_revoked": deny(
            "named by the trust file", "revoked", block, over(), exit_code=20,
            trust=trust(revokedStatements=[digest(payload_of(override(), OVERRIDE))]),
        ),
        "override_as_long_as_allowed": allow(
            "72 hours to the microsecond", block, over(expiresAt="2026-12-03T10:00:00Z"), reason="overridden"
        ),
        "override_covers_more": allow(
            "more checks than failed", block, over(checks=["cost", "faithfulness", "latency"]), reason="overridden"
        ),
        "overrides_in_parts": deny(
            "each of two covers one check", "override_incomplete", block, over(checks=["faithfulness"]),
            over(checks=["latency"]), exit_code=20,
        ),
        "one_of_two_overrides_counts": allow(
            "one has run out, one has not", block, over(expiresAt="2026-11-30T11:00:00Z"), over(), reason="overridden"
        ),
        "override_of_nothing": deny(
            "no check failed, so none is covered", "override_incomplete", signed(silent, GATE),
            over(overrides=digest(silent)), exit_code=10,
        ),
        "override_without_checks": deny("an empty list", "not_strict", block, over(checks=[])),
        "override_of_the_older_block": deny(
            "a newer BLOCK needs its own", "override_of_other", block, over(), signed(newer, GATE), exit_code=20
        ),
        "override_of_expired_block": deny(
            "a decision that ran out cannot be overridden", "expired", block, over(), at="2026-12-02T09:00:00Z"
        ),
        "two_owners": allow("both have signed", block, over(ADA, BEA), reason="overridden", trust=two),
        "two_owners_asked_one_signed": deny(
            "one of two", "below_threshold", block, over(), exit_code=20, trust=two
        ),
        "two_owners_asked_in_two_files": deny(
            "each in a file of their own", "below_threshold", block, over(ADA), over(BEA), exit_code=20, trust=two
        ),
        "override_in_the_name_of_another": deny(
            "Bea's key under Ada's name", "override_not_by_owner", block, over(BEA), exit_code=20
        ),
        "override_by_another_spelling": deny(
            "the name is not the one of the trust file", "override_not_by_owner", block, over(owner="ada"),
            exit_code=20,
        ),
        "two_owners_asked_and_the_named_one_is_neither": deny(
            "both signed for a third", "override_not_by_owner", block, over(ADA, BEA, owner="Cleo"), exit_code=20,
            trust=two,
        ),
        "two_owners_asked_one_signed_by_two_keys": deny(
            "two keys of one name are one owner", "below_threshold", block, over(ADA, BEA), exit_code=20,
            trust=trust(
                overrideThreshold=2,
                keys={
                    GATE.id: entry(GATE, "the gate", GATE_TYPES),
                    ADA.id: entry(ADA, "Ada", OWNER_TYPES),
                    BEA.id: entry(BEA, "Ada", OWNER_TYPES),
                },
            ),
        ),
        "two_owners_asked_one_signed_twice": deny(
            "the same one twice", "below_threshold", block, over(ADA, ADA), exit_code=20, trust=two
        ),
    }  # fmt: skip


def vectors() -> Iterator[tuple[str, Data]]:
    """Every vector with its name."""
    groups = (first_vectors, trust_vectors, signature_vectors, strictness_vectors, meaning_vectors, override_vectors)
    for group in groups:
        for name, vector in group().items():
            yield name, as_data(name, vector)


def as_data(name: str, vector: Vector) -> Data:
    """A vector as it stands in its file."""
    signed_trust = vector.trust
    if not isinstance(signed_trust, str):
        signed_trust = text(signed(rfc8785.dumps(signed_trust or trust()), ROOT, payload_type=TRUST))
    return {
        "name": name,
        "says": vector.says,
        "roots": [key.pem for key in vector.roots],
        "trust": signed_trust,
        "envelopes": [
            {"name": f"{position}.dsse.json", "text": one if isinstance(one, str) else text(one)}
            for position, one in enumerate(vector.envelopes, start=1)
        ],
        "subject": CANDIDATE,
        "environment": "production",
        "at": vector.at,
        "state": vector.state,
        "expected": {"admitted": vector.exit_code == 0, "reason": vector.reason, "exit_code": vector.exit_code},
    }


def files() -> dict[str, str]:
    """Every file by its name."""
    made: dict[str, str] = {}
    for name, data in vectors():
        if f"{name}.json" in made:
            raise ValueError(f"two vectors are called {name}")
        made[f"{name}.json"] = json.dumps(data, ensure_ascii=True, indent=1) + "\n"
    return made


def stale(folder: Path) -> list[str]:
    """The files that are not what the script writes, those that it does not write among them."""
    made = files()
    there = {path.name: path.read_text(encoding="ascii") for path in folder.glob("*.json")}
    return sorted(name for name in made.keys() | there.keys() if made.get(name) != there.get(name))


def main(words: list[str] | None = None) -> int:
    """Writes or checks the files."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a file is stale")
    if parser.parse_args(words).check:
        found = stale(FOLDER)
        print(*(f"stale: {name}" for name in found), sep="\n", end="\n" if found else "")
        return 1 if found else 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    made = files()
    for path in FOLDER.glob("*.json"):
        if path.name not in made:
            path.unlink()
    for name, content in made.items():
        (FOLDER / name).write_text(content, encoding="ascii")
    print(f"{len(made)} vectors in {FOLDER}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
