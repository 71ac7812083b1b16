"""The workbench as a person meets it: the real program, a real browser, the keyboard alone, no script at all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from beleg.app.calibration_records import store_record
from beleg.app.probe_records import store_probes
from beleg.app.sheets import build_sheet
from beleg.app.workbench.judges import calibrations
from beleg.app.workbench.suites import SuiteShelf
from beleg.app.workbench.unjudged import UnjudgedShelf
from beleg.app.workbench.workspace import Workspace
from beleg.judges.curves import operating_curve, reliability_curve
from cli.projects import real_beleg
from support.calibrations import WHEN, record
from support.judge_models import spec
from support.packs import decided
from support.probe_records import probed
from support.served import Served, served, violations, visitor
from support.unjudged import unjudged_project
from unit.judges.test_calibration import graded
from unit.report.test_sheet_html import PAYLOADS

pytestmark = pytest.mark.browser

ARGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
PAGES = [
    "/",
    "/runs",
    "/runs/new-1",
    "/runs/new-1?q=c1&sort=recall@5",
    "/runs/new-1/cases/c1",
    "/review",
    "/review/new-1",
    "/compare?new=new-1&old=released-1",
    "/suites",
    "/suites/one?place=suite/suite.yaml&by=language",
    "/suites/unjudged?place=shop/suite/suite.yaml",
    "/review/new-1?queue=down",
    "/judges",
    "/overrides",
    "/people",
    "/audit",
    "/sign-in",
    "/nothing",
]
AXE = Path(__file__).resolve().parents[1] / "interop" / "node_modules" / "axe-core" / "axe.min.js"


def stocked(folder: Path, payload: str = "fee") -> Path:
    """A project with everything that a page shows; names of strangers hold a payload."""
    decided(folder)
    stored = folder / "new" / "decision" / "decision.json"
    decision = json.loads(stored.read_text(encoding="utf-8"))
    decision["candidate"]["name"] = decision["suite_name"] = payload
    decision["headline"] = {"en": f"PASS: {payload}", "de": f"PASS: {payload}"}
    stored.write_text(json.dumps(decision), encoding="utf-8")
    (folder / "suite").mkdir()
    case = {
        "case_id": payload, "user_input": payload, "expected_passages": [{"document_id": payload}],
        "language": payload, "owner": payload, "review_by": "2026-01-01",
    }  # fmt: skip
    (folder / "suite" / "cases.jsonl").write_text(json.dumps(case), encoding="utf-8")
    (folder / "suite" / "suite.yaml").write_text(
        json.dumps({"name": payload, "cases": ["cases.jsonl"]}), encoding="utf-8"
    )
    given = graded(60)
    curves = {
        "curve": reliability_curve(given.human, given.scores, given.groups, 0.95),
        "operating": operating_curve(given.human, given.scores, given.groups, 0.5, 0.95),
    }
    for days in range(2):
        at = WHEN + timedelta(days=days)
        store_record(record(labels_source=payload, created_at=at, **curves), folder / "calibrations")
        told = probed(spec(model=payload), created_at=at)
        strange = told.reports[0].model_copy(update={"probe": payload, "asks": payload, "changed": payload})
        store_probes(told.model_copy(update={"reports": (strange,)}), folder / "new" / "evidence" / "probes")
    return folder


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=list(ARGS))
        yield started
        started.close()


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = stocked(tmp_path_factory.mktemp("project"))
    build_sheet(folder / "new")
    with_runs(folder / "shop")
    return folder


@pytest.fixture(scope="module")
def workbench(project: Path) -> Iterator[Served]:
    with served(project) as found:
        yield found


@pytest.fixture(scope="module")
def pages(project: Path) -> list[str]:
    """Every page, and the one decision."""
    (made,) = Workspace(project).holdings().decisions
    record_page = f"/judges/records/{calibrations(project)[0][0].key}"
    return [*PAGES, f"/releases/{made.key}", record_page, labelling(project, "shop")]


def with_runs(folder: Path, **texts: str) -> None:
    """A suite whose runs returned what nobody judged; made in a thread, as the browser's loop runs in this one."""
    with ThreadPoolExecutor(1) as apart:
        apart.submit(unjudged_project, folder, **texts).result()


def labelling(project: Path, shop: str) -> str:
    """The form for the first passage that nobody judged."""
    place = f"{shop}/suite/suite.yaml"
    entry, runs = SuiteShelf(project).suite(place), Workspace(project).holdings().runs
    item = UnjudgedShelf(project).of(entry, runs, depth=10).items[0]
    return f"/suites/label?place={place}&item={item.key}"


@pytest.fixture
def axe() -> Path:
    if not AXE.is_file():
        pytest.skip("axe is not installed: make interop")
    return AXE


