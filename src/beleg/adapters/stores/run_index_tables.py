"""The tables of the index over runs."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Float, ForeignKey, Index, Integer, MetaData, String, Table, Text, text

SCHEMA = 2
"""Raised with every change: an index of another schema is made anew from the runs."""

METADATA = MetaData()


def _run() -> Column[int]:
    return Column("run", Integer, ForeignKey("indexed_runs.run", ondelete="CASCADE"), primary_key=True)


RUNS = Table(
    "indexed_runs",
    METADATA,
    Column("run", Integer, primary_key=True),
    Column("run_id", Text, nullable=False, unique=True),
    Column("digest", Text, nullable=False),
    Column("summary", Text, nullable=False),
    Column("facets", Text, nullable=False),
)

CASES = Table(
    "indexed_cases",
    METADATA,
    _run(),
    Column("number", Integer, primary_key=True),
    Column("case_id", Text, nullable=False),
    Column("status", String(32), nullable=False),
    Column("lost_at", String(32)),
    Index("indexed_case_ids", "case_id", "run", unique=True),
    Index("indexed_case_states", "run", "status"),
    Index("indexed_case_losses", "run", "lost_at"),
    sqlite_with_rowid=False,
)

TEXTS = Table(
    "indexed_texts",
    METADATA,
    _run(),
    Column("number", Integer, primary_key=True),
    Column("question", Text, nullable=False),
    Column("folded", Text, nullable=False),
    sqlite_with_rowid=False,
)
"""Apart from the cases, so that counting and skipping them reads no text."""

DETAILS = Table(
    "indexed_details",
    METADATA,
    _run(),
    Column("number", Integer, primary_key=True),
    Column("body", Text, nullable=False),
    sqlite_with_rowid=False,
)
"""Apart as well: only the page of a case reads one."""

SEGMENTS = Table(
    "indexed_segments",
    METADATA,
    _run(),
    Column("label", Text, primary_key=True),
    Column("number", Integer, primary_key=True),
    sqlite_with_rowid=False,
)

METRICS = Table(
    "indexed_metrics",
    METADATA,
    _run(),
    Column("metric", Integer, primary_key=True),
    Column("name", Text, nullable=False),
)

SCORES = Table(
    "indexed_scores",
    METADATA,
    _run(),
    Column("metric", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("value", Float),
    Column("reason", String(32)),
    Index("indexed_score_values", "run", "metric", "value", "number"),
    Index("indexed_score_reasons", "run", "reason", "metric", "number", sqlite_where=text("reason IS NOT NULL")),
    sqlite_with_rowid=False,
)

TRACES = Table(
    "indexed_traces",
    METADATA,
    _run(),
    Column("number", Integer, primary_key=True),
    Column("repeat", Integer, primary_key=True),
    Column("line", Integer, nullable=False),
    Column("start", BigInteger, nullable=False),
    Column("length", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
