"""The run of Q-017 with its sheet, for reviewers."""

from __future__ import annotations

from pathlib import Path

from beleg.core.evidence import EvidenceCase, SheetHeader
from beleg.core.manifest import Manifest
from beleg.run.sheet_folder import SheetFolder
from support import q017
from support.review_events import WHEN

RUN_ID = "run-17"


def q017_case() -> EvidenceCase:
    """The four claims of the worked example, as a judge proposed them."""
    return q017.evidence()


def write_sheet(run: Path, *cases: EvidenceCase) -> Path:
    """Writes the sheet of a run that holds these cases."""
    run.mkdir(parents=True, exist_ok=True)
    SheetFolder(run / "evidence").write(
        cases or (q017_case(),),
        lambda size: SheetHeader(
            run_id=RUN_ID,
            manifest=Manifest(name="m"),
            manifest_digest="sha256:m",
            suite_name="s",
            suite_version=1,
            suite_digest="sha256:s",
            case_count=size.cases,
            claim_count=size.claims,
            cases_digest=size.digest,
            beleg_version="0",
            created_at=WHEN,
        ),
    )
    return run


def changed(case: EvidenceCase, claim_id: str, **fields: object) -> EvidenceCase:
    """The case with one claim changed."""
    rows = tuple(row.model_copy(update=fields) if row.claim_id == claim_id else row for row in case.claims)
    return case.model_copy(update={"claims": rows})
