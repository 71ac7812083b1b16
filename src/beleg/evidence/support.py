"""What a judge or verifier proposes on the support of a claim, in the four words of the sheet (E2, E3).

A proposal needs a written rationale and quotes that really stand in the passages. Where the record lacks what a verdict
needs, the sheet says so and names it; where nobody looked, there is no verdict at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from beleg.core.decision import Sentence
from beleg.core.evidence import Decider, EvidencePassage, SupportDecision, SupportVerdict
from beleg.core.findings import ClaimFinding, Quote, Support
from beleg.evidence.honest_failure import names_a_gap
from beleg.evidence.words import cut, of_names, texts_missing
from beleg.text.quotes import QuoteFinder

RULE = Decider(kind="code", name="record_is_complete", version="1")
"""The rule that finds that a verdict is not possible."""

MAX_RATIONALE_CHARS = 20_000
MAX_MISSING_CHARS = 4_000

VERDICTS = {
    Support.SUPPORTED: SupportVerdict.SUPPORTED,
    Support.PARTIALLY_SUPPORTED: SupportVerdict.PARTIALLY_SUPPORTED,
    Support.CONTRADICTED: SupportVerdict.NOT_SUPPORTED,
    Support.NOT_IN_CONTEXT: SupportVerdict.NOT_SUPPORTED,
}
"""The word of the sheet for each verdict of a judge; that a passage speaks against a claim is told by its rationale."""

_NO_TEXT = Sentence(
    en="Without the words of the passages nobody can tell whether they carry the claim.",
    de="Ohne den Wortlaut der Passagen lässt sich nicht sagen, ob sie die Aussage tragen.",
)
_NO_RATIONALE = Sentence(
    en="A verdict was given without a written reason, and counts for none.",
    de="Ein Urteil wurde ohne schriftliche Begründung abgegeben und gilt nicht.",
)
_THE_RATIONALE = Sentence(en="the written reason of the judge", de="die schriftliche Begründung des Judges")
_GAP = Sentence(
    en="The claim says that the sources lack something; the returned passages alone cannot show that.",
    de="Die Aussage sagt, dass den Quellen etwas fehlt; die zurückgegebenen Passagen allein können das nicht zeigen.",
)
_THE_COLLECTION = Sentence(en="a look through the whole collection", de="eine Prüfung der ganzen Sammlung")


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighing:
    """What a verdict on one claim rests on."""

    passages: Mapping[str, EvidencePassage]
    """The passages of the case, by id."""
    concerned: tuple[str, ...]
    """The passages that the claim cites; where it cites none, all of them."""
    language: str
    finder: QuoteFinder


def support_of(finding: ClaimFinding | None, decider: Decider | None, weighing: Weighing) -> SupportDecision | None:
    """The proposal on a claim.

    Args:
        finding: what was found; ``None`` where nobody judged this claim.
        decider: who found it.
        weighing: the passages that it is about.

    Returns:
        ``None`` where nobody looked and the record would have let them.
    """
    if finding is None or decider is None:
        return _without_texts(weighing)
    if not (finding.rationale or "").strip():
        return _not_assessable(_NO_RATIONALE, _THE_RATIONALE, weighing.language)
    absent = [quote for quote in finding.quotes if not _stands(quote, weighing)]
    if absent:
        return _not_assessable(*_quote_absent(absent), weighing.language)
    if finding.support is Support.NOT_IN_CONTEXT and names_a_gap(finding.claim):
        return _not_assessable(_GAP, _THE_COLLECTION, weighing.language)
    return SupportDecision(
        verdict=VERDICTS[finding.support],
        rationale=_bounded(finding.rationale or "", MAX_RATIONALE_CHARS),
        quotes=finding.quotes,
        flags=finding.flags,
        decider=decider,
    )


def quoted_passages(finding: ClaimFinding | None) -> tuple[str, ...]:
    """The passages that a finding quotes."""
    return tuple(dict.fromkeys(quote.passage_id for quote in finding.quotes)) if finding else ()


def _without_texts(weighing: Weighing) -> SupportDecision | None:
    known = [weighing.passages[name] for name in weighing.concerned if name in weighing.passages]
    untold = [passage.passage_id for passage in known if passage.text is None]
    if not untold or len(untold) < len(known):
        return None
    return _not_assessable(_NO_TEXT, texts_missing(untold), weighing.language)


def _stands(quote: Quote, weighing: Weighing) -> bool:
    passage = weighing.passages.get(quote.passage_id)
    return passage is not None and passage.text is not None and weighing.finder.contains(passage.text, quote.text)


def _quote_absent(quotes: Sequence[Quote]) -> tuple[Sentence, Sentence]:
    told = [f"“{cut(quote.text)}” ({quote.passage_id})" for quote in quotes]
    reason = of_names(
        told,
        "Words are quoted that do not stand in the passage as it is recorded: {}.",
        "Zitierte Wörter stehen nicht in der erfassten Passage: {}.",
    )
    names = list(dict.fromkeys(quote.passage_id for quote in quotes))
    return reason, of_names(names, "the quoted words in {}", "die zitierten Wörter in {}")


def _not_assessable(reason: Sentence, missing: Sentence, language: str) -> SupportDecision:
    return SupportDecision(
        verdict=SupportVerdict.NOT_ASSESSABLE,
        rationale=_bounded(reason.in_language(language), MAX_RATIONALE_CHARS),
        missing=(_bounded(missing.in_language(language), MAX_MISSING_CHARS),),
        decider=RULE,
    )


def _bounded(words: str, most: int) -> str:
    text = words.strip()
    return text if len(text) <= most else f"{text[: most - 1]}…"
