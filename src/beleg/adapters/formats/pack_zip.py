"""Writing the zip file of an audit pack: the same content gives the same bytes.

Every field of the container has one value that it may have: no times, no owners, no comments, no extra fields, nothing
compressed, the members in a fixed order without a gap. So the bytes do not depend on the zlib that is installed, a
reader can check each of them, and nothing can be hidden in the container or unfold out of it.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from beleg.adapters.formats.atomic import replacing
from beleg.adapters.formats.limits import GIB, MIB
from beleg.core.errors import EvidenceError, UsageError

LOCAL_SIGNATURE = b"PK\x03\x04"
CENTRAL_SIGNATURE = b"PK\x01\x02"
END_SIGNATURE = b"PK\x05\x06"
ZIP64_SIGNATURES = (b"PK\x06\x06", b"PK\x06\x07")

LOCAL = struct.Struct("<4sHHHHHIIIHH")
"""Signature, version needed, flags, method, time, date, CRC, packed size, size, name length, extra length."""
CENTRAL = struct.Struct("<4sHHHHHHIIIHHHHHII")
"""As `LOCAL` with the version that made it first, then comment length, disk, inner and outer attributes, offset."""
END = struct.Struct("<4sHHHHIIH")
"""Signature, disk, disk of the list, entries here, entries, size of the list, its offset, comment length."""

VERSION = 20
MADE_BY = 3 << 8 | VERSION
TIME, DATE = 0, 0x0021
"""Midnight of 1 January 1980, the first moment that the format knows."""
ATTRIBUTES = 0o100644 << 16
"""A regular file that its owner may write and everybody may read."""
STORED = 0

MAX_PACK_BYTES = 4 * GIB - 1 - MIB
"""Beyond this the format needs its 64-bit form, in which readers differ."""
MAX_MEMBERS = 10_000
MAX_TOTAL_BYTES = MAX_PACK_BYTES
PIECE = MIB

PackSource = bytes | Path


@dataclass(frozen=True, slots=True)
class PackMember:
    """One file to be packed, measured before it is written."""

    path: str
    source: PackSource
    size: int
    sha256: str
    """In hex."""
    crc: int

    @classmethod
    def of(cls, path: str, source: PackSource) -> PackMember:
        """Measures bytes or a file.

        Raises:
            UsageError: if the file cannot be read.
        """
        size, crc, whole = 0, 0, hashlib.sha256()
        for piece in _pieces(source):
            size += len(piece)
            crc = zlib.crc32(piece, crc)
            whole.update(piece)
        return cls(path, source, size, whole.hexdigest(), crc)


def write_pack(target: Path, members: Sequence[PackMember]) -> None:
    """Writes members in the given order, as a whole or not at all.

    Args:
        target: where the pack goes; a file that is there is replaced.
        members: the manifest first, then its signature if there is one, then the others by path.

    Raises:
        UsageError: if there is too much for one pack, or the target cannot be written.
        EvidenceError: if a file changed while it was packed.
    """
    if len(members) > MAX_MEMBERS or sum(member.size for member in members) > MAX_TOTAL_BYTES:
        raise UsageError(
            f"a pack holds at most {MAX_MEMBERS:,} files and {MAX_TOTAL_BYTES:,} bytes",
            hint="Pack runs on fewer cases, or runs with shorter passages",
        )
    with replacing(target) as temporary, temporary.open("wb") as file:
        listed = [_write_member(file, member) for member in members]
        start = file.tell()
        file.writelines(listed)
        file.write(END.pack(END_SIGNATURE, 0, 0, len(listed), len(listed), file.tell() - start, start, 0))


def _write_member(file: BinaryIO, member: PackMember) -> bytes:
    """Writes one member and returns its line of the list."""
    offset, name = file.tell(), member.path.encode()
    file.write(_local_header(name, member))
    for piece in _pieces(member.source):
        file.write(piece)
    if file.tell() != offset + LOCAL.size + len(name) + member.size:
        raise EvidenceError(
            f"{member.source if isinstance(member.source, Path) else member.path} changed while it was packed",
            hint="Wait until nothing writes to the run, and pack again",
        )
    return (
        CENTRAL.pack(
            CENTRAL_SIGNATURE, MADE_BY, VERSION, 0, STORED, TIME, DATE, member.crc, member.size, member.size,
            len(name), 0, 0, 0, 0, ATTRIBUTES, offset,
        )
        + name
    )  # fmt: skip


def _local_header(name: bytes, member: PackMember) -> bytes:
    size = member.size
    return LOCAL.pack(LOCAL_SIGNATURE, VERSION, 0, STORED, TIME, DATE, member.crc, size, size, len(name), 0) + name


def _pieces(source: PackSource) -> Iterator[bytes]:
    if isinstance(source, bytes):
        yield source
        return
    try:
        with source.open("rb") as file:
            while piece := file.read(PIECE):
                yield piece
    except OSError as error:
        raise UsageError(f"{source} cannot be read: {error.strerror}", hint="Check the path and the rights") from error
