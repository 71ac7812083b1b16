from __future__ import annotations

import os
import subprocess
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from beleg.core.errors import EvidenceError
from beleg.core.suite import SuiteHeader, SuiteKind
from beleg.suites.ledger import BudgetStatus, Ledger, UsageEntry, read_ledger, record_use, usage

AT = datetime(2026, 6, 15, 12, tzinfo=UTC)


def entry(used_by: str = "run-1", manifest: str = "sha256:m1", **fields: Any) -> UsageEntry:
    base: dict[str, Any] = {
        "suite_name": "shop",
        "suite_version": 1,
        "suite_digest": "sha256:s",
        "purpose": "gate",
        "at": AT,
    }
    return UsageEntry(used_by=used_by, manifest_digest=manifest, **{**base, **fields})


def header(**fields: Any) -> SuiteHeader:
    return SuiteHeader(**{"name": "shop", "kind": SuiteKind.HOLDOUT, "usage_budget": 2, **fields})


def test_what_is_recorded_is_read_back_in_order(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "ledger.jsonl"
    entries = [entry("run-1"), entry("run-2", note="Zeile\nmit „Umbruch“\u2028"), entry("run-3")]
    for one in entries:
        record_use(path, one)
    assert read_ledger(path) == Ledger(entries=tuple(entries), damaged=())


def test_a_ledger_that_does_not_exist_is_empty(tmp_path: Path) -> None:
    assert read_ledger(tmp_path / "none.jsonl") == Ledger(entries=(), damaged=())


def test_recording_never_changes_what_stands_there(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    before = b""
    for index in range(5):
        record_use(path, entry(f"run-{index}"))
        assert path.read_bytes().startswith(before)
        before = path.read_bytes()


@pytest.mark.parametrize("keep", [1, 40, -2])
def test_a_cut_last_line_is_reported_with_its_place(tmp_path: Path, keep: int) -> None:
    path = tmp_path / "ledger.jsonl"
    record_use(path, entry("run-1"))
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:keep])
    ledger = read_ledger(path)
    assert [one.used_by for one in ledger.entries] == ["run-1"]
    assert [(problem.file, problem.line) for problem in ledger.damaged] == [(str(path), 2)]
    assert "is cut off" in ledger.damaged[0].message


