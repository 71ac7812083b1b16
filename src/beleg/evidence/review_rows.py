"""What of a claim a reviewer judges, as a content address: verdicts on it are verdicts on exactly this."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from beleg.core.digest import digest_of
from beleg.core.evidence import ClaimRow, EvidenceCase


def stream_of(run_id: str, claim_id: str) -> str:
    """The stream of a claim in the review ledger.

    Example:
        >>> stream_of("run-1", "C-017-1")
        'run-1/C-017-1'
    """
    return f"{run_id}/{claim_id}"


def evidence_digest(case: EvidenceCase, row: ClaimRow) -> str:
    """The content address of what a reviewer of a claim looks at.

    It holds the question, the wording and its place in the answer, the citations as shown, and every passage that was
    returned with its words and versions. What machines propose is left out: a judge that is asked again does not make
    a person's verdict one about something else.

    Args:
        case: the case that the claim belongs to.
        row: the claim.
    """
    return digest_of(
        {
            "question": case.question,
            "claim": [row.case_id, row.answer_id, row.claim_id, row.text, row.answer_digest],
            "spans": [[span.start, span.end] for span in row.spans],
            "citations": [citation.to_json_dict() for citation in row.citations],
            "about": list(row.passages),
            "passages": [
                [each.passage_id, each.document_id, each.document_version, each.document_digest, each.rank, each.text]
                for each in case.passages
            ],
        }
    )


def claims_of(cases: Iterable[EvidenceCase]) -> Iterator[tuple[EvidenceCase, ClaimRow]]:
    """Every claim with its case, in the order of the sheet."""
    for case in cases:
        for row in case.claims:
            yield case, row
