"""What the characters of a document tell of its extraction: invisible, private and lookalike ones, drift of forms."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from beleg.metrics.ingestion.word_scripts import BLOCK, code_points, words_of_note
from beleg.text.normalise import nfc
from beleg.text.scripts import IGNORABLE_RANGES, script_sets

KINDS = (
    "ordinary", "zero_width", "joiner", "soft_hyphen", "bidi_control", "variation_selector", "tag", "other_ignorable",
    "private_use", "surrogate", "noncharacter", "control", "replacement",
)  # fmt: skip
"""The kinds of code points that are told apart; each code point is of one."""

IGNORABLE_KINDS = frozenset(KINDS[1:8])
"""The kinds that are default-ignorable: they take part in a search and show nothing."""

_RANGES = {
    "zero_width": ((0x180E, 0x180E), (0x200B, 0x200B), (0x2060, 0x2064), (0xFEFF, 0xFEFF)),
    "joiner": ((0x200C, 0x200D),),
    "soft_hyphen": ((0x00AD, 0x00AD),),
    "bidi_control": ((0x061C, 0x061C), (0x200E, 0x200F), (0x202A, 0x202E), (0x2066, 0x2069)),
    "variation_selector": ((0x180B, 0x180D), (0x180F, 0x180F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF)),
    "tag": ((0xE0001, 0xE0001), (0xE0020, 0xE007F)),
    "private_use": ((0xE000, 0xF8FF), (0xF0000, 0xFFFFD), (0x100000, 0x10FFFD)),
    "surrogate": ((0xD800, 0xDFFF),),
    "noncharacter": ((0xFDD0, 0xFDEF), *((plane + 0xFFFE, plane + 0xFFFF) for plane in range(0, 0x110000, 0x10000))),
    "control": ((0x00, 0x08), (0x0B, 0x0B), (0x0E, 0x1F), (0x7F, 0x84), (0x86, 0x9F)),
    "replacement": ((0xFFFD, 0xFFFD),),
}
_ASCII_CONTROLS = "".join(chr(code) for first, last in _RANGES["control"] for code in range(first, min(last, 127) + 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Characters:
    """What the scan of one document found.

    Attributes:
        length: how many code points the document has.
        counts: how many code points there are of each kind that occurs, `KINDS` beside ``ordinary``.
        is_nfc: whether the document is in NFC.
        is_compatible: whether NFC and NFKC of the document are the same: no ligatures, circled or raised digits.
        mixed_script: how many words mix scripts as no language does; ``p\u0430ypal`` with a Cyrillic letter is one.
        lookalikes: how many words look as if they were written in the main script of the document and are not.
        examples: some of those words, each with what it looks like.
    """

    length: int
    counts: Mapping[str, int]
    is_nfc: bool
    is_compatible: bool
    mixed_script: int
    lookalikes: int
    examples: tuple[tuple[str, str], ...]

    @property
    def ignorable(self) -> int:
        """How many code points are default-ignorable."""
        return sum(count for kind, count in self.counts.items() if kind in IGNORABLE_KINDS)


def scan_characters(text: str) -> Characters:
    """Looks at every character of a document.

    A word is what stands between whitespace and ASCII punctuation. Words of mixed script and lookalikes are told apart
    from honest foreign words: Cyrillic words in a German text are neither, as long as they do not look Latin. Source:
    Unicode Technical Standard 39 (resolved script sets, skeletons); Default_Ignorable_Code_Point of Unicode Standard
    Annex 44. Nothing is removed: joiners are part of Persian, of Indic scripts and of emoji.

    Args:
        text: the document; lone surrogates are counted.

    Returns:
        Counts, and some of the words.

    Example:
        >>> found = scan_characters("Wert\u00adpapier von p\u0430ypal")
        >>> dict(found.counts), found.mixed_script, found.examples
        ({'soft_hyphen': 1}, 1, (('p\u0430ypal', 'paypal'),))
    """
    if text.isascii():
        return _ascii(text)
    counted, main = _counted(text)
    stable = nfc(text)
    mixed, alike, examples = (0, 0, ()) if main is None else words_of_note(text, main)
    return Characters(
        length=len(text),
        counts=MappingProxyType({kind: n for kind, n in counted.items() if n and kind != KINDS[0]}),
        is_nfc=stable == text,
        is_compatible=unicodedata.is_normalized("NFKC", stable),
        mixed_script=mixed,
        lookalikes=alike,
        examples=examples,
    )


def _ascii(text: str) -> Characters:
    controls = sum(map(text.count, _ASCII_CONTROLS))
    return Characters(
        length=len(text), counts=MappingProxyType({"control": controls} if controls else {}), is_nfc=True,
        is_compatible=True, mixed_script=0, lookalikes=0, examples=(),
    )  # fmt: skip


@lru_cache(maxsize=1)
def _kinds() -> npt.NDArray[np.uint8]:
    kinds = np.zeros(0x110000, dtype=np.uint8)
    for first, last in IGNORABLE_RANGES:
        kinds[first : last + 1] = KINDS.index("other_ignorable")
    for kind, ranges in _RANGES.items():
        for first, last in ranges:
            kinds[first : last + 1] = KINDS.index(kind)
    return kinds


def _counted(text: str) -> tuple[dict[str, int], str | None]:
    """How many code points there are of each kind, and the main script where there is another one beside it."""
    numbers, sets = script_sets()
    kinds = np.zeros(len(KINDS), dtype=np.int64)
    seen = np.zeros(len(sets), dtype=np.int64)
    for start in range(0, len(text), BLOCK):
        points = code_points(text[start : start + BLOCK])
        kinds += np.bincount(_kinds()[points], minlength=len(KINDS))
        seen += np.bincount(numbers[points], minlength=len(sets))
    by_script: dict[str, int] = {}
    for number in np.flatnonzero(seen).tolist():
        for name in sets[number]:
            by_script[name] = by_script.get(name, 0) + int(seen[number])
    main = min(by_script, key=lambda name: (-by_script[name], name), default=None)
    is_alone = main is None or by_script[main] == int(seen[1:].sum())
    return dict(zip(KINDS, kinds.tolist(), strict=True)), None if is_alone else main
