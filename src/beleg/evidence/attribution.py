"""Whether a source is attached to a claim, as a rule in code; what the source says is another question (E3)."""

from __future__ import annotations

from collections.abc import Sequence

from beleg.core.decision import Sentence
from beleg.core.evidence import AttributionDecision, AttributionVerdict, Decider, ShownCitation
from beleg.evidence.citations import storable
from beleg.evidence.claims import AnswerClaim
from beleg.evidence.words import of_names
from beleg.metrics.generation.cited_sentences import CitedAnswer

RULE = Decider(kind="code", name="citations_as_shown", version="1")
"""The rule that decides on attribution."""

_NOT_RECORDED = Sentence(
    en="Citations were not recorded, and the answer holds no mark: how they were shown is not known.",
    de="Zitate wurden nicht erfasst, und die Antwort enthält keine Marke: wie sie dargestellt wurden, ist unbekannt.",
)
_NO_ONE_PLACE = Sentence(
    en="The claim fits several sentences of the answer equally well, and not all of them carry a citation.",
    de="Die Aussage passt zu mehreren Sätzen der Antwort gleich gut, und nicht alle tragen ein Zitat.",
)
_MISSING = Sentence(
    en="No citation stands on the claim or its sentence.",
    de="An der Aussage oder ihrem Satz steht kein Zitat.",
)


def attribution_of(
    claim: AnswerClaim,
    citations: Sequence[ShownCitation],
    cited: CitedAnswer,
    *,
    were_recorded: bool,
    language: str,
) -> AttributionDecision:
    """Whether a citation is attached to a claim.

    ``attached``: a citation on the claim or its sentence names a returned passage. ``unresolvable``: none of its
    citations does. ``missing``: it carries none. ``not_assessable``: the record does not tell how citations were
    shown, or leaves open whether one that was shown belongs here.

    Args:
        claim: the claim.
        citations: the citations shown on it.
        cited: the whole answer.
        were_recorded: whether the candidate recorded citations at all.
        language: the language of the reason.
    """
    verdict, reason = _verdict(claim, citations, cited, were_recorded=were_recorded)
    return AttributionDecision(verdict=verdict, rationale=reason.in_language(language), decider=RULE)


def _verdict(
    claim: AnswerClaim, citations: Sequence[ShownCitation], cited: CitedAnswer, *, were_recorded: bool
) -> tuple[AttributionVerdict, Sentence]:
    carrying = [number for number in claim.sentences if cited.sentences[number].shown]
    if citations and len(carrying) < len(claim.sentences):
        return AttributionVerdict.NOT_ASSESSABLE, _NO_ONE_PLACE
    if citations:
        return _of_shown(citations)
    if not were_recorded and not cited.marks:
        return AttributionVerdict.NOT_ASSESSABLE, _NOT_RECORDED
    if cited.unplaced:
        return AttributionVerdict.NOT_ASSESSABLE, of_names(
            list(dict.fromkeys(storable(citation.marker) for citation in cited.unplaced)),
            "The record does not tell on which claim these citations stand: {}.",
            "Der Datensatz sagt nicht, an welcher Aussage diese Zitate stehen: {}.",
        )
    return AttributionVerdict.MISSING, _MISSING


def _of_shown(citations: Sequence[ShownCitation]) -> tuple[AttributionVerdict, Sentence]:
    resolved = list(dict.fromkeys(each.marker for each in citations if each.passages))
    lost = list(dict.fromkeys(each.marker for each in citations if not each.passages))
    no_passage = of_names(
        lost, "{} names no passage that was returned.", "{} nennt keine Passage, die zurückgegeben wurde."
    )
    if not resolved:
        return AttributionVerdict.UNRESOLVABLE, no_passage
    attached = of_names(
        resolved,
        "{} is attached to the claim or its sentence, and names a returned passage.",
        "{} ist an der Aussage oder ihrem Satz angehängt und nennt eine zurückgegebene Passage.",
    )
    if lost:
        attached = Sentence(en=f"{attached.en} {no_passage.en}", de=f"{attached.de} {no_passage.de}")
    return AttributionVerdict.ATTACHED, attached
