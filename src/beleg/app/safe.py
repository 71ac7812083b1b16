"""Text of strangers made harmless for a terminal, for the command line, which does not see the reports."""

from __future__ import annotations

from beleg.report.safe import visible

__all__ = ["visible"]
