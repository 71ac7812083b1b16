"""Vectors about whose word counts: trust files, signatures and overrides."""

from __future__ import annotations

import json

import rfc8785

from vector_parts import (
    ADA,
    BEA,
    BLOCKED,
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
    signed,
    text,
    trust,
    with_keys,
)


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
