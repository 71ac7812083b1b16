"""How far the reviewers of a run agree, and where they do not: nothing here is a rate of good claims (E7)."""

from __future__ import annotations

from dataclasses import dataclass

from beleg.app.review_words import NOT_COUNTED, QUESTION
from beleg.app.workbench.review_claim import ReviewedClaim, reviewed_claim
from beleg.app.workbench.review_queues import QueueRequest, ReviewQueue, queued
from beleg.app.workbench.review_room import RunReview
from beleg.core.decision import Sentence
from beleg.evidence.agreement import QUESTIONS, Agreement, AgreementFigure, agreement_on
from beleg.evidence.review_state import disagreements

CONFIDENCE = 0.95
PAGE_DISAGREEMENTS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureView:
    """One figure with its interval, or the key of the word for why there is none."""

    name: str
    value: float | None
    lower: float | None
    upper: float | None
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionView:
    """How far reviewers agree on one question."""

    question: Sentence
    units: int
    """Claims that two people or more judged blind."""
    cases: int
    single: int
    """Claims that one person judged blind."""
    raters: tuple[str, ...]
    figures: tuple[FigureView, ...]
    """Raw agreement, kappa, alpha and AC1."""
    not_counted: tuple[tuple[Sentence, int], ...]
    """Verdicts that were left out, by reason."""
    differing: tuple[str, ...]
    """Claims on which the verdicts that count differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """A claim on which people differ, or that somebody disputes."""

    claim: ReviewedClaim
    differs_on: tuple[Sentence, ...]
    disputes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DisagreementPage:
    """A part of the claims that are to be settled."""

    shown: tuple[Disagreement, ...]
    total: int
    page: int
    pages: int


def agreement_views(found: RunReview) -> tuple[QuestionView, ...]:
    """Agreement on attribution and on support, apart."""
    cases = {subject.stream: subject.case.case_id for subject in found.desk.subjects.values()}
    return tuple(
        _view(agreement_on(question, found.streams, cases=cases, confidence=CONFIDENCE), found)
        for question in QUESTIONS
    )


def _view(told: Agreement, found: RunReview) -> QuestionView:
    figures = (("raw", told.raw), ("kappa", told.kappa), ("alpha", told.alpha), ("ac1", told.ac1))
    return QuestionView(
        question=QUESTION[told.question],
        units=told.units,
        cases=told.groups,
        single=told.single,
        raters=told.raters,
        figures=tuple(_figure(name, figure, told) for name, figure in figures),
        not_counted=tuple((NOT_COUNTED[why], count) for why, count in told.not_counted.items()),
        differing=tuple(
            name for name in (each.removeprefix(f"{found.desk.run_id}/") for each in told.differing)
            if name in found.reviews
        ),
    )  # fmt: skip


def _figure(name: str, figure: AgreementFigure, told: Agreement) -> FigureView:
    reason = None
    if figure.value is None:
        reason = "one_verdict"
        if not told.units:
            reason = "no_pairs"
        elif name == "kappa" and len(told.raters) != 2:
            reason = "not_two"
    return FigureView(name=name, value=figure.value, lower=figure.lower, upper=figure.upper, reason=reason)


def disagreements_of(
    found: RunReview, person: str, page: int, *, is_reviewer: bool = True, size: int = PAGE_DISAGREEMENTS
) -> DisagreementPage:
    """The claims on which people differ; whoever is still to judge one blind is not shown how."""
    claims = queued(found, QueueRequest(queue=ReviewQueue.DISPUTED, person=person))
    pages = max(1, -(-len(claims) // size))
    page = min(page, pages)
    some = claims[(page - 1) * size : page * size]
    return DisagreementPage(
        shown=tuple(
            Disagreement(
                claim=reviewed_claim(found, claim_id, person, is_reviewer=is_reviewer),
                differs_on=tuple(QUESTION[name] for name in disagreements(found.reviews[claim_id])),
                disputes=len(found.reviews[claim_id].disputes),
            )
            for claim_id in some
        ),
        total=len(claims),
        page=page,
        pages=pages,
    )
