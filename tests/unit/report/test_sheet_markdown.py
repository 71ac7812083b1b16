"""The sheet as Markdown is the table of the article, and no text of a stranger acts in it."""

from __future__ import annotations

import re

from beleg.core.evidence import SupportVerdict
from beleg.core.sheet_export import ExportedCase, SheetFilter
from beleg.report.sheet_markdown import markdown_parts
from support.q017 import BOUNDED_ANSWER, BOUNDED_CLAIMS, evidence, output
from support.sheet_data import exported, header_of, reviewed


def made(*cases: ExportedCase, language: str = "de", wanted: SheetFilter | None = None) -> str:
    return "".join(markdown_parts(header_of(1, 4), wanted or SheetFilter(), cases, language=language))


def table(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def test_the_worked_example_is_the_table_of_the_article() -> None:
    head, _, *rows = table(made(exported()))
    assert head == [
        "Aussage", "Angehängtes Zitat", "Exakte Quellpassage", "Zuordnung", "Semantische Unterstützung",
        "Schriftliche Begründung",
    ]  # fmt: skip
    assert [(row[1].strip("`"), row[3], row[4].split(" (")[0]) for row in rows] == [
        ("D-01", "angehängt", "nicht gestützt"),
        ("D-01", "angehängt", "teilweise gestützt"),
        ("D-02", "angehängt", "nicht gestützt"),
        ("keines", "fehlt", "nicht gestützt"),
    ]
    assert rows[0][2].startswith("D-01 returns-v4 p04: „Direkt im Beispielshop gekaufte Artikel")
    assert "**Final-Sale-Artikel sind ausgeschlossen.**" in rows[0][2]
    assert rows[1][2] == "D-01 returns-v4 p04, dieselbe erfasste Passage"
    assert rows[3][2] == "keine abgerufene Passage"
    assert rows[2][5] == "Die Antwort nennt das Absenden; die Passage den Lagereingang."


def test_people_stand_beside_machines_and_are_named() -> None:
    text = made(exported(events=reviewed()), language="en")
    assert "partially supported (Machine proposal: judge-1 63e5dff8 (model))" in text
    assert "**not supported** (Human verdict: B. Lang" in text
    assert "- Reviewers: A. Kurz, B. Lang" in text


def test_a_next_check_is_never_called_a_cause() -> None:
    text = made(exported())
    assert "Begrenzte Beobachtung: Die Zitatzuordnung belegt keine Unterstützung." in text
    assert "Mögliche nächste Prüfung, keine bewiesene Ursache:" in text


def test_an_honest_failure_is_a_result() -> None:
    text = made(exported(evidence(BOUNDED_CLAIMS, returned=output(BOUNDED_ANSWER))), language="en")
    assert "An honest failure, recorded as a result." in text


def test_what_a_filter_leaves_out_is_told() -> None:
    wanted = SheetFilter(machine=(SupportVerdict.PARTIALLY_SUPPORTED,))
    text = made(exported(wanted=wanted), language="en", wanted=wanted)
    assert "Filtered: Machine proposal: partially supported. The sheet as a whole holds 4 claims, 1 answer." in text
    assert "3 claims of this answer are left out by the filter." in text
    assert made(wanted=wanted, language="en").endswith("No claim fits the filter.\n")


def test_no_text_of_a_stranger_acts() -> None:
    case = evidence()
    bad = "a|b <img src=x onerror=alert(1)> [x](javascript:1) `c` @all"
    rows = tuple(row.model_copy(update={"open_note": bad}) for row in case.claims)
    text = made(exported(case.model_copy(update={"question": bad, "claims": rows})))
    assert "<img" not in text
    assert re.search(r"(?<!\\)\]\(javascript", text) is None
    assert all(len(row) == 6 for row in table(text))
