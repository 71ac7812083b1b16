from __future__ import annotations

import errno
import hashlib
import os
import threading
import time
from pathlib import Path

import pytest

from beleg.core.errors import EvidenceError
from beleg.run.journal import HeldTraces, JournalWriter, digest_of_whole_lines, encode, read
from support.builders import trace


def written(path: Path, *case_ids: str) -> bytes:
    with JournalWriter(path, keep_bytes=0) as journal:
        for name in case_ids:
            journal.append(trace(name))
    return path.read_bytes()


def test_what_was_appended_is_read_back_in_order(tmp_path: Path) -> None:
    written(tmp_path / "j", "a", "b", "ä\u2028ß")
    assert [item.case_id for item in read(tmp_path / "j").traces] == ["a", "b", "ä\u2028ß"]


def test_every_cut_of_the_file_loses_at_most_the_trace_that_was_cut(tmp_path: Path) -> None:
    path = tmp_path / "j"
    whole = written(path, "a", "b", "c")
    ends = [index + 1 for index, byte in enumerate(whole) if byte == ord("\n")]
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        content = read(path)
        finished = sum(end <= length for end in ends)
        assert len(content.traces) == finished
        assert content.whole_bytes + content.cut_bytes == length


def test_a_resumed_journal_drops_the_cut_line_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "j"
    whole = written(path, "a", "b")
    path.write_bytes(whole[:-7])
    content = read(path)
    with JournalWriter(path, keep_bytes=content.whole_bytes) as journal:
        journal.append(trace("b"))
    assert [item.case_id for item in read(path).traces] == ["a", "b"]
    assert path.read_bytes() == whole


def test_damage_before_the_end_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "j"
    whole = bytearray(written(path, "a", "b", "c"))
    whole[len(encode(trace("a"))) + 60] ^= 1
    path.write_bytes(bytes(whole))
    with pytest.raises(EvidenceError, match=r"j:2: the journal is damaged"):
        read(path)


def test_one_altered_bit_anywhere_is_found(tmp_path: Path) -> None:
    path = tmp_path / "j"
    whole = written(path, "a", "b")
    for position in range(len(encode(trace("a")))):
        changed = bytearray(whole)
        changed[position] ^= 1
        path.write_bytes(bytes(changed))
        with pytest.raises(EvidenceError):
            read(path)


def test_a_case_recorded_twice_is_refused(tmp_path: Path) -> None:
    written(tmp_path / "j", "a", "b", "a")
    with pytest.raises(EvidenceError, match="'a' repeat 0 was recorded twice"):
        read(tmp_path / "j")


def test_a_line_of_another_version_is_refused_not_guessed(tmp_path: Path) -> None:
    body = b'{"case_id":"a","status":"ok","flavour":1}'
    check = hashlib.sha256(body).hexdigest()[:16].encode()
    (tmp_path / "j").write_bytes(b'{"check":"' + check + b'","trace":' + body + b"}\n")
    with pytest.raises(EvidenceError, match="field 'flavour'"):
        read(tmp_path / "j")


def test_an_append_reaches_the_file_before_it_returns(tmp_path: Path) -> None:
    path = tmp_path / "j"
    journal = JournalWriter(path, keep_bytes=0)
    journal.append(trace("a"))
    assert path.stat().st_size == len(encode(trace("a")))
    journal.close()


def test_a_write_that_takes_only_a_part_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, bytes(data)[:5]))
    written(tmp_path / "j", "a", "b")
    monkeypatch.undo()
    assert len(read(tmp_path / "j").traces) == 2


def test_a_full_disk_is_named_and_what_was_written_before_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    with JournalWriter(tmp_path / "j", keep_bytes=0) as journal:
        journal.append(trace("a"))
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", full)
            with pytest.raises(EvidenceError, match=r"j: the answer to case 'b' cannot be written: No space left"):
                journal.append(trace("b"))
    assert [item.case_id for item in read(tmp_path / "j").traces] == ["a"]


def test_a_disk_that_fills_up_within_a_line_leaves_whole_lines_and_takes_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, real, writes = tmp_path / "j", os.write, 0

    def filling(descriptor: int, data: bytes) -> int:
        nonlocal writes
        writes += 1
        if writes == 1:
            return real(descriptor, bytes(data)[:40])
        raise OSError(errno.ENOSPC, "No space left on device")

    with JournalWriter(path, keep_bytes=0) as journal:
        journal.append(trace("a"))
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", filling)
            with pytest.raises(EvidenceError, match="'b' cannot be written: No space left"):
                journal.append(trace("b"))
        with pytest.raises(EvidenceError, match="'c' cannot be written: the disk failed before"):
            journal.append(trace("c"))
    assert path.read_bytes() == encode(trace("a"))
    content = read(path)
    with JournalWriter(path, keep_bytes=content.whole_bytes) as journal:
        journal.append(trace("b"))
    assert [item.case_id for item in read(path).traces] == ["a", "b"]


def failing_fsync(_: int) -> None:
    raise OSError(errno.EIO, "Input/output error")


def test_a_disk_that_cannot_sync_is_named_and_the_journal_does_not_pass_for_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    with JournalWriter(tmp_path / "j", keep_bytes=0) as journal:
        journal.append(trace("a"))
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", failing_fsync)
            with pytest.raises(EvidenceError, match=r"j cannot be forced onto the disk: Input/output error"):
                journal.sync()
        with pytest.raises(EvidenceError, match="the disk failed before"):
            journal.append(trace("b"))
        monkeypatch.setattr(os, "fsync", synced.append)
        journal.sync()
        journal.sync()
    assert len(synced) == 1


def test_closing_waits_for_a_sync_in_another_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[str] = []
    started = threading.Event()
    real_close = os.close

    def slow(descriptor: int) -> None:
        started.set()
        time.sleep(0.05)
        os.fstat(descriptor)
        events.append("synced")

    def closing(descriptor: int) -> None:
        events.append("closed")
        real_close(descriptor)

    journal = JournalWriter(tmp_path / "j", keep_bytes=0)
    journal.append(trace("a"))
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", slow)
        patch.setattr(os, "close", closing)
        thread = threading.Thread(target=journal.sync)
        thread.start()
        started.wait(5)
        journal.close()
        thread.join()
        journal.sync()
    assert events == ["synced", "closed"]


def test_the_digest_of_a_journal_is_that_of_its_whole_lines(tmp_path: Path) -> None:
    whole = written(tmp_path / "j", "a", "b")
    assert digest_of_whole_lines(tmp_path / "j") == f"sha256:{hashlib.sha256(whole).hexdigest()}"
    (tmp_path / "j").write_bytes(whole + encode(trace("c"))[:-1])
    assert digest_of_whole_lines(tmp_path / "j") == f"sha256:{hashlib.sha256(whole).hexdigest()}"


def test_held_traces_are_kept_in_order_and_on_no_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    held = HeldTraces()
    for name in ("b", "a"):
        held.append(trace(name))
        held.sync()
    assert [item.case_id for item in held.traces] == ["b", "a"]
    assert list(tmp_path.iterdir()) == []
