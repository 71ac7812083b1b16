"""What a release is held to, looked at on the command line before anything is decided by it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from beleg.app.sheets import build_sheet, evidence_of_today
from beleg.core.evidence import EvidenceCase, SupportVerdict
from beleg.core.review import ReviewEvent
from beleg.evidence.review_rows import evidence_digest
from cli.projects import Done, beleg, write_cases, write_lines, write_policy, write_recorded
from support.reviews import event, row, sheet, support

CASES = 80
STANDS = {"owner": "Search", "rationale": "by harm", "review_by": "2999-01-01"}
CLEAN: dict[str, Any] = {
    "minimum_n": 30,
    "checks": [
        {"metric": "entitlement_leak", "zero_tolerance": True},
        {"metric": "recall@5", "pass_at": 0.5, "block_at": 0.3, "margin": 0.2},
    ],
    **STANDS,
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A run in which every document is found, and a policy that it passes."""
    write_cases(tmp_path / "cases.jsonl", CASES, lambda i: {"risk_tier": "high"})
    write_recorded(tmp_path, "new", ["d1"] * CASES)
    assert beleg("run", "new.yaml", "--suite", "cases.jsonl", "--out", "runs/new", cwd=tmp_path).code == 0
    write_policy(tmp_path / "policy.yaml")
    return tmp_path


def policy(project: Path, name: str = "policy.yaml", **settings: Any) -> None:
    write_policy(project / name, **settings)


def gate(project: Path, *more: str) -> Done:
    return beleg("gate", "runs/new", "--policy", "policy.yaml", *more, cwd=project)


def decision(project: Path) -> dict[str, Any]:
    return json.loads((project / "runs/new/decision/decision.json").read_text())


def test_lint_of_a_clean_policy_is_0_and_its_first_line_is_the_answer(project: Path) -> None:
    policy(project, **CLEAN)
    done = beleg("policy", "lint", "policy.yaml", "--suite", "cases.jsonl", cwd=project)
    assert (done.code, done.lines[0]) == (0, "policy.yaml: nothing to object to")
    assert done.lines[-1] == "Next: beleg policy explain policy.yaml"


def test_lint_with_doubts_is_10_and_with_errors_30(project: Path) -> None:
    doubtful = beleg("policy", "lint", "policy.yaml", cwd=project)
    assert doubtful.code == 10
    assert doubtful.lines[0] == "policy.yaml: 0 errors, 6 doubts"
    (project / "policy.yaml").write_text("policy: p\nchecks:\n  - metric: recal@5\n    margin: 0.1\n")
    wrong = beleg("policy", "lint", "policy.yaml", "--lang", "de", cwd=project)
    assert wrong.code == 30
    assert wrong.lines[0] == "policy.yaml: 1 Fehler, 0 Zweifel"
    assert "line 3, checks[0].metric" in wrong.out


def test_lint_reports_a_file_that_is_no_policy_like_any_other_error(project: Path) -> None:
    (project / "policy.yaml").write_text("policy: p\npolicy: q\nchecks: []\n")
    done = beleg("policy", "lint", "policy.yaml", "--json", cwd=project)
    assert (done.code, done.json["exit_code"]) == (30, 30)
    assert done.json["findings"][0]["line"] == 2


def test_lint_names_the_number_that_the_suite_lacks_and_every_lowered_bar(project: Path) -> None:
    policy(project, "old.yaml", **CLEAN)
    check = {"metric": "recall@5", "pass_at": 0.4, "block_at": 0.3, "margin": 0.03}
    policy(project, checks=[CLEAN["checks"][0], check], minimum_n=30, **STANDS)
    done = beleg("policy", "lint", "policy.yaml", "--run", "runs/new", "--against", "old.yaml", cwd=project)
    assert done.code == 10
    # 0.05 ** (1 / n) < 0.03 takes 99 cases without a loss.
    assert "cannot pass this on 80 cases; 99 are needed" in done.out
    assert "recall@5.pass_at: 0.5 → 0.4 (looser)" in done.out


def test_explain_says_every_rule_in_the_language_asked_for_and_json_has_both(project: Path) -> None:
    german = beleg("policy", "explain", "policy.yaml", "--lang", "de", cwd=project)
    assert german.code == 0
    assert "dazwischen entscheidet ein Mensch" in german.out
    both = beleg("policy", "explain", "policy.yaml", "--json", cwd=project).json["rules"]
    assert {"en", "de"} == set(both[0]["sentence"])


def test_diff_names_what_became_looser(project: Path) -> None:
    policy(project, "new.yaml", minimum_n=20)
    done = beleg("policy", "diff", "new.yaml", "policy.yaml", cwd=project)
    assert done.lines[:2] == ["1 looser, 0 stricter, 0 changed otherwise", "- minimum_n: 20 → 10 (looser)"]
    assert beleg("policy", "diff", "new.yaml", "new.yaml", cwd=project).lines[0] == "No bar has changed"


