"""Tells German from English by function words and umlauts, offline."""

from __future__ import annotations

import re
from typing import Literal

from beleg.reference.word_lists import listed

Language = Literal["de", "en"]

OTHER_LANGUAGE: dict[Language, Language] = {"de": "en", "en": "de"}

_WORD = re.compile(r"[^\W\d_]+")

_GERMAN = listed(
    """
    aber als am an auch auf aus bei beim bin bis bitte brauche da darf das dass dein deine dem den der des dich die
    dies diese diesem diesen dieser dir doch du durch ein eine einem einen einer eines er es euch euer eure für gibt
    gilt geht habe haben hat kostet kosten zahle
    ich ihr ihre im in ist ja kann kannst kein keine können lange mein meine meinem meinen meiner
    mich mir mit muss nach nein nicht noch nur ob oder ohne sein sich sie sind über um und uns unser unsere unter
    viel von vom vor wann warum was welche welchem welchen welcher welches wenn wer werden wie wieder wir wird wo zu
    zum zur
    """
)
_ENGLISH = listed(
    """
    a about after all an and any are as at be been before but by can do does for from had has have how i if in into
    is it its long many may me much must my no not of on only or our out shall should so than that the their them
    there they this to under until up us was we were what when where which who why will with without would you your
    """
)


def detect_language(text: str) -> Language:
    """Guesses whether a text is German or English.

    Counts function words that only one of the two languages has, and words with an umlaut or sharp s as German.
    A tie is English, as names and numbers alone carry no language.

    Example:
        >>> detect_language("Wie lange habe ich Zeit?"), detect_language("How long do I have?")
        ('de', 'en')
    """
    german = english = 0
    for word in _WORD.findall(text.lower()):
        german += (word in _GERMAN and word not in _ENGLISH) or any(letter in "äöüß" for letter in word)
        english += word in _ENGLISH and word not in _GERMAN
    return "de" if german > english else "en"


def language_of_locale(locale: object, text: str) -> Language:
    """The language of a locale such as ``de-AT``; of the text where there is no usable locale.

    Example:
        >>> language_of_locale("de-AT", "Kempten"), language_of_locale(None, "Wann ist geöffnet?")
        ('de', 'de')
    """
    if isinstance(locale, str):
        primary = locale.replace("_", "-").split("-")[0].lower()
        if primary == "de":
            return "de"
        if primary == "en":
            return "en"
    return detect_language(text)
