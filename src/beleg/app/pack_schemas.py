"""The JSON Schemas that a pack carries, so that it can be read without Beleg."""

from __future__ import annotations

import json

from pydantic import BaseModel

from beleg.app.human_labels import RunLabel
from beleg.app.schemas import DRAFT
from beleg.core.attestation import Envelope
from beleg.core.calibration import CalibrationRecord
from beleg.core.decision import Decision
from beleg.core.evidence import EvidenceCase, SheetHeader
from beleg.core.findings import Finding
from beleg.core.inventory import Inventory
from beleg.core.judging import Call
from beleg.core.packs import PackManifest, PackVersions
from beleg.core.policy import Policy
from beleg.core.review import ReviewEvent
from beleg.core.run import RunHeader
from beleg.core.suite import Suite
from beleg.core.trace import Trace

PACKED: dict[str, type[BaseModel]] = {
    "calibration": CalibrationRecord,
    "call": Call,
    "decision": Decision,
    "envelope": Envelope,
    "evidence_case": EvidenceCase,
    "evidence_header": SheetHeader,
    "finding": Finding,
    "inventory": Inventory,
    "label": RunLabel,
    "pack": PackManifest,
    "policy": Policy,
    "review_event": ReviewEvent,
    "run": RunHeader,
    "suite": Suite,
    "trace": Trace,
    "versions": PackVersions,
}
"""What stands in the entries of a pack; a line of a journal holds it beside its checksum."""


def packed_schemas() -> dict[str, bytes]:
    """Every schema as text for people, by name."""
    return {
        name: json.dumps({"$schema": DRAFT, **model.model_json_schema()}, ensure_ascii=False, indent=2).encode() + b"\n"
        for name, model in PACKED.items()
    }
