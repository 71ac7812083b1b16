"""The API tells what the pages tell, to whom may know it, and does what their forms do."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from beleg.app.workbench.addresses import as_segment
from beleg.app.workbench.case_list import Listing
from beleg.app.workbench.installation import Installation, TenantPlace
from beleg.app.workbench.run_page import run_page
from beleg.app.workbench.state_opening import open_state
from beleg.core.access import Role
from beleg.web.api.operations import API
from beleg.web.api.routers import document
from beleg.web.application import create_app
from beleg.web.bodies import MAX_BODY_BYTES
from beleg.web.settings import WebSettings
from cli.projects import beleg, write_cases, write_policy, write_recorded
from support.api_projects import ApiProject, api_project
from support.run_pages import ODD_ID, OLDER, QUOTE, RUN
from support.workbench import application, client, signed_in, with_token, workbench_of
from unit.report.test_sheet_html import PAYLOADS

PAYLOAD = "".join(PAYLOADS)
"""Every payload at once, which is still short enough for a name."""


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> ApiProject:
    return api_project(tmp_path_factory.mktemp("api"), PAYLOAD)


@pytest.fixture(scope="module")
def app(given: ApiProject) -> Iterator[FastAPI]:
    with application(given.folder) as made:
        yield made


@pytest.fixture
def asking(app: FastAPI) -> TestClient:
    return with_token(app)


def answer(asking: TestClient, path: str, **headers: str) -> Any:
    found = asking.get(f"{API}{path}", headers=headers)
    assert found.status_code == 200, found.text
    assert found.headers["content-type"] == "application/json"
    return found.json()


def reads(given: ApiProject) -> list[str]:
    """Every address that can be read, about things that are there; packs and sheets have tests of their own."""
    paths = []
    others = (f"{API}/overrides/{{key}}", f"{API}/releases/{{key}}/pack", f"{API}/runs/{{run}}/sheets/{{kind}}")
    for path, methods in document()["paths"].items():
        if "get" in methods and path not in others:
            is_suite, is_review = (path.startswith(f"{API}/{name}") for name in ("suites", "review"))
            for name, names in given.addresses.items():
                at = {"case": -1, "run": -1 if is_review else 0, "old": -1 if is_suite else 0}.get(name, 0)
                path = path.replace(f"{{{name}}}", names[at])
            paths.append(path)
    return paths


class TestTheSameAsThePages:
    """One number, one place."""

    def test_the_figures_of_a_run_are_those_of_its_page(self, app: FastAPI, asking: TestClient) -> None:
        view = run_page(workbench_of(app), RUN, Listing())
        told = answer(asking, f"/runs/{RUN}?lang=de")
        assert view.result is not None
        assert view.result.waterfall is not None
        assert [each["text"] for each in told["result"]["figures"]] == [each.text.de for each in view.result.figures]
        for each, figure in zip(told["result"]["figures"], view.result.summary.figures, strict=True):
            estimate = None if figure.bounds is None else figure.bounds.estimate
            assert (each["bounds"] and each["bounds"]["estimate"]) == estimate
            counts = each["counts"]
            assert counts["expected"] == counts["scored"] + sum(counts["reasons"].values())
        rows = [(each.stage, each.present, each.lost) for each in view.result.waterfall.rows]
        told_rows = told["result"]["waterfall"]["rows"]
        assert [(each["stage"], each["present"], each["lost"]) for each in told_rows] == rows

    @pytest.mark.parametrize(
        ("asked", "count"),
        [
            ("status=timeout", 6),
            ("segment=language%3Den", 30),
            ("reason=timeout&of=recall%405", 6),
            ("q=ITEM+1", 11),
            ("q=no+such+words", 0),
        ],
    )
    def test_a_filter_leaves_the_cases_that_it_leaves_on_the_page(
        self, asking: TestClient, asked: str, count: int
    ) -> None:
        assert answer(asking, f"/runs/{RUN}/cases?{asked}")["total"] == count

    def test_every_case_is_reached_by_the_next_links_once(self, asking: TestClient) -> None:
        path: str | None = f"/runs/{RUN}/cases?sort=latency_ms&order=down&limit=17&show=mrr&lang=de"
        found: list[str] = []
        while path is not None:
            page = answer(asking, path)
            assert page["metrics"] == ["mrr", "latency_ms"]
            found += [each["case_id"] for each in page["cases"]]
            path = page["next"] and page["next"].removeprefix(API)
        assert len(found) == len(set(found)) == 60

    def test_a_score_that_is_missing_is_a_reason(self, asking: TestClient) -> None:
        page = answer(asking, f"/runs/{RUN}/cases?status=timeout&show=recall%405")
        assert [each["scores"] for each in page["cases"]] == [
            [{"metric": "recall@5", "value": None, "reason": "timeout"}]
        ] * 6

    def test_a_case_tells_everything_that_was_recorded(self, asking: TestClient) -> None:
        told = answer(asking, f"/runs/{RUN}/cases/{as_segment(PAYLOAD)}")["result"]
        first, second = told["attempts"]
        assert (first["repeat"], second["repeat"]) == (0, 1)
        assert first["prompt"] == f"Use this: {QUOTE} {PAYLOAD}"
        assert first["answer"] == f"{QUOTE} [1] {PAYLOAD} [2]"
        assert [each["is_found"] for each in first["citations"]] == [True, False]
        assert [len(stage["rows"]) for stage in first["stages"]] == [5, 2]
        assert len(first["stages"][1]["dropped"]) == 3
        assert first["evidence"][0]["found"][0] == {"stage": "retrieved", "state": "rank", "rank": 2}
        assert first["usage"]["cost_usd"] == 0.0012
        (judged,) = first["judged"]
        assert (judged["measure"], judged["judge"]) == ("claim_support", "judge-model")
        assert judged["replies"][0]["attempt"]["reply"] == f'{{"raw": "{PAYLOAD}"}}'
        assert [each["run_id"] for each in told["history"]] == [RUN, OLDER]

    def test_any_name_is_one_segment(self, asking: TestClient) -> None:
        rows = answer(asking, f"/runs/{RUN}/cases?limit=2")["cases"]
        assert (rows[1]["case_id"], rows[1]["address"]) == (ODD_ID, as_segment(ODD_ID))
        assert answer(asking, f"/runs/{RUN}/cases/{rows[1]['address']}")["case_id"] == ODD_ID
        assert asking.get(f"{API}/runs/{RUN}/cases/~2e~2e").status_code == 404

    def test_a_decision_is_the_stored_one_with_what_its_page_adds(self, asking: TestClient, given: ApiProject) -> None:
        key = given.addresses["key"][0]
        stored = json.loads(asking.get(f"{API}/releases/{key}/files/decision.json").content)
        told = answer(asking, f"/releases/{key}")
        assert told["decision"]["verdict"] == stored["verdict"]
        assert [each["check_id"] for each in told["decision"]["checks"]] == [
            each["check_id"] for each in stored["checks"]
        ]
        assert told["release"]["key"] == key
        assert "decision.json" in told["files"]
        assert len(told["reading"]["first"]) == 3

    def test_sentences_are_in_the_language_that_is_asked_for(self, asking: TestClient) -> None:
        english, german = (answer(asking, "/releases", **{"accept-language": lang}) for lang in ("en", "de"))
        asked = answer(asking, "/releases?lang=de", **{"accept-language": "en"})
        headlines = [each["environments"][0]["releases"][0]["headline"] for each in (english, german, asked)]
        assert headlines[0].startswith("All")
        assert headlines[1] == headlines[2] != headlines[0]

    def test_suites_are_told_with_what_is_due_and_wrong(self, asking: TestClient) -> None:
        (suite,) = answer(asking, "/suites")["suites"]
        told = answer(asking, f"/suites/{suite['address']}?by=language&minimum=5")
        assert told["coverage"]["needed_for_minimum"] == {"language=de": 4}
        assert [each["case_id"] for each in told["due"]] == ["one"]
        changes = answer(asking, f"/suites/{suite['address']}/changes/{suite['address']}")
        assert (changes["unchanged"], changes["changed"]) == (1, [])

    def test_two_runs_are_compared(self, asking: TestClient) -> None:
        told = answer(asking, f"/runs/{RUN}/compared/{OLDER}")
        assert {each["case_id"] for each in told["comparison"]["cases"]} >= {PAYLOAD, ODD_ID}
        assert asking.get(f"{API}/runs/{RUN}/compared/{RUN}").status_code == 404


def test_segments_and_changed_cases_come_once_they_are_measured(tmp_path: Path) -> None:
    write_cases(tmp_path / "cases.jsonl", 40, lambda number: {"language": "de" if number % 2 else "en"})
    for name, documents in (("old", ["d1"] * 40), ("new", ["d1", "d2"] * 20)):
        write_recorded(tmp_path, name, documents)
        beleg("run", f"{name}.yaml", "--suite", "cases.jsonl", "--out", f"runs/{name}", cwd=tmp_path)
    write_policy(tmp_path / "policy.yaml", checks=[{"metric": "hit@5", "pass_at": 0.85, "block_at": 0.8}])
    assert beleg("gate", "runs/new", "--baseline", "runs/old", "--policy", "policy.yaml", cwd=tmp_path).code == 20
    with application(tmp_path) as app:
        asking = with_token(app)
        key = answer(asking, "/releases")["environments"][0]["releases"][0]["key"]
        assert answer(asking, f"/releases/{key}")["is_measuring"] is True
        while workbench_of(app).decisions.facts(key).measured is None:
            time.sleep(0.05)
        found = answer(asking, f"/releases/{key}")
    assert (found["is_measuring"], found["missing"]) == (False, None)
    # Every second case lost its document, and no other changed.
    assert [round(difference, 9) for difference in found["changes"]["differences"]] == [-1.0] * 20 + [0.0] * 20
    by_segment = {row["segment"]: row for row in found["segments"] if row["metric"] == "hit@5"}
    assert {name: (row["figure"]["estimate"], row["baseline"], row["n"]) for name, row in by_segment.items()} == {
        "language=de": (0.0, 1.0, 20),
        "language=en": (1.0, 1.0, 20),
    }
    assert found["reading"]["segments"]
    assert found["reading"]["urgent"]


class TestRefusals:
    """What is wrong is told as a problem with what to do, and nothing else is told."""

    def test_without_a_token_nothing_is_told(self, app: FastAPI, given: ApiProject) -> None:
        for path in reads(given):
            refused = client(app).get(path)
            assert refused.status_code == 401, path
            assert refused.headers["www-authenticate"] == "Bearer"
            assert refused.json()["hint"].startswith("Send: Authorization: Bearer")

    @pytest.mark.parametrize("sent", ["Bearer", "Bearer x", "Basic YTpi", "bearer beleg_local_" + "A" * 43, "é"])
    def test_a_made_up_token_opens_nothing(self, app: FastAPI, sent: str) -> None:
        assert client(app).get(f"{API}/whoami", headers={"authorization": sent.encode()}).status_code == 401

    @pytest.mark.parametrize(
        ("content", "kind", "status"),
        [
            (b"{", "application/json", 400),
            (b'{"claims": ["a"], "claims": ["b"]}', "application/json", 400),
            (b'{"claims": NaN}', "application/json", 400),
            (b"[" * 10_000, "application/json", 400),
            (b"\xff", "application/json", 400),
            (b'"\\ud800"', "application/json", 400),
            (b"[]", "application/json", 422),
            (b"{}", "application/json", 422),
            (b'{"assignee": 3, "claims": ["a"]}', "application/json; charset=utf-8", 422),
            (b'{"assignee": "a", "claims": ["a"], "more": 1}', "application/json", 422),
            (b"assignee=a", "application/x-www-form-urlencoded", 415),
            (b"{}", "text/plain", 415),
            (b"x" * (MAX_BODY_BYTES + 1), "application/json", 413),
        ],
    )
    def test_a_body_that_cannot_be_used_is_a_problem(
        self, asking: TestClient, content: bytes, kind: str, status: int
    ) -> None:
        refused = asking.post(f"{API}/review/run-17/assignments", content=content, headers={"content-type": kind})
        assert refused.status_code == status, refused.text
        assert refused.headers["content-type"] == "application/problem+json"
        assert refused.json()["status"] == status

    def test_a_body_is_not_read_before_the_token(self, app: FastAPI) -> None:
        refused = client(app).post(
            f"{API}/review/run-17/assignments", content=b"{", headers={"content-type": "application/json"}
        )
        assert refused.status_code == 401

    @pytest.mark.parametrize("asked", ["page=0", "limit=501", "reason=no", "q=" + "x" * 201, "lang=fr", "made=up"])
    def test_a_query_that_means_nothing_is_refused(self, asking: TestClient, asked: str) -> None:
        refused = asking.get(f"{API}/runs/{RUN}/cases?{asked}")
        assert refused.status_code == 422
        assert refused.json()["fields"][0]["field"] == f"query.{asked.partition('=')[0]}"

    def test_a_metric_that_the_run_does_not_have_is_named(self, asking: TestClient) -> None:
        refused = asking.get(f"{API}/runs/{RUN}/cases?sort=made_up")
        assert (refused.status_code, refused.json()["fields"][0]["field"]) == (404, "query.sort")

    @pytest.mark.parametrize("name", ["policy.json", "..%2f..%2frun.json", "nothing"])
    def test_no_other_file_of_a_decision_is_handed_out(self, asking: TestClient, given: ApiProject, name: str) -> None:
        assert asking.get(f"{API}/releases/{given.addresses['key'][0]}/files/{name}").status_code == 404

    @pytest.mark.parametrize("path", ["/api/v1/nothing", "/api/v2/runs", "/api/", f"{API}/runs/~zz", f"{API}/runs/%00"])
    def test_an_address_that_names_nothing_is_a_problem(self, asking: TestClient, path: str) -> None:
        refused = asking.get(path)
        assert (refused.status_code, refused.headers["content-type"]) == (404, "application/problem+json")

    def test_another_method_is_told_which_there_are(self, asking: TestClient, given: ApiProject) -> None:
        refused = asking.delete(f"{API}/overrides/{given.addresses['key'][0]}")
        assert (refused.status_code, refused.headers["allow"]) == (405, "GET, POST")


class TestStrangers:
    """Texts of strangers are text, and are nothing else to anybody."""

    def test_no_answer_is_anything_but_json_and_every_text_comes_back_as_it_was(
        self, asking: TestClient, given: ApiProject
    ) -> None:
        held = 0
        for path in reads(given):
            found = asking.get(path)
            assert found.status_code == 200, (path, found.text)
            assert found.headers["content-type"].partition(";")[0] in ("application/json", "text/markdown"), path
            assert found.headers["x-content-type-options"] == "nosniff"
            assert "default-src 'none'" in found.headers["content-security-policy"]
            assert "set-cookie" not in found.headers
            if found.headers["content-type"] == "application/json":
                held += PAYLOAD in list(texts(found.json()))
        assert held >= 2

    def test_a_payload_in_the_address_comes_back_as_a_problem(self, asking: TestClient) -> None:
        for payload in PAYLOADS:
            refused = asking.get(f"{API}/runs/{as_segment(payload)}")
            assert refused.status_code == 404
            assert refused.headers["content-type"] == "application/problem+json"

    def test_where_the_project_lies_is_nobodys_business(self, tmp_path: Path) -> None:
        project = api_project(tmp_path)
        (project.folder / "pages" / "run" / "run.json").write_text("{", encoding="utf-8")
        with application(project.folder) as app:
            told = with_token(app).get(f"{API}/runs")
            refused = with_token(app).get(f"{API}/review/{OLDER}/claims")
        assert told.json()["unreadable"][0]["file"] == "pages/run/run.json"
        assert str(tmp_path) not in told.text
        assert refused.json()["detail"] == "pages/older holds no evidence sheet"


def texts(value: Any) -> Iterator[str]:
    """Every text in some JSON; a number that is none fails."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield name
            yield from texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)
    elif isinstance(value, str):
        yield value
    elif isinstance(value, float):
        assert math.isfinite(value)


