"""Runs, their cases and one case: what is stored, found again by the address alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from beleg.app.workbench.addresses import case_path
from support.run_pages import ODD_ID, OLDER, QUOTE, RUN, indexed, project
from support.workbench import application, client, signed_in, workbench_of
from unit.report.test_sheet_html import PAYLOADS

ENGLISH = {"accept-language": "en"}
PAYLOAD = PAYLOADS[0]


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = project(tmp_path_factory.mktemp("runs"), PAYLOAD)
    indexed(folder)
    return folder


@pytest.fixture(scope="module")
def app(judged: Path) -> Iterator[FastAPI]:
    with application(judged) as made:
        yield made


@pytest.fixture
def browser(app: FastAPI) -> TestClient:
    return signed_in(app)


def page(browser: TestClient, path: str) -> str:
    answer = browser.get(path, headers=ENGLISH)
    assert answer.status_code == 200, answer.text
    return answer.text


def listed(text: str) -> list[str]:
    """The ids in the table of cases."""
    table = text.partition('class="case-table"')[2].partition("</table>")[0]
    return [unescape(found) for found in re.findall(r'<th scope="row"><a [^>]+><bdi>(.*?)</bdi>', table)]


def test_all_runs_are_listed_the_newest_first(browser: TestClient) -> None:
    text = page(browser, "/runs")
    assert 0 < text.index(f"/runs/{RUN}") < text.index(f"/runs/{OLDER}")
    assert "2 repeats" in text
    assert "ready" in text


def test_a_run_tells_its_figures_with_interval_and_what_is_missing(browser: TestClient) -> None:
    text = page(browser, f"/runs/{RUN}")
    assert re.search(r"n \d+ of 60 · 6 timeout", text)
    assert "120 of 120 finished, 12 failed" in text
    assert f'href="/runs/{RUN}?lost=delivered#cases"' in text


def test_pages_hold_fifty_cases_and_lead_to_each_other(browser: TestClient) -> None:
    first, second = page(browser, f"/runs/{RUN}"), page(browser, f"/runs/{RUN}?page=2")
    assert (len(listed(first)), len(listed(second))) == (50, 10)
    assert not set(listed(first)) & set(listed(second))
    assert f'rel="next" href="/runs/{RUN}?page=2#cases"' in first
    assert "There is no page 9" in page(browser, f"/runs/{RUN}?page=9")


@pytest.mark.parametrize(
    ("asked", "count"),
    [
        ("status=timeout", 6),
        ("lost=delivered", 6 + 6),
        ("segment=language%3Den", 30),
        ("reason=timeout&of=recall%405", 6),
        ("q=ITEM+1", 11),
        ("q=no+such+words", 0),
        ("q=item&status=timeout&segment=language%3Dde", 6),
    ],
)
def test_a_filter_leaves_the_cases_that_fit(browser: TestClient, asked: str, count: int) -> None:
    text = page(browser, f"/runs/{RUN}?{asked}")
    assert len(listed(text)) == count
    if count:
        assert f"of {count} cases that fit, of 60" in text


def test_cases_are_sorted_by_any_metric_and_those_without_a_score_come_last(browser: TestClient) -> None:
    up = [name for n in (1, 2) for name in listed(page(browser, f"/runs/{RUN}?sort=latency_ms&page={n}"))]
    down = [name for n in (1, 2) for name in listed(page(browser, f"/runs/{RUN}?sort=latency_ms&order=down&page={n}"))]
    assert len(up) == 60
    assert up[:54] == down[:54][::-1]
    assert set(up[54:]) == set(down[54:])
    assert 'aria-sort="descending"' in page(browser, f"/runs/{RUN}?sort=latency_ms&order=down")


def test_the_metrics_that_are_chosen_are_shown(browser: TestClient) -> None:
    table = page(browser, f"/runs/{RUN}?show=mrr&show=map").partition('class="case-table"')[2]
    assert table.partition("</thead>")[0].count('class="num"') == 2


@pytest.mark.parametrize("asked", ["page=0", "page=x", "reason=no", "sort=no", "of=no", "show=no", "q=" + "x" * 201])
def test_what_cannot_be_asked_is_told(browser: TestClient, asked: str) -> None:
    answer = browser.get(f"/runs/{RUN}?{asked}", headers=ENGLISH)
    assert answer.status_code == 404
    assert "Beleg says:" in answer.text


def test_the_form_says_again_what_was_asked(browser: TestClient) -> None:
    text = page(browser, f"/runs/{RUN}?q=item&status=timeout&sort=mrr&order=down&show=map")
    for held in ('name="q" value="item"', 'value="timeout" selected', 'value="mrr" selected', 'value="map" checked'):
        assert held in text


def test_a_case_shows_everything_that_was_recorded(browser: TestClient) -> None:
    text = page(browser, case_path(RUN, PAYLOAD))
    assert text.count(f"<mark>{QUOTE}</mark>") >= 4
    assert re.search(r'<a class="cite" href="#r1-passage-\d+">\[1\]</a>', text)
    assert '<span class="cite-none"' in text
    for told in ("Repeat 2", "Dropped here (3)", "may not appear", "0.001200 USD", "claim_support",
                 "Delivered prompt", "supported:", "judge-model", "its text was not recorded"):  # fmt: skip
        assert told in text, told


def test_evidence_that_a_stage_dropped_is_told(browser: TestClient) -> None:
    text = page(browser, case_path(RUN, "c02"))
    assert "Required evidence is lost at “delivered”." in text
    dropped = text.partition("<summary>Dropped here")[2].partition("</details>")[0]
    assert "p-gold" in dropped
    assert "holds evidence 1" in dropped


def test_a_case_is_followed_over_runs(browser: TestClient) -> None:
    history = page(browser, case_path(RUN, ODD_ID)).partition('id="history"')[2]
    assert f'href="{case_path(OLDER, ODD_ID)}"' in history
    assert "this run" in history


def test_the_cases_beside_one_are_those_of_the_list(browser: TestClient) -> None:
    asked = "?q=item&sort=latency_ms&order=down"
    order = listed(page(browser, f"/runs/{RUN}{asked}"))
    walked, path = [order[0]], case_path(RUN, order[0]) + asked
    while len(walked) < 8:
        found = re.search(r'rel="next" href="([^"]+)"', page(browser, path))
        assert found is not None
        path = unescape(found.group(1))
        walked.append(order[len(walked)])
        assert path.startswith(case_path(RUN, walked[-1]) + "?")


def test_any_id_has_an_address_of_its_own(browser: TestClient) -> None:
    path = case_path(RUN, ODD_ID)
    assert f'href="{path}"' in page(browser, f"/runs/{RUN}")
    assert "An odd name" in page(browser, path)
    assert browser.get(f"/runs/{RUN}/cases/nothing").status_code == 404
    assert browser.get(f"/runs/{RUN}/cases/~2e~2e").status_code == 404
    assert browser.get("/runs/nothing").status_code == 404


def test_an_address_survives_signing_in(app: FastAPI) -> None:
    answer = client(app).get(f"/runs/{RUN}?q=item")
    assert answer.headers["location"].endswith(f"%2Fruns%2F{RUN}%3Fq%3Ditem")


def test_a_run_that_is_being_indexed_says_so_and_then_is_there(tmp_path: Path) -> None:
    project(tmp_path)
    with application(tmp_path) as app:
        browser = signed_in(app)
        text = page(browser, f"/runs/{RUN}")
        assert "being indexed" in text
        assert "Look again" in text
        workbench_of(app).indexer.finish()
        assert len(listed(page(browser, f"/runs/{RUN}"))) == 50


def test_a_run_that_cannot_be_indexed_tells_why(tmp_path: Path) -> None:
    journal = project(tmp_path) / "run" / "traces.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b"Filler", b"filler", 1))
    with application(tmp_path) as app:
        browser = signed_in(app)
        browser.get(f"/runs/{RUN}")
        workbench_of(app).indexer.finish()
        for path in (f"/runs/{RUN}", case_path(RUN, "c00"), "/runs"):
            text = page(browser, path)
            assert "cannot be indexed" in text
            assert "the journal is damaged" in text
