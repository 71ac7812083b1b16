"""Review over HTTP: one event an action, nothing typed lost, nobody unblinded by accident, no text obeyed."""

from __future__ import annotations

import html
import re
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from beleg.app.feedback import store_feedback
from beleg.core.access import Role
from beleg.core.evidence import Condition
from beleg.core.feedback import Feedback, Rating
from support.review_projects import LOW, RUN_ID, events_of, rebuild, review_project
from support.review_runs import changed, q017_case
from support.workbench import application, client, form_token, signed_in

CLAIM = f"/review/{RUN_ID}/claims/C-017-1?queue=all"
JUDGED = {"support": "not_supported", "support_rationale": "It excludes final sales."}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return review_project(tmp_path)


@pytest.fixture
def app(place: Path) -> Iterator[FastAPI]:
    with application(place) as made:
        yield made


@pytest.fixture
def ada(app: FastAPI) -> TestClient:
    return signed_in(app, Role.REVIEWER)


def form_of(page: str, do: str) -> dict[str, str]:
    """What the hidden fields of the form for an action hold."""
    for part in re.findall(r"<form.*?</form>", page, re.DOTALL):
        if f'name="do" value="{do}"' in part:
            fields = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', part)
            return {name: html.unescape(value) for name, value in fields}
    raise AssertionError(f"the page has no form to {do}")


def sent(browser: TestClient, do: str = "verdict", address: str = CLAIM, **texts: str) -> object:
    return browser.post(address, data=form_of(browser.get(address).text, do) | texts)


def test_a_verdict_is_recorded_and_leads_to_the_next_claim(ada: TestClient, place: Path) -> None:
    answer = sent(ada, **JUDGED, spent_ms="1500")
    assert answer.status_code == 303
    assert answer.headers["location"].startswith(f"/review/{RUN_ID}/claims/C-017-2?queue=all&did=verdict&saved=")
    (event,) = events_of(place)
    assert (event.action.actor, event.action.spent_ms) == ("ada", 1500)
    assert event.action.support is not None
    assert event.action.support.condition is Condition.BLIND


def test_a_form_sent_twice_is_recorded_once(ada: TestClient, place: Path) -> None:
    form = form_of(ada.get(CLAIM).text, "verdict") | JUDGED
    answers = [ada.post(CLAIM, data=form | {"spent_ms": spent}) for spent in ("1000", "1200")]
    assert [answer.status_code for answer in answers] == [303, 303]
    assert len(events_of(place)) == 1


def test_a_form_sent_twice_at_the_same_moment_is_recorded_once(app: FastAPI, ada: TestClient, place: Path) -> None:
    form = form_of(ada.get(CLAIM).text, "verdict") | JUDGED
    cookie, codes, ready = ada.cookies["beleg-session"], [], threading.Barrier(8)

    def press() -> None:
        browser = client(app)
        browser.cookies.set("beleg-session", cookie)
        ready.wait()
        codes.append(browser.post(CLAIM, data=form).status_code)

    threads = [threading.Thread(target=press) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert codes == [303] * 8
    assert len(events_of(place)) == 1


def test_a_key_that_was_used_for_something_else_is_refused_with_what_was_typed(ada: TestClient, place: Path) -> None:
    form = form_of(ada.get(CLAIM).text, "verdict")
    ada.post(CLAIM, data=form | JUDGED)
    answer = ada.post(CLAIM, data=form | {"support": "supported", "support_rationale": "Another thought"})
    assert answer.status_code == 409
    assert "Another thought" in answer.text
    assert len(events_of(place)) == 1


def test_who_comes_second_gets_the_claim_as_it_is_now_and_keeps_what_they_typed(
    app: FastAPI, ada: TestClient, place: Path
) -> None:
    bob = signed_in(app, Role.REVIEWER, name="bob")
    late = form_of(bob.get(CLAIM).text, "verdict") | {"support": "supported", "support_rationale": "Bob's thought"}
    sent(ada, **JUDGED)
    answer = bob.post(CLAIM, data=late)
    assert answer.status_code == 409
    assert "Bob&#39;s thought</textarea>" in answer.text
    assert 'value="supported" checked' in answer.text
    # Bob is still blind: neither the verdict of Ada nor the proposal stands on the page.
    assert "It excludes final sales" not in answer.text
    again = form_of(answer.text, "verdict")
    assert again["version"] == "1"
    assert again["idempotency_key"] != late["idempotency_key"]
    assert bob.post(CLAIM, data=late | again).status_code == 303
    assert [event.action.actor for event in events_of(place)] == ["ada", "bob"]


def test_a_claim_that_became_another_row_is_refused_with_what_was_typed(ada: TestClient, place: Path) -> None:
    form = form_of(ada.get(CLAIM).text, "verdict") | JUDGED
    rebuild(place, changed(q017_case(), "C-017-1", citations=()))
    answer = ada.post(CLAIM, data=form)
    assert answer.status_code == 409
    assert "the sheet was built again" in answer.text
    assert "It excludes final sales.</textarea>" in answer.text
    assert events_of(place) == ()


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"support": "supported"}, "support_rationale"),
        ({"support": "supported", "support_rationale": " \n "}, "support_rationale"),
        ({"attribution": "attached"}, "attribution_rationale"),
        ({"support_rationale": "Without a verdict"}, "support"),
        ({}, "support"),
        ({"support": "not_assessable", "support_rationale": "Who knows"}, "missing"),
        ({"support": "supported", "support_rationale": "Yes", "missing": "The annex"}, "missing"),
        ({"support": "no such verdict", "support_rationale": "Yes"}, "support"),
        ({"support": "supported", "support_rationale": "x" * 20_001}, "support_rationale"),
    ],
)
def test_what_the_types_refuse_is_told_at_its_field(
    ada: TestClient, place: Path, typed: dict[str, str], field: str
) -> None:
    answer = sent(ada, **typed)
    assert answer.status_code == 422
    assert f'id="{field}-wrong"' in answer.text
    assert all(
        html.escape(text) in html.unescape(answer.text) or text.isspace()
        for text in typed.values()
        if "no such" not in text
    )
    assert events_of(place) == ()


