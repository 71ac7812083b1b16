"""Examples that stand in the description of the API."""

from __future__ import annotations

from typing import Any

PARAMETERS: dict[str, tuple[str, str]] = {
    "key": ("By which a decision is asked for, as `list_releases` tells it.", "3f2a9c0d11e4b7a6"),
    "name": ("The name of the file, as `get_decision` tells it.", "decision.json"),
    "run": ("The `address` of a run.", "run-2026-11-30"),
    "kind": ("The form of the sheet: `csv` or `json`.", "csv"),
    "case": ("The `address` of a case.", "fees-de"),
    "suite": ("The `address` of a suite.", "suite~2Fsuite.yaml"),
    "old": ("The `address` of the older one.", "run-2026-11-01"),
    "new": ("The `address` of the newer one.", "releases~2F2"),
    "claim": ("The `address` of a claim.", "C-017-1"),
}
"""What each part of a path is, and one that could stand there."""

_SEEN: dict[str, Any] = {"version": 0, "evidence_digest": "sha256:9b1e…", "idempotency_key": "4c1f8a52"}
_VERDICT: dict[str, Any] = {
    "support": "not_supported",
    "support_rationale": "The passage excludes final sales, and the claim does not.",
}
_REASON: dict[str, Any] = {"about": 1, "reason": "I had overlooked the second sentence of the passage."}

BODIES: dict[str, dict[str, Any]] = {
    "give_verdict": _SEEN | _VERDICT | {"spent_ms": 41_000},
    "replace_verdict": _SEEN | _VERDICT | _REASON,
    "adjudicate": _SEEN | _VERDICT | _REASON,
    "withdraw": _SEEN | _REASON,
    "dispute": _SEEN | _REASON,
    "add_note": _SEEN | {"note": "The source was changed on 1 December."},
    "show_more": {"what": "machine"},
    "assign_claims": {"assignee": "ada", "claims": ["C-017-1", "C-017-2"]},
    "label_passage": {
        "key": "5d0b7e21c4f89a3316de02b7",
        "depth": 10,
        "verdict": "3",
        "quote": "we charge €1.50 per item",
    },
    "ask_override": {
        "owner": "A. Weiss",
        "reason": "The fault concerns a country that opens next month",
        "ticket": "OPS-1",
        "compensating_control": "Support looks at every answer for that country",
        "hours": 24,
    },
}
"""The body of each operation that takes one."""
