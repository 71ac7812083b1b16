"""What judges found out about a run: one line per finding, appended; of several on one thing the last one counts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from beleg.core.findings import Finding
from beleg.run.checked_lines import LineKind, LineWriter, digest_of_whole_lines, read_lines

FINDINGS: LineKind[Finding] = LineKind(
    name="finding",
    model=Finding,
    told=lambda finding: f"the {finding.measure} of case {finding.case_id!r}",
    go_on="judge the run again; what was judged before is kept and costs nothing",
    anew="move it away and judge the run again, where recorded calls cost nothing",
)

FindingKey = tuple[str, int, str]

# A quotation mark inside a JSON string is escaped, so this stands in a line only as the field itself.
_MEASURE = re.compile(rb'"measure":"([^"\\]+)"')


@dataclass(frozen=True, slots=True)
class FindingsContent:
    """The findings that count, and the length in bytes up to the last whole line."""

    latest: dict[FindingKey, Finding]
    whole_bytes: int
    cut_bytes: int
    digest: str | None
    """The SHA-256 of the whole lines; ``None`` where nobody has judged."""


def read_findings(path: Path) -> FindingsContent:
    """Reads the findings of a run; none where nobody has judged it yet.

    Raises:
        EvidenceError: if a line other than the last is damaged.
    """
    if not path.exists():
        return FindingsContent({}, 0, 0, None)
    content = read_lines(path, FINDINGS)
    latest = {(found.case_id, found.repeat, found.measure): found for found in content.records}
    return FindingsContent(latest, content.whole_bytes, content.cut_bytes, digest_of_whole_lines(path))


def measures_in(path: Path) -> tuple[str, ...]:
    """The measures that a run was judged by, in the order of their first finding, without reading the findings."""
    if not path.exists():
        return ()
    found: dict[str, None] = {}
    with path.open("rb") as file:
        for line in file:
            named = _MEASURE.search(line)
            if named is not None:
                found.setdefault(named[1].decode("utf-8", "replace"))
    return tuple(found)


class FindingsWriter(LineWriter[Finding]):
    """Appends findings; see `LineWriter`."""

    def __init__(self, path: Path, *, keep_bytes: int) -> None:
        super().__init__(FINDINGS, path, keep_bytes=keep_bytes)
