"""Sentences as spans of code points: German and English with their abbreviations, other scripts by their stops."""

from __future__ import annotations

import re
from typing import NamedTuple


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Never end a sentence: something always follows them.
_OPEN_ABBREVIATIONS = _listed(
    """
    z.b d.h u.a i.d.r o.ä u.u i.s.d i.v.m m.e s.o s.u v.a a.a.o bzw ca vgl ggf evtl inkl exkl zzgl abzgl gem lt sog
    mind max min bspw beispielsw dr prof dipl ing hr fr frl st str tel bzgl insb insbes einschl ausschl entspr geb
    mr mrs ms messrs e.g i.e cf viz vs approx incl excl resp esp dept al mio mrd
    jan feb mrz apr jun jul aug sep sept okt oct nov dez dec
    """
)
# Abbreviations only before a number: "Art. 5", "No. 7", but "Produkte dieser Art." and "No." end a sentence.
_BEFORE_NUMBER = _listed(
    "no nos nr nrn art abs s p pp fig figs sec secs kap ziff rn rdnr vol ch para abb tab eq bd lit par anm"
)
# May end a sentence: the capital letter that follows decides.
_CLOSING_ABBREVIATIONS = _listed("usw etc inc ltd co corp jr sr a.m p.m mwst u.ä u.v.m")
_ORDINAL_BEFORE = _listed(
    "am vom bis zum zur der die das den dem des im ab seit jedes jeden jeder und oder dieser ersten beim"
)
_MONTHS = _listed(
    "januar jänner februar märz april mai juni juli august september oktober november dezember "
    "january february march may june july october december"
)

# Full stops that end a sentence wherever they stand, in East Asian, Arabic, Indic, Ethiopic, Armenian, Burmese and
# Khmer text: nothing is abbreviated with them, and no space need follow.
_FULL_STOPS = "\u3002\uff01\uff1f\uff61\u061f\u06d4\u0964\u0965\u1362\u1367\u0589\u104b\u17d4"
_CLOSE = r"[\"'”’“»«)\]」』）】〉》]*+"
_MARKS = r"(?:[ \t\u00a0]*\[[^\[\]\n]{1,80}\])*"
_STOP = re.compile(
    rf"(?<![.!?…])(?P<stop>[.!?…]++)(?P<close>{_CLOSE}){_MARKS}(?=\s|$)|(?P<full>[{_FULL_STOPS}]++){_CLOSE}{_MARKS}"
)
_BLOCK = re.compile(r"\n[^\S\n]*\n\s*|\n(?=[^\S\n]*(?:[-*•–#]|\d{1,3}[.)])[^\S\n])")
_LAST_WORD = re.compile(r"\b(?:[^\W\d_]\.[ \u00a0]?)+[^\W\d_]$|[^\W_]+$")
_INITIALS = re.compile(r"(?:\w\.)+\w")
_SPACE = re.compile(r"\s*")
_NEXT = re.compile(r"\s*[\"'„“”‚‘’»«(\[¿¡]*(\w+)?")

MAX_ORDINAL_DIGITS = 2
# How far back a full stop is judged; no abbreviation with its lead is longer, and hostile text stays cheap.
_LOOK_BACK = 80


class Span(NamedTuple):
    """A half-open range of code points: ``text[start:end]``."""

    start: int
    end: int


def sentence_spans(text: str) -> list[Span]:
    """The sentences of a text.

    A full stop ends a sentence unless it belongs to an abbreviation (z. B., Art. 5 Abs. 2, e.g., No. 7), a
    decimal number, an ordinal (1. März) or a list number, or a lower-case word follows. Blank lines and list items
    always end one. Citation markers right behind the stop belong to the sentence before them. The full stops of other
    scripts always end a sentence; a script without any, such as Thai, has one sentence a block.

    Args:
        text: any text.

    Returns:
        Spans in order, without surrounding whitespace; together they hold every visible character.

    Example:
        >>> text = "Das gilt z. B. ab dem 1. März. [2] Express kostet 4.50 euros."
        >>> [text[start:end] for start, end in sentence_spans(text)]
        ['Das gilt z. B. ab dem 1. März. [2]', 'Express kostet 4.50 euros.']
        >>> [text[start:end] for text in ["退货免费。运费五欧元。"] for start, end in sentence_spans(text)]
        ['退货免费。', '运费五欧元。']
    """
    spans: list[Span] = []
    start = 0
    for boundary in [*(match.start() for match in _BLOCK.finditer(text)), len(text)]:
        spans.extend(_spans_of_block(text, start, boundary))
        start = boundary
    return spans


def sentences(text: str) -> list[str]:
    """The sentences as strings; see `sentence_spans`.

    Example:
        >>> sentences("Ja. Das geht!")
        ['Ja.', 'Das geht!']
    """
    return [text[start:end] for start, end in sentence_spans(text)]


def _spans_of_block(text: str, start: int, end: int) -> list[Span]:
    found: list[Span] = []
    begin = _skip_space(text, start, end)
    end = begin + len(text[begin:end].rstrip())
    for match in _STOP.finditer(text, begin, end):
        if match.end() == end or _ends_sentence(text, begin, match, end):
            found.append(Span(begin, match.end()))
            begin = _skip_space(text, match.end(), end)
    if end > begin:
        found.append(Span(begin, end))
    return found


def _skip_space(text: str, start: int, end: int) -> int:
    space = _SPACE.match(text, start, end)
    return space.end() if space else start


def _ends_sentence(text: str, begin: int, match: re.Match[str], end: int) -> bool:
    if match["full"]:
        return True
    following = _NEXT.match(text, match.end(), end)
    word = (following.group(1) or "") if following else ""
    stop = match["stop"]
    if stop in {"…", "...", "."} and word[:1].islower():
        return False
    if stop != ".":
        return not (word[:1].islower() and match["close"])
    return not _belongs_to_word(text[max(begin, match.start() - _LOOK_BACK) : match.start()], word)


def _belongs_to_word(before: str, following: str) -> bool:
    """Whether a full stop behind ``before`` is part of an abbreviation, ordinal or list number."""
    found = _LAST_WORD.search(before)
    if found is None:
        return False
    word = _SPACE.sub("", found.group()).lower()
    lead = before[: found.start()].split()
    if word.isdigit():
        return len(word) <= MAX_ORDINAL_DIGITS and _is_ordinal(lead, following)
    if word in _BEFORE_NUMBER:
        return following[:1].isdigit()
    if word in _CLOSING_ABBREVIATIONS:
        return not following[:1].isupper()
    return word in _OPEN_ABBREVIATIONS or len(word) == 1 or _INITIALS.fullmatch(word) is not None


def _is_ordinal(lead: list[str], following: str) -> bool:
    return not lead or following.lower() in _MONTHS or lead[-1].lower() in _ORDINAL_BEFORE
