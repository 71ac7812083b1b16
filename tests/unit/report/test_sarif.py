"""SARIF 2.1.0: what code hosts need to show a finding once, at its line."""

from __future__ import annotations

import json

from beleg.core.decision import CheckState, Verdict
from beleg.report.sarif import sarif_json
from support.report_data import build_report

DECISION = build_report().decision


def run(**changes: object) -> dict:
    text = sarif_json(
        DECISION.model_copy(update=changes), policy_file="gate/policy.yaml", lines={DECISION.checks[0].check_id: 17}
    )
    document = json.loads(text)
    assert document["version"] == "2.1.0"
    (only,) = document["runs"]
    return only


def test_every_result_points_at_its_rule_and_at_a_line_of_the_policy() -> None:
    found = run()
    rules = found["tool"]["driver"]["rules"]
    assert found["results"]
    for result in found["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "gate/policy.yaml"
        assert place["region"]["startLine"] >= 1


def test_what_blocks_is_an_error_and_what_is_open_a_warning() -> None:
    levels = {result["ruleId"]: result["level"] for result in run()["results"]}
    for check in DECISION.checks:
        expected = {CheckState.PASS: None, CheckState.FAIL: "error"}.get(check.state, "warning")
        assert levels.get(check.check_id) == expected


def test_a_pass_has_no_result_and_keeps_its_rules() -> None:
    passed = DECISION.checks[0].model_copy(update={"state": CheckState.PASS})
    found = run(verdict=Verdict.PASS, checks=(passed,))
    assert found["results"] == []
    assert len(found["tool"]["driver"]["rules"]) == 2


def test_a_finding_keeps_its_fingerprint_whatever_its_figures_are() -> None:
    other = DECISION.checks[0].model_copy(update={"state": CheckState.FAIL, "reason": DECISION.headline})
    first = {each["ruleId"]: each["partialFingerprints"] for each in run()["results"]}
    second = {each["ruleId"]: each["partialFingerprints"] for each in run(checks=(other,))["results"]}
    assert all(first[rule] == second[rule] for rule in first.keys() & second.keys())
    assert len({json.dumps(print_) for print_ in first.values()}) == len(first)


def test_whatever_has_a_level_is_of_the_kind_that_may_have_one() -> None:
    """SARIF 2.1.0, 3.27.10: a result of any kind but "fail" has the level "none", and would be shown nowhere."""
    kinds = {(result["kind"], result["level"]) for result in run()["results"]}
    assert kinds == {("fail", "error"), ("fail", "warning")}


def test_the_place_of_the_policy_is_a_uri() -> None:
    document = json.loads(sarif_json(DECISION, policy_file="meine Regeln/100 %.yaml"))
    (first, *_) = document["runs"][0]["results"]
    assert first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "meine%20Regeln/100%20%25.yaml"
