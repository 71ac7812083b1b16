"""The words of a text that carry its content, brought to a form that survives inflection, in German and English."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from beleg.text.tokens import word_spans, words


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_ENGLISH = _listed(
    """
    a about above after again all also although am an and any are aren't as at be because been before being below
    between both but by can could did do does doing down during each etc for from further had has have having he her
    here hers herself him himself his how however i if in into is it its itself just may me might more most must my
    of off on once or other our ours out over own per same shall she should so some such than that the their theirs
    them themselves then there these they this those through thus to too under until up upon us very was we were what
    when where whether which while who whom whose why will with within would you your yours
    """
)
_GERMAN = _listed(
    """
    aber als also am an andere anderen auch auf aus bei beim beide beiden bis da dabei dadurch dafür dagegen daher damit
    danach dann daran darauf daraus darin darum das dass davon dazu dein deine dem den denen denn der deren derer des
    dessen die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es etwa
    etwas euch euer eure für gegen hat hatte hatten haben habe hier hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer
    im in indem ins ist ja jede jedem jeden jeder jedes jedoch jene jenem jenen jener kann können könnte man mehr mein
    meine mit muss müssen nach neben noch nun ob obwohl oder sehr sein seine seinem seinen seiner seit sich sie sind so
    sobald sofern solche soll sollen sollte sondern sonst soweit sowie sowohl über um und uns unser unsere unter vom von
    vor war waren warum was weil welche welchem welchen welcher welches wenn wer werden wie wieder wir wird wo wurde
    wurden während würde würden zu zum zur zwar zwischen ab abs bzw
    """
)
FUNCTION_WORDS = _ENGLISH | _GERMAN
"""Words that say little by themselves, in lower case; negations and restrictions are not among them."""

_GERMAN_ALONE = (_GERMAN | _listed("nicht kein keine nur")) - _ENGLISH
_ENGLISH_ALONE = (_ENGLISH | _listed("not only without")) - _GERMAN
LANGUAGE_SAMPLE = 4_000
_ENDINGS = (
    "ingly", "ungen", "ation", "ings", "edly", "ung", "ing", "ern", "est", "ies", "ied", "end",
    "en", "er", "em", "es", "ed", "ly", "e", "s",
)  # fmt: skip
_FOLD = str.maketrans({"ä": "a", "ö": "o", "ü": "u", "ß": "ss", "’": "'", "‐": "-", "‑": "-"})
MIN_STEM = 4


@dataclass(frozen=True, slots=True)
class ContentWord:
    """A word that carries content, with its place."""

    stem: str
    start: int
    end: int


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A short form that most inflections of a word share; crude on purpose, and the same for both languages.

    Example:
        >>> stem("Rücksendungen") == stem("Rücksendung"), stem("returned") == stem("returns")
        (True, True)
    """
    bare = word.casefold().translate(_FOLD).removesuffix("'s").removesuffix("'")
    for ending in _ENDINGS:
        if len(bare) - len(ending) >= MIN_STEM and bare.endswith(ending):
            return bare[: -len(ending)]
    return bare


def content_words(text: str) -> list[ContentWord]:
    """The content words of a text in order.

    Example:
        >>> [word.stem for word in content_words("The returns are free within 30 days.")]
        ['return', 'free', '30', 'days']
    """
    return [
        ContentWord(stem(text[start:end]), start, end)
        for start, end in word_spans(text)
        if text[start:end].lower() not in FUNCTION_WORDS
    ]


def stems_of(text: str) -> frozenset[str]:
    """The stems of the content words of a text.

    Example:
        >>> sorted(stems_of("Der Versand ist kostenlos."))
        ['kostenlo', 'versand']
    """
    return frozenset(word.stem for word in content_words(text))


def likely_language(text: str) -> str | None:
    """German or English by the function words that only one of them has; ``None`` where they do not tell.

    Example:
        >>> likely_language("Der Versand ist frei."), likely_language("Shipping is free for the buyer.")
        ('de', 'en')
        >>> likely_language("4711") is None
        True
    """
    found = [word.lower() for word in words(text[:LANGUAGE_SAMPLE])]
    german = sum(word in _GERMAN_ALONE for word in found)
    english = sum(word in _ENGLISH_ALONE for word in found)
    if german == english:
        return None
    return "de" if german > english else "en"
