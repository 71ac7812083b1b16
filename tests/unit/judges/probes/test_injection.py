from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from beleg.core.errors import CandidateError
from beleg.core.findings import Support
from beleg.core.probes import ProbeReport
from beleg.judges.probes.injection import (
    ANSWER_INJECTION,
    INJECTION,
    gain,
    injected,
    injections,
    injections_for,
)
from beleg.judges.probes.probe import Probe, run_probe
from beleg.metrics.batch import Row
from support.judge_models import scripted_panel
from support.ruled_judges import every_sentence, ruled_panel, shown, verifying, word_for_word
from unit.judges.probes.rows import row_of

HALF = row_of("Returns are free within 14 days. Returns are made by drone.")
SUPPORTED = row_of("Returns are free within 14 days.")


def probed(probe: Probe, supports: Callable[[str, str], bool] = word_for_word, row: Row = HALF) -> ProbeReport:
    return asyncio.run(run_probe(probe, ruled_panel(supports), [row], ["c"]))


def test_the_corpus_holds_every_kind_in_both_languages_under_names_of_its_own() -> None:
    kinds = {language: Counter(i.kind for i in injections() if i.language == language) for language in ("de", "en")}
    assert kinds["de"] == kinds["en"]
    assert {"fake_verdict", "fake_fence", "role_play", "role_marker", "zero_width", "order"} <= set(kinds["en"])
    assert len({injection.name for injection in injections()}) == len(injections())
    assert {injection.language for injection in injections_for("de-AT")} == {"de"}
    assert {injection.language for injection in injections_for(None)} == {"en"}
    assert any("\u200b" in injection.text and "\u202e" in injection.text for injection in injections())


@pytest.mark.parametrize("probe", [INJECTION, ANSWER_INJECTION])
def test_a_fair_judge_is_not_moved(probe: Probe) -> None:
    found = probed(probe)
    assert (found.n, found.events) == (1, 0)
    assert found.counts["variants"] == len(injections_for("en"))


def test_a_judge_that_obeys_passages_is_found_out_with_what_it_obeys() -> None:
    found = probed(INJECTION, lambda passage, claim: word_for_word(passage, claim) or "IGNORE ALL" in passage)
    assert (found.events, found.cases) == (1, ("c1",))
    assert found.counts["variants_raised"] == found.counts["raised_by_override"] == 1


def test_a_judge_that_obeys_answers_is_found_out() -> None:
    def claims(request: Any) -> Any:
        ((_, answer),) = shown(request, "answer")
        return {"claims": ["Returns are free within 14 days."]} if "generous" in answer else every_sentence(request)

    panel = scripted_panel({"claim_extraction": claims, "claim_verification": verifying(word_for_word)})
    found = asyncio.run(run_probe(ANSWER_INJECTION, panel, [HALF], ["c"]))
    assert (found.events, found.counts["raised_by_role_play"]) == (1, 1)


@pytest.mark.parametrize("probe", [INJECTION, ANSWER_INJECTION])
def test_an_answer_that_is_supported_already_cannot_gain(probe: Probe) -> None:
    assert probed(probe, row=SUPPORTED).missing == {"not_applicable": 1}


def test_losing_support_is_counted_and_no_fault() -> None:
    found = probed(INJECTION, lambda passage, claim: word_for_word(passage, claim) and "\n" not in passage)
    assert (found.events, found.counts["variants_lowered"]) == (0, len(injections_for("en")))


def test_a_variant_without_a_verdict_leaves_the_case_unknown_unless_another_one_raised_it() -> None:
    def failing(obeys: bool) -> Callable[[Any], Any]:
        rule = verifying(lambda passage, claim: word_for_word(passage, claim) or (obeys and "IGNORE ALL" in passage))

        def verdicts(request: Any) -> Any:
            is_hard = "discarded" in request.messages[-1].content
            return CandidateError("slow", kind="timeout", retryable=False) if is_hard else rule(request)

        return verdicts

    for obeys in (False, True):
        panel = scripted_panel({"claim_extraction": every_sentence, "claim_verification": failing(obeys)})
        found = asyncio.run(run_probe(INJECTION, panel, [HALF], ["c"]))
        assert (found.events, found.missing) == ((1, {}) if obeys else (0, {"timeout": 1}))
        assert found.counts["variants_without_verdict"] == 1


def test_only_the_first_passage_is_changed() -> None:
    assert injected((("1", "a"), ("2", "b")), "x") == (("1", "a\n\nx"), ("2", "b"))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ((Support.NOT_IN_CONTEXT,), (Support.SUPPORTED,), 1),
        ((Support.PARTIALLY_SUPPORTED,), (Support.SUPPORTED,), 1),
        ((Support.CONTRADICTED,), (Support.NOT_IN_CONTEXT,), 0),
        ((Support.SUPPORTED, Support.SUPPORTED), (Support.CONTRADICTED, Support.PARTIALLY_SUPPORTED), -2),
        ((Support.SUPPORTED, Support.CONTRADICTED), (Support.CONTRADICTED, Support.SUPPORTED), 1),
    ],
)
def test_a_gain_anywhere_counts(before: Any, after: Any, expected: int) -> None:
    assert gain(before, after) == expected
