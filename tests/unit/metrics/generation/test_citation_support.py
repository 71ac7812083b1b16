from __future__ import annotations

import pytest

from beleg.core.score import ScoreStatus
from beleg.metrics.catalogue import compute
from beleg.metrics.generation.citation_support import (
    Carries,
    CitationFinding,
    CitationSupport,
    SentenceFinding,
    citation_score,
)
from support.citation_rows import evidence_of
from unit.metrics.building import case, citation, measured, one, passage, trace


def sentence(*supports: Carries | None, joint: Carries | None = None) -> SentenceFinding:
    citations = tuple(
        CitationFinding(marker=str(place), passage_ids=(f"p{place}",), support=support)
        for place, support in enumerate(supports)
    )
    return SentenceFinding(sentence_id="1", text="A.", citations=citations, joint=joint)


def test_the_detail_counts_what_names_nothing_and_what_nobody_judged() -> None:
    found = evidence_of({"answer": "A [1]. B [9]. C [2].", "docs": 2, "unjudged": {"C.": ["2"]}})
    score = citation_score(found, "recall", "all-judged")
    assert score.detail == "1 of 3 citations name nothing delivered; 1 were not judged"


def test_a_verdict_that_alce_needs_and_nobody_gave_is_no_verdict() -> None:
    for lacking in (sentence(Carries.FULL, Carries.NONE), sentence(*[Carries.NONE] * 3, joint=Carries.FULL)):
        found = CitationSupport(sentences=(lacking,))
        assert citation_score(found, "recall", "alce").status is ScoreStatus.INVALID
        assert citation_score(found, "recall", "all-judged").value is not None


def test_partial_support_of_several_is_no_support_in_alce() -> None:
    found = CitationSupport(sentences=(sentence(Carries.PARTIAL, Carries.PARTIAL, joint=Carries.PARTIAL),))
    assert citation_score(found, "recall", "alce").value == 0


def test_without_a_sentence_or_a_judged_citation_there_is_no_figure() -> None:
    assert citation_score(CitationSupport(sentences=()), "f1", "alce").status is ScoreStatus.NO_CLAIMS
    unjudged = CitationSupport(sentences=(sentence(None),))
    assert citation_score(unjudged, "recall", "all-judged").status is ScoreStatus.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("answer", "expected"),
    [("A [1].", 0), ("A [9] [0].", 2), ("A [1](https://x.example). B [x](https://made-up.example).", 1)],
)
def test_unresolvable_citations_are_counted_without_a_judge(answer: str, expected: int) -> None:
    batch = one(case(), answer=answer, delivered=(passage("d1"),), citations=(citation("1", document_id="d1"),))
    assert compute(["unresolvable_citations"], batch)["unresolvable_citations"].values.tolist() == [expected]


def test_unresolvable_citations_need_an_answer_and_recorded_citations() -> None:
    assert measured("unresolvable_citations", trace(answer="A [1].")).status is ScoreStatus.MISSING
    assert measured("unresolvable_citations", trace(citations=())).status is ScoreStatus.MISSING
    assert measured("unresolvable_citations", trace(answer=" ", citations=())).status is ScoreStatus.INVALID
