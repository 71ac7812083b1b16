"""Labelling over HTTP: blind to the systems, one label an action, words of strangers as words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from beleg.app.suite_labels import labels_file, read_labels
from beleg.core.access import Role
from support.unjudged import PLACE, unjudged_project
from support.workbench import application, form_token, signed_in

LIST = f"/suites/unjudged?place={PLACE}"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return unjudged_project(tmp_path)


def first_form(browser: object) -> str:
    found = re.search(r'class="button" href="([^"]+)"', browser.get(LIST).text)  # type: ignore[attr-defined]
    assert found is not None
    return found.group(1).replace("&amp;", "&")


def test_the_list_counts_and_the_suite_leads_to_it(project: Path) -> None:
    with application(project) as app:
        browser = signed_in(app)
        assert "/suites/unjudged?place=suite/suite.yaml" in browser.get(f"/suites/one?place={PLACE}").text
        page, german = browser.get(LIST).text, browser.get(f"{LIST}&lang=de").text
    assert "3 passages stand at rank 10 or better and nobody judged them" in page
    assert "25.0 % of the passages of a list are judged" in page.replace("\u00a0", " ").replace("&nbsp;", " ")
    assert "3 Passagen stehen auf Rang 10 oder besser" in german
    assert page.index("b1") < page.index("e1")


def test_nothing_names_a_system_or_a_run(project: Path) -> None:
    with application(project) as app:
        browser = signed_in(app)
        pages = browser.get(LIST).text, browser.get(first_form(browser)).text
    assert "Is this passage relevant?" in pages[1]
    for page in pages:
        assert "system-one" not in page
        assert "system-two" not in page
        assert "runs/" not in page
    assert "Best rank" not in pages[1]


def test_a_label_is_written_down_and_leads_to_the_next_passage(project: Path) -> None:
    with application(project) as app:
        browser = signed_in(app, Role.REVIEWER)
        address = first_form(browser)
        token = form_token(browser.get(address).text)
        answer = browser.post(address, data={"form_token": token, "verdict": "2", "quote": "3 days"})
        assert answer.status_code == 303
        assert answer.headers["location"].startswith("/suites/label?")
        assert answer.headers["location"] != address
        assert "2 passages stand" in browser.get(LIST).text
    (label,) = read_labels(labels_file(project, "shop"))
    assert (label.actor, label.passage_id, label.verdict.value, label.quote) == ("ada", "b1", "2", "3 days")


def test_the_last_one_leads_back_to_an_empty_list(project: Path) -> None:
    with application(project) as app:
        browser = signed_in(app, Role.REVIEWER)
        for _ in range(3):
            address = first_form(browser)
            token = form_token(browser.get(address).text)
            answer = browser.post(address, data={"form_token": token, "verdict": "0"})
        assert answer.headers["location"].startswith("/suites/unjudged?")
        assert "Everything down to this rank is judged" in browser.get(LIST).text


def test_a_wrong_field_is_told_and_what_was_typed_stays(project: Path) -> None:
    with application(project) as app:
        browser = signed_in(app, Role.REVIEWER)
        address = first_form(browser)
        token = form_token(browser.get(address).text)
        answer = browser.post(address, data={"form_token": token, "verdict": "3", "quote": "never said"})
        assert answer.status_code == 422
        assert "do not stand in the passage" in answer.text
        assert "never said" in answer.text
        assert re.search(r'value="3" required checked', answer.text)
    assert read_labels(labels_file(project, "shop")) == ()


def test_who_may_only_read_sees_the_list_and_labels_nothing(project: Path) -> None:
    with application(project) as app:
        address = first_form(signed_in(app))
        reader = signed_in(app, Role.AUDITOR)
        assert 'class="button"' not in reader.get(LIST).text
        assert reader.get(address).status_code == 403
        assert reader.post(address, data={"verdict": "1"}).status_code == 403


def test_a_form_without_its_token_writes_nothing(project: Path) -> None:
    with application(project) as app:
        browser = signed_in(app, Role.REVIEWER)
        assert browser.post(first_form(browser), data={"verdict": "1"}).status_code == 403
    assert read_labels(labels_file(project, "shop")) == ()


def test_words_of_strangers_stay_words(tmp_path: Path) -> None:
    hostile = "<script>alert(1)</script> \u202e <img src=x>"
    project = unjudged_project(tmp_path, name="s<b>", text=hostile, question=hostile)
    with application(project) as app:
        browser = signed_in(app)
        pages = browser.get(LIST).text, browser.get(first_form(browser)).text
    assert all("&lt;script&gt;alert" in page for page in pages)
    for page in pages:
        assert "<script>alert" not in page
        assert "<img" not in page
        assert "\u202e" not in page
        assert "s<b>" not in page


def test_a_suite_without_runs_says_so(project: Path) -> None:
    (project / "runs").rename(project / ".runs")
    with application(project) as app:
        assert "No run of this suite" in signed_in(app).get(LIST).text
