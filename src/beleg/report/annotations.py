"""A decision as annotations of a CI system: GitHub's workflow commands, GitLab's code quality report."""

from __future__ import annotations

import json
from collections.abc import Mapping

from beleg.core.decision import Decision
from beleg.core.digest import digest_of
from beleg.report.ci_items import CheckItem, ci_items
from beleg.report.safe import one_line

MAX_ANNOTATIONS = 10
"""GitHub shows ten errors and ten warnings of a step, and drops the rest."""

MAX_MESSAGE_CHARS = 1_000


def github_annotations(
    decision: Decision, *, policy_file: str, language: str = "en", lines: Mapping[str, int] | None = None
) -> list[str]:
    """Workflow commands, one per line: an error for what blocks, a warning for what is open, a notice for PASS.

    Values are escaped, so that no name or sentence can close the command or begin another one.

    Args:
        decision: what was decided.
        policy_file: the policy relative to the repository.
        language: ``en`` or ``de``.
        lines: for check ids, the line of the policy that asks for them.
    """
    whole, *checks = ci_items(decision, language, lines)
    if whole.passed:
        return [_command("notice", whole, policy_file)]
    items = [item for item in (whole, *checks) if not item.passed]
    errors = [item for item in items if item.is_breach][:MAX_ANNOTATIONS]
    warnings = [item for item in items if not item.is_breach][:MAX_ANNOTATIONS]
    return [
        *(_command("error", item, policy_file) for item in errors),
        *(_command("warning", item, policy_file) for item in warnings),
    ]


def _command(level: str, item: CheckItem, policy_file: str) -> str:
    title = _property(f"{item.state.value}: {item.title}")
    return f"::{level} file={_property(policy_file)},line={item.line},title={title}::{_data(item.message)}"


def _data(text: str) -> str:
    cut = text if len(text) <= MAX_MESSAGE_CHARS else f"{text[: MAX_MESSAGE_CHARS - 1]}…"
    for character, escape in (("%", "%25"), ("\r", "%0D"), ("\n", "%0A")):
        cut = cut.replace(character, escape)
    return cut


def _property(text: str) -> str:
    return _data(one_line(text)).replace(":", "%3A").replace(",", "%2C")


def gitlab_code_quality(
    decision: Decision, *, policy_file: str, language: str = "en", lines: Mapping[str, int] | None = None
) -> str:
    """GitLab's code quality report: a blocker for what blocks, a minor issue for what is open.

    Args:
        decision: what was decided.
        policy_file: the policy relative to the repository.
        language: ``en`` or ``de``.
        lines: for check ids, the line of the policy that asks for them.
    """
    issues = [
        {
            "description": f"{item.state.value}: {item.title}: {item.message}"[:MAX_MESSAGE_CHARS],
            "check_name": item.item_id,
            "fingerprint": digest_of(item.item_id).removeprefix("sha256:"),
            "severity": "blocker" if item.is_breach else "minor",
            "location": {"path": policy_file, "lines": {"begin": item.line}},
        }
        for item in ci_items(decision, language, lines)
        if not item.passed
    ]
    return json.dumps(issues, ensure_ascii=False, indent=1) + "\n"
