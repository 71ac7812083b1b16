from __future__ import annotations

import pytest
from pydantic import ValidationError

from beleg.core.case import Case, ExpectedBehaviour, ExpectedPassage, Principal, Role, Turn


def test_a_case_asks_by_one_question_or_by_a_conversation_that_ends_with_one() -> None:
    turns = (Turn(role=Role.ASSISTANT, content="Hello"), Turn(role=Role.USER, content="Why?"))
    assert Case(case_id="c", turns=turns).question == "Why?"
    for wrong in ({}, {"user_input": "?", "turns": turns}, {"turns": turns[:1]}):
        with pytest.raises(ValidationError):
            Case(case_id="c", **wrong)


def test_expected_evidence_names_a_passage_or_a_document() -> None:
    with pytest.raises(ValidationError, match="document_id or a passage_id"):
        ExpectedPassage(quote="words")


def test_who_expects_abstention_cannot_require_evidence() -> None:
    evidence = ExpectedPassage(document_id="d")
    with pytest.raises(ValidationError, match="cannot require evidence"):
        Case(
            case_id="c",
            user_input="?",
            expected_behaviour=ExpectedBehaviour.ABSTAIN,
            expected_passages=(evidence,),
        )


def test_every_dimension_of_a_case_can_be_a_segment() -> None:
    case = Case(
        case_id="c",
        user_input="?",
        language="de",
        principal=Principal(tenant="acme", locale="de-AT"),
        segments={"stratum": "table"},
    )
    assert case.segment_labels() == {
        "stratum": "table",
        "language": "de",
        "expected_behaviour": "answer",
        "tenant": "acme",
        "locale": "de-AT",
    }


def test_session_and_source_both_tie_a_case_to_others_and_their_names_do_not_clash() -> None:
    def ties(**groups: str) -> tuple[str, ...]:
        return Case(case_id="x", user_input="?", **groups).ties()

    assert ties() == ()
    assert ties(session_group="s", source_group="s") == ("session:s", "source:s")


@pytest.mark.parametrize("case_id", ["", "a\nb", "a\x00b", "x" * 513])
def test_an_id_is_printable_and_not_endless(case_id: str) -> None:
    with pytest.raises(ValidationError):
        Case(case_id=case_id, user_input="?")


def test_a_case_without_known_gaps_keeps_the_address_that_it_had_before_there_were_any() -> None:
    case = Case(case_id="c", user_input="?")
    assert "known_gaps" not in case.to_json_dict()
    assert Case(case_id="c", user_input="?", known_gaps=("how long",)).to_json_dict()["known_gaps"] == ["how long"]
