"""One claim as its reviewer sees it: blind until they decided, or asked for more and had that recorded (E7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from beleg.app.review_subjects import Subject
from beleg.app.review_words import CONDITION, KIND, PROGRESS
from beleg.app.workbench.review_room import RunReview
from beleg.app.workbench.review_runs import PROGRESS_SHAPES
from beleg.core.decision import Sentence
from beleg.core.evidence import AttributionVerdict, Condition, SupportVerdict
from beleg.core.feedback import Feedback
from beleg.core.findings import Quote
from beleg.core.review import ClaimReview, ReviewEvent, ReviewEventKind
from beleg.evidence.review_state import ReviewProgress, disagreements, progress_of, verdict_of
from beleg.evidence.sheet_filter import exported_case
from beleg.report.sheet_view import ClaimView, HumanView, Part, PassageView, case_view, marked, passage_view
from beleg.report.sheet_words import ATTRIBUTION_SHAPES, SUPPORT_SHAPES, attribution_word, support_word

_SILENT = frozenset({ReviewEventKind.ASSIGNED, ReviewEventKind.SHOWN, ReviewEventKind.SHEET_REBUILT})
"""Events that say nothing of what anybody decided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A verdict that can be chosen."""

    value: str
    word: Sentence
    shape: str


SUPPORT_CHOICES = tuple(
    Choice(value=verdict.value, word=support_word(verdict), shape=SUPPORT_SHAPES[verdict]) for verdict in SupportVerdict
)
"""In the order of the keys 1 to 4."""
ATTRIBUTION_CHOICES = tuple(
    Choice(value=verdict.value, word=attribution_word(verdict), shape=ATTRIBUTION_SHAPES[verdict])
    for verdict in AttributionVerdict
)
"""In the order of the keys Shift+1 to Shift+5."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryEntry:
    """One event of a claim."""

    version: int
    at: datetime
    actor: str
    code: ReviewEventKind
    kind: Sentence
    about: int | None
    """The version that it is about."""
    assignee: str | None
    shown: Sentence | None
    condition: Sentence | None
    verdicts: tuple[tuple[Sentence, str, str], ...]
    """Word, shape and reason of each verdict; empty where the reader is not shown them."""
    texts: tuple[str, ...]
    """Reason and note; empty where the reader is not shown them."""
    is_hidden: bool
    """Whether it says more than the reader is shown."""
    is_outdated: bool
    """Whether it is about an older row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnVerdict:
    """What the reader decided, which they may replace or take back."""

    version: int
    key: str
    """Its idempotency key, by which the browser knows its draft."""
    view: HumanView
    typed: Mapping[str, str]
    """What a form that replaces it begins with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Something of others that is in force, which may be disputed or settled."""

    version: int
    actor: str
    view: HumanView


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute:
    """Somebody speaks against a verdict."""

    version: int
    about: int | None
    """The version of the verdict."""
    actor: str
    reason: str
    is_own: bool
    """Whether it is the reader's, who may take it back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewedClaim:
    """Everything that the page of a claim shows."""

    run_id: str
    claim_id: str
    case_id: str
    question: str
    answer: tuple[Part, ...] | None
    """The answer with the claim marked; ``None`` where there is none."""
    claim: ClaimView
    """The claim; machine verdict and people are to be shown only where the two fields below say so."""
    passages: tuple[PassageView, ...]
    """Those that are cited or were weighed."""
    others: tuple[PassageView, ...]
    """Everything else that was returned."""
    missing: tuple[str, ...]
    """Parts of the record that are absent."""
    version: int
    digest: str
    state: ReviewProgress
    word: Sentence
    shape: str
    shows_machine: bool
    shows_people: bool
    given_under: Condition
    """The condition under which a verdict of the reader would be recorded now."""
    condition: Sentence
    """The same in words."""
    own: OwnVerdict | None
    standing: tuple[Standing, ...]
    """Verdicts and disputes of others; empty where the reader is not shown them."""
    disputes: tuple[Dispute, ...]
    """Those in force; empty where the reader is not shown them."""
    may_settle: bool
    history: tuple[HistoryEntry, ...]
    assignees: tuple[str, ...]
    outdated: int
    """How many verdicts are about an older row."""
    shows_feedback: bool
    """Whether the reader may see what users said: after their own verdict, and never before."""
    feedback: tuple[Feedback, ...]
    """What users said of the answer; empty where the reader is not shown it."""


def reviewed_claim(found: RunReview, claim_id: str, person: str, *, is_reviewer: bool = True) -> ReviewedClaim:
    """A claim as somebody may see it now.

    What machines propose is hidden, the words that they quote included, until the person decided or asked for it; what
    others decided likewise. What users said of the answer is hidden until the person decided.

    Args:
        found: the run.
        claim_id: the claim.
        person: who looks.
        is_reviewer: whether they may give verdicts; whoever may not has no blindness to lose, and sees everything.

    Raises:
        UsageError: if the sheet does not hold the claim.
    """
    subject, events = found.desk.subject(claim_id), found.events(claim_id)
    review = found.reviews[claim_id]
    own = verdict_of(review, person)
    was_shown = {event.action.shown for event in review.shown if event.action.actor == person}
    shows_machine = not is_reviewer or own is not None or Condition.SAW_MACHINE in was_shown
    shows_people = not is_reviewer or own is not None or Condition.SAW_HUMAN in was_shown
    claim = _claim(subject, review, found.desk.run_id)
    standing = _standing(review, claim, person) if shows_people else ()
    is_contested = bool(standing) and bool(disagreements(review) or review.disputes)
    state, condition = progress_of(review), _condition(was_shown, has_decided=own is not None)
    return ReviewedClaim(
        run_id=found.desk.run_id,
        claim_id=claim_id,
        case_id=subject.case.case_id,
        question=subject.case.question,
        answer=_answer(subject),
        claim=claim,
        passages=_about(subject, _quotes(subject, review, machine=shows_machine, people=shows_people)),
        others=tuple(
            passage_view(each, ()) for each in subject.case.passages if each.passage_id not in subject.row.passages
        ),
        missing=subject.case.missing,
        version=review.version,
        digest=subject.digest,
        state=state,
        word=PROGRESS[state],
        shape=PROGRESS_SHAPES[state],
        shows_machine=shows_machine,
        shows_people=shows_people,
        given_under=condition,
        condition=CONDITION[condition],
        own=None if own is None else _own(own, claim),
        standing=standing,
        disputes=_disputes(review, person) if shows_people else (),
        may_settle=is_reviewer and own is None and is_contested,
        history=tuple(_entry(event, review, is_open=shows_people or event.action.actor == person) for event in events),
        assignees=review.assignees,
        outdated=len(review.outdated),
        shows_feedback=not is_reviewer or own is not None,
        feedback=found.feedback_on(claim_id) if not is_reviewer or own is not None else (),
    )


