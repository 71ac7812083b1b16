"""What must hold of every row of every sheet, whatever run it was built from."""

from __future__ import annotations

from collections.abc import Iterable

from beleg.core.digest import digest_of_text
from beleg.core.evidence import ClaimRow, EvidenceCase, EvidencePassage
from beleg.text.quotes import QuoteMatch, match_quote


def require_true_sheet(cases: Iterable[EvidenceCase]) -> int:
    """Holds every row to its answer and its passages, and counts the rows."""
    seen: set[str] = set()
    for case in cases:
        passages = {passage.passage_id: passage for passage in case.passages}
        for passage in case.passages:
            require_true_passage(passage)
        for row in case.claims:
            assert row.claim_id not in seen
            seen.add(row.claim_id)
            require_true_row(row, case, passages)
    return len(seen)


def require_true_row(row: ClaimRow, case: EvidenceCase, passages: dict[str, EvidencePassage]) -> None:
    """The wording, the marks and the quotes of a row stand where it says."""
    assert case.answer is not None
    assert row.text == " ".join(case.answer[span.start : span.end] for span in row.spans)
    assert row.answer_digest == case.answer_digest == digest_of_text(case.answer)
    for citation in row.citations:
        assert citation.span is None or citation.marker in case.answer[citation.span.start : citation.span.end]
        assert set(citation.passages) <= passages.keys()
    for quote in row.support.quotes if row.support else ():
        assert match_quote(passages[quote.passage_id].text or "", quote.text) is not QuoteMatch.ABSENT
    assert set(row.passages) <= passages.keys()


def require_true_passage(passage: EvidencePassage) -> None:
    """The address and the locator of a passage are those of its words."""
    assert (passage.text is None) == (passage.passage_digest is None)
    if passage.text is not None:
        assert passage.passage_digest == digest_of_text(passage.text)
    if passage.locator is not None:
        assert passage.locator.exact in (passage.text or "")
        is_document = passage.locator.scope == "document"
        assert passage.locator.text_digest == (passage.document_digest if is_document else passage.passage_digest)
