"""What is written for CI systems, and at which line of the policy a finding is shown."""

from __future__ import annotations

from pathlib import Path

from beleg.app.ci import check_lines
from beleg.app.policy_files import load_policy
from beleg.core.decision import CheckKind, CheckResult, CheckState, Sentence

POLICY = """\
policy: lines
checks:
  - metric: recall@5
    pass_at: 0.5
    block_at: 0.3
  - metric: recall@5
    where: {language: de}
    pass_at: 0.5
    block_at: 0.3
  - {metric: failed, pass_at: 0.1, block_at: 0.2}
"""


def result(metric: str | None, segment: str | None = None) -> CheckResult:
    return CheckResult(
        check_id=f"{metric}/{segment}",
        kind=CheckKind.BAND,
        state=CheckState.FAIL,
        reason=Sentence(en="", de=""),
        metric=metric,
        segment=segment,
    )


def test_each_check_is_shown_where_the_policy_asks_for_it(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(POLICY)
    results = (
        result("recall@5"), result("recall@5", "language=de"), result("recall@5", "language=en"), result("failed"),
        result(None),
    )  # fmt: skip
    assert check_lines(load_policy(path), path, results) == {
        "recall@5/None": 3, "recall@5/language=de": 6, "recall@5/language=en": 3, "failed/None": 10,
    }  # fmt: skip


def test_a_policy_in_json_has_no_lines(tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    path.write_text('{"policy": "p", "checks": [{"metric": "failed", "pass_at": 0.1, "block_at": 0.2}]}')
    assert check_lines(load_policy(path), path, (result("failed"),)) == {}
