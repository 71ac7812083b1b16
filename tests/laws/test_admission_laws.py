"""What holds of every deployment controller's answer, whatever is changed, added or taken away."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.adapters.signing.verification import verified_keys
from beleg.core.admission import ControllerState
from beleg.release.controller import Answer, NamedBytes, admit
from support.release_vectors import names, outcome_of, question, vector
from support.vector_tools import ask, parts, signed_trust

GOOD = parts.text(parts.decided()).encode()
TRUST = signed_trust()
STATEMENT = parts.digest(parts.payload_of(parts.decision()))
TRUST_PAYLOAD = admit(ask(GOOD), verified_keys).state.trust_payload


def answered(*envelopes: Any, **changes: Any) -> Answer:
    return admit(ask(*envelopes, **changes), verified_keys)


def spoiled(data: bytes, draw: st.DataObject) -> bytes:
    """The bytes with one place changed: bytes exchanged, dropped, doubled or put in."""
    start = draw.draw(st.integers(0, len(data) - 1), label="from")
    end = draw.draw(st.integers(start, min(len(data), start + 4)), label="to")
    return data[:start] + draw.draw(st.binary(max_size=4), label="instead") + data[end:]


@given(st.data())
def test_whatever_is_changed_in_an_envelope_nothing_but_what_was_signed_is_admitted(draw: st.DataObject) -> None:
    admission = answered(spoiled(GOOD, draw)).admission
    assert not admission.admitted or admission.statement == STATEMENT


@given(st.data())
def test_whatever_is_changed_in_a_trust_file_nobody_else_is_trusted(draw: st.DataObject) -> None:
    answer = answered(GOOD, trust=spoiled(TRUST, draw))
    assert not answer.admission.admitted or answer.state.trust_payload == TRUST_PAYLOAD


@given(st.data())
def test_not_one_bit_of_a_signed_statement_can_be_changed(draw: st.DataObject) -> None:
    envelope = parts.decided()
    payload = bytearray(base64.b64decode(envelope["payload"]))
    at = draw.draw(st.integers(0, len(payload) * 8 - 1))
    payload[at // 8] ^= 1 << at % 8
    changed = {**envelope, "payload": base64.b64encode(payload).decode()}
    assert answered(changed).admission.reason == "bad_signature"


@given(st.data())
def test_not_one_bit_of_a_signature_can_be_changed(draw: st.DataObject) -> None:
    envelope = parts.decided()
    signature = bytearray(base64.b64decode(envelope["signatures"][0]["sig"]))
    at = draw.draw(st.integers(0, len(signature) * 8 - 1))
    signature[at // 8] ^= 1 << at % 8
    changed = {**envelope, "signatures": [{"sig": base64.b64encode(signature).decode()}]}
    assert not answered(changed).admission.admitted


@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_what_a_stranger_lays_beside_changes_no_answer(rubbish: bytes) -> None:
    for name in ("pass", "block", "override_ok", "override_expired", "tie"):
        asked = question(vector(name))
        more = (NamedBytes("rubbish", rubbish), *asked.envelopes, NamedBytes("rubbish", rubbish))
        changed = admit(type(asked)(**{**_fields(asked), "envelopes": more}), verified_keys).admission
        assert changed.reason == vector(name)["expected"]["reason"]


@pytest.mark.parametrize("name", names())
def test_the_order_of_files_and_their_repetition_change_no_answer(name: str) -> None:
    data = vector(name)
    files = data["envelopes"]
    assert outcome_of({**data, "envelopes": files[::-1]}) == data["expected"]
    assert outcome_of({**data, "envelopes": [*files, *files]}) == data["expected"]


@pytest.mark.parametrize("name", [name for name in names() if vector(name)["expected"]["admitted"]])
def test_what_was_admitted_is_admitted_again_by_its_own_memory(name: str) -> None:
    asked = question(vector(name))
    state = admit(asked, verified_keys).state
    assert admit(type(asked)(**{**_fields(asked), "state": state}), verified_keys).admission.admitted


@pytest.mark.parametrize("name", names())
def test_nothing_is_admitted_for_another_candidate_place_or_root(name: str) -> None:
    data = vector(name)
    for changed in ({"subject": "f" * 64}, {"environment": "elsewhere"}, {"roots": [parts.ROGUE.pem]}):
        assert not outcome_of({**data, **changed})["admitted"]


@pytest.mark.parametrize("name", names())
def test_memory_never_goes_back(name: str) -> None:
    asked = question(vector(name))
    before, after = asked.state, admit(asked, verified_keys).state
    assert int(after.trust_version or 0) >= int(before.trust_version or 0)
    assert _admitted(after) >= _admitted(before)


MISTAKES = {
    "a kind of statement that does not fit is passed over (cosign 4801, 4802)": (
        "decision_under_another_kind", "decision_as_override", "summary_alone",
    ),
    "exactly one subject is demanded (cosign 2337)": ("two_subjects",),
    "a signature over something else is taken (cosign 2746)": (
        "wrong_subject", "two_other_subjects", "named_like_the_candidate", "wrong_payload_type",
    ),
    "all signatures, one signature, or the same one twice (dsse 40, 55)": (
        "good_signature_among_strange_ones", "threshold_two_same_key_twice", "p256_second_signature",
    ),
    "the digest is checked and the document goes unread (cosign 4016)": ("unknown_value", "pass_with_failed_check"),
    "a key that comes with the bundle is believed": ("embedded_key", "rogue_names_trusted_key"),
    "nothing was checked, so nothing failed": ("nothing_left", "pass_without_checks", "override_of_nothing"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_that_others_made_is_not_made_here(mistake: str) -> None:
    for name in MISTAKES[mistake]:
        assert outcome_of(vector(name)) == vector(name)["expected"]


def test_a_decision_that_is_taken_away_cannot_help_where_memory_is_kept() -> None:
    older, block = parts.decided(sequence="41"), parts.signed(parts.BLOCKED, parts.GATE)
    state = answered(older, block).state
    for files in ((older,), (), (older, older)):
        assert not answered(*files, state=state).admission.admitted


def _fields(asked: Any) -> dict[str, Any]:
    return {name: getattr(asked, name) for name in type(asked).__dataclass_fields__}


def _admitted(state: ControllerState) -> int:
    memory = state.environments.get("production")
    return int(memory.admitted.sequence) if memory and memory.admitted else -1
