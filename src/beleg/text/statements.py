"""Whether a text plainly states facts, told from its surface alone: what a list of its claims cannot leave empty."""

from __future__ import annotations

import re

from beleg.text.facts import facts_of
from beleg.text.refusal import is_refusal, only_declines_or_greets
from beleg.text.sentences import sentences
from beleg.text.tokens import unspaced_letters, words

MIN_SENTENCE_WORDS = 4
"""A sentence with fewer words says too little to be sure of it."""
MIN_SENTENCES = 3
"""So many sentences without any figure state something between them."""
LETTERS_OF_A_WORD = 2
"""About so many letters make a word in a script without spaces."""
MAX_SENTENCE_CHARS = 2_000
"""Of a longer sentence only the beginning is read, so that hostile text stays cheap."""

_MARK = re.compile(r"\[[^\[\]\n]{0,80}\]|^\s*(?:[-*•#]+|\d{1,3}[.)])\s+")
# Who speaks of the two that talk may be polite, offer help or ask; that is no fact about the world.
_PERSONS = re.compile(
    r"\b(?:i|me|my|you|your|yours|let's|ich|mich|mir|mein\w*|du|dir|dich|dein\w*|ihnen|ihre?[mnrs]?|sie)\b",
    re.IGNORECASE,
)


def states_facts(text: str, language: str | None = None) -> bool:
    """Whether a text plainly states facts: a figure or date in one sentence, or three whole sentences.

    Left out are refusals (`is_refusal`), questions, courtesies, sentences of fewer than four words, citation marks and
    the numbers of lists. Of the rest one sentence with a date or a number is enough; else there must be three that
    speak of neither the reader nor the writer. The rule errs on the side of no: a short answer without a figure is
    never said to state facts, though most do.

    Args:
        text: an answer, or a part of one.
        language: a language tag for its numbers and dates; ``None`` reads what German and English would.

    Returns:
        True only where there is little doubt.

    Example:
        >>> states_facts("Returns are accepted within 30 days."), states_facts("Which of the 3 orders do you mean?")
        (True, False)
        >>> states_facts("Hello! I am happy to help you. Please let me know what you need.")
        False
    """
    if is_refusal(text):
        return False
    impersonal = 0
    for sentence in sentences(text):
        bare = _MARK.sub(" ", sentence[:MAX_SENTENCE_CHARS]).strip()
        if _is_short(bare) or bare.endswith(("?", "？", "؟")) or only_declines_or_greets(bare):
            continue
        facts = facts_of(bare, language)
        if facts.dates or any(number.is_sure for number in facts.numbers):
            return True
        impersonal += _PERSONS.search(bare) is None
    return impersonal >= MIN_SENTENCES


def _is_short(sentence: str) -> bool:
    return len(words(sentence)) + unspaced_letters(sentence) // LETTERS_OF_A_WORD < MIN_SENTENCE_WORDS