def test_prove_shows_that_every_check_can_block_and_is_30_where_one_does_not_guard(project: Path) -> None:
    done = beleg("policy", "prove", "policy.yaml", cwd=project)
    assert (done.code, done.lines[0]) == (0, "1 of 1 checks guard; 1 block on a collapse")
    policy(project, minimum_n=CASES + 1)
    small = beleg("policy", "prove", "policy.yaml", "--suite", "cases.jsonl", "--json", cwd=project)
    assert small.code == 30
    assert small.json["checks"][0]["perfect"] == "INCONCLUSIVE"


def test_a_policy_that_was_registered_before_the_run_is_told_with_its_date(project: Path) -> None:
    made = beleg("policy", "register", "policy.yaml", cwd=project)
    assert made.lines[0].startswith("small, version 1: registered (")
    assert beleg("policy", "register", "policy.yaml", cwd=project).lines[0].startswith("small, version 1: registered b")
    assert len((project / "policies.jsonl").read_text().splitlines()) == 1
    late = gate(project, "--registered", "policies.jsonl")
    assert late.code == 10
    assert "after the run had begun" in " ".join(late.out.split())
    assert beleg("run", "new.yaml", "--suite", "cases.jsonl", "--out", "runs/later", cwd=project).code == 0
    kept = beleg("gate", "runs/later", "--policy", "policy.yaml", "--registered", "policies.jsonl", cwd=project)
    assert kept.code == 0
    stored = json.loads((project / "runs/later/decision/decision.json").read_text())
    assert stored["policy_first_seen"] is not None


def test_a_bar_that_is_lowered_after_a_decision_never_passes_silently(project: Path) -> None:
    policy(project, checks=[{"metric": "recall@5", "pass_at": 0.999, "block_at": 0.3}])
    assert gate(project).code == 10
    policy(project)
    again = gate(project)
    assert again.code == 10
    assert "This run was decided before by another state of the policy" in " ".join(again.out.split())


def test_a_register_that_was_changed_is_refused(project: Path) -> None:
    for n in (10, 20):
        policy(project, minimum_n=n)
        assert beleg("policy", "register", "policy.yaml", cwd=project).code == 0
    register = project / "policies.jsonl"
    register.write_text(register.read_text().replace("2026", "2020", 1).replace("2027", "2020", 1))
    lines = register.read_text().splitlines()
    register.write_text("\n".join([lines[0].replace('"version":1', '"version":2'), *lines[1:]]) + "\n")
    done = gate(project, "--registered", "policies.jsonl")
    assert done.code == 30
    assert "the record was changed" in done.err


def test_the_error_budget_is_counted_from_the_file_beside_the_policy(project: Path) -> None:
    policy(project, error_budget={"period_days": 30, "allowed": 1})
    assert "there is no file of incidents" in " ".join(gate(project).out.split())
    (project / "incidents.jsonl").write_text("")
    assert gate(project).code == 0
    for note in ("rolled back", "wrong prices"):
        assert beleg("policy", "incident", "--note", note, "--kind", "failed_release", cwd=project).code == 0
    done = gate(project)
    assert done.code == 10
    assert "Error budget: 2 of 1 used in 30 days" in done.out


@pytest.mark.parametrize("words", [("--kind", "bad"), ("--weight", "0"), ("--weight", "nan"), ("--weight", "inf")])
def test_an_incident_that_says_nothing_usable_is_refused(project: Path, words: tuple[str, str]) -> None:
    done = beleg("policy", "incident", "--note", "n", *words, cwd=project)
    assert done.code == 2
    assert not (project / "incidents.jsonl").exists()


def test_a_damaged_file_of_incidents_decides_nothing(project: Path) -> None:
    policy(project, error_budget={"period_days": 30, "allowed": 1})
    (project / "incidents.jsonl").write_text('{"previous":null,"at":"yesterday"}\n')
    assert gate(project).code == 30


def test_review_routes_the_boundary_cases_to_the_owner_and_pass_empties_the_queue(project: Path) -> None:
    policy(project, checks=[{"metric": "recall@5", "pass_at": 0.999, "block_at": 0.3}], **STANDS)
    done = gate(project)
    assert "Waiting: 1 check for Search" in done.out
    waits = beleg("policy", "queue", "runs/new", cwd=project)
    assert waits.lines[:2] == ["Waiting: 1 check for Search", "Search"]
    assert beleg("policy", "queue", "runs/new", "--owner", "Nobody", "--json", cwd=project).json == {"items": []}
    policy(project)
    assert gate(project).code == 10, "a bar that was lowered with the figures known passes nothing by itself"
    assert gate(project).code == 10, "nor does deciding once more"
    shutil.rmtree(project / "runs/new/decision")
    assert gate(project).code == 0
    assert beleg("policy", "queue", "runs/new", cwd=project).lines[0] == "Nothing waits"


def test_a_run_without_a_decision_has_no_queue(project: Path) -> None:
    done = beleg("policy", "queue", "runs/new", cwd=project)
    assert (done.code, "nothing was decided there yet" in done.err) == (2, True)


