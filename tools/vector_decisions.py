"""Vectors about decisions: the rules that every controller needs, strict reading, and what a decision means."""

from __future__ import annotations

import json
from collections.abc import Callable

from vector_parts import (
    ADA,
    BLOCKED,
    CANDIDATE,
    GATE,
    OTHER,
    OVERRIDE,
    ROGUE,
    VSA,
    Vector,
    allow,
    check,
    decided,
    decision,
    deny,
    digest,
    over,
    payload_of,
    remembers,
    seen,
    signed,
    statement,
    trust,
    with_keys,
)


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
