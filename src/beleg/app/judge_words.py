"""Why judging stopped, in the reader's language."""

from __future__ import annotations

import re

_GERMAN = (
    (r"the budget of ([\d,]+) calls is used up", r"das Budget von \1 Aufrufen ist verbraucht"),
    (
        r"the budget of ([\d,]+) tokens is used up: the next call might take more than is left",
        r"das Budget von \1 Tokens ist verbraucht: der nächste Aufruf könnte mehr brauchen, als übrig ist",
    ),
    (
        r"the budget of \$(\S+) is used up: the next call might cost more than is left",
        r"das Budget von \1 USD ist verbraucht: der nächste Aufruf könnte mehr kosten, als übrig ist",
    ),
    (r"the (\S+) s of the run are over", r"die \1 s des Laufs sind um"),
    (r"the account may ask no more \((.*)\)", r"das Konto darf nicht mehr fragen (\1)"),
    (
        r"(\d+) requests in a row failed within (\d+) s; the last: (.*)",
        r"\1 Anfragen in Folge schlugen in \2 s fehl; die letzte: \3",
    ),
)


def stop_sentence(reason: str, language: str) -> str:
    """The reason for which nothing more was asked; what a server said stays as it was said.

    Example:
        >>> stop_sentence("not asked: the 5 s of the run are over", "de")
        'nicht gefragt: die 5 s des Laufs sind um'
    """
    bare = reason.removeprefix("not asked: ")
    if language != "de":
        return reason
    for english, german in _GERMAN:
        found = re.fullmatch(english, bare, re.DOTALL)
        if found is not None:
            # Only digits before the words of a server carry a separator of thousands.
            values = [
                value.replace(",", ".") if value.replace(",", "").isdecimal() else value for value in found.groups()
            ]
            text = german
            for number, value in enumerate(values, start=1):
                text = text.replace(f"\\{number}", value, 1)
            return f"nicht gefragt: {text}"
    return reason
