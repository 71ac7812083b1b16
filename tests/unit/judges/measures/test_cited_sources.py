from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.score import Score, ScoreStatus
from beleg.judges.measures.cited_sources import CitedSources, Verdict, cited_sources
from beleg.metrics.generation.citation_support import Carries
from support.citation_rows import row_of


def sources_of(answer: str, docs: int = 4) -> CitedSources:
    found = cited_sources(row_of(answer, docs))
    assert isinstance(found, CitedSources)
    return found


def test_every_sentence_is_held_against_every_source_once() -> None:
    assert sources_of("Eins gilt [1][2]. Zwei gilt. Drei gilt [1][9].").alone() == [
        (0, ("p1",)),
        (0, ("p2",)),
        (2, ("p1",)),
    ]


def test_only_sentences_with_several_sources_need_them_together() -> None:
    assert sources_of("A [1]. B [1][2]. C [1][2][3][4].").joint() == [(1, ("p1", "p2")), (2, ("p1", "p2", "p3"))]


def test_a_fabricated_citation_saves_the_question_about_the_others() -> None:
    assert sources_of("A [1][2][9].").joint() == []


def test_what_is_needed_without_one_is_only_asked_where_it_decides() -> None:
    found = sources_of("A [1][2][3]. B [1][2].")
    assert found.most_without_one() == 3
    assert found.without_one() == []
    for asked, support in zip(found.alone()[:3], (Carries.FULL, Carries.NONE, Carries.PARTIAL), strict=True):
        found.verdicts[asked] = Verdict(support=support)
    found.verdicts[0, ("p1", "p2", "p3")] = Verdict(support=Carries.FULL)
    assert found.without_one() == [(0, ("p1", "p3")), (0, ("p1", "p2"))]


def test_findings_hold_what_is_known_and_nothing_else() -> None:
    found = sources_of("A [1][2]. B [9]. C.")
    found.verdicts[0, ("p1",)] = Verdict(support=Carries.FULL, rationale="so")
    first, second, third = found.findings()
    assert [one.support for one in first.citations] == [Carries.FULL, None]
    assert first.citations[0].rationale == "so"
    assert not second.citations[0].is_resolvable
    assert third.citations == ()


PIECES = st.one_of(
    st.sampled_from(["[1]", "[9]", "[1-3]", "](https://x.example)", "【2】", "[p2]", "[p9]", ". ", "\n- ", "p1"]),
    st.sampled_from("[]()†!^\nAb 1,\x1b\u202eé\u0301?"),
)


@given(st.lists(PIECES, max_size=40).map("".join))
def test_whatever_an_answer_looks_like_its_citations_can_be_judged_or_have_a_reason(answer: str) -> None:
    found = cited_sources(row_of(answer, 3, recorded=True))
    if isinstance(found, Score):
        assert found.detail
        return
    for asked in found.alone():
        found.verdicts[asked] = Verdict(support=Carries.FULL)
    findings = found.findings()
    assert all(sentence.text for sentence in findings)
    assert all((one.support is not None) is one.is_resolvable for sentence in findings for one in sentence.citations)
    assert len({sentence.sentence_id for sentence in findings}) == len(findings)


@pytest.mark.parametrize("target", ["https://x.example/" + "a" * 1_900, "https://x.example/\x1b\x7f"])
def test_a_hostile_link_is_kept_as_an_identifier_may_be(target: str) -> None:
    (sentence,) = sources_of(f"A says so [here]({target}) [1].").findings()
    marker = sentence.citations[0].marker
    assert marker.startswith("https://x.example/")
    assert len(marker) <= 512
    assert "\x1b" not in marker


@pytest.mark.parametrize(
    ("output", "status"),
    [
        ({"citations": None}, ScoreStatus.MISSING),
        ({"delivered": ()}, None),
        ({"answer": "..."}, ScoreStatus.NO_CLAIMS),
        ({"answer": "Das kann ich nicht beantworten. [1]"}, ScoreStatus.NOT_APPLICABLE),
        ({"answer": "A says so."}, ScoreStatus.MISSING),
        ({"answer": None}, ScoreStatus.MISSING),
        ({"answer": " "}, ScoreStatus.INVALID),
    ],
)
def test_what_cannot_be_judged_has_a_reason(output: dict[str, object], status: ScoreStatus | None) -> None:
    fields = {"answer": "A says so [1].", "docs": 1}
    found = cited_sources(row_of(**{**fields, "recorded": True, **output}))  # type: ignore[arg-type]
    assert (found.status if isinstance(found, Score) else None) is status


def test_a_cited_passage_without_text_is_missing() -> None:
    row = row_of("A says so [1].", 1)
    bare = tuple(one.model_copy(update={"text": None}) for one in row.output.final_passages())
    found = cited_sources(row_of("A says so [1].", 1, delivered=bare))
    assert isinstance(found, Score)
    assert found.status is ScoreStatus.MISSING
