"""Word lists written as plain text."""

from __future__ import annotations


def listed(words: str) -> frozenset[str]:
    """The words of a list that is written with white space between them.

    Example:
        >>> sorted(listed("der die"))
        ['der', 'die']
    """
    return frozenset(words.split())
