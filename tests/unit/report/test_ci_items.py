"""What a CI system is told: nothing that is open looks done."""

from __future__ import annotations

from beleg.core.decision import CheckState, Verdict
from beleg.report.ci_items import DECISION_ITEM, ci_items
from support.report_data import build_report

DECISION = build_report().decision


def test_the_decision_comes_first_and_every_check_follows_once() -> None:
    items = ci_items(DECISION, "en")
    assert (items[0].item_id, items[0].state) == (DECISION_ITEM, Verdict.BLOCK)
    assert [item.item_id for item in items[1:]] == [check.check_id for check in DECISION.checks]


def test_only_pass_passes() -> None:
    for item in ci_items(DECISION, "de")[1:]:
        assert item.passed is (item.state is CheckState.PASS)
        assert item.is_breach is (item.state is CheckState.FAIL)
    review = DECISION.model_copy(update={"verdict": Verdict.REVIEW})
    assert not ci_items(review, "en")[0].passed


def test_messages_speak_the_language_asked_for() -> None:
    english, german = (ci_items(DECISION, language)[0] for language in ("en", "de"))
    assert english.title == "Decision"
    assert german.title == "Entscheidung"
    assert english.message != german.message
