"""The evidence waterfall as rows: how far the required evidence came, and where it was lost."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

from beleg.core.decision import Decision, RunReference, Sentence, StageCount
from beleg.report.figures import both
from beleg.report.words import phrase, stage_word
from beleg.text.numbers import number

BAR_WIDTH = 400
CASES_NAMED = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class WaterfallRow:
    """One stage."""

    stage: str
    title: Sentence
    present: int
    lost: int
    unknown: int
    bar: float
    """Width of the candidate's bar, of `BAR_WIDTH`."""
    hatched: float
    """Width of the part that was not recorded."""
    gone: float
    """Width of what was lost at this stage."""
    baseline_bar: float | None
    baseline_present: int | None
    baseline_lost: int | None
    baseline_recorded: bool
    recorded: bool
    href: str
    lost_cases: tuple[str, ...]
    """The first cases lost here."""
    lost_more: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Waterfall:
    """All stages of the candidate, with the baseline beside them."""

    finding: Sentence
    cases: int
    rows: tuple[WaterfallRow, ...]
    has_baseline: bool


def waterfall(decision: Decision) -> Waterfall | None:
    """The waterfall of a decision, or nothing where no case has evidence that can be followed."""
    return run_waterfall(decision.candidate, decision.baseline)


def run_waterfall(run: RunReference, beside: RunReference | None = None) -> Waterfall | None:
    """The waterfall of one run, or nothing where no case has evidence that can be followed.

    Args:
        run: the run.
        beside: another one that is drawn behind it.
    """
    if not run.waterfall or run.waterfall_cases == 0:
        return None
    behind = beside if beside is not None and beside.waterfall_cases else None
    before = {count.stage: count for count in behind.waterfall} if behind else {}
    rows = tuple(_row(count, run, before.get(count.stage), behind) for count in run.waterfall)
    return Waterfall(finding=_finding(run), cases=run.waterfall_cases, rows=rows, has_baseline=behind is not None)


def _row(count: StageCount, run: RunReference, before: StageCount | None, behind: RunReference | None) -> WaterfallRow:
    scale = BAR_WIDTH / run.waterfall_cases
    recorded = count.unknown < run.waterfall_cases
    baseline_bar = None
    if before is not None and behind is not None and before.unknown < behind.waterfall_cases:
        baseline_bar = round(before.present * BAR_WIDTH / behind.waterfall_cases, 2)
    return WaterfallRow(
        stage=count.stage,
        title=stage_word(count.stage),
        present=count.present,
        lost=count.lost,
        unknown=count.unknown,
        bar=round(count.present * scale, 2),
        hatched=round(count.unknown * scale, 2),
        gone=round(count.lost * scale, 2),
        baseline_bar=baseline_bar,
        baseline_present=before.present if before is not None else None,
        baseline_lost=before.lost if before is not None else None,
        baseline_recorded=baseline_bar is not None,
        recorded=recorded,
        href=f"#lost={quote(count.stage, safe='')}",
        lost_cases=count.lost_cases[:CASES_NAMED],
        lost_more=max(count.lost - CASES_NAMED, 0),
    )


def _finding(run: RunReference) -> Sentence:
    total = run.waterfall_cases
    n = both(lambda lang: number(total, lang, decimals=0))
    worst = max(run.waterfall, key=lambda count: count.lost)
    if worst.lost == 0:
        return phrase("waterfall.none_lost", n=n)
    lost = both(lambda lang: number(worst.lost, lang, decimals=0))
    return phrase("waterfall.finding", stage=stage_word(worst.stage), lost=lost, n=n)
