"""The words of an evidence sheet: verdicts, deciders and numbers in both languages, each verdict with a shape."""

from __future__ import annotations

from beleg.core.decision import Sentence
from beleg.core.evidence import AttributionVerdict, Decider, HonestFailure, ObservationCode, SupportVerdict
from beleg.core.sheet_export import NOBODY, SheetFilter
from beleg.report.figures import both
from beleg.report.words import phrase
from beleg.text.numbers import number

DIGEST_DIGITS = 8
"""So much of a digest is shown where it names a version; the exports for programs hold all of it."""

SUPPORT_SHAPES = {
    SupportVerdict.SUPPORTED: "●",
    SupportVerdict.PARTIALLY_SUPPORTED: "◐",
    SupportVerdict.NOT_SUPPORTED: "■",
    SupportVerdict.NOT_ASSESSABLE: "○",
}
ATTRIBUTION_SHAPES = {
    AttributionVerdict.ATTACHED: "●",
    AttributionVerdict.MISSING: "□",
    AttributionVerdict.WRONG_TARGET: "■",
    AttributionVerdict.UNRESOLVABLE: "▲",
    AttributionVerdict.NOT_ASSESSABLE: "○",
}


def attribution_word(verdict: AttributionVerdict) -> Sentence:
    """A verdict on attribution as the article writes it.

    Example:
        >>> attribution_word(AttributionVerdict.MISSING).de
        'fehlt'
    """
    if verdict is AttributionVerdict.NOT_ASSESSABLE:
        return phrase("sheet.attribution_not_assessable")
    return phrase(f"sheet.{verdict.value}")


def support_word(verdict: SupportVerdict) -> Sentence:
    """A verdict on support as the article writes it.

    Example:
        >>> support_word(SupportVerdict.PARTIALLY_SUPPORTED).de
        'teilweise gestützt'
    """
    return phrase(f"sheet.{verdict.value}")


def honest_failure_word(outcome: HonestFailure) -> Sentence:
    """How the answer dealt with what the collection does not hold."""
    return phrase(f"sheet.{outcome.value}")


def decider_word(decider: Decider) -> Sentence:
    """Who decided: the name, the version where there is one, and the kind; of a digest the first digits.

    Example:
        >>> decider_word(Decider(kind="llm", name="judge-1", version=f"sha256:{'ab12' * 16}")).de
        'judge-1 ab12ab12 (Modell)'
    """
    version = (decider.version or "").removeprefix("sha256:")
    version = version[:DIGEST_DIGITS] if version != (decider.version or "") else version
    name = f"{decider.name} {version}" if version else decider.name
    kind = phrase(f"sheet.kind_{decider.kind}")
    return Sentence(en=f"{name} ({kind.en})", de=f"{name} ({kind.de})")


def counted(key: str, amount: int) -> Sentence:
    """A number of claims or answers with its noun.

    Example:
        >>> counted("claims", 1_200).de
        '1.200 Aussagen'
    """
    if amount == 1:
        return phrase(f"sheet.{key}_one")
    return phrase(f"sheet.{key}_many", n=both(lambda lang: number(amount, lang, decimals=0)))


def filter_words(wanted: SheetFilter) -> Sentence:
    """A filter in words: each field and its values.

    Example:
        >>> filter_words(SheetFilter(cases=("Q-017",), machine=("nobody",))).en
        'Case Q-017; Machine proposal: no proposal: nobody has judged'
    """
    told = [
        _named("sheet.case", wanted.cases),
        _plain("segment", "Segment", wanted.segments),
        _named("sheet.language", wanted.languages),
        _worded("sheet.attribution", [attribution_word(verdict) for verdict in wanted.attribution]),
        _worded("sheet.machine", [_support(verdict, "sheet.nobody_proposed") for verdict in wanted.machine]),
        _worded("sheet.human", [_support(verdict, "sheet.nobody_decided") for verdict in wanted.human]),
        _named("sheet.reviewers", wanted.reviewers),
        _named("sheet.observation", tuple(ObservationCode(code).value for code in wanted.observations)),
        _plain("text", "Text", () if wanted.text is None else (f"“{wanted.text}”",)),
    ]
    return both(lambda lang: "; ".join(each.in_language(lang) for each in told if each is not None))


def _support(verdict: SupportVerdict | str, nobody: str) -> Sentence:
    return phrase(nobody) if verdict == NOBODY else support_word(SupportVerdict(verdict))


def _named(key: str, values: tuple[str, ...]) -> Sentence | None:
    head = phrase(key)
    return _plain(head.en, head.de, values)


def _plain(en: str, de: str, values: tuple[str, ...]) -> Sentence | None:
    listed = ", ".join(values)
    return Sentence(en=f"{en} {listed}", de=f"{de} {listed}") if values else None


def _worded(key: str, values: list[Sentence]) -> Sentence | None:
    if not values:
        return None
    head = phrase(key)
    return both(lambda lang: f"{head.in_language(lang)}: {', '.join(value.in_language(lang) for value in values)}")
