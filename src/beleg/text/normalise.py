"""Normal forms of text: for comparing words, and for comparing short answers as SQuAD does."""

from __future__ import annotations

import re
import string
import unicodedata

_WHITESPACE = re.compile(r"\s+")
_ENGLISH_ARTICLES = re.compile(r"\b(a|an|the)\b")
_GERMAN_ARTICLES = re.compile(r"\b(der|die|das|den|dem|des|ein|eine|einen|einem|einer|eines)\b")
_DROP_ENGLISH = str.maketrans("", "", string.punctuation)
_DROP_GERMAN = str.maketrans("", "", string.punctuation + "„“”‚‘’»«›‹–—…")

_TYPOGRAPHY = str.maketrans(
    {
        **dict.fromkeys("„“”‟»«", '"'),
        **dict.fromkeys("‚‘’‛›‹", "'"),
        **dict.fromkeys("‐‑‒–—―−", "-"),
    }
)


def nfc(text: str) -> str:
    r"""The text in Unicode normal form C.

    Example:
        >>> nfc("u\u0308ber")
        'über'
    """
    return unicodedata.normalize("NFC", text)


def fold_whitespace(text: str) -> str:
    r"""Every run of whitespace, no-break spaces included, as one space; none at the ends.

    Example:
        >>> fold_whitespace(" 4,90\u00a0€ \n pro Paket ")
        '4,90 € pro Paket'
    """
    return _WHITESPACE.sub(" ", text).strip()


def fold_typography(text: str) -> str:
    """The text in NFC with whitespace folded and typographic quotes and dashes as their ASCII forms.

    Nothing else changes: letters, digits, case and all other punctuation stay.

    Example:
        >>> fold_typography("„14–30 Tage“")
        '"14-30 Tage"'
    """
    return fold_whitespace(nfc(text).translate(_TYPOGRAPHY))


def is_german(language: str | None) -> bool:
    """Whether a language tag such as ``de`` or ``de-AT`` names German.

    Example:
        >>> is_german("de-AT"), is_german("en"), is_german(None)
        (True, False, False)
    """
    return language is not None and re.split(r"[-_]", language)[0].lower() in {"de", "deu", "ger"}


def squad_normalise(text: str, language: str | None = None) -> str:
    """The form in which SQuAD compares short answers: lower case, no punctuation, no articles, folded whitespace.

    Source: Rajpurkar et al., 2016, the published evaluation script. English (and every language other than
    German) follows it to the letter. German applies the same steps with German articles and quotation marks, after
    composing characters, so that a decomposed umlaut compares equal.

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
        bare = nfc(text).lower().translate(_DROP_GERMAN)
        return " ".join(_GERMAN_ARTICLES.sub(" ", bare).split())
    bare = text.lower().translate(_DROP_ENGLISH)
    return " ".join(_ENGLISH_ARTICLES.sub(" ", bare).split())
