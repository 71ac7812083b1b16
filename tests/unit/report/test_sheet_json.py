"""The JSON exports keep every word and are what the published schema says."""

from __future__ import annotations

import json

from beleg.app.schemas import schema_of
from beleg.core.sheet_export import ExportedCase, SheetExport, SheetFilter
from beleg.report.sheet_json import json_parts, jsonl_lines
from support.sheet_data import exported, header_of, reviewed


def test_json_is_read_back_as_it_was_and_fits_its_schema() -> None:
    case = exported(events=reviewed())
    text = "".join(json_parts(header_of(1, 4), SheetFilter(cases=("Q-017",)), iter([case, case])))
    assert set(json.loads(text)) == set(schema_of("sheet_export")["properties"])
    read = SheetExport.model_validate_json(text)
    assert read.cases == (case, case)
    assert len(read.diagnoses) == 6


def test_an_export_of_nothing_is_whole() -> None:
    assert SheetExport.model_validate_json("".join(json_parts(header_of(0, 0), SheetFilter(), ()))).cases == ()


def test_each_line_of_json_lines_is_a_case_that_names_its_run() -> None:
    case = exported(events=reviewed())
    lines = list(jsonl_lines([case, case]))
    assert [ExportedCase.model_validate_json(line) for line in lines] == [case, case]
    assert set(json.loads(lines[0])) == set(schema_of("sheet_export_line")["properties"])
    assert json.loads(lines[0])["run_id"] == "run-1"
