"""``beleg review``: what a team of reviewers does from the command line, in both databases."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.projects import Done, beleg, write_lines
from support.ledgers import postgres_place
from support.postgres import OWNER, Cluster
from support.review_runs import changed, q017_case, write_sheet

Review = Callable[..., Done]

ANSWERS = ("--support", "not_supported", "--rationale", "Die Passage schließt es aus.")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_sheet(tmp_path / "run")


@pytest.fixture
def review(run: Path) -> Review:
    """Calls a command around the run."""

    def call(command: str, *words: str, by: str | None = None) -> Done:
        actor = () if by is None else ("--as", by)
        return beleg("review", command, "run", *words, *actor, cwd=run.parent)

    return call


def whole(*words: str, cwd: Path) -> Done:
    return beleg("review", "verify", *words, cwd=cwd)


def test_a_blind_reviewer_sees_the_evidence_and_no_proposal_until_the_own_verdict(review: Review) -> None:
    opened = review("open", by="ada")
    assert opened.lines[0].startswith("C-017-1: ")
    assert "Final-Sale-Artikel sind ausgeschlossen" in opened.out
    assert "Machine" not in opened.out
    assert "machine" not in review("open", "--json", by="ada").json
    assert opened.lines[-1].startswith("Next: beleg review record run C-017-1 --as ada")
    assert review("record", "C-017-1", *ANSWERS, by="ada").lines[0] == "1 recorded"
    after = review("open", "--claim", "C-017-1", by="ada")
    assert "Machine · not supported (judge-1): Die Passage schließt" in after.out
    assert review("open", by="ada").lines[0].startswith("C-017-2: ")


def test_whoever_asks_to_see_the_proposal_is_not_blind_any_more(review: Review) -> None:
    shown = review("open", "--claim", "C-017-1", "--show-machine", by="ada")
    assert "Machine · not supported" in shown.out
    review("open", "--claim", "C-017-1", "--show-machine", by="ada")
    review("record", "C-017-1", *ANSWERS, by="ada")
    events = review("history", "C-017-1", "--json").json["events"]
    assert [event["action"]["kind"] for event in events] == ["shown", "verdict_recorded"]
    assert events[1]["action"]["support"]["condition"] == "saw_machine"
    assert review("agreement", "--json").json["agreement"][1]["not_counted"] == {"not_blind": 1}


def test_whoever_asks_to_see_what_others_decided_is_recorded_too(review: Review) -> None:
    review("record", "C-017-1", *ANSWERS, by="ada")
    assert "ada" not in review("open", "--claim", "C-017-1", by="bob").out
    assert "ada · verdict" in review("open", "--claim", "C-017-1", "--show-people", by="bob").out
    review("record", "C-017-1", *ANSWERS, by="bob")
    events = review("history", "C-017-1", "--json").json["events"]
    assert events[-1]["action"]["support"]["condition"] == "saw_human"


def test_the_same_verdict_sent_twice_is_recorded_once_and_another_needs_a_reason(review: Review) -> None:
    assert review("record", "C-017-1", *ANSWERS, by="ada").lines[0] == "1 recorded"
    assert review("record", "C-017-1", *ANSWERS, by="ada").lines[0] == "0 recorded, 1 recorded before"
    other = review("record", "C-017-1", "--support", "supported", "--rationale", "Doch.", by="ada")
    assert other.code == 30
    assert "beleg review supersede --version 1" in other.err
    changed_to = ("C-017-1", "--version", "1", "--reason", "Ich las falsch.", "--support", "supported")
    assert review("supersede", *changed_to, "--rationale", "Doch.", by="ada").code == 0
    history = review("history", "C-017-1").lines
    assert "not supported" in history[1]
    assert "verdict replaced (version 1) · supported: Doch." in history[2]


def test_what_was_withdrawn_may_be_said_again(review: Review) -> None:
    review("record", "C-017-1", *ANSWERS, by="ada")
    assert review("withdraw", "C-017-1", "--version", "1", "--reason", "Falsche Zeile.", by="ada").code == 0
    assert review("record", "C-017-1", *ANSWERS, by="ada").lines[0] == "1 recorded"


def test_a_disagreement_is_settled_by_a_third_and_all_of_it_stays(review: Review, run: Path) -> None:
    review("record", "C-017-1", *ANSWERS, by="ada")
    review("record", "C-017-1", "--support", "supported", "--rationale", "Steht da.", by="bob")
    assert review("list", "--state", "disagreed", "--json").json["claims"][0]["claim_id"] == "C-017-1"
    assert review("dispute", "C-017-1", "--version", "2", "--reason", "Der Ausschluss.", by="ada").code == 0
    settle = ("C-017-1", "--version", "3", "--reason", "Nach Wortlaut.", *ANSWERS)
    own = review("adjudicate", *settle, by="bob")
    assert (own.code, "third person" in own.err) == (30, True)
    assert review("adjudicate", *settle, by="cleo").code == 0
    assert review("list").lines[0] == "4 claims: 3 unreviewed, 1 adjudicated"
    kinds = [event["action"]["kind"] for event in review("history", "C-017-1", "--json").json["events"]]
    assert kinds == ["verdict_recorded", "verdict_recorded", "disputed", "adjudicated"]
    found = review("agreement", "--json").json["agreement"][1]
    assert (found["units"], found["raw"]["value"], found["differing"]) == (1, 0.0, ["run-17/C-017-1"])
    assert whole(cwd=run.parent).lines[0].startswith("Whole: 4 events · without a checkpoint")


def test_a_queue_says_who_has_what_and_what_comes_next_but_no_verdict(review: Review) -> None:
    assert review("assign", "C-017-2", "C-017-3", "--to", "ada", by="lead").lines[0] == "2 recorded"
    assert review("assign", "--all", "--to", "ada", by="lead").lines[0] == "2 recorded, 2 recorded before"
    review("assign", "C-017-4", "--to", "bob", by="lead")
    review("record", "C-017-4", *ANSWERS, by="bob")
    listed = review("list")
    assert listed.lines[0] == "4 claims: 3 unreviewed, 1 reviewed"
    assert "ada: 4 claims, 4 to do" in listed.out
    assert "bob: 1 claim, 0 to do" in listed.out
    assert "supported" not in listed.out
    own = review("list", "--reviewer", "ada", "--json").json
    assert (own["next"], len(own["claims"])) == ("C-017-1", 4)
    assert review("open", by="bob").lines[0] == "bob has nothing left to look at"
    assert review("list", "--state", "done").code == 2


def test_many_verdicts_are_recorded_from_a_file_at_once_or_not_at_all(review: Review, run: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"claim_id": f"C-017-{number}", "reviewer": by, "support": "not_supported", "support_rationale": "Nein."}
        for number in range(1, 5)
        for by in ("ada", "bob")
    ]
    write_lines(run.parent / "bad.jsonl", [*rows, rows[0] | {"support": "supported"}])
    refused = review("record", "--file", "bad.jsonl", by="lead")
    assert (refused.code, "gave a verdict on it already" in refused.err) == (30, True)
    assert review("list", "--state", "reviewed", "--json").json["claims"] == []
    write_lines(run.parent / "good.jsonl", rows)
    assert review("record", "--file", "good.jsonl", by="lead").lines[0] == "8 recorded"
    assert review("record", "--file", "good.jsonl", by="lead").lines[0] == "0 recorded, 8 recorded before"
    assert review("agreement").lines[0].endswith("Support: 1.00 [0.03, 1.00] · 4 claims")


def test_verdicts_come_from_csv_with_lists_as_json(review: Review, run: Path) -> None:
    (run.parent / "v.csv").write_text(
        "claim_id,support,support_rationale,missing,spent_ms\n"
        'C-017-1,not_assessable,Es fehlt etwas.,"[""der Vertrag""]",1200\n',
        encoding="utf-8",
    )
    assert review("record", "--file", "v.csv", by="ada").code == 0
    action = review("history", "C-017-1", "--json").json["events"][0]["action"]
    assert (action["support"]["missing"], action["spent_ms"], action["actor"]) == (["der Vertrag"], 1200, "ada")


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({"claim_id": "C-017-1"}, "a verdict on support, on attribution, or on both"),
        ({"claim_id": "C-017-1", "support": "supported"}, "support_rationale"),
        ({"claim_id": "C-017-1", "support": "great", "support_rationale": "x"}, "support"),
        ({"claim_id": "C-017-1", "support": "not_assessable", "support_rationale": "x"}, "names what is missing"),
        ({"claim_id": "C-9", "support": "supported", "support_rationale": "x"}, "has no claim 'C-9'"),
        ({"claim_id": "C-017-1", "support": "supported", "support_rationale": "  "}, "support_rationale"),
        ({"claim_id": "C-017-1", "support": "supported", "support_rationale": "x", "vote": 1}, "vote"),
    ],
)
def test_a_bad_line_is_refused_with_its_place(review: Review, run: Path, row: dict[str, Any], why: str) -> None:
    write_lines(run.parent / "v.jsonl", [row])
    refused = review("record", "--file", "v.jsonl", by="ada")
    assert refused.code in (2, 30)
    assert why in refused.err
    assert review("list", "--state", "reviewed", "--json").json["claims"] == []


def test_a_key_that_was_used_for_something_else_is_refused(review: Review, run: Path) -> None:
    line = {"claim_id": "C-017-1", "support": "supported", "support_rationale": "Ja.", "idempotency_key": "k"}
    write_lines(run.parent / "one.jsonl", [line])
    write_lines(run.parent / "two.jsonl", [line | {"support": "not_supported"}])
    assert review("record", "--file", "one.jsonl", by="ada").lines[0] == "1 recorded"
    assert review("record", "--file", "one.jsonl", by="ada").lines[0] == "0 recorded, 1 recorded before"
    refused = review("record", "--file", "two.jsonl", by="ada")
    assert (refused.code, "idempotency_key" in refused.err) == (30, True)


def test_a_row_that_changed_keeps_its_verdicts_as_about_an_older_row(review: Review, run: Path) -> None:
    review("record", "C-017-1", *ANSWERS, by="ada")
    write_sheet(run, changed(q017_case(), "C-017-1", text="Jeder Artikel."))
    listed = review("list")
    assert listed.lines[0] == "4 claims: 4 unreviewed · 1 with verdicts about an older row"
    assert review("history", "C-017-1").lines[1].endswith("about an older row")
    assert review("record", "C-017-1", *ANSWERS, by="bob").lines[0] == (
        "1 recorded, 1 claim changed since the last review"
    )
    kinds = [event["action"]["kind"] for event in review("history", "C-017-1", "--json").json["events"]]
    assert kinds == ["verdict_recorded", "sheet_rebuilt", "verdict_recorded"]
    assert review("agreement", "--json").json["agreement"][1]["units"] == 0


def test_a_judge_that_is_asked_again_leaves_the_verdicts_of_people_in_force(review: Review, run: Path) -> None:
    review("record", "C-017-1", *ANSWERS, by="ada")
    write_sheet(run, changed(q017_case(), "C-017-1", support=None, observations=(), open_note="x"))
    assert review("list").lines[0] == "4 claims: 3 unreviewed, 1 reviewed"


def test_a_claim_that_is_gone_is_told(review: Review, run: Path) -> None:
    review("record", "C-017-1", *ANSWERS, by="ada")
    case = q017_case()
    write_sheet(run, case.model_copy(update={"claims": case.claims[1:]}))
    assert review("list").lines[0] == "3 claims: 3 unreviewed · 1 reviewed claim is gone"


def test_text_of_strangers_drives_no_terminal(review: Review, run: Path) -> None:
    write_sheet(run, changed(q017_case(), "C-017-1", text="\x1b[2JJeder\u202e Artikel"))
    review("record", "C-017-1", "--support", "supported", "--rationale", "\x1b]0;x\x07\u202e", by="a\u202eda")
    for done in (review("open", "--claim", "C-017-1", by="bob"), review("history", "C-017-1")):
        assert done.code == 0
        assert not set("\x1b\x07\u202e") & set(done.out)


def test_reviewers_are_spoken_to_in_german(review: Review) -> None:
    assert "Frage: Kann ich" in review("open", "--lang", "de", by="ada").out
    assert review("record", "C-017-1", *ANSWERS, "--lang", "de", by="ada").lines[0] == "1 eingetragen"
    assert review("list", "--lang", "de").lines[0] == "4 Aussagen: 3 ungeprüft, 1 geprüft"
    assert "ada · Urteil · nicht gestützt" in review("history", "C-017-1", "--lang", "de").out
    assert review("agreement", "--lang", "de").lines[0].startswith("Gleiche Urteile: Zuordnung: undefiniert")


def keys(folder: Path, name: str = "auditor") -> tuple[str, str]:
    assert beleg("keys", "new", name, cwd=folder).code == 0
    return f"{name}.pem", f"{name}.pub.pem"


def test_a_cut_tail_shows_by_a_signed_checkpoint(review: Review, run: Path) -> None:
    folder = run.parent
    key, public = keys(folder)
    for claim in ("C-017-1", "C-017-2", "C-017-3"):
        review("record", claim, *ANSWERS, by="ada")
    made = beleg("review", "checkpoint", "--key", key, "--out", "head.json", cwd=folder)
    assert (made.code, made.lines[0][:24]) == (0, "Checkpoint over 3 events")
    assert beleg("review", "export", "--out", "whole.jsonl", cwd=folder).lines[0] == "3 events written"
    given = ("--checkpoint", "head.json", "--public-key", public)
    assert whole(*given, cwd=folder).lines[0] == "Whole: 3 events · agrees with the signed checkpoints given: 1"
    assert whole("--events", "whole.jsonl", *given, cwd=folder).code == 0
    _force(folder, "DELETE FROM beleg_review_events WHERE sequence = 3")
    assert whole(cwd=folder).code == 0
    cut = whole(*given, cwd=folder)
    assert (cut.code, cut.lines[0]) == (30, "Broken at event 3: the ledger ends before a checkpoint")
    german = whole(*given, "--lang", "de", cwd=folder)
    assert german.lines[0] == "Beschädigt bei Ereignis 3: das Register endet vor einem Prüfpunkt"
    _force(folder, "DELETE FROM beleg_review_events")
    assert whole(*given, "--json", cwd=folder).json["fault"] == "emptied"


def test_a_changed_event_is_named_and_never_signed(review: Review, run: Path) -> None:
    folder = run.parent
    key, _ = keys(folder)
    for claim in ("C-017-1", "C-017-2", "C-017-3"):
        review("record", claim, *ANSWERS, by="ada")
    _force(folder, "UPDATE beleg_review_events SET content = replace(content, 'not_supported', 'supported') "
                   "WHERE sequence = 2")  # fmt: skip
    broken = whole(cwd=folder)
    assert (broken.code, broken.lines[0]) == (30, "Broken at event 2 (run-17/C-017-2): its content was changed")
    refused = beleg("review", "checkpoint", "--key", key, "--out", "head.json", cwd=folder)
    assert (refused.code, "broken at event 2" in refused.err) == (30, True)
    assert not (folder / "head.json").exists()
    _force(folder, "UPDATE beleg_review_events SET content = 'x' WHERE sequence = 3")
    assert whole(cwd=folder).lines[0].startswith("Broken at event 2 ")
    _force(folder, "UPDATE beleg_review_events SET content = 'x' WHERE sequence = 1")
    assert whole(cwd=folder).lines[0] == "Broken at event 1: it cannot be read"


def test_a_checkpoint_counts_by_the_signature_of_a_named_key_alone(review: Review, run: Path) -> None:
    folder = run.parent
    key, public = keys(folder)
    _, stranger = keys(folder, "stranger")
    review("record", "C-017-1", *ANSWERS, by="ada")
    beleg("review", "checkpoint", "--key", key, "--out", "head.json", cwd=folder)
    assert whole("--checkpoint", "head.json", cwd=folder).code == 2
    other = whole("--checkpoint", "head.json", "--public-key", stranger, cwd=folder)
    assert (other.code, "none of the keys" in other.err) == (30, True)
    forged = json.loads((folder / "head.json").read_text())
    forged["payload"] = forged["payload"][:-8] + "AAAAAAA="
    (folder / "forged.json").write_text(json.dumps(forged))
    assert whole("--checkpoint", "forged.json", "--public-key", public, cwd=folder).code == 30
    (folder / "none.json").write_text("{}")
    assert whole("--checkpoint", "none.json", "--public-key", public, cwd=folder).code == 30
    again = beleg("review", "checkpoint", "--key", key, "--out", "head.json", cwd=folder)
    assert (again.code, "there already" in again.err) == (2, True)


def test_what_is_not_there_is_told_with_the_remedy(run: Path, review: Review) -> None:
    assert review("history", "C-017-1").code == 2
    assert "beleg sheet build" in beleg("review", "open", "nowhere", "--as", "ada", cwd=run.parent).err
    (run.parent / "text.db").write_text("no database")
    assert review("list", "--ledger", "text.db").code == 30
    with sqlite3.connect(run.parent / "other.db") as other:
        other.execute("CREATE TABLE t (a)")
    foreign = review("list", "--ledger", "other.db")
    assert (foreign.code, "file of another program" in foreign.err) == (30, True)
    assert review("record", *ANSWERS, by="ada").code == 2
    assert review("list", "--ledger", "mysql://a@b/c").code == 2


def test_a_password_is_taken_from_the_environment_alone_and_never_shown(
    review: Review, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEDGER_PASSWORD", "s3cret-word")
    literal = review("list", "--ledger", "postgresql://ada:s3cret-word@localhost/reviews")
    assert (literal.code, "s3cret" in literal.err + literal.out) == (2, False)
    address = "postgresql://ada@localhost:9/reviews?password_env=LEDGER_PASSWORD"
    refused = review("list", "--ledger", address)
    assert (refused.code, "s3cret" in refused.err + refused.out) == (30, False)
    assert "postgresql+pg8000://ada@localhost:9/reviews cannot be opened" in refused.err
    assert "NO_SUCH is not set" in review("list", "--ledger", address.replace("LEDGER_PASSWORD", "NO_SUCH")).err
    for strange in ("postgresql://localhost/reviews", f"{address}&options=x", f"{address}&sslmode=prefer"):
        assert review("list", "--ledger", strange).code == 2


def test_a_team_reviews_on_postgresql(review: Review, run: Path, postgres: Cluster) -> None:
    postgres.sql("DROP DATABASE IF EXISTS team")
    postgres.sql(f"CREATE DATABASE team OWNER {OWNER}")
    owner = postgres.address(OWNER, "team")
    team = postgres_place(postgres).address.replace("/reviews?", "/team?")
    assert "beleg review create" in review("list", "--ledger", team).err
    made = beleg("review", "create", "--ledger", owner, "--grant", "recorder", cwd=run.parent)
    assert (made.code, made.lines[0]) == (0, "The ledger is ready: postgresql+pg8000://ledger_owner@/team")
    assert beleg("review", "create", "--ledger", owner, "--grant", "recorder", cwd=run.parent).code == 0
    assert beleg("review", "create", "--ledger", owner, "--grant", 'no"body', cwd=run.parent).code == 30
    as_owner = review("record", "C-017-1", *ANSWERS, "--ledger", owner, by="ada")
    assert (as_owner.code, "may change or remove events" in as_owner.err) == (2, True)
    for by in ("ada", "bob"):
        assert review("record", "C-017-1", *ANSWERS, "--ledger", team, by=by).code == 0
    assert review("agreement", "--ledger", team, "--json").json["agreement"][1]["units"] == 1
    assert whole("--ledger", team, cwd=run.parent).lines[0].startswith("Whole: 2 events")


def _force(folder: Path, statement: str) -> None:
    """Past every guard, as whoever owns the file can."""
    connection = sqlite3.connect(folder / "reviews.db", isolation_level=None)
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    connection.executescript(statement)
    connection.close()
