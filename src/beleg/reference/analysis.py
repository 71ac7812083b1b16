"""Text as index terms: words without hyphens, lower case, stop words left out, stems."""

from __future__ import annotations

import re
from functools import cache, lru_cache

import Stemmer

from beleg.reference.language import Language
from beleg.reference.word_lists import listed
from beleg.text.normalise import nfc
from beleg.text.tokens import words

STEMMERS: dict[Language, str] = {"de": "german", "en": "english"}

STOPWORDS: dict[Language, frozenset[str]] = {
    "de": listed(
        """
        aber als am an auch auf aus bei beim bin bis bist da dann das dass dem den der des die dies diese diesem
        diesen dieser dieses doch durch ein eine einem einen einer eines er es für hat habe haben hast ich ihm ihn
        ihr ihre im in ist ja kann kannst man mein meine meinem meinen meiner mich mir mit nach noch nun nur ob oder
        sein seine sich sie sind so über um und uns unser unsere vom von vor war was wenn werden wie wir wird wo zu
        zum zur du dein deine deinem deinen deiner dich dir euch euer eure
        """
    ),
    "en": listed(
        """
        a am an and are as at be been but by can could did do does for from had has have he her his how i if in into
        is it its me my of on or our she so such that the their them then there these they this those to was we were
        what when where which who will with would you your
        """
    ),
}
"""Function words that say nothing about the topic; negations and numbers are kept."""

_INNER_MARK = re.compile(r"[-'’‐‑]")


def plain_words(text: str) -> list[str]:
    """Lower-case words; a hyphen or apostrophe parts two words, a number keeps its separators.

    Example:
        >>> plain_words("Der QR-Code kostet 1.000,50 €.")
        ['der', 'qr', 'code', 'kostet', '1.000,50']
    """
    return [part for word in words(nfc(text)) for part in _INNER_MARK.split(word.lower()) if part]


def count_tokens(text: str) -> int:
    """How many word tokens a text holds; passage sizes are counted in these."""
    return len(words(text))


class Analyser:
    """Turns text into index terms, by the language it is in.

    Example:
        >>> Analyser(stemming=True, stopwords=True).terms("Die Häuser der Kunden", "de")
        ['haus', 'kund']
    """

    def __init__(self, *, stemming: bool, stopwords: bool) -> None:
        self.stemming = stemming
        self.stopwords = stopwords

    def terms(self, text: str, language: Language) -> list[str]:
        """The index terms of a text, in order."""
        found = plain_words(text)
        if self.stopwords:
            found = [word for word in found if word not in STOPWORDS[language]]
        return [stem(word, language) for word in found] if self.stemming else found


@lru_cache(maxsize=200_000)
def stem(word: str, language: Language) -> str:
    """The Snowball stem of a lower-case word."""
    return str(_stemmer(language).stemWord(word))


@cache
def _stemmer(language: Language) -> Stemmer.Stemmer:
    # The lru_cache of `stem` is the cache; the stemmer's own is switched off.
    return Stemmer.Stemmer(STEMMERS[language], 0)
