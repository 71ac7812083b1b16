"""Whether one thing is the same in two runs, different, or not known."""

from __future__ import annotations

from beleg.core.decision import Dimension
from beleg.core.manifest import Manifest

SAME, DIFFERENT, UNKNOWN = "SAME", "DIFFERENT", "UNKNOWN"
NOT_USED = "not used"


def known_dimension(name: str, mine: object, theirs: object) -> Dimension:
    """A dimension of two values, of which ``None`` is one that nobody told.

    Example:
        >>> [known_dimension("top_k", 5, other).status for other in (5, 8, None)]
        ['SAME', 'DIFFERENT', 'UNKNOWN']
    """
    known = mine is not None and theirs is not None
    status = (SAME if mine == theirs else DIFFERENT) if known else UNKNOWN
    return Dimension(name=name, status=status, candidate=_as_text(mine), baseline=_as_text(theirs))


def manifest_dimensions(candidate: Manifest, baseline: Manifest) -> list[Dimension]:
    """One dimension for each field that either manifest names, in order of name.

    A field that is declared as not used is known, and differs from any value.
    """
    given = candidate.to_json_dict().keys() | baseline.to_json_dict().keys()
    mine, theirs = _told(candidate), _told(baseline)
    return [known_dimension(name, mine.get(name), theirs.get(name)) for name in sorted(given - {"name", "not_used"})]


def _told(manifest: Manifest) -> dict[str, object]:
    return {**dict.fromkeys(manifest.not_used, NOT_USED), **manifest.to_json_dict()}


def _as_text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return ", ".join(f"{key} {item}" for key, item in value.items()) if isinstance(value, dict) else str(value)
