from __future__ import annotations

import math
import os
import re
import subprocess
import sys
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from beleg.adapters.formats.strict_yaml import parse_yaml
from beleg.app.candidates import load_candidate_file
from beleg.app.commands import RunCommand, run_from_files
from beleg.app.gating import GateOutcome, gate_runs
from beleg.app.judge_opening import load_judge_file
from beleg.app.policies import LintRequest, lint, prove_policy
from beleg.app.policy_files import load_policy
from beleg.app.scaffold import LANGUAGES, scaffold
from beleg.app.schemas import SCHEMAS
from beleg.app.suites import load_suite
from beleg.core.case import ExpectedBehaviour
from beleg.core.decision import CheckKind, CheckState, Verdict
from beleg.core.errors import UsageError
from beleg.core.policy import Aggregate
from beleg.reference.ingest import load_folder
from beleg.reference.settings import CorpusSettings
from beleg.suites.validate import validate
from beleg.text.quotes import match_quote

YAML_FILES = (
    "suite/suite.yaml",
    "judge.yaml",
    "policy.yaml",
    "candidates/released.yaml",
    "candidates/new.yaml",
    "candidates/my_system.yaml",
    "candidates/http-example.yaml.txt",
)


@pytest.fixture(params=LANGUAGES)
def project_folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    folder = tmp_path / "my-project"
    scaffold(folder, language=request.param)
    return folder


def run(project: Path, name: str) -> Path:
    command = RunCommand(
        candidate=project / "candidates" / f"{name}.yaml",
        suite=str(project / "suite" / "suite.yaml"),
        out=project / "runs" / name,
        resume=False,
        subset=None,
        seed=0,
        cases=(),
        repeats=1,
        concurrency=4,
        timeout_s=60.0,
        retries=0,
        retrieve_only=False,
        usage=None,
    )
    result = run_from_files(command)
    assert (result.outcome.progress.done, result.outcome.progress.failed) == (12, 0)
    return result.outcome.folder.path


@pytest.fixture(scope="module")
def decided(tmp_path_factory: pytest.TempPathFactory) -> GateOutcome:
    project = tmp_path_factory.mktemp("work") / "my-project"
    scaffold(project)
    # The index of the embedded RAG is cached in the folder that a command is run in.
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(project)
        released, new = run(project, "released"), run(project, "new")
        return gate_runs(new, released, project / "policy.yaml")


def every_file(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_what_is_returned_is_what_was_written(tmp_path: Path) -> None:
    written = scaffold(tmp_path / "deep" / "project")
    assert written == every_file(tmp_path)
    assert {path.stat().st_mode & 0o777 for path in written} == {0o644}


def test_an_existing_folder_keeps_its_other_files(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    written = scaffold(tmp_path)
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "mine"
    assert tmp_path / "notes.txt" not in written


@pytest.mark.parametrize("name", ["README.md", "suite/cases.jsonl", "schemas/trace.schema.json", ".gitignore"])
def test_a_file_that_is_there_is_named_and_nothing_is_written(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match=re.escape(name)) as caught:
        scaffold(tmp_path)
    assert "beleg init my-project" in caught.value.diagnostics()
    assert every_file(tmp_path) == [tmp_path / name]
    assert (tmp_path / name).read_text(encoding="utf-8") == "mine"


def test_the_second_time_nothing_changes(project_folder: Path) -> None:
    before = {path: path.read_bytes() for path in every_file(project_folder)}
    with pytest.raises(UsageError, match=r"and \d+ more: already there"):
        scaffold(project_folder)
    assert {path: path.read_bytes() for path in every_file(project_folder)} == before


def test_a_link_to_nowhere_is_in_the_way_too(tmp_path: Path) -> None:
    (tmp_path / "policy.yaml").symlink_to(tmp_path / "elsewhere.yaml")
    with pytest.raises(UsageError, match="already there"):
        scaffold(tmp_path)
    assert not (tmp_path / "elsewhere.yaml").exists()


def test_no_link_leads_out_of_the_project(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    project = tmp_path / "project"
    project.mkdir()
    (project / "candidates").symlink_to(outside)
    with pytest.raises(UsageError, match="candidates is no ordinary folder"):
        scaffold(project)
    assert every_file(tmp_path) == []


def test_a_file_in_the_place_of_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "suite").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="suite is no ordinary folder"):
        scaffold(tmp_path)
    with pytest.raises(UsageError, match="suite is a file"):
        scaffold(tmp_path / "suite")
    with pytest.raises(UsageError, match="cannot make"):
        scaffold(tmp_path / "suite" / "deeper")
    assert every_file(tmp_path) == [tmp_path / "suite"]


def test_an_unknown_language_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="'fr' is neither en nor de"):
        scaffold(tmp_path / "x", language="fr")
    assert not (tmp_path / "x").exists()


