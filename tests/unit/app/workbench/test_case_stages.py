from __future__ import annotations

from beleg.app.workbench.case_stages import MAX_LISTED, StageReader
from beleg.core.case import Case, ExpectedPassage
from beleg.core.trace import Citation, Output
from support.builders import passage

CASE = Case(
    case_id="c",
    user_input="?",
    expected_passages=(ExpectedPassage(document_id="d1", quote="free of charge"), ExpectedPassage(document_id="d9")),
    forbidden_sources=("d3",),
)
FOUND = (passage("a"), passage("gold", "d1", text="It is free of charge."), passage("b"), passage("bad", "d3"))


def reader(**fields: object) -> StageReader:
    return StageReader(CASE, Output(**{"retrieved": FOUND, **fields}), "r1-", {})  # type: ignore[arg-type]


def test_each_stage_tells_what_it_dropped_and_what_moved() -> None:
    retrieved, delivered = reader(delivered=(FOUND[2], FOUND[0], passage("new"))).stages()
    assert (retrieved.before, retrieved.dropped) == (None, ())
    assert [(row.rank, row.rank_before) for row in delivered.rows] == [(1, 3), (2, 1), (3, None)]
    assert [(row.rank, row.view.passage.passage_id) for row in delivered.dropped] == [(2, "gold"), (4, "bad")]
    assert delivered.dropped[0].view.holds == (1,)
    assert delivered.dropped[1].view.is_forbidden


def test_evidence_is_told_by_stage_and_a_text_that_is_not_known_is_no_loss() -> None:
    found = reader(delivered=(passage("x", "d1", text=None),)).evidence()
    assert [(at.stage, at.state, at.rank) for at in found[0].found] == [
        ("retrieved", "rank", 2),
        ("reranked", "not_recorded", None),
        ("delivered", "text_unknown", None),
    ]
    assert found[1].found[0].state == "absent"


def test_a_passage_stands_once_with_all_its_ranks_and_its_quote_marked() -> None:
    read = reader(delivered=(FOUND[1],), citations=(Citation(marker="1", passage_id="gold"),))
    read.stages()
    gold = next(view for view in read.passages() if view.passage.passage_id == "gold")
    assert gold.ranks == (("retrieved", 2), ("delivered", 1))
    assert [part.text for part in gold.parts if part.is_quoted] == ["free of charge"]
    assert gold.is_cited
    assert read.targets() == {"1": gold.anchor}
    assert len(read.passages()) == len(FOUND)


def test_a_stage_without_end_is_listed_in_part_and_says_so() -> None:
    many = tuple(passage(f"p{number}") for number in range(MAX_LISTED * 2))
    retrieved, delivered = reader(retrieved=many, delivered=many[:1]).stages()
    assert (len(retrieved.rows), retrieved.more) == (MAX_LISTED, MAX_LISTED)
    assert (len(delivered.dropped), delivered.dropped_more) == (MAX_LISTED, MAX_LISTED - 1)
