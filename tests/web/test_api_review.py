"""Review by programs: one event a request, the first answer for a retry, and nobody unblinded by accident."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from beleg.core.access import Role
from beleg.core.evidence import Condition
from beleg.web.api.operations import API
from support.review_projects import LOW, RUN_ID, events_of, rebuild, review_project
from support.review_runs import changed, q017_case
from support.workbench import application, signed_in, with_token

REVIEW = f"{API}/review/{RUN_ID}"
CLAIM = f"{REVIEW}/claims/C-017-1"
JUDGED = {"support": "not_supported", "support_rationale": "It excludes final sales."}
KEYS = count()
PROPOSED = "Final-Sale-Artikel ausdrücklich aus"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return review_project(tmp_path)


@pytest.fixture
def app(place: Path) -> Iterator[FastAPI]:
    with application(place) as made:
        yield made


@pytest.fixture
def ada(app: FastAPI) -> TestClient:
    return with_token(app, Role.REVIEWER, label="ada")


@pytest.fixture
def bob(app: FastAPI) -> TestClient:
    return with_token(app, Role.REVIEWER, label="bob")


def seen(asking: TestClient) -> dict[str, Any]:
    """What whoever acts on the claim sends along, under a key of its own."""
    told = asking.get(CLAIM).json()
    return {"version": told["version"], "evidence_digest": told["digest"], "idempotency_key": f"key-{next(KEYS)}"}


def act(asking: TestClient, what: str, **more: Any) -> Any:
    return asking.post(f"{CLAIM}/{what}", json=seen(asking) | more)


def test_a_verdict_is_one_event_and_a_retry_gets_the_first_answer(ada: TestClient, place: Path) -> None:
    sent = seen(ada) | JUDGED | {"spent_ms": 1500}
    first, again = (ada.post(f"{CLAIM}/verdicts", json=sent) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.content == again.content
    (event,) = events_of(place)
    assert first.json()["event"]["hash"] == event.hash
    assert event.action.support is not None
    assert (event.action.actor, event.action.support.condition) == ("ada", Condition.BLIND)


def test_a_retry_at_the_same_moment_is_recorded_once(app: FastAPI, place: Path) -> None:
    asking = [with_token(app, Role.REVIEWER, label="ada") for _ in range(6)]
    sent, answers, ready = seen(asking[0]) | JUDGED, [], threading.Barrier(6)

    def press(one: TestClient) -> None:
        ready.wait()
        answers.append(one.post(f"{CLAIM}/verdicts", json=sent))

    threads = [threading.Thread(target=press, args=(one,)) for one in asking]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {each.status_code for each in answers} == {201}
    assert len({each.content for each in answers}) == 1
    assert len(events_of(place)) == 1


def test_a_retry_after_the_sheet_was_built_again_gets_the_verdict_and_not_the_change(
    ada: TestClient, bob: TestClient, place: Path
) -> None:
    act(bob, "verdicts", **JUDGED)
    rebuild(place, changed(q017_case(), "C-017-1", citations=()))
    sent = seen(ada) | JUDGED
    first, again = (ada.post(f"{CLAIM}/verdicts", json=sent) for _ in range(2))
    assert first.json()["event"]["action"]["kind"] == "verdict_recorded"
    assert first.content == again.content


def test_a_key_that_was_used_for_something_else_is_refused(ada: TestClient, place: Path) -> None:
    sent = seen(ada) | JUDGED
    ada.post(f"{CLAIM}/verdicts", json=sent)
    refused = ada.post(f"{CLAIM}/verdicts", json=sent | {"support": "supported"})
    assert refused.status_code == 409
    assert len(events_of(place)) == 1


def test_who_comes_second_is_told_so_and_nothing_is_recorded(ada: TestClient, bob: TestClient, place: Path) -> None:
    late = seen(bob) | JUDGED
    act(ada, "verdicts", **JUDGED)
    refused = bob.post(f"{CLAIM}/verdicts", json=late, headers={"accept-language": "de"})
    assert refused.status_code == 409
    assert refused.headers["content-type"] == "application/problem+json"
    assert "Jemand war inzwischen an dieser Aussage" in refused.json()["detail"]
    assert "excludes final sales" not in refused.text
    assert len(events_of(place)) == 1


def test_a_claim_that_became_another_row_is_refused(ada: TestClient, place: Path) -> None:
    sent = seen(ada) | JUDGED
    rebuild(place, changed(q017_case(), "C-017-1", citations=()))
    refused = ada.post(f"{CLAIM}/verdicts", json=sent)
    assert refused.status_code == 409
    assert "another row" in refused.json()["detail"]
    assert events_of(place) == ()


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"support": "supported"}, "body.support_rationale"),
        ({"support_rationale": "Without a verdict"}, "body.support"),
        ({}, "body.support"),
        ({"support": "not_assessable", "support_rationale": "Who knows"}, "body.missing"),
        ({"support": "supported", "support_rationale": "Yes", "missing": ["The annex"]}, "body.missing"),
        ({"support": "no such verdict", "support_rationale": "Yes"}, "body.support"),
        ({"support": "supported", "support_rationale": "x" * 20_001}, "body.support_rationale"),
        ({"support": "supported", "support_rationale": " \n"}, "body.support_rationale"),
        ({"verdict": "supported"}, "body.verdict"),
    ],
)
def test_what_a_verdict_lacks_is_told_at_its_field(
    ada: TestClient, place: Path, sent: dict[str, Any], field: str
) -> None:
    refused = act(ada, "verdicts", **sent)
    assert refused.status_code == 422
    assert field in [each["field"] for each in refused.json()["fields"]]
    assert events_of(place) == ()


def test_what_is_missing_is_kept_part_by_part(ada: TestClient, place: Path) -> None:
    missing = ["The annex,\nin full", "The table"]
    act(ada, "verdicts", support="not_assessable", support_rationale="Cut.", missing=missing)
    (event,) = events_of(place)
    assert event.action.support is not None
    assert event.action.support.missing == ("The annex, in full", "The table")


class TestBlindness:
    """A reviewer sees no more than on the page, wherever they ask."""

    @staticmethod
    def everything(asking: TestClient) -> str:
        paths = (REVIEW, f"{REVIEW}/claims?queue=all", CLAIM, f"{REVIEW}/disagreements", f"{REVIEW}/agreement")
        answers = [asking.get(path) for path in paths]
        assert {each.status_code for each in answers} == {200}
        return "".join(each.text for each in answers)

    def test_machine_and_others_are_hidden_until_decided(self, ada: TestClient, bob: TestClient) -> None:
        act(bob, "verdicts", **JUDGED)
        act(bob, "notes", note="Bob noted something")
        before = self.everything(ada)
        for hidden in (PROPOSED, "excludes final sales", "Bob noted something", '"not_supported"', 'restated":"'):
            assert hidden not in before, hidden
        told = ada.get(CLAIM).json()
        assert (told["shows_machine"], told["machine"], told["standing"]) == (False, None, [])
        assert [(each["code"], each["is_hidden"]) for each in told["history"]] == [
            ("verdict_recorded", True),
            ("note_added", True),
        ]
        act(ada, "verdicts", support="supported", support_rationale="It says so.")
        after = self.everything(ada)
        for shown in (PROPOSED, "excludes final sales", "Bob noted something"):
            assert shown in after, shown

    def test_nothing_is_quoted_in_a_passage_before(self, ada: TestClient) -> None:
        told = ada.get(CLAIM).json()
        assert not any(part["is_quoted"] for each in told["passages"] for part in each["parts"])

    def test_the_queue_leaves_a_reviewer_blind(self, ada: TestClient, bob: TestClient) -> None:
        act(bob, "verdicts", **JUDGED)
        (row, *_) = ada.get(f"{REVIEW}/claims?queue=all").json()["claims"]
        assert row["verdicts"] == 1
        assert set(row) == {
            "claim_id", "address", "case_id", "text", "state", "word", "assignees", "verdicts", "is_open",
            "is_outdated",
        }  # fmt: skip

    @pytest.mark.parametrize(
        ("what", "condition"), [("machine", Condition.SAW_MACHINE), ("people", Condition.SAW_HUMAN)]
    )
    def test_asking_for_more_is_recorded_once_and_marks_the_verdict(
        self, ada: TestClient, place: Path, what: str, condition: Condition
    ) -> None:
        for _ in range(2):
            told = ada.post(f"{CLAIM}/disclosures", json={"what": what})
            assert told.status_code == 200
        assert told.json()["given_under"] == condition.value
        assert (PROPOSED in told.text) is (what == "machine")
        assert [event.action.shown for event in events_of(place)] == [condition]
        act(ada, "verdicts", **JUDGED)
        support = events_of(place)[-1].action.support
        assert support is not None
        assert support.condition is condition

    def test_reading_records_nothing(self, ada: TestClient, place: Path) -> None:
        self.everything(ada)
        assert events_of(place) == ()

    def test_a_person_and_their_program_are_the_same_reviewer(self, app: FastAPI, ada: TestClient) -> None:
        act(ada, "verdicts", **JUDGED)
        page = signed_in(app, Role.REVIEWER, name="ada").get(f"/review/{RUN_ID}/claims/C-017-1?lang=en").text
        assert "It excludes final sales." in page

    def test_who_may_not_review_has_no_blindness_to_lose_and_may_not_act(self, app: FastAPI) -> None:
        owner = with_token(app, Role.OWNER, label="olga")
        assert owner.get(CLAIM).json()["machine"] is not None
        for what in ("verdicts", "notes", "disputes", "withdrawals", "adjudications", "replacements", "disclosures"):
            refused = owner.post(f"{CLAIM}/{what}", json={})
            assert (refused.status_code, refused.json()["detail"]) == (403, "The token does not grant: review")


def test_a_verdict_is_replaced_disputed_withdrawn_and_settled(
    app: FastAPI, ada: TestClient, bob: TestClient, place: Path
) -> None:
    carl = with_token(app, Role.REVIEWER, label="carl")
    act(ada, "verdicts", **JUDGED)
    act(bob, "verdicts", support="supported", support_rationale="It says so.")
    assert act(ada, "replacements", about=1, reason="Typo", **JUDGED).status_code == 201
    assert act(bob, "disputes", about=3, reason="It does not").status_code == 201
    dispute = bob.get(CLAIM).json()["disputes"][0]
    assert (dispute["actor"], dispute["is_own"]) == ("bob", True)
    assert act(bob, "withdrawals", about=dispute["version"], reason="It does").status_code == 201
    carl.post(f"{CLAIM}/disclosures", json={"what": "people"})
    told = carl.get(CLAIM).json()
    assert told["may_settle"]
    (listed,) = carl.get(f"{REVIEW}/disagreements").json()["claims"]
    assert {each["actor"] for each in listed["standing"]} == {"ada", "bob"}
    settled = act(carl, "adjudications", about=told["standing"][0]["version"], reason="The text", **JUDGED)
    assert settled.status_code == 201, settled.text
    assert [event.action.kind.value for event in events_of(place)] == [
        "verdict_recorded", "verdict_recorded", "verdict_superseded", "disputed", "withdrawn", "shown", "adjudicated",
    ]  # fmt: skip
    assert carl.get(CLAIM).json()["state"] == "adjudicated"
    agreed = carl.get(f"{REVIEW}/agreement").json()["questions"]
    assert all((each["value"] is None) is (each["reason"] is not None) for told in agreed for each in told["figures"])


def test_what_does_not_follow_from_the_state_is_refused(ada: TestClient, place: Path) -> None:
    refused = act(ada, "withdrawals", about=7, reason="Nothing there")
    assert (refused.status_code, events_of(place)) == (409, ())


def test_queues_are_gone_through_by_their_next_links(ada: TestClient) -> None:
    first = ada.get(f"{REVIEW}/claims?queue=random&limit=1").json()
    path, found = f"{REVIEW}/claims?queue=random&limit=1&seed={first['seed']}", []
    while path is not None:
        page = ada.get(path).json()
        found += [each["claim_id"] for each in page["claims"]]
        path = page["next"]
    assert len(found) == len(set(found)) == first["total"]
    low = ada.get(f"{REVIEW}/claims?queue=low").json()["claims"]
    assert LOW in [each["claim_id"] for each in low]
    assert ada.get(f"{REVIEW}/claims/{LOW}?queue=low").json()["place"]["total"] == len(low)


def test_claims_are_assigned_once(ada: TestClient, bob: TestClient, place: Path) -> None:
    wanted = {"assignee": "bob", "claims": ["C-017-1", LOW, LOW]}
    assert ada.post(f"{REVIEW}/assignments", json=wanted).json() == {"assigned": 2}
    assert ada.post(f"{REVIEW}/assignments", json=wanted).json() == {"assigned": 0}
    assert bob.get(f"{REVIEW}/claims?queue=mine").json()["total"] == 2
    assert len(events_of(place)) == 2
    assert ada.post(f"{REVIEW}/assignments", json=wanted | {"claims": ["no such claim"]}).status_code == 404
