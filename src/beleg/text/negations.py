"""Words that deny or restrict what a sentence says, in German and English."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from beleg.text.word_runs import word_runs


class Polarity(StrEnum):
    """What such a word does."""

    NEGATION = "negation"
    """not, no, never, without; nicht, kein, nie, ohne"""
    EXCEPTION = "exception"
    """except, unless; außer, ausgenommen"""
    RESTRICTION = "restriction"
    """only; nur"""


_CUES: dict[Polarity, str] = {
    Polarity.NEGATION: (
        "not|no|never|none|nobody|nothing|nowhere|neither|nor|cannot|without|"
        "(?:is|are|was|were|do|does|did|has|have|had|ca|could|wo|would|should|must|need|ai)n['’]t|"
        "nicht|nie|niemals|niemand|niemandem|niemanden|nichts|nirgends|nirgendwo|weder|ohne|keinerlei|keinesfalls|"
        "keineswegs|kein(?:e|en|em|er|es)?"
    ),
    Polarity.EXCEPTION: (
        "except|excepting|excluding|unless|außer|ausser|ausgenommen|ausgeschlossen|mit ausnahme|bis auf|es sei denn|"
        "with the exception"
    ),
    Polarity.RESTRICTION: "only|solely|exclusively|nur|lediglich|ausschließlich|ausschliesslich",
}
_CUE = re.compile("|".join(rf"(?P<{kind.value}>\b(?:{words})\b)" for kind, words in _CUES.items()), re.IGNORECASE)
_CUE_RUNS = frozenset(
    re.findall(
        r"\w+",
        "not no never none nobody nothing nowhere neither nor cannot without t nicht nie niemals niemand niemandem "
        "niemanden nichts nirgends nirgendwo weder ohne keinerlei keinesfalls keineswegs kein keine keinen keinem "
        "keiner keines except excepting excluding unless außer ausser ausgenommen ausgeschlossen ausnahme bis sei "
        "exception only solely exclusively nur lediglich ausschließlich ausschliesslich",
    )
)
"""A run of each cue, in lower case; of several words, the rarest."""
# What looks like a negation and denies nothing: "No. 7", "not only … but", "whether or not", "No, that is …".
_NO_DENIAL = re.compile(
    r"\bno\.[ \u00a0]*\d|\bnot only\b|\bnicht nur\b|\bwhether or not\b|\bob oder nicht\b|\b(?:no|nein),|\bif not\b|"
    r"\bwenn nicht\b|\bnot (?:to mention|least)\b|\bnicht zuletzt\b|\bno doubt\b|\bohne weiteres\b|\bnichts als\b|"
    r"\bno (?:more|less|fewer|later) than\b|\bbis auf weiteres\b|\bif only\b|\bonly (?:to|then|after|when)\b|\berst\b",
    re.IGNORECASE,
)
_TURNED_WORD = re.compile(r"[ \u00a0]*(?:un|in|im|ir|il|dis|non-?)[a-zäöü]{4,}", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Negation:
    """A word that denies or restricts, with its place."""

    kind: Polarity
    text: str
    start: int
    end: int
    is_doubled: bool = False
    """Whether the word behind it may be a negation too, as in "not uncommon"."""


def may_deny(text: str) -> bool:
    """Whether a text holds a part of any word that `negations_of` looks for; cheap, and never false where one stands.

    Example:
        >>> may_deny("It is free."), may_deny("It isn't free."), may_deny("It's on the bis list")
        (False, True, True)
    """
    return not word_runs(text).isdisjoint(_CUE_RUNS)


def negations_of(text: str) -> tuple[Negation, ...]:
    """Every word of a text that denies or restricts, in order.

    Set phrases that deny nothing are left out, such as "not only" and "No. 7". A negation inside a word (unpaid,
    kostenlos) is not seen.

    Example:
        >>> [(found.text, found.kind.value) for found in negations_of("Nicht nur heute, nie ohne Helm; except No. 7")]
        [('nie', 'negation'), ('ohne', 'negation'), ('except', 'exception')]
    """
    if not may_deny(text):
        return ()
    harmless = [match.span() for match in _NO_DENIAL.finditer(text)]
    found: list[Negation] = []
    at = 0
    for match in _CUE.finditer(text):
        while at < len(harmless) and harmless[at][1] <= match.start():
            at += 1
        if at < len(harmless) and harmless[at][0] <= match.start():
            continue
        found.append(
            Negation(
                kind=Polarity(match.lastgroup or ""),
                text=match.group(),
                start=match.start(),
                end=match.end(),
                is_doubled=_TURNED_WORD.match(text, match.end()) is not None,
            )
        )
    return tuple(found)
