"""Fifty reviewers who save at once through ``beleg serve``, and whether an event is lost or made twice.

The server runs in a process of its own and the reviewers in this one. Each has claims of their own. All open one, all
save their verdict at the same moment, all send the same form a second time, as an impatient press of the button does,
and all go on to the next.
"""

from __future__ import annotations

import asyncio
import html
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import aiohttp

from measuring import Row, is_smoke, show

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from beleg.app.review_checkpoints import verify_ledger
from beleg.app.review_ledgers import open_ledger
from beleg.app.workbench.review_room import LEDGER_FILE
from support.review_projects import RUN_ID, events_of, review_project
from support.review_runs import q017_case

REVIEWERS = 50
SAVE_BUDGET_MS = 250.0
CLAIMS_A_CASE = 4


class Reviewer:
    """One of those who save at once."""

    def __init__(self, session: aiohttp.ClientSession, base: str) -> None:
        self.session, self.base = session, base
        self.address, self.form = "", dict[str, str]()
        self.opened: list[float] = []
        self.saved: list[float] = []
        self.again: list[float] = []

    async def open(self, claim_id: str) -> None:
        """Opens a claim and writes a verdict into its form."""
        self.address = f"{self.base}/review/{RUN_ID}/claims/{claim_id}?queue=all"
        start = time.perf_counter()
        async with self.session.get(self.address) as answer:
            page = await answer.text()
            assert answer.status == 200, page
        self.opened.append((time.perf_counter() - start) * 1000)
        self.form = _hidden(page) | {"support": "supported", "support_rationale": f"Read {claim_id}."}

    async def save(self, took: list[float]) -> None:
        """Sends the form."""
        start = time.perf_counter()
        async with self.session.post(self.address, data=self.form, allow_redirects=False) as answer:
            assert answer.status == 303, await answer.text()
        took.append((time.perf_counter() - start) * 1000)


def _hidden(page: str) -> dict[str, str]:
    part = next(each for each in re.findall(r"<form.*?</form>", page, re.DOTALL) if 'value="verdict"' in each)
    fields = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', part)
    return {name: html.unescape(value) for name, value in fields}


async def at_once(base: str, sign_in: str, claims: list[str]) -> list[Reviewer]:
    """All reviewers, each with their share of the claims."""
    connector = aiohttp.TCPConnector(limit=REVIEWERS)
    async with aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        async with session.get(sign_in) as answer:
            assert answer.status == 200
        people = [Reviewer(session, base) for _ in range(REVIEWERS)]
        for at in range(0, len(claims), REVIEWERS):
            some = list(zip(people, claims[at : at + REVIEWERS], strict=False))
            await asyncio.gather(*(person.open(claim_id) for person, claim_id in some))
            await asyncio.gather(*(person.save(person.saved) for person, _ in some))
            await asyncio.gather(*(person.save(person.again) for person, _ in some))
    return people


def _project(folder: Path, claims: int) -> tuple[Path, list[str]]:
    case = q017_case()
    cases = [
        case.model_copy(
            update={
                "case_id": f"Q-{at}",
                "claims": tuple(
                    row.model_copy(update={"case_id": f"Q-{at}", "claim_id": f"C-{at}-{place}"})
                    for place, row in enumerate(case.claims, start=1)
                ),
            }
        )
        for at in range(-(-claims // CLAIMS_A_CASE))
    ]
    names = [row.claim_id for each in cases for row in each.claims]
    return review_project(folder, *cases), names


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def main() -> None:
    """Measures saving and opening."""
    smoke = is_smoke(__doc__)
    claims = REVIEWERS * (1 if smoke else 20)
    with tempfile.TemporaryDirectory() as folder:
        project, names = _project(Path(folder), claims)
        command = [sys.executable, "-m", "beleg", "serve", str(project), "--port", "0", "--person", "ada"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                found = re.search(r"(http://[^/]+)/sign-in\S+", server.stdout.readline())
                assert found is not None
                people = asyncio.run(at_once(found.group(1), found.group(), names))
            finally:
                server.terminate()
        streams = [event.action.stream for event in events_of(project)]
        assert sorted(streams) == sorted(f"{RUN_ID}/{name}" for name in names), "an event was lost or made twice"
        with open_ledger(str(project / LEDGER_FILE), is_read_only=True) as ledger:
            assert verify_ledger(ledger).is_whole
    saved, opened = ([value for each in people for value in getattr(each, name)] for name in ("saved", "opened"))
    rows = [
        Row(
            what="a verdict saved, 50 at once, p95",
            measured=_p95(saved),
            unit="ms",
            budget=SAVE_BUDGET_MS,
            note=f"median {statistics.median(saved):.0f} ms; {len(names):,} verdicts sent twice, one event each",
        ),
        Row(
            what="a claim opened, 50 at once, p95",
            measured=_p95(opened),
            unit="ms",
            budget=None,
            note=f"median {statistics.median(opened):.0f} ms",
        ),
    ]
    setting = (
        f"{REVIEWERS} reviewers without a pause, {len(names):,} claims, one server process, every commit on the disk"
    )
    show("review_web", setting, rows, packages=("fastapi", "uvicorn", "sqlalchemy"), smoke=smoke)


if __name__ == "__main__":
    main()
