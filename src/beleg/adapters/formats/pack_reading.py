"""Reading the zip file of an audit pack, which comes from a stranger.

The usual reader of zip files looks at the list of entries at the end and believes it: it passes over what stands
before, between and behind, takes the last of two entries of one name, and never compares an entry's own header with the
list. Here every byte of the container must be the one that the content gives, and no file is ever written by the name
of an entry.
"""

from __future__ import annotations

import hashlib
import mmap
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from beleg.adapters.formats.pack_zip import (
    ATTRIBUTES,
    CENTRAL,
    CENTRAL_SIGNATURE,
    DATE,
    END,
    END_SIGNATURE,
    LOCAL,
    LOCAL_SIGNATURE,
    MADE_BY,
    MAX_MEMBERS,
    MAX_PACK_BYTES,
    MAX_TOTAL_BYTES,
    PIECE,
    STORED,
    TIME,
    VERSION,
    ZIP64_SIGNATURES,
)
from beleg.core.errors import UsageError, shown
from beleg.core.pack_faults import PackFault, PackRefused

Bytes = bytes | mmap.mmap

MAX_COMMENT = 0xFFFF
NO_32_BITS, NO_16_BITS = 0xFFFFFFFF, 0xFFFF
UTF_8_FLAG, DESCRIPTOR_FLAG, ENCRYPTION_FLAGS = 0x800, 0x8, 0x1 | 0x40 | 0x2000
ARCHIVE_STARTS = (
    b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"7z\xbc\xaf\x27\x1c", b"\x28\xb5\x2f\xfd",
    b"Rar!",
)  # fmt: skip
LONGEST_START = 8
DEFLATED, MAX_RATIO = 8, 100


@dataclass(frozen=True, slots=True)
class ListedMember:
    """One entry as the list at the end and its own header agree on it."""

    path: str
    crc: int
    size: int
    offset: int
    """Of its first byte of data."""


