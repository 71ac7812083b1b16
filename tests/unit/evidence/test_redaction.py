from __future__ import annotations

import hashlib
import json

from hypothesis import given
from hypothesis import strategies as st

from beleg.core.case import Case, ExpectedPassage, Nugget, Principal
from beleg.core.packs import PackRole
from beleg.evidence.redaction import (
    CATEGORIES,
    MARKER,
    Redactor,
    checked_line,
    marker_of,
    markers_in,
    proves,
    restored,
    reveal,
    salt_of,
)
from beleg.run.journal import TRACES, encode
from support.packs import cases, trace

SECRET = bytes(range(32))
LINE = encode(trace(cases(1)[0])).decode()


def redactor(*categories: str, texts: tuple[str, ...] = ()) -> Redactor:
    return Redactor(categories, texts, SECRET)


def test_a_marker_is_the_salted_digest_of_its_text() -> None:
    # HMAC and SHA-256 by the standard library: nothing of our own stands between the text and its proof.
    salt = salt_of(SECRET, "Anna")
    assert marker_of("Anna", salt) == f"redacted:{hashlib.sha256(salt + b'Anna').hexdigest()}"
    assert salt_of(SECRET, "Anna") != salt_of(bytes(32), "Anna")


def test_what_is_redacted_gives_way_and_everything_else_stays_byte_for_byte() -> None:
    text, count = redactor("answers").redact(PackRole.TRACES, LINE)
    assert count == 1
    (marker,) = MARKER.findall(text)
    assert text[text.index('"trace"') :] == LINE[LINE.index('"trace"') :].replace("It is 12 € a year [1].", marker)
    assert TRACES.decode(text.encode()) is not None


def test_a_line_stays_a_line_with_the_checksum_of_what_it_now_holds() -> None:
    text, _ = redactor("answers", "prompts", "passages").redact(PackRole.TRACES, LINE * 3)
    assert text.count("\n") == 3
    assert all(TRACES.decode(f"{line}\n".encode()) for line in text.split("\n") if line)
    assert "Gebühr" not in text


def test_the_same_text_has_the_same_marker_so_that_rights_still_compare() -> None:
    made = redactor("principals")
    suite, _ = made.redact(
        PackRole.SUITE, json.dumps({"cases": [{"case_id": "c0", "principal": {"tenant": "tenant-0"}}]})
    )
    line, count = made.redact(PackRole.TRACES, LINE)
    assert "tenant-0" not in suite + line
    assert len(set(MARKER.findall(suite + line))) == 1
    assert count == 3
    assert '"entitlement":"public"' in line


def test_what_is_known_of_askers_is_redacted_before_and_behind_the_place_where_it_is_learned() -> None:
    made = redactor("principals")
    text = json.dumps(
        {
            "cases": [
                {"case_id": "c0", "segments": {"customer": "tenant-0"}, "principal": {"tenant": "tenant-1"}},
                {"case_id": "c1", "segments": {"customer": "tenant-1"}, "principal": {"tenant": "tenant-0"}},
            ]
        }
    )
    once, twice = made.redact(PackRole.SUITE, text), made.redact(PackRole.BASELINE_SUITE, text)
    assert once == twice
    assert "tenant-" not in once[0]


def test_one_text_can_be_proved_and_no_other() -> None:
    made = redactor("answers")
    text, _ = made.redact(PackRole.TRACES, LINE)
    (marker,) = MARKER.findall(text)
    shown = reveal(made.map(), marker)
    assert shown is not None
    assert proves(shown)
    assert not proves(shown.model_copy(update={"text": "It is 99 € a year [1]."}))
    assert not proves(shown.model_copy(update={"salt": "00" * 32}))
    assert reveal(made.map(), "redacted:00") is None


def test_texts_are_found_wherever_they_stand() -> None:
    text, count = redactor(texts=("12 €",)).redact(PackRole.TRACES, LINE)
    assert count == 4
    assert "12 €" not in text


def test_keys_and_ids_are_never_taken_for_texts() -> None:
    text = json.dumps({"cases": [{"*": "x", "user_input": "secret", "case_id": "c1", "user_input2": "user_input"}]})
    found, count = redactor("questions").redact(PackRole.SUITE, text)
    assert count == 1
    assert json.loads(found)["cases"][0]["user_input2"] == "user_input"


def test_no_word_that_people_wrote_into_a_case_outlives_its_kind() -> None:
    case = Case(
        case_id="c1", user_input="QUESTION", turns=(), reference_answer="REFERENCE", rubric="RUBRIC",
        accepted_answers=("ACCEPTED",), known_gaps=("GAP",), required_clauses=(("CLAUSE", "OR"),), notes="NOTES",
        nuggets=(Nugget(nugget_id="n1", text="NUGGET", aliases=("ALIAS",)),),
        expected_passages=(ExpectedPassage(document_id="d1", quote="QUOTE"),), principal=Principal(tenant="TENANT"),
    )  # fmt: skip
    words = {
        "QUESTION", "REFERENCE", "RUBRIC", "ACCEPTED", "GAP", "CLAUSE", "NOTES", "NUGGET", "ALIAS", "QUOTE", "TENANT",
    }  # fmt: skip
    before = json.dumps({"cases": [case.to_json_dict()]})
    assert all(word in before for word in words)
    after, _ = redactor(*CATEGORIES).redact(PackRole.SUITE, before)
    assert {word for word in words if word in after} == set()


def test_findings_keep_their_verdicts_and_lose_their_words() -> None:
    body = json.dumps(
        {
            "case_id": "c1", "measure": "claim_support", "subject_digest": "sha256:ab", "calls": ["k1"],
            "evidence": {"claims": [{"claim_id": "1", "claim": "It costs 12 €", "support": "supported"}]},
        }
    )  # fmt: skip
    text, count = redactor("answers").redact(PackRole.FINDINGS, checked_line("finding", body))
    assert count == 3
    assert '"support": "supported"' in text
    assert '"claim_id": "1"' in text
    assert "12 €" not in text
    assert "sha256:ab" not in text


texts = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(texts, st.booleans())
def test_every_original_comes_back_byte_for_byte(value: object, is_lines: bool) -> None:
    body = json.dumps({"evidence": value, "detail": "why"}, ensure_ascii=False)
    before = checked_line("finding", body) if is_lines else body
    made = redactor("answers", texts=("a",))
    role = PackRole.FINDINGS if is_lines else PackRole.SUITE
    after, count = made.redact(role, before)
    assert markers_in(after) == count
    assert restored(after, made.found, is_lines=is_lines) == before
    assert json.loads(after).keys() == json.loads(before).keys()
