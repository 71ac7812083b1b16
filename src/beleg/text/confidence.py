"""What an answer says of its own confidence, in German or English: read where it is plain, never guessed (A9)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from beleg.text.normalise import fold_typography

_NAME = (
    r"(?:my |meine )?(?:confidence|certainty|konfidenz|zuversicht|sicherheit|gewissheit|gewißheit)"
    r"(?:[ -]?(?:level|score|value|wert|grad))?"
)
_NUMBER = r"(?P<number>-?\d{1,4}(?:[.,]\d{1,6})?)"
# A number without a scale ends the statement: "Sicherheit: 5 Sterne" tells of something else.
_SCALE = (
    r"(?: ?(?P<percent>%|percent\b|per cent\b|prozent\b)| ?(?:/|out of|von) ?(?P<top>\d{1,4}(?:[.,]\d{1,6})?)\b|"
    r"(?=[ *_]{0,4}(?:$|[.;,)\]])))"
)
# Nothing may follow that makes it another number: a range, a longer decimal, a plus-minus.
_END = r"(?![\d%]|[.,]\d| ?(?:-|to|bis|\+/-|±) ?\d)"
_EDGE = r"(?:^|(?<=[\s(\[*_>\"]))"

_LABELLED = re.compile(
    rf"{_EDGE}{_NAME}(?: ?\([^()]{{1,40}}\))? ?[*_]{{0,3}} ?(?::|=|is\b|ist\b|beträgt\b|liegt bei\b)[ *_~]{{0,4}}"
    rf"(?:(?:about|approximately|around|etwa|ca\.|rund) )?{_NUMBER}{_SCALE}{_END}",
    re.IGNORECASE,
)
_SPOKEN = re.compile(
    rf"\b(?:i am|i'm|ich bin(?: mir)?(?: zu)?|bin ich(?: mir)?(?: zu)?) (?:(?:about|around|etwa|rund) )?"
    rf"{_NUMBER} ?(?P<percent>%|percent|per cent|prozent)(?P<top>)? (?:confident|sure|certain|sicher)\b",
    re.IGNORECASE,
)
_WITH = re.compile(
    rf"\b(?:with|mit) (?:einer )?(?:(?:about|around|etwa|rund) )?{_NUMBER}(?: ?(?P<percent>%|percent|per cent|prozent)|"
    rf"(?P<adjective>-prozentiger))(?P<top>)? (?:confidence|certainty|konfidenz|sicherheit|zuversicht)\b",
    re.IGNORECASE,
)
_FORMS = (_LABELLED, _SPOKEN, _WITH)
_DEGREE = r"(?:(?:very|quite|sehr|eher|ziemlich) )?(?:high|medium|moderate|low|hoch|mittel|mäßig|gering|niedrig)\b"
_LABEL = rf"{_NAME}(?: ?\([^()\n]{{1,40}}\))? ?[*_]{{0,3}} ?[:=][ \t*_~]{{0,4}}"
# A label with a degree in words, or with figures that may be no single number: "Confidence: high", "80-90 %".
_LABELLED_ANYHOW = re.compile(
    rf"{_EDGE}{_LABEL}(?=[.,-]?\d(?![\d.,]* [a-zäöü]{{3,}})|{_DEGREE}|n/a\b|unknown\b|unbekannt\b)", re.IGNORECASE
)
_OWN_STATEMENT = re.compile(
    rf"(?:^|(?<=\s))[*_(\[]{{0,3}}{_LABEL}(?:[.,-]?\d[^\n.!?]{{0,60}}(?:[.,]\d[^\n.!?]{{0,30}})?|{_DEGREE})"
    rf"[.!?)\]*_]{{0,4}}\s*$",
    re.IGNORECASE,
)
MAX_CHARS = 200_000
_TAIL = 400
_AMBIGUOUS = "may be a share or a percentage"


@dataclass(frozen=True, slots=True)
class StatedConfidence:
    """What was read: a share from 0 to 1, or why there is none."""

    value: float | None = None
    fault: str | None = None
    """Why a statement could not be read; ``None`` with no value means that nothing was stated."""


def stated_confidence(answer: str) -> StatedConfidence:
    """The confidence that an answer states of itself.

    Read are ``Confidence: 80 %``, ``0.8``, ``8/10``, ``4 von 5``, "I am 80 % sure", "Ich bin mir zu 80 % sicher" and
    their like; a bare number from 2 to 100 is a percentage. Words such as "high", ranges, numbers out of range, a bare
    1, and two statements that differ are faults: they are counted and never guessed at.

    Args:
        answer: the answer as the candidate gave it.

    Returns:
        The share, or the reason why a statement cannot be read, or neither where nothing is stated.

    Example:
        >>> stated_confidence("Paris. Confidence: 80 %").value
        0.8
        >>> stated_confidence("Paris. Konfidenz: hoch").fault
        'a confidence is named and no number with it can be read'
    """
    lines = [fold_typography(line) for line in answer[:MAX_CHARS].splitlines()]
    read = [_share(found) for line in lines for form in _FORMS for found in form.finditer(line)]
    faults = [each for each in read if isinstance(each, str)]
    if faults:
        return StatedConfidence(fault=faults[0])
    values = {round(each, 9) for each in read if isinstance(each, float)}
    if len(values) > 1:
        return StatedConfidence(fault=f"{len(values)} confidences are stated that differ")
    if any(_names_without_number(line) for line in lines):
        return StatedConfidence(fault="a confidence is named and no number with it can be read")
    return StatedConfidence(value=values.pop() if values else None)


def without_confidence(answer: str) -> str:
    r"""The answer without a labelled statement of confidence at its end, which is no part of what was asked.

    Example:
        >>> without_confidence("Paris.\nConfidence: 80 %")
        'Paris.'
        >>> without_confidence("I am 80 % sure that it is Paris.")
        'I am 80 % sure that it is Paris.'
    """
    cut = max(0, len(answer) - _TAIL)
    head, tail = answer[:cut], answer[cut:]
    found = _OWN_STATEMENT.search(tail)
    return answer if found is None else f"{head}{tail[: found.start()]}".rstrip()


def _names_without_number(text: str) -> bool:
    read = {found.start() for found in _LABELLED.finditer(text)}
    return any(found.start() not in read for found in _LABELLED_ANYHOW.finditer(text))


def _share(found: re.Match[str]) -> float | str:
    written = found["number"]
    number = float(written.replace(",", "."))
    top = found["top"]
    is_percent = bool(found["percent"]) or bool(found.groupdict().get("adjective"))
    if top:
        number, written = _over(number, float(top.replace(",", "."))), f"{written} of {top}"
    elif is_percent or number > 1:
        number, written = number / 100, f"{written} %"
    elif number == 1 and written == "1":
        return f"the confidence {written} {_AMBIGUOUS}"
    return number if 0 <= number <= 1 else f"the confidence {written} is out of range"


def _over(number: float, top: float) -> float:
    return number / top if top > 0 else -1.0