def test_what_is_missing_is_one_line_each(ada: TestClient, place: Path) -> None:
    sent(ada, support="not_assessable", support_rationale="Cut.", missing="The annex\r\n\r\n The table ")
    (event,) = events_of(place)
    assert event.action.support is not None
    assert event.action.support.missing == ("The annex", "The table")


def test_a_session_that_is_over_keeps_the_way_back_and_the_words(app: FastAPI, ada: TestClient, place: Path) -> None:
    form = form_of(ada.get(CLAIM).text, "verdict") | JUDGED
    app.state.sessions.end(ada.cookies["beleg-session"])
    answer = ada.post(CLAIM, data=form, headers={"sec-fetch-site": "same-origin"})
    assert answer.status_code == 401
    assert html.escape(CLAIM) in answer.text
    assert "It excludes final sales." in answer.text
    assert events_of(place) == ()
    assert (
        client(app).get(CLAIM).headers["location"]
        == f"/sign-in?to=%2Freview%2F{RUN_ID}%2Fclaims%2FC-017-1%3Fqueue%3Dall"
    )


def test_another_site_cannot_put_its_words_on_the_page_to_sign_in(app: FastAPI) -> None:
    answer = client(app).post(CLAIM, data={"note": "Call this number"}, headers={"sec-fetch-site": "cross-site"})
    assert answer.status_code == 401
    assert "Call this number" not in answer.text


def test_the_machine_and_others_are_hidden_until_decided(app: FastAPI, ada: TestClient) -> None:
    bob = signed_in(app, Role.REVIEWER, name="bob")
    sent(bob, **JUDGED)
    before = ada.get(CLAIM).text
    assert 'class="proposal"' not in before
    assert "Final-Sale-Artikel ausdrücklich aus" not in before
    assert "It excludes final sales" not in before
    sent(ada, **JUDGED | {"support_rationale": "Ada's own."})
    after = ada.get(CLAIM).text
    assert "Final-Sale-Artikel ausdrücklich aus" in after
    assert "It excludes final sales" in after


def test_asking_for_more_is_recorded_and_the_verdict_is_not_blind(ada: TestClient, place: Path) -> None:
    assert sent(ada, "show_machine").status_code == 303
    assert 'class="proposal"' in ada.get(CLAIM).text
    sent(ada, **JUDGED)
    shown, decided = events_of(place)
    assert shown.action.shown is Condition.SAW_MACHINE
    assert decided.action.support is not None
    assert decided.action.support.condition is Condition.SAW_MACHINE


def test_a_disagreement_is_shown_side_by_side_and_settled_by_a_third_person(
    app: FastAPI, ada: TestClient, place: Path
) -> None:
    bob, carl = (signed_in(app, Role.REVIEWER, name=name) for name in ("bob", "carl"))
    sent(ada, **JUDGED)
    sent(bob, support="supported", support_rationale="Word for word.")
    assert sent(ada, "dispute", reason="Read the annex.").status_code == 303
    page = f"/review/{RUN_ID}/adjudicate"
    assert "Word for word." not in carl.get(page).text
    form = form_of(carl.get(page).text, "show_people")
    answer = carl.post(f"{CLAIM.replace('all', 'disputed')}&from=adjudicate", data=form)
    assert answer.headers["location"].startswith(page)
    shown = carl.get(page).text
    assert "Word for word." in shown
    assert "It excludes final sales." in shown
    assert sent(carl, "adjudicate", **JUDGED).status_code == 422
    assert sent(carl, "adjudicate", **JUDGED, reason="By the annex.").status_code == 303
    assert events_of(place)[-1].action.kind.value == "adjudicated"
    assert "Nobody disagrees" in carl.get(page).text
    assert "Word for word." in carl.get(CLAIM).text


