"""The controller answers every vector as it is written down there, and names what it rests on."""

from __future__ import annotations

from datetime import timedelta

import pytest

from beleg.adapters.signing.verification import verified_keys
from beleg.core.admission import StatementKind
from beleg.core.attestation import AdmissionReason
from beleg.release.controller import HOW_FAR, Answer, admit
from support.release_vectors import names, outcome_of, vector
from support.vector_tools import NOW, ask, parts, signed_trust


def answered(*envelopes: object, **changes: object) -> Answer:
    return admit(ask(*envelopes, **changes), verified_keys)


@pytest.mark.parametrize("name", names())
def test_a_vector_is_answered_as_expected(name: str) -> None:
    assert outcome_of(vector(name)) == vector(name)["expected"], vector(name)["says"]


def test_every_reason_is_met_by_a_vector() -> None:
    assert {vector(name)["expected"]["reason"] for name in names()} == set(AdmissionReason)


def test_a_yes_names_the_decision_that_it_rests_on() -> None:
    admission = answered(parts.decided()).admission
    assert admission.statement == parts.digest(parts.payload_of(parts.decision()))
    assert (admission.sequence, admission.trust_version, admission.decision) == ("42", "7", "PASS")
    assert [(one.name, one.kind, one.refused) for one in admission.envelopes] == [
        ("1.dsse.json", StatementKind.DECISION, None)
    ]


def test_a_yes_by_override_names_who_answers_for_it() -> None:
    waiver = answered(parts.signed(parts.BLOCKED, parts.GATE), parts.over()).admission.waiver
    assert waiver is not None
    assert (waiver.owner, waiver.ticket, waiver.checks) == ("Ada", "REL-17", ("faithfulness", "latency"))


def test_of_two_overrides_the_longer_one_is_named() -> None:
    longer = parts.over(parts.BEA, owner="Bea", expiresAt="2026-12-02T10:00:00Z")
    block = parts.signed(parts.BLOCKED, parts.GATE)
    for order in ((parts.over(), longer), (longer, parts.over())):
        waiver = answered(block, *order).admission.waiver
        assert waiver is not None
        assert waiver.owner == "Bea"


def test_nothing_is_said_about_what_a_stranger_claims() -> None:
    finding = answered(parts.decided("PASS", parts.ROGUE)).admission.envelopes[0]
    assert (finding.kind, finding.refused) == (None, AdmissionReason.UNTRUSTED_KEY)


def test_each_file_is_told_its_own_reason() -> None:
    admission = answered(
        parts.decided(sequence="41", environment="staging"), b"{}", parts.decided("PASS", parts.ROGUE)
    ).admission
    assert [one.refused for one in admission.envelopes] == ["wrong_environment", "bad_envelope", "untrusted_key"]
    assert admission.reason is AdmissionReason.WRONG_ENVIRONMENT


def test_the_order_of_files_changes_nothing() -> None:
    files = [
        parts.decided(sequence="41"), parts.signed(parts.BLOCKED, parts.GATE), parts.over(),
        parts.over(parts.ROGUE), parts.decided("PASS", parts.ROGUE),
    ]  # fmt: skip
    for turn in range(len(files)):
        assert answered(*files[turn:], *files[:turn]).admission.reason is AdmissionReason.OVERRIDDEN


def test_an_override_ends_while_its_decision_goes_on() -> None:
    block, over = parts.signed(parts.BLOCKED, parts.GATE), parts.over()
    assert answered(block, over).admission.exit_code == 0
    later = answered(block, over, at=NOW + timedelta(hours=22)).admission
    assert (later.reason, later.exit_code) == (AdmissionReason.OVERRIDE_EXPIRED, 20)


def test_a_no_keeps_a_later_yes_on_the_same_candidate_out() -> None:
    older, block = parts.decided(sequence="41"), parts.signed(parts.BLOCKED, parts.GATE)
    refused = answered(older, block)
    assert not refused.admission.admitted
    assert answered(older, state=refused.state).admission.reason is AdmissionReason.STALE_SEQUENCE
    assert answered(older).admission.admitted, "without memory nobody could know"


def test_what_runs_now_can_be_rolled_out_again_after_another_candidate_was_blocked() -> None:
    first = answered(parts.decided())
    other = [{"name": "other", "digest": {"sha256": parts.OTHER}}]
    block = parts.signed(parts.payload_of(parts.decision("BLOCK", sequence="43"), subject=other), parts.GATE)
    second = answered(block, subject=parts.OTHER, state=first.state)
    assert second.admission.exit_code == 20
    assert answered(parts.decided(), state=second.state).admission.admitted


def test_what_was_replaced_does_not_come_back() -> None:
    first = answered(parts.decided())
    second = answered(parts.decided(sequence="43"), state=first.state)
    assert answered(parts.decided(), state=second.state).admission.reason is AdmissionReason.STALE_SEQUENCE


def test_a_refused_trust_file_leaves_no_trace() -> None:
    before = answered(parts.decided()).state
    newer = signed_trust(parts.trust(version="99"), root=parts.ROGUE)
    assert answered(parts.decided(), trust=newer, state=before).state == before


def test_a_trust_file_is_remembered_even_where_nothing_is_let_in() -> None:
    state = answered().state
    older = signed_trust(parts.trust(version="6"))
    assert answered(parts.decided(), trust=older, state=state).admission.reason is AdmissionReason.TRUST_ROLLBACK


def test_reasons_are_ordered_once() -> None:
    assert len(set(HOW_FAR)) == len(HOW_FAR)
