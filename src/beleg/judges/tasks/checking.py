"""What every task checks of a reply: one verdict for each thing asked, and quotes that really stand where they say."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from beleg.core.judging import JudgeFault
from beleg.judges.task import Flaw, Part
from beleg.text.quotes import QuoteFinder
from beleg.text.tokens import has_word

Labelled = tuple[tuple[str, str], ...]
"""Texts with the ids by which a reply names them."""


def numbered(texts: Iterable[str]) -> Labelled:
    """Texts with the ids ``1``, ``2``, …: ids of strangers never reach a judge.

    Example:
        >>> numbered(["a", "b"])
        (('1', 'a'), ('2', 'b'))
    """
    return tuple((str(number), text) for number, text in enumerate(texts, start=1))


def parts_of(name: str, items: Labelled) -> tuple[Part, ...]:
    """One part for each labelled text."""
    return tuple(Part(name, text, label) for label, text in items)


def parts_given(**texts: str | None) -> tuple[Part, ...]:
    """One part for each text that is there, under its name."""
    return tuple(Part(name, text) for name, text in texts.items() if text is not None)


def require_ids(*listed: Labelled) -> None:
    """Refuses a question whose ids are not distinct: its verdicts could not be told apart.

    Raises:
        ValueError: for an id that stands twice.
    """
    labels = [label for label, _ in chain.from_iterable(listed)]
    if len(set(labels)) != len(labels):
        repeated = next(label for label, count in Counter(labels).items() if count > 1)
        raise ValueError(f"the id {repeated!r} stands for several texts of one question")


def pair_name(first: str, second: str) -> str:
    """One name for a pair of ids, different for different pairs.

    Example:
        >>> pair_name("1", "2")
        '["1", "2"]'
    """
    return json.dumps([first, second], ensure_ascii=False)


def partition_flaw(asked: Sequence[str], answered: Sequence[str]) -> Flaw | None:
    """What keeps verdicts from being one per thing asked, complete and disjoint; ``None`` where nothing does.

    Example:
        >>> partition_flaw(["1", "2"], ["2", "1"]) is None
        True
        >>> partition_flaw(["1", "2"], ["1"]).fault.value
        'missing_verdicts'
    """
    if len(answered) == len(asked) and set(answered) == set(asked) and len(set(asked)) == len(asked):
        # Nearly every reply; what is wrong with the others is worth counting.
        return None
    counts = Counter(answered)
    if extra := sorted(set(counts) - set(asked)):
        return Flaw(JudgeFault.EXTRA_VERDICTS, f"verdicts on {', '.join(extra)[:200]}, which nobody asked for")
    if repeated := sorted(name for name, count in counts.items() if count > 1):
        return Flaw(JudgeFault.REPEATED_VERDICTS, f"several verdicts on {', '.join(repeated)[:200]}")
    if missing := sorted(set(asked) - set(counts)):
        return Flaw(JudgeFault.MISSING_VERDICTS, f"no verdict on {', '.join(missing)[:200]}")
    return None


def list_flaw(texts: Sequence[str], *, what: str, most: int) -> Flaw | None:
    """What is wrong with a list of texts that a judge wrote: one without a word, or too many of them.

    Args:
        texts: the texts.
        what: what one of them is called.
        most: the most that can be meant.

    Example:
        >>> list_flaw(["a", " - "], what="claim", most=9).message
        'claim 2 has no words'
    """
    if len(texts) > most:
        return Flaw(JudgeFault.SCHEMA, f"{len(texts)} times {what}, more than {most}")
    empty = next((place for place, text in enumerate(texts, start=1) if not has_word(text)), None)
    return None if empty is None else Flaw(JudgeFault.EMPTY_CLAIM, f"{what} {empty} has no words")


class QuoteCheck:
    """Checks quotes against the texts that a judge was shown: exactly, then after folding typography, never nearly."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._finder = QuoteFinder()

    def flaw(self, subject: str, text_id: str | None, quote: str | None, *, is_needed: bool) -> Flaw | None:
        """What is wrong with a quote; ``None`` where it stands, and where there is none and none is needed.

        A quote that carries no verdict is held to the same rule: a judge that invents words is not believed.

        Args:
            subject: what the verdict is on, for the message.
            text_id: the text that the judge names.
            quote: the words.
            is_needed: whether the verdict rests on a quote.

        Example:
            >>> check = QuoteCheck({"1": "Versand: 4,90 €"})
            >>> check.flaw("claim 1", "1", "4,90 €", is_needed=True) is None
            True
            >>> check.flaw("claim 1", "1", "4,80 €", is_needed=True).fault.value
            'quote_absent'
        """
        if quote is None or not quote.strip():
            return _absent(f"{subject}: no words are quoted") if is_needed else None
        if text_id is None or text_id not in self._texts:
            return _absent(f"{subject}: the quote names no text that was shown")
        if not has_word(quote):
            return _absent(f"{subject}: the quote holds no word")
        if not self._finder.contains(self._texts[text_id], quote):
            return _absent(f"{subject}: the quote is not in the text named")
        return None


def first_flaw(flaws: Iterable[Flaw | None]) -> Flaw | None:
    """The first flaw that there is."""
    return next((flaw for flaw in flaws if flaw is not None), None)


def _absent(message: str) -> Flaw:
    return Flaw(JudgeFault.QUOTE_ABSENT, message)
