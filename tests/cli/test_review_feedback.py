"""``beleg review feedback`` as a person meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.projects import beleg
from support.review_projects import review_project

LINE = {"case_id": "one", "rating": "down", "at": "2026-11-30T12:00:00Z", "source": "shop-widget"}
RUN = "project/runs/seventeen"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    review_project(tmp_path)
    (tmp_path / "thumbs.jsonl").write_text(json.dumps(LINE), encoding="utf-8")
    return tmp_path


def test_it_says_what_is_new_and_where_it_stands(place: Path) -> None:
    done = beleg("review", "feedback", RUN, "thumbs.jsonl", cwd=place)
    assert (done.code, done.err) == (0, "")
    assert done.lines[0] == "1 new, 0 there already; 1 thumbs down beside the run."
    assert f"{RUN}/feedback.jsonl: sha256:" in done.out
    again = beleg("review", "feedback", RUN, "thumbs.jsonl", "--lang", "de", cwd=place)
    assert again.lines[0] == "0 neu, 1 schon da; 1 × Daumen runter beim Lauf."


def test_a_csv_will_do_and_json_says_the_same(place: Path) -> None:
    (place / "thumbs.csv").write_text(
        "case_id,rating,at,source,comment\none,up,2026-11-30T12:00:00Z,mail,\n", encoding="utf-8"
    )
    told = beleg("review", "feedback", RUN, "thumbs.csv", "--json", cwd=place).json
    assert (told["new"], told["known"], told["down"]) == (1, 0, 0)


def test_a_case_that_the_run_does_not_hold_names_its_line(place: Path) -> None:
    (place / "thumbs.jsonl").write_text(json.dumps(LINE) + "\n" + json.dumps(LINE | {"case_id": "x"}), encoding="utf-8")
    done = beleg("review", "feedback", RUN, "thumbs.jsonl", cwd=place)
    assert done.code == 30
    assert "thumbs.jsonl:2" in done.err
    assert not (place / RUN / "feedback.jsonl").exists()
