"""Which scripts a text is written in, and what it looks like: the mechanisms of Unicode Technical Standard 39."""

from __future__ import annotations

import base64
import unicodedata
import zlib
from collections.abc import Iterable
from enum import IntEnum
from functools import lru_cache
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from beleg.text.normalise import nfc
from beleg.text.unicode_tables import PROTOTYPES, SCRIPT_RANGES, UNICODE_VERSION

SCRIPT_TABLE = f"unicode-{UNICODE_VERSION}"
"""Names the table of scripts and lookalikes; part of every figure that rests on it."""

EVERY_SCRIPT: frozenset[str] = frozenset()
"""The script set of characters that any script uses, such as digits and punctuation."""

_COMMON = frozenset({"Zyyy", "Zinh"})
# Table 1a of the standard: writing systems that use several scripts.
_TOGETHER = {
    "Hani": ("Hanb", "Jpan", "Kore"),
    "Hira": ("Jpan",),
    "Kana": ("Jpan",),
    "Hang": ("Kore",),
    "Bopo": ("Hanb",),
}
# Table 5 of Unicode Standard Annex 31.
_RECOMMENDED = frozenset(
    (
        "Arab", "Armn", "Beng", "Bopo", "Cyrl", "Deva", "Ethi", "Geor", "Grek", "Gujr", "Guru", "Hang", "Hani", "Hebr",
        "Hira", "Kana", "Khmr", "Knda", "Laoo", "Latn", "Mlym", "Mymr", "Orya", "Sinh", "Taml", "Telu", "Thaa", "Thai",
        "Tibt",
    )
)  # fmt: skip
_NEVER_BESIDE_LATIN = frozenset({"Cyrl", "Grek"})

IGNORABLE_RANGES = (
    (0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
"""The code points with the property Default_Ignorable_Code_Point, first and last of each range."""


class Restriction(IntEnum):
    """How many scripts a word mixes, by the levels of Unicode Technical Standard 39, section 5.2.

    The levels are told from scripts alone: the profile of characters for identifiers, by which the standard tells its
    last level, is meant for names in programs and not for prose.
    """

    ASCII = 1
    SINGLE_SCRIPT = 2
    HIGHLY_RESTRICTIVE = 3
    MODERATELY_RESTRICTIVE = 4
    MINIMALLY_RESTRICTIVE = 5


@lru_cache(maxsize=1)
def script_sets() -> tuple[npt.NDArray[np.uint16], tuple[frozenset[str], ...]]:
    """The number of the script set of every code point, and the augmented script sets by their number.

    Number 0 is `EVERY_SCRIPT`.

    Example:
        >>> numbers, sets = script_sets()
        >>> sorted(sets[numbers[ord("a")]]), sets[numbers[ord("7")]] == EVERY_SCRIPT
        (['Latn'], True)
    """
    numbers = np.zeros(0x110000, dtype=np.uint16)
    known: dict[frozenset[str], int] = {EVERY_SCRIPT: 0}
    rows = [line.split() for line in _lines(SCRIPT_RANGES)]
    starts = [*accumulate(int(row[0], 16) for row in rows), len(numbers)]
    for start, end, row in zip(starts, starts[1:], rows, strict=False):
        numbers[start:end] = known.setdefault(_augmented(row[1:]), len(known))
    return numbers, tuple(known)


def resolved_scripts(text: str) -> frozenset[str] | None:
    """The scripts in which the whole text can be written: the intersection of the script sets of its characters.

    Source: Unicode Technical Standard 39, section 5.1, with augmented script sets; ``Jpan``, ``Kore`` and ``Hanb``
    stand for Japanese, Korean and Chinese with Bopomofo.

    Args:
        text: a word or a text.

    Returns:
        Short names of scripts; `EVERY_SCRIPT` where the characters belong to no script in particular, and ``None``
        where no script covers them all, which is what mixed-script means.

    Example:
        >>> sorted(resolved_scripts("Straße")), resolved_scripts("2024"), resolved_scripts("p\u0430ypal") is None
        (['Latn'], frozenset(), True)
    """
    numbers, sets = script_sets()
    found = [sets[number] for number in {int(numbers[ord(character)]) for character in text} if number]
    if not found:
        return EVERY_SCRIPT
    return frozenset.intersection(*found) or None


def restriction_level(text: str) -> Restriction:
    """How many scripts a word mixes.

    Source: Unicode Technical Standard 39, section 5.2.

    Example:
        >>> restriction_level("abc").name, restriction_level("Twitter推特").name, restriction_level("p\u0430ypal").name
        ('ASCII', 'HIGHLY_RESTRICTIVE', 'MINIMALLY_RESTRICTIVE')
    """
    if text.isascii():
        return Restriction.ASCII
    if resolved_scripts(text) is not None:
        return Restriction.SINGLE_SCRIPT
    numbers, sets = script_sets()
    beside_latin = [sets[number] for number in {int(numbers[ord(letter)]) for letter in text} if number]
    others = [each for each in beside_latin if "Latn" not in each]
    common = frozenset.intersection(*others) if others else EVERY_SCRIPT
    if common & {"Jpan", "Kore", "Hanb"}:
        return Restriction.HIGHLY_RESTRICTIVE
    if common & (_RECOMMENDED - _NEVER_BESIDE_LATIN):
        return Restriction.MODERATELY_RESTRICTIVE
    return Restriction.MINIMALLY_RESTRICTIVE


def skeleton(text: str) -> str:
    """What a text looks like: two texts with one skeleton are confusable.

    Source: Unicode Technical Standard 39, section 4: decomposed (NFD), without default-ignorable code points, every
    character replaced by its prototype, and decomposed again. A skeleton is for comparing and not for showing.

    Example:
        >>> skeleton("p\u0430ypal") == skeleton("paypal"), skeleton("rn") == skeleton("m")
        (True, True)
    """
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", nfc(text)).translate(_prototypes()))


@lru_cache(maxsize=1)
def _prototypes() -> dict[int, str | None]:
    table: dict[int, str | None] = {}
    for line in _lines(PROTOTYPES):
        target, _, steps = line.partition(";")
        looks = "".join(chr(int(part, 16)) for part in target.split())
        table |= dict.fromkeys(accumulate(int(step, 16) for step in steps.split()), looks)
    for first, last in IGNORABLE_RANGES:
        table |= dict.fromkeys(range(first, last + 1))
    return table


def _augmented(names: Iterable[str]) -> frozenset[str]:
    listed = frozenset(names)
    if listed & _COMMON:
        return EVERY_SCRIPT
    return listed.union(*(_TOGETHER.get(name, ()) for name in listed))


def _lines(packed: str) -> list[str]:
    return zlib.decompress(base64.b85decode(packed)).decode("ascii").splitlines()