def test_the_suite_has_no_finding_at_all(project_folder: Path) -> None:
    suite = load_suite(project_folder / "suite" / "suite.yaml")
    assert validate(suite, today=date(2026, 1, 1)) == ()
    assert len(suite.cases) == 12
    assert {case.language for case in suite.cases} == {"de", "en"}
    assert {case.expected_behaviour for case in suite.cases} == {ExpectedBehaviour.ANSWER, ExpectedBehaviour.ABSTAIN}


def test_every_expected_quote_stands_in_its_document(project_folder: Path) -> None:
    texts = {path.stem: path.read_text(encoding="utf-8") for path in (project_folder / "corpus").iterdir()}
    assert len(texts) == 8
    suite = load_suite(project_folder / "suite" / "suite.yaml")
    for expected in (each for case in suite.cases for each in case.expected_passages):
        assert match_quote(texts[expected.document_id or ""], expected.quote or "").value == "exact", expected


def test_the_corpus_states_who_may_see_each_document(project_folder: Path) -> None:
    documents = load_folder(project_folder / "corpus", CorpusSettings(path="corpus"))
    for document in documents:
        assert {"tenant", "entitlement", "status"} <= document.metadata.keys(), document.document_id
    assert [each.document_id for each in documents if each.metadata["entitlement"] == "staff"] == ["staff-waivers-de"]


def test_every_yaml_file_points_to_a_schema_that_init_wrote(project_folder: Path) -> None:
    for name in YAML_FILES:
        path = project_folder / name
        first = path.read_text(encoding="utf-8").splitlines()[0]
        found = re.fullmatch(r"# yaml-language-server: \$schema=(\S+)", first)
        assert found, name
        schema = (path.parent / found[1]).resolve()
        assert schema.is_file()
        assert schema.name.removesuffix(".schema.json") in SCHEMAS


def test_what_nobody_decided_yet_is_marked_as_an_example(project_folder: Path) -> None:
    policy = load_policy(project_folder / "policy.yaml")
    marks = ("EXAMPLE", "BEISPIEL")
    accountable = [policy, *(check for check in policy.checks if check.owner)]
    assert len(accountable) == 1 + len(policy.checks)
    for each in accountable:
        assert (each.owner or "").startswith(marks)
        assert (each.rationale or "").startswith(marks)
        assert each.review_by is not None


def test_the_starter_policy_is_clean_and_each_of_its_checks_guards(project_folder: Path) -> None:
    report = lint(LintRequest(policy=project_folder / "policy.yaml", today=date(2026, 12, 1)))
    assert (report.findings, report.exit_code) == ((), 0)
    assert all(proof.is_guarding for proof in prove_policy(project_folder / "policy.yaml", None))


