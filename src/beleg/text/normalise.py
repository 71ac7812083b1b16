"""Normal forms of text: for comparing words, and for comparing short answers as SQuAD does."""

from __future__ import annotations

import re
import string
import unicodedata

NORMALISATION = "beleg-text/1"
"""Names the normal forms of this package; raised whenever one of them changes what a metric says."""

_ENGLISH_ARTICLES = re.compile(r"\b(a|an|the)\b")
_GERMAN_ARTICLES = re.compile(r"\b(der|die|das|den|dem|des|ein|eine|einen|einem|einer|eines)\b")
_DROP_ENGLISH = str.maketrans("", "", string.punctuation)
_GERMAN_THOUSANDS = re.compile(r"(?<=\d)\.(?=\d{3}(?!\d))")
# What separates digits is part of the number: 4,90 is not 490.
_GERMAN_SEPARATOR = re.compile(r"(?<!\d)[.,:/-]|[.,:/-](?!\d)")
_DROP_GERMAN = str.maketrans("", "", "".join(set(string.punctuation) - set(".,:/-")) + "…")

# Below the combining marks every character is composed already.
_MAY_COMPOSE = re.compile(r"[^\x00-\u02ff]")
# A run that may hold more combining marks than any orthography needs; marks are no word characters.
_LONG_MARKS = re.compile(r"[^\x00-\u02ff\w\s]{31,}")
_MOST_MARKS = 30
_GRAPHEME_JOINER = "\u034f"

_TYPOGRAPHY = str.maketrans(
    {
        **dict.fromkeys("„“”‟»«", '"'),
        **dict.fromkeys("‚‘’‛›‹", "'"),
        **dict.fromkeys("‐‑‒–—―−", "-"),
    }
)
_TYPOGRAPHIC = re.compile(f"[{''.join(map(chr, _TYPOGRAPHY))}]")


def nfc(text: str) -> str:
    r"""The text in Unicode normal form C, with runs of more than 30 combining marks broken.

    Source: the Stream-Safe Text Format of Unicode Standard Annex 15; sorting the marks of a longer run costs quadratic
    time.

    Example:
        >>> nfc("u\u0308ber")
        'über'
    """
    if text.isascii() or _MAY_COMPOSE.search(text) is None:
        return text
    return unicodedata.normalize("NFC", _LONG_MARKS.sub(_stream_safe, text))


def _stream_safe(run: re.Match[str]) -> str:
    """The run with a grapheme joiner, which is no mark to be sorted, after every 30 combining marks in a row."""
    parts: list[str] = []
    marks = 0
    for character in run.group():
        is_mark = unicodedata.combining(character) > 0
        if is_mark and marks == _MOST_MARKS:
            parts.append(_GRAPHEME_JOINER)
            marks = 0
        parts.append(character)
        marks = marks + 1 if is_mark else 0
    return "".join(parts)


def fold_whitespace(text: str) -> str:
    r"""Every run of whitespace, no-break spaces included, as one space; none at the ends.

    Example:
        >>> fold_whitespace(" 4,90\u00a0€ \n pro Paket ")
        '4,90 € pro Paket'
    """
    return " ".join(text.split())


def fold_typography(text: str) -> str:
    """The text in NFC with whitespace folded and typographic quotes and dashes as their ASCII forms.

    Nothing else changes: letters, digits, case and all other punctuation stay.

    Example:
        >>> fold_typography("„14–30 Tage“")
        '"14-30 Tage"'
    """
    composed = nfc(text)
    # Translating asks a table for every character beyond ASCII; most texts hold nothing that it changes.
    return fold_whitespace(composed.translate(_TYPOGRAPHY) if _TYPOGRAPHIC.search(composed) else composed)


def is_german(language: str | None) -> bool:
    """Whether a language tag such as ``de`` or ``de-AT`` names German.

    Example:
        >>> is_german("de-AT"), is_german("en"), is_german(None)
        (True, False, False)
    """
    return _primary_tag(language) in {"de", "deu", "ger"}


def is_english(language: str | None) -> bool:
    """Whether a language tag such as ``en`` or ``en-GB`` names English.

    Example:
        >>> is_english("en-GB"), is_english("de"), is_english(None)
        (True, False, False)
    """
    return _primary_tag(language) in {"en", "eng"}


def _primary_tag(language: str | None) -> str:
    return re.split(r"[-_]", language or "")[0].lower()


def squad_normalise(text: str, language: str | None = None) -> str:
    """The form in which SQuAD compares short answers: lower case, no punctuation, no articles, folded whitespace.

    Source: Rajpurkar et al., 2016, the published evaluation script. English (and every language other than
    German) follows it to the letter. German applies the same steps with German articles and quotation marks, after
    composing characters, so that a decomposed umlaut compares equal, and keeps what separates digits, so that
    ``4,90`` is not ``490``; only the thousands mark goes.

    Args:
        text: the answer or reference.
        language: a language tag; ``None`` means English.

    Returns:
        The normal form, possibly empty.

    Example:
        >>> squad_normalise("The  Eiffel-Tower!")
        'eiffeltower'
        >>> squad_normalise("Das „Maß“ der Dinge", "de")
        'maß dinge'
    """
    if is_german(language):
        bare = fold_typography(text).lower().translate(_DROP_GERMAN)
        bare = _GERMAN_SEPARATOR.sub("", _GERMAN_THOUSANDS.sub("", bare))
        return " ".join(_GERMAN_ARTICLES.sub(" ", bare).split())
    bare = text.lower().translate(_DROP_ENGLISH)
    return " ".join(_ENGLISH_ARTICLES.sub(" ", bare).split())
