"""Honest failure: whether a system said what the collection cannot answer; a result as good as any other (E5)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from beleg.core.case import Case, ExpectedBehaviour
from beleg.core.evidence import HonestFailure
from beleg.core.findings import Support
from beleg.core.trace import Output
from beleg.metrics.generation.refusal import bare_answer, refused
from beleg.text.normalise import fold_typography
from beleg.text.refusal import only_declines_or_greets
from beleg.text.sentences import sentences

MAX_SENTENCE_CHARS = 2_000
"""Of a longer sentence only the beginning is read."""

_SOURCE = re.compile(
    r"\b(?:quellen?|dokumente?n?|unterlagen|passagen?|texte?|textstellen?|kontext|informationen|angaben|sammlung|"
    r"sources?|documents?|passages?|texts?|context|information|collection|pages?)\b",
    re.IGNORECASE,
)
_LACKS = re.compile(
    r"\b(?:nenn(?:t|en)|sag(?:t|en)|enth(?:ält|alten)|mach(?:t|en)|beschreib(?:t|en)|g(?:ibt|eben)|steh(?:t|en)|"
    r"erwähn(?:t|en)|find(?:et|en)|lieg(?:t|en))\b[^.;!?]{0,80}?\b(?:nicht|nichts|kein(?:e|en|em|er|es)?)\b"
    r"|\b(?:do|does|did) not (?:\w+ )?(?:state|say|mention|name|give|contain|provide|specify|cover|tell|include|"
    r"describe)\b"
    r"|\b(?:don't|doesn't) (?:\w+ )?(?:state|say|mention|name|give|contain|provide|specify|cover|tell|include|"
    r"describe)\b"
    r"|\b(?:state|say|mention|name|give|contain|provide|specify|cover|include|describe)s? (?:no|nothing|neither)\b",
    re.IGNORECASE,
)


def names_a_gap(text: str) -> bool:
    """Whether a German or English text says of its sources that they do not say something.

    Example:
        >>> names_a_gap("Die verfügbaren Quellen nennen den Beginn, nennen aber keine Abschlussdauer.")
        True
        >>> names_a_gap("Final-sale articles do not include a right of return.")
        False
    """
    return any(_names_a_gap(sentence[:MAX_SENTENCE_CHARS]) for sentence in sentences(fold_typography(text)))


def honest_failure_of(case: Case, output: Output, found: Iterable[Support]) -> HonestFailure | None:
    """How the system dealt with what the collection is known not to answer.

    ``not_due`` where the case expects an answer and names no gap. ``declined`` where the answer as a whole declines.
    ``answered_anyway`` where the case expects no answer and there is one without a bound, or a judge found a claim that
    no passage carries. ``bounded`` where the answer names what the sources do not say, and nothing speaks against
    the rest.

    Args:
        case: the case, with its expected behaviour and known gaps.
        output: what was answered.
        found: the verdicts of a judge on its claims, those that name a gap left out; empty where nobody judged.

    Returns:
        ``None`` where nobody can tell.
    """
    if case.expected_behaviour is ExpectedBehaviour.ANSWER and not case.known_gaps:
        return HonestFailure.NOT_DUE
    declined = refused(output, language=case.language)
    if declined is True:
        return HonestFailure.DECLINED
    if declined is not False:
        return None
    verdicts = list(found)
    if any(verdict in (Support.NOT_IN_CONTEXT, Support.CONTRADICTED) for verdict in verdicts):
        return HonestFailure.ANSWERED_ANYWAY
    if names_a_gap(bare_answer(output)):
        return HonestFailure.BOUNDED
    return HonestFailure.ANSWERED_ANYWAY if case.expected_behaviour is ExpectedBehaviour.ABSTAIN else None


def _names_a_gap(sentence: str) -> bool:
    if _SOURCE.search(sentence) and _LACKS.search(sentence):
        return True
    return (
        only_declines_or_greets(sentence)
        and re.search(r"\w", sentence) is not None
        and _LACKS.search(sentence) is not None
    )