def test_the_starter_policy_has_the_bands_of_the_article(project_folder: Path) -> None:
    """The table "Schwellentabelle" of the article on release gates, line by line."""
    policy = load_policy(project_folder / "policy.yaml")
    bands = {
        (check.metric, tuple(held.value for held in check.having or ())): (
            (check.pass_at, check.block_at, check.margin), (check.protected.pass_at, check.protected.block_at),
        )
        for check in policy.checks
        if check.aggregate is None
    }  # fmt: skip
    assert bands["faithfulness", ()] == ((0.90, 0.85, 0.02), (0.88, 0.88))
    assert bands["context_precision", ()] == ((0.80, 0.70, 0.02), (0.75, 0.75))
    assert bands["context_recall", ()] == ((0.85, 0.78, None), (None, None))
    assert bands["context_recall", ("required_clauses",)] == ((0.90, 0.78, None), (None, None))
    assert bands["answer_relevancy", ()] == ((0.85, 0.78, None), (None, None))
    relevancy = next(check for check in policy.checks if check.metric == "answer_relevancy")
    assert relevancy.together_with == ("required_clauses",)
    none_allowed = {check.metric for check in policy.checks if check.zero_tolerance}
    assert none_allowed == {"entitlement_leak", "forbidden_passages", "missing_evidence"}
    assert {check.aggregate for check in policy.checks if check.metric == "cost_usd"} == {Aggregate.P50, Aggregate.P99}
    assert policy.critical_claims is not None
    assert policy.critical_claims.where == {"risk_tier": "high"}
    assert policy.evaluator_failures is not None


def test_without_a_judge_every_judged_check_stays_open_and_none_is_passed_over(decided: GateOutcome) -> None:
    judged = {"faithfulness", "context_precision", "context_recall", "answer_relevancy"}
    states = {check.state for check in decided.decision.checks if check.metric in judged}
    assert states == {CheckState.NOT_EVALUATED}


def test_the_http_example_becomes_a_candidate_by_its_new_name(project_folder: Path) -> None:
    example = project_folder / "candidates" / "http-example.yaml.txt"
    renamed = example.rename(project_folder / "candidates" / "http.yaml")
    file = load_candidate_file(renamed)
    assert file.http is not None
    assert file.http.allowed_hosts == ("rag.example.org",)


def without_prose(value: Any) -> Any:
    if isinstance(value, dict):
        prose = ("description", "owner", "rationale", "manifest")
        return {name: without_prose(item) for name, item in value.items() if name not in prose}
    return [without_prose(item) for item in value] if isinstance(value, list) else value


def test_both_languages_set_the_same_values(tmp_path: Path) -> None:
    english, german = scaffold(tmp_path / "en"), scaffold(tmp_path / "de", language="de")
    assert [path.relative_to(tmp_path / "en") for path in english] == [
        path.relative_to(tmp_path / "de") for path in german
    ]
    for name in YAML_FILES:
        both = [parse_yaml((tmp_path / language / name).read_text(encoding="utf-8")).value for language in ("en", "de")]
        assert without_prose(both[0]) == without_prose(both[1]), name
        assert both[0].get("manifest", {}).keys() == both[1].get("manifest", {}).keys()


def test_the_gate_says_review_and_how_many_cases_are_needed(decided: GateOutcome) -> None:
    decision = decided.decision
    assert decision.verdict is Verdict.REVIEW
    open_checks = decision.by_state(CheckState.INCONCLUSIVE)
    needed = {check.check_id: check.needed for check in open_checks if check.needed is not None}
    assert {check.check_id for check in open_checks if check.kind is CheckKind.NO_REGRESSION} <= needed.keys()
    assert min(check.needed or 0 for check in open_checks if check.needed_unit == "cases") == 30
    states = {check.check_id: check.state for check in decision.checks}
    assert states["reproducibility"] is CheckState.PASS
    # None in twelve cases proves little.
    for name in ("entitlement_leak/zero_tolerance", "forbidden_passages/zero_tolerance"):
        assert (states[name], needed[name]) == (CheckState.INCONCLUSIVE, 30)


