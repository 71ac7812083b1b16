"""When two cases ask the same thing: one normal form of a question, used for duplicates and for tuning marks."""

from __future__ import annotations

import re
import unicodedata

from beleg.core.case import Case
from beleg.core.digest import digest_of
from beleg.text.normalise import fold_typography

_SENTENCE_MARKS = r"[.,;:!?…\"'()]+"
# A mark inside a word or a number ("3.5", "o'clock") belongs to it, so only those at an edge go.
_EDGE_MARKS = re.compile(rf"(?:(?<=\s)|^){_SENTENCE_MARKS}|{_SENTENCE_MARKS}(?=\s|$)")


def normalised_text(text: str) -> str:
    """Text without differences of case, width, spacing, typography and sentence marks; empty only for blank text.

    Example:
        >>> normalised_text("  Wie lange gilt die „Garantie“? ")
        'wie lange gilt die garantie'
        >>> normalised_text("What is C++ 3.5?") == normalised_text("What is C 35?")
        False
    """
    folded = unicodedata.normalize("NFKC", fold_typography(text)).casefold()
    return " ".join(_EDGE_MARKS.sub(" ", folded).split()) or folded


def question_fingerprint(case: Case) -> str:
    """The identity of what is asked, on whose behalf: equal for cases that a system cannot tell apart.

    Case id, reference and expectations do not enter. The principal does, because the same question asked by
    another tenant is another test.
    """
    turns = [(turn.role.value, turn.content) for turn in case.turns] or [("user", case.question)]
    return digest_of(
        {
            "turns": [[role, normalised_text(content)] for role, content in turns],
            "principal": case.principal.to_json_dict(),
        }
    )
