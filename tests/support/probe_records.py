"""Records of probes for tests."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from beleg.core.judging import JudgeSpec
from beleg.core.probes import ProbeRecord
from beleg.core.score import Score, ScoreStatus
from beleg.judges.probes.report import ProbeItem, probe_report, told_of
from support.judge_models import spec

WHEN = datetime(2026, 11, 30, 12, tzinfo=UTC)


def probed(
    judge: JudgeSpec | None = None, *, events: int = 2, n: int = 10, timeouts: int = 1, **fields: Any
) -> ProbeRecord:
    """One round of the probe ``position`` over some cases; all that changed went to the first place."""
    items = [
        ProbeItem(case_id=f"c{at}", happened=at < events, counts={"first": 1} if at < events else {}) for at in range(n)
    ]
    items += [ProbeItem(case_id=f"t{at}", without=Score.without(ScoreStatus.TIMEOUT)) for at in range(timeouts)]
    report = probe_report("position", "pairs whose verdict changes", items, asks_de="Paare, deren Urteil sich ändert")
    told = told_of(report, items, changed=("places change", "Plätze wechseln"), directions=("first", "second"))
    given: dict[str, Any] = {
        "run_id": "new-1", "suite_digest": "sha256:s", "cases": n + timeouts, "judge": judge or spec(),
        "reports": (told,), "created_at": WHEN, "beleg_version": "0",
    }  # fmt: skip
    return ProbeRecord(**{**given, **fields})
