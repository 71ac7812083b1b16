"""The evidence behind a score as text: the figure, then claim by claim, then what the judge said word for word."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from beleg.app.why import Why, WhyRow
from beleg.core.findings import Finding
from beleg.core.judging import Attempt, Call
from beleg.report.naming import metric_label
from beleg.report.safe import one_line, visible
from beleg.report.words import reason_word
from beleg.text.figures import quantity

EXCERPT_CHARS = 400

Word = Callable[[str], str]

_WORDS = {
    "question": ("Question", "Frage"),
    "answer": ("Answer", "Antwort"),
    "repeat": ("repeat", "Wiederholung"),
    "judge": ("Judge", "Judge"),
    "evidence": ("Evidence", "Befund"),
    "calls": ("What the judge was asked", "Was der Judge gefragt wurde"),
    "attempt": ("attempt", "Versuch"),
    "whole": ("whole reply", "ganze Antwort"),
    "reply": ("reply", "Antwort"),
    "in": ("in", "in"),
    "folded": ("after folding typography", "nach Angleichen der Typografie"),
    "because": ("because", "weil"),
    "flag": ("check", "prüfen"),
    "none": ("none", "keine"),
    "not_recorded": ("no calls are recorded", "es sind keine Aufrufe aufgezeichnet"),
}
_SHAPES = {"supported": "●", "partially_supported": "◐", "contradicted": "■", "not_in_context": "○"}
_SUPPORT = {
    "supported": ("supported", "gestützt"),
    "partially_supported": ("partially supported", "teilweise gestützt"),
    "contradicted": ("contradicted", "widersprochen"),
    "not_in_context": ("not in the context", "nicht im Kontext"),
}


def why_lines(why: Why, language: str, *, full: bool = False) -> Iterator[str]:
    """The lines for a person; with ``full`` replies and answers are shown whole.

    Args:
        why: what stands behind the score.
        language: ``en`` or ``de``.
        full: leaves nothing out.
    """
    german = language == "de"

    def word(key: str) -> str:
        return _WORDS[key][german]

    label = metric_label(str(why.metric))
    limit = None if full else EXCERPT_CHARS
    for row in why.rows:
        repeat = f", {word('repeat')} {row.repeat}" if len(why.rows) > 1 else ""
        told = _score_text(why, row, language)
        yield f"{label.title.in_language(language)} · {one_line(why.case_id)}{repeat}: {told}"
        yield why.metric.spec.description_de if german else why.metric.spec.description_en
        yield f"{word('question')}: {one_line(why.question, limit=limit)}"
        answer = why.answers[row.repeat] if row.repeat < len(why.answers) else None
        yield f"{word('answer')}: {one_line(answer, limit=limit) if answer else word('none')}"
        if row.finding is not None:
            yield from _finding_lines(row.finding, language, word)
            yield from _call_lines(row, word, limit)
        yield ""


def _score_text(why: Why, row: WhyRow, language: str) -> str:
    label = metric_label(str(why.metric))
    if row.score.value is not None:
        return quantity(row.score.value, language, unit=label.unit)
    reason = reason_word(row.score.status).in_language(language)
    return f"{reason}: {one_line(row.score.detail)}" if row.score.detail else reason


def _finding_lines(found: Finding, language: str, word: Word) -> Iterator[str]:
    if found.judge is not None:
        place = f" · {found.judge.base_url}" if found.judge.base_url else ""
        yield f"{word('judge')}: {found.judge.model}{place} · {found.judge.digest[:19]}"
    for task in found.tasks:
        yield f"  {task.task} {task.version} ({task.language}) · {task.prompt_digest[:19]}"
    yield f"{word('evidence')}:"
    for name, value in (found.evidence or {}).items():
        if name == "claims" and isinstance(value, (list, tuple)):
            for claim in value:
                yield from _claim_lines(claim, language, word)
        else:
            yield from _plain_lines(name, value)


def _claim_lines(claim: Mapping[str, object], language: str, word: Word) -> Iterator[str]:
    support = str(claim.get("support"))
    told = _SUPPORT.get(support, (support, support))[language == "de"]
    yield f"  {_SHAPES.get(support, '?')} {told}: {one_line(str(claim.get('claim')))}"
    quotes = claim.get("quotes")
    for quote in quotes if isinstance(quotes, (list, tuple)) else ():
        folded = f" ({word('folded')})" if quote.get("match") == "folded" else ""
        place = one_line(str(quote.get("passage_id")))
        yield f"      “{one_line(str(quote.get('text')))}” {word('in')} {place}{folded}"
    if claim.get("rationale"):
        yield f"      {word('because')}: {one_line(str(claim['rationale']))}"
    flags = claim.get("flags")
    for flag in flags if isinstance(flags, (list, tuple)) else ():
        yield f"      ▲ {word('flag')}: {one_line(str(flag))}"


def _plain_lines(name: str, value: object) -> Iterator[str]:
    if isinstance(value, (list, tuple)):
        yield f"  {one_line(name)}:"
        for item in value:
            fields = item.items() if isinstance(item, Mapping) else [("", item)]
            yield "    · " + "; ".join(f"{key}: {one_line(str(one))}".removeprefix(": ") for key, one in fields)
    else:
        yield f"  {one_line(name)}: {one_line(str(value))}"


def _call_lines(row: WhyRow, word: Word, limit: int | None) -> Iterator[str]:
    yield f"{word('calls')}:"
    if not row.calls:
        yield f"  {word('not_recorded')}"
    for call in row.calls:
        for attempt in call.attempts:
            yield from _attempt_lines(call, attempt, word, limit)


def _attempt_lines(call: Call, attempt: Attempt, word: Word, limit: int | None) -> Iterator[str]:
    ended = word("whole") if attempt.fault is None else f"▲ {attempt.fault.value}: {one_line(attempt.message or '')}"
    answered = f" · {one_line(attempt.model_answered)}" if attempt.model_answered else ""
    took = f" · {attempt.latency_ms:.0f} ms" if attempt.latency_ms is not None else ""
    yield f"  {call.task.task} · {word('attempt')} {attempt.number}{answered}{took} · {ended}"
    if attempt.reply is not None:
        text = visible(attempt.reply) if limit is None else one_line(attempt.reply, limit=limit)
        yield f"      {word('reply')}: {text}"
