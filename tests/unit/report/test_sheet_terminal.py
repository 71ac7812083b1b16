"""The terminal shows a claim with its quote in brackets inside its passage, and drives no terminal."""

from __future__ import annotations

from beleg.report.sheet_terminal import terminal_lines
from support.q017 import evidence
from support.sheet_data import exported, reviewed


def test_the_worked_example_reads_claim_by_claim() -> None:
    text = "\n".join(terminal_lines(exported(events=reviewed()), language="de"))
    assert "C-017-4: Sie ist normalerweise innerhalb von fünf Tagen abgeschlossen" in text
    assert "Zuordnung: □ fehlt (Angehängtes Zitat: keines)" in text
    assert "Vorschlag der Maschine: ◐ teilweise gestützt, judge-1 63e5dff8 (Modell)." in text
    assert "Urteil eines Menschen: ■ nicht gestützt, B. Lang (Mensch). By the passage." in text
    assert "[Final-Sale-Artikel sind ausgeschlossen.]" in text


def test_a_long_passage_keeps_what_stands_beside_the_quote() -> None:
    case = evidence()
    long = case.passages[0].model_copy(update={"text": f"{'a ' * 300}Final-Sale-Artikel sind ausgeschlossen. und mehr"})
    changed = case.model_copy(update={"passages": (long, case.passages[1])})
    text = "\n".join(terminal_lines(exported(changed), language="en"))
    assert "…" in text
    assert "a a [Final-Sale-Artikel sind ausgeschlossen.] und mehr" in text
    assert "a " * 100 not in text


def test_control_characters_are_shown_and_not_sent() -> None:
    case = evidence().model_copy(update={"question": "\x1b[2Jgone \u202etxt"})
    text = "\n".join(terminal_lines(exported(case)))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "⟦U+001B⟧" in text
