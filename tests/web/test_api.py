"""The JSON API says what the pages show: the same figures, the same blindness, the same refusals."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from beleg.app.workbench.addresses import as_segment, case_path
from beleg.app.workbench.workspace import Workspace
from beleg.core.access import Role
from beleg.web.access import API_PREFIX, served_routes
from beleg.web.api.describing import described
from beleg.web.application import ROUTERS
from cli.projects import beleg, write_cases, write_policy, write_recorded
from support import run_pages
from support.review_projects import LOW, RUN_ID, events_of, review_project
from support.workbench import application, form_token, signed_in, with_token, workbench_of

COUNTERPARTS = {
    "/": {"list_releases"},
    "/releases/{key}": {"get_decision"},
    "/releases/{key}/files/{name}": {"get_decision_file"},
    "/releases/{key}/pack": {"make_pack", "get_pack"},
    "/runs": {"list_runs"},
    "/runs/{run}": {"get_run", "list_cases"},
    "/runs/{run}/cases/{case}": {"get_case"},
    "/runs/{run}/sheet.{kind}": {"get_sheet"},
    "/suites": {"list_suites"},
    "/suites/one": {"get_suite"},
    "/suites/changes": {"compare_suites"},
    "/compare": {"compare_runs"},
    "/judges": {"list_judges"},
    "/overrides": {"list_overrides"},
    "/overrides/{key}": {"ask_override", "list_overrides"},
    "/review": {"list_reviews"},
    "/review/{run_id}": {"list_claims", "assign_claims"},
    "/review/{run_id}/agreement": {"get_agreement"},
    "/review/{run_id}/adjudicate": {"list_claims", "get_claim"},
    "/review/{run_id}/claims/{claim_id:path}": {"get_claim", "act_on_claim"},
    "/audit": {"list_audit_log"},
}
"""Which operations give what a page shows. People, passwords, tokens and signatures are for people alone."""
FOR_PEOPLE = ("/sign-", "/static/", "/people", "/password", "/overrides/{key}/sign")


def test_every_page_has_its_counterpart() -> None:
    known = {operation["operationId"] for path in described()["paths"].values() for operation in path.values()}
    pages = {route.path for route in served_routes(ROUTERS) if not route.path.startswith((API_PREFIX, *FOR_PEOPLE))}
    assert pages == COUNTERPARTS.keys()
    assert set().union(*COUNTERPARTS.values()) <= known


def test_the_description_names_access_refusals_and_the_token() -> None:
    made = described()
    assert made["openapi"].startswith("3.1")
    assert made["components"]["securitySchemes"]["token"] == {"type": "http", "scheme": "bearer"}
    for path, operations in made["paths"].items():
        for operation in operations.values():
            assert operation["x-access"] in {"read", "review", "own", "audit"}, path
            assert {"401", "403", "404", "422"} <= operation["responses"].keys(), path
            assert operation["description"] or operation["summary"]


def test_the_description_is_served_to_everybody_and_tells_nothing_of_what_is_served(app: FastAPI) -> None:
    answer = TestClient(app, base_url="http://127.0.0.1").get("/api/v1/openapi.json")
    assert answer.json() == json.loads(json.dumps(described()))


class TestDecisions:
    """Decisions as they are stored."""

    def test_a_decision_is_the_stored_one_with_its_files(self, app: FastAPI, project: Path) -> None:
        program = with_token(app)
        environments = program.get("/api/v1/releases").json()["environments"]
        key = environments[0]["releases"][0]["key"]
        found = program.get(f"/api/v1/releases/{key}").json()
        stored = Workspace(project).decision(key)
        assert found["decision"] == json.loads(stored.decision.model_dump_json())
        assert found["release"]["verdict"] == stored.decision.verdict.value
        assert "decision.json" in found["files"]
        data = program.get(f"/api/v1/releases/{key}/files/decision.json")
        assert data.content == (stored.folder / "decision.json").read_bytes()
        assert data.headers["content-disposition"] == 'attachment; filename="decision.json"'

    def test_segments_and_changed_cases_come_once_they_are_measured(self, tmp_path: Path) -> None:
        write_cases(tmp_path / "cases.jsonl", 40, lambda number: {"language": "de" if number % 2 else "en"})
        for name, documents in (("old", ["d1"] * 40), ("new", ["d1", "d2"] * 20)):
            write_recorded(tmp_path, name, documents)
            beleg("run", f"{name}.yaml", "--suite", "cases.jsonl", "--out", f"runs/{name}", cwd=tmp_path)
        checks = [{"metric": "hit@5", "pass_at": 0.85, "block_at": 0.8}]
        write_policy(tmp_path / "policy.yaml", checks=checks)
        assert beleg("gate", "runs/new", "--baseline", "runs/old", "--policy", "policy.yaml", cwd=tmp_path).code == 20
        with application(tmp_path) as app:
            program = with_token(app)
            key = program.get("/api/v1/releases").json()["environments"][0]["releases"][0]["key"]
            assert program.get(f"/api/v1/releases/{key}").json()["is_measuring"] is True
            while workbench_of(app).decisions.facts(key).measured is None:
                time.sleep(0.05)
            found = program.get(f"/api/v1/releases/{key}").json()
        assert (found["is_measuring"], found["missing"]) == (False, None)
        # Every second case lost its document, and no other changed.
        assert [round(difference, 9) for _, difference in found["changed"]] == [-1.0] * 20 + [0.0] * 20
        by_segment = {row["segment"]: row for row in found["segments"] if row["metric"] == "hit@5"}
        assert {name: (row["value"], row["baseline"], row["n"]) for name, row in by_segment.items()} == {
            "language=de": (0.0, 1.0, 20),
            "language=en": (1.0, 1.0, 20),
        }

    @pytest.mark.parametrize("name", ["policy.json", "..%2f..%2frun.json", "nothing"])
    def test_no_other_file_is_handed_out(self, app: FastAPI, name: str) -> None:
        program = with_token(app)
        key = program.get("/api/v1/releases").json()["environments"][0]["releases"][0]["key"]
        assert program.get(f"/api/v1/releases/{key}/files/{name}").status_code == 404


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FastAPI]:
    """A project with indexed runs."""
    folder = run_pages.project(tmp_path_factory.mktemp("runs"), "<b>bold</b>")
    run_pages.indexed(folder)
    with application(folder) as app:
        yield app


class TestRuns:
    """Runs and cases out of the same index as the pages."""

    def run_id(self, program: TestClient) -> str:
        runs = program.get("/api/v1/runs").json()["runs"]
        return str(max(runs, key=lambda run: run["repeats"] * 1_000 + run["cases"])["run_id"])

    def test_a_run_has_the_summary_of_the_index(self, served: FastAPI) -> None:
        program = with_token(served)
        run_id = self.run_id(program)
        found = program.get(f"/api/v1/runs/{as_segment(run_id)}").json()
        assert found["summary"] == json.loads(workbench_of(served).index.summary(run_id).model_dump_json())
        assert found["facets"]["cases"] == found["cases"]

    def test_parts_of_the_list_are_all_of_it_and_missing_scores_have_a_reason(self, served: FastAPI) -> None:
        program = with_token(served)
        path = f"/api/v1/runs/{as_segment(self.run_id(program))}/cases"
        metric = program.get(path.removesuffix("/cases")).json()["facets"]["metrics"][0]
        offset: int | None = 0
        seen: list[str] = []
        while offset is not None:
            part = program.get(path, params={"offset": offset, "limit": 7, "metric": metric}).json()
            seen += [case["case_id"] for case in part["cases"]]
            for case in part["cases"]:
                for score in case["scores"]:
                    assert (score["value"] is None) is (score["reason"] is not None)
            offset = part["next_offset"]
        assert len(seen) == len(set(seen)) == part["total"]

    def test_a_case_is_what_its_page_shows(self, served: FastAPI) -> None:
        program, browser = with_token(served), signed_in(served)
        run_id = self.run_id(program)
        first = program.get(f"/api/v1/runs/{as_segment(run_id)}/cases", params={"limit": 1}).json()["cases"][0]
        found = program.get(f"/api/v1{case_path(run_id, first['case_id'])}")
        assert found.headers["content-type"] == "application/json"
        case = found.json()
        page = browser.get(case_path(run_id, first["case_id"])).text
        assert case["case"]["case_id"] == first["case_id"]
        assert case["traces"]
        for trace in case["traces"]:
            for passages in (trace.get("output") or {}).get("stages", {}).values():
                for passage in passages or []:
                    assert passage["passage_id"] in page

    @pytest.mark.parametrize(
        ("query", "status"),
        [
            ("limit=0", 422),
            ("limit=501", 422),
            ("offset=-1", 422),
            ("reason=nothing", 422),
            ("unknown=1", 422),
            ("sort=nothing", 404),
            ("metric=nothing", 404),
        ],
    )
    def test_a_question_that_cannot_be_asked_is_refused(self, served: FastAPI, query: str, status: int) -> None:
        program = with_token(served)
        answer = program.get(f"/api/v1/runs/{as_segment(self.run_id(program))}/cases?{query}")
        assert answer.status_code == status
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["status"] == status


class TestReview:
    """Verdicts by programs, under the same rules as by people."""

    @pytest.fixture
    def reviewed(self, tmp_path: Path) -> Iterator[tuple[FastAPI, Path]]:
        project = review_project(tmp_path)
        with application(project) as app:
            yield app, project

    def path(self, claim: str = LOW) -> str:
        return f"/api/v1/review/{as_segment(RUN_ID)}/claims/{as_segment(claim)}"

    def deed(self, claim: dict[str, object], do: str = "verdict", **fields: object) -> dict[str, object]:
        given = {
            "do": do,
            "version": claim["version"],
            "evidence_digest": claim["evidence_digest"],
            "idempotency_key": f"key-{do}-{claim['version']}",
        }
        if do == "verdict":
            given |= {"support": "supported", "support_rationale": "It stands there."}
        return given | fields

    def test_a_reviewer_is_blind_until_they_decided(self, reviewed: tuple[FastAPI, Path]) -> None:
        app, _ = reviewed
        program = with_token(app, Role.REVIEWER)
        claim = program.get(self.path()).json()["claim"]
        assert (claim["machine"], claim["others"], claim["shows_machine"]) == (None, [], False)
        assert all(not quotes for quotes in claim["quotes"].values())
        done = program.post(self.path(), json=self.deed(claim)).json()
        assert (done["outcome"], done["recorded"]) == ("done", 1)
        assert done["claim"]["machine"]["verdict"] == "partially_supported"
        assert done["claim"]["own"]["support"]["condition"] == "blind"

    def test_whoever_asks_to_see_the_machine_is_recorded(self, reviewed: tuple[FastAPI, Path]) -> None:
        app, project = reviewed
        program = with_token(app, Role.REVIEWER)
        claim = program.get(self.path()).json()["claim"]
        shown = program.post(self.path(), json=self.deed(claim, "show_machine")).json()["claim"]
        assert shown["machine"] is not None
        done = program.post(self.path(), json=self.deed(shown)).json()
        assert done["claim"]["own"]["support"]["condition"] == "saw_machine"
        assert [event.action.kind.value for event in events_of(project)] == ["shown", "verdict_recorded"]

    def test_a_deed_that_is_sent_again_is_recorded_once(self, reviewed: tuple[FastAPI, Path]) -> None:
        app, project = reviewed
        program = with_token(app, Role.REVIEWER)
        deed = self.deed(program.get(self.path()).json()["claim"])
        answers = [program.post(self.path(), json=deed) for _ in range(3)]
        assert [answer.json()["recorded"] for answer in answers] == [1, 0, 0]
        assert len(events_of(project)) == 1

    def test_somebody_who_was_faster_is_a_conflict(self, reviewed: tuple[FastAPI, Path]) -> None:
        app, project = reviewed
        one, other = (with_token(app, Role.REVIEWER, label=name) for name in ("one", "other"))
        claim = one.get(self.path()).json()["claim"]
        one.post(self.path(), json=self.deed(claim))
        answer = other.post(self.path(), json=self.deed(claim, idempotency_key="other"))
        assert answer.status_code == 409
        assert answer.json()["detail"] == "somebody acted on the claim in between"
        assert len(events_of(project)) == 1

    def test_what_a_field_lacks_is_named(self, reviewed: tuple[FastAPI, Path]) -> None:
        app, project = reviewed
        program = with_token(app, Role.REVIEWER)
        claim = program.get(self.path()).json()["claim"]
        answer = program.post(self.path(), json=self.deed(claim, support="not_assessable", support_rationale=""))
        assert answer.status_code == 422
        assert answer.json()["fields"] == {"support_rationale": "needs rationale", "missing": "needs missing"}
        assert events_of(project) == ()

    def test_queues_assignments_and_agreement(self, reviewed: tuple[FastAPI, Path]) -> None:
        app, _ = reviewed
        program = with_token(app, Role.REVIEWER)
        run = f"/api/v1/review/{as_segment(RUN_ID)}"
        listed = program.get(run).json()
        assert listed["total"] == len(listed["claims"]) == 4
        asked = {"assignee": "bob", "claims": [LOW]}
        assert program.post(f"{run}/assignments", json=asked).json() == {"recorded": 1}
        assert program.post(f"{run}/assignments", json=asked).json() == {"recorded": 0}
        assert program.post(f"{run}/assignments", json={"assignee": "bob", "claims": []}).status_code == 422
        questions = program.get(f"{run}/agreement").json()["questions"]
        assert [question["units"] for question in questions] == [0, 0]
        assert program.get("/api/v1/review").json()["runs"][0]["claims"] == 4

    def test_whoever_may_not_review_reads_and_decides_nothing(self, reviewed: tuple[FastAPI, Path]) -> None:
        app, project = reviewed
        program = with_token(app, Role.AUDITOR)
        claim = program.get(self.path()).json()["claim"]
        assert claim["shows_machine"] is True
        assert program.post(self.path(), json=self.deed(claim)).status_code == 403
        assert events_of(project) == ()


class TestRefusals:
    """Bodies and addresses that cannot be used."""

    @pytest.mark.parametrize(
        ("content", "kind", "status"),
        [
            (b"{", "application/json", 422),
            (b"[]", "application/json", 422),
            (b"null", "application/json", 422),
            (b"do=verdict", "application/x-www-form-urlencoded", 422),
            (b'{"do": "verdict"}', "text/plain", 422),
            (b"\xff\xfe", "application/json", 422),
            (b"[" * 100_000, "application/json", 400),
            (b"x" * 2_000_001, "application/json", 413),
        ],
    )
    def test_a_body_that_is_none_is_refused(self, app: FastAPI, content: bytes, kind: str, status: int) -> None:
        answer = with_token(app).post("/api/v1/review/x/claims/y", content=content, headers={"content-type": kind})
        assert answer.status_code == status

    @pytest.mark.parametrize(
        "path", ["/api/v1/nothing", "/api/v2/runs", "/api/", "/api/v1/runs/~zz", "/api/v1/runs/%00"]
    )
    def test_an_address_that_names_nothing_is_told_as_a_problem(self, app: FastAPI, path: str) -> None:
        answer = with_token(app).get(path)
        assert answer.status_code == 404
        assert answer.headers["content-type"] == "application/problem+json"

    def test_a_method_that_is_none_names_those_that_are(self, app: FastAPI) -> None:
        answer = with_token(app).delete("/api/v1/runs")
        assert answer.status_code == 405
        assert answer.headers["allow"] == "GET"

    def test_a_form_of_a_browser_reaches_no_route_for_programs(self, app: FastAPI) -> None:
        browser = signed_in(app)
        token = form_token(browser.get("/").text)
        answer = browser.post("/api/v1/overrides/x", data={"form_token": token})
        assert answer.status_code == 401
