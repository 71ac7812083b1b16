"""Comparisons of runs for tests of what is shown of them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from beleg.core.decision import Sentence
from beleg.core.dimensions import known_dimension
from beleg.core.evidence import AttributionVerdict, SupportVerdict
from beleg.core.run_comparison import (
    CASE_ASPECTS,
    Aspect,
    ComparedAspect,
    ComparedCase,
    ComparedClaim,
    ComparedRun,
    Likeness,
    LoneClaim,
    RunComparison,
)

HOSTILE = "</p><img src=x onerror=alert(1)>`|[a](javascript:1)\u202e\x1b[31m\u200b@all #1"
"""Text that would do something wherever it is not shown as text."""


def compared_case(case_id: str, *, only: dict[Aspect, Likeness] | None = None, **fields: Any) -> ComparedCase:
    """A case that is the same but for the aspects named."""
    told = only or {}
    aspects = tuple(
        ComparedAspect(
            aspect=each,
            likeness=told.get(each, Likeness.SAME),
            detail=Sentence(en=f"en {case_id}", de=f"de {case_id}") if each in told else None,
        )
        for each in CASE_ASPECTS
    )
    return ComparedCase.model_validate({"case_id": case_id, "aspects": aspects} | fields)


def compared_claim(text: str, *, support: Likeness = Likeness.CHANGED) -> ComparedClaim:
    """A claim in both answers whose support stands as told."""
    return ComparedClaim(
        old_claim_id="C-1",
        new_claim_id="C-9",
        text=text,
        matched_by="wording",
        comparable=True,
        aspects=(
            ComparedAspect(aspect=Aspect.CITATIONS, likeness=Likeness.SAME),
            ComparedAspect(aspect=Aspect.SUPPORT, likeness=support, detail=Sentence(en="a → b", de="a → b")),
        ),
        old_attribution=AttributionVerdict.ATTACHED,
        new_attribution=AttributionVerdict.ATTACHED,
        old_support=SupportVerdict.SUPPORTED,
        new_support=SupportVerdict.NOT_SUPPORTED,
    )


def compared_run(name: str) -> ComparedRun:
    """One of the runs."""
    return ComparedRun(
        run_id=name,
        name=name,
        created_at=datetime(2026, 11, 30, tzinfo=UTC),
        manifest_digest="sha256:m",
        suite_digest="sha256:s",
        traces_digest="sha256:t",
    )


def comparison(*cases: ComparedCase, **fields: Any) -> RunComparison:
    """A comparison of these cases."""
    given: dict[str, Any] = {
        "old": compared_run("old-1"),
        "new": compared_run("new-1"),
        "made_from_old": True,
        "configuration": (known_dimension("prompt", "v2", "v1"),),
        "cases": cases,
        "beleg_version": "0",
        "created_at": datetime(2026, 12, 1, tzinfo=UTC),
    }
    return RunComparison.model_validate(given | fields)


def hostile() -> RunComparison:
    """A comparison in which every text of strangers tries something."""
    name = HOSTILE.replace("\x1b", "")
    bad = Sentence(en=HOSTILE, de=HOSTILE)
    case = compared_case(
        name,
        claims=(compared_claim(HOSTILE),),
        only_new=(LoneClaim(claim_id=name, text=HOSTILE, resembles=name),),
    )
    aspects = tuple(
        each.model_copy(update={"likeness": Likeness.CHANGED, "detail": bad})
        if each.aspect is Aspect.PASSAGES
        else each
        for each in case.aspects
    )
    return comparison(
        case.model_copy(update={"aspects": aspects}),
        new=compared_run(name),
        only_old=(name,),
        configuration=(known_dimension(name, HOSTILE, None),),
    )
