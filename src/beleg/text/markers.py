"""Citation markers in a rendered answer, such as [1] or [lg-shipping-de]."""

from __future__ import annotations

import re
from collections.abc import Iterable

from beleg.text.normalise import fold_whitespace

_BRACKETED = re.compile(r"^[\[(【<{].*[\])】>}]$", re.DOTALL)
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
    forms = {rendered(marker) for marker in markers if marker.strip()}
    found = False
    for form in sorted(forms, key=len, reverse=True):
        found = found or form in text
        text = text.replace(form, "")
    folded = fold_whitespace(text)
    return _SPACE_BEFORE_STOP.sub(r"\1", folded) if found else folded