def _condition(was_shown: set[Condition | None], *, has_decided: bool) -> Condition:
    if has_decided or Condition.SAW_HUMAN in was_shown:
        return Condition.SAW_HUMAN
    return Condition.SAW_MACHINE if was_shown else Condition.BLIND


def _claim(subject: Subject, review: ClaimReview, run_id: str) -> ClaimView:
    place = next(number for number, row in enumerate(subject.case.claims) if row == subject.row)
    return case_view(exported_case(subject.case, (place,), {review.stream: review}, run_id)).claims[0]


def _answer(subject: Subject) -> tuple[Part, ...] | None:
    answer = subject.case.answer
    if answer is None:
        return None
    spans = subject.row.spans
    is_elsewhere = any(span.end > len(answer) for span in spans)
    return marked(answer, [] if is_elsewhere else [(span.start, span.end) for span in spans])


def _quotes(subject: Subject, review: ClaimReview, *, machine: bool, people: bool) -> list[Quote]:
    decided = [event.action.support for event in review.verdicts if people]
    proposed = [subject.row.support if machine else None]
    return [quote for each in (*proposed, *decided) if each is not None for quote in each.quotes]


def _about(subject: Subject, quotes: Iterable[Quote]) -> tuple[PassageView, ...]:
    held, given = {each.passage_id: each for each in subject.case.passages}, list(quotes)
    return tuple(passage_view(held[name], given) for name in subject.row.passages if name in held)


def _own(event: ReviewEvent, claim: ClaimView) -> OwnVerdict:
    view = next(human for human in claim.humans if human.actor == event.action.actor and not human.is_outdated)
    support, attribution = event.action.support, event.action.attribution
    typed = {
        "support": "" if support is None else support.verdict.value,
        "support_rationale": "" if support is None else support.rationale,
        "missing": "" if support is None else "\n".join(support.missing),
        "attribution": "" if attribution is None else attribution.verdict.value,
        "attribution_rationale": "" if attribution is None else attribution.rationale,
        "note": "",
        "reason": "",
    }
    return OwnVerdict(version=event.version, key=event.action.idempotency_key, view=view, typed=typed)


def _standing(review: ClaimReview, claim: ClaimView, person: str) -> tuple[Standing, ...]:
    views = [human for human in claim.humans if not human.is_outdated]
    found = [
        Standing(version=event.version, actor=event.action.actor, view=view)
        for event, view in zip(review.verdicts, views, strict=True)
        if event.action.actor != person
    ]
    if review.adjudication is not None and claim.adjudication is not None:
        settled = review.adjudication
        found.append(Standing(version=settled.version, actor=settled.action.actor, view=claim.adjudication))
    return tuple(found)


def _disputes(review: ClaimReview, person: str) -> tuple[Dispute, ...]:
    return tuple(
        Dispute(
            version=event.version,
            about=event.action.supersedes,
            actor=event.action.actor,
            reason=event.action.reason or "",
            is_own=event.action.actor == person,
        )
        for event in review.disputes
    )


def _entry(event: ReviewEvent, review: ClaimReview, *, is_open: bool) -> HistoryEntry:
    action = event.action
    is_hidden = not is_open and action.kind not in _SILENT
    decided = [each for each in (action.support, action.attribution) if each is not None]
    texts = [text for text in (action.reason, action.note) if text is not None]
    condition = next((each.condition for each in decided if each.condition is not None), None)
    return HistoryEntry(
        version=event.version,
        at=event.recorded_at,
        actor=action.actor,
        code=action.kind,
        kind=KIND[action.kind],
        about=action.supersedes,
        assignee=action.assignee,
        shown=None if action.shown is None else CONDITION[action.shown],
        condition=None if condition is None else CONDITION[condition],
        verdicts=() if is_hidden else _verdicts(event),
        texts=() if is_hidden else tuple(texts),
        is_hidden=is_hidden,
        is_outdated=event.version in {each.version for each in review.outdated},
    )


def _verdicts(event: ReviewEvent) -> tuple[tuple[Sentence, str, str], ...]:
    support, attribution = event.action.support, event.action.attribution
    found: Sequence[tuple[Sentence, str, str] | None] = (
        None
        if support is None
        else (support_word(support.verdict), SUPPORT_SHAPES[support.verdict], support.rationale),
        None
        if attribution is None
        else (attribution_word(attribution.verdict), ATTRIBUTION_SHAPES[attribution.verdict], attribution.rationale),
    )
    return tuple(each for each in found if each is not None)
