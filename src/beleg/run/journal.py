"""The journal of a run: one line per finished trace, appended and never rewritten (R4, R8).

A cut last line is a trace that was never reported as finished, so it is dropped and the case is run again.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from beleg.core.errors import EvidenceError
from beleg.core.trace import Trace
from beleg.run.checked_lines import LineKind, LineWriter, digest_of_whole_lines, read_lines

__all__ = ["HeldTraces", "JournalContent", "JournalWriter", "TraceSink", "digest_of_whole_lines", "encode", "read"]

TRACES: LineKind[Trace] = LineKind(
    name="trace",
    model=Trace,
    told=lambda trace: f"the answer to case {trace.case_id!r}",
    go_on="finish the run with --resume; the cases written before are kept",
    anew="start a new run",
)


def encode(trace: Trace) -> bytes:
    """One journal line."""
    return TRACES.encode(trace)


@dataclass(frozen=True, slots=True)
class JournalContent:
    """What a journal holds: whole traces, and the length in bytes up to the last whole line."""

    traces: tuple[Trace, ...]
    whole_bytes: int
    cut_bytes: int


def read(path: Path) -> JournalContent:
    """Reads all whole traces of a journal.

    Raises:
        EvidenceError: if a line other than the last is damaged, or a case was recorded twice.
    """
    content = read_lines(path, TRACES)
    _refuse_repeats(path, content.records)
    return JournalContent(content.records, content.whole_bytes, content.cut_bytes)


def _refuse_repeats(path: Path, traces: tuple[Trace, ...]) -> None:
    seen: set[tuple[str, int]] = set()
    for trace in traces:
        key = (trace.case_id, trace.repeat)
        if key in seen:
            raise EvidenceError(f"{path}: case {trace.case_id!r} repeat {trace.repeat} was recorded twice")
        seen.add(key)


class TraceSink(Protocol):
    """Takes finished traces one by one."""

    def append(self, record: Trace, /) -> None:
        """Takes one finished trace."""
        ...

    def sync(self) -> None:
        """Makes what was taken safe, as far as that is promised; may be called from any thread."""
        ...


class HeldTraces:
    """Keeps traces in memory and writes nothing: what a sealed suite was answered is never on a disk."""

    def __init__(self) -> None:
        self.traces: list[Trace] = []

    def append(self, record: Trace, /) -> None:
        """Takes one finished trace."""
        self.traces.append(record)

    def sync(self) -> None:
        """There is nothing to make safe."""


class JournalWriter(LineWriter[Trace]):
    """Appends traces; see `LineWriter`."""

    def __init__(self, path: Path, *, keep_bytes: int) -> None:
        super().__init__(TRACES, path, keep_bytes=keep_bytes)
