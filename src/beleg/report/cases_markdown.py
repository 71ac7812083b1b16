"""A comparison of runs case by case as Markdown, safe whatever the texts in it say."""

from __future__ import annotations

from collections.abc import Iterator

from beleg.core.decision import Sentence
from beleg.core.run_comparison import Likeness, RunComparison
from beleg.evidence.comparison_words import FOOTNOTE
from beleg.report.cases_compared import (
    CaseBlock,
    Line,
    aspect_counts,
    case_blocks,
    comparison_headline,
    likeness_word,
    listed_cases,
    origin,
    same_cases,
    shared_lines,
)
from beleg.report.safe import markdown_code, markdown_text
from beleg.report.words import word

MAX_CASES = 200
MAX_CLAIMS = 50
SENTENCE_CHARS = 800
TEXT_CHARS = 400
NAME_CHARS = 120


def cases_markdown(comparison: RunComparison, *, language: str = "en") -> str:
    """The comparison as Markdown: the answer, the counts, then what is not the same, case by case.

    Args:
        comparison: what was compared.
        language: ``en`` or ``de``.
    """
    parts = [
        f"## {_text(comparison_headline(comparison), language)}",
        "  \n".join(_runs(comparison, language)),
        "\n".join(_counts(comparison, language)),
        "\n".join(_everywhere(comparison, language)),
        *("\n".join(_case(block, language)) for block in case_blocks(comparison)[:MAX_CASES]),
        *_rest(comparison, language),
        _text(FOOTNOTE, language) + " " + word("cases.people", language),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _runs(comparison: RunComparison, language: str) -> Iterator[str]:
    for key, run in (("cases.new", comparison.new), ("cases.old", comparison.old)):
        yield f"{word(key, language)}: {markdown_code(run.run_id, limit=NAME_CHARS)}"
    yield _text(origin(comparison), language)


def _counts(comparison: RunComparison, language: str) -> Iterator[str]:
    names = [likeness_word(each).in_language(language) for each in Likeness]
    yield f"| {' | '.join((word('cases.aspect', language), *names))} |"
    yield "| --- |" + " ---: |" * len(names)
    for row in aspect_counts(comparison):
        counts = [str(row.counts[each]) for each in Likeness]
        yield f"| {' | '.join((row.aspect.in_language(language), *counts))} |"


def _everywhere(comparison: RunComparison, language: str) -> Iterator[str]:
    shared = shared_lines(comparison)
    if shared:
        yield f"### {word('cases.everywhere', language)}"
        yield ""
    for line in shared:
        yield f"- {_line(line, language)}"


def _case(block: CaseBlock, language: str) -> Iterator[str]:
    yield f"### {markdown_code(block.title, limit=NAME_CHARS)}"
    yield ""
    for line in block.lines:
        yield f"- {_line(line, language)}"
    for claim in block.claims[:MAX_CLAIMS]:
        yield f"- {markdown_code(claim.name, limit=NAME_CHARS)}: {markdown_text(claim.text, limit=TEXT_CHARS)}"
        for line in claim.lines:
            yield f"  - {_line(line, language)}"
    if len(block.claims) > MAX_CLAIMS:
        yield f"- {word('cases.more', language, n=len(block.claims) - MAX_CLAIMS)}"


def _line(line: Line, language: str) -> str:
    state = line.state(language)
    return state if line.detail is None else f"{state}: {_text(line.detail, language)}"


def _rest(comparison: RunComparison, language: str) -> Iterator[str]:
    more = len(case_blocks(comparison)) - MAX_CASES
    if more > 0:
        yield word("cases.more", language, n=more)
    for sentence in (
        same_cases(comparison),
        listed_cases("cases.cases_only_old", comparison.only_old),
        listed_cases("cases.cases_only_new", comparison.only_new),
    ):
        if sentence is not None:
            yield _text(sentence, language)


def _text(sentence: Sentence, language: str) -> str:
    return markdown_text(sentence.in_language(language), limit=SENTENCE_CHARS)
