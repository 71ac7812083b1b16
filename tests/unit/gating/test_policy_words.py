from __future__ import annotations

from typing import Any

import pytest

from beleg.core.errors import ConfigError
from beleg.core.policy import Policy, PolicyCheck
from beleg.gating.policy_words import explain_policy
from unit.gating.building import policy

BAND: dict[str, Any] = {"metric": "evidence_recall@5", "pass_at": 0.85, "block_at": 0.78}


def said(language: str, *checks: dict[str, Any], **fields: Any) -> list[str]:
    rules = explain_policy(policy(*checks, **fields))
    return [rule.sentence.in_language(language).replace("\xa0", " ") for rule in rules]


def test_a_band_says_what_passes_what_blocks_and_who_decides_between() -> None:
    assert said("en", BAND)[0] == (
        "Evidence recall@5: PASS needs the lower bound (95 %, one-sided) to reach 0.85, below 0.78 blocks, and between "
        "the two a person decides"
    )
    assert said("de", BAND)[0] == (
        "Recall der Belege@5: PASS verlangt, dass die untere Schranke (95 %, einseitig) 0,85 erreicht, unter 0,78 wird "
        "gesperrt, und dazwischen entscheidet ein Mensch"
    )


def test_where_lower_is_better_the_levels_are_ceilings() -> None:
    told = said("en", {"metric": "failed", "pass_at": 0.05, "block_at": 0.05})[0]
    assert "upper bound" in told
    assert "stay within 5 %, above 5 % blocks" in told
    assert "between the two" not in told


def test_of_level_and_margin_the_stricter_decides() -> None:
    assert "the stricter of the two decides" in said("en", BAND | {"margin": 0.05})[0]
    assert "das strengere von beidem entscheidet" in said("de", BAND | {"margin": 0.05})[0]
    assert "stricter" not in said("en", BAND)[0]


def test_a_protected_segment_says_that_gains_elsewhere_do_not_help() -> None:
    told = said("de", BAND | {"protected": {"margin": 0.05}}, protected_segments=[{"where": {"language": "de"}}])[1]
    assert told.startswith("Jeweils in language=de: ")
    assert "Gewinne anderswo gleichen nichts aus" in told


def test_a_count_that_must_be_zero_says_what_one_event_does() -> None:
    told = said("en", {"metric": "entitlement_leak", "zero_tolerance": True})[0]
    assert "one event blocks at once" in told


def test_a_part_a_companion_and_a_judge_are_named() -> None:
    told = said("en", {"metric": "context_recall", "pass_at": 0.9, "block_at": 0.8, "having": ["required_clauses"],
                       "together_with": ["required_clauses"]},
                {"metric": "required_clauses", "pass_at": 0.9, "block_at": 0.8})  # fmt: skip
    assert "(has=required_clauses)" in told[0]
    assert told[1] == "Context recall passes only together with Required clauses"
    assert "rests on a judge" in told[2]


def test_owner_rationale_and_date_are_told_or_that_there_are_none() -> None:
    kept = said("en", BAND | {"owner": "Search", "rationale": "by harm", "review_by": "2027-01-31"})[1]
    assert "Search answers for it (by harm), looked at again by 2027-01-31" in kept
    assert "nobody answers for it, looked at again by no date" in said("en", BAND)[1]


def test_what_happens_with_missing_scores_and_how_all_is_put_together_comes_last() -> None:
    *_, missing, together = said("en", BAND)
    assert "counts as bad as can be before a PASS, and as good as can be before a BLOCK" in missing
    assert together.startswith("One failed check is BLOCK")


def test_an_unknown_metric_cannot_be_explained() -> None:
    with pytest.raises(ConfigError):
        explain_policy(Policy(policy="p", checks=(PolicyCheck(metric="no_such", margin=0.1),)))
