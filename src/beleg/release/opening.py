"""DSSE envelopes of strangers, taken apart without believing anything that they hold."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass
from typing import Any

from beleg.core.errors import DataError, Problem

MAX_SIGNATURES = 64
"""Every signature is tried with every key, so that their number is bounded."""

_STANDARD = re.compile(r"[A-Za-z0-9+/]*={0,2}")
_URL_SAFE = re.compile(r"[A-Za-z0-9_-]*={0,2}")


@dataclass(frozen=True, slots=True)
class OpenEnvelope:
    """The parts of an envelope; nothing of it is verified."""

    payload: bytes
    payload_type: str
    signatures: tuple[bytes, ...]
    hints: tuple[str, ...]
    """The key ids that the signatures name, which anybody may have written there."""


def open_envelope(data: bytes) -> OpenEnvelope:
    """Takes a DSSE envelope apart.

    As DSSE says, both alphabets of base64 are taken, key ids may be absent, and fields that are not known are passed
    over. A repeated field is refused: two readers could take one each.

    Raises:
        DataError: if it is none.

    Example:
        >>> open_envelope(b'{"payload":"e30=","payloadType":"t","signatures":[{"sig":"AA=="}]}').payload
        b'{}'
    """
    try:
        value = json.loads(data.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_no_constant)
        payload_type = _text(value["payloadType"])
        signatures = value["signatures"]
        if not isinstance(signatures, list) or not 0 < len(signatures) <= MAX_SIGNATURES:
            raise _no_envelope(f"1 to {MAX_SIGNATURES} signatures are expected")
        return OpenEnvelope(
            payload=_decoded(value["payload"]),
            payload_type=payload_type,
            signatures=tuple(_decoded(signature["sig"]) for signature in signatures),
            hints=tuple(_text(one["keyid"]) for one in signatures if one.get("keyid") is not None),
        )
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError) as error:
        raise _no_envelope("it is not of the form of DSSE") from error


def _decoded(text: object) -> bytes:
    if not isinstance(text, str) or not (_STANDARD.fullmatch(text) or _URL_SAFE.fullmatch(text)):
        raise ValueError("no base64")
    standard = text.replace("-", "+").replace("_", "/")
    data = base64.b64decode(standard, validate=True)
    # Bits that base64 leaves over at the end could differ between two texts of the same bytes.
    if base64.b64encode(data).decode("ascii") != standard:
        raise ValueError("base64 that is not the form of its bytes")
    return data


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    value.encode("utf-8")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        raise ValueError("a field stands twice")
    return mapping


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON")


def _no_envelope(why: str) -> DataError:
    return DataError(Problem(message=f"this is no DSSE envelope: {why}", remedy="Name a file that was signed"))