def test_a_program_sees_the_project_of_its_tenant_and_no_other(tmp_path: Path) -> None:
    ours, theirs = (api_project(tmp_path / name) for name in ("ours", "theirs"))
    (theirs.folder / "pages" / "run").rename(theirs.folder / "gone")
    places = {name: TenantPlace(project=each.folder) for name, each in (("ours", ours), ("theirs", theirs))}
    installation = Installation(open_state(str(tmp_path / "state.db")), places)
    app = create_app(installation, WebSettings())
    try:
        one, other = (with_token(app, tenant=name) for name in places)
        assert one.get(f"{API}/whoami").json()["tenant"] == "ours"
        (ours.folder / "mine").mkdir()
        (ours.folder / "suite").rename(ours.folder / "mine" / "suite")
        assert [each["place"] for each in one.get(f"{API}/suites").json()["suites"]] == ["mine/suite/suite.yaml"]
        assert [each["place"] for each in other.get(f"{API}/suites").json()["suites"]] == ["suite/suite.yaml"]
        assert other.get(f"{API}/suites/mine~2Fsuite~2Fsuite.yaml").status_code == 404
    finally:
        installation.close()


def test_a_file_that_is_read_is_noted_with_the_token(app: FastAPI, given: ApiProject) -> None:
    with_token(app, Role.OWNER, label="pipeline").get(f"{API}/releases/{given.addresses['key'][0]}/files/decision.json")
    newest = answer(with_token(app, Role.AUDITOR, label="auditor"), "/audit?limit=1")["lines"][0]["event"]
    assert (newest["action"], newest["actor"]) == ("decision_file_read", "pipeline")
    assert newest["token_id"]
    auditor = with_token(app, Role.AUDITOR, label="auditor")
    (found,) = answer(auditor, "/audit?actor=pipeline&action=decision_file_read")["lines"]
    assert found["event"] == newest
    assert answer(auditor, "/audit?actor=pipeline&action=signed_in") == {"lines": [], "before": None}
    assert auditor.get(f"{API}/audit?action=made-up").status_code == 422
    assert with_token(app, Role.REVIEWER).get(f"{API}/audit").status_code == 403


def test_who_asks_is_told_what_their_token_opens(app: FastAPI) -> None:
    told = answer(with_token(app, Role.REVIEWER, label="ci"), "/whoami")
    assert (told["name"], told["roles"], told["grants"]) == ("ci", ["reviewer"], ["read", "review"])
    assert signed_in(app).get(f"{API}/whoami").status_code == 401
