from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from beleg.app.nuggets import Adopted, Proposals, adopt_nuggets, propose_for_suite
from beleg.core.case import Case, Nugget
from beleg.core.errors import DataError, UsageError
from beleg.metrics.batch import Batch
from support.judge_models import scripted_panel
from unit.metrics.building import case

REPLY = {
    "nuggets": [
        {"passage_id": "1", "quote": "free", "text": "Returns are free", "reason": "so", "importance": "vital"},
        {"passage_id": "1", "quote": "30 days", "text": "Within 30 days", "reason": "so", "importance": "okay"},
    ]
}
CASES = (
    case(case_id="a", reference_answer="Returns are free within 30 days."),
    case(case_id="b", reference_answer="Returns are free.", nuggets=(Nugget(nugget_id="x", text="x"),)),
    case(case_id="c"),
)


def propose(out: Path) -> Proposals:
    judge = scripted_panel({"nugget_creation": REPLY}).judge
    assert judge is not None
    batch = Batch.of([*CASES, CASES[0]], [None] * 4)
    return asyncio.run(propose_for_suite(judge, batch, out))


def reviewed(file: Path, **changes: Any) -> Path:
    line = json.loads(file.read_text())
    line["nuggets"][0]["decision"], line["nuggets"][1]["decision"] = "accepted", "rejected"
    line["review"] = {"by": "Ana", "on": "2026-11-30"}
    out = file.with_name("reviewed.jsonl")
    out.write_text(json.dumps({**line, **changes}) + "\n")
    return out


def test_from_proposal_over_review_to_the_cases(tmp_path: Path) -> None:
    found = propose(tmp_path / "proposals.jsonl")
    assert [one.case_id for one in found.proposals] == ["a"]
    assert found.has_nuggets == ("b",)
    assert list(found.without) == ["c"]

    early = adopt_nuggets(CASES, tmp_path / "proposals.jsonl", tmp_path / "early.jsonl")
    assert early == Adopted(cases=(), nuggets=0, unreviewed=("a",))

    done = adopt_nuggets(CASES, reviewed(tmp_path / "proposals.jsonl"), tmp_path / "cases.jsonl")
    assert done == Adopted(cases=("a",), nuggets=1, unreviewed=())
    written = [Case.model_validate_json(line) for line in (tmp_path / "cases.jsonl").read_text().splitlines()]
    assert [len(one.nuggets) for one in written] == [1, 1, 0]
    assert written[1:] == list(CASES[1:])


def test_a_file_of_proposals_is_never_overwritten(tmp_path: Path) -> None:
    propose(tmp_path / "proposals.jsonl")
    with pytest.raises(UsageError):
        propose(tmp_path / "proposals.jsonl")


@pytest.mark.parametrize(("case_id", "message"), [("zzz", "no case of the suite"), ("b", "has nuggets already")])
def test_a_proposal_for_another_case_is_refused_with_file_and_remedy(
    tmp_path: Path, case_id: str, message: str
) -> None:
    propose(tmp_path / "proposals.jsonl")
    file = reviewed(tmp_path / "proposals.jsonl", case_id=case_id)
    with pytest.raises(DataError, match=message) as raised:
        adopt_nuggets(CASES, file, tmp_path / "cases.jsonl")
    assert "reviewed.jsonl" in str(raised.value)
    assert not (tmp_path / "cases.jsonl").exists()


def test_a_review_that_leaves_a_nugget_open_is_refused(tmp_path: Path) -> None:
    propose(tmp_path / "proposals.jsonl")
    line = json.loads((tmp_path / "proposals.jsonl").read_text())
    line["review"] = {"by": "Ana", "on": "2026-11-30"}
    (tmp_path / "half.jsonl").write_text(json.dumps(line) + "\n")
    with pytest.raises(DataError, match="accept or reject each"):
        adopt_nuggets(CASES, tmp_path / "half.jsonl", tmp_path / "cases.jsonl")
