"""Where a decision's figures lead: within the report, or to the pages of the workbench."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """Addresses that may stand in an attribute as they are: every name in them is encoded."""

    case: Callable[[str], str]
    lost: Callable[[str], str]
    """The cases that lose evidence at a stage."""
    segment: Callable[[str], str]
    worse: str | None
    """The cases that became worse; ``None`` where nothing lists them."""


def case_href(case_id: str) -> str:
    """The address of a case page inside the report.

    Example:
        >>> case_href("a b#1")
        '#case=a%20b%231'
    """
    return f"#case={quote(case_id, safe='')}"


def _lost_href(stage: str) -> str:
    return f"#lost={quote(stage, safe='')}"


def _segment_href(segment: str) -> str:
    return f"#segment={quote(segment, safe='')}"


REPORT_LINKS = Links(case=case_href, lost=_lost_href, segment=_segment_href, worse="#change=worse")
"""The addresses that the script of the report understands."""
