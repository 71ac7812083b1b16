"""A claim is shown in its own words, its quote inside its passage, and people apart from machines."""

from __future__ import annotations

from beleg.core.evidence import ClaimRow
from beleg.core.locators import Span
from beleg.report.sheet_view import case_view, marked, wording
from support.q017 import ANSWER, RETURNS, evidence
from support.sheet_data import exported, reviewed


def spanned(*spans: tuple[int, int]) -> ClaimRow:
    row = evidence().claims[0]
    text = " ".join(ANSWER[start:end] for start, end in spans)
    return row.model_copy(update={"text": text, "spans": tuple(Span(start=a, end=b) for a, b in spans)})


def test_an_ellipsis_stands_where_the_answer_has_words_between_the_spans() -> None:
    assert wording(evidence(), spanned((0, 3), (10, 15))) == f"{ANSWER[:3]} … {ANSWER[10:15]}"
    assert wording(evidence(), spanned((0, 3), (4, 10))) == f"{ANSWER[:3]} {ANSWER[4:10]}"


def test_the_quote_is_marked_inside_its_whole_passage() -> None:
    view = case_view(exported()).claims[0].passages[0]
    assert "".join(part.text for part in view.parts) == RETURNS
    assert [part.text for part in view.parts if part.is_quoted] == ["Final-Sale-Artikel sind ausgeschlossen."]
    assert view.name == "D-01 returns-v4 p04"
    assert view.before.endswith("Rückgabe\n\n")


def test_what_people_decided_is_never_among_the_proposals() -> None:
    view = case_view(exported(events=reviewed()))
    claim = view.claims[1]
    assert claim.machine is not None
    assert claim.machine.name == "judge-1"
    assert [human.actor for human in claim.humans] == ["A. Kurz", "B. Lang"]
    assert claim.reviewers == ("A. Kurz", "B. Lang")
    assert not any(human.is_outdated for human in claim.humans)
    assert view.claims[0].humans == ()


def test_a_verdict_on_an_older_row_says_so() -> None:
    changed = evidence()
    view = case_view(exported(changed.model_copy(update={"question": "Was gilt heute?"}), events=reviewed()))
    assert all(human.is_outdated for human in view.claims[1].humans)


def test_marked_parts_make_up_the_text() -> None:
    parts = marked("abcdef", [(1, 2), (4, 6)])
    assert [(part.text, part.is_quoted) for part in parts] == [
        ("a", False), ("b", True), ("cd", False), ("ef", True),
    ]  # fmt: skip
