"""A project with a signed BLOCK, whose owner may be asked to let it through."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cli.projects import beleg, write_cases, write_policy, write_recorded

CHECKS = [{"metric": "hit@5", "pass_at": 0.85, "block_at": 0.8}]
TERMS: dict[str, Any] = {"waivable": ["hit@5"], "max_override_hours": 48, "owners": ["A. Weiss"]}
ASKED = {
    "owner": "A. Weiss",
    "reason": "Peak week <b>",
    "ticket": "OPS-1",
    "compensating_control": "Support watches",
    "hours": "6",
}


def blocked(folder: Path, **terms: Any) -> Path:
    """A project with a signed BLOCK."""
    write_cases(folder / "cases.jsonl", 40)
    write_recorded(folder, "worse", ["d1", "d2"] * 20)
    assert beleg("run", "worse.yaml", "--suite", "cases.jsonl", "--out", "runs/worse", cwd=folder).code == 0
    write_policy(folder / "policy.yaml", checks=CHECKS, release=TERMS | terms)
    for name in ("gate", "owner"):
        assert beleg("keys", "new", f"keys/{name}", cwd=folder).code == 0
    words = ("--policy", "policy.yaml", "--sign", "keys/gate.pem")
    assert beleg("gate", "runs/worse", *words, cwd=folder).code == 20
    return folder