def test_a_verdict_is_replaced_withdrawn_and_noted_as_events(ada: TestClient, place: Path) -> None:
    sent(ada, **JUDGED)
    assert (
        sent(ada, "supersede", support="supported", support_rationale="I misread.", reason="Misread.").status_code
        == 303
    )
    assert sent(ada, "note", note="See the ticket.").status_code == 303
    assert sent(ada, "withdraw", reason="").status_code == 422
    assert sent(ada, "withdraw", reason="Wrong claim.").status_code == 303
    kinds = [event.action.kind.value for event in events_of(place)]
    assert kinds == ["verdict_recorded", "verdict_superseded", "note_added", "withdrawn"]


def test_claims_are_assigned_once_and_the_progress_is_told(app: FastAPI, ada: TestClient, place: Path) -> None:
    page = f"/review/{RUN_ID}"
    token = form_token(ada.get(page).text)
    data = {"form_token": token, "assignee": "bob", "claim": ["C-017-1", LOW]}
    first, second = (ada.post(page, data=data).headers["location"] for _ in range(2))
    assert ("assigned=2" in first, "assigned=0" in second) == (True, True)
    assert len(events_of(place)) == 2
    bob = signed_in(app, Role.REVIEWER, name="bob")
    assert "2 claims, 2 for you to do" in bob.get(f"{page}?queue=mine").text
    sent(bob, **JUDGED, spent_ms="30000")
    told = ada.get("/review").text
    assert "bob: 1 decided, 1 to do, 30.0 s" in told
    for wrong in (
        {"assignee": "", "claim": ["C-017-1"]},
        {"assignee": "b\x00b", "claim": ["C-017-1"]},
        {"assignee": "bob"},
    ):
        assert ada.post(page, data={"form_token": token} | wrong).status_code == 422


def test_a_queue_at_random_has_its_seed_in_the_address(ada: TestClient) -> None:
    page = f"/review/{RUN_ID}?queue=random"
    location = ada.get(page).headers["location"]
    assert re.fullmatch(rf"/review/{RUN_ID}\?queue=random&seed=\d+", location)
    assert ada.get(location).status_code == 200
    assert ada.get(f"{page}&seed=1000000").status_code == 422


def test_a_run_without_a_sheet_says_how_to_build_one(app: FastAPI, ada: TestClient, place: Path) -> None:
    for path in (place / "runs" / "seventeen" / "evidence").iterdir():
        path.unlink()
    assert "beleg sheet build <bdi>runs/seventeen</bdi>" in ada.get("/review").text
    assert "beleg sheet build" in ada.get(f"/review/{RUN_ID}").text


def test_who_may_not_review_sees_everything_and_has_no_form(app: FastAPI, ada: TestClient, place: Path) -> None:
    owner = signed_in(app, Role.OWNER, name="olga")
    page = owner.get(CLAIM).text
    assert 'class="proposal"' in page
    assert 'name="do"' not in page
    form = form_of(ada.get(CLAIM).text, "verdict") | JUDGED | {"form_token": form_token(page)}
    assert owner.post(CLAIM, data=form).status_code == 403
    assert events_of(place) == ()


def test_what_is_not_there_is_told(ada: TestClient) -> None:
    for path in (f"/review/{RUN_ID}/claims/none", "/review/none", "/review/none/agreement", "/review/none/adjudicate"):
        assert ada.get(path).status_code == 404


PAYLOADS = [
    "<script>window.__x=1</script>",
    "</textarea><img src=x onerror=window.__x=1>",
    '" autofocus onfocus="window.__x=1',
    "{{ 7 * 7 }}",
    "safe\u202etxt.exe",
]


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_hostile_text_is_only_text(ada: TestClient, payload: str) -> None:
    refused = sent(ada, support="supported", support_rationale=payload, missing=payload).text
    sent(ada, support="not_supported", support_rationale=payload, note=payload)
    sent(ada, "note", note=payload)
    pages = [
        refused,
        ada.get(CLAIM).text,
        ada.get(f"/review/{RUN_ID}/adjudicate").text,
        ada.get(f"/review/{RUN_ID}").text,
    ]
    for page in pages:
        assert "<script>window" not in page
        assert "<img" not in page
        assert '" onfocus' not in page
        assert 'autofocus onfocus="' not in page
    assert html.escape(payload, quote=False).partition("\u202e")[0][:6] in html.unescape(pages[1]).replace(
        "<", "&lt;"
    ).replace(">", "&gt;")
    assert "\u202e" not in pages[1].partition("<form")[0]


