"""A proposal on support has a written reason and real quotes, or the sheet says what it lacks."""

from __future__ import annotations

import pytest

from beleg.core.evidence import Decider, EvidencePassage, SupportVerdict
from beleg.core.findings import ClaimFinding, Quote, Support
from beleg.evidence.support import VERDICTS, Weighing, quoted_passages, support_of
from beleg.text.quotes import QuoteFinder

JUDGE = Decider(kind="llm", name="judge-1")
TEXT = "Rückgabe innerhalb von 30 Tagen."


def weighing(text: str | None = TEXT, language: str = "de") -> Weighing:
    passage = EvidencePassage(rank=1, passage_id="p1", document_id="d1", text=text)
    return Weighing(passages={"p1": passage}, concerned=("p1",), language=language, finder=QuoteFinder())


def finding(**fields: object) -> ClaimFinding:
    given: dict[str, object] = {
        "claim_id": "1",
        "claim": "30 Tage.",
        "support": Support.SUPPORTED,
        "rationale": "Steht da.",
        "quotes": (Quote(passage_id="p1", text="30 Tagen", match="exact"),),
    }
    return ClaimFinding.model_validate(given | fields)


@pytest.mark.parametrize(("found", "verdict"), VERDICTS.items())
def test_every_verdict_of_a_judge_has_its_word(found: Support, verdict: SupportVerdict) -> None:
    decision = support_of(finding(support=found), JUDGE, weighing())
    assert decision is not None
    assert (decision.verdict, decision.rationale, decision.decider) == (verdict, "Steht da.", JUDGE)


def test_contradicted_and_not_in_context_are_both_not_supported() -> None:
    assert VERDICTS[Support.CONTRADICTED] is VERDICTS[Support.NOT_IN_CONTEXT] is SupportVerdict.NOT_SUPPORTED


@pytest.mark.parametrize("rationale", [None, "", " \n "])
def test_a_verdict_without_a_written_reason_is_none(rationale: str | None) -> None:
    decision = support_of(finding(rationale=rationale), JUDGE, weighing())
    assert decision is not None
    assert (decision.verdict, decision.missing) == (
        SupportVerdict.NOT_ASSESSABLE,
        ("die schriftliche Begründung des Judges",),
    )


@pytest.mark.parametrize("quote", [("p1", "14 Tagen"), ("p2", "30 Tagen"), ("p1", "0 Tagen")])
def test_a_quote_that_does_not_stand_takes_the_verdict_along(quote: tuple[str, str]) -> None:
    quotes = (Quote(passage_id=quote[0], text=quote[1], match="exact"),)
    decision = support_of(finding(quotes=quotes), JUDGE, weighing(language="en"))
    assert decision is not None
    assert decision.verdict is SupportVerdict.NOT_ASSESSABLE
    assert decision.missing == (f"the quoted words in {quote[0]}",)


def test_flags_of_deterministic_checks_are_kept() -> None:
    decision = support_of(finding(flags=("number: 31 is not in the evidence",)), JUDGE, weighing())
    assert decision is not None
    assert decision.flags == ("number: 31 is not in the evidence",)


def test_where_nobody_looked_there_is_no_verdict() -> None:
    assert support_of(None, None, weighing()) is None


def test_without_the_words_of_the_passage_nobody_could_have_looked() -> None:
    decision = support_of(None, None, weighing(None, "en"))
    assert decision is not None
    assert (decision.verdict, decision.missing) == (SupportVerdict.NOT_ASSESSABLE, ("the text of p1",))
    assert decision.decider.kind == "code"


def test_a_claim_about_a_gap_needs_the_whole_collection() -> None:
    gap = finding(claim="Die Quellen nennen keine Dauer.", support=Support.NOT_IN_CONTEXT, quotes=())
    decision = support_of(gap, JUDGE, weighing())
    assert decision is not None
    assert (decision.verdict, decision.missing) == (
        SupportVerdict.NOT_ASSESSABLE,
        ("eine Prüfung der ganzen Sammlung",),
    )


def test_an_endless_reason_is_cut_and_not_lost() -> None:
    decision = support_of(finding(rationale="x" * 50_000), JUDGE, weighing())
    assert decision is not None
    assert decision.rationale.endswith("x…")


def test_quoted_passages_are_named_once() -> None:
    quotes = tuple(Quote(passage_id=name, text="a", match="exact") for name in ("p2", "p1", "p2"))
    assert quoted_passages(finding(quotes=quotes)) == ("p2", "p1")
    assert quoted_passages(None) == ()
