"""What the guide on reviews shows is what happens, command by command."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from beleg.core.review import ReviewEvent, ReviewEventKind
from cli.projects import beleg, write_lines

GUIDE = (Path(__file__).resolve().parents[2] / "docs" / "guide" / "review-claims.md").read_text("utf-8")
ANSWER = "You can return any article within 30 days.[D-01] The refund is normally complete in five days."
PASSAGE = "Articles bought from the shop can be returned within 30 days. Final-sale articles are excluded."


def shown(kind: str) -> list[str]:
    return [part.split("```")[0] for part in GUIDE.split(f"```{kind}\n")[1:]]


def commands() -> list[list[str]]:
    """Every command of the guide that needs no other machine."""
    lines = [line for block in shown("sh") for line in block.splitlines() if line.startswith("beleg ")]
    return [shlex.split(line)[1:] for line in lines if "db.example" not in line]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    case = {"case_id": "Q-017", "language": "en", "user_input": "Can I return it?", "expected_behaviour": "answer"}
    case["expected_passages"] = [{"document_id": "D-01"}]  # type: ignore[assignment]
    passage = {"passage_id": "p04", "document_id": "D-01", "version": "returns-v4", "text": PASSAGE}
    write_lines(tmp_path / "cases.jsonl", [case])
    write_lines(tmp_path / "new.traces.jsonl", [{"case_id": "Q-017", "retrieved": [passage], "answer": ANSWER}])
    (tmp_path / "new.yaml").write_text("kind: traces\nmanifest: {name: new}\ntraces: {path: new.traces.jsonl}\n")
    assert beleg("run", "new.yaml", "--suite", "cases.jsonl", "--out", "runs/new", cwd=tmp_path).code == 0
    assert beleg("sheet", "build", "runs/new", cwd=tmp_path).code == 0
    assert beleg("keys", "new", "auditor", cwd=tmp_path).code == 0
    (tmp_path / "heads").mkdir()
    (tmp_path / "verdicts.csv").write_text(shown("csv")[0])
    return tmp_path


def test_every_command_of_the_guide_does_what_the_guide_says(project: Path) -> None:
    found = commands()
    assert len(found) >= 12
    for words in found:
        done = beleg(*words, cwd=project)
        assert (done.code, done.err) == (0, ""), words
    assert beleg("review", "export", "--out", "events.jsonl", cwd=project).code == 0
    events = [ReviewEvent.model_validate_json(line) for line in (project / "events.jsonl").read_text().splitlines()]
    assert {event.action.kind for event in events} == {
        ReviewEventKind.ASSIGNED,
        ReviewEventKind.VERDICT_RECORDED,
        ReviewEventKind.DISPUTED,
        ReviewEventKind.ADJUDICATED,
    }
    assert beleg("review", "verify", "--events", "events.jsonl", cwd=project).code == 0


def test_the_file_of_the_guide_sent_again_records_nothing_twice(project: Path) -> None:
    words = ("review", "record", "runs/new", "--file", "verdicts.csv", "--as", "ada", "--json")
    first, again = (json.loads(beleg(*words, cwd=project).out) for _ in range(2))
    assert first["recorded_before"] == 0
    assert again["recorded_before"] == 2
    assert [event["hash"] for event in first["events"]] == [event["hash"] for event in again["events"]]


def test_a_cut_tail_passes_the_chain_alone_and_not_a_checkpoint(project: Path) -> None:
    import sqlite3
    from contextlib import closing

    assert beleg("review", "record", "runs/new", "--file", "verdicts.csv", "--as", "ada", cwd=project).code == 0
    assert beleg("review", "checkpoint", "--key", "auditor.pem", "--out", "head.json", cwd=project).code == 0
    with closing(sqlite3.connect(project / "reviews.db", isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER beleg_review_events_no_delete")
        connection.execute("DELETE FROM beleg_review_events WHERE sequence = 2")
    against = ("--checkpoint", "head.json", "--public-key", "auditor.pub.pem")
    assert beleg("review", "verify", cwd=project).code == 0
    found = beleg("review", "verify", *against, cwd=project)
    assert found.code == 30
    assert found.lines[0].startswith("Broken at event 2")


def test_what_reviewers_write_cannot_drive_a_terminal(project: Path) -> None:
    hostile = "Excluded \x1b[31m\u202e <script>alert(1)</script>"
    words = ("--as", "bo\u202eb", "--support", "supported", "--rationale", hostile)
    assert beleg("review", "record", "runs/new", "C-017-1", *words, cwd=project).code == 0
    told = beleg("review", "history", "runs/new", "C-017-1", cwd=project).out
    assert "\x1b" not in told
    assert "\u202e" not in told
    assert "⟦U+001B⟧[31m⟦U+202E⟧ <script>" in told


def test_whoever_was_shown_the_machine_is_not_blind(project: Path) -> None:
    hidden = beleg("review", "open", "runs/new", "--as", "ada", cwd=project).out
    assert "Machine" not in hidden
    assert "Machine" in beleg("review", "open", "runs/new", "--as", "ada", "--show-machine", cwd=project).out
    verdict = ("--as", "ada", "--support", "supported", "--rationale", "So it says.")
    assert beleg("review", "record", "runs/new", "C-017-1", *verdict, cwd=project).code == 0
    told = beleg("review", "history", "runs/new", "C-017-1", cwd=project).out
    assert "had seen the machine's proposal" in told
    assert "blind" not in told.split("verdict")[-1]
