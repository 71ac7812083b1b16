"""A decision as SARIF 2.1.0, by which code hosts show findings at the line of the policy that asked for them."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from beleg.core.decision import Decision
from beleg.core.digest import digest_of
from beleg.report.ci_items import CheckItem, ci_items

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
MAX_MESSAGE_CHARS = 1_000


def sarif_json(
    decision: Decision, *, policy_file: str, language: str = "en", lines: dict[str, int] | None = None
) -> str:
    """The checks as rules, and a result for each that does not hold: an error where it blocks, else a warning.

    Args:
        decision: what was decided.
        policy_file: the policy relative to the repository, with forward slashes.
        language: ``en`` or ``de``.
        lines: for check ids, the line of the policy that asks for them.
    """
    items = ci_items(decision, language, lines)
    rules = [{"id": item.item_id, "shortDescription": {"text": _cut(item.title)}} for item in items]
    results = [_result(item, number, policy_file) for number, item in enumerate(items) if not item.passed]
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "Beleg",
                "semanticVersion": decision.beleg_version,
                "rules": rules,
            }
        },
        "automationDetails": {"id": f"beleg/{decision.suite_name}/"},
        "results": results,
        "columnKind": "unicodeCodePoints",
        "properties": {
            "verdict": decision.verdict.value,
            "policyDigest": decision.policy_digest,
            "suiteDigest": decision.suite_digest,
            "candidateManifestDigest": decision.candidate.manifest_digest,
        },
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=1) + "\n"


def _result(item: CheckItem, number: int, policy_file: str) -> dict[str, Any]:
    cases = f" ({', '.join(item.cases)})" if item.cases else ""
    return {
        "ruleId": item.item_id,
        "ruleIndex": number,
        "level": "error" if item.is_breach else "warning",
        # Any other kind may only have the level "none" (SARIF 2.1.0, 3.27.10), and no code host shows that.
        "kind": "fail",
        "message": {"text": _cut(f"{item.state.value}: {item.message}{cases}")},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": quote(policy_file)},
                    "region": {"startLine": item.line},
                }
            }
        ],
        # Stays the same from run to run, so that a code host knows a finding that it has shown before.
        "partialFingerprints": {"belegCheck/v1": digest_of(item.item_id).removeprefix("sha256:")},
    }


def _cut(text: str) -> str:
    return text if len(text) <= MAX_MESSAGE_CHARS else f"{text[: MAX_MESSAGE_CHARS - 1]}…"
