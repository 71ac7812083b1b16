"""The demo: the released baseline and three candidates of the embedded RAG, and what the policy says of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import beleg
from beleg.app.candidates import open_candidate_file
from beleg.app.gating import GateOutcome, gate_runs
from beleg.app.reporting import WrittenReports, write_reports
from beleg.app.running import OnProgress, RunRequest, StratifiedSubset, run_candidate
from beleg.app.suites import load_suite
from beleg.core.digest import digest_of, digest_of_bytes
from beleg.core.errors import UsageError
from beleg.core.protocols import Candidate
from beleg.core.run import RunSettings
from beleg.core.suite import Suite

CONCURRENCY = 2
SUBSET_SIZE = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoCandidate:
    """One candidate of the demo."""

    name: str
    what_en: str
    what_de: str
    subset: bool = False


BASELINE = DemoCandidate(
    name="released",
    what_en="what is released now: one lexical lane over small passages, cut by size alone",
    what_de="was heute freigegeben ist: eine lexikalische Spur über kleinen Passagen, allein nach Größe geschnitten",
)
CANDIDATES = (
    DemoCandidate(
        name="hybrid",
        what_en="a good change: passages along the structure of the page, a dense lane fused with the lexical one",
        what_de="eine gute Änderung: Passagen entlang der Seitenstruktur, dichte und lexikalische Spur fusioniert",
    ),
    DemoCandidate(
        name="locale-filter",
        what_en="a change that looks harmless: only pages in the asker's locale",
        what_de="eine Änderung, die harmlos aussieht: nur Seiten in der Locale der Fragenden",
    ),
    DemoCandidate(
        name="locale-boost",
        what_en=f"a promising change, tried on a fast subset of about {SUBSET_SIZE} cases only",
        what_de=f"eine vielversprechende Änderung, nur auf einer schnellen Teilmenge von etwa {SUBSET_SIZE} Fällen",
        subset=True,
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoDecision:
    """What became of one candidate."""

    candidate: DemoCandidate
    outcome: GateOutcome
    written: WrittenReports


def shop_folder() -> Path:
    """Where the demo's corpus, suite, policy and candidates are.

    Raises:
        UsageError: if they are neither in the package nor in the checkout.
    """
    package = Path(beleg.__file__).parent
    for place in (package / "examples" / "shop", package.parent.parent / "examples" / "shop"):
        if (place / "policy.yaml").exists():
            return place
    raise UsageError("the demo's files are not here", hint="Run the demo from a checkout of the project")


def run_demo(out: Path, *, language: str, progress_for: Callable[[str], OnProgress | None]) -> Iterator[DemoDecision]:
    """Runs the baseline and yields the decision on each candidate as it is made.

    A run that is there already and was made with the same candidate and suite is not repeated.
    """
    shop = shop_folder()
    suite = load_suite(shop / "suite" / "suite.yaml")
    baseline = _run(shop, BASELINE, suite, out, progress_for)
    for candidate in CANDIDATES:
        run = _run(shop, candidate, suite, out, progress_for)
        outcome = gate_runs(run, baseline, shop / "policy.yaml")
        written = write_reports(outcome, out / candidate.name, language=language)
        yield DemoDecision(candidate=candidate, outcome=outcome, written=written)


def _run(
    shop: Path,
    chosen: DemoCandidate,
    suite: Suite,
    out: Path,
    progress_for: Callable[[str], OnProgress | None],
) -> Path:
    async def open_candidate() -> Candidate:
        return await open_candidate_file(shop / "candidates" / f"{chosen.name}.yaml", concurrency=CONCURRENCY)

    folder = out / "runs" / f"{chosen.name}-{_inputs_digest(shop, chosen, suite)}"
    request = RunRequest(
        open_candidate=open_candidate,
        suite=suite,
        settings=RunSettings(concurrency=CONCURRENCY),
        subset=StratifiedSubset(size=SUBSET_SIZE, seed=0) if chosen.subset else None,
        resume=True,
    )
    run_candidate(request, folder, progress_for(chosen.name))
    return folder


def _inputs_digest(shop: Path, chosen: DemoCandidate, suite: Suite) -> str:
    """A short digest of everything the run depends on, so that a changed demo makes a new run."""
    candidate_file = shop / "candidates" / f"{chosen.name}.yaml"
    corpus = sorted(path for path in (shop / "corpus").rglob("*") if path.is_file())
    parts = [
        suite.digest,
        version("beleg"),
        *(digest_of_bytes(path.read_bytes()) for path in [candidate_file, *corpus]),
    ]
    return digest_of(parts).removeprefix("sha256:")[:10]
