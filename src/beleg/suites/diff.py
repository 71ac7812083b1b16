"""What changed between two suites: cases added, removed and changed, and the header (G2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from beleg.core.digest import canonical_json
from beleg.core.suite import Suite
from beleg.suites.validate import require_unique_ids

_LONGEST_VALUE = 120
_SHOWN_BEFORE_DIFFERENCE = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldChange:
    """One field with its values, shortened to where they differ; ``None`` where the field is not set."""

    field: str
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseChange:
    """A case that both suites have, with the fields in which it differs."""

    case_id: str
    fields: tuple[FieldChange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteDiff:
    """The difference of two suites; `dataclasses.asdict` gives it as JSON data."""

    old_digest: str
    new_digest: str
    header: tuple[FieldChange, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[CaseChange, ...]
    unchanged: int

    def summary(self) -> str:
        """The counts in one line."""
        return (
            f"{len(self.added)} added, {len(self.removed)} removed, {len(self.changed)} changed, "
            f"{self.unchanged} unchanged, {len(self.header)} header fields changed"
        )


def diff(old: Suite, new: Suite) -> SuiteDiff:
    """Compares two suites case by case; the order of the cases does not matter.

    Raises:
        DataError: if a suite uses one case id twice.

    Example:
        >>> from beleg.core.case import Case
        >>> from beleg.core.suite import SuiteHeader
        >>> old = Suite(header=SuiteHeader(name="shop"), cases=(Case(case_id="q1", user_input="How long?"),))
        >>> new = Suite(header=SuiteHeader(name="shop", version=2), cases=(Case(case_id="q1", user_input="How much?"),))
        >>> diff(old, new).summary()
        '0 added, 0 removed, 1 changed, 0 unchanged, 1 header fields changed'
    """
    require_unique_ids(old)
    require_unique_ids(new)
    before, after = old.case_digests, new.case_digests
    both = before.keys() & after.keys()
    differing = sorted(case_id for case_id in both if before[case_id] != after[case_id])
    old_cases, new_cases = old.case_by_id(), new.case_by_id()
    return SuiteDiff(
        old_digest=old.digest,
        new_digest=new.digest,
        header=_field_changes(old.header.to_json_dict(), new.header.to_json_dict()),
        added=tuple(sorted(after.keys() - both)),
        removed=tuple(sorted(before.keys() - both)),
        changed=tuple(
            CaseChange(
                case_id=case_id,
                fields=_field_changes(old_cases[case_id].to_json_dict(), new_cases[case_id].to_json_dict()),
            )
            for case_id in differing
        ),
        unchanged=len(both) - len(differing),
    )


def _field_changes(old: dict[str, Any], new: dict[str, Any]) -> tuple[FieldChange, ...]:
    before, after = _flat(old), _flat(new)
    changes = []
    for field in sorted(before.keys() | after.keys()):
        mine, theirs = before.get(field), after.get(field)
        if mine != theirs:
            shown_old, shown_new = _shortened(mine, theirs)
            changes.append(FieldChange(field=field, old=shown_old, new=shown_new))
    return tuple(changes)


def _flat(data: dict[str, Any], prefix: str = "") -> dict[str, str]:
    """Nested objects as dotted fields, every other value as its JSON text (a plain string as it is)."""
    fields: dict[str, str] = {}
    for name, value in data.items():
        if isinstance(value, dict):
            fields.update(_flat(value, f"{prefix}{name}."))
        else:
            fields[prefix + name] = value if isinstance(value, str) else canonical_json(value).decode()
    return fields


def _shortened(old: str | None, new: str | None) -> tuple[str | None, str | None]:
    """Both values cut to the same window, which begins shortly before their first difference."""
    start = 0
    if old is not None and new is not None and max(len(old), len(new)) > _LONGEST_VALUE:
        pairs = zip(old, new, strict=False)
        first = next((i for i, (left, right) in enumerate(pairs) if left != right), min(len(old), len(new)))
        start = max(0, first - _SHOWN_BEFORE_DIFFERENCE)
    return _window(old, start), _window(new, start)


def _window(text: str | None, start: int) -> str | None:
    if text is None:
        return None
    end = start + _LONGEST_VALUE
    return ("…" if start else "") + text[start:end] + ("…" if end < len(text) else "")
