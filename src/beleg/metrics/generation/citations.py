"""Whether the sources that an answer names were delivered, and whether they hold the expected evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.core.trace import Citation
from beleg.metrics.batch import Batch, Row
from beleg.metrics.matching import EvidenceMatcher, cited_passages, pieces
from beleg.metrics.positions import third_of

_UNKNOWN_TEXT = Score.without(ScoreStatus.MISSING, "the text of a cited passage was not recorded")


def citation_id_validity_column(batch: Batch) -> ScoreColumn:
    """Share of the citations that name a delivered passage.

    A citation names one by passage id, or by document alone; one that names neither is not valid.
    Range: 0 to 1, higher is better. Undefined: without citations; missing where citations were not recorded.
    """

    def score(row: Row, citations: Sequence[Citation]) -> Score:
        if not citations:
            return Score.without(ScoreStatus.NOT_APPLICABLE, "nothing was cited")
        return Score.of(1 - len(unknown_sources(row, citations)) / len(citations))

    return _column(batch, score)


def citation_gold_recall_column(batch: Batch) -> ScoreColumn:
    """Share of the required evidence that a cited passage holds.

    Alternatives of one ``any_of`` label are one piece. Range: 0 to 1, higher is better; an answer without citations
    scores 0. Undefined: when nothing is required; missing where citations or a text that decides was not recorded.
    """

    def score(row: Row, citations: Sequence[Citation]) -> Score:
        needed = pieces(row.case)
        if not needed:
            return Score.without(ScoreStatus.NOT_APPLICABLE, "the case requires no evidence")
        cited = [passage for citation in citations for passage in cited_passages(citation, row.output.final_passages())]
        held = [batch.matcher.any_holds(cited, piece) for piece in needed]
        return _UNKNOWN_TEXT if None in held else Score.of(held.count(True) / len(held))

    return _column(batch, score)


def citation_gold_precision_column(batch: Batch) -> ScoreColumn:
    """Share of the distinct cited sources that hold expected evidence, optional evidence included.

    A source that was not delivered holds none. Range: 0 to 1, higher is better. Undefined: without citations or
    without expected evidence; missing where citations or a text that decides was not recorded.
    """

    def score(row: Row, citations: Sequence[Citation]) -> Score:
        if not row.case.expected_passages:
            return Score.without(ScoreStatus.NOT_APPLICABLE, "the case expects no evidence")
        if not citations:
            return Score.without(ScoreStatus.NOT_APPLICABLE, "nothing was cited")
        sources = {_source(citation): citation for citation in citations}
        held = [_holds_any(row, citation, batch.matcher) for citation in sources.values()]
        return _UNKNOWN_TEXT if None in held else Score.of(held.count(True) / len(held))

    return _column(batch, score)


def citation_coverage_column(batch: Batch, *, third: str | None = None) -> ScoreColumn:
    """Share of the delivered passages that are cited.

    Range: 0 to 1, higher is better: a low share tells of context that was paid for and not used.
    Undefined: when nothing was delivered, or, for a third, fewer than three passages; missing where citations were not
    recorded.

    Args:
        batch: the run.
        third: only the passages in the ``begin``, ``middle`` or ``end`` of the context, see `third_of`.
    """

    def score(row: Row, citations: Sequence[Citation]) -> Score:
        passages = row.output.final_passages()
        delivered = {
            passage.passage_id
            for rank, passage in enumerate(passages, start=1)
            if third is None or third_of(rank, len(passages)) == third
        }
        if not delivered:
            short = third is not None and len(passages) > 0
            reason = "fewer than three passages were delivered" if short else "nothing was delivered"
            return Score.without(ScoreStatus.NOT_APPLICABLE, reason)
        cited = {
            passage.passage_id
            for citation in citations
            for passage in cited_passages(citation, row.output.final_passages())
        }
        return Score.of(len(cited & delivered) / len(delivered))

    return _column(batch, score)


def unknown_source_ids_column(batch: Batch) -> ScoreColumn:
    """How many citations name no delivered passage. Lower is better, 0 is best.

    Undefined: missing where citations were not recorded.
    """
    return _column(batch, lambda row, citations: Score.of(len(unknown_sources(row, citations))))


def unknown_sources(row: Row, citations: Sequence[Citation]) -> list[Citation]:
    """The citations that name no delivered passage."""
    delivered = row.output.final_passages()
    return [citation for citation in citations if not cited_passages(citation, delivered)]


def _source(citation: Citation) -> tuple[str | None, ...]:
    """What a citation names: two citations of one passage are one source, those that name nothing differ by marker."""
    if citation.passage_id is not None:
        return ("passage", citation.passage_id)
    return ("document", citation.document_id) if citation.document_id is not None else ("marker", citation.marker)


def _holds_any(row: Row, citation: Citation, matcher: EvidenceMatcher) -> bool | None:
    return matcher.any_holds(cited_passages(citation, row.output.final_passages()), row.case.expected_passages)


def _column(batch: Batch, score: Callable[[Row, Sequence[Citation]], Score]) -> ScoreColumn:
    def of_row(row: Row) -> Score:
        if row.output.citations is None:
            return Score.without(ScoreStatus.MISSING, "citations were not recorded")
        return score(row, row.output.citations)

    return batch.column(of_row)