def reviews(project: Path, *events: ReviewEvent) -> str:
    write_lines(project / "reviews.jsonl", (each.to_json_dict() for each in events))
    return "reviews.jsonl"


def cases_of(project: Path) -> list[EvidenceCase]:
    """What the records of the run give: one claim to each case."""
    return list(evidence_of_today(project / "runs/new"))


def all_clear(project: Path) -> list[ReviewEvent]:
    return [verdict(project, i, SupportVerdict.SUPPORTED, case) for i, case in enumerate(cases_of(project))]


def verdict(project: Path, i: int, which: SupportVerdict, about: EvidenceCase | None = None) -> ReviewEvent:
    run_id = json.loads((project / "runs/new/run.json").read_text())["run_id"]
    case = about or cases_of(project)[i]
    (claim,) = case.claims
    made = event(run=run_id, about=claim, support=support(which), evidence_digest=evidence_digest(case, claim))
    return made.model_copy(update={"sequence": i + 1})


def test_a_claim_that_people_confirmed_as_unsupported_blocks_and_their_all_clear_passes(project: Path) -> None:
    policy(project, critical_claims={"where": {"risk_tier": "high"}})
    assert gate(project).code == 10
    clear = all_clear(project)
    assert gate(project, "--reviews", reviews(project, *clear)).code == 0
    assert decision(project)["reviews_digest"].startswith("sha256:")
    wrong = [*clear[:-1], verdict(project, CASES - 1, SupportVerdict.NOT_SUPPORTED)]
    done = gate(project, "--reviews", reviews(project, *wrong))
    assert done.code == 20
    assert "1 confirmed as not supported, in 1 of 80 cases" in " ".join(done.out.split())


def test_the_report_rests_on_the_same_reviews_as_the_gate(project: Path) -> None:
    policy(project, critical_claims={"where": {"risk_tier": "high"}})
    name = reviews(project, verdict(project, 3, SupportVerdict.NOT_SUPPORTED))
    done = beleg("report", "runs/new", "--policy", "policy.yaml", "--reviews", name, "--json", cwd=project)
    assert (done.code, done.json["verdict"]) == (0, "BLOCK")


def test_reviews_about_other_claims_decide_nothing(project: Path) -> None:
    policy(project, critical_claims={})
    (other,) = sheet(row(claim_id="C-999"))
    stranger = verdict(project, 1, SupportVerdict.SUPPORTED, other)
    done = gate(project, "--reviews", reviews(project, stranger))
    assert (done.code, "C-999" in done.err) == (30, True)


def test_a_sheet_of_other_claims_beside_the_run_clears_nothing(project: Path) -> None:
    """Whoever can write a file beside the run could else let people clear claims that no answer makes."""
    policy(project, critical_claims={"where": {"risk_tier": "high"}})
    run = project / "runs/new"
    folder = build_sheet(run)
    header, true = folder.header(), cases_of(project)
    invented = [
        case.model_copy(update={"claims": (row(case.case_id, f"C-{case.case_id}", "Nobody said so."),)})
        for case in true
    ]
    folder.write(invented, lambda size: header.model_copy(update={"cases_digest": size.digest}))
    clear = [verdict(project, i, SupportVerdict.SUPPORTED, case) for i, case in enumerate(invented)]
    done = gate(project, "--reviews", reviews(project, *clear))
    assert (done.code, "80 claims" in done.err) == (30, True)


def test_a_review_file_that_is_none_names_its_line(project: Path) -> None:
    reviews(project)
    (project / "reviews.jsonl").write_text('{"sequence": 1}\n')
    done = gate(project, "--reviews", "reviews.jsonl")
    assert (done.code, "reviews.jsonl:1" in done.err) == (30, True)


def test_a_place_that_the_candidate_does_not_record_keeps_from_pass(project: Path) -> None:
    policy(project, required_record=["answer", "prompt"])
    done = gate(project)
    assert done.code == 10
    assert "the prompt in 80 cases" in done.out


def test_what_would_change_the_decision_stands_in_every_rendering(project: Path) -> None:
    policy(project, minimum_n=CASES + 12)
    done = gate(project)
    assert "What would change it: about 12 more cases" in done.out
    folder = project / "runs/new/decision"
    assert "about 12 more cases" in (folder / "report.md").read_text()
    page = (folder / "report.html").read_text()
    assert "about 12 more cases" in page
    assert "etwa 12 weitere Fälle" in page
    assert decision(project)["checks"][0]["remedy"]["de"] == "etwa 12 weitere Fälle"


def test_owners_with_hostile_names_cannot_drive_the_terminal(project: Path) -> None:
    policy(project, minimum_n=CASES + 1, owner="\u202eevil\u001b[31m")
    for words in (("gate", "runs/new", "--policy", "policy.yaml"), ("policy", "queue", "runs/new"),
                  ("policy", "explain", "policy.yaml")):  # fmt: skip
        out = beleg(*words, cwd=project).out
        assert "\u202e" not in out
        assert "\u001b" not in out
