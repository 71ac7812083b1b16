"""A refused field is named with its value and the way to mend it."""

from __future__ import annotations

import json

import pytest

from beleg.adapters.formats.faults import Place
from beleg.adapters.formats.models import validated
from beleg.core.case import Case
from beleg.core.errors import DataError
from beleg.core.manifest import Manifest
from beleg.core.model import StoredModel
from beleg.core.trace import FilterPredicate, Output

CASE = {"case_id": "c", "user_input": "q"}
NO_KIND = "the value is of no kind that the field takes. Write text, a whole number, a number or true or false"


@pytest.mark.parametrize(
    ("model", "data", "told"),
    [
        (Case, {"user_input": "q"}, "field 'case_id': the field is missing. Add it"),
        (
            Case,
            CASE | {"expected_passages": [{"document_id": "d", "grade": 3.0}]},
            "field 'expected_passages[0].grade': a whole number is expected (found 3.0). Write 3 instead of 3.0",
        ),
        (
            Case,
            CASE | {"synthetic": 1},
            "field 'synthetic': true or false is expected (found 1). Write true or false without quotes",
        ),
        (Case, CASE | {"owner": True}, "field 'owner': text is expected (found True). Write \"true\" with quotes"),
        (Case, CASE | {"owner": ["x"]}, "field 'owner': text is expected. Write text"),
        (Case, CASE | {"ontology": "x"}, "field 'ontology': a list is expected (found 'x'). Write [ … ] around it"),
        (Case, CASE | {"principal": "x"}, "field 'principal': a mapping is expected (found 'x'). Write a mapping"),
        (
            Case,
            CASE | {"review_by": "soon"},
            "field 'review_by': a date is expected (found 'soon'). Write it as YYYY-MM-DD",
        ),
        (
            Case,
            CASE | {"risk_tier": "hgih"},
            "field 'risk_tier': the word is not one of those allowed (found 'hgih'). Write 'low', 'medium' or 'high'",
        ),
        (
            Case,
            CASE | {"principal": {"zzz": 1}},
            "field 'principal.zzz': there is no such field (found 1). "
            "Known fields are tenant, entitlements, jurisdiction, locale",
        ),
        (Case, {"case_id": "c"}, "a case has either user_input or turns"),
        (
            Manifest,
            {"name": "a", "extra": {"k": [1]}},
            f"field 'extra.k': {NO_KIND}",
        ),
        (
            Manifest,
            {"name": "a", "temperature": -1},
            "field 'temperature': the value should be greater than or equal to 0 (found -1)",
        ),
        (
            FilterPredicate,
            {"kind": "relevance", "field": "f", "values": [[1]]},
            f"field 'values[0]': {NO_KIND}",
        ),
        (
            FilterPredicate,
            {"kind": "relevance", "field": "f", "values": []},
            "field 'values': the list has too few entries, 1 or more are expected. "
            "Add what is missing, or drop the field",
        ),
        (
            Output,
            {"usage": {"prompt_tokens": "3"}},
            "field 'usage.prompt_tokens': a whole number is expected (found '3'). Write 3 instead of '3'",
        ),
        (
            Output,
            {"usage": {"api_key": "canary"}},
            "field 'usage.api_key': there is no such field. "
            "Known fields are prompt_tokens, completion_tokens, cost_usd",
        ),
    ],
)
def test_a_fault_is_told_in_one_line(model: type[StoredModel], data: dict[str, object], told: str) -> None:
    with pytest.raises(DataError) as raised:
        validated(model, data, Place("f.jsonl", 4))
    assert str(raised.value) == f"f.jsonl:4: {told}"


def test_a_right_row_is_taken_as_json_means_it() -> None:
    data = CASE | {"review_by": "2027-06-30", "risk_tier": "high", "ontology": ["a"]}
    assert validated(Case, data, Place()) == Case.model_validate_json(json.dumps(data))
