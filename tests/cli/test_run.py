from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from cli.projects import beleg, write_cases, write_lines, write_recorded


def test_the_first_line_says_how_many_cases_were_answered_and_the_last_what_to_do(project: Path) -> None:
    done = beleg("run", "good.yaml", "--suite", "cases.jsonl", "--out", "runs/first", cwd=project)
    assert (done.code, done.err) == (0, "")
    assert re.fullmatch(r"40 of 40 cases answered · \d+\.\d s · cost unknown", done.lines[0])
    assert done.lines[-2].endswith(" in runs/first")
    assert done.lines[-1] == "Next: beleg score runs/first   or: beleg gate runs/first --policy POLICY"


def test_failures_are_counted_by_kind_and_the_first_is_quoted(project: Path) -> None:
    done = beleg("run", "partial.yaml", "--suite", "cases.jsonl", "--out", "runs/failing", cwd=project)
    assert done.code == 0
    assert done.lines[0].startswith("38 of 40 cases answered, 2 failed · ")
    assert done.lines[1] == "Failed: 2 no_trace; first c38: no trace was recorded for case 'c38'"
    assert done.lines[-1].startswith("Next: beleg show c38 --run runs/failing")


def test_json_holds_the_same_figures_and_nothing_else(project: Path) -> None:
    done = beleg("run", "partial.yaml", "--suite", "cases.jsonl", "--out", "runs/json", "--json", cwd=project)
    found = done.json
    assert (found["expected"], found["added"], found["failed"], found["failures"]) == (40, 40, 2, {"no_trace": 2})
    assert found["cost_usd"] is None
    assert found["folder"] == "runs/json"


def test_a_run_is_not_overwritten_and_says_how_to_go_on(project: Path) -> None:
    done = beleg("run", "good.yaml", "--suite", "cases.jsonl", "--out", "runs/good", cwd=project)
    assert (done.code, done.out) == (2, "")
    assert "runs/good already holds a run" in done.err
    assert "--resume" in done.err


def test_resuming_a_finished_run_asks_nothing_again_and_still_counts_what_failed(project: Path) -> None:
    done = beleg("run", "partial.yaml", "--suite", "cases.jsonl", "--out", "runs/partial", "--resume", cwd=project)
    assert done.code == 0
    assert done.lines[0].startswith("38 of 40 cases answered, 2 failed")
    assert done.lines[1] == "40 were there already, 0 were added"


def test_resuming_needs_to_know_which_run(project: Path) -> None:
    done = beleg("run", "good.yaml", "--suite", "cases.jsonl", "--resume", cwd=project)
    assert (done.code, done.out) == (2, "")
    assert "--resume needs --out" in done.err


def test_repeats_are_counted_as_attempts(project: Path) -> None:
    write_lines(
        project / "twice.traces.jsonl", ({"case_id": "c0", "repeat": repeat, "answer": "yes"} for repeat in (0, 1))
    )
    (project / "twice.yaml").write_text("kind: traces\nmanifest: {name: twice}\ntraces: {path: twice.traces.jsonl}\n")
    options = ("--case", "c0", "--repeats", "2", "--out", "runs/twice")
    done = beleg("run", "twice.yaml", "--suite", "cases.jsonl", *options, cwd=project)
    assert done.lines[0].startswith("2 of 2 attempts answered")


def test_without_out_the_run_goes_below_runs_whatever_the_candidate_is_called(tmp_path: Path) -> None:
    write_cases(tmp_path / "cases.jsonl", 1)
    write_recorded(tmp_path, "plain", ["d1"])
    (tmp_path / "up.yaml").write_text("kind: traces\nmanifest: {name: ../../up}\ntraces: {path: plain.traces.jsonl}\n")
    done = beleg("run", "up.yaml", "--suite", "cases.jsonl", cwd=tmp_path)
    assert done.code == 0
    assert [path.name for path in tmp_path.glob("runs/*/run.json")] == ["run.json"]
    assert re.search(r" in runs/up-\d{8}T\d+Z\n", done.out)


def test_an_unknown_case_is_met_with_similar_ones(project: Path) -> None:
    done = beleg("run", "good.yaml", "--suite", "cases.jsonl", "--case", "c1x", "--out", "runs/none", cwd=project)
    assert (done.code, done.out) == (2, "")
    assert "the suite has no case 'c1x'\nDid you mean: c1" in done.err
    assert not (project / "runs" / "none").exists()


