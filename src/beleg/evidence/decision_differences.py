"""Where a stored decision is not the one that its rows give: verdict, checks, figures, each by name (P4, E8)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Literal

from beleg.core.decision import Decision, Sentence
from beleg.core.model import StoredModel

RELATIVE_TOLERANCE = 1e-9
ABSOLUTE_TOLERANCE = 1e-12
"""Another processor adds in another order; a difference that anybody could make on purpose is far larger."""


class DecisionDifference(StoredModel):
    """One place in which a stored decision and the one that was recomputed differ."""

    kind: Literal["verdict", "check", "figure", "binding"]
    """The verdict itself; a check that is not there or ended otherwise; a figure or a word of it; or what the decision
    says that it rests on."""
    field: str
    """Where, such as ``checks[ndcg@10/no_regression].figure.lower``."""
    stored: str | None
    """What the pack says."""
    recomputed: str | None
    """What its rows give."""

    @property
    def sentence(self) -> Sentence:
        """The difference in one line, in both languages."""
        stored = "nothing" if self.stored is None else self.stored
        gespeichert = "nichts" if self.stored is None else self.stored
        recomputed = "nothing" if self.recomputed is None else self.recomputed
        errechnet = "nichts" if self.recomputed is None else self.recomputed
        return Sentence(
            en=f"{self.field}: the pack says {stored}, its rows give {recomputed}",
            de=f"{self.field}: das Paket sagt {gespeichert}, seine Zeilen ergeben {errechnet}",
        )


BINDINGS = (
    "policy_name", "policy_version", "policy_digest", "suite_name", "suite_version", "suite_digest", "candidate",
    "baseline", "metric_versions", "judges", "beleg_version", "decided_at", "seed", "resamples", "confidence",
)  # fmt: skip


def decision_differences(stored: Decision, recomputed: Decision) -> tuple[DecisionDifference, ...]:
    """Every place in which two decisions differ, the verdict first.

    Checks are matched by their id, numbers up to the last digits that another processor may give.
    """
    mine, theirs = stored.to_json_dict(), recomputed.to_json_dict()
    for document in (mine, theirs):
        document["checks"] = {check["check_id"]: check for check in document.get("checks", ())}
    found = [_difference(path, one, other) for path, one, other in _walk((), mine, theirs)]
    if len(stored.checks) != len(recomputed.checks) and not any(item.kind == "check" for item in found):
        found.append(
            DecisionDifference(
                kind="check", field="checks", stored=str(len(stored.checks)), recomputed=str(len(recomputed.checks))
            )
        )
    order = ("verdict", "check", "binding", "figure")
    return tuple(sorted(found, key=lambda item: order.index(item.kind)))


def _walk(path: tuple[str, ...], one: Any, other: Any) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted(one.keys() | other.keys()):
            yield from _walk((*path, key), one.get(key), other.get(key))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for position, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from _walk((*path, str(position)), left, right)
    elif not _is_same(one, other):
        yield path, one, other


def _is_same(one: Any, other: Any) -> bool:
    if isinstance(one, float) or isinstance(other, float):
        numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in (one, other))
        return numbers and math.isclose(one, other, rel_tol=RELATIVE_TOLERANCE, abs_tol=ABSOLUTE_TOLERANCE)
    return type(one) is type(other) and bool(one == other)


def _difference(path: tuple[str, ...], one: Any, other: Any) -> DecisionDifference:
    return DecisionDifference(kind=_kind(path), field=_named(path), stored=_told(one), recomputed=_told(other))


def _kind(path: tuple[str, ...]) -> Literal["verdict", "check", "figure", "binding"]:
    if path == ("verdict",):
        return "verdict"
    if path[0] == "checks":
        return "check" if len(path) == 2 or path[2] == "state" else "figure"
    return "binding" if path[0] in BINDINGS else "figure"


def _named(path: tuple[str, ...]) -> str:
    if path[0] == "checks" and len(path) > 1:
        return ".".join((f"checks[{path[1]}]", *path[2:]))
    return ".".join(path)


def _told(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, dict) and "check_id" in value:
        return str(value.get("state"))
    text = str(value)
    return text if len(text) <= 200 else f"{text[:199]}…"
