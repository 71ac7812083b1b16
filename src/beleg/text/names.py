"""Names of people, places, companies and products in German and English text, by how they are written."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from beleg.text.normalise import is_english, is_german
from beleg.text.sentences import sentence_spans
from beleg.text.units import unit_named


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Capitalised in English without being a name that evidence would have to carry in the same words.
_NO_NAMES = _listed(
    """
    i monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december mr mrs ms miss dr prof professor sir madam president king queen prince princess
    passage source document section note yes no ok the a an in on at of and or but if it this that these those he she
    they we you there here when where while what who how why as for from to by with after before during although however
    overall additionally finally therefore thus english german step january's
    """
)
# German words in capitals or in rows of capitals that are no names.
_NO_NAMES_GERMAN = _listed(
    """
    montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag januar jänner februar märz april mai juni juli
    august september oktober november dezember herr herrn frau dr prof professor euro cent prozent ende anfang mitte
    uhr tag tage tagen woche wochen monat monate monaten jahr jahre jahren stunde stunden minuten sekunden meter
    kilometer kilo kilogramm gramm liter stück million millionen milliarde milliarden mio mrd nr art abs abschnitt
    absatz kapitel seite quelle dokument passage sie ihr ihnen ihre ihren ihrem ihrer du dein
    """
)
# In capitals without being the name of anything that evidence would have to carry.
_NO_ACRONYMS = _listed("ok faq agb pdf am pm id nr no not and or the usa us uk eu u.s u.s.a u.k")
_NAME_TITLES = _listed("herr herrn frau dr prof professor firma familie")
_WORD = re.compile(r"[^\W_]+(?:['’.&\-‐‑][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’](?:s|d|ll|ve|m|re)?$")
_BEFORE_NAME = _listed("dr mr mrs ms prof st herr hr fr")
_LINKS = _listed("of the de da di du del van von der den la le al bin ibn & zu")
_MAX_LINKS = 2
_OPENINGS = "\"'„“”‚‘’»«([:*\n"
MIN_LENGTH = 2
MAX_KEPT = 60
"""Longer words are no words of a language, and not worth remembering."""
# A text of which at most the first letter is a capital, in a word without digits, holds no name.
_WITHOUT_NAMES = re.compile(r"[A-Z]?[a-z]*[^A-Za-z0-9'.&\-][^A-Z]*")
_JOINTS_OF_WORDS = re.compile(r"['’.&\-‐‑]")
_OPENING = re.compile(f"[{re.escape(_OPENINGS)}]|- ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A name in a text: one word, or several in a row."""

    words: tuple[str, ...]
    """Its words without possessive endings and without the small words that link them."""
    text: str
    start: int
    end: int


class _Token(NamedTuple):
    text: str
    start: int
    end: int
    is_first: bool


def names_of(text: str, language: str | None = None) -> tuple[Name, ...]:
    """The names in a text, as far as their spelling tells.

    English: words with a capital that do not begin a sentence, unless the same word also stands capitalised inside
    one; words in capitals; words with a capital or a digit inside (iPhone, B12). A sentence of which most words are
    capitalised tells nothing and gives none. German: capitals tell nothing of a single word, so only words in capitals,
    with a capital or a digit inside, words behind a title (Herr, Dr.), and two capitalised words in a row count; a
    single German name such as "Berlin" is not seen. Where the language is not known, only what both would take.

    Example:
        >>> [name.text for name in names_of("The sister of Anne Frank used an iPhone. Margot wrote.", "en")]
        ['Anne Frank', 'iPhone']
        >>> [name.text for name in names_of("Der Versand mit DHL dauert laut Angela Merkel drei Tage.", "de")]
        ['DHL', 'Angela Merkel']
    """
    if text.isascii() and _WITHOUT_NAMES.fullmatch(text):
        return ()
    sentences = [_tokens(text, start, end) for start, end in sentence_spans(text)]
    if is_english(language):
        inside = Counter(
            token.text for tokens in sentences if not _is_heading(tokens) for token in tokens if not token.is_first
        )
        found = [name for tokens in sentences for name in _english(text, tokens, inside)]
    else:
        found = [name for tokens in sentences for name in _german(text, tokens, known=is_german(language))]
    return tuple(found)


