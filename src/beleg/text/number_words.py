"""Numbers that are written as words, in German and English."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache


def _listed(words: str) -> list[str]:
    return words.split()


_ENGLISH = _listed(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_ENGLISH_TENS = _listed("twenty thirty forty fifty sixty seventy eighty ninety")
_ENGLISH_ORDINALS = _listed(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
)
_GERMAN = _listed(
    "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn "
    "achtzehn neunzehn"
)
_GERMAN_TENS = _listed("zwanzig dreissig vierzig fünfzig sechzig siebzig achtzig neunzig")

_SMALL_ENGLISH = {word: value for value, word in enumerate(_ENGLISH)}
_TENS_ENGLISH = {word: 10 * at for at, word in enumerate(_ENGLISH_TENS, start=2)}
_SMALL_GERMAN = {word: value for value, word in enumerate(_GERMAN)} | {"ein": 1, "zwo": 2, "fuenf": 5, "zwoelf": 12}
_TENS_GERMAN = {word: 10 * at for at, word in enumerate(_GERMAN_TENS, start=2)}
_ORDINALS = {word: value for value, word in enumerate(_ENGLISH_ORDINALS, start=1)} | {
    "erste": 1,
    "dritte": 3,
    "siebte": 7,
    "achte": 8,
}
MULTIPLIERS = {"hundred": 100, "thousand": 1_000, "hundert": 100, "tausend": 1_000}
"""Words that multiply the number before them and may be followed by more of the same number."""

UNSURE = frozenset(_listed("one first second hundred thousand hundert tausend ein eine einen einem einer eines a an"))
"""Words that are as often no number at all, such as articles and pronouns."""

_MORE = {"dozen": 12, "dutzend": 12, "twice": 2, "double": 2, "doppelt": 2, "once": 1, "thrice": 3}
_ARTICLES = dict.fromkeys(_listed("a an ein eine einen einem einer eines"), 1)
MAX_WORD = 60


@lru_cache(maxsize=16_384)
def cardinal(word: str) -> int | None:
    """The number that one word means: any up to 999,999 in German, up to ninety-nine and the multipliers in English.

    Example:
        >>> cardinal("zweiundvierzig"), cardinal("Twenty-one"), cardinal("dreißig"), cardinal("und")
        (42, 21, 30, None)
    """
    if len(word) > MAX_WORD:
        return None
    bare = word.casefold()
    for table in (_SMALL_ENGLISH, _TENS_ENGLISH, MULTIPLIERS):
        if bare in table:
            return table[bare]
    ten, hyphen, one = bare.partition("-")
    if hyphen:
        return (
            _TENS_ENGLISH[ten] + _SMALL_ENGLISH[one]
            if ten in _TENS_ENGLISH and 0 < _SMALL_ENGLISH.get(one, 0) < 10
            else None
        )
    return _german(bare)


@lru_cache(maxsize=16_384)
def loosely(word: str) -> int | None:
    """The number that a word may stand for: articles, ordinals, ``dozen`` and ``twice`` included.

    Example:
        >>> loosely("eine"), loosely("neunzehnten"), loosely("third"), loosely("twice")
        (1, 19, 3, 2)
    """
    bare = word.casefold()
    for table in (_ARTICLES, _ORDINALS, _MORE):
        if bare in table:
            return table[bare]
    found = cardinal(word)
    return _german_ordinal(bare) if found is None and len(bare) <= MAX_WORD else found


def joined(values: Sequence[tuple[str, int]]) -> int:
    """The number that a run of English number words means together.

    Example:
        >>> joined([("three", 3), ("hundred", 100), ("five", 5)])
        305
    """
    total = current = 0
    for word, value in values:
        if word.casefold() in ("thousand", "tausend"):
            total, current = total + max(current, 1) * value, 0
        elif word.casefold() in ("hundred", "hundert"):
            current = max(current, 1) * value
        else:
            current += value
    return total + current


def _german(bare: str) -> int | None:
    bare = bare.replace("ue", "ü") if "fuenf" in bare else bare
    left, thousand, right = bare.partition("tausend")
    if not thousand:
        return _below_thousand(bare)
    high = _below_thousand(left) if left else 1
    low = _below_thousand(right.removeprefix("und")) if right else 0
    return None if high is None or low is None else high * 1_000 + low


def _below_thousand(bare: str) -> int | None:
    left, hundred, right = bare.partition("hundert")
    if not hundred:
        return _below_hundred(bare)
    high = _SMALL_GERMAN.get(left) if left else 1
    low = _below_hundred(right.removeprefix("und")) if right else 0
    return None if not high or high > 19 or low is None else high * 100 + low


def _below_hundred(bare: str) -> int | None:
    if bare in _SMALL_GERMAN:
        return None if bare == "ein" else _SMALL_GERMAN[bare]
    if bare in _TENS_GERMAN:
        return _TENS_GERMAN[bare]
    one, und, ten = bare.partition("und")
    if und and ten in _TENS_GERMAN and 0 < _SMALL_GERMAN.get(one, 0) < 10:
        return _TENS_GERMAN[ten] + _SMALL_GERMAN[one]
    return None


def _german_ordinal(bare: str) -> int | None:
    stem = bare.rstrip("nrsm") if bare.endswith(("ten", "ter", "tes", "tem")) else bare
    if stem in _ORDINALS:
        return _ORDINALS[stem]
    for ending in ("ste", "te"):
        if stem.endswith(ending):
            return _german(stem.removesuffix(ending))
    return None
