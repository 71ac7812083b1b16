"""Which claims of a sheet a filter takes; it picks rows and says nothing about how many of what there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from beleg.core.evidence import ClaimRow, EvidenceCase
from beleg.core.review import ClaimReview
from beleg.core.sheet_export import NOBODY, ExportedCase, SheetFilter

Facts = dict[str, str | None]
Predicate = Callable[[str | None], bool]

FACTS = ("case_id", "claim_id", "language", "segments", "attribution", "machine", "observations", "text")
"""What a filter looks at, each one text; several values stand on a line each, and a case has none of a claim's."""


def facts_of(case: EvidenceCase, row: ClaimRow | None, segments: Sequence[str] = ()) -> Facts:
    """What a filter looks at.

    Args:
        case: the case.
        row: its claim; ``None`` for a case without claims.
        segments: the segments of the case as the suite names them.
    """
    seen = [*case.observations, *(() if row is None else row.observations)]
    return {
        "case_id": case.case_id,
        "claim_id": None if row is None else row.claim_id,
        "language": case.language,
        "segments": "\n".join(segments),
        "attribution": None if row is None else row.attribution.verdict.value,
        "machine": None if row is None else NOBODY if row.support is None else row.support.verdict.value,
        "observations": "\n".join(dict.fromkeys(each.code.value for each in seen)),
        "text": _folded_text(case, row),
    }


def predicates(wanted: SheetFilter, reviews: Mapping[str, ClaimReview], run_id: str) -> list[tuple[str, Predicate]]:
    """What must hold of which fact, for every field of a filter that is not empty.

    Args:
        wanted: the filter.
        reviews: what people decided, by ``run_id/claim_id``.
        run_id: the run.
    """
    found: list[tuple[str, Predicate]] = []
    for fact, values in (
        ("case_id", wanted.cases),
        ("attribution", wanted.attribution),
        ("machine", wanted.machine),
    ):
        if values:
            found.append((fact, frozenset(map(str, values)).__contains__))
    for fact, values in (("segments", wanted.segments), ("observations", wanted.observations)):
        if values:
            found.append((fact, _any_line(values)))
    if wanted.languages:
        found.append(("language", lambda language: any(speaks(language, asked) for asked in wanted.languages)))
    if wanted.human:
        found.append(("claim_id", _decided(frozenset(map(str, wanted.human)), human_verdicts, reviews, run_id)))
    if wanted.reviewers:
        found.append(("claim_id", _decided(frozenset(wanted.reviewers), reviewers, reviews, run_id)))
    if wanted.text is not None:
        sought = wanted.text.casefold()
        found.append(("text", lambda text: text is not None and sought in text))
    return found


def exported_case(
    case: EvidenceCase, places: Sequence[int], reviews: Mapping[str, ClaimReview], run_id: str
) -> ExportedCase:
    """A case with some of its claims and what people decided about them.

    Args:
        case: the case as the sheet holds it.
        places: which of its claims, counted from 0.
        reviews: what people decided, by ``run_id/claim_id``.
        run_id: the run.
    """
    rows = tuple(case.claims[place] for place in places)
    decided = (reviews.get(f"{run_id}/{row.claim_id}") for row in rows)
    return ExportedCase(
        run_id=run_id,
        case=case if len(rows) == len(case.claims) else case.model_copy(update={"claims": rows}),
        left_out=len(case.claims) - len(rows),
        reviews=tuple(review for review in decided if review is not None),
    )


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


def _folded_text(case: EvidenceCase, row: ClaimRow | None) -> str:
    parts: list[str | None] = [case.question]
    if row is not None:
        rationale = None if row.support is None else row.support.rationale
        parts += [row.text, row.restated, row.attribution.rationale, rationale, row.open_note]
    return "\n".join(part for part in parts if part is not None).casefold()


def _any_line(values: Iterable[str]) -> Predicate:
    sought = frozenset(map(str, values))
    return lambda lines: lines is not None and not sought.isdisjoint(lines.split("\n"))


def _decided(
    sought: frozenset[str],
    told: Callable[[ClaimReview | None], tuple[str, ...]],
    reviews: Mapping[str, ClaimReview],
    run_id: str,
) -> Predicate:
    return lambda claim_id: claim_id is not None and not sought.isdisjoint(told(reviews.get(f"{run_id}/{claim_id}")))
