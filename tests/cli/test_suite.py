from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.projects import beleg, write_cases


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    write_cases(tmp_path / "cases.jsonl", 40, lambda i: {"language": "de" if i % 4 else "en"})
    (tmp_path / "suite.yaml").write_text("name: help\ncases: [cases.jsonl]\n")
    return tmp_path


def test_validate_counts_errors_and_names_the_next_command(suite: Path) -> None:
    done = beleg("suite", "validate", "suite.yaml", cwd=suite)
    assert (done.code, done.err) == (0, "")
    assert done.lines[0].startswith("help version 1: 40 cases, 0 errors, ")
    assert done.lines[-1] == "Next: beleg suite release suite.yaml"


def test_validate_in_json_lists_the_same_findings(suite: Path) -> None:
    text = beleg("suite", "validate", "suite.yaml", cwd=suite).out
    found = beleg("suite", "validate", "suite.yaml", "--json", cwd=suite).json
    assert (found["cases"], found["suite"]["name"]) == (40, "help")
    assert found["digest"] in text
    assert all(finding["message"] in text for finding in found["findings"])


def test_a_suite_with_an_error_ends_with_30(suite: Path) -> None:
    write_cases(suite / "cases.jsonl", 2, lambda _: {"forbidden_sources": ["d1"]})
    done = beleg("suite", "validate", "suite.yaml", cwd=suite)
    assert done.code == 30
    assert "2 errors" in done.lines[0]
    assert done.lines[-1] == "Next: mend the errors and validate again"


def test_a_released_suite_can_be_used_and_is_the_one_that_was_released(suite: Path) -> None:
    done = beleg("suite", "release", "suite.yaml", "--note", "first", cwd=suite)
    assert (done.code, done.err) == (0, "")
    assert done.lines[0] == "Released help version 1: 40 cases"
    assert done.lines[-1] == "Next: beleg run CANDIDATE --suite suites/help/v1"
    same = beleg("suite", "diff", "suites/help/v1", "suite.yaml", cwd=suite)
    assert same.code == 0
    assert same.lines[0].startswith("0 added, 0 removed, 0 changed, 40 unchanged")


def test_release_in_json_names_digest_and_folder(suite: Path) -> None:
    found = beleg("suite", "release", "suite.yaml", "--json", cwd=suite).json
    assert found["digest"] == beleg("suite", "validate", "suite.yaml", "--json", cwd=suite).json["digest"]
    assert (suite / found["folder"] / "release.json").is_file()


def test_diff_shows_each_changed_field_and_json_the_same(suite: Path) -> None:
    write_cases(suite / "new.jsonl", 41, lambda i: {"user_input": "other"} if i == 3 else {"language": "de"})
    text = beleg("suite", "diff", "cases.jsonl", "new.jsonl", cwd=suite)
    found = beleg("suite", "diff", "cases.jsonl", "new.jsonl", "--json", cwd=suite).json
    assert text.code == 0
    assert text.lines[0].startswith(f"1 added, 0 removed, {len(found['changed'])} changed")
    assert "+ c40" in text.lines
    assert "    user_input: 'question 3' → 'other'" in text.lines
    assert found["added"] == ["c40"]
    assert text.lines[-1] == "Next: beleg suite validate new.jsonl"


def test_cover_counts_each_cell_and_json_the_same(suite: Path) -> None:
    text = beleg("suite", "cover", "suite.yaml", "--by", "language", cwd=suite)
    found = beleg("suite", "cover", "suite.yaml", "--by", "language", "--json", cwd=suite).json
    assert (text.code, text.lines[0]) == (0, "40 cases in 2 cells: 0 empty, 1 below 30")
    assert {(cell["labels"][0], cell["n"]) for cell in found["cells"]} == {("de", 30), ("en", 10)}
    assert [line.split()[:2] for line in text.lines if line.startswith(("de", "en"))] == [["de", "30"], ["en", "10"]]
    assert "too small" in text.lines[-1]


def test_cover_asks_for_no_more_cases_where_none_are_needed(suite: Path) -> None:
    done = beleg("suite", "cover", "suite.yaml", "--by", "language", "--minimum", "10", cwd=suite)
    assert done.lines[-1] == "Next: beleg suite release suite.yaml"


def test_cover_refuses_an_unknown_dimension_and_lists_those_there_are(suite: Path) -> None:
    done = beleg("suite", "cover", "suite.yaml", "--by", "langage", cwd=suite)
    assert (done.code, done.out) == (2, "")
    assert "no case has a label in dimension 'langage'\nDimensions in use: expected_behaviour, language" in done.err


def test_subset_writes_the_cases_that_it_names(suite: Path) -> None:
    words = ("suite", "subset", "suite.yaml", "--size", "8", "--out", "fast.jsonl")
    done = beleg(*words, cwd=suite)
    found = beleg("suite", "subset", "suite.yaml", "--size", "8", "--json", cwd=suite).json
    written = [json.loads(line)["case_id"] for line in (suite / "fast.jsonl").read_text().splitlines()]
    assert (done.code, done.lines[0]) == (0, "8 of 40 cases in 2 strata")
    assert sorted(written) == sorted(found["case_ids"])
    assert done.lines[-1] == "Next: beleg run CANDIDATE --suite suite.yaml --subset 8 --seed 0"
    again = beleg(*words, cwd=suite)
    assert again.code == 2
    assert "fast.jsonl exists already" in again.err


def test_split_writes_one_file_per_part_and_loses_no_case(suite: Path) -> None:
    shares = ("--share", "dev=0.3", "--share", "release=0.7")
    done = beleg("suite", "split", "suite.yaml", *shares, "--out", "parts", cwd=suite)
    found = beleg("suite", "split", "suite.yaml", *shares, "--json", cwd=suite).json
    assert (done.code, done.lines[0]) == (0, "2 parts")
    parts = {
        path.stem: {json.loads(line)["case_id"] for line in path.read_text().splitlines()}
        for path in (suite / "parts").iterdir()
    }
    assert {share["part"]: share["cases"] for share in found["shares"]} == {
        name: len(cases) for name, cases in parts.items()
    }
    assert parts["dev"] | parts["release"] == {f"c{i}" for i in range(40)}
    assert not parts["dev"] & parts["release"]
    assert done.lines[-1] == "Next: beleg suite validate parts/PART.jsonl"


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        (("a", "b=1"), "'a' is no share"),
        (("a=x", "b=1"), "'a=x' is no share"),
        (("a=0.5", "a=0.5"), "'a=0.5' is no share"),
        (("a=0.3", "b=0.9"), "add up to 1.2"),
        (("a=nan", "b=0.5"), "share nan"),
        (("../a=0.5", "b=0.5"), "'../a' is no name of a part"),
        ((".a=0.5", "b=0.5"), "'.a' is no name of a part"),
    ],
)
def test_shares_that_cannot_be_meant_are_refused(suite: Path, shares: tuple[str, str], said: str) -> None:
    options = [word for share in shares for word in ("--share", share)]
    done = beleg("suite", "split", "suite.yaml", *options, "--out", "parts", cwd=suite)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert not (suite / "parts").exists()
    assert not (suite / "a.jsonl").exists()
