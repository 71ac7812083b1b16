from __future__ import annotations

import io
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable

import pytest

from beleg.adapters.formats import pack_reading
from beleg.adapters.formats.pack_reading import PackArchive
from beleg.core.pack_faults import PackFault, PackRefused
from support.packs import Raw, raw_zip

MANIFEST = Raw("manifest.json", b"{}")
SUITE = Raw("candidate/suite.json", b'{"a":1}\n')


def refused(data: bytes) -> PackFault:
    """By which rule a container is refused; its entries are read too."""
    with pytest.raises(PackRefused) as caught:
        read_all(data)
    return caught.value.fault


def read_all(data: bytes) -> dict[str, bytes]:
    archive = PackArchive(data)
    return {member.path: archive.read(member, limit=1_000_000) for member in archive.members}


def deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def by_zipfile(fill: Callable[[zipfile.ZipFile], None], **options: object) -> bytes:
    """What the usual writer of zip files makes of it."""
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with zipfile.ZipFile(file, "w", **options) as archive:
            fill(archive)
    return file.getvalue()


def test_what_is_in_its_one_form_is_read() -> None:
    assert read_all(raw_zip([MANIFEST, SUITE])) == {"manifest.json": b"{}", "candidate/suite.json": b'{"a":1}\n'}


BAD: dict[str, tuple[PackFault, bytes]] = {
    "empty": (PackFault.NOT_A_PACK, b""),
    "something else": (PackFault.NOT_A_PACK, b"%PDF-1.7" * 40),
    "cut": (PackFault.NOT_A_PACK, raw_zip([MANIFEST, SUITE])[:-1]),
    "comment": (PackFault.COMMENT, raw_zip([MANIFEST], comment=b"hello")),
    "data after the end": (PackFault.DATA_AFTER_END, raw_zip([MANIFEST], suffix=b"more")),
    "prepended, offsets as they were": (PackFault.PREPENDED_DATA, b"#!/bin/sh\n" + raw_zip([MANIFEST, SUITE])),
    "prepended, offsets moved": (PackFault.PREPENDED_DATA, raw_zip([MANIFEST, SUITE], prefix=b"#!/bin/sh\n")),
    "two end records": (
        PackFault.TWO_END_RECORDS,
        raw_zip([MANIFEST], before_end=struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 0, 0, 0, 0, 0)),
    ),
    "an archive behind an archive": (PackFault.PREPENDED_DATA, raw_zip([MANIFEST]) + raw_zip([SUITE])),
    "bytes before the end record": (PackFault.HIDDEN_DATA, raw_zip([MANIFEST], before_end=b"hidden")),
    "bytes between entries": (
        PackFault.HIDDEN_DATA,
        raw_zip([MANIFEST, Raw("candidate/suite.json", b"{}", before=b"hidden")]),
    ),
    "an entry that the list leaves out": (
        PackFault.HIDDEN_DATA,
        raw_zip([MANIFEST, Raw("b.json", b"{}", before=raw_zip([SUITE])[:40])]),
    ),
    "overlapping entries": (PackFault.OVERLAP, raw_zip([MANIFEST, Raw("manifest.json", b"{}", overlaps=True)])),
    "64-bit locator": (PackFault.ZIP64, raw_zip([MANIFEST], before_end=b"PK\x06\x07" + bytes(16))),
    "64-bit count": (PackFault.ZIP64, raw_zip([MANIFEST], here=0xFFFF, count=0xFFFF)),
    "64-bit size": (PackFault.ZIP64, raw_zip([Raw("manifest.json", b"{}", central={"size": 0xFFFFFFFF})])),
    "64-bit offset": (PackFault.ZIP64, raw_zip([Raw("manifest.json", b"{}", central={"offset": 0xFFFFFFFF})])),
    "64-bit extra field": (
        PackFault.EXTRA_FIELD,
        raw_zip([Raw("manifest.json", b"{}", extra=struct.pack("<HHQ", 1, 8, 2))]),
    ),
    "several disks": (PackFault.SPLIT, raw_zip([MANIFEST], disk=1)),
    "fewer entries than there are": (PackFault.HIDDEN_DATA, raw_zip([MANIFEST, SUITE], here=1, count=1)),
    "more entries than there are": (PackFault.DAMAGED_DIRECTORY, raw_zip([MANIFEST], here=2, count=2)),
    "comment of an entry": (PackFault.EXTRA_FIELD, raw_zip([Raw("manifest.json", b"{}", comment=b"x")])),
    "encrypted": (PackFault.ENCRYPTED, raw_zip([Raw("manifest.json", b"{}", both={"flags": 1})])),
    "strongly encrypted": (PackFault.ENCRYPTED, raw_zip([Raw("manifest.json", b"{}", both={"flags": 0x41})])),
    "size after the data": (PackFault.DATA_DESCRIPTOR, raw_zip([Raw("manifest.json", b"{}", both={"flags": 8})])),
    "unknown flag": (PackFault.UNKNOWN_FLAG, raw_zip([Raw("manifest.json", b"{}", both={"flags": 0x10})])),
    "symbolic link": (
        PackFault.SYMLINK,
        raw_zip([Raw("manifest.json", b"/etc/passwd", central={"outer": 0o120777 << 16})]),
    ),
    "a folder": (
        PackFault.ATTRIBUTES,
        raw_zip([Raw("manifest.json", b"{}", central={"outer": 0o040755 << 16 | 0x10})]),
    ),
    "made elsewhere": (PackFault.ATTRIBUTES, raw_zip([Raw("manifest.json", b"{}", central={"made_by": 20})])),
    "a time of its own": (PackFault.TIMESTAMP, raw_zip([Raw("manifest.json", b"{}", both={"date": 0x5D7E})])),
    "compressed": (
        PackFault.COMPRESSED,
        raw_zip([Raw("manifest.json", deflated(b"{}"), both={"method": 8, "size": 2, "crc": zlib.crc32(b"{}")})]),
    ),
    "bomb by ratio": (
        PackFault.BOMB_RATIO,
        raw_zip([Raw("manifest.json", deflated(bytes(10**6)), both={"method": 8, "size": 10**6})]),
    ),
    "bomb in total": (
        PackFault.BOMB_TOTAL,
        raw_zip(
            Raw(f"{n}.json", b"{}", both={"packed": 2, "size": 2}, central={"size": 2**31, "packed": 2**31})
            for n in range(3)
        ),
    ),
    "bomb in a bomb": (PackFault.NESTED_ARCHIVE, raw_zip([MANIFEST, Raw("b.json", raw_zip([SUITE]))])),
    "a packed file inside": (PackFault.NESTED_ARCHIVE, raw_zip([MANIFEST, Raw("b.json", b"\x1f\x8b\x08" + bytes(9))])),
    "stored longer than listed": (
        PackFault.WRONG_SIZE,
        raw_zip([Raw("manifest.json", b"{}", both={"size": 1})]),
    ),
    "another checksum": (PackFault.WRONG_CHECKSUM, raw_zip([Raw("manifest.json", b"{}", both={"crc": 1})])),
    "no text as a name": (PackFault.NAME_NOT_TEXT, raw_zip([Raw(b"\xff\xfe.json", b"{}")])),
    **{
        f"own header: {what}": (PackFault.HEADERS_DISAGREE, raw_zip([Raw("manifest.json", b"{}", local=change)]))
        for what, change in {
            "name": {"name": b"manifest.jsoN"},
            "size": {"size": 1},
            "packed size": {"packed": 1},
            "checksum": {"crc": 1},
            "method": {"method": 8},
            "flags": {"flags": 0x800},
            "time": {"time": 1},
            "version": {"version": 45},
            "extra field": {"extra_length": 4},
        }.items()
    },
}


