from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from pydantic import ValidationError

from beleg.core.judging import TaskReference
from beleg.core.nugget_proposals import NuggetProposal, NuggetReview, ProposedNugget
from support.judge_models import spec

TASK = TaskReference(task="nugget_creation", version="1", language="en", prompt_digest="p", schema_digest="s")
REVIEW = NuggetReview(by="Ana", on=date(2026, 11, 30))


def proposal(*decisions: Any, **fields: Any) -> NuggetProposal:
    nuggets = tuple(
        ProposedNugget(nugget_id=f"n{number}", text=f"fact {number}", vital=number == 0, decision=decision)
        for number, decision in enumerate(decisions)
    )
    given = {"case_id": "c", "question_digest": "d", "judge": spec(), "task": TASK, "call": "k", "nuggets": nuggets}
    return NuggetProposal(**{**given, **fields})


def test_nothing_counts_before_a_person_has_reviewed_it() -> None:
    assert proposal("accepted", "accepted").accepted() == ()


def test_after_the_review_what_was_accepted_counts() -> None:
    found = proposal("accepted", "rejected", "accepted", review=REVIEW).accepted()
    assert [(nugget.nugget_id, nugget.vital) for nugget in found] == [("n0", True), ("n2", False)]


def test_a_review_decides_on_every_nugget() -> None:
    with pytest.raises(ValidationError, match="accept or reject each"):
        proposal("accepted", "open", review=REVIEW)


def test_two_nuggets_of_one_id_are_refused() -> None:
    nugget = ProposedNugget(nugget_id="n", text="t")
    with pytest.raises(ValidationError, match="stands twice"):
        proposal(nuggets=(nugget, nugget))
