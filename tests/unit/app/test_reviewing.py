"""A desk takes verdicts on what a reviewer looked at, and on nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from beleg.adapters.stores.review_sqlite import open_sqlite_ledger
from beleg.app.review_lines import VerdictLine
from beleg.app.review_subjects import Subject
from beleg.app.reviewing import ReviewDesk, Seen
from beleg.core.errors import DataError
from beleg.core.review import ReviewEventKind, StreamMovedOn
from beleg.evidence.review_rows import evidence_digest, stream_of
from support.review_events import WHEN
from support.reviews import row, sheet


def subject(text: str) -> Subject:
    claim = row(text=text)
    (case,) = sheet(claim)
    return Subject(stream=stream_of("r1", "C-1"), case=case, row=claim, digest=evidence_digest(case, claim))


def desk(path: Path, text: str = "Games: 14 days.") -> ReviewDesk:
    return ReviewDesk("r1", [subject(text)], open_sqlite_ledger(path), clock=lambda: WHEN)


def line(**fields: str) -> VerdictLine:
    given = {"claim_id": "C-1", "support": "supported", "support_rationale": "So it says."} | fields
    return VerdictLine.model_validate_json(json.dumps(given))


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    return tmp_path / "reviews.db"


def test_a_verdict_on_an_older_row_is_refused_and_nothing_beside_it_is_recorded(path: Path) -> None:
    seen = subject("Games: 14 days.").digest
    with desk(path, "Games: 21 days.") as later:
        with pytest.raises(DataError, match="another row by now"):
            later.record([line(reviewer="bob"), line(evidence_digest=seen)], by="ada")
        assert later.ledger.head().size == 0


def test_a_verdict_on_the_row_of_today_is_taken(path: Path) -> None:
    with desk(path) as today:
        done = today.record([line(evidence_digest=subject("Games: 14 days.").digest)], by="ada")
        assert [event.action.actor for event in done.events] == ["ada"]


def test_a_row_that_changed_is_told_before_the_next_verdict_in_the_same_transaction(path: Path) -> None:
    with desk(path) as before:
        before.record([line()], by="ada")
    with desk(path, "Games: 21 days.") as later:
        done = later.record([line()], by="ada")
        assert done.rebuilt == 1
        kinds = [event.action.kind for event in later.ledger.stream("r1/C-1")]
        review = later.review("C-1")
    assert kinds == [
        ReviewEventKind.VERDICT_RECORDED,
        ReviewEventKind.SHEET_REBUILT,
        ReviewEventKind.VERDICT_RECORDED,
    ]
    assert [event.version for event in review.outdated] == [1]
    assert [event.version for event in review.verdicts] == [3]


def test_the_same_verdict_after_a_withdrawal_is_a_new_one_and_before_it_is_not(path: Path) -> None:
    with desk(path) as open_desk:
        open_desk.record([line()], by="ada")
        assert open_desk.record([line()], by="ada").known == 1
        open_desk.speak(ReviewEventKind.WITHDRAWN, "C-1", by="ada", about=1, text="Wrong claim.")
        assert open_desk.record([line()], by="ada").known == 0
        assert open_desk.ledger.head().size == 3


def test_a_verdict_on_a_version_of_before_is_refused_and_the_same_one_sent_again_is_not(path: Path) -> None:
    with desk(path) as open_desk:
        seen = line().model_copy(update={"expected_version": 0, "idempotency_key": "k", "spent_ms": 1})
        assert open_desk.record([seen], by="ada").new == 1
        # A second press of the button, a moment later.
        assert open_desk.record([seen.model_copy(update={"spent_ms": 900})], by="ada").known == 1
        with pytest.raises(StreamMovedOn, match="you looked at version 0"):
            open_desk.record([seen.model_copy(update={"idempotency_key": "other"})], by="bob")


def test_what_is_said_of_a_claim_is_about_what_was_looked_at(path: Path) -> None:
    digest = subject("Games: 14 days.").digest
    with desk(path) as open_desk:
        open_desk.record([line()], by="ada")
        old = Seen(version=0, evidence_digest=digest, idempotency_key="d")
        other = Seen(version=1, evidence_digest="sha256:older", idempotency_key="d")
        for seen, fault in ((old, StreamMovedOn), (other, DataError)):
            with pytest.raises(fault):
                open_desk.speak(ReviewEventKind.DISPUTED, "C-1", by="bob", about=1, text="No.", seen=seen)
        stale = line(evidence_digest="sha256:older")
        with pytest.raises(DataError, match="another row by now"):
            open_desk.decide(ReviewEventKind.VERDICT_SUPERSEDED, stale, by="ada", about=1, reason="Misread.")
        assert open_desk.ledger.head().size == 1
