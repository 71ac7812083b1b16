"""A case of an evidence sheet as every export shows it: claim by claim, machines and people apart (E2, E3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from beleg.core.decision import Sentence
from beleg.core.evidence import (
    AttributionDecision,
    ClaimRow,
    EvidenceCase,
    EvidencePassage,
    Observation,
    SupportDecision,
)
from beleg.core.findings import Quote
from beleg.core.review import ClaimReview, ReviewEvent
from beleg.core.sheet_export import ExportedCase
from beleg.evidence.diagnosis import DIAGNOSES
from beleg.evidence.review_rows import evidence_digest
from beleg.report.evidence import quote_place
from beleg.report.sheet_words import (
    ATTRIBUTION_SHAPES,
    SUPPORT_SHAPES,
    attribution_word,
    decider_word,
    support_word,
)

ELLIPSIS = " … "


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a passage, and whether a verdict quotes it."""

    text: str
    is_quoted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageView:
    """A passage with the quoted words marked inside it, and what stands around it in its source."""

    passage: EvidencePassage
    parts: tuple[Part, ...]
    before: str
    after: str

    @property
    def name(self) -> str:
        """Source, version and passage, as the article names them."""
        passage = self.passage
        return " ".join(part for part in (passage.document_id, passage.document_version, passage.passage_id) if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictView:
    """A verdict with its reason and who gave it."""

    code: str
    """As it is stored."""
    word: Sentence
    shape: str
    rationale: str
    missing: tuple[str, ...]
    flags: tuple[str, ...]
    decider: Sentence
    name: str
    version: str | None
    """In full."""
    condition: str | None
    """The word under which it stands in the catalogue."""
    at: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanView:
    """What one person decided, or took back."""

    actor: str
    attribution: VerdictView | None
    support: VerdictView | None
    at: str
    is_outdated: bool
    """Whether the claim row is another one than the person looked at."""
    reason: str | None
    note: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservationView:
    """A bounded observation and what to look at next; never a cause."""

    code: str
    subjects: tuple[str, ...]
    record: Sentence
    observation: Sentence
    next_check: Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimView:
    """One claim row as it is shown."""

    row: ClaimRow
    wording: str
    """The words of the answer, with an ellipsis where the answer has words between its spans."""
    markers: tuple[str, ...]
    passages: tuple[PassageView, ...]
    unknown_passages: tuple[str, ...]
    """Passages that the row names and the case does not hold."""
    attribution: VerdictView
    machine: VerdictView | None
    humans: tuple[HumanView, ...]
    adjudication: HumanView | None
    taken_back: tuple[HumanView, ...]
    disputes: tuple[tuple[str, str], ...]
    """Who disputes, and why."""
    assignees: tuple[str, ...]
    notes: tuple[tuple[str, str], ...]
    """Who noted what."""
    observations: tuple[ObservationView, ...]

    @property
    def reviewers(self) -> tuple[str, ...]:
        """Whose verdict is in force."""
        settled = () if self.adjudication is None else (self.adjudication.actor,)
        return tuple(dict.fromkeys([*(human.actor for human in self.humans), *settled]))


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseView:
    """One case as it is shown."""

    case: EvidenceCase
    left_out: int
    claims: tuple[ClaimView, ...]
    passages: tuple[PassageView, ...]
    """All of them, in the order of return."""
    observations: tuple[ObservationView, ...]


def case_view(exported: ExportedCase) -> CaseView:
    """A case with its claims, ready to be shown."""
    case = exported.case
    reviews = {review.stream: review for review in exported.reviews}
    return CaseView(
        case=case,
        left_out=exported.left_out,
        claims=tuple(_claim(case, row, reviews.get(f"{exported.run_id}/{row.claim_id}")) for row in case.claims),
        passages=tuple(passage_view(passage, ()) for passage in case.passages),
        observations=observation_views(case.observations),
    )


def wording(case: EvidenceCase, row: ClaimRow) -> str:
    """The words of a claim; an ellipsis stands where the answer has other words between its spans."""
    if case.answer is None or any(span.end > len(case.answer) for span in row.spans):
        return row.text
    pieces = [case.answer[span.start : span.end] for span in row.spans]
    if " ".join(pieces) != row.text:
        return row.text
    told = pieces[0]
    for span, following, piece in zip(row.spans, row.spans[1:], pieces[1:], strict=False):
        between = case.answer[span.end : following.start]
        told += (ELLIPSIS if between.strip() else " ") + piece
    return told


def passage_view(passage: EvidencePassage, quotes: Iterable[Quote]) -> PassageView:
    """A passage with the words marked that are quoted from it."""
    text = passage.text or ""
    places = (quote_place(text, quote.text) for quote in quotes if quote.passage_id == passage.passage_id)
    return PassageView(
        passage=passage,
        parts=marked(text, [place for place in places if place is not None]),
        before="" if passage.locator is None else passage.locator.prefix,
        after="" if passage.locator is None else passage.locator.suffix,
    )


def marked(text: str, places: Sequence[tuple[int, int]]) -> tuple[Part, ...]:
    """A text in parts, those of the places marked; places that overlap are one.

    Example:
        >>> [part.text for part in marked("abcdef", [(3, 5), (1, 4)]) if part.is_quoted]
        ['bcde']
    """
    joined: list[tuple[int, int]] = []
    for start, end in sorted(places):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    parts, at = [], 0
    for start, end in joined:
        parts += [Part(text[at:start]), Part(text[start:end], is_quoted=True)]
        at = end
    return tuple(part for part in (*parts, Part(text[at:])) if part.text)


def observation_views(observations: Iterable[Observation]) -> tuple[ObservationView, ...]:
    """Observations with their sentences."""
    return tuple(
        ObservationView(
            code=each.code.value,
            subjects=each.subjects,
            record=DIAGNOSES[each.code].record,
            observation=DIAGNOSES[each.code].observation,
            next_check=DIAGNOSES[each.code].next_check,
        )
        for each in observations
    )


def _claim(case: EvidenceCase, row: ClaimRow, review: ClaimReview | None) -> ClaimView:
    held = {passage.passage_id: passage for passage in case.passages}
    told = review or ClaimReview(stream=row.claim_id, version=0)
    digest = evidence_digest(case, row) if review is not None else ""
    quotes = [*(row.support.quotes if row.support else ()), *_human_quotes(told)]
    return ClaimView(
        row=row,
        wording=wording(case, row),
        markers=tuple(citation.marker for citation in row.citations),
        passages=tuple(passage_view(held[name], quotes) for name in row.passages if name in held),
        unknown_passages=tuple(name for name in row.passages if name not in held),
        attribution=_attribution(row.attribution),
        machine=None if row.support is None else _support(row.support),
        humans=tuple(_human(event, digest) for event in (*told.verdicts, *told.outdated)),
        adjudication=None if told.adjudication is None else _human(told.adjudication, digest),
        taken_back=tuple(_human(event, digest) for event in told.superseded),
        disputes=tuple((event.action.actor, event.action.reason or "") for event in told.disputes),
        assignees=told.assignees,
        notes=tuple((event.action.actor, event.action.note or "") for event in told.notes),
        observations=observation_views(row.observations),
    )


def _human_quotes(review: ClaimReview) -> list[Quote]:
    events = [*review.verdicts, *((review.adjudication,) if review.adjudication else ())]
    return [quote for event in events if event.action.support is not None for quote in event.action.support.quotes]


def _human(event: ReviewEvent, digest: str) -> HumanView:
    action = event.action
    return HumanView(
        actor=action.actor,
        attribution=None if action.attribution is None else _attribution(action.attribution),
        support=None if action.support is None else _support(action.support),
        at=f"{event.recorded_at:%Y-%m-%d %H:%M %Z}".strip(),
        is_outdated=action.evidence_digest != digest,
        reason=action.reason,
        note=action.note,
    )


def _attribution(decision: AttributionDecision) -> VerdictView:
    return _verdict(decision, attribution_word(decision.verdict), ATTRIBUTION_SHAPES[decision.verdict])


def _support(decision: SupportDecision) -> VerdictView:
    return _verdict(decision, support_word(decision.verdict), SUPPORT_SHAPES[decision.verdict])


def _verdict(decision: AttributionDecision | SupportDecision, word: Sentence, shape: str) -> VerdictView:
    support = decision if isinstance(decision, SupportDecision) else None
    return VerdictView(
        code=decision.verdict.value,
        word=word,
        shape=shape,
        rationale=decision.rationale,
        missing=() if support is None else support.missing,
        flags=() if support is None else support.flags,
        decider=decider_word(decision.decider),
        name=decision.decider.name,
        version=decision.decider.version,
        condition=None if decision.condition is None else f"sheet.{decision.condition.value}",
        at=None if decision.decided_at is None else f"{decision.decided_at:%Y-%m-%d %H:%M %Z}".strip(),
    )
