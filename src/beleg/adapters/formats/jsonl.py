"""JSON Lines, plain or gzipped, read line by line in bounded memory."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from beleg.adapters.formats.files import BYTE_ORDER_MARK, require_file
from beleg.adapters.formats.limits import MAX_DECOMPRESSED_BYTES, MAX_LINE_BYTES, MAX_ROW_FILE_BYTES
from beleg.adapters.formats.row import Faults, Row, as_row
from beleg.adapters.formats.strict_json import parse_json_bytes
from beleg.core.errors import DataError, Problem, UsageError


def read_jsonl(path: Path, *, max_decompressed_bytes: int = MAX_DECOMPRESSED_BYTES) -> Iterator[Row]:
    """Reads one JSON object a line; blank lines are passed over.

    Args:
        path: the file; a name that ends in ``.gz`` is unpacked on the way.
        max_decompressed_bytes: how much a gzipped file may unfold to.

    Raises:
        UsageError: if there is no such file.
        DataError: at the end, with every line that is no JSON object; at once for a file or line that is too long or
            a damaged gzip file.
    """
    require_file(path, MAX_ROW_FILE_BYTES)
    faults = Faults()
    for line, data in read_lines(path, max_decompressed_bytes=max_decompressed_bytes):
        if not data.strip():
            continue
        try:
            row = as_row(parse_json_bytes(data, file=str(path), line=line), str(path), line)
        except DataError as error:
            faults.add(error)
            continue
        yield row
    faults.raise_if_any()


def read_lines(path: Path, *, max_decompressed_bytes: int = MAX_DECOMPRESSED_BYTES) -> Iterator[tuple[int, bytes]]:
    """The numbered lines of a plain or gzipped file, without a byte order mark.

    Raises:
        UsageError: if the file cannot be opened.
        DataError: for a line that is too long, a damaged gzip file, or one that unfolds to too much.
    """
    zipped = path.name.lower().endswith(".gz")
    number = total = 0
    try:
        with _opened(path, zipped=zipped) as stream:
            while data := stream.readline(MAX_LINE_BYTES + 1):
                number += 1
                total += len(data)
                if len(data) > MAX_LINE_BYTES:
                    raise _too_much(path, number, f"the line has more than {MAX_LINE_BYTES:,} bytes")
                if zipped and total > max_decompressed_bytes:
                    raise _too_much(path, number, f"the file unfolds to more than {max_decompressed_bytes:,} bytes")
                yield number, data.removeprefix(BYTE_ORDER_MARK) if number == 1 else data
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DataError(
            Problem(
                file=str(path),
                line=number + 1,
                message=f"the gzip data is damaged or cut off: {error}",
                remedy="Write or copy the file again",
            )
        ) from error
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", hint="Check the rights on the file") from error


def _opened(path: Path, *, zipped: bool) -> BinaryIO:
    return cast("BinaryIO", gzip.open(path, "rb")) if zipped else path.open("rb")


def _too_much(path: Path, line: int, message: str) -> DataError:
    return DataError(Problem(file=str(path), line=line, message=message, remedy="Split it"))
