"""An evidence sheet as JSON and JSON Lines, case by case, so that no sheet is too long for memory (E10)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from beleg.core.evidence import SheetHeader
from beleg.core.sheet_export import EXPORT_SCHEMA, ExportedCase, ExportedDiagnosis, SheetFilter
from beleg.evidence.diagnosis import DIAGNOSES


def jsonl_lines(cases: Iterable[ExportedCase]) -> Iterator[str]:
    """One line per case, each an `ExportedCase` that names its run."""
    for exported in cases:
        yield _dumped(exported.to_json_dict()) + "\n"


def json_parts(header: SheetHeader, wanted: SheetFilter, cases: Iterable[ExportedCase]) -> Iterator[str]:
    """One `SheetExport` in pieces; each case stands on a line of its own."""
    head = {
        "schema_version": EXPORT_SCHEMA,
        "header": header.to_json_dict(),
        "filter": wanted.model_dump(mode="json", exclude_none=True),
        "diagnoses": diagnoses(),
    }
    yield _dumped(head).removesuffix("}") + ',"cases":['
    separator = "\n"
    for exported in cases:
        yield separator + _dumped(exported.to_json_dict())
        separator = ",\n"
    yield "\n]}\n"


def diagnoses() -> dict[str, Any]:
    """What each observation says, in both languages."""
    return {
        code.value: ExportedDiagnosis(
            record=told.record, observation=told.observation, next_check=told.next_check
        ).to_json_dict()
        for code, told in DIAGNOSES.items()
    }


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
