from __future__ import annotations

import pytest

from beleg.core.errors import EvidenceError
from beleg.core.score import Score, ScoreStatus
from beleg.core.trace import Stage, Trace, TraceStatus
from beleg.metrics.batch import Batch, Row
from unit.metrics.building import broken, case, gold, inventory, listed, one, passage, trace


@pytest.mark.parametrize(
    ("attempt", "status"),
    [
        (None, ScoreStatus.MISSING),
        (broken(TraceStatus.TIMEOUT), ScoreStatus.TIMEOUT),
        (broken(TraceStatus.ERROR), ScoreStatus.INFRA_ERROR),
        (broken(TraceStatus.INVALID), ScoreStatus.INVALID),
        (Trace(case_id="c1", status=TraceStatus.OK), ScoreStatus.INVALID),
    ],
)
def test_an_attempt_that_did_not_end_well_keeps_its_cause_in_every_column(
    attempt: Trace | None, status: ScoreStatus
) -> None:
    batch = Batch.of([case(gold("d"))], [attempt])
    assert batch.column(lambda row: Score.of(1.0)).score_at(0).status is status
    column = batch.ranked().column(batch.ranked().relevant.astype(float))
    assert column.score_at(0).status is status


def test_the_cause_of_a_failure_is_told() -> None:
    score = Batch.of([case()], [broken(TraceStatus.ERROR)]).column(lambda row: Score.of(1.0)).score_at(0)
    assert score.detail == "Boom: it broke"


def test_rows_that_do_not_align_are_refused() -> None:
    with pytest.raises(EvidenceError, match="2 cases and 1 traces"):
        Batch.of([case(), case(case_id="c2")], [None])
    with pytest.raises(EvidenceError, match=r"row 0 holds case 'c1' and the trace of 'c2'"):
        Batch.of([case()], [trace("c2")])


def test_the_last_ranked_list_is_taken_unless_a_stage_is_chosen() -> None:
    batch = one(case(gold("d")), retrieved=listed("d", "e"), delivered=listed("e"))
    assert batch.ranked().grades.tolist() == [0.0]
    assert batch.ranked(Stage.RETRIEVED).grades.tolist() == [1.0, 0.0]
    assert batch.ranked(Stage.RERANKED).column(batch.ranked().relevant.astype(float)).score_at(0) == Score.without(
        ScoreStatus.MISSING, "the stage reranked was not recorded"
    )
    assert batch.ranked() is batch.ranked()


def test_metadata_is_the_inventorys_where_it_knows_the_document_else_that_of_the_passages() -> None:
    batch = Batch.of(
        [case()],
        [
            trace(
                retrieved=(
                    passage("d", metadata={"locale": "de", "tenant": "old"}),
                    passage("e"),
                    passage("f", metadata={"x": 1}),
                )
            )
        ],
        inventory=inventory({"d": "x"}, metadata={"d": {"tenant": "acme"}}),
    )
    row = batch.rows[0]
    assert isinstance(row, Row)
    known = batch.metadata(row, "d")
    assert known is not None
    assert (dict(known.values), known.complete) == ({"tenant": "acme"}, True)
    assert batch.metadata(row, "e") is None
    assert batch.metadata(row, "nowhere") is None
    seen = batch.metadata(row, "f")
    assert seen is not None
    assert (dict(seen.values), seen.complete) == ({"x": 1}, False)
    assert len(batch) == 1
