from __future__ import annotations

from typing import Any

import pytest

from beleg.gating.rule_words import rules_told
from unit.gating.building import policy

BAND = {"metric": "hit@5", "pass_at": 0.85, "block_at": 0.78}

RULES: list[tuple[dict[str, Any], str, str, str]] = [
    ({"critical_claims": {"where": {"risk_tier": "high"}}}, "critical_claims", "blocks at once where risk_tier=high",
     "sperrt sofort, wo risk_tier=high"),
    ({"critical_claims": {"flagged": "block"}}, "critical_claims", "rule in code flags blocks", "Regel markierte"),
    ({"evaluator_failures": {"ceiling": 0.02}}, "evaluator_failures", "2.0 % of the rows", "2,0 % der Zeilen"),
    ({"judge": {"minimum_labels": 50}}, "judge", "at least 50 labels", "mindestens 50 Labels"),
    ({"judge": {"uncalibrated": "refuse"}}, "judge", "are an error", "ein Fehler"),
    ({"required_record": ["prompt"]}, "required_record", "must record prompt", "muss prompt aufzeichnen"),
    ({"error_budget": {"period_days": 30, "allowed": 2}}, "error_budget", "In 30 days at most 2", "In 30 Tagen"),
    ({"require_review_dates": True}, "require_review_dates", "review date to come", "künftigen Prüftermin"),
    ({"require_registration": True}, "require_registration", "not registered before", "nicht vor Beginn"),
    ({"block_when_open": ["coverage"]}, "block_when_open", "coverage", "coverage"),
    ({}, "require_baseline", "there is no PASS", "kein PASS"),
    ({"require_baseline": False}, "require_baseline", "may PASS", "darf PASS sein"),
    ({"require_reproducible": True}, "require_reproducible", "not resolved", "offenes Feld"),
    ({}, "allow_subset", "Only a run on the whole suite", "ganzen Suite"),
    ({"allow_subset": True}, "allow_subset", "subset may PASS", "Teilmenge darf"),
    ({"minimum_coverage": 0.9}, "minimum_coverage", "90.0 % of the due cases", "90,0 % der fälligen"),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "field", "english", "german"), RULES)
def test_each_rule_is_said_in_both_languages(fields: dict[str, Any], field: str, english: str, german: str) -> None:
    told = dict(rules_told(policy(BAND, **fields)))[field]
    assert english in told.en.replace("\xa0", " ")
    assert german in told.de.replace("\xa0", " ")


def test_a_rule_that_the_policy_does_not_have_is_not_told() -> None:
    assert [field for field, _ in rules_told(policy(BAND))] == [
        "require_baseline", "allow_subset", "minimum_coverage", "checks",
    ]  # fmt: skip
