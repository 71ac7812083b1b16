"""The sizes beyond which a file is refused before it is worked on."""

from __future__ import annotations

KIB = 1024
MIB = 1024 * KIB
GIB = 1024 * MIB

MAX_ROW_FILE_BYTES = GIB
"""JSONL, CSV and Parquet, as they lie on disk."""

MAX_DECOMPRESSED_BYTES = 4 * GIB
"""What a ``.gz`` file may unfold to."""

MAX_PARQUET_MEMORY = "2GB"
"""What DuckDB may hold while it unpacks a Parquet file."""

MAX_DOCUMENT_BYTES = 8 * MIB
"""A YAML or JSON file that is read as one document."""

MAX_LINE_BYTES = 8 * MIB
"""One line of JSONL or one record of CSV."""

MAX_DEPTH = 64
"""How deeply lists and mappings may nest."""

MAX_STRING_CHARS = 4 * MIB
"""One text value; the models set tighter limits field by field."""

MAX_NUMBER_CHARS = 400
"""One number as written; a double needs at most 17 significant digits."""

MAX_ROWS = 5_000_000

MAX_CSV_COLUMNS = 2_000

MAX_PROBLEMS = 1_000
"""How many faults of one file are collected before reading stops."""
