"""A comparison of runs case by case as a reader meets it: one answer, counts by dimension, and what is not the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from beleg.core.decision import Sentence
from beleg.core.run_comparison import (
    CASE_ASPECTS,
    Aspect,
    ComparedAspect,
    ComparedCase,
    ComparedClaim,
    Likeness,
    LoneClaim,
    RunComparison,
)
from beleg.report.figures import both
from beleg.report.words import phrase
from beleg.text.numbers import number

MAX_LISTED = 20
MIN_SHARED = 2
"""So many cases at least can have something in common."""
SHAPES: dict[Likeness, str] = {Likeness.SAME: "●", Likeness.CHANGED: "◆", Likeness.NOT_COMPARABLE: "○"}


@dataclass(frozen=True, slots=True, kw_only=True)
class AspectCount:
    """In how many cases a dimension is the same, changed, or not comparable."""

    aspect: Sentence
    counts: dict[Likeness, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One thing that is not the same: of the case, or of one of its claims."""

    likeness: Likeness | None
    """``None`` for a claim that stands in one answer only: nothing is compared."""
    what: Sentence
    detail: Sentence | None

    def state(self, language: str) -> str:
        """Shape and words, without the detail."""
        if self.likeness is None:
            return f"{SHAPES[Likeness.CHANGED]} {self.what.in_language(language)}"
        told = likeness_word(self.likeness).in_language(language)
        return f"{SHAPES[self.likeness]} {self.what.in_language(language)} {told}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimBlock:
    """A claim with what is not the same about it."""

    name: str
    text: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseBlock:
    """A case with what is not the same about it and about its claims."""

    case_id: str
    repeat: int
    lines: tuple[Line, ...]
    claims: tuple[ClaimBlock, ...]

    @property
    def title(self) -> str:
        """The id of the case, with the repetition where there are several."""
        return f"{self.case_id} ({self.repeat + 1})" if self.repeat else self.case_id


def aspect_word(aspect: Aspect) -> Sentence:
    """A dimension as a word."""
    return phrase(f"cases.aspect_{aspect.value}")


def likeness_word(likeness: Likeness) -> Sentence:
    """How a dimension stands, as a word."""
    return phrase(f"cases.likeness_{likeness.value}")


def comparison_headline(comparison: RunComparison) -> Sentence:
    """The answer: whether all cases are the same, and if not, in what they are not."""
    cases = comparison.cases
    if not cases:
        return phrase("cases.none")
    unlike = [case for case in cases if not case.is_same]
    if not unlike:
        return phrase("cases.all_same", n=_whole(len(cases)), rows=_whole(len(comparison.rows)))
    told = [
        phrase(key, aspect=aspect_word(aspect), n=_whole(n))
        for aspect in CASE_ASPECTS
        for key, likeness in (("cases.changed_in", Likeness.CHANGED), ("cases.unlike_in", Likeness.NOT_COMPARABLE))
        if (n := comparison.count(aspect, likeness))
    ]
    listed = both(lambda lang: " · ".join(each.in_language(lang) for each in told)) if told else None
    return phrase(
        "cases.differ",
        n=_whole(len(unlike)),
        all=_whole(len(cases)),
        listed=listed or phrase("cases.claims_only"),
    )


def aspect_counts(comparison: RunComparison) -> list[AspectCount]:
    """The counts of every dimension, in a fixed order."""
    return [
        AspectCount(aspect=aspect_word(aspect), counts={each: comparison.count(aspect, each) for each in Likeness})
        for aspect in CASE_ASPECTS
    ]


def shared_lines(comparison: RunComparison) -> list[Line]:
    """What is not the same in every single case in one and the same way, such as the sources; told once."""
    return list(_lines(_shared(comparison)))


def case_blocks(comparison: RunComparison) -> list[CaseBlock]:
    """The cases that are not the same in something of their own, in their order, each with what is not."""
    shared = _shared(comparison)
    found = (_block(case, shared) for case in comparison.cases if not case.is_same)
    return [block for block in found if block.lines or block.claims]


def _shared(comparison: RunComparison) -> tuple[ComparedAspect, ...]:
    """The aspects that are told alike in all cases; none where there is one case only."""
    if len(comparison.cases) < MIN_SHARED:
        return ()
    first, *others = comparison.cases
    return tuple(each for each in first.aspects if all(each in other.aspects for other in others))


def same_cases(comparison: RunComparison) -> Sentence | None:
    """The cases that are the same in everything; ``None`` where there are none."""
    return listed_cases("cases.same_cases", [case.case_id for case in comparison.cases if case.is_same])


def listed_cases(key: str, names: Sequence[str]) -> Sentence | None:
    """A sentence about cases by name, of very many the first; ``None`` where there are none."""
    unique = list(dict.fromkeys(names))
    if not unique:
        return None
    shown, more = ", ".join(unique[:MAX_LISTED]), len(unique) - MAX_LISTED
    if more <= 0:
        return phrase(key, listed=shown)
    rest = phrase("cases.more", n=_whole(more))
    return phrase(key, listed=both(lambda lang: f"{shown}, {rest.in_language(lang)}"))


def origin(comparison: RunComparison) -> Sentence:
    """Whether the new run is a replay of the old one."""
    return phrase("cases.made_from_old" if comparison.made_from_old else "cases.not_made_from_old")


def _block(case: ComparedCase, shared: Sequence[ComparedAspect]) -> CaseBlock:
    return CaseBlock(
        case_id=case.case_id,
        repeat=case.repeat,
        lines=tuple(_lines([each for each in case.aspects if each not in shared])),
        claims=(
            *(_claim(row) for row in case.claims if row.overall is not Likeness.SAME),
            *(_alone(each, "only_old") for each in case.only_old),
            *(_alone(each, "only_new") for each in case.only_new),
        ),
    )


def _lines(aspects: Sequence[ComparedAspect]) -> Iterator[Line]:
    for each in aspects:
        if each.likeness is not Likeness.SAME:
            yield Line(likeness=each.likeness, what=aspect_word(each.aspect), detail=each.detail)


def _claim(row: ComparedClaim) -> ClaimBlock:
    name = row.new_claim_id if row.new_claim_id == row.old_claim_id else f"{row.old_claim_id} / {row.new_claim_id}"
    return ClaimBlock(name=name, text=row.text, lines=tuple(_lines(row.aspects)))


def _alone(claim: LoneClaim, side: str) -> ClaimBlock:
    hint = None if claim.resembles is None else phrase(f"cases.resembles_{side}", claim=claim.resembles)
    return ClaimBlock(
        name=claim.claim_id,
        text=claim.text,
        lines=(Line(likeness=None, what=phrase(f"cases.{side}"), detail=hint),),
    )


def _whole(value: int) -> Sentence:
    return both(lambda lang: number(value, lang, decimals=0))
