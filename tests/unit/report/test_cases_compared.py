from __future__ import annotations

from beleg.core.run_comparison import Aspect, ComparedCase, Likeness, LoneClaim
from beleg.report.cases_compared import (
    MAX_LISTED,
    aspect_counts,
    case_blocks,
    comparison_headline,
    listed_cases,
    origin,
    same_cases,
    shared_lines,
)
from support.comparisons import compared_case, compared_claim, comparison

CHANGED, UNLIKE = Likeness.CHANGED, Likeness.NOT_COMPARABLE


def test_the_answer_says_that_all_is_the_same() -> None:
    said = comparison_headline(comparison(compared_case("a"), compared_case("b")))
    assert said.en == "All 2 cases are the same in both runs, with 0 claim rows"
    assert said.de == "Alle 2 Fälle sind in beiden Läufen gleich, mit 0 Aussagezeilen"


def test_the_answer_counts_what_changed_and_what_cannot_be_compared() -> None:
    cases = (
        compared_case("a", only={Aspect.ANSWER: CHANGED}),
        compared_case("b", only={Aspect.ANSWER: CHANGED, Aspect.LOCATOR_TEXT: UNLIKE}),
        compared_case("c"),
    )
    said = comparison_headline(comparison(*cases))
    assert said.en == (
        "2 of 3 cases are not the same in both runs: locator text not comparable in 1 · answer changed in 2"
    )
    assert said.de == (
        "2 von 3 Fällen sind nicht in beiden Läufen gleich: "
        "Locator-Text nicht vergleichbar in 1 · Antwort geändert in 2"
    )


def test_a_difference_in_claim_rows_alone_is_no_sameness() -> None:
    said = comparison_headline(comparison(compared_case("a", claims=(compared_claim("x"),))))
    assert said.en == "1 of 1 cases are not the same in both runs: only claim rows differ"


def test_runs_without_a_common_case_are_not_called_the_same() -> None:
    assert comparison_headline(comparison()).en == "The runs share no case; nothing can be compared"


def test_every_dimension_is_counted() -> None:
    counts = aspect_counts(comparison(compared_case("a"), compared_case("b", only={Aspect.QUERY: UNLIKE})))
    assert len(counts) == 7
    assert counts[0].aspect.de == "Anfrage"
    assert counts[0].counts == {Likeness.SAME: 1, CHANGED: 0, UNLIKE: 1}
    assert all(sum(row.counts.values()) == 2 for row in counts)


def test_only_what_is_not_the_same_is_told_case_by_case() -> None:
    lone = LoneClaim(claim_id="C-2", text="New.", resembles="C-1")
    cases = (
        compared_case("a"),
        compared_case("b", only={Aspect.ANSWER: CHANGED}, claims=(compared_claim("x"),), only_new=(lone,), repeat=1),
    )
    (block,) = case_blocks(comparison(*cases))
    assert block.title == "b (2)"
    assert [line.state("de") for line in block.lines] == ["◆ Antwort geändert"]
    assert [(claim.name, claim.text) for claim in block.claims] == [("C-1 / C-9", "x"), ("C-2", "New.")]
    assert block.claims[0].lines[0].state("en") == "◆ support changed"
    assert block.claims[1].lines[0].state("en") == "◆ only in the new answer"
    hint = block.claims[1].lines[0].detail
    assert hint is not None
    assert hint.en == "looks like C-1 of the old run; nobody says that it is the same"


def test_of_many_cases_the_first_are_named_and_the_others_counted() -> None:
    said = listed_cases("cases.same_cases", [f"c{i}" for i in range(MAX_LISTED + 3)])
    assert said is not None
    assert said.en.endswith(f"c{MAX_LISTED - 1}, 3 more")
    assert said.de.endswith("3 weitere")
    assert listed_cases("cases.same_cases", []) is None
    assert same_cases(comparison(compared_case("a", only={Aspect.QUERY: UNLIKE}))) is None


def test_whether_the_new_run_is_a_replay_is_told() -> None:
    assert origin(comparison()).en.startswith("The new run was made from the old one; all digests agree")
    assert origin(comparison(made_from_old=False)).de.startswith("Der neue Lauf nennt den alten nicht")


def test_what_is_so_in_every_case_is_told_once_and_a_case_is_told_for_what_is_its_own() -> None:
    everywhere = {Aspect.SOURCE_SNAPSHOT: CHANGED}
    (shared,) = (each for each in compared_case("x", only=everywhere).aspects if each.aspect in everywhere)

    def alike(name: str, **own: Likeness) -> ComparedCase:
        made = compared_case(name, only={Aspect(key): each for key, each in own.items()})
        told = tuple(shared if each.aspect is shared.aspect else each for each in made.aspects)
        return made.model_copy(update={"aspects": told})

    found = comparison(alike("a"), alike("b", answer=CHANGED), alike("c"))
    assert [line.state("en") for line in shared_lines(found)] == ["◆ source snapshot changed"]
    (block,) = case_blocks(found)
    assert (block.case_id, [line.state("en") for line in block.lines]) == ("b", ["◆ answer changed"])
    alone = comparison(alike("a"))
    assert shared_lines(alone) == []
    assert [line.state("en") for line in case_blocks(alone)[0].lines] == ["◆ source snapshot changed"]