@pytest.mark.parametrize("what", BAD)
def test_each_broken_rule_of_a_container_has_its_own_word(what: str) -> None:
    fault, data = BAD[what]
    assert refused(data) is fault


def test_a_container_with_too_many_entries_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pack_reading, "MAX_MEMBERS", 2)
    assert refused(raw_zip([MANIFEST, SUITE, SUITE])) is PackFault.TOO_MANY_ENTRIES


def test_a_file_beyond_the_limit_is_refused_before_it_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pack_reading, "MAX_PACK_BYTES", 100)
    assert refused(raw_zip([MANIFEST, SUITE])) is PackFault.TOO_LARGE


def test_an_entry_beyond_its_limit_is_not_read() -> None:
    archive = PackArchive(raw_zip([MANIFEST]))
    with pytest.raises(PackRefused) as caught:
        archive.read(archive.members[0], limit=1)
    assert caught.value.fault is PackFault.TOO_LARGE


def test_what_the_usual_writer_makes_is_refused_where_it_is_in_another_form() -> None:
    assert refused(by_zipfile(lambda archive: archive.writestr("manifest.json", "{}"))) is PackFault.ATTRIBUTES
    compressed = by_zipfile(
        lambda archive: archive.writestr("manifest.json", "{}" * 90), compression=zipfile.ZIP_DEFLATED
    )
    assert refused(compressed) is PackFault.COMPRESSED


def test_no_bit_of_a_container_can_change_unseen() -> None:
    data = raw_zip([MANIFEST, SUITE, Raw("versions.json", b'{"python":"3"}')])
    told = read_all(data)
    for at in range(len(data)):
        for bit in range(8):
            changed = bytearray(data)
            changed[at] ^= 1 << bit
            try:
                found = read_all(bytes(changed))
            except PackRefused:
                continue
            pytest.fail(f"bit {bit} of byte {at} changed and nobody saw it: {found == told}")


def test_no_byte_can_be_cut_or_added_unseen() -> None:
    data = raw_zip([MANIFEST, SUITE])
    for at in range(len(data)):
        refused(data[:at] + data[at + 1 :])
        refused(data[:at] + b"\0" + data[at:])
