"""Which claims of a sheet a filter takes; it picks rows and says nothing about how many of what there are."""

from __future__ import annotations

from collections.abc import Mapping

from beleg.core.evidence import ClaimRow, EvidenceCase
from beleg.core.review import ClaimReview
from beleg.core.sheet_export import NOBODY, ExportedCase, SheetFilter


def folded_text(case: EvidenceCase, row: ClaimRow | None) -> str:
    """Everything of a claim that the filter by words looks into, without upper case."""
    parts: list[str | None] = [case.question]
    if row is not None:
        rationale = None if row.support is None else row.support.rationale
        parts += [row.text, row.restated, row.attribution.rationale, rationale, row.open_note]
    return "\n".join(part for part in parts if part is not None).casefold()


def speaks(language: str | None, wanted: str) -> bool:
    """Whether a case is in a language; a region of it counts too.

    Example:
        >>> speaks("de-AT", "de"), speaks("den", "de")
        (True, False)
    """
    tag, asked = (language or "").casefold(), wanted.casefold()
    return tag == asked or tag.startswith(f"{asked}-")


def human_verdicts(review: ClaimReview | None) -> tuple[str, ...]:
    """The verdicts on support in force, each once; ``nobody`` where no person decided."""
    events = [] if review is None else [*review.verdicts, *((review.adjudication,) if review.adjudication else ())]
    given = [event.action.support.verdict.value for event in events if event.action.support is not None]
    return tuple(dict.fromkeys(given)) or (NOBODY,)


def reviewers(review: ClaimReview | None) -> tuple[str, ...]:
    """Everybody who decided about a claim, also where the verdict was taken back since."""
    if review is None:
        return ()
    events = [*review.verdicts, *review.superseded, *((review.adjudication,) if review.adjudication else ())]
    return tuple(dict.fromkeys(event.action.actor for event in events))


def taken(
    case: EvidenceCase,
    wanted: SheetFilter,
    reviews: Mapping[str, ClaimReview],
    *,
    run_id: str,
    segments: tuple[str, ...] = (),
) -> ExportedCase | None:
    """The case with the claims that a filter takes; ``None`` where it takes none.

    A case without claims is taken where the filter asks for nothing that only a claim has.

    Args:
        case: a case of the sheet.
        wanted: the filter.
        reviews: what people decided, by ``run_id/claim_id``.
        run_id: the run.
        segments: the segments of the case, as the suite names them.
    """  # fmt: skip
    if not _case_fits(case, wanted, segments):
        return None
    rows = tuple(row for row in case.claims if _row_fits(case, row, wanted, reviews.get(f"{run_id}/{row.claim_id}")))
    if not rows and (case.claims or not _fits_without_claims(case, wanted)):
        return None
    decided = (reviews.get(f"{run_id}/{row.claim_id}") for row in rows)
    return ExportedCase(
        run_id=run_id,
        case=case if len(rows) == len(case.claims) else case.model_copy(update={"claims": rows}),
        left_out=len(case.claims) - len(rows),
        reviews=tuple(review for review in decided if review is not None),
    )


def _case_fits(case: EvidenceCase, wanted: SheetFilter, segments: tuple[str, ...]) -> bool:
    return (
        (not wanted.cases or case.case_id in wanted.cases)
        and (not wanted.segments or bool(set(wanted.segments) & set(segments)))
        and (not wanted.languages or any(speaks(case.language, asked) for asked in wanted.languages))
    )


def _fits_without_claims(case: EvidenceCase, wanted: SheetFilter) -> bool:
    if wanted.attribution or wanted.machine or wanted.human or wanted.reviewers:
        return False
    seen = {observation.code for observation in case.observations}
    return (not wanted.observations or bool(seen & set(wanted.observations))) and _holds(case, None, wanted)


def _row_fits(case: EvidenceCase, row: ClaimRow, wanted: SheetFilter, review: ClaimReview | None) -> bool:
    proposed = NOBODY if row.support is None else row.support.verdict
    seen = {observation.code for observation in (*row.observations, *case.observations)}
    return (
        (not wanted.attribution or row.attribution.verdict in wanted.attribution)
        and (not wanted.machine or proposed in wanted.machine)
        and (not wanted.human or any(given in wanted.human for given in human_verdicts(review)))
        and (not wanted.reviewers or bool(set(reviewers(review)) & set(wanted.reviewers)))
        and (not wanted.observations or bool(seen & set(wanted.observations)))
        and _holds(case, row, wanted)
    )


def _holds(case: EvidenceCase, row: ClaimRow | None, wanted: SheetFilter) -> bool:
    return wanted.text is None or wanted.text.casefold() in folded_text(case, row)
