"""Annotations: short enough to be shown, and no name can end a command or begin another."""

from __future__ import annotations

import json
import re

import pytest

from beleg.core.decision import CheckState, Sentence, Verdict
from beleg.report.annotations import MAX_ANNOTATIONS, github_annotations, gitlab_code_quality
from support.report_data import HOSTILE, build_report

DECISION = build_report().decision
COMMAND = re.compile(r"::(error|warning|notice) file=[^:,]+,line=\d+,title=[^:,\n\r]*::[^\n\r]*")


def test_each_annotation_is_one_command_that_names_the_policy() -> None:
    told = github_annotations(DECISION, policy_file="policy.yaml")
    assert all(COMMAND.fullmatch(line) for line in told)
    assert told[0].startswith("::error file=policy.yaml,line=1,title=BLOCK%3A Decision::")


def test_pass_is_a_notice() -> None:
    (only,) = github_annotations(DECISION.model_copy(update={"verdict": Verdict.PASS}), policy_file="p.yaml")
    assert only.startswith("::notice ")


def test_no_more_are_sent_than_are_shown() -> None:
    failed = DECISION.checks[0].model_copy(update={"state": CheckState.FAIL})
    still = failed.model_copy(update={"state": CheckState.ERROR})
    many = DECISION.model_copy(update={"checks": (failed,) * 30 + (still,) * 30})
    levels = [line.split(" ")[0] for line in github_annotations(many, policy_file="p.yaml")]
    assert (levels.count("::error"), levels.count("::warning")) == (MAX_ANNOTATIONS, MAX_ANNOTATIONS)


@pytest.mark.parametrize(
    "payload", [*HOSTILE, "x\n::error::owned", "a%0A::set-output", "a\r::stop-commands::t", "a:b,c=d"]
)
def test_hostile_text_stays_in_its_command(payload: str) -> None:
    said = Sentence(en=payload, de=payload)
    check = DECISION.checks[0].model_copy(update={"reason": said, "segment": payload, "state": CheckState.FAIL})
    hostile = DECISION.model_copy(update={"headline": said, "checks": (check,)})
    for line in github_annotations(hostile, policy_file=payload):
        assert len(line.splitlines()) == 1
        assert line.count("::") == 2 + line.split("::", 2)[2].count("::")
        assert line.startswith("::error file=")


def test_gitlab_gets_a_severity_and_a_stable_fingerprint() -> None:
    issues = json.loads(gitlab_code_quality(DECISION, policy_file="policy.yaml", lines={}))
    severities = {issue["check_name"]: issue["severity"] for issue in issues}
    for check in DECISION.checks:
        expected = {CheckState.PASS: None, CheckState.FAIL: "blocker"}.get(check.state, "minor")
        assert severities.get(check.check_id) == expected
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)
    assert all(issue["location"] == {"path": "policy.yaml", "lines": {"begin": 1}} for issue in issues)
