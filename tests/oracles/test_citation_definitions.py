"""Citation figures against their definitions, written down sentence by sentence without columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.judges.measures.cited_sources import CitedSources, Verdict, cited_sources
from beleg.metrics.generation.citation_kernels import (
    FULL,
    NONE,
    PARTIAL,
    UNJUDGED,
    UNRESOLVABLE,
    CitationColumns,
    support_counts,
)
from beleg.metrics.generation.citation_support import (
    Carries,
    CitationFinding,
    CitationSupport,
    SentenceFinding,
    citation_columns,
    citation_score,
)
from support.citation_rows import row_of

Entails = Callable[[frozenset[int], int], bool]
"""Whether passages together entail the sentence of that number; any function, also one that more words can sway."""


def alce_by_definition(cited: Sequence[Sequence[int]], docs: int, entails: Entails) -> tuple[float, float | None]:
    """Recall and precision of one answer as Gao et al. (2023), section 4.3, define them; fabrications count below."""
    recalls, relevant, citations = [], 0, 0
    for sentence, listed in enumerate(cited):
        looked_at = listed[:3]
        is_whole = bool(looked_at) and all(1 <= passage <= docs for passage in listed)
        is_carried = is_whole and entails(frozenset(looked_at), sentence)
        recalls.append(float(is_carried))
        citations += len(looked_at)
        for passage in looked_at:
            rest = frozenset(looked_at) - {passage}
            is_irrelevant = (
                len(looked_at) > 1 and not entails(frozenset({passage}), sentence) and entails(rest, sentence)
            )
            relevant += is_carried and not is_irrelevant
    return fmean(recalls), relevant / citations if citations else None


@st.composite
def answers(draw: st.DrawFn) -> tuple[list[list[int]], int, dict[tuple[frozenset[int], int], bool]]:
    docs = draw(st.integers(1, 5))
    # Number 0 and numbers beyond the passages are fabricated.
    one = st.lists(st.integers(0, docs + 1), max_size=5, unique=True)
    cited = draw(st.lists(one, min_size=1, max_size=6))
    truth: dict[tuple[frozenset[int], int], bool] = {}
    for sentence, listed in enumerate(cited):
        first = listed[:3]
        for bits in range(1, 2 ** len(first)):
            subset = frozenset(passage for place, passage in enumerate(first) if bits >> place & 1)
            truth[subset, sentence] = draw(st.booleans())
        for passage in listed[3:]:
            truth[frozenset({passage}), sentence] = draw(st.booleans())
    return cited, docs, truth


@given(answers())
def test_alce_is_what_the_paper_defines_from_text_to_figure(
    drawn: tuple[list[list[int]], int, dict[tuple[frozenset[int], int], bool]],
) -> None:
    cited, docs, truth = drawn
    text = " ".join(f"Satz {'abcdef'[at]} gilt{''.join(f'[{n}]' for n in one)}." for at, one in enumerate(cited))
    row = row_of(text, docs)
    if not any(cited):
        return
    sources = cited_sources(row)
    assert isinstance(sources, CitedSources)
    for step in (sources.alone, sources.joint, sources.without_one):
        for number, source in step():
            carries = truth[frozenset(int(name[1:]) for name in source), number]
            sources.verdicts[number, source] = Verdict(support=Carries.FULL if carries else Carries.NONE)
    found = CitationSupport(sentences=sources.findings())
    recall, precision = alce_by_definition(cited, docs, lambda subset, sentence: truth[subset, sentence])
    assert citation_score(found, "recall", "alce").value == pytest.approx(recall)
    assert citation_score(found, "precision", "alce").value == pytest.approx(precision)


def trec_by_definition(
    answer: Sequence[Sequence[int]], weight: dict[int, float], *, only_first: bool
) -> tuple[float | None, float | None]:
    """Precision and recall of one answer as Thakur et al. (2025), section 3.4, define them, or over all citations."""
    gained, counted, best, sentences = 0.0, 0, 0.0, 0
    for cited in answer:
        looked_at = [verdict for verdict in (cited[:1] if only_first else cited) if verdict != UNJUDGED]
        gained += sum(weight[verdict] for verdict in looked_at)
        counted += len(looked_at)
        best += max((weight[verdict] for verdict in looked_at), default=0.0)
        sentences += not cited or bool(looked_at)
    return gained / counted if counted else None, best / sentences if sentences else None


VERDICTS = st.sampled_from([FULL, PARTIAL, NONE, UNJUDGED, UNRESOLVABLE])
RUNS = st.lists(st.lists(st.lists(VERDICTS, max_size=4), max_size=4), min_size=1, max_size=5)


def columns_of(run: Sequence[Sequence[Sequence[int]]]) -> CitationColumns:
    sentences = [(at, cited) for at, answer in enumerate(run) for cited in answer]
    verdicts = [verdict for _, cited in sentences for verdict in cited]
    return CitationColumns(
        answers=len(run),
        answer=np.array([at for at, _ in sentences], dtype=np.intp),
        sentence=np.repeat(np.arange(len(sentences)), [len(cited) for _, cited in sentences]).astype(np.intp),
        verdict=np.array(verdicts, dtype=np.int8),
        joint=np.zeros(len(sentences), dtype=np.bool_),
        necessary=np.zeros(len(verdicts), dtype=np.bool_),
    )


@given(RUNS, st.sampled_from([0.0, 0.5]))
def test_the_trec_flavours_are_what_their_definition_says(run: list[list[list[int]]], partial: float) -> None:
    weight = {FULL: 1.0, PARTIAL: partial, NONE: 0.0, UNRESOLVABLE: 0.0}
    for flavour in ("trec2024-first", "all-judged"):
        counts = support_counts(columns_of(run), flavour, partial=partial)
        for at, answer in enumerate(run):
            precision, recall = trec_by_definition(answer, weight, only_first=flavour == "trec2024-first")
            assert _ratio(counts.precision_credit[at], counts.precision_of[at]) == (
                None if precision is None else pytest.approx(precision)
            )
            assert _ratio(counts.recall_credit[at], counts.recall_of[at]) == (
                None if recall is None else pytest.approx(recall)
            )
            assert counts.unresolvable[at] == sum(cited.count(UNRESOLVABLE) for cited in answer)


def _ratio(credit: float, of: int) -> float | None:
    return float(credit) / int(of) if of else None


_SUPPORTS = {FULL: Carries.FULL, PARTIAL: Carries.PARTIAL, NONE: Carries.NONE, UNJUDGED: None, UNRESOLVABLE: None}


@given(RUNS)
def test_one_answer_and_a_whole_run_give_the_same_figures(run: list[list[list[int]]]) -> None:
    evidence = [CitationSupport(sentences=tuple(map(_sentence, answer))) for answer in run]
    whole = support_counts(citation_columns(evidence), "all-judged", partial=0.5)
    for at, found in enumerate(evidence):
        alone = citation_score(found, "recall", "all-judged", partial=0.5)
        assert alone.value == _ratio(whole.recall_credit[at], whole.recall_of[at])


def _sentence(cited: Sequence[int]) -> SentenceFinding:
    return SentenceFinding(
        sentence_id="1",
        text="A.",
        citations=tuple(
            CitationFinding(
                marker=str(place),
                passage_ids=() if verdict == UNRESOLVABLE else (f"p{place}",),
                support=_SUPPORTS[verdict],
            )
            for place, verdict in enumerate(cited)
        ),
    )
