"""What it takes to open a sheet of 100,000 claims and filter it, beside reading its lines with pandas.

usage: python benchmarks/bench_sheet.py [--smoke]

20,000 answers with five claims each, half of them German. Opening checks the digest of the whole file; filtering takes
the German claims that nothing supports and that hold a word, and reads the first 20 answers that fit. The peer reads
the same file with pandas, spreads it to one row per claim and filters by the same rule; it checks no digest.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pandas as pd

from measuring import Row, is_smoke, show, spend

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from beleg.app.sheet_index import open_index
from beleg.app.sheet_views import sheet_view
from beleg.core.evidence import EvidenceCase, SupportVerdict
from beleg.core.sheet_export import SheetFilter
from beleg.run.sheet_folder import SheetFolder
from support.q017 import evidence
from support.sheet_data import write_sheet

CASES = 20_000
CLAIMS_A_CASE = 5
BUDGET_S = 1.0
FIRST = 20
WORD = "dauer 7"


def sheet_cases(count: int) -> list[EvidenceCase]:
    """Cases with the claims of the worked example, under ids and with words of their own."""
    model = evidence()
    rows = (*model.claims, model.claims[0])
    made = []
    for number in range(count):
        claims = tuple(
            row.model_copy(update={"case_id": f"c{number}", "claim_id": f"C-{number}-{place}",
                                   "open_note": f"Dauer {number}"})
            for place, row in enumerate(rows)
        )  # fmt: skip
        language = "de" if number % 2 else "en"
        made.append(model.model_copy(update={"case_id": f"c{number}", "language": language, "claims": claims}))
    return made


def ours(run: Path) -> int:
    """Opens, filters, and reads the first answers that fit."""
    wanted = SheetFilter(languages=("de",), machine=(SupportVerdict.NOT_SUPPORTED,), text=WORD)
    view = sheet_view(run, wanted)
    list(view.cases(0, FIRST))
    return view.claims


def with_pandas(run: Path) -> int:
    """The same claims by reading every line; Python's own JSON reader, which is faster here than that of pandas."""
    rows = []
    with (run / "evidence/cases.jsonl").open("rb") as lines:
        for line in lines:
            case = json.loads(line)["evidence"]
            rows += [{**row, "language": case["language"], "question": case["question"]} for row in case["claims"]]
    table = pd.DataFrame(rows)
    verdicts = table["support"].str.get("verdict")
    words = table["question"] + "\n" + table["text"] + "\n" + table["restated"] + "\n" + table["open_note"]
    words += "\n" + table["support"].str.get("rationale") + "\n" + table["attribution"].str.get("rationale")
    fits = (table["language"] == "de") & (verdicts == "not_supported")
    return int(words[fits].str.casefold().str.contains(WORD, regex=False).sum())


def cpu_s(work: Callable[[], object], repeats: int) -> float:
    """The median processor time."""
    return statistics.median(spend(work)[1].cpu_s for _ in range(repeats))


def main() -> int:
    """Measures and prints one table."""
    smoke = is_smoke(__doc__)
    count, repeats = (40, 1) if smoke else (CASES, 5)
    with tempfile.TemporaryDirectory() as folder:
        run = write_sheet(Path(folder) / "run", sheet_cases(count))
        _, built = spend(lambda: open_index(run))
        found, theirs = ours(run), with_pandas(run)
        if found != theirs:
            raise SystemExit(f"the filters differ: {found} and {theirs}")
        size = SheetFolder(run / "evidence").cases_file.stat().st_size
        rows = [
            Row(
                what="opened and filtered, CPU time",
                measured=cpu_s(lambda: ours(run), repeats),
                unit="s",
                budget=BUDGET_S,
                peer="pandas, every line read",
                peer_measured=cpu_s(lambda: with_pandas(run), 1),
            ),
            Row(
                what="index built, once, CPU time", measured=built.cpu_s, unit="s", note="when a sheet is opened first"
            ),
        ]
    setting = f"{count * CLAIMS_A_CASE:,} claims in {count:,} answers, {size / 1e6:,.0f} MB; {found:,} claims fit"
    show("sheet", setting, rows, packages=["pandas", "duckdb", "numpy"], smoke=smoke)
    return 0


if __name__ == "__main__":
    sys.exit(main())
