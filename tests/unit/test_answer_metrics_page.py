"""The page that says which answer metric means what is true: every cell of its truth table is computed."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from beleg.core.inference import JudgeRequest
from beleg.metrics.batch import Row
from beleg.metrics.catalogue import CATALOGUE
from beleg.metrics.generation.entries_claims import ENTRIES as CLAIMS
from beleg.metrics.generation.entries_judged import ENTRIES as JUDGED
from support.ruled_judges import shown
from unit.judges.measures.rows import judged, row, scored
from unit.metrics.building import case, passage

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "guide" / "answer-metrics.md").read_text("utf-8")

REFERENCE = ("The alarm rang.", "The thief fled.")
WRONG = ("The cat slept.", "The dog barked.")
TRIVIAL = ("A thief is a person.", "An alarm makes noise.")
USEFUL = "The alarm rang. The thief fled."
NOISE = "We are open on Sundays."

MEASURES = {
    "faithfulness": ("faithfulness", "claim_support"),
    "contradicted": ("contradicted_claims", "claim_support"),
    "not in context": ("claims_not_in_context", "claim_support"),
    "context precision": ("context_precision", "passage_usefulness"),
    "context recall": ("context_recall", "reference_attribution"),
    "statement F1": ("statement_f1", "statement_matching"),
    "noise": ("noise_sensitivity", "claims_by_passage"),
    "relations": ("relation_support", "claim_relations"),
    "core support": ("core_support", "qualified_claims"),
}


@dataclass(frozen=True, kw_only=True)
class World:
    """What was delivered and answered; the judge goes by what stands where."""

    claims: tuple[str, ...] = REFERENCE
    delivered: tuple[str, ...] = (USEFUL, NOISE)
    verdict_otherwise: str = "not_in_context"
    relation_holds: bool = True
    forgets: bool = False

    @property
    def answer(self) -> str:
        return " ".join(self.claims) or "I cannot say."

    def row(self) -> Row:
        passages = tuple(passage(f"d{number}", text) for number, text in enumerate(self.delivered))
        return row(case(reference_answer=" ".join(REFERENCE)), answer=self.answer, delivered=passages)

    def script(self) -> dict[str, Any]:
        return {
            "claim_extraction": self.extract,
            "claim_verification": self.verify,
            "claim_qualification": lambda request: self.each(request, "claim_id", "claim", verifiable=True),
            "claim_weighing": self.weigh,
            "passage_usefulness": self.grade,
            "reference_attribution": self.attribute,
            "statement_matching": self.match,
            "relation_extraction": {"relations": [self.relation()] if self.claims else []},
        }

    def relation(self) -> dict[str, str]:
        return {"quote": self.claims[0], "kind": "order", "statement": f"RELATION {self.claims[0]}"}

    def extract(self, request: JudgeRequest) -> dict[str, Any]:
        ((_, text),) = shown(request, "answer")
        return {"claims": list(self.claims if text == self.answer else REFERENCE)}

    def verify(self, request: JudgeRequest) -> dict[str, Any]:
        passages = shown(request, "passage")
        return self.whole([self.verdict(label, claim, passages) for label, claim in shown(request, "claim")])

    def verdict(self, label: str, claim: str, passages: list[tuple[str, str]]) -> dict[str, Any]:
        words = claim.removeprefix("RELATION ")
        carrier = next((each for each in passages if words in each[1] or words in TRIVIAL), None)
        denied = claim != words and not self.relation_holds
        verdict = "supported" if carrier is not None and not denied else self.verdict_otherwise
        source = carrier or passages[0]
        quoted = verdict != "not_in_context"
        quote = words if words in source[1] else source[1]
        return {
            "claim_id": label,
            "passage_id": source[0] if quoted else None,
            "quote": quote if quoted else None,
            "reason": "so",
            "verdict": verdict,
        }

    def weigh(self, request: JudgeRequest) -> dict[str, Any]:
        return {
            "verdicts": [
                {"claim_id": label, "repeats": None, "reason": "so", "informative": claim not in TRIVIAL}
                for label, claim in shown(request, "claim")
            ]
        }

    def grade(self, request: JudgeRequest) -> dict[str, Any]:
        return self.whole(
            [
                {"passage_id": label, "reason": "so", "useful": any(each in text for each in REFERENCE)}
                for label, text in shown(request, "passage")
            ]
        )

    def attribute(self, request: JudgeRequest) -> dict[str, Any]:
        passages = shown(request, "passage")
        verdicts = []
        for label, sentence in shown(request, "sentence"):
            carrier = next((name for name, text in passages if sentence in text), None)
            verdicts.append(
                {
                    "sentence_id": label,
                    "passage_id": carrier,
                    "quote": sentence if carrier else None,
                    "reason": "so",
                    "attributed": carrier is not None,
                }
            )
        return self.whole(verdicts)

    def match(self, request: JudgeRequest) -> dict[str, Any]:
        said = [(label, "tp" if text in REFERENCE else "fp") for label, text in shown(request, "answer_statement")]
        wanted = [
            (label, "tp" if text in self.claims else "fn") for label, text in shown(request, "reference_statement")
        ]
        return self.whole([{"statement_id": label, "reason": "so", "label": each} for label, each in (*said, *wanted)])

    def each(self, request: JudgeRequest, id_field: str, part: str, **fields: bool) -> dict[str, Any]:
        return {"verdicts": [{id_field: label, "reason": "so", **fields} for label, _ in shown(request, part)]}

    def whole(self, verdicts: list[dict[str, Any]]) -> dict[str, Any]:
        return {"verdicts": verdicts[:-1] if self.forgets else verdicts}


PLAIN = World()
SITUATIONS = {
    "all is well": PLAIN,
    "the useful passage stands behind noise": replace(PLAIN, delivered=(NOISE, USEFUL)),
    "the passages hold half of the reference": replace(PLAIN, delivered=(REFERENCE[0], NOISE)),
    "the answer follows a wrong passage": replace(PLAIN, claims=WRONG, delivered=(" ".join(WRONG), NOISE)),
    "the answer says half": replace(PLAIN, claims=REFERENCE[:1]),
    "the answer is made up and nothing speaks against it": replace(PLAIN, claims=WRONG),
    "the passages say otherwise": replace(PLAIN, claims=WRONG, verdict_otherwise="contradicted"),
    "nothing was delivered, and it answers rightly": replace(PLAIN, delivered=()),
    "it declines": replace(PLAIN, claims=()),
    "true facts, false order": replace(PLAIN, claims=REFERENCE[::-1], relation_holds=False),
    "two true and trivial facts are added to a half wrong answer": replace(
        PLAIN, claims=(REFERENCE[0], WRONG[0], *TRIVIAL)
    ),
    "the judge gives one verdict too few": replace(PLAIN, forgets=True),
}


def table(after: str) -> list[list[str]]:
    """The cells of the table behind a marker, heading first."""
    lines = PAGE.split(f"<!-- {after} -->\n", 1)[1].split("\n\n", 1)[0].splitlines()
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines if "--" not in line]


HEADING, *ROWS = table("truth table")


def test_the_truth_table_has_every_situation_and_column() -> None:
    assert ["situation", *MEASURES] == HEADING
    assert [cells[0] for cells in ROWS] == list(SITUATIONS)


@pytest.mark.parametrize("cells", ROWS, ids=[cells[0] for cells in ROWS])
def test_every_cell_of_the_truth_table(cells: list[str]) -> None:
    world = SITUATIONS[cells[0]]
    found = []
    for metric, measure in MEASURES.values():
        outcome, _ = judged(measure, world.script(), world.row())
        value = scored(metric, measure, outcome, world.row()).value
        found.append("–" if value is None else f"{value:.3f}".rstrip("0").rstrip("."))
    assert dict(zip(MEASURES, cells[1:], strict=True)) == dict(zip(MEASURES, found, strict=True))


def test_the_page_has_a_formula_for_every_metric_over_claims_context_and_answers() -> None:
    heading, *rows = table("formulas")
    assert heading[0] == "metric"
    listed = [cells[0].strip("`") for cells in rows]
    assert sorted(listed) == sorted(["faithfulness", *(spec.name for spec in (*CLAIMS, *JUDGED))])
    assert all(cells[1] and cells[2] for cells in rows if cells[0] != "`claim_count`")


def test_every_metric_that_the_page_names_exists() -> None:
    named = set(re.findall(r"`([a-z][a-z0-9_]+)(?:@\d+)?`", PAGE)) - {"invalid", "any_of", "quote", "no_claims"}
    assert sorted(named - {"not_applicable"} - set(CATALOGUE)) == []
