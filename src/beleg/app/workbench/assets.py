"""The look that pages share with the reports."""

from __future__ import annotations

from beleg.report.pages import asset


def report_style() -> str:
    """The style sheet of the reports: one look for both."""
    return "\n".join(asset(name) for name in ("page.css", "compare.css", "sheet.css"))