def test_cases_are_chosen_by_name_or_by_number_but_not_both(project: Path) -> None:
    done = beleg("run", "good.yaml", "--suite", "cases.jsonl", "--case", "c1", "--subset", "3", cwd=project)
    assert done.code == 2
    assert "--case and --subset exclude each other" in done.err


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--timeout", "0"),
        ("--timeout", "nan"),
        ("--timeout", "3601"),
        ("--retries", "21"),
        ("--repeats", "0"),
        ("--repeats", "1001"),
        ("--concurrency", "0"),
        ("--subset", "0"),
    ],
)
def test_a_setting_out_of_range_is_a_usage_error_that_names_the_option(project: Path, option: str, value: str) -> None:
    done = beleg("run", "good.yaml", "--suite", "cases.jsonl", option, value, "--out", "runs/never", cwd=project)
    assert (done.code, done.out) == (2, "")
    assert f"Invalid value for '{option}'" in done.err
    assert not (project / "runs" / "never").exists()


def test_recorded_traces_of_cases_that_the_suite_does_not_have_are_reported(project: Path) -> None:
    write_cases(project / "fewer.jsonl", 38)
    done = beleg("run", "good.yaml", "--suite", "fewer.jsonl", "--out", "runs/fewer", cwd=project)
    assert done.code == 0
    assert done.err == "beleg: 2 recorded cases are not in the suite and were not used, the first: 'c38'\n"


def release_suite(folder: Path, budget: int) -> None:
    write_cases(folder / "help" / "cases.jsonl", 2)
    (folder / "help" / "suite.yaml").write_text(
        f"name: help\nkind: release\nusage_budget: {budget}\ncases: [cases.jsonl]\n"
    )


def test_each_use_of_a_release_suite_is_recorded_and_going_over_its_budget_is_said(tmp_path: Path) -> None:
    release_suite(tmp_path, budget=1)
    for name in ("first", "second"):
        write_recorded(tmp_path, name, ["d1", "d1"])
    once = beleg("run", "first.yaml", "--suite", "help/suite.yaml", "--out", "r1", cwd=tmp_path)
    again = beleg("run", "first.yaml", "--suite", "help/suite.yaml", "--out", "r2", cwd=tmp_path)
    other = beleg("run", "second.yaml", "--suite", "help/suite.yaml", "--out", "r3", "--json", cwd=tmp_path)
    assert [done.code for done in (once, again, other)] == [0, 0, 0]
    assert (once.err, again.err) == ("", "")
    assert "usage_budget of 1" in other.err
    assert len(other.json["warnings"]) == 1
    entries = [json.loads(line) for line in (tmp_path / "help" / "usage.jsonl").read_text().splitlines()]
    assert [entry["used_by"] for entry in entries] == [
        json.loads((tmp_path / run / "run.json").read_text())["run_id"] for run in ("r1", "r2", "r3")
    ]


def test_the_use_of_a_development_suite_is_not_recorded(project: Path) -> None:
    assert not (project / "usage.jsonl").exists()


def test_all_versions_of_a_released_suite_share_one_ledger_outside_of_them(tmp_path: Path) -> None:
    release_suite(tmp_path, budget=5)
    write_recorded(tmp_path, "first", ["d1", "d1"])
    assert beleg("suite", "release", "help/suite.yaml", "--store", "suites", cwd=tmp_path).code == 0
    version = tmp_path / "suites" / "help" / "v1"
    held = sorted(path.name for path in version.iterdir())
    assert beleg("run", "first.yaml", "--suite", "suites/help/v1", "--out", "r", cwd=tmp_path).code == 0
    assert (version.parent / "usage.jsonl").exists()
    assert sorted(path.name for path in version.iterdir()) == held


def test_where_the_use_cannot_be_recorded_no_case_is_asked(tmp_path: Path) -> None:
    release_suite(tmp_path, budget=1)
    write_recorded(tmp_path, "first", ["d1", "d1"])
    (tmp_path / "ledger").mkdir()
    options = ("--usage", "ledger", "--out", "r")
    done = beleg("run", "first.yaml", "--suite", "help/suite.yaml", *options, cwd=tmp_path)
    assert (done.code, done.out) == (30, "")
    assert "ledger: the use could not be recorded" in done.err
    assert not (tmp_path / "r" / "traces.jsonl").exists()


def test_a_candidate_that_cannot_be_opened_leaves_no_folder_behind(tmp_path: Path) -> None:
    write_cases(tmp_path / "cases.jsonl", 1)
    (tmp_path / "gone.yaml").write_text("kind: traces\nmanifest: {name: gone}\ntraces: {path: nothing.jsonl}\n")
    done = beleg("run", "gone.yaml", "--suite", "cases.jsonl", "--out", "r", cwd=tmp_path)
    assert done.code == 2
    assert not (tmp_path / "r").exists()


def test_a_folder_with_a_journal_but_no_header_is_not_taken_for_a_new_one(project: Path, tmp_path: Path) -> None:
    shutil.copytree(project / "runs" / "good", tmp_path / "r")
    (tmp_path / "r" / "run.json").unlink()
    done = beleg("run", "worse.yaml", "--suite", "cases.jsonl", "--out", str(tmp_path / "r"), cwd=project)
    assert done.code == 2
    assert "already holds a run" in done.err
