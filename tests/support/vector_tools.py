"""The tools that made the vectors of the controller, to make more of the like in tests."""

from __future__ import annotations

import importlib
import json
import sys
from datetime import datetime
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import rfc8785

from beleg.core.admission import ControllerState
from beleg.release.controller import NamedBytes, Question

TOOLS = str(Path(__file__).resolve().parents[2] / "tools")


@cache
def tool(name: str) -> ModuleType:
    """A module of ``tools``."""
    if TOOLS not in sys.path:
        sys.path.append(TOOLS)
    return importlib.import_module(name)


parts = tool("vector_parts")
NOW = datetime.fromisoformat(parts.NOW)


def signed_trust(data: Any = None, *, root: Any = None) -> bytes:
    """A trust file as it stands in a file."""
    payload = rfc8785.dumps(data or parts.trust())
    return parts.text(parts.signed(payload, root or parts.ROOT, payload_type=parts.TRUST)).encode()


def ask(*envelopes: Any, trust: bytes | None = None, at: datetime = NOW, state: Any = None, **changes: Any) -> Question:
    """A question about the candidate of the vectors."""
    files = tuple(
        NamedBytes(f"{position}.dsse.json", one if isinstance(one, bytes) else parts.text(one).encode())
        for position, one in enumerate(envelopes, start=1)
    )
    known = {
        "trust": trust or signed_trust(),
        "roots": (parts.ROOT.pem,),
        "envelopes": files,
        "subject": parts.CANDIDATE,
        "environment": "production",
        "at": at,
        "state": state or ControllerState(),
    }
    return Question(**{**known, **changes})


def at_this_moment() -> dict[str, str]:
    """Times of a decision that is in date now, for commands that read the clock."""
    from datetime import UTC, timedelta

    now = datetime.now(UTC)
    form = "%Y-%m-%dT%H:%M:%SZ"
    begun, ends = (now - timedelta(hours=1)).strftime(form), (now + timedelta(hours=5)).strftime(form)
    return {"issuedAt": begun, "notBefore": begun, "expiresAt": ends}


def trust_at_this_moment(**changes: Any) -> Any:
    """A trust file that counts now, whatever the year."""
    from datetime import UTC, timedelta

    now = datetime.now(UTC)
    form = "%Y-%m-%dT%H:%M:%SZ"
    begun, ends = (now - timedelta(days=9)).strftime(form), (now + timedelta(days=9)).strftime(form)
    keys = {key_id: {**key, "validFrom": begun, "validUntil": ends} for key_id, key in parts.trust()["keys"].items()}
    return parts.trust(issuedAt=begun, expiresAt=ends, keys=keys, **changes)


def written(path: Path, envelope: Any) -> Path:
    """An envelope in a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(envelope if isinstance(envelope, str) else json.dumps(envelope), encoding="utf-8")
    return path
