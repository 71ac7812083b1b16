"""The sheet as CSV: a row per claim, read back by another reader, and harmless in a spreadsheet."""

from __future__ import annotations

import csv
import io

import pytest

from beleg.report.sheet_csv import CASE_COLUMNS, CLAIM_COLUMNS, cell, csv_lines
from support.q017 import ANSWER, RETURNS, evidence, output
from support.sheet_data import exported, reviewed


def read(*cases: object, language: str = "de") -> list[dict[str, str]]:
    text = "".join(csv_lines(cases, language=language))  # type: ignore[arg-type]
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def test_the_worked_example_has_its_four_rows_with_the_verdicts_of_the_article() -> None:
    rows = read(exported(events=reviewed()))
    assert [(row["Zuordnung"], row["Vorschlag der Maschine"]) for row in rows] == [
        ("angehängt", "nicht gestützt"),
        ("angehängt", "teilweise gestützt"),
        ("angehängt", "nicht gestützt"),
        ("fehlt", "nicht gestützt"),
    ]
    assert [row["Angehängtes Zitat"] for row in rows] == ["D-01", "D-01", "D-02", "keines"]
    assert rows[0]["Exakte Quellpassage"] == f"D-01 returns-v4 p04: {RETURNS}"
    assert {row["Antwort"] for row in rows} == {ANSWER}
    assert rows[1]["Urteile von Menschen"] == "A. Kurz: teilweise gestützt\nB. Lang: nicht gestützt"
    assert rows[0]["Urteile von Menschen"] == ""
    assert all(len(row) == len(CASE_COLUMNS) + len(CLAIM_COLUMNS) for row in rows)


def test_a_case_without_claims_keeps_its_row() -> None:
    rows = read(exported(evidence((), returned=output(None))), language="en")
    assert len(rows) == 1
    assert (rows[0]["Case id"], rows[0]["Claim"]) == ("Q-017", "")
    assert "die Antwort" in rows[0]["Case: What is missing"]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
def test_a_cell_that_could_be_a_formula_is_neutralised(start: str) -> None:
    assert cell(f"{start}cmd|' /C calc'!A0").startswith("'")


def test_formulas_of_strangers_are_neutralised_in_every_column() -> None:
    case = evidence().model_copy(update={"question": "=1+1", "answer_id": "@x", "collection": "-2"})
    rows = read(exported(case), language="en")
    assert (rows[0]["Question"], rows[0]["Answer id"], rows[0]["Source collection"]) == ("'=1+1", "'@x", "'-2")


def test_heads_are_different_in_each_language_and_never_twice() -> None:
    for language in ("en", "de"):
        head = next(csv.reader(io.StringIO(next(csv_lines((), language=language)))))
        assert len(set(head)) == len(head)
