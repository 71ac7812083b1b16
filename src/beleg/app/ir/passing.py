"""Finds the judged documents in a run file: compiled where that is built, otherwise block by block, or all at once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from beleg.adapters.formats.runs.catalogue import TREC, format_of
from beleg.adapters.formats.source import STDIN
from beleg.adapters.formats.trec_stream import opened_text, stream_run
from beleg.adapters.native.run_pass import JudgedIds, pass_over
from beleg.app.ir.reading import Ranked, read_run, table_of_columns
from beleg.metrics.ranking_runs.matching import Hits, Matcher, find_hits, hits_of
from beleg.metrics.ranking_runs.table import Table


@dataclass(frozen=True, slots=True, eq=False)
class Passed:
    """Where the judged documents stand in a run, and where the run comes from."""

    file: str
    tag: str
    """The name that the run gives itself; empty where it has none."""
    hits: Hits
    queries: tuple[str, ...] | None
    """The queries of the run, where they are known without reading it again."""
    dropped: dict[str, int]
    """Lines that a lenient reading left out, by reason."""


def pass_over_run(judged: Table, path: Path, *, lenient: bool = False, format_name: str | None = None) -> Passed:
    """Reads a run file for what measures need of it.

    The three ways give the same: a compiled pass, blocks of whole queries, and the whole file. The first declines
    whatever is not plainly in order, and the second where a query comes back, so that one place says what is wrong.

    Args:
        judged: the judgements.
        path: the run; ``-`` is the standard input.
        lenient: leave out rows that cannot be read, and repeats, and count them.
        format_name: the format of the file; without it its extension says it, or its content.

    Raises:
        UsageError: if there is no such file or format.
        DataError: if the file is faulty or lists a document twice for a query.
    """
    whole = partial(read_run, path, lenient=lenient, format_name=format_name)
    if not path.is_file() or format_of(path, format_name) != TREC:
        return _of_table(judged, whole())
    found = _compiled(judged, path)
    if found is not None:
        return found
    found = _in_blocks(judged, path, lenient=lenient)
    return _of_table(judged, whole()) if found is None else found


def _of_table(judged: Table, run: Ranked) -> Passed:
    return Passed(run.file, run.tag, find_hits(judged, run.table), run.table.queries, run.dropped)


def _compiled(judged: Table, path: Path) -> Passed | None:
    names = judged.documents
    with opened_text(path) as stream:
        ids = JudgedIds(judged.queries, judged.offsets, names.buffer, names.start, names.length)
        found = pass_over(stream, ids)
    if found is None or not found.lines:
        return None
    hits = hits_of(judged, found.judgement, found.rank, found.returned, found.extra_queries)
    return Passed(str(path), found.tag, hits, None, {})


def _in_blocks(judged: Table, path: Path, *, lenient: bool) -> Passed | None:
    """Nothing is given where the rows of a query do not stand together."""
    matcher, seen, tag = Matcher(judged), dict[str, None](), None
    dropped: Counter[str] = Counter()
    with opened_text(path) as stream:
        for columns in stream_run(stream, str(path), lenient=lenient):
            if not seen.keys().isdisjoint(columns.queries):
                return None
            seen.update(dict.fromkeys(columns.queries))
            table, left_out = table_of_columns(columns, lenient=lenient)
            dropped.update(left_out)
            matcher.add(table)
            tag = columns.tag if tag is None else tag
    if not seen:
        return None
    return Passed(str(path), tag or "", matcher.hits(), tuple(seen), dict(dropped))


class RunFile:
    """A run file that is read when something is asked of it, and only for that."""

    def __init__(self, path: Path, *, lenient: bool = False, format_name: str | None = None) -> None:
        self.path = path
        self.lenient = lenient
        self.format_name = format_name
        self.name = "standard input" if str(path) == STDIN else str(path)
        self.tag = ""
        """The name that the run gives itself, known once it is read."""
        self.dropped: dict[str, int] = {}
        """Rows that a lenient reading left out, by reason; known once it is read."""
        self._queries: tuple[str, ...] | None = None
        self._read: Ranked | None = None

    def hits(self, judged: Table) -> Hits:
        """Where the judged documents stand in it."""
        if self._read is not None:
            return find_hits(judged, self._read.table)
        passed = pass_over_run(judged, self.path, lenient=self.lenient, format_name=self.format_name)
        self.tag, self.dropped, self._queries = passed.tag, passed.dropped, passed.queries
        return passed.hits

    def table(self) -> Table:
        """All of it."""
        if self._read is None:
            self._read = read_run(self.path, lenient=self.lenient, format_name=self.format_name)
            self.tag, self.dropped = self._read.tag, self._read.dropped
        return self._read.table

    def queries(self) -> tuple[str, ...]:
        """The ids of its queries."""
        return self.table().queries if self._queries is None else self._queries
