"""What a judge's verdicts are held to beyond their shape: its claims are the answer's, and its support is in the words.

Nothing here changes a verdict. A claim that the answer does not make is a fault of the judge, for which it is asked
again; a supported claim that says something else than its evidence keeps its verdict and carries a flag.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from beleg.core.findings import Support
from beleg.core.judging import JudgeFault
from beleg.judges.task import Flaw
from beleg.text.facts import mismatches
from beleg.text.normalise import nfc
from beleg.text.tokens import each_word, words

STEM_LETTERS = 4
"""Two words that begin with the same letters may be forms of one word."""

MIN_CONTENT_WORDS = 2
"""A claim with fewer words that could be looked for is never called foreign."""

# Behind the scripts that put spaces between words: Latin, Greek, Cyrillic, Armenian.
_LAST_SPACED = "\u058f"


def foreign_claim_flaw(claims: Sequence[str], sources: Iterable[str]) -> Flaw | None:
    """A claim that the answer cannot make, for none of its content words occurs in the answer or the question.

    A content word is a number, or a word of four letters or more in a script with spaces between words. It occurs where
    its first four letters, case folded, stand anywhere in the sources, so that inflected, compounded and derived forms
    count as occurring. A claim is foreign only if it has two content words or more and not one occurs; sources without
    a content word of their own cannot be compared, and nothing is foreign to them. The rule finds a judge that invents
    claims on another subject, repeats those of an example, or translates. It does not find an invented claim that
    shares a word with the question, and it is meant to err on that side.

    Args:
        claims: what the judge says the answer claims.
        sources: the answer, the question, and whatever else the judge was shown.

    Returns:
        A flaw on the first foreign claim, or ``None``.

    Example:
        >>> sources = ("Wie lange?", "Die Rückgabe ist 14 Tage lang möglich.")
        >>> foreign_claim_flaw(["Rückgaben sind in 14 Tagen möglich."], sources) is None
        True
        >>> foreign_claim_flaw(["Paris is the capital of France."], sources).fault.value
        'foreign_claim'
    """
    known = "\n".join(_folded(source) for source in sources)
    for number, claim in enumerate(claims, start=1):
        if _shares_nothing(_folded(claim), known):
            if not _stems(known):
                return None
            return Flaw(JudgeFault.FOREIGN_CLAIM, f"claim {number} shares no word with the answer: {claim[:200]}")
    return None


def flags_of(claim: str, support: Support, quotes: Sequence[str], *, language: str | None) -> tuple[str, ...]:
    """What speaks against a verdict of full support: facts of the claim that its quoted evidence does not hold.

    Numbers, dates, units, negation and named entities are compared by `beleg.text.facts.mismatches`. A quote may be
    shorter than what a careful reader would quote, so a flag asks for a look and changes nothing.

    Args:
        claim: the claim.
        support: the verdict; only ``supported`` is held against the evidence.
        quotes: the words that carry the verdict.
        language: the language of the row.

    Returns:
        One sentence for each mismatch; empty where there is none, and for every other verdict.
    """
    if support is not Support.SUPPORTED or not quotes:
        return ()
    return mismatches(claim, "\n".join(quotes), language)


def _shares_nothing(claim: str, known: str) -> bool:
    """Whether a claim has enough content words and not one occurs; most claims are done with their first."""
    absent: set[str] = set()
    for word in each_word(claim):
        stem = _stem(word)
        if stem is None:
            continue
        if stem in known:
            return False
        absent.add(stem)
    return len(absent) >= MIN_CONTENT_WORDS


def _stems(folded: str) -> set[str]:
    return {stem for word in words(folded) if (stem := _stem(word)) is not None}


def _stem(word: str) -> str | None:
    if not word.isascii() and any(character > _LAST_SPACED for character in word):
        return None
    if word[0].isdigit():
        return word
    return word[:STEM_LETTERS] if len(word) >= STEM_LETTERS else None


def _folded(text: str) -> str:
    return nfc(text).casefold()
