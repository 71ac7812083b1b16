from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from beleg.core.case import Case, ExpectedBehaviour, ExpectedPassage, Principal
from beleg.core.errors import DataError
from beleg.core.policy import Segment
from beleg.core.suite import Suite, SuiteKind
from beleg.suites.validate import Finding, Severity, errors_in, require_unique_ids, thin_segments, validate
from unit.suites.builders import make_case, make_suite, numbered

TODAY = date(2026, 6, 15)
QUOTED = ExpectedPassage(document_id="returns", quote="within 30 days")


def sound(case_id: str = "q1", **fields: Any) -> Case:
    base = {"expected_passages": (QUOTED,), "reference_answer": "30 days", "owner": "Support"}
    return make_case(case_id, **{**base, **fields})


def found(suite: Suite, **options: Any) -> list[tuple[Severity, str | None, str | None]]:
    return [(f.severity, f.case_id, f.field) for f in validate(suite, today=TODAY, **options)]


def only(suite: Suite) -> Finding:
    (finding,) = validate(suite, today=TODAY)
    return finding


def test_a_sound_suite_has_no_findings() -> None:
    assert validate(make_suite(sound("q1"), sound("q2")), today=TODAY) == ()


def test_an_empty_suite_is_an_error() -> None:
    assert found(make_suite()) == [(Severity.ERROR, None, None)]


def test_two_cases_with_one_id_are_an_error_said_once() -> None:
    suite = make_suite(sound("q1"), sound("q1", user_input="Other?"), sound("q1", user_input="Third?"))
    assert found(suite) == [(Severity.ERROR, "q1", "case_id")]
    with pytest.raises(DataError, match="'q1': the id is used by 3 cases"):
        require_unique_ids(suite)


def test_an_answer_without_evidence_is_a_warning() -> None:
    assert found(make_suite(sound(expected_passages=()))) == [(Severity.WARNING, "q1", "expected_passages")]


def test_abstention_needs_neither_evidence_nor_reference() -> None:
    case = make_case("q1", expected_behaviour=ExpectedBehaviour.ABSTAIN, owner="Support")
    assert found(make_suite(case)) == []


@pytest.mark.parametrize(
    ("passage", "severity"),
    [
        (ExpectedPassage(passage_id="returns#2"), Severity.WARNING),
        (ExpectedPassage(document_id="returns"), Severity.INFO),
    ],
)
def test_required_evidence_without_a_quote_is_named(passage: ExpectedPassage, severity: Severity) -> None:
    suite = make_suite(sound(expected_passages=(QUOTED, passage)))
    assert found(suite) == [(severity, "q1", "expected_passages[1].quote")]


def test_optional_evidence_needs_no_quote() -> None:
    assert found(make_suite(sound(expected_passages=(ExpectedPassage(document_id="d", required=False),)))) == []


def test_expected_and_forbidden_at_once_is_an_error() -> None:
    finding = only(make_suite(sound(forbidden_sources=("returns",))))
    assert (finding.severity, finding.field) == (Severity.ERROR, "expected_passages[0].document_id")
    assert "'returns'" in finding.message


def test_a_question_asked_twice_names_the_first_case() -> None:
    suite = make_suite(sound("q1", user_input="Wie lange?"), sound("q2", user_input=" wie lange ?"))
    finding = only(suite)
    assert (finding.severity, finding.case_id, finding.field) == (Severity.WARNING, "q2", "user_input")
    assert "'q1'" in finding.message
    assert "other behaviour" not in finding.message


def test_a_question_asked_twice_with_other_expectations_says_so() -> None:
    abstains = make_case("q2", user_input="How long?", expected_behaviour=ExpectedBehaviour.ABSTAIN, owner="Support")
    assert "other behaviour" in only(make_suite(sound("q1", user_input="How long?"), abstains)).message