def test_without_a_loss_a_segment_needs_as_many_groups_as_the_exact_bound_of_its_heaviest(decided: GateOutcome) -> None:
    """Of alike groups it would be ln 0.05 / ln 0.95 = 58.4; one that holds more cases could lose more at once."""
    check = next(
        check for check in decided.decision.checks if check.check_id == "evidence_recall@5/no_regression/language=de"
    )
    evaluation = decided.candidate.evaluation
    due = [
        at
        for at, case in enumerate(evaluation.cases)
        if case.language == "de" and evaluation.scores["evidence_recall@5"].scored[at]
    ]
    sizes = list(Counter(evaluation.cluster_numbers[at] for at in due).values())
    heaviest = max(sizes) / (sum(sizes) / len(sizes))
    assert (check.needed, check.needed_unit) == (math.ceil(math.log(0.05) / math.log(1 - 0.05 / heaviest)), "groups")


def test_the_example_system_in_python_runs(project_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project_folder)
    # The module is imported by its name; another project's module of that name must not stand in for it.
    monkeypatch.delitem(sys.modules, "my_system", raising=False)
    monkeypatch.setattr(sys, "path", [*sys.path])
    folder = run(project_folder, "my_system")
    decision = gate_runs(folder, None, project_folder / "policy.yaml").decision
    states = {check.check_id: check.state for check in decision.checks}
    assert states["entitlement_leak/zero_tolerance"] is CheckState.INCONCLUSIVE
    assert states["reproducibility"] is CheckState.PASS


def workflow(project: Path) -> dict[str, Any]:
    text = (project / ".github" / "workflows" / "beleg.yml").read_text(encoding="utf-8")
    loaded: dict[str, Any] = yaml.safe_load(text)
    return loaded


def test_the_workflow_names_files_that_are_there(project_folder: Path) -> None:
    steps = workflow(project_folder)["jobs"]["gate"]["steps"]
    commands = " ".join(step.get("run", "") for step in steps)
    for name in re.findall(r"[\w-]+(?:/[\w-]+)*\.yaml", commands):
        assert (project_folder / name).is_file(), name
    assert [line.split()[:2] for line in re.findall(r"beleg (?:suite|run|gate) .*", commands)]


@pytest.mark.parametrize(
    ("event", "code", "expected"),
    [
        ("pull_request", 0, 0),
        ("pull_request", 10, 0),
        ("pull_request", 20, 20),
        ("pull_request", 30, 30),
        ("pull_request", 70, 70),
        ("push", 0, 0),
        ("push", 10, 10),
        ("push", 20, 20),
    ],
)
def test_the_workflow_fails_unless_the_gate_passes_or_asks_a_person_on_a_pull_request(
    tmp_path: Path, event: str, code: int, expected: int
) -> None:
    scaffold(tmp_path)
    decide = next(step for step in workflow(tmp_path)["jobs"]["gate"]["steps"] if step.get("name") == "Decide")["run"]
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "beleg").write_text(f'#!/bin/sh\necho "$@" > asked\nexit {code}\n', encoding="utf-8")
    (tools / "beleg").chmod(0o755)
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", decide],
        cwd=tmp_path,
        env={"PATH": f"{tools}:{os.environ['PATH']}", "GITHUB_EVENT_NAME": event},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == expected
    asked = (tmp_path / "asked").read_text(encoding="utf-8")
    # The command itself annotates and writes the summary; only where it cannot decide the step says so.
    assert "--ci github" in asked
    assert done.stdout.startswith("::error") == (code not in (0, 10, 20))


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_judge_file_of_a_new_project_is_one_that_is_understood(tmp_path: Path, language: str) -> None:
    scaffold(tmp_path / "p", language=language)
    settings = load_judge_file(tmp_path / "p" / "judge.yaml")
    assert (settings.api_key_env, settings.price, settings.mode) == (None, None, "probe")
