"""What judges found out about a run: one line per finding, appended; of several on one thing the last one counts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from beleg.core.findings import Finding
from beleg.run.checked_lines import LineKind, LineWriter, read_lines

FINDINGS: LineKind[Finding] = LineKind(
    name="finding",
    model=Finding,
    told=lambda finding: f"the {finding.measure} of case {finding.case_id!r}",
    go_on="judge the run again; what was judged before is kept and costs nothing",
)

FindingKey = tuple[str, int, str]


@dataclass(frozen=True, slots=True)
class FindingsContent:
    """The findings that count, and the length in bytes up to the last whole line."""

    latest: dict[FindingKey, Finding]
    whole_bytes: int
    cut_bytes: int


def read_findings(path: Path) -> FindingsContent:
    """Reads the findings of a run; none where nobody has judged it yet.

    Raises:
        EvidenceError: if a line other than the last is damaged.
    """
    if not path.exists():
        return FindingsContent({}, 0, 0)
    content = read_lines(path, FINDINGS)
    latest = {(found.case_id, found.repeat, found.measure): found for found in content.records}
    return FindingsContent(latest, content.whole_bytes, content.cut_bytes)


class FindingsWriter(LineWriter[Finding]):
    """Appends findings; see `LineWriter`."""

    def __init__(self, path: Path, *, keep_bytes: int) -> None:
        super().__init__(FINDINGS, path, keep_bytes=keep_bytes)
