"""The file of the decision log: nothing is lost to kills, writers or full disks, and nothing is changed unseen."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from beleg.adapters.stores.decision_log import append_lines, create_log, read_log
from beleg.core.decision_log import LogEntry, LogKind
from beleg.core.errors import EvidenceError, UsageError
from beleg.release.merkle import leaf_hash

AT = datetime(2026, 12, 1, tzinfo=UTC)

WRITER = """
import sys, itertools, hashlib
from datetime import UTC, datetime
from pathlib import Path
from beleg.adapters.stores.decision_log import append_lines
from beleg.core.decision_log import LogEntry, LogKind
from beleg.release.merkle import leaf_hash
log, who, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
for number in itertools.islice(itertools.count(), count or None):
    data = f"{who} {number}".encode()
    entry = LogEntry(kind=LogKind.DECISION, name=f"{who}-{number}", sha256=hashlib.sha256(data).hexdigest(),
                     size=len(data), at=datetime(2026, 12, 1, tzinfo=UTC))
    append_lines(log, [(entry, data)], leaf_hash)
    print(number, flush=True)
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "decisions.log"
    create_log(path, "example.com/log")
    return path


def document(data: bytes) -> tuple[LogEntry, bytes]:
    digest = hashlib.sha256(data).hexdigest()
    return LogEntry(kind=LogKind.DECISION, name="d.json", sha256=digest, size=len(data), at=AT), data


def append(log: Path, *words: bytes) -> tuple[int, ...]:
    return append_lines(log, [document(word) for word in words], leaf_hash)[0]


def test_entries_come_back_in_order_with_their_documents(log: Path) -> None:
    assert append(log, b"one", b"two") == (0, 1)
    assert append(log, b"three") == (2,)
    found = read_log(log, leaf_hash)
    assert [base64.b64decode(line.content or "") for line in found.lines] == [b"one", b"two", b"three"]
    assert (found.origin, found.cut_bytes) == ("example.com/log", 0)
    assert found.leaves == tuple(leaf_hash(line.entry.leaf) for line in found.lines)


def test_appending_never_changes_what_stands_there(log: Path) -> None:
    before = log.read_bytes()
    for word in (b"one", b"two", b"three"):
        append(log, word)
        assert log.read_bytes().startswith(before)
        before = log.read_bytes()


def test_a_document_is_entered_once(log: Path) -> None:
    append(log, b"one")
    assert append(log, b"two", b"one", b"two") == (1, 0, 1)
    assert len(read_log(log, leaf_hash).lines) == 2


def test_a_cut_last_line_is_counted_and_the_next_writer_removes_it(log: Path) -> None:
    append(log, b"one")
    whole = log.read_bytes()
    append(log, b"two")
    for cut in (1, 20, len(log.read_bytes()) - len(whole) - 1):
        log.write_bytes(log.read_bytes()[: len(whole) + cut])
        assert read_log(log, leaf_hash).cut_bytes == cut
        assert append(log, b"two") == (1,)
        assert len(read_log(log, leaf_hash).lines) == 2


def test_any_changed_bit_of_a_whole_line_is_refused(log: Path) -> None:
    append(log, b"one", b"two")
    whole = log.read_bytes()
    first = whole.index(b"\n") + 1
    for at in range(first, len(whole) - 1, 7):
        damaged = bytearray(whole)
        damaged[at] ^= 1
        log.write_bytes(bytes(damaged))
        with pytest.raises(EvidenceError):
            read_log(log, leaf_hash)
        with pytest.raises(EvidenceError):
            append(log, b"three")
        assert log.read_bytes() == bytes(damaged), "a damaged log is left as it was found"


def test_another_writing_of_the_same_line_is_refused(log: Path) -> None:
    append(log, b"one")
    head, line, _ = log.read_bytes().split(b"\n")
    log.write_bytes(head + b"\n" + json.dumps(json.loads(line), indent=None).encode() + b"\n")
    with pytest.raises(EvidenceError, match="not what was entered"):
        read_log(log, leaf_hash)


def test_a_document_can_be_erased_and_the_tree_stays(log: Path) -> None:
    append(log, b"one", b"two")
    before = read_log(log, leaf_hash)
    head, first, *rest = log.read_bytes().split(b"\n")
    kept = json.loads(first)
    del kept["content"]
    erased = json.dumps(kept, sort_keys=True, separators=(",", ":")).encode()
    log.write_bytes(b"\n".join([head, erased, *rest]))
    after = read_log(log, leaf_hash)
    assert (after.leaves, after.lines[0].content) == (before.leaves, None)


@pytest.mark.parametrize("data", [b"", b"text", b"\n", b'{"origin":"x"}', b"[]\n", b'{"beleg_log":2,"origin":"x"}\n'])
def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "other"
    path.write_bytes(data)
    with pytest.raises(EvidenceError, match="no decision log"):
        append(path, b"one")
    assert path.read_bytes() == data


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("absent", "pipe", "."):
        with pytest.raises(UsageError):
            read_log(tmp_path / name, leaf_hash)


def test_a_log_is_not_made_over_another(log: Path) -> None:
    with pytest.raises(UsageError, match="is there already"):
        create_log(log, "example.com/other")


def test_a_full_disk_leaves_the_log_as_it_was(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    append(log, b"one")
    before = log.read_bytes()
    real = os.write

    def half_then_full(descriptor: int, data: bytes) -> int:
        monkeypatch.setattr(os, "write", full)
        return real(descriptor, bytes(data)[:10])

    def full(descriptor: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", half_then_full)
    with pytest.raises(EvidenceError, match="No space left"):
        append(log, b"two")
    assert log.read_bytes() == before


def test_writers_at_the_same_time_lose_no_entry(log: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(log)]
    writers = [subprocess.Popen([*command, who, "15"], stdout=subprocess.DEVNULL) for who in "abcd"]
    assert [writer.wait() for writer in writers] == [0] * 4
    names = {line.entry.name for line in read_log(log, leaf_hash).lines}
    assert names == {f"{who}-{number}" for who in "abcd" for number in range(15)}


def test_a_killed_writer_loses_nothing_that_it_had_reported(log: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(log), "k", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        for _ in range(5):
            writer.stdout.readline()
        time.sleep(0.01)
        writer.send_signal(signal.SIGKILL)
        told = 5 + len(writer.stdout.read().split())
    assert len(read_log(log, leaf_hash).lines) >= told
    append(log, b"after")
    assert read_log(log, leaf_hash).cut_bytes == 0
