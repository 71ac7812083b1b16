"""Whether the expected words stand in the delivered passages, almost word for word and without a judge (A2)."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from rapidfuzz import fuzz
from rapidfuzz.distance import LCSseq, Levenshtein

from beleg.core.case import ExpectedPassage
from beleg.core.errors import ConfigError, Problem
from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.metrics.batch import Batch, Row
from beleg.metrics.matching import pieces
from beleg.text.normalise import fold_typography
from beleg.text.sentences import sentences

LIKENESS_PERCENT = 90
"""How alike a sentence and a stretch of a passage must be. Measured on 1,500 abstracts: sentences with 5 % of their
characters changed stay above 90.3, sentences of other abstracts stay below 74.1 (99.9 % of them below 55.2)."""

LONGEST_CHARS = 300
"""A longer sentence counts in pieces: aligning a text of a stranger with it costs the square of its length."""

WHOLE_PERCENT = 50
"""The limit of Ragas' NonLLMContextRecall, of whole texts by Levenshtein distance."""

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_PART_OF_NUMBER = re.compile(r"[\d.,:]")

NO_QUOTE = "the expected evidence quotes no words"


def text_context_recall(
    references: Iterable[str], passages: Sequence[str], *, percent: float = LIKENESS_PERCENT
) -> Score:
    """Share of the sentences of the expected texts that stand in a delivered passage, almost word for word.

    A sentence stands in a passage where its folded form is a part of the folded passage, or where the best stretch of
    the passage is alike to at least ``percent`` (normalised insertions and deletions) and holds every number of the
    sentence. Each reference counts with the share of its sentences that stand; one of more than 300 characters counts
    in pieces. Ragas' NonLLMContextRecall compares the whole passage with the whole reference, and gives 0 for a
    sentence that stands word for word in a longer passage.
    Range: 0 to 1, higher is better; 0 where nothing was delivered. Undefined (``not_applicable``) without a reference.

    Args:
        references: the texts that should have been delivered, in any script.
        passages: the texts that were delivered.
        percent: how alike they must be, from 0 to 100.

    Example:
        >>> text_context_recall(["Returns are free."], ["About us. Returns are free. Call us at any time."]).value
        1.0
        >>> text_context_recall(["Returns within 30 days."], ["Returns within 14 days."]).value
        0.0
    """
    folded = [_folded(passage) for passage in passages]
    shares = [_share(reference, folded, percent) for reference in references]
    return _mean([share for share in shares if share is not None])


def whole_text_recall(references: Iterable[str], passages: Sequence[str], *, percent: float = WHOLE_PERCENT) -> Score:
    """Share of the references that some passage equals but for a part of its characters.

    Formula: references for which max over passages of 1 − Levenshtein distance / longer length exceeds ``percent``, as
    Ragas' NonLLMContextRecall. It is 0 for words inside a longer passage; use it only to reproduce figures of Ragas.
    Range: 0 to 1, higher is better; 0 where nothing was delivered. Undefined (``not_applicable``) without a reference.

    Args:
        references: the texts that should have been delivered.
        passages: the texts that were delivered.
        percent: how alike they must be, from 0 to 100.

    Example:
        >>> whole_text_recall(["Returns are free."], ["About us. Returns are free. Call us at any time."]).value
        0.0
    """
    return _mean([_is_like_whole(reference, passages, percent) for reference in references])


def text_context_recall_column(batch: Batch, *, match: str = "part", percent: int | None = None) -> ScoreColumn:
    """`text_context_recall` of every row over the quotes of its required evidence, or `whole_text_recall` of them.

    Of the evidence of one ``any_of`` label the best counts. Undefined: where the case quotes no words; missing where
    the text of a delivered passage was not recorded.

    Args:
        batch: the run.
        match: ``part`` looks for sentences inside of passages, ``whole`` compares whole texts as Ragas does.
        percent: how alike the texts must be; 90 for ``part`` and 50 for ``whole`` where it is left out.

    Raises:
        ConfigError: for a likeness above 100 per cent.
    """
    limit = percent if percent is not None else WHOLE_PERCENT if match == "whole" else LIKENESS_PERCENT
    if limit > 100:
        raise ConfigError(
            Problem(message="percent is at most 100", field="percent", value=str(limit), remedy="Write percent=90")
        )
    known: dict[str, str] = {}

    def folded(text: str) -> str:
        if text not in known:
            known[text] = _folded(text)
        return known[text]

    def of_row(row: Row) -> Score:
        quoted = [piece for piece in pieces(row.case) if any(expected.quote for expected in piece)]
        if not quoted:
            return Score.without(ScoreStatus.NOT_APPLICABLE, NO_QUOTE)
        texts = [batch.matcher.text_of(passage) for passage in row.output.final_passages()]
        held = [text for text in texts if text is not None]
        if len(held) < len(texts):
            return Score.without(ScoreStatus.MISSING, "the text of a delivered passage was not recorded")
        if match == "whole":
            return _mean([_best(piece, lambda quote: _is_like_whole(quote, held, limit)) for piece in quoted])
        passages = [folded(text) for text in held]
        return _mean([_best(piece, lambda quote: _share(quote, passages, limit) or 0.0) for piece in quoted])

    return batch.column(of_row)


