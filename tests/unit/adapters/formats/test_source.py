"""Opening files of runs: what is packed, what arrives byte by byte, and what is not there."""

from __future__ import annotations

import gzip
import os
import sys
import threading
import time
from pathlib import Path

import pytest
from backports import zstd

from beleg.adapters.formats.source import opened
from beleg.core.errors import UsageError

TEXT = b"q1 Q0 d1 1 1 t\n"


def content(path: Path) -> bytes:
    with opened(path) as source:
        return source.stream.read()


@pytest.mark.parametrize("data", [TEXT, gzip.compress(TEXT), zstd.compress(TEXT)], ids=["plain", "gzip", "zstd"])
def test_a_pipe_whose_first_bytes_come_one_by_one_is_read(data: bytes) -> None:
    reader, writer = os.pipe()

    def write() -> None:
        for place in range(5):
            os.write(writer, data[place : place + 1])
            time.sleep(0.01)
        os.write(writer, data[5:])
        os.close(writer)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        assert content(Path(f"/dev/fd/{reader}")) == TEXT
    finally:
        thread.join()
        os.close(reader)


def test_an_archive_that_begins_with_a_frame_to_skip_is_an_archive(tmp_path: Path) -> None:
    skippable = b"\x50\x2a\x4d\x18" + (4).to_bytes(4, "little") + b"note"
    (tmp_path / "run.zst").write_bytes(skippable + zstd.compress(TEXT))
    assert content(tmp_path / "run.zst") == TEXT


def test_a_closed_standard_input_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(UsageError, match="no standard input"):
        content(Path("-"))
