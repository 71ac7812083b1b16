from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from beleg.adapters.formats import pack_zip
from beleg.adapters.formats.pack_zip import PackMember, write_pack
from beleg.core.errors import EvidenceError, UsageError
from support.packs import Raw, raw_zip


def test_the_usual_readers_of_zip_files_can_read_a_pack(tmp_path: Path) -> None:
    source = tmp_path / "traces.jsonl"
    source.write_bytes(b'{"a":1}\n' * 300_000)
    members = [PackMember.of("manifest.json", b"{}"), PackMember.of("candidate/traces.jsonl", source)]
    write_pack(tmp_path / "x.zip", members)
    with zipfile.ZipFile(tmp_path / "x.zip") as archive:
        assert archive.testzip() is None
        assert archive.namelist() == ["manifest.json", "candidate/traces.jsonl"]
        assert archive.read("candidate/traces.jsonl") == source.read_bytes()
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_the_bytes_are_those_that_its_form_gives(tmp_path: Path) -> None:
    write_pack(tmp_path / "x.zip", [PackMember.of("a.json", b"{}"), PackMember.of("b/c.json", b"")])
    assert (tmp_path / "x.zip").read_bytes() == raw_zip([Raw("a.json", b"{}"), Raw("b/c.json", b"")])


def test_a_file_that_grows_while_it_is_packed_leaves_no_pack(tmp_path: Path) -> None:
    source = tmp_path / "a.jsonl"
    source.write_bytes(b"{}\n")
    member = PackMember.of("a.jsonl", source)
    source.write_bytes(b"{}\n{}\n")
    with pytest.raises(EvidenceError, match="changed while it was packed"):
        write_pack(tmp_path / "x.zip", [member])
    assert not (tmp_path / "x.zip").exists()


def test_more_than_the_format_can_hold_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pack_zip, "MAX_TOTAL_BYTES", 3)
    with pytest.raises(UsageError, match="a pack holds at most"):
        write_pack(tmp_path / "x.zip", [PackMember.of("a", b"{}"), PackMember.of("b", b"{}")])


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"gone\.json cannot be read"):
        PackMember.of("a", tmp_path / "gone.json")


def test_a_member_says_how_long_it_is_and_what_its_digest_is() -> None:
    # SHA-256 of "abc": FIPS 180-2, appendix B.1.
    member = PackMember.of("a", b"abc")
    assert member.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert member.size == 3


def test_nothing_depends_on_the_order_of_writing_but_the_order_given(tmp_path: Path) -> None:
    members = [PackMember.of("b", b"1"), PackMember.of("a", b"2")]
    write_pack(tmp_path / "x.zip", members)
    assert zipfile.ZipFile(io.BytesIO((tmp_path / "x.zip").read_bytes())).namelist() == ["b", "a"]
