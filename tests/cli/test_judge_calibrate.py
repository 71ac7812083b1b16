"""``beleg judge calibrate``: the answer first, a record that nobody overwrites, refusals that say what to do."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from beleg.app.calibration_records import load_records
from beleg.core.errors import EvidenceError, UsageError
from cli.projects import beleg


def csv(path: Path, repeats: int = 1) -> Path:
    """Verdicts on 60 items, 40 of which people pass; the judge is wrong on 6."""
    rows = ["item_id,human,judge,repeat,segments.language"]
    for number in range(60):
        human, wrong = number < 40, number % 10 == 0
        for repeat in range(repeats):
            judge = human != (wrong or (repeat == 1 and number == 3))
            rows.append(f"i{number},{human},{judge},{repeat},{'de' if number % 2 else 'en'}")
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def test_the_first_line_is_the_answer(tmp_path: Path) -> None:
    csv(tmp_path / "v.csv", repeats=2)
    done = beleg("judge", "calibrate", "--verdicts", "v.csv", cwd=tmp_path)
    assert done.code == 0
    assert (
        done.lines[0]
        .replace("\xa0", " ")
        .startswith(
            "The judge of this file passes 2 of 20 items that people fail (10 %, 95 % interval 1 % to 32 %) and fails 4"
        )
    )
    assert "1 of 60 items changed their verdict" in done.out
    assert "vouches for no judge" in done.out.replace("vouch for", "vouches for")
    assert any(line.startswith("language=de") for line in done.lines)


def test_german_and_json_say_the_same(tmp_path: Path) -> None:
    csv(tmp_path / "v.csv")
    german = beleg("judge", "calibrate", "--verdicts", "v.csv", "--lang", "de", cwd=tmp_path)
    assert "lässt 2 von 20 Fällen bestehen, die Menschen durchfallen lassen" in german.lines[0]
    told = beleg("judge", "calibrate", "--verdicts", "v.csv", "--json", cwd=tmp_path).json
    assert told["overall"]["false_pass"]["events"] == 2
    assert [part["segment"] for part in told["segments"]] == ["language=de", "language=en"]


def test_records_are_named_by_their_content_and_never_overwritten(tmp_path: Path) -> None:
    csv(tmp_path / "v.csv")
    for _ in range(2):
        assert beleg("judge", "calibrate", "--verdicts", "v.csv", cwd=tmp_path).code == 0
    assert len(list((tmp_path / "calibrations").iterdir())) == len(load_records([tmp_path / "calibrations"])) == 2
    one = beleg("judge", "calibrate", "--verdicts", "v.csv", "--out", "one.json", cwd=tmp_path)
    again = beleg("judge", "calibrate", "--verdicts", "v.csv", "--out", "one.json", cwd=tmp_path)
    assert (one.code, again.code) == (0, 2)
    assert "never overwritten" in again.err


def test_a_record_that_was_changed_by_hand_is_refused(tmp_path: Path) -> None:
    csv(tmp_path / "v.csv")
    beleg("judge", "calibrate", "--verdicts", "v.csv", cwd=tmp_path)
    path = next((tmp_path / "calibrations").iterdir())
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") > 40  # a person can read it
    path.write_text(text.replace('"events": 2', '"events": 1', 1), encoding="utf-8")
    with pytest.raises(EvidenceError, match="not the one that its name tells of"):
        load_records([path])
    path.write_text(text[:200], encoding="utf-8")
    with pytest.raises(EvidenceError):
        load_records([tmp_path / "calibrations"])
    with pytest.raises(UsageError, match="no such calibration record"):
        load_records([tmp_path / "nowhere"])


def test_a_graded_judge_gets_its_threshold_from_one_half(tmp_path: Path) -> None:
    draw = random.Random(3)
    rows = []
    for number in range(500):
        human = draw.random() < 0.6
        rows.append({"item_id": f"i{number}", "human": human, "score": draw.gauss(0.8 if human else 0.3, 0.1)})
    (tmp_path / "s.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    done = beleg("judge", "calibrate", "--verdicts", "s.jsonl", "--max-false-pass", "0.05", cwd=tmp_path)
    assert done.code == 0
    assert "chosen on" in done.out
    assert "AUC" in done.out


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("item_id,human,judge\na,maybe,pass\n", ("v.csv:2", "human", "maybe")),
        ("item_id,human,judge\na,pass,pass\na,pass,fail\n", ("v.csv:3", "repeats the one on line 2")),
        ("item_id,human,judge,repeat\na,pass,pass,0\na,fail,fail,1\n", ("two labels of people", "'a'")),
        ("item_id,human,judge,score\na,pass,,0.5\nb,pass,fail,\n", ("only a verdict", "'b'")),
        ("item_id,human,judge\na,pass,\n", ("no item has both a label and a verdict",)),
        ("item_id,judge\na,pass\n", ("human",)),
    ],
)
def test_verdicts_that_cannot_be_used_are_refused_with_their_place(
    tmp_path: Path, content: str, words: tuple[str, ...]
) -> None:
    (tmp_path / "v.csv").write_text(content, encoding="utf-8")
    done = beleg("judge", "calibrate", "--verdicts", "v.csv", cwd=tmp_path)
    assert done.code == 30
    assert done.out == ""
    for word in words:
        assert word in done.err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "give labels"),
        (("labels.jsonl", "--verdicts", "v.csv"), "give labels"),
        (("--verdicts", "v.csv", "--judge", "j.yaml"), "has no use beside it"),
        (("--verdicts", "v.csv", "--segment", "color"), "They have: language"),
        (("--verdicts", "v.csv", "--threshold", "0.5", "--max-false-pass", "0.1"), "finds the threshold"),
        (("--verdicts", "v.csv", "--confidence", "0.3"), "between 0.5 and 1"),
        (("nowhere.jsonl",), "nowhere.jsonl"),
    ],
)
def test_a_command_that_makes_no_sense_is_refused(tmp_path: Path, options: tuple[str, ...], words: str) -> None:
    csv(tmp_path / "v.csv")
    done = beleg("judge", "calibrate", *options, cwd=tmp_path)
    assert done.code == 2
    assert words in done.err


def test_names_that_could_drive_a_terminal_are_shown_by_their_code_point(tmp_path: Path) -> None:
    rows = [
        {"item_id": f"i{number}", "human": number < 5, "judge": number < 5, "segments": {"team": "\u202ex\x1b[31m"}}
        for number in range(10)
    ]
    (tmp_path / "v.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    done = beleg("judge", "calibrate", "--verdicts", "v.jsonl", cwd=tmp_path)
    assert "\x1b" not in done.out
    assert "\u202e" not in done.out
