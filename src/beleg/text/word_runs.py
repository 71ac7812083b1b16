"""The runs of word characters in a text: a cheap look at which words it can hold at all."""

from __future__ import annotations

import re

_RUN = re.compile(r"\w+")
# Letters that a pattern without regard to case takes for i, s and k, while ``str.lower`` leaves them or adds a mark.
_CASELESS = str.maketrans({"İ": "i", "ı": "i", "ſ": "s", "\u212a": "k"})


def word_runs(text: str) -> set[str]:
    r"""Every run of word characters in lower case, as a pattern with word edges and without regard to case sees them.

    A pattern such as ``\bnot\b`` can only match where its word is one of the runs, so that asking the runs first
    saves the search in most texts and never changes what is found.

    Example:
        >>> sorted(word_runs("It ISN’T free, not at all."))
        ['all', 'at', 'free', 'isn', 'it', 'not', 't']
    """
    if not text.isascii():
        text = text.translate(_CASELESS)
    return set(_RUN.findall(text.lower()))