def _best(piece: Sequence[ExpectedPassage], value: Callable[[str], float]) -> float:
    return max(value(expected.quote) for expected in piece if expected.quote)


def _mean(values: Sequence[float]) -> Score:
    if not values:
        return Score.without(ScoreStatus.NOT_APPLICABLE, "there is no reference text")
    return Score.of(sum(values) / len(values))


def _folded(text: str) -> str:
    return fold_typography(text).casefold()


def _share(reference: str, passages: Sequence[str], percent: float) -> float | None:
    """The share of the sentences of a reference that stand; ``None`` for one without words."""
    wanted = [piece for sentence in sentences(reference) for piece in _pieces(_folded(sentence))]
    if not wanted:
        return None
    return sum(_stands(sentence, passages, percent) for sentence in wanted) / len(wanted)


def _pieces(sentence: str) -> Iterator[str]:
    """A sentence in pieces of bounded length, cut at spaces where there are any; none of a blank one."""
    while len(sentence) > LONGEST_CHARS:
        space = sentence.rfind(" ", 1, LONGEST_CHARS)
        stop = space if space > 0 else LONGEST_CHARS
        yield sentence[:stop]
        sentence = sentence[stop:].lstrip()
    if sentence:
        yield sentence


def _stands(sentence: str, passages: Sequence[str], percent: float) -> bool:
    if any(sentence in passage and _holds_numbers(sentence, passage) for passage in passages):
        return True
    return any(stands_almost(sentence, passage, percent) for passage in passages)


def stands_almost(sentence: str, passage: str, percent: float) -> bool:
    """Whether some stretch of a passage, no longer than the sentence, is alike to it and holds its numbers.

    Args:
        sentence: what is looked for, folded.
        passage: where it is looked for, folded.
        percent: how alike they must be, from 0 to 100.

    Example:
        >>> stands_almost("returns are free of charge.", "call us. retums are free of charge. bye", 90)
        True
    """
    size = len(sentence)
    if len(passage) < size:
        # The shorter text would be looked for in the longer one, and a passage of one word be found in any sentence.
        return fuzz.ratio(sentence, passage, score_cutoff=percent) >= percent and _holds_numbers(sentence, passage)
    # A stretch is no longer than the sentence, so that one of these windows holds it; and what is alike to p per cent
    # has at least p / (200 - p) of the sentence's characters in its order, which is quick to refute.
    least = math.floor(size * percent / (200 - percent))
    for start in range(0, max(len(passage) - size, 1), size):
        window = passage[start : start + 2 * size]
        if LCSseq.similarity(sentence, window, score_cutoff=least) < least:
            continue
        if not _holds_numbers(sentence, _with_whole_numbers(passage, start, start + len(window))):
            continue
        found = fuzz.partial_ratio_alignment(sentence, window, score_cutoff=percent)
        if found is not None and found.score >= percent:
            stretch = _with_whole_numbers(passage, start + found.dest_start, start + found.dest_end)
            if _holds_numbers(sentence, stretch):
                return True
    return False


def _with_whole_numbers(passage: str, start: int, end: int) -> str:
    """A stretch of a passage, with the rest of the numbers at its edges."""
    while start > 0 and _PART_OF_NUMBER.match(passage[start - 1]):
        start -= 1
    while end < len(passage) and _PART_OF_NUMBER.match(passage[end]):
        end += 1
    return passage[start:end]


def _holds_numbers(sentence: str, stretch: str) -> bool:
    return Counter(_NUMBER.findall(sentence)) <= Counter(_NUMBER.findall(stretch))


def _is_like_whole(reference: str, passages: Sequence[str], percent: float) -> float:
    return float(any(1 - Levenshtein.normalized_distance(passage, reference) > percent / 100 for passage in passages))
