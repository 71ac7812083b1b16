"""A verdict is about what its reviewer saw: whatever of it changes, changes its address, and nothing else does."""

from __future__ import annotations

from typing import Any

import pytest

from beleg.core.evidence import EvidenceCase
from beleg.core.locators import Span
from beleg.evidence.review_rows import claims_of, evidence_digest, stream_of
from support.review_runs import changed, q017_case


def digest(case: EvidenceCase) -> str:
    return evidence_digest(case, case.claims[0])


@pytest.mark.parametrize(
    "fields", [{"text": "other"}, {"spans": (Span(start=0, end=3),)}, {"citations": ()}, {"answer_digest": "sha256:x"}]
)
def test_another_claim_has_another_address(fields: dict[str, Any]) -> None:
    case = q017_case()
    assert digest(changed(case, "C-017-1", **fields)) != digest(case)


@pytest.mark.parametrize("fields", [{"text": "other"}, {"document_version": "v9"}, {"passage_id": "p99"}])
def test_another_passage_gives_its_claims_another_address(fields: dict[str, Any]) -> None:
    case = q017_case()
    other = case.passages[0].model_copy(update=fields)
    assert digest(case.model_copy(update={"passages": (other, *case.passages[1:])})) != digest(case)
    assert digest(case.model_copy(update={"passages": case.passages[1:]})) != digest(case)
    assert digest(case.model_copy(update={"question": "other"})) != digest(case)


@pytest.mark.parametrize("fields", [{"support": None}, {"observations": ()}, {"open_note": "x"}, {"restated": "y"}])
def test_what_machines_propose_is_no_part_of_it(fields: dict[str, Any]) -> None:
    case = q017_case()
    assert digest(changed(case, "C-017-1", **fields)) == digest(case)


def test_claims_come_with_their_case_in_the_order_of_the_sheet() -> None:
    found = [(case.case_id, row.claim_id) for case, row in claims_of([q017_case()])]
    assert found == [("Q-017", f"C-017-{number}") for number in range(1, 5)]
    assert stream_of("run-1", "C-017-1") == "run-1/C-017-1"