def test_an_entry_after_a_cut_line_is_not_glued_to_it(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    record_use(path, entry("run-1"))
    path.write_bytes(path.read_bytes()[:-10])
    record_use(path, entry("run-2"))
    ledger = read_ledger(path)
    assert [one.used_by for one in ledger.entries] == ["run-2"]
    assert [problem.line for problem in ledger.damaged] == [1]


@pytest.mark.parametrize("line", [b"\n", b"{}\n", b"\xff\xfe\n", b"[1]\n", b'{"suite_name": "shop"}\n'])
def test_a_line_that_is_no_entry_is_reported_and_not_dropped(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "ledger.jsonl"
    path.write_bytes(line)
    record_use(path, entry("run-1"))
    ledger = read_ledger(path)
    assert (len(ledger.entries), len(ledger.damaged)) == (1, 1)
    assert "no usage entry" in ledger.damaged[0].message


@settings(max_examples=60, deadline=None)
@given(cut=st.integers(0, 10_000))
def test_a_ledger_cut_anywhere_keeps_all_whole_lines(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    path = tmp_path_factory.mktemp("cut") / "ledger.jsonl"
    for index in range(3):
        record_use(path, entry(f"run-{index}"))
    whole = path.read_bytes()
    cut %= len(whole) + 1
    path.write_bytes(whole[:cut])
    ledger = read_ledger(path)
    tail = whole[:cut].rpartition(b"\n")[2]
    # A line that lost only its newline is still whole.
    complete = whole[:cut].count(b"\n") + (tail.endswith(b"}"))
    assert len(ledger.entries) == complete
    assert len(ledger.damaged) == (1 if tail and not tail.endswith(b"}") else 0)


WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from beleg.suites.ledger import UsageEntry, record_use
for index in range(int(sys.argv[3])):
    record_use(Path(sys.argv[1]), UsageEntry(
        suite_name="shop", suite_version=1, suite_digest="d", used_by=f"{sys.argv[2]}-{index}", purpose="gate",
        manifest_digest="m", at=datetime(2026, 6, 15, tzinfo=UTC), note="x" * 6000))
"""


def test_many_processes_lose_no_event(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    n_writers, n_each = 8, 25
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(name), str(n_each)]) for name in range(n_writers)
    ]
    assert [writer.wait(timeout=120) for writer in writers] == [0] * n_writers
    ledger = read_ledger(path)
    assert ledger.damaged == ()
    assert {one.used_by for one in ledger.entries} == {f"{w}-{i}" for w in range(n_writers) for i in range(n_each)}
    assert len(ledger.entries) == n_writers * n_each
    for name in range(n_writers):
        own = [one.used_by for one in ledger.entries if one.used_by.startswith(f"{name}-")]
        assert own == [f"{name}-{index}" for index in range(n_each)]


def test_many_threads_lose_no_event(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    threads = [
        threading.Thread(target=lambda name=name: [record_use(path, entry(f"{name}-{i}")) for i in range(10)])
        for name in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({one.used_by for one in read_ledger(path).entries}) == 60


def test_a_use_that_cannot_be_recorded_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(EvidenceError, match="could not be recorded"):
        record_use(tmp_path, entry())
    with pytest.raises(EvidenceError, match="cannot be read"):
        read_ledger(tmp_path)


def test_a_line_written_in_part_is_an_error_and_damages_no_later_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ledger.jsonl"
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:20]))
    with pytest.raises(EvidenceError, match="in part only"):
        record_use(path, entry("run-1"))
    monkeypatch.undo()
    record_use(path, entry("run-2"))
    ledger = read_ledger(path)
    assert ([one.used_by for one in ledger.entries], len(ledger.damaged)) == (["run-2"], 1)


def test_a_time_without_zone_is_no_time() -> None:
    with pytest.raises(ValidationError, match="timezone"):
        entry(at=datetime(2026, 1, 1))  # noqa: DTZ001


def test_the_budget_counts_distinct_candidates() -> None:
    uses = (entry("run-1", "m1"), entry("run-2", "m1"), entry("run-3", "m2"), entry("x", "m9", suite_name="other"))
    result = usage(Ledger(entries=uses, damaged=()), header())
    assert (result.uses, result.manifests, result.status) == (3, ("m1", "m2"), BudgetStatus.WITHIN)
    assert result.status_with("m2") is BudgetStatus.WITHIN
    assert result.status_with("m3") is BudgetStatus.EXCEEDED


def test_a_third_candidate_exceeds_a_budget_of_two() -> None:
    uses = tuple(entry(manifest=name) for name in ("m1", "m2", "m3"))
    assert usage(Ledger(entries=uses, damaged=()), header()).status is BudgetStatus.EXCEEDED


def test_a_new_version_does_not_start_a_new_count() -> None:
    uses = tuple(entry(manifest=f"m{version}", suite_version=version) for version in (1, 2, 3))
    assert usage(Ledger(entries=uses, damaged=()), header(version=3)).status is BudgetStatus.EXCEEDED


def test_a_line_that_cannot_be_read_counts_against_the_budget(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    path.write_bytes(b"{\n{\n")
    record_use(path, entry())
    result = usage(read_ledger(path), header())
    assert (result.uses, result.unreadable, result.status) == (1, 2, BudgetStatus.EXCEEDED)


def test_without_a_budget_there_is_nothing_to_exceed() -> None:
    result = usage(Ledger(entries=(entry(),), damaged=()), header(usage_budget=None))
    assert (result.status, result.status_with("m2")) == (BudgetStatus.NOT_SET, BudgetStatus.NOT_SET)