def test_the_same_question_by_two_tenants_is_a_permission_test_and_no_duplicate() -> None:
    cases = [sound(t, user_input="My price?", principal=Principal(tenant=t)) for t in ("acme", "globex")]
    assert found(make_suite(*cases)) == []


def test_a_missing_reference_counts_only_where_metrics_need_it() -> None:
    suite = make_suite(sound(reference_answer=None))
    assert found(suite) == [(Severity.WARNING, "q1", "reference_answer")]
    assert found(suite, reference_needed=False) == []
    assert found(make_suite(sound(reference_answer=None, accepted_answers=("30 days",)))) == []


@pytest.mark.parametrize(("due", "overdue"), [("2026-06-14", True), ("2026-06-15", False), ("2026-06-16", False)])
def test_a_review_is_overdue_from_the_day_after(due: str, overdue: bool) -> None:
    expected = [(Severity.WARNING, "q1", "review_by")] if overdue else []
    assert found(make_suite(sound(review_by=date.fromisoformat(due)))) == expected


def test_a_case_without_owner_is_a_warning() -> None:
    assert found(make_suite(sound(owner=None))) == [(Severity.WARNING, "q1", "owner")]


@pytest.mark.parametrize("kind", [SuiteKind.RELEASE, SuiteKind.HOLDOUT])
def test_a_case_that_guided_tuning_bars_a_suite_that_decides_releases(kind: SuiteKind) -> None:
    suite = make_suite(sound(guided_tuning=True), kind=kind)
    assert found(suite) == [(Severity.ERROR, "q1", "guided_tuning")]
    assert errors_in(validate(suite, today=TODAY)) == validate(suite, today=TODAY)


def test_synthetic_cases_of_a_release_suite_are_listed_and_do_not_bar_it() -> None:
    findings = validate(make_suite(sound(synthetic=True), kind=SuiteKind.RELEASE), today=TODAY)
    assert [(f.severity, f.field) for f in findings] == [(Severity.INFO, "synthetic")]
    assert errors_in(findings) == ()


def test_a_development_suite_may_hold_both() -> None:
    assert found(make_suite(sound(guided_tuning=True, synthetic=True))) == []


def test_errors_come_first() -> None:
    suite = make_suite(sound("q1", owner=None), sound("q2", forbidden_sources=("returns",)))
    assert [finding.severity for finding in validate(suite, today=TODAY)] == [Severity.ERROR, Severity.WARNING]


def test_a_finding_becomes_a_problem_that_names_case_field_and_remedy() -> None:
    text = str(only(make_suite(sound(owner=None))).to_problem())
    assert text == "field 'owner': case 'q1': nobody owns the case. Name the person or team that keeps it right"


def test_thin_segments_are_named_with_what_they_lack() -> None:
    cases = [*numbered(3, language="de", source_group="S"), make_case("en", language="en")]
    german, french = Segment(where={"language": "de"}), Segment(where={"language": "fr"})
    findings = thin_segments(make_suite(*cases), [german, french], minimum_n=5)
    assert [finding.severity for finding in findings] == [Severity.WARNING, Severity.ERROR]
    assert findings[0].message == "segment language=de has 3 cases in 1 clusters, needs 5"
    assert findings[1].remedy.startswith("Add 5 cases")


def test_a_segment_s_own_minimum_takes_the_place_of_the_policy_s() -> None:
    suite = make_suite(*numbered(3, language="de"))
    assert thin_segments(suite, [Segment(where={"language": "de"}, minimum_n=3)], minimum_n=30) == ()
    assert len(thin_segments(suite, [Segment(where={"language": "de"}, minimum_n=4)], minimum_n=2)) == 1


def test_a_segment_needs_all_its_labels() -> None:
    suite = make_suite(*numbered(3, language="de", segments={"intent": "price"}))
    both = Segment(where={"language": "de", "intent": "return"})
    assert thin_segments(suite, [both], minimum_n=2)[0].severity is Severity.ERROR
