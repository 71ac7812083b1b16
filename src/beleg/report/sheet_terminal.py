"""The claims of an evidence sheet for the command line, line by line (E2)."""

from __future__ import annotations

from collections.abc import Iterator

from beleg.core.sheet_export import ExportedCase
from beleg.report.safe import one_line, visible
from beleg.report.sheet_view import (
    CaseView,
    ClaimView,
    HumanView,
    ObservationView,
    Part,
    PassageView,
    VerdictView,
    case_view,
)
from beleg.report.sheet_words import counted, honest_failure_word
from beleg.report.words import word

INDENT = "  "
CONTEXT_CHARS = 60
"""So much of a passage is shown on both sides of a quote; the exports show all of it."""
MAX_CHARS = 400


def terminal_lines(exported: ExportedCase, *, language: str = "en") -> Iterator[str]:
    """One case: its question, its claims, and what is observed.

    Args:
        exported: the case with the claims that are shown.
        language: ``en`` or ``de``.
    """
    view = case_view(exported)
    case = view.case
    repeat = f" ({word('sheet.repeat', language)} {case.repeat})" if case.repeat else ""
    yield f"{one_line(case.case_id)}{repeat}: {one_line(case.question, limit=MAX_CHARS)}"
    if case.answer is None:
        yield INDENT + word("sheet.no_answer", language)
    if case.honest_failure is not None:
        yield INDENT + honest_failure_word(case.honest_failure).in_language(language)
    yield from _observations(view.observations, INDENT, language)
    for claim in view.claims:
        yield from _claim(claim, language)
    yield from _ends(view, language)


def _ends(view: CaseView, language: str) -> Iterator[str]:
    if view.left_out:
        yield INDENT + counted("left_out", view.left_out).in_language(language)
    for part in view.case.missing:
        yield f"{INDENT}{word('sheet.lacks', language)}: {one_line(part, limit=MAX_CHARS)}"


def _claim(claim: ClaimView, language: str) -> Iterator[str]:
    yield f"{INDENT}{one_line(claim.row.claim_id)}: {one_line(claim.wording, limit=MAX_CHARS)}"
    inner = INDENT * 2
    markers = ", ".join(map(one_line, claim.markers)) or word("sheet.no_citation", language)
    attribution = claim.attribution.word.in_language(language)
    yield (
        f"{inner}{word('sheet.attribution', language)}: {claim.attribution.shape} {attribution} "
        f"({word('sheet.citation', language)}: {markers})"
    )
    if claim.machine is None:
        yield f"{inner}{word('sheet.machine', language)}: {word('sheet.nobody_proposed', language)}"
    else:
        yield f"{inner}{word('sheet.machine', language)}: {_verdict(claim.machine, language)}"
    for human in claim.humans:
        yield f"{inner}{word('sheet.human', language)}: {_human(human, language)}"
    if claim.adjudication is not None:
        yield f"{inner}{word('sheet.adjudication', language)}: {_human(claim.adjudication, language)}"
    for who, why in claim.disputes:
        yield inner + one_line(word("sheet.disputed", language, who=who, why=why), limit=MAX_CHARS)
    for passage in claim.passages:
        yield f"{inner}{one_line(passage.name)}: {_excerpt(passage, language)}"
    yield from _observations(claim.observations, inner, language)
    for note in ([claim.row.open_note] if claim.row.open_note else []) + [text for _, text in claim.notes]:
        yield f"{inner}{word('sheet.open_note', language)}: {one_line(note, limit=MAX_CHARS)}"


def _verdict(verdict: VerdictView, language: str) -> str:
    by = one_line(verdict.decider.in_language(language))
    missing = "".join(f" {word('sheet.lacks', language)}: {one_line(part)}." for part in verdict.missing)
    reason = one_line(verdict.rationale, limit=MAX_CHARS)
    return f"{verdict.shape} {verdict.word.in_language(language)}, {by}. {reason}{missing}"


def _human(human: HumanView, language: str) -> str:
    verdicts = [_verdict(each, language) for each in (human.attribution, human.support) if each is not None]
    outdated = f" [{word('sheet.outdated', language)}]" if human.is_outdated else ""
    return f"{' / '.join(verdicts)}{outdated}"


def _observations(observations: tuple[ObservationView, ...], indent: str, language: str) -> Iterator[str]:
    for each in observations:
        yield f"{indent}{word('sheet.observation', language)}: {each.observation.in_language(language)}"
        yield f"{indent}{word('sheet.next_check', language)}: {each.next_check.in_language(language)}"


def _excerpt(view: PassageView, language: str) -> str:
    """The quoted words in square brackets, inside what stands before and after them."""
    if view.passage.text is None:
        return word("sheet.text_missing", language)
    last = len(view.parts) - 1
    shown = [_part(part, is_first=place == 0, is_last=place == last) for place, part in enumerate(view.parts)]
    return "".join(shown).strip()


def _part(part: Part, *, is_first: bool, is_last: bool) -> str:
    text = " ".join(f"|{visible(part.text)}|".split())[1:-1]
    if part.is_quoted:
        return f"[{text}]"
    if len(text) <= 2 * CONTEXT_CHARS:
        return text
    if is_first and is_last:
        return f"{text[: 2 * CONTEXT_CHARS]}…"
    return f"{'' if is_first else text[:CONTEXT_CHARS]}…{'' if is_last else text[-CONTEXT_CHARS:]}"