@pytest.mark.parametrize("lang", ["en", "de"])
def test_agreement_is_told_by_question(app: FastAPI, ada: TestClient, lang: str) -> None:
    page = f"/review/{RUN_ID}/agreement?lang={lang}"
    assert {"en": "no claim has blind verdicts of two people", "de": "keine Aussage hat blinde Urteile"}[
        lang
    ] in ada.get(page).text
    bob = signed_in(app, Role.REVIEWER, name="bob")
    for number, other in enumerate(("supported", "not_supported", "supported", "supported"), start=1):
        address = f"/review/{RUN_ID}/claims/C-017-{number}?queue=all"
        sent(ada, address=address, **JUDGED)
        sent(bob, address=address, support=other, support_rationale="So it is.")
    told = ada.get(page).text
    assert {"en": ">0.25<", "de": ">0,25<"}[lang] in told
    assert f"/review/{RUN_ID}/claims/C-017-1?queue=disputed" in told


def test_an_own_dispute_can_be_taken_back_and_an_own_verdict_is_not_disputed(
    app: FastAPI, ada: TestClient, place: Path
) -> None:
    sent(signed_in(app, Role.REVIEWER, name="bob"), **JUDGED)
    sent(ada, **JUDGED)
    sent(ada, "dispute", reason="Read the annex.")
    page = ada.get(CLAIM).text
    assert page.count('name="do" value="dispute"') == 1
    withdrawals = re.findall(r'<form(?:(?!</form>).)*name="do" value="withdraw".*?</form>', page, re.DOTALL)
    form = form_of(withdrawals[-1], "withdraw")
    assert form["about"] == "3"
    assert ada.post(CLAIM, data=form | {"reason": "I had the wrong annex."}).status_code == 303
    assert "reviewed" in ada.get(f"/review/{RUN_ID}").text
    assert [event.action.supersedes for event in events_of(place)][-1] == 3


class TestFeedback:
    """What users said leads nobody: it is shown after the own verdict, and never before."""

    HOSTILE = "<script>alert(1)</script> \u202e it lies"

    @pytest.fixture
    def marked(self, place: Path) -> Path:
        given = Feedback(
            case_id="Q-017", rating=Rating.DOWN, at=datetime(2026, 11, 30, tzinfo=UTC), source="shop<b>",
            comment=self.HOSTILE,
        )  # fmt: skip
        store_feedback(place / "runs" / "seventeen", [given])
        return place

    def test_it_is_hidden_until_the_verdict_and_the_verdict_is_blind(self, marked: Path, ada: TestClient) -> None:
        address = CLAIM.replace("queue=all", "queue=down")
        before = ada.get(address).text
        assert "it lies" not in before
        assert "Hidden until you decided" in before
        sent(ada, address=address, **JUDGED)
        (event,) = events_of(marked)
        assert event.action.support is not None
        assert event.action.support.condition is Condition.BLIND
        after = ada.get(address).text
        assert "it lies" in after
        assert "Thumbs down" in after

    def test_what_users_wrote_is_text(self, marked: Path, ada: TestClient) -> None:
        sent(ada, **JUDGED)
        page = ada.get(CLAIM).text
        assert "<script>alert" not in page
        assert "&lt;script&gt;alert" in page
        assert "\u202e" not in page
        assert "shop<b>" not in page

    def test_a_queue_of_its_own_leads_to_the_claims(self, marked: Path, ada: TestClient) -> None:
        page = ada.get(f"/review/{RUN_ID}?queue=down").text
        assert "Claims of answers that a user marked down" in page
        assert "it lies" not in page
        assert "C-017-1" in page
        assert "Daumen runter" in ada.get(f"/review/{RUN_ID}?queue=down&lang=de").text

    def test_without_feedback_the_queue_is_empty(self, ada: TestClient) -> None:
        assert "C-017-1" not in ada.get(f"/review/{RUN_ID}?queue=down").text

    def test_damaged_feedback_is_told_and_not_left_out(self, marked: Path, ada: TestClient) -> None:
        path = marked / "runs" / "seventeen" / "feedback.jsonl"
        path.write_text(path.read_text(encoding="utf-8").replace("down", "up"), encoding="utf-8")
        assert ada.get(f"/review/{RUN_ID}?queue=down").status_code >= 400
