"""What is hashed into the log: the digest of a document and none of its words."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from beleg.core.decision_log import LogEntry, LogKind


def entry(**fields: object) -> LogEntry:
    given = {"kind": LogKind.DECISION, "name": "decision.dsse.json", "sha256": "ab" * 32, "size": 3}
    return LogEntry.model_validate({**given, "at": datetime(2026, 12, 1, tzinfo=UTC), **fields})


def test_the_leaf_is_the_canonical_form_of_the_entry() -> None:
    assert entry().leaf == (
        b'{"at":"2026-12-01T00:00:00Z","kind":"decision","name":"decision.dsse.json","sha256":"' + b"ab" * 32
        + b'","size":3}'
    )  # fmt: skip
    assert LogEntry.model_validate_json(entry().leaf) == entry()


@pytest.mark.parametrize(
    "field", [{"kind": "gossip"}, {"sha256": "AB" * 32}, {"size": -1}, {"words": "x"}, {"name": ""}]
)
def test_what_is_no_entry_is_refused(field: dict[str, object]) -> None:
    text = json.dumps(json.loads(entry().leaf) | field)
    with pytest.raises(ValidationError):
        LogEntry.model_validate_json(text)
