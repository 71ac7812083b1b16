from __future__ import annotations

from beleg.core.case import Case, ExpectedPassage
from beleg.core.digest import digest_of_text
from beleg.core.trace import Output, Passage
from beleg.evidence.passages import ReturnedPassages, Sources
from support import q017


def passage(name: str, text: str | None = "words", **fields: object) -> Passage:
    return Passage.model_validate({"passage_id": name, "document_id": f"d-{name}", "text": text} | fields)


def returned(output: Output, *, known: bool = False) -> ReturnedPassages:
    return ReturnedPassages(output, Sources(q017.inventory() if known else None))


def test_passages_are_ranked_as_they_were_returned_and_tell_what_was_delivered() -> None:
    output = Output(
        retrieved=(passage("a"), passage("b"), passage("c")),
        reranked=(passage("c"), passage("a"), passage("b")),
        delivered=(passage("c"), passage("x")),
    )
    found = returned(output).evidence
    assert [(each.rank, each.passage_id, each.delivered) for each in found] == [
        (1, "c", True),
        (2, "a", False),
        (3, "b", False),
        (4, "x", True),
    ]


def test_the_words_are_those_that_were_delivered() -> None:
    output = Output(retrieved=(passage("a", "long words"),), delivered=(passage("a", "words"),))
    assert [each.text for each in returned(output).evidence] == ["words"]
    kept = Output(retrieved=(passage("a", "long words"),), delivered=(passage("a", None),))
    assert [each.text for each in returned(kept).evidence] == ["long words"]


def test_what_was_not_recorded_stays_unknown() -> None:
    (found,) = returned(Output(retrieved=(passage("a", None),))).evidence
    assert (found.delivered, found.text, found.passage_digest, found.locator) == (None, None, None, None)
    assert (found.document_version, found.document_digest) == (None, None)


def test_a_passage_that_stands_twice_is_one() -> None:
    found = returned(Output(retrieved=(passage("a"), passage("b"), passage("a")))).evidence
    assert [each.passage_id for each in found] == ["a", "b"]


def test_the_source_is_addressed_where_the_run_knows_it() -> None:
    found = returned(q017.output(), known=True).evidence
    assert found[0].document_digest == digest_of_text(f"Rückgabe\n\n{q017.RETURNS}")
    assert found[0].locator is not None
    assert (found[0].locator.scope, found[0].locator.span.start) == ("document", 10)
    assert found[0].passage_digest == digest_of_text(q017.RETURNS)


def test_an_address_is_taken_from_the_metadata() -> None:
    output = Output(retrieved=(passage("a", metadata={"note": "x", "link": "https://x.example/#p"}),))
    assert returned(output).evidence[0].url == "https://x.example/#p"
    bare = Output(retrieved=(passage("a", metadata={"url": "/returns", "n": 3}),))
    assert returned(bare).evidence[0].url is None


def test_expected_evidence_is_found_at_its_best_rank() -> None:
    case = Case(
        case_id="c",
        user_input="?",
        expected_passages=(
            ExpectedPassage(document_id="d-b", quote="words"),
            ExpectedPassage(document_id="d-c"),
            ExpectedPassage(document_id="d-a", quote="other"),
        ),
    )
    output = Output(retrieved=(passage("a", None), passage("b")), delivered=(passage("b"),))
    found = returned(output).expected(case)
    assert [(each.returned, each.returned_rank, each.delivered) for each in found] == [
        (True, 2, True),
        (False, None, False),
        (None, None, None),
    ]
    assert returned(output).holding(case) == {"b"}
