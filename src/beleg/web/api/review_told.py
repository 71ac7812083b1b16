"""Claims under review, read off what their page shows; what the page hides is never looked at."""

from __future__ import annotations

from typing import Any

from beleg.app.workbench.review_agreement import DisagreementPage, QuestionView
from beleg.app.workbench.review_claim import HistoryEntry, ReviewedClaim
from beleg.app.workbench.review_queues import QueuePlace

_ALIKE = (
    "run_id", "claim_id", "case_id", "question", "answer", "passages", "others", "missing", "version", "digest",
    "state", "word", "given_under", "shows_machine", "shows_people", "own", "standing", "disputes", "may_settle",
    "assignees", "outdated",
)  # fmt: skip
_ENTRY = (
    "version", "at", "actor", "code", "kind", "about", "assignee", "shown", "condition", "texts", "is_hidden",
    "is_outdated",
)  # fmt: skip


def claim_told(view: ReviewedClaim, place: QueuePlace) -> dict[str, Any]:
    """A claim with everything that its reader may see now."""
    claim = view.claim
    machine = {"attribution": claim.attribution, "support": claim.machine, "restated": claim.row.restated}
    return {
        **{name: getattr(view, name) for name in _ALIKE},
        "address": view.claim_id,
        "wording": claim.wording,
        "markers": claim.markers,
        "unknown_passages": claim.unknown_passages,
        "machine": machine if view.shows_machine else None,
        "history": [_entry(each) for each in view.history],
        "place": place,
    }


def _entry(entry: HistoryEntry) -> dict[str, Any]:
    verdicts = [{"word": word, "rationale": why} for word, _, why in entry.verdicts]
    return {name: getattr(entry, name) for name in _ENTRY} | {"verdicts": verdicts}


def question_told(view: QuestionView) -> dict[str, Any]:
    """How far reviewers agree on one question."""
    names = ("question", "units", "cases", "single", "raters", "figures", "differing")
    left_out = [{"why": why, "verdicts": count} for why, count in view.not_counted]
    return {name: getattr(view, name) for name in names} | {"not_counted": left_out}


def disagreements_told(listed: DisagreementPage) -> dict[str, Any]:
    """What is to be settled, as far as its reader may see it."""
    names = ("claim_id", "shows_people", "own", "standing", "disputes", "may_settle")
    return {
        "claims": [
            {name: getattr(each.claim, name) for name in names}
            | {
                "address": each.claim.claim_id,
                "wording": each.claim.claim.wording,
                "differs_on": each.differs_on,
                "disputed": each.disputes,
            }
            for each in listed.shown
        ],
        "total": listed.total,
        "page": listed.page,
        "pages": listed.pages,
    }
