"""Two runs beside each other, dimension by dimension and claim by claim, as `beleg compare --claims` tells it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field

from markupsafe import Markup

from beleg.app.workbench.indexing import run_digest
from beleg.app.workbench.workspace import RunEntry
from beleg.core.errors import UsageError
from beleg.core.run_comparison import RunComparison

MAX_CASES = 2_000
"""More are compared on the command line, which keeps the result beside the run, where it is found."""
KEPT = 8

Key = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonView:
    """A comparison as a page shows it."""

    new: RunEntry
    old: RunEntry
    body: Markup | None
    """In both languages; ``None`` where the runs are too large to be compared while somebody waits."""
    is_stored: bool


@dataclass(slots=True)
class Comparisons:
    """Comparisons of runs; the last few are kept, and made anew when a run changed."""

    _kept: OrderedDict[Key, RunComparison] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def view(self, new: RunEntry, old: RunEntry) -> ComparisonView:
        """Compares two runs of the same frozen cases.

        Raises:
            UsageError: if both are the same run, or have no case in common.
            EvidenceError: if either was changed after it began.
        """
        found, is_stored = self.comparison(new, old)
        return ComparisonView(new=new, old=old, body=None if found is None else _body(found), is_stored=is_stored)

    def comparison(self, new: RunEntry, old: RunEntry) -> tuple[RunComparison | None, bool]:
        """The comparison itself, and whether it was stored; ``None`` where the runs are too large to wait for it.

        Raises:
            UsageError: if both are the same run, or have no case in common.
            EvidenceError: if either was changed after it began.
        """
        # It opens packs too, and with them everything; no other page needs that.
        from beleg.app.case_comparing import stored_comparison

        if new.path == old.path:
            raise UsageError(f"{new.run_id} is compared with itself", hint="Choose two runs")
        stored = stored_comparison(new.path)
        if stored is not None and stored.old.run_id == old.run_id:
            return stored, True
        if max(len(new.header.case_ids), len(old.header.case_ids)) > MAX_CASES:
            return None, False
        return self._made(new, old), False

    def _made(self, new: RunEntry, old: RunEntry) -> RunComparison:
        from beleg.app.case_comparing import compare_cases

        key = new.run_id, run_digest(new.path), old.run_id, run_digest(old.path)
        # One at a time: two readers who ask for the same one wait for it together.
        with self._lock:
            if key not in self._kept:
                self._kept[key] = compare_cases(new.path, old.path)
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(key)
            return self._kept[key]


def _body(comparison: RunComparison) -> Markup:
    from beleg.report.cases_page import cases_body

    return Markup(cases_body(comparison))  # noqa: S704 - made by templates that escape everything
