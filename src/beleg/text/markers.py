"""Citation markers in a rendered answer, such as [1] or [lg-shipping-de]."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from beleg.text.normalise import fold_whitespace

_BRACKETED = re.compile(r"^[\[(【<{].*[\])】>}]$", re.DOTALL)
_OPENING = re.compile(r"[\[(【<{]")
_SPACE_BEFORE_STOP = re.compile(r"\s+([.,;:!?])")


def rendered(marker: str) -> str:
    """A marker as it stands in the answer: one that was listed without brackets stands in square ones.

    Example:
        >>> rendered("1"), rendered("【2】")
        ('[1]', '【2】')
    """
    name = marker.strip()
    return name if _BRACKETED.match(name) else f"[{name}]"


def without_markers(text: str, markers: Iterable[str]) -> str:
    """The text without the citation markers that are named, whitespace folded.

    A marker that comes without its brackets is only removed where it stands in square brackets: the marker ``5``
    must not remove a fee of 5 euros.

    Args:
        text: an answer or a sentence of it.
        markers: the markers as the candidate listed them, with or without brackets.

    Returns:
        The bare text.

    Example:
        >>> without_markers("Express kostet 5 Euro [5].", ["5"])
        'Express kostet 5 Euro.'
    """
    return without_forms(text, {rendered(marker) for marker in markers if marker.strip()})


def without_forms(text: str, forms: Collection[str]) -> str:
    """The text without markers that `rendered` has already given their brackets, whitespace folded.

    Example:
        >>> without_forms("Express kostet 5 Euro [5].", {"[5]"})
        'Express kostet 5 Euro.'
    """
    spans = _spans(text, forms)
    if not spans:
        return fold_whitespace(text)
    starts = [0, *(end for _, end in spans)]
    ends = [*(start for start, _ in spans), len(text)]
    kept = "".join(text[start:end] for start, end in zip(starts, ends, strict=True))
    return _SPACE_BEFORE_STOP.sub(r"\1", fold_whitespace(kept))


def markers_in(text: str, forms: Collection[str]) -> set[str]:
    """Which rendered markers stand in a text.

    Args:
        text: a sentence of an answer.
        forms: markers as `rendered` gives them.

    Example:
        >>> markers_in("Express kostet 5 Euro [5].", {"[5]", "[6]"})
        {'[5]'}
    """
    return {
        form for at, lengths in _places(text, forms) for length in lengths if (form := text[at : at + length]) in forms
    }


def _places(text: str, forms: Collection[str]) -> Iterator[tuple[int, list[int]]]:
    """Where a marker may begin, and the lengths it may have, longest first: no search per marker."""
    lengths = sorted({len(form) for form in forms}, reverse=True)
    return ((match.start(), lengths) for match in _OPENING.finditer(text)) if lengths else iter(())


def _spans(text: str, forms: Collection[str]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for at, lengths in _places(text, forms):
        if found and at < found[-1][1]:
            continue
        length = next((length for length in lengths if text[at : at + length] in forms), 0)
        if length:
            found.append((at, at + length))
    return found
