"""How large the HTML report of a large run is, how long it takes to write, and how long a browser takes to show it.

usage: python benchmarks/bench_report.py [--smoke]
"""

from __future__ import annotations

import shutil
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import inputs
from beleg.core.policy import Policy, PolicyCheck, Segment, Thresholds
from beleg.gating.decide import decide
from beleg.report.html import html_report
from beleg.report.view import ReportInput
from measuring import Row, is_smoke, show, spend

SIZE_BUDGET_MB = 15.0
LOAD_BUDGET_S = 2.0
LOADS = 3
METRICS = ("ndcg@10", "recall@10", "latency_ms", "citation_gold_precision")
BROWSER_ARGUMENTS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much the report holds."""

    cases: int
    passages: int
    pool: int


FULL = Sizes(10_000, 10, 20_000)
SMOKE = Sizes(40, 3, 60)


def report_input(sizes: Sizes) -> ReportInput:
    """A decision on two runs with a trace for every case of both."""
    given = inputs.cases(sizes.cases, segments=4)
    candidate = inputs.evaluation("candidate", given, METRICS, shift=-0.02, seed=3)
    baseline = inputs.evaluation("baseline", given, METRICS, shift=0.0, seed=3)
    pool = inputs.passage_pool(sizes.pool, words=90, seed=4)
    limits = Thresholds(pass_at=0.7, block_at=0.6, margin=0.02)
    policy = Policy(
        policy="bench",
        protected_segments=(Segment(where={"language": "de"}),),
        checks=tuple(
            PolicyCheck(metric=name, pass_at=0.7, block_at=0.6, margin=0.02, protected=limits)
            for name in METRICS
            if name != "latency_ms"
        ),
    )
    at = datetime(2026, 11, 30, tzinfo=UTC)
    return ReportInput(
        decision=decide(policy, candidate, baseline, decided_at=at, beleg_version="0"),
        candidate=candidate,
        baseline=baseline,
        candidate_traces=inputs.traces(given, pool, passages=sizes.passages, seed=5),
        baseline_traces=inputs.traces(given, pool, passages=sizes.passages, seed=6),
    )


def load_s(page_file: Path, *, times: int) -> tuple[float | None, str | None]:
    """The shortest time until chromium shows the page and its script is ready, or why there is none."""
    chromium = shutil.which("chromium")
    if chromium is None:
        return None, "not measured: chromium is not installed"
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        return None, "not measured: playwright is not installed"
    taken = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(BROWSER_ARGUMENTS))
        for _ in range(times):
            page = browser.new_page()
            begun = time.perf_counter()
            page.goto(page_file.as_uri())
            page.locator("html[data-ready]").wait_for(state="attached")
            taken.append(time.perf_counter() - begun)
            page.close()
        browser.close()
    return min(taken), f"chromium, minimum of {times} loads in one browser"


def main() -> None:
    """Builds the report once and opens it a few times."""
    smoke = is_smoke(__doc__)
    sizes = SMOKE if smoke else FULL
    report = report_input(sizes)
    html, built = spend(lambda: html_report(report))
    encoded = html.encode("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        page_file = Path(folder, "report.html")
        page_file.write_bytes(encoded)
        loaded, note = load_s(page_file, times=1 if smoke else LOADS)
    rows = [
        Row(what="size", measured=len(encoded) / 1e6, unit="MB", budget=SIZE_BUDGET_MB),
        Row(what="build, wall time", measured=built.wall_s, unit="s"),
        Row(what="build, CPU time", measured=built.cpu_s, unit="CPU s"),
        Row(what="load", measured=loaded, unit="s", budget=LOAD_BUDGET_S, note=note),
    ]
    setting = (
        f"{sizes.cases:,} cases of two runs with {sizes.passages} passages each, from a pool of {sizes.pool:,} "
        "passages of 90 words."
    )
    show("report", setting, rows, packages=("jinja2", "vl-convert-python", "playwright"), smoke=smoke)


if __name__ == "__main__":
    main()
