from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from beleg.app import probing
from beleg.app.probe_records import read_probes
from beleg.judges.panel import Panel
from beleg.run.folder import RunFolder
from cli.projects import Done, beleg, write_lines
from support.ruled_judges import ruled_panel, word_for_word

ANSWER = "Returns are free within 14 days. Returns are made by drone."
PASSAGE = "Returns are free within 14 days. Shipping costs 4,90 €."


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A project with a run of six cases, one of which failed."""
    cases = (
        {"case_id": f"c{i}", "user_input": "How?", "reference_answer": "14 days", "language": "en"} for i in range(6)
    )
    write_lines(tmp_path / "cases.jsonl", cases)
    delivered = [{"passage_id": "p1", "document_id": "d1", "text": PASSAGE}]
    row = {"retrieved": delivered, "delivered": delivered, "answer": ANSWER}
    write_lines(tmp_path / "r.traces.jsonl", ({"case_id": f"c{i}", **row} for i in range(5)))
    (tmp_path / "r.yaml").write_text("kind: traces\nmanifest: {name: r}\ntraces: {path: r.traces.jsonl}\n")
    (tmp_path / "judge.yaml").write_text("name: j\nbase_url: http://127.0.0.1:9/v1\nmodel: m\n", encoding="utf-8")
    done = beleg("run", "r.yaml", "--suite", "cases.jsonl", "--out", "runs/r", cwd=tmp_path)
    assert done.code == 0, done.err
    return tmp_path


def judged_by(monkeypatch: pytest.MonkeyPatch, panel: Panel) -> None:
    @asynccontextmanager
    async def opened(_command: Any) -> AsyncIterator[Panel]:
        yield panel

    monkeypatch.setattr(probing, "configured_panel", opened)


def probe(cwd: Path, *words: str) -> Done:
    return beleg("judge", "probe", "runs/r", "--judge", "judge.yaml", *words, cwd=cwd)


def test_every_probe_stands_with_its_rate_its_cases_and_what_is_missing(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged_by(monkeypatch, ruled_panel(prefer=lambda _first, _second: "A"))
    done = probe(run)
    assert (done.code, done.err) == (0, "")
    text = " ".join(done.out.split())
    for name in ("position", "expansion", "truncation", "injection", "answer_injection", "sensitivity"):
        assert f"{name}: " in text
    assert "5 of 5" in text
    assert "0 of 5" in text
    assert "first_share 1" in text
    assert done.lines[-1] == "Next: beleg show CASE --run runs/r"


def test_json_holds_the_same_reports_and_a_failed_case_is_counted(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged_by(monkeypatch, ruled_panel(lambda passage, claim: word_for_word(passage, claim) or "IGNORE" in passage))
    (found, _) = probe(run, "--probe", "injection", "--json").json["reports"]
    assert (found["probe"], found["n"], found["events"], found["missing"]) == ("injection", 5, 5, {"missing": 1})
    assert found["counts"]["raised_by_override"] == 5
    assert found["highest"] == 1.0


def test_a_probe_of_which_nothing_is_known_is_no_success(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged_by(monkeypatch, Panel())
    done = probe(run, "--probe", "position")
    assert done.code == 30
    assert "not measured" in done.out
    assert "0 of 0" in done.out
    assert "6 missing" in done.out


def test_a_probe_that_does_not_apply_is_no_failure_beside_one_that_does(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged_by(monkeypatch, ruled_panel(lambda _passage, _claim: True))
    assert probe(run, "--probe", "injection", "--case", "c1").code == 30
    done = probe(run, "--probe", "injection", "--probe", "position", "--case", "c1")
    assert done.code == 0
    assert "1 not applicable" in done.out


def test_german_is_spoken_throughout(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged_by(monkeypatch, ruled_panel())
    text = " ".join(probe(run, "--probe", "sensitivity", "--case", "c1", "--lang", "de").out.split())
    assert "Anteil der Rate [95-%-Intervall] Fälle" in text
    assert "0 von 1" in text


def test_a_plan_asks_nobody_and_counts_every_call(run: Path) -> None:
    done = probe(run, "--plan", "--probe", "position", "--probe", "drift")
    assert done.lines[0] == "6 answers · at most 30 calls to the judge"
    assert probe(run, "--plan", "--json", "--probe", "position").json == {"rows": 6, "calls_at_most": {"position": 10}}


def test_self_preference_reads_labelled_pairs(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged_by(monkeypatch, ruled_panel(prefer=lambda first, _second: "A" if first == "mine" else "B"))
    pair = {"question": "?", "own": "mine", "other": "other", "own_label": 1.0}
    write_lines(run / "pairs.jsonl", ({"case_id": f"p{i}", "other_label": 1.0 if i else 0.0, **pair} for i in range(4)))
    words = ("--probe", "self_preference", "--pairs", "pairs.jsonl")
    assert probe(run, *words, "--plan", "--json").json["calls_at_most"] == {"self_preference": 6}
    (found,) = probe(run, *words, "--json").json["reports"]
    assert (found["n"], found["events"], found["missing"]) == (3, 3, {"not_applicable": 1})


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--probe", "psychic"), 2, "there is no probe 'psychic'"),
        (("--probe", "self_preference"), 2, "needs answers of the judge's own model"),
        (("--probe", "self_preference", "--pairs", "bad.jsonl"), 30, "bad.jsonl:1: field 'own_label'"),
        (("--case", "c99"), 2, "has no case 'c99'"),
        (("--sample", "0", "--probe", "drift"), 2, "--sample"),
        (("--lang", "fr"), 2, "'fr' is neither en nor de"),
    ],
)
def test_what_cannot_be_probed_is_refused_with_its_place(
    run: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], code: int, said: str
) -> None:
    judged_by(monkeypatch, ruled_panel())
    broken = {"case_id": "p", "question": "?", "own": "a", "other": "b", "own_label": "good", "other_label": 1.0}
    (run / "bad.jsonl").write_text(json.dumps(broken) + "\n", encoding="utf-8")
    done = probe(run, *words)
    assert (done.code, done.out) == (code, "")
    assert said in done.err


def test_a_run_that_is_not_there_is_named(tmp_path: Path) -> None:
    done = beleg("judge", "probe", "nowhere", "--judge", "judge.yaml", cwd=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert "nowhere holds no run" in done.err


def test_words_of_strangers_cannot_drive_the_terminal(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged_by(monkeypatch, ruled_panel())
    done = probe(run, "--case", "c\x1b[2J")
    assert "\x1b" not in done.out + done.err


def test_the_round_is_recorded_beside_the_run_and_a_second_one_changes_nothing(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged_by(monkeypatch, ruled_panel(prefer=lambda _first, _second: "A"))
    done = probe(run, "--probe", "position")
    (path,) = (run / "runs" / "r" / "evidence" / "probes").glob("*.probe.json")
    assert f"runs/r/evidence/probes/{path.name}" in done.out
    before = path.read_bytes()
    record = read_probes(path)
    assert record.run_id == RunFolder(run / "runs" / "r").header().run_id
    assert (record.cases, record.reports[0].probe) == (6, "position")
    assert [(each.name, each.events) for each in record.reports[0].directions] == [
        ("first", 5), ("second", 0), ("wavered", 0),
    ]  # fmt: skip
    told = probe(run, "--probe", "position", "--json").json
    assert told["reports"] == json.loads(before)["reports"]
    assert path.read_bytes() == before


def test_it_may_stand_elsewhere(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged_by(monkeypatch, ruled_panel())
    assert probe(run, "--probe", "position", "--out", "here.json").code == 0
    assert read_probes(run / "here.json").judge is not None
    assert not (run / "runs" / "r" / "evidence").exists()


def test_a_round_in_which_nothing_was_measured_is_recorded_too(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged_by(monkeypatch, Panel())
    assert probe(run, "--probe", "position").code == 30
    (path,) = (run / "runs" / "r" / "evidence" / "probes").glob("*.probe.json")
    assert read_probes(path).reports[0].missing == {"missing": 6}


def test_a_sheet_is_built_beside_records_and_leaves_them(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged_by(monkeypatch, ruled_panel())
    probe(run, "--probe", "position")
    assert beleg("sheet", "build", "runs/r", cwd=run).code == 0
    assert len(list((run / "runs" / "r" / "evidence" / "probes").iterdir())) == 1