def overflows(page: Page) -> bool:
    """Whether the page itself must be scrolled sideways; tables may scroll within."""
    return bool(page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth + 1"))


def test_the_printed_address_lets_in_and_the_token_does_not_stay_in_it(browser: Browser, workbench: Served) -> None:
    with visitor(browser, workbench, locale="en-GB") as someone:
        assert someone.page.url == f"{workbench.base}/"
        expect(someone.page.get_by_role("heading", level=1)).to_have_text("Releases")
        assert someone.noticed == []


def test_without_the_address_there_is_a_page_to_sign_in(browser: Browser, workbench: Served) -> None:
    context = browser.new_context(locale="de-DE")
    page = context.new_page()
    page.goto(f"{workbench.base}/suites")
    expect(page.get_by_role("heading", level=1)).to_have_text("Anmelden")
    page.get_by_label("Token").fill("wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Token").fill(workbench.sign_in.partition("token=")[2])
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Suiten")
    context.close()


@pytest.mark.parametrize("options", [{"color_scheme": "dark", "locale": "de-DE"}, {"color_scheme": "light"}])
def test_axe_finds_nothing(
    browser: Browser, workbench: Served, pages: list[str], axe: Path, options: dict[str, str]
) -> None:
    assert violations(browser, workbench, pages, axe, **options) == []


@pytest.mark.parametrize(
    "options",
    [
        {"java_script_enabled": False},
        {"viewport": {"width": 390, "height": 800}},
        # 400 % zoom of a window of 1280 × 1024
        {"viewport": {"width": 320, "height": 256}, "locale": "de-DE"},
        {"forced_colors": "active"},
    ],
    ids=["no script", "phone", "zoom", "forced colours"],
)
def test_every_page_fits_and_says_nothing_to_the_console(
    browser: Browser, workbench: Served, pages: list[str], options: dict[str, object]
) -> None:
    with visitor(browser, workbench, **options) as someone:
        for path in pages:
            page = someone.goes(path)
            expect(page.get_by_role("heading", level=1)).to_be_attached()
            if options.get("java_script_enabled") is not False:
                assert not overflows(page), path
        assert [line for line in someone.noticed if "404" not in line] == []


def test_forced_colours_still_show_where_one_is_and_what_has_the_focus(browser: Browser, workbench: Served) -> None:
    """Borders that are transparent become visible there, and backgrounds go."""
    shown = "each => getComputedStyle(each).borderBottomColor + getComputedStyle(each).borderBottomWidth"
    with visitor(browser, workbench, forced_colors="active") as someone:
        for path, places in (("/runs", ".places a"), ("/review/new-1", ".places a"), ("/review/new-1", ".queues a")):
            page = someone.goes(path)
            here = page.locator(f"{places}[aria-current]").first.evaluate(shown)
            others = page.locator(f"{places}:not([aria-current])").evaluate_all(f"all => all.map({shown})")
            assert others, path
            assert here not in others, path
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"


def test_the_keyboard_alone_reaches_every_place(browser: Browser, workbench: Served) -> None:
    with visitor(browser, workbench, locale="en-GB") as someone:
        page = someone.page
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
        for name in ("Releases", "Runs", "Review", "Compare", "Suites"):
            page.keyboard.press("Tab")
            expect(page.get_by_role("link", name=name, exact=True)).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text("Suites")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert page.url.endswith("#content")


def test_the_first_page_is_small(browser: Browser, workbench: Served) -> None:
    """At most 100 KB and 6 requests, with nothing kept from before."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(workbench.sign_in)
    context.clear_cookies(name="nothing")
    sizes: list[int] = []
    page.on("response", lambda response: sizes.append(len(response.body())))
    page.goto(f"{workbench.base}/")
    page.wait_for_load_state("networkidle")
    assert len(sizes) <= 6
    assert sum(sizes) <= 100_000
    context.close()


def test_payloads_do_nothing_anywhere(browser: Browser, tmp_path: Path) -> None:
    for number, payload in enumerate(PAYLOADS):
        stocked(tmp_path / str(number), payload)
        with_runs(tmp_path / f"shop-{number}", name=payload, text=payload, question=payload)
    suites = [f"/suites/one?place={number}/suite/suite.yaml&by=language" for number in range(len(PAYLOADS))]
    changes = [f"/suites/changes?old=0/suite/suite.yaml&new={n}/suite/suite.yaml" for n in range(1, len(PAYLOADS))]
    labels = [labelling(tmp_path, f"shop-{number}") for number in range(len(PAYLOADS))]
    labels += [f"/suites/unjudged?place=shop-{number}/suite/suite.yaml" for number in range(len(PAYLOADS))]
    labels.append(f"/judges/records/{calibrations(tmp_path)[0][0].key}")
    with served(tmp_path) as at, visitor(browser, at) as someone:
        for path in ("/", "/suites", "/judges", "/compare", *suites, *changes, *labels):
            page = someone.goes(path)
            assert page.evaluate("window.__x") is None, path
            assert page.evaluate("document.querySelectorAll('img, iframe, math, object, embed, style').length") == 0
            assert page.evaluate("document.querySelectorAll('script').length") == 1
        assert someone.noticed == []


class TestStarting:
    """What the command says when it cannot start."""

    def test_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        done = real_beleg("serve", "nothing", cwd=tmp_path)
        assert (done.code, "is no folder" in done.err) == (2, True)

    def test_an_address_that_others_reach(self, tmp_path: Path) -> None:
        done = real_beleg("serve", "--host", "0.0.0.0", cwd=tmp_path)  # noqa: S104 - refused
        assert (done.code, "reached by other machines" in done.err) == (2, True)

    def test_a_port_that_is_taken(self, tmp_path: Path) -> None:
        with served(tmp_path) as at:
            done = real_beleg("serve", "--port", at.base.rpartition(":")[2], cwd=tmp_path)
        assert (done.code, "cannot be used" in done.err) == (2, True)
