"""The claims of a run that are reviewed, each with the content address of what its reviewers look at (E7)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from beleg.app.sheets import read_sheet
from beleg.core.evidence import ClaimRow, EvidenceCase
from beleg.evidence.review_rows import claims_of, evidence_digest, stream_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One claim that is reviewed."""

    stream: str
    case: EvidenceCase
    row: ClaimRow
    digest: str
    """The content address of what its reviewers look at."""


def subjects_of(run: Path) -> tuple[str, list[Subject]]:
    """The name of a run and every claim of its sheet, in order.

    Raises:
        UsageError: if no sheet was built.
        EvidenceError: if it is damaged.
    """
    header, cases = read_sheet(run)
    return header.run_id, [
        Subject(stream=stream_of(header.run_id, row.claim_id), case=case, row=row, digest=evidence_digest(case, row))
        for case, row in claims_of(cases)
    ]