class PackArchive:
    """An open pack whose container has been checked; the content of an entry is checked when it is read.

    Args:
        data: the whole file.

    Raises:
        PackRefused: for the first rule that the container breaks.
    """

    def __init__(self, data: Bytes) -> None:
        self._data = data
        if len(data) > MAX_PACK_BYTES:
            raise PackRefused(PackFault.TOO_LARGE, found=f"{len(data):,} bytes of at most {MAX_PACK_BYTES:,}")
        count, start = _end_record(data)
        self.members = _listed(data, start, count)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all entries in their order; nobody has looked at them yet."""
        return tuple(member.path for member in self.members)

    def read(self, member: ListedMember, *, limit: int) -> bytes:
        """The bytes of one entry.

        Raises:
                PackRefused: if it is longer than ``limit``, does not have its checksum, or is itself an archive.
        """
        if member.size > limit:
            raise PackRefused(PackFault.TOO_LARGE, member.path, f"{member.size:,} bytes of at most {limit:,}")
        return b"".join(self._pieces(member))

    def ends(self, member: ListedMember, length: int) -> tuple[bytes, bytes]:
        """The first bytes of an entry, and its last one."""
        end = member.offset + member.size
        head = self._data[member.offset : min(member.offset + length, end)]
        return head, self._data[end - 1 : end] if member.size else b""

    def copy(self, member: ListedMember, target: Path | None) -> str:
        """Writes the bytes of one entry to a file that the caller names, or only looks at them.

        Returns:
            Their SHA-256 in hex.

        Raises:
            PackRefused: as `read` does.
        """
        whole = hashlib.sha256()
        if target is None:
            for piece in self._pieces(member):
                whole.update(piece)
            return whole.hexdigest()
        with target.open("xb") as file:
            for piece in self._pieces(member):
                whole.update(piece)
                file.write(piece)
        return whole.hexdigest()

    def _pieces(self, member: ListedMember) -> Iterator[bytes]:
        crc, end = 0, member.offset + member.size
        if self._data[member.offset : min(member.offset + LONGEST_START, end)].startswith(ARCHIVE_STARTS):
            raise PackRefused(PackFault.NESTED_ARCHIVE, member.path)
        for at in range(member.offset, end, PIECE):
            piece = self._data[at : min(at + PIECE, end)]
            crc = zlib.crc32(piece, crc)
            yield piece
        if crc != member.crc:
            raise PackRefused(PackFault.WRONG_CHECKSUM, member.path)


@contextmanager
def open_archive(path: Path) -> Iterator[PackArchive]:
    """Opens a pack and checks its container.

    Raises:
        UsageError: if there is no such file.
        PackRefused: for the first rule that the container breaks.
    """
    try:
        file = path.open("rb")
    except OSError as error:
        raise UsageError(
            f"{path} cannot be read: {error.strerror}", hint="Name a file that beleg pack wrote"
        ) from error
    with file:
        size = path.stat().st_size
        if size < END.size:
            raise PackRefused(PackFault.NOT_A_PACK, found=f"it has {size} bytes")
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            yield PackArchive(data)


def _end_record(data: Bytes) -> tuple[int, int]:
    """How many entries there are, and where their list begins."""
    at = len(data) - END.size
    if at < 0 or data[at : at + 4] != END_SIGNATURE:
        raise _no_end_record(data)
    _, disk, list_disk, here, count, size, start, comment = END.unpack(data[at:])
    if comment:
        raise PackRefused(PackFault.COMMENT)
    if NO_16_BITS in (here, count) or NO_32_BITS in (size, start):
        raise PackRefused(PackFault.ZIP64, "end record")
    if disk or list_disk or here != count:
        raise PackRefused(PackFault.SPLIT)
    if start + size != at:
        raise _between(data, start, size, at)
    if count > MAX_MEMBERS:
        raise PackRefused(PackFault.TOO_MANY_ENTRIES, found=f"{count:,} of at most {MAX_MEMBERS:,}")
    return count, start


def _no_end_record(data: Bytes) -> PackRefused:
    lowest = max(0, len(data) - END.size - MAX_COMMENT)
    at = data.rfind(END_SIGNATURE, lowest)
    if at < 0 or at + END.size > len(data):
        return PackRefused(PackFault.NOT_A_PACK, found="it has no end record, so that it was cut or is something else")
    comment = END.unpack(data[at : at + END.size])[-1]
    behind = len(data) - at - END.size
    if comment == behind:
        return PackRefused(PackFault.COMMENT)
    return PackRefused(PackFault.DATA_AFTER_END, found=f"{behind:,} bytes")


def _between(data: Bytes, start: int, size: int, at: int) -> PackRefused:
    """What is wrong where the list of entries does not end at the end record."""
    gap = data[start + size : at] if start + size < at else b""
    if any(signature in gap for signature in ZIP64_SIGNATURES):
        return PackRefused(PackFault.ZIP64, "end record")
    if END_SIGNATURE in gap:
        return PackRefused(PackFault.TWO_END_RECORDS)
    moved = at - size
    if moved > start and data[moved : moved + 4] == CENTRAL_SIGNATURE:
        return PackRefused(PackFault.PREPENDED_DATA, found=f"{moved - start:,} bytes")
    if gap:
        return PackRefused(PackFault.HIDDEN_DATA, found=f"{len(gap):,} bytes before the end record")
    return PackRefused(PackFault.DAMAGED_DIRECTORY, found="its place is not where the end record says")


def _listed(data: Bytes, start: int, count: int) -> tuple[ListedMember, ...]:
    lines = list(_lines(data, start, count))
    total = sum(fields[9] for fields, _ in lines if fields[9] != NO_32_BITS)
    if total > MAX_TOTAL_BYTES:
        raise PackRefused(PackFault.BOMB_TOTAL, found=f"{total:,} bytes of at most {MAX_TOTAL_BYTES:,}")
    members: list[ListedMember] = []
    due = 0
    for fields, name in lines:
        member = _checked(data, fields, name, due, start)
        due = member.offset + member.size
        members.append(member)
    if due != start:
        raise PackRefused(PackFault.HIDDEN_DATA, found=f"{start - due:,} bytes before the list of entries")
    return tuple(members)


def _lines(data: Bytes, start: int, count: int) -> Iterator[tuple[tuple[int, ...], bytes]]:
    """The fields and the name of every line of the list."""
    at = start
    for number in range(1, count + 1):
        if data[at : at + 4] != CENTRAL_SIGNATURE or at + CENTRAL.size > len(data) - END.size:
            raise PackRefused(PackFault.DAMAGED_DIRECTORY, found=f"entry {number} of {count} is not there")
        fields = CENTRAL.unpack(data[at : at + CENTRAL.size])
        at += CENTRAL.size
        yield fields, data[at : at + fields[10]]
        at += fields[10] + fields[11] + fields[12]
    if at != len(data) - END.size:
        raise PackRefused(PackFault.HIDDEN_DATA, found="the list of entries is longer than its entries")


def _checked(data: Bytes, fields: tuple[int, ...], raw_name: bytes, due: int, list_start: int) -> ListedMember:
    """One line of the list, held against what a pack may say and against the entry's own header.

    Args:
        data: the whole file.
        fields: the line of the list.
        raw_name: the name in it.
        due: where the entry must begin, so that nothing stands between entries.
        list_start: where the list begins.
    """
    (_, made_by, version, flags, method, time, date, crc, packed, size, _, extra, comment, disk, inner, outer,
     offset) = fields  # fmt: skip
    name = _name(raw_name)
    if NO_32_BITS in (packed, size, offset) or disk == NO_16_BITS:
        raise PackRefused(PackFault.ZIP64, name)
    if extra or comment:
        raise PackRefused(PackFault.EXTRA_FIELD, name)
    _check_kind(name, flags, (method, packed, size))
    if stat.S_ISLNK(outer >> 16):
        raise PackRefused(PackFault.SYMLINK, name)
    if (made_by, version, disk, inner, outer) != (MADE_BY, VERSION, 0, 0, ATTRIBUTES):
        raise PackRefused(PackFault.ATTRIBUTES, name, f"{(made_by, version, disk, inner, outer)}")
    if (time, date) != (TIME, DATE):
        raise PackRefused(PackFault.TIMESTAMP, name, f"{(time, date)}")
    _check_place(name, offset, due)
    begin = offset + LOCAL.size + len(raw_name)
    if begin + packed > list_start:
        raise PackRefused(PackFault.OVERLAP, name)
    expected = (LOCAL_SIGNATURE, version, flags, method, time, date, crc, packed, size, len(raw_name), 0)
    _check_own_header(name, LOCAL.unpack(data[offset : offset + LOCAL.size]), expected)
    if data[begin - len(raw_name) : begin] != raw_name:
        raise PackRefused(PackFault.HEADERS_DISAGREE, name, "the name")
    return ListedMember(name, crc, size, begin)


def _name(raw: bytes) -> str:
    try:
        return bytes(raw).decode("utf-8")
    except UnicodeDecodeError as error:
        raise PackRefused(PackFault.NAME_NOT_TEXT, found=shown(bytes(raw))) from error


def _check_kind(name: str, flags: int, packing: tuple[int, int, int]) -> None:
    method, packed, size = packing
    if flags & ENCRYPTION_FLAGS:
        raise PackRefused(PackFault.ENCRYPTED, name)
    if flags & DESCRIPTOR_FLAG:
        raise PackRefused(PackFault.DATA_DESCRIPTOR, name)
    # A name outside ASCII carries this flag; it goes on to the rules for names, which refuse it by its own word.
    if flags not in (0, 0 if name.isascii() else UTF_8_FLAG):
        raise PackRefused(PackFault.UNKNOWN_FLAG, name, f"{flags:#06x}")
    if method == DEFLATED and size > packed * MAX_RATIO:
        raise PackRefused(PackFault.BOMB_RATIO, name, f"{packed:,} bytes to {size:,}")
    if method != STORED:
        raise PackRefused(PackFault.COMPRESSED, name, str(method))
    if packed != size:
        raise PackRefused(PackFault.WRONG_SIZE, name, f"{packed:,} bytes stored, and {size:,} are listed")


def _check_place(name: str, offset: int, due: int) -> None:
    if offset == due:
        return
    if offset < due:
        raise PackRefused(PackFault.OVERLAP, name)
    fault = PackFault.HIDDEN_DATA if due else PackFault.PREPENDED_DATA
    raise PackRefused(fault, name, f"{offset - due:,} bytes before {name}")


def _check_own_header(name: str, found: tuple[object, ...], expected: tuple[object, ...]) -> None:
    if found == expected:
        return
    names = (
        "the signature", "the version", "the flags", "the method", "the time", "the date", "the checksum",
        "the packed size", "the size", "the length of the name", "extra fields",
    )  # fmt: skip
    differing = [what for what, mine, listed in zip(names, found, expected, strict=True) if mine != listed]
    raise PackRefused(PackFault.HEADERS_DISAGREE, name, ", ".join(differing))