def _tokens(text: str, start: int, end: int) -> list[_Token]:
    found: list[_Token] = []
    begins = True
    last = start
    for match in _WORD.finditer(text, start, end):
        gap = text[last : match.start()]
        # Most words stand behind a single space, which parts no sentence.
        begins = begins or (gap != " " and _parts_sentence(gap, found))
        word = match.group()
        bare = word if word.isalpha() else _POSSESSIVE.sub("", word)
        found.append(_Token(bare, match.start(), match.start() + len(bare), begins))
        begins = begins and word.isdigit()
        last = match.end()
    return found


def _parts_sentence(gap: str, before: list[_Token]) -> bool:
    """Whether what stands between two words lets the second one begin something new."""
    if _OPENING.search(gap):
        return True
    return ". " in gap and (not before or before[-1].text.lower() not in _BEFORE_NAME)


def _is_marked(word: str) -> bool:
    """Whether the spelling of a word alone says that it is a name: capitals throughout or inside, digits inside."""
    if word.islower():
        return False
    return _kept_is_marked(word) if len(word) <= MAX_KEPT else _reads_as_marked(word)


def _reads_as_marked(word: str) -> bool:
    letters = [character for character in word if character.isalpha()]
    if len(word) < MIN_LENGTH or not letters or word.lower() in _NO_ACRONYMS or unit_named(word) is not None:
        return False
    if any(character.isdigit() for character in word):
        return word[0].isalpha() and any(letter.isupper() for letter in letters)
    parts = _JOINTS_OF_WORDS.split(word)
    return (len(letters) >= MIN_LENGTH and word.isupper()) or any(
        not part.isupper() and any(character.isupper() for character in part[1:]) for part in parts
    )


_kept_is_marked = lru_cache(maxsize=16_384)(_reads_as_marked)


def _is_heading(tokens: list[_Token]) -> bool:
    long_words = [
        token.text for token in tokens if len(token.text) > 3 and token.text[0].isalpha() and not token.is_first
    ]
    capitals = sum(word[0].isupper() for word in long_words)
    return len(long_words) >= 4 and capitals > 0.7 * len(long_words)


def _english(text: str, tokens: list[_Token], inside: Counter[str]) -> list[Name]:
    if _is_heading(tokens):
        return []

    def counts(token: _Token) -> bool:
        word = token.text
        if word.islower():
            return False
        if _is_marked(word):
            return True
        if word.lower() in _NO_NAMES or word.lower() in _NO_ACRONYMS or len(word) < MIN_LENGTH or unit_named(word):
            return False
        return word[0].isupper() and (not token.is_first or inside[word] > 0)

    return _runs(text, tokens, [counts(token) for token in tokens])


def _german(text: str, tokens: list[_Token], *, known: bool) -> list[Name]:
    if tokens and all(token.text.isupper() for token in tokens if token.text[0].isalpha()):
        return []
    plain = [_may_be_german_name(token.text) for token in tokens]
    taken = [_is_marked(token.text) for token in tokens]
    for at in range(1, len(tokens)):
        before = tokens[at - 1]
        touching = text[before.end : tokens[at].start] in (" ", "\u00a0", ". ")
        if plain[at] and touching and before.text.lower() in _NAME_TITLES:
            taken[at] = True
        if known and touching and plain[at] and plain[at - 1] and not before.is_first:
            taken[at] = taken[at - 1] = True
    return _runs(text, tokens, taken)


def _may_be_german_name(word: str) -> bool:
    bare = word.lower()
    return word[0].isupper() and len(word) >= MIN_LENGTH and bare not in _NO_NAMES_GERMAN and bare not in _NO_NAMES


def _runs(text: str, tokens: list[_Token], taken: list[bool]) -> list[Name]:
    """Names of several words: words that count, side by side or linked by small words such as "of"."""
    found: list[Name] = []
    run: list[_Token] = []
    links = 0
    for token, counts in zip(tokens, taken, strict=True):
        if counts and run and not _is_joined(text, run[-1].end, token.start):
            found.append(_name(text, run))
            run, links = [token], 0
        elif counts:
            run, links = [*run, token], 0
        elif run and token.text.lower() in _LINKS and links < _MAX_LINKS:
            links += 1
        elif run:
            found.append(_name(text, run))
            run, links = [], 0
    return [*found, _name(text, run)] if run else found


def _is_joined(text: str, end: int, start: int) -> bool:
    between = text[end:start]
    return len(between) < 16 and not any(mark in between for mark in ",;:()[]/\"'’\n")


def _name(text: str, run: list[_Token]) -> Name:
    start, end = run[0].start, run[-1].end
    return Name(words=tuple(token.text for token in run), text=text[start:end], start=start, end=end)
