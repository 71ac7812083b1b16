"""What became looser and what became stricter between two states of a policy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from beleg.core.decision import Sentence
from beleg.core.errors import ConfigError
from beleg.core.policy import Policy, PolicyCheck, Thresholds
from beleg.gating.plan import default_aggregate, label_of
from beleg.gating.sentences import both, pick
from beleg.metrics.catalogue import parse_metric
from beleg.text.numbers import number


class Direction(StrEnum):
    """Which way a change goes."""

    LOOSER = "looser"
    STRICTER = "stricter"
    OTHER = "other"
    """Neither by itself; whoever lowers a bar this way has to say so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One thing that is different in the newer policy."""

    direction: Direction
    field: str
    """Where it stands, such as ``evidence_recall@5.pass_at``."""
    old: Any
    new: Any
    sentence: Sentence


def policy_changes(old: Policy, new: Policy) -> tuple[Change, ...]:
    """Every difference that decides something, the looser ones first.

    Checks are matched by metric, aggregate and the part of the suite that they are about.

    Args:
        old: the earlier state.
        new: the later one.
    """
    found = [*_settings(old, new), *_segments(old, new), *_checks(old, new)]
    order = list(Direction)
    return tuple(sorted(found, key=lambda change: order.index(change.direction)))


LOOSER, STRICTER = Direction.LOOSER, Direction.STRICTER
_DIRECTIONS = {True: STRICTER, False: LOOSER, None: Direction.OTHER}

HIGHER_IS_STRICTER = (
    "confidence", "minimum_n", "minimum_coverage", "require_baseline", "require_reproducible", "require_review_dates",
    "require_registration",
)  # fmt: skip
LOWER_IS_STRICTER = ("allow_subset",)
OTHER_SETTINGS = ("seed", "resamples")
"""What chance a figure meets: nobody may try until one comes out well."""
SET_IS_STRICTER = ("critical_claims", "evaluator_failures", "error_budget", "required_record", "block_when_open")


def _settings(old: Policy, new: Policy) -> Iterator[Change]:
    for name in (*HIGHER_IS_STRICTER, *LOWER_IS_STRICTER):
        before, after = (float(getattr(policy, name) or 0.0) for policy in (old, new))
        stricter = after > before if name in HIGHER_IS_STRICTER else after < before
        if before != after:
            yield _change(stricter, name, getattr(old, name), getattr(new, name))
    yield from _rules(old, new)
    yield from _release(old, new)
    for name in OTHER_SETTINGS:
        if getattr(old, name) != getattr(new, name):
            yield _change(None, name, getattr(old, name), getattr(new, name))
    yield from _trust(old, new)


def _trust(old: Policy, new: Policy) -> Iterator[Change]:
    for name in ("minimum_labels", "max_false_pass", "max_age_days"):
        yield from _limit(f"judge.{name}", getattr(old.trust, name), getattr(new.trust, name),
                          up=name.startswith("minimum"))  # fmt: skip
    # Chance is never enough, whatever a policy says, so that no bar and one below chance are the same bar.
    kappas = [max(policy.trust.minimum_kappa or 0.0, 0.0) for policy in (old, new)]
    yield from _limit("judge.minimum_kappa", kappas[0], kappas[1], up=True)
    for name, strict in (("uncalibrated", "refuse"), ("noise", "require")):
        before, after = getattr(old.trust, name), getattr(new.trust, name)
        if before != after:
            yield _change(after == strict, f"judge.{name}", before, after)
    lost, gained = set(old.trust.digests) - set(new.trust.digests), set(new.trust.digests) - set(old.trust.digests)
    if lost or gained:
        yield _change(None, "judge.digests", sorted(old.trust.digests), sorted(new.trust.digests))
    # Where more records are looked for, the newest still decides; where fewer are, a bad one may be out of sight.
    if set(old.trust.calibrations) - set(new.trust.calibrations):
        yield _change(None, "judge.calibrations", sorted(old.trust.calibrations), sorted(new.trust.calibrations))


def _rules(old: Policy, new: Policy) -> Iterator[Change]:
    for name in SET_IS_STRICTER:
        before, after = getattr(old, name), getattr(new, name)
        if before != after:
            yield _change(_rule_is_stricter(name, before, after), name, _plain(before), _plain(after))


def _release(old: Policy, new: Policy) -> Iterator[Change]:
    """Terms of the signed decision; the plan of looks holds the error either way and is neither looser nor stricter."""
    before, after = old.release_terms, new.release_terms
    for name in ("waivable", "environments"):
        lost, gained = (set(getattr(a, name)) - set(getattr(b, name)) for a, b in ((before, after), (after, before)))
        if lost or gained:
            yield _change(
                None if lost and gained else bool(lost),
                f"release.{name}",
                sorted(getattr(before, name)),
                sorted(getattr(after, name)),
            )
    for name in ("valid_hours", "max_override_hours"):
        yield from _limit(f"release.{name}", getattr(before, name), getattr(after, name), up=False)
    if before.two_persons != after.two_persons:
        yield _change(after.two_persons, "release.two_persons", before.two_persons, after.two_persons)
    if set(before.owners) != set(after.owners):
        yield _change(None, "release.owners", sorted(before.owners), sorted(after.owners))
    strict = [policy.require_comparable == "strict" for policy in (old, new)]
    if strict[0] != strict[1]:
        yield _change(strict[1], "require_comparable", old.require_comparable, new.require_comparable)
    if old.treatment != new.treatment:
        yield _change(_treatment_is_stricter(old.treatment, new.treatment), "treatment", old.treatment, new.treatment)
    yield from _looks(old, new)


def _looks(old: Policy, new: Policy) -> Iterator[Change]:
    """The plan of looks, and the segments by which it orders the cases: another order looks at other cases first."""
    if old.sequential != new.sequential:
        yield _change(None, "sequential", _plain(old.sequential), _plain(new.sequential))
    strata = [[segment.label for segment in policy.protected_segments] for policy in (old, new)]
    if new.sequential is not None and strata[0] != strata[1]:
        yield _change(None, "sequential.order", *strata)


def _treatment_is_stricter(old: tuple[str, ...] | None, new: tuple[str, ...] | None) -> bool | None:
    """Fewer things that may differ are stricter; without a list whatever differs may."""
    if old is None or new is None:
        return new is not None
    lost, gained = set(old) - set(new), set(new) - set(old)
    return None if lost and gained else bool(lost)


def _rule_is_stricter(name: str, before: Any, after: Any) -> bool | None:
    """Whether a rule that changed became stricter; ``None`` where that cannot be said of it as a whole."""
    if not before or not after:
        return bool(after)
    if isinstance(before, tuple):
        lost, gained = set(before) - set(after), set(after) - set(before)
        return None if lost and gained else bool(gained)
    if name == "evaluator_failures" and before.ceiling != after.ceiling:
        return bool(after.ceiling < before.ceiling)
    if name == "error_budget" and before.model_copy(update={"allowed": after.allowed}) == after:
        return bool(after.allowed < before.allowed)
    return None


def _segments(old: Policy, new: Policy) -> Iterator[Change]:
    before = {segment.label: segment.minimum_n for segment in old.protected_segments}
    after = {segment.label: segment.minimum_n for segment in new.protected_segments}
    for label in sorted(before.keys() - after.keys()):
        yield _change(LOOSER, f"protected_segments.{label}", label, None)
    for label in sorted(after.keys() - before.keys()):
        yield _change(STRICTER, f"protected_segments.{label}", None, label)
    for label in sorted(before.keys() & after.keys()):
        yield from _limit(f"protected_segments.{label}.minimum_n", before[label] or old.minimum_n,
                          after[label] or new.minimum_n, up=True)  # fmt: skip


def _checks(old: Policy, new: Policy) -> Iterator[Change]:
    before, after = _by_name(old.checks), _by_name(new.checks)
    for name in sorted(before.keys() - after.keys()):
        yield _change(LOOSER, name, "checked", None)
    for name in sorted(after.keys() - before.keys()):
        yield _change(STRICTER, name, None, "checked")
    for name in sorted(before.keys() & after.keys()):
        yield from _check(name, (before[name], old.minimum_n), (after[name], new.minimum_n))


def _check(name: str, was: tuple[PolicyCheck, int], now: tuple[PolicyCheck, int]) -> Iterator[Change]:
    (old, old_n), (new, new_n) = was, now
    up = _higher_is_better(old)
    for prefix, before, after in (
        (name, old.overall, new.overall), (f"{name}.protected", old.protected, new.protected),
    ):  # fmt: skip
        yield from _thresholds(prefix, before, after, up=up)
    if old.minimum_n != new.minimum_n:
        yield from _limit(f"{name}.minimum_n", old.minimum_n or old_n, new.minimum_n or new_n, up=True)
    if old.largest is not None and new.largest is not None and old.largest != new.largest:
        # A smaller one refuses more values and narrows the bounds around the rest.
        yield _change(None, f"{name}.largest", old.largest, new.largest)
    else:
        yield from _limit(f"{name}.largest", old.largest, new.largest, up=False, absent_is_loose=False)
    if old.zero_tolerance != new.zero_tolerance:
        yield _change(new.zero_tolerance, f"{name}.zero_tolerance", old.zero_tolerance, new.zero_tolerance)
    lost, gained = (
        set(one.together_with or ()) - set(two.together_with or ()) for one, two in ((old, new), (new, old))
    )
    if lost or gained:
        yield _change(None if lost and gained else bool(gained), f"{name}.together_with",
                      list(old.together_with or ()), list(new.together_with or ()))  # fmt: skip


def _thresholds(name: str, old: Thresholds, new: Thresholds, *, up: bool) -> Iterator[Change]:
    yield from _limit(f"{name}.pass_at", old.pass_at, new.pass_at, up=up)
    yield from _limit(f"{name}.block_at", old.block_at, new.block_at, up=up)
    yield from _limit(f"{name}.margin", old.margin, new.margin, up=False)


def _limit(
    name: str, old: float | None, new: float | None, *, up: bool, absent_is_loose: bool = True
) -> Iterator[Change]:
    if old == new:
        return
    if old is None or new is None:
        yield _change((old is None) == absent_is_loose, name, old, new)
    else:
        yield _change((new > old) == up, name, old, new)


def _by_name(checks: Iterable[PolicyCheck]) -> dict[str, PolicyCheck]:
    return {name_of(check): check for check in checks}


def name_of(check: PolicyCheck) -> str:
    """A check by metric, aggregate and part of the suite, such as ``context_recall[has=required_clauses]``."""
    part = label_of(check.where, check.having or ())
    aggregate = f" {check.aggregate.value}" if check.aggregate is not None and not _is_default(check) else ""
    return f"{check.metric}{aggregate}" + (f"[{part}]" if part else "")


def _is_default(check: PolicyCheck) -> bool:
    return _of_metric(check, lambda metric: check.aggregate is default_aggregate(metric), otherwise=False)


def _higher_is_better(check: PolicyCheck) -> bool:
    return _of_metric(check, lambda metric: metric.spec.direction == "higher", otherwise=True)


def _of_metric(check: PolicyCheck, ask: Callable[[Any], bool], *, otherwise: bool) -> bool:
    try:
        return ask(parse_metric(check.metric))
    except ConfigError:
        return otherwise


def _plain(value: Any) -> Any:
    if hasattr(value, "to_json_dict"):
        return value.to_json_dict()
    return [str(item) for item in value] if isinstance(value, tuple) else value


Way = Direction | bool | None


def _change(way: Way, field: str, old: Any, new: Any) -> Change:
    """One change; which way it goes may be told by whether it is stricter, ``None`` where nobody can say."""
    direction = way if isinstance(way, Direction) else _DIRECTIONS[way]
    return Change(direction=direction, field=field, old=old, new=new, sentence=_told(direction, field, old, new))


def _told(direction: Direction, field: str, old: Any, new: Any) -> Sentence:
    def make(language: str) -> str:
        way = {
            Direction.LOOSER: pick(language, "looser", "lockerer"),
            Direction.STRICTER: pick(language, "stricter", "strenger"),
            Direction.OTHER: pick(language, "changed", "geändert"),
        }[direction]
        return f"{field}: {_shown(old, language)} → {_shown(new, language)} ({way})"

    return both(make)


def _shown(value: Any, language: str) -> str:
    if value is None:
        return pick(language, "none", "keine")
    if isinstance(value, bool):
        return pick(language, "yes", "ja") if value else pick(language, "no", "nein")
    if isinstance(value, int | float):
        return number(value, language, decimals=len(f"{value:.6f}".rstrip("0").partition(".")[2]))
    return str(value)
