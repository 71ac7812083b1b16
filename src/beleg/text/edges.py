"""Words found whole in a longer text: not as part of another word, and not as part of another number."""

from __future__ import annotations

_DECIMAL_MARKS = ".,"


def stands_whole(text: str, part: str) -> bool:
    """Whether a part stands in a text with word edges on both sides.

    An edge counts where the part begins or ends with a letter or digit: no letter or digit may touch it there, and a
    digit at the edge may not belong to a longer decimal number.

    Args:
        text: the text searched.
        part: the words looked for; empty words stand nowhere.

    Returns:
        True where the part stands whole at least once.

    Example:
        >>> stands_whole("Versand 4,90 €", "4,90 €"), stands_whole("Versand 14,90 €", "4,90 €")
        (True, False)
    """
    if not part:
        return False
    at = text.find(part)
    while at >= 0:
        if _begins(text, at) and _ends(text, at + len(part)):
            return True
        at = text.find(part, at + 1)
    return False


def _begins(text: str, at: int) -> bool:
    if at == 0 or not text[at].isalnum():
        return True
    before = text[at - 1]
    if _in_word(before):
        return False
    return not (text[at].isdecimal() and before in _DECIMAL_MARKS and text[at - 2 : at - 1].isdecimal())


def _ends(text: str, end: int) -> bool:
    if end == len(text) or not text[end - 1].isalnum():
        return True
    behind = text[end]
    if _in_word(behind):
        return False
    return not (text[end - 1].isdecimal() and behind in _DECIMAL_MARKS and text[end + 1 : end + 2].isdecimal())


def _in_word(character: str) -> bool:
    return character.isalnum() or character == "_"
