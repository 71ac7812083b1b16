"""A comparison of runs case by case as lines for the command line, which does not see the reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from beleg.core.errors import UsageError
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
from beleg.report.safe import one_line
from beleg.report.words import word

MAX_CASES = 10
MAX_CLAIMS = 10
TEXT_CHARS = 160


def answer_of(comparison: RunComparison, language: str) -> str:
    """The first line: whether all is the same, and if not, in what it is not."""
    return one_line(comparison_headline(comparison).in_language(language))


def count_table(comparison: RunComparison, language: str) -> tuple[list[str], list[list[str]]]:
    """Head and rows: in how many cases each dimension is the same, changed, or not comparable."""
    head = [word("cases.aspect", language), *(likeness_word(each).in_language(language) for each in Likeness)]
    rows = [
        [row.aspect.in_language(language), *(str(row.counts[each]) for each in Likeness)]
        for row in aspect_counts(comparison)
    ]
    return head, rows


def case_lines(comparison: RunComparison, language: str, *, only: Sequence[str] = ()) -> Iterator[str]:
    """What is not the same, case by case; of many cases the first.

    Raises:
        UsageError: if a case that is asked for stands in neither run.
    """
    known = {case.case_id for case in comparison.cases}
    for name in only:
        if name not in known:
            raise UsageError(f"the runs share no case {name!r}", hint=f"They share {len(known)} cases")
    blocks = [block for block in case_blocks(comparison) if not only or block.case_id in only]
    most = len(blocks) if only else MAX_CASES
    shared = shared_lines(comparison)
    if shared:
        yield word("cases.everywhere", language)
        yield from (f"  {_line(line, language)}" for line in shared)
    for block in blocks[:most]:
        yield from _case(block, language)
    if len(blocks) > most:
        yield word("cases.more", language, n=len(blocks) - most)
    for sentence in (
        origin(comparison),
        None if only else same_cases(comparison),
        listed_cases("cases.cases_only_old", comparison.only_old),
        listed_cases("cases.cases_only_new", comparison.only_new),
        FOOTNOTE,
    ):
        if sentence is not None:
            yield one_line(sentence.in_language(language))


def first_to_look_at(comparison: RunComparison) -> str | None:
    """The first case that is not the same in something of its own, else the first that is not the same at all."""
    blocks = case_blocks(comparison)
    if blocks:
        return blocks[0].case_id
    return next((each.case_id for each in comparison.cases if not each.is_same), None)


def _case(block: CaseBlock, language: str) -> Iterator[str]:
    yield one_line(block.title)
    for line in block.lines:
        yield f"  {_line(line, language)}"
    for claim in block.claims[:MAX_CLAIMS]:
        yield f"  {one_line(claim.name)}: {one_line(claim.text, limit=TEXT_CHARS)}"
        for line in claim.lines:
            yield f"    {_line(line, language)}"
    if len(block.claims) > MAX_CLAIMS:
        yield f"  {word('cases.more', language, n=len(block.claims) - MAX_CLAIMS)}"


def _line(line: Line, language: str) -> str:
    state = line.state(language)
    return state if line.detail is None else f"{state}: {one_line(line.detail.in_language(language))}"
