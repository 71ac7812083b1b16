"""One case of a run for a person: question, evidence, stages, answer, scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from beleg.app.running import similar_cases
from beleg.app.scoring import ScoredRun, score_run
from beleg.core.case import Case
from beleg.core.errors import UsageError
from beleg.core.score import Score
from beleg.core.trace import RANKED_STAGES, Passage, Trace
from beleg.gating.explain import stage_name
from beleg.metrics.retrieval.waterfall import CaseWaterfall, waterfalls
from beleg.report.naming import metric_label
from beleg.report.safe import one_line
from beleg.report.words import reason_word
from beleg.text.figures import quantity

Word = Callable[[str], str]

MAX_PASSAGES = 10
EXCERPT_CHARS = 160

_WORDS = {
    "question": ("Question", "Frage"),
    "expected": ("Expected", "Erwartet"),
    "evidence": ("Required evidence", "Pflicht-Evidenz"),
    "optional": ("optional", "optional"),
    "lost": ("Lost at", "Verloren bei"),
    "answer": ("Answer", "Antwort"),
    "none": ("none", "keine"),
    "error": ("Error", "Fehler"),
    "scores": ("Scores", "Werte"),
    "filters": ("Filters", "Filter"),
    "repeat": ("repeat", "Wiederholung"),
    "no_trace": ("no trace was recorded", "es wurde keine Trace aufgezeichnet"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseView:
    """A case in one run."""

    run_id: str
    case: Case
    traces: tuple[Trace, ...]
    scores: dict[str, Score]
    waterfalls: tuple[CaseWaterfall, ...]


def find_case(run: Path, case_id: str) -> CaseView:
    """A case of a run with everything known about it.

    Raises:
        UsageError: if the run was not asked this case, naming similar ones.
    """
    scored = score_run(run)
    by_id = {case.case_id: case for case in scored.evaluation.cases}
    if case_id not in by_id:
        raise UsageError(f"the run {run} has no case {case_id!r}", hint=similar_cases(case_id, by_id))
    return CaseView(
        run_id=scored.evaluation.header.run_id,
        case=by_id[case_id],
        traces=tuple(scored.traces[case_id]),
        scores=_scores(scored, case_id),
        waterfalls=tuple(item for item in waterfalls(scored.batch) if item is not None and item.case_id == case_id),
    )


def _scores(scored: ScoredRun, case_id: str) -> dict[str, Score]:
    evaluation = scored.evaluation
    place = next(i for i, case in enumerate(evaluation.cases) if case.case_id == case_id)
    return {name: evaluation.by_case(name).score_at(place) for name in evaluation.scores}


def case_json(views: Sequence[CaseView]) -> list[dict[str, Any]]:
    """The same figures as JSON data."""
    return [
        {
            "run_id": view.run_id,
            "case": view.case.to_json_dict(),
            "traces": [trace.to_json_dict() for trace in view.traces],
            "scores": {name: score.to_json_dict() for name, score in view.scores.items()},
            "waterfall": [item.to_json_dict() for item in view.waterfalls],
        }
        for view in views
    ]


def case_on_terminal(views: Sequence[CaseView], language: str) -> RenderableType:
    """The case as a rich renderable. Text of strangers is shown on one line, with control characters made visible."""

    def word(key: str) -> str:
        return _WORDS[key][language == "de"]

    case = views[0].case
    parts: list[RenderableType] = [
        Text(one_line(f"{case.case_id}: {case.question}"), style="bold"),
        Text(f"{word('expected')}: {case.expected_behaviour.value}. {one_line(case.reference_answer or '')}".rstrip()),
    ]
    for expected in case.expected_passages:
        quote = f" “{expected.quote}”" if expected.quote else ""
        note = "" if expected.required else f" ({word('optional')})"
        parts.append(Text("  " + one_line(f"{expected.passage_id or expected.document_id}{note}{quote}")))
    for view in views:
        parts += [Text(), Text(one_line(view.run_id), style="bold underline")]
        parts += list(_run_parts(view, language, word))
    return Group(*parts)


def _run_parts(view: CaseView, language: str, word: Word) -> Iterator[RenderableType]:
    if not view.traces:
        yield Text(word("no_trace"))
    for trace in view.traces:
        if len(view.traces) > 1:
            yield Text(f"{word('repeat')} {trace.repeat}")
        yield from _trace_parts(trace, language, word)
    for item in view.waterfalls:
        lost = stage_name(item.lost_at.value, language) if item.lost_at else word("none")
        yield Text(f"{word('lost')}: {lost}")
    yield Text(f"{word('scores')}:")
    for name, score in view.scores.items():
        label = metric_label(name)
        shown = (
            quantity(score.value, language, unit=label.unit)
            if score.value is not None
            else reason_word(score.status).in_language(language)
        )
        yield Text(f"  {label.title.in_language(language)}: {shown}")


def _trace_parts(trace: Trace, language: str, word: Word) -> Iterator[RenderableType]:
    if trace.error is not None:
        yield Text(one_line(f"{word('error')}: {trace.error.kind}: {trace.error.message}"))
    if trace.output is None:
        return
    for predicate in trace.output.filters or ():
        hard = "" if predicate.hard else " (soft)"
        values = ", ".join(str(value) for value in predicate.values)
        applied = one_line(f"{predicate.field} = {values}")
        yield Text(f"  {word('filters')}: {predicate.kind.value}{hard}: {applied}")
    for stage in RANKED_STAGES:
        passages = trace.output.passages_at(stage)
        if passages is not None:
            yield _passages(stage_name(stage.value, language), passages)
    yield Text(f"{word('answer')}: {one_line(trace.output.answer) if trace.output.answer else word('none')}")


def _passages(title: str, passages: Sequence[Passage]) -> RenderableType:
    table = Table(title=f"{title} ({len(passages)})", title_justify="left", box=None, pad_edge=False)
    for head in ("#", "passage", "score", ""):
        table.add_column(head, no_wrap=head != "")
    for rank, passage in enumerate(passages[:MAX_PASSAGES], start=1):
        score = "" if passage.score is None else f"{passage.score:.4f}"
        excerpt = one_line(passage.text or "", limit=EXCERPT_CHARS)
        table.add_row(str(rank), Text(one_line(passage.passage_id)), score, Text(excerpt))
    return table
