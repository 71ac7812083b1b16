"""The generated table of Unicode is whole and names where it comes from."""

from __future__ import annotations

import base64
import zlib

from beleg.text.unicode_tables import CONFUSABLES_SHA256, PROTOTYPES, SCRIPT_RANGES, UNICODE_VERSION


def test_the_table_unpacks_and_names_its_source() -> None:
    ranges, prototypes = (
        zlib.decompress(base64.b85decode(part)).decode().splitlines() for part in (SCRIPT_RANGES, PROTOTYPES)
    )
    assert ranges[:2] == ["0 Zyyy", "41 Latn"]
    assert all(";" in line for line in prototypes)
    assert sum(len(line.split(";")[1].split()) for line in prototypes) > 6_000
    assert UNICODE_VERSION == "18.0.0"
    assert len(CONFUSABLES_SHA256) == 64
