"""Sheets for tests of what is shown: the worked example, reviewed by people who differ, and a hostile one."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from beleg.core.evidence import EvidenceCase, SheetHeader, SupportVerdict
from beleg.core.manifest import Manifest
from beleg.core.review import ClaimReview, ReviewEvent
from beleg.core.sheet_export import ExportedCase, SheetFilter
from beleg.evidence.review_fold import claim_reviews
from beleg.evidence.sheet_filter import exported_case, facts_of, predicates
from beleg.run.sheet_folder import SheetFolder, SheetSize
from support.q017 import evidence
from support.reviews import verdicts

RUN_ID = "run-1"
MADE_AT = datetime(2026, 12, 1, 9, tzinfo=UTC)


def header_of(cases: int, claims: int, digest: str | None = None) -> SheetHeader:
    """The header of a sheet of this size."""
    return SheetHeader(
        run_id=RUN_ID, manifest=Manifest(name="shop"), manifest_digest="sha256:m", suite_name="returns",
        suite_version=3, suite_digest="sha256:s", case_count=cases, claim_count=claims, cases_digest=digest,
        beleg_version="0.1.0", created_at=MADE_AT,
    )  # fmt: skip


def reviewed(case: EvidenceCase | None = None) -> tuple[ReviewEvent, ...]:
    """Two people decided about the second claim and differ."""
    about = case or evidence()
    row = about.claims[1]
    given = (("A. Kurz", SupportVerdict.PARTIALLY_SUPPORTED), ("B. Lang", SupportVerdict.NOT_SUPPORTED))
    return tuple(verdicts(*given, about=row, case=about))


def taken(
    case: EvidenceCase, wanted: SheetFilter, reviews: dict[str, ClaimReview], *, segments: tuple[str, ...] = ()
) -> ExportedCase | None:
    """The case as a filter leaves it, without any index."""
    asked = predicates(wanted, reviews, RUN_ID)
    rows = list(enumerate(case.claims)) or [(-1, None)]
    fits = []
    for place, row in rows:
        facts = facts_of(case, row, segments)
        if all(holds(facts[fact]) for fact, holds in asked):
            fits.append(place)
    return exported_case(case, [place for place in fits if place >= 0], reviews, RUN_ID) if fits else None


def exported(
    case: EvidenceCase | None = None, events: tuple[ReviewEvent, ...] = (), wanted: SheetFilter | None = None
) -> ExportedCase:
    """The worked example as a filter leaves it."""
    found = taken(case or evidence(), wanted or SheetFilter(), claim_reviews(RUN_ID, events))
    assert found is not None
    return found


def hostile_case(payload: str) -> EvidenceCase:
    """The worked example with a payload in every field that a stranger writes."""
    case = evidence()
    passages = tuple(each.model_copy(update={"text": payload, "url": payload, "document_version": payload,
                                             "document_id": payload}) for each in case.passages)  # fmt: skip
    rows = tuple(
        row.model_copy(update={"text": payload, "restated": payload, "open_note": payload, "claim_id": payload})
        for row in case.claims
    )
    texts = dict.fromkeys(("case_id", "query_id", "answer_id", "question", "collection", "answer", "language",
                           "failure_note"), payload)  # fmt: skip
    return case.model_copy(
        update={**texts, "passages": passages, "claims": rows, "missing": (payload,), "known_gaps": (payload,)}
    )


def write_sheet(run: Path, cases: list[EvidenceCase]) -> Path:
    """A run folder that holds nothing but a sheet."""

    def header(size: SheetSize) -> SheetHeader:
        return header_of(size.cases, size.claims, size.digest)

    SheetFolder(run / "evidence").write(cases, header)
    return run
