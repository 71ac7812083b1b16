"""What is reviewed is every claim of the sheet, in its order, with the digest of what is looked at."""

from __future__ import annotations

from pathlib import Path

import pytest

from beleg.app.review_subjects import subjects_of
from beleg.core.errors import UsageError
from beleg.evidence.review_rows import evidence_digest
from support.review_runs import RUN_ID, q017_case, write_sheet


def test_every_claim_stands_in_the_order_of_the_sheet(tmp_path: Path) -> None:
    write_sheet(tmp_path / "run")
    run_id, subjects = subjects_of(tmp_path / "run")
    case = q017_case()
    assert run_id == RUN_ID
    assert [each.stream for each in subjects] == [f"{RUN_ID}/{row.claim_id}" for row in case.claims]
    assert [each.digest for each in subjects] == [evidence_digest(case, row) for row in case.claims]


def test_without_a_sheet_it_says_how_to_build_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no evidence sheet"):
        subjects_of(tmp_path)
