"""The queue of a decision: one line per case that waits for a person, and how many wait for whom."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from beleg.adapters.formats.atomic import write_text
from beleg.adapters.formats.models import build_all
from beleg.adapters.formats.rows import read_rows
from beleg.core.errors import UsageError
from beleg.core.governance import QueueItem
from beleg.gating.queue import Waiting, waiting

QUEUE_NAME = "queue.jsonl"
DECISION_FOLDER = "decision"

NOBODY = {"en": "nobody (the policy names no owner)", "de": "niemanden (die Policy nennt niemanden)"}


def write_queue(path: Path, items: Sequence[QueueItem]) -> Path:
    """Writes what waits, one line an item; an empty file where nothing does."""
    lines = (json.dumps(item.to_json_dict(), ensure_ascii=False, sort_keys=True) for item in items)
    write_text(path, "".join(f"{line}\n" for line in lines))
    return path


def read_queue(run: Path) -> tuple[QueueItem, ...]:
    """What waits after the last decision on a run.

    Args:
        run: the folder of the run, or the folder that the decision was written to.

    Raises:
        UsageError: if nothing was decided there.
        DataError: if a line is no item of a queue.
    """
    places = [run / DECISION_FOLDER / QUEUE_NAME, run / QUEUE_NAME]
    path = next((place for place in places if place.is_file()), None)
    if path is None:
        raise UsageError(
            f"{run} has no queue: nothing was decided there yet",
            hint="Decide with: beleg gate RUN --policy policy.yaml",
        )
    return () if not path.stat().st_size else tuple(build_all(QueueItem, read_rows(path)))


def waiting_line(items: Sequence[QueueItem], language: str) -> str | None:
    """How many cases wait for whom, as one sentence; ``None`` where nothing waits."""
    if not items:
        return None
    german = language == "de"
    found = sorted(waiting(items).items(), key=lambda pair: (-pair[1].cases, -pair[1].checks, pair[0] or ""))
    parts = [
        f"{_counted(counts, german=german)} {'für' if german else 'for'} {owner or NOBODY['de' if german else 'en']}"
        for owner, counts in found
    ]
    return ("Es warten: " if german else "Waiting: ") + "; ".join(parts)


def _counted(counts: Waiting, *, german: bool) -> str:
    cases = ("Fall" if counts.cases == 1 else "Fälle") if german else ("case" if counts.cases == 1 else "cases")
    checks = ("Prüfung" if counts.checks == 1 else "Prüfungen") if german else (
        "check" if counts.checks == 1 else "checks"
    )  # fmt: skip
    named = [f"{n} {noun}" for n, noun in ((counts.cases, cases), (counts.checks, checks)) if n]
    return (" und " if german else " and ").join(named)


def queue_lines(items: Sequence[QueueItem], language: str) -> list[str]:
    """How many wait for whom, then every item under its owner."""
    german = language == "de"
    head = waiting_line(items, language)
    if head is None:
        return ["Es wartet nichts" if german else "Nothing waits"]
    nobody, whole = (NOBODY["de"], "ganzer Lauf") if german else (NOBODY["en"], "whole run")
    lines = [head]
    for owner in dict.fromkeys(item.owner for item in items):
        own = [item for item in items if item.owner == owner]
        lines.append(owner or nobody)
        lines += [f"  {item.case or whole}  {item.check}: {item.why.in_language(language)}" for item in own]
    return lines
