"""How many verdicts a second a review ledger takes from many reviewers at once, and whether it loses one.

Fifty reviewers in five processes of ten threads each, as five servers or teams would have them, on one ledger. The
figures count from the moment when all of them are ready to the last acknowledged verdict.
"""

from __future__ import annotations

import multiprocessing
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from measuring import Row, is_smoke, show

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from beleg.app.review_checkpoints import verify_ledger
from beleg.app.review_ledgers import open_ledger
from support.ledgers import Place, postgres_place, sqlite_place
from support.postgres import OWNER, READER, RECORDER, binaries, running_cluster, short_folder
from support.review_events import action

PROCESSES, THREADS = 5, 10
BUDGET_MS = 1000 / 300
"""300 verdicts a second."""


def reviewers(address: str, name: int, each: int, ready: Any, go: Any) -> None:
    """The threads of one process, each with verdicts on claims of its own."""
    with open_ledger(address) as ledger:

        def review(number: int) -> None:
            for at in range(each):
                one = action(by=f"r{name}-{number}", stream=f"r1/{name}-{number}-{at}")
                ledger.append(one, at=datetime.now(UTC))

        threads = [threading.Thread(target=review, args=(number,)) for number in range(THREADS)]
        ready.release()
        go.wait()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def at_once(place: Place, each: int) -> float:
    """Milliseconds a verdict with all reviewers at once; nothing may be lost."""
    spawn = multiprocessing.get_context("spawn")
    ready, go = spawn.Semaphore(0), spawn.Event()
    with place.open() as ledger:
        before = ledger.head().size
        processes = [
            spawn.Process(target=reviewers, args=(place.address, name, each, ready, go)) for name in range(PROCESSES)
        ]
        for process in processes:
            process.start()
        for _ in processes:
            ready.acquire()
        start = time.perf_counter()
        go.set()
        for process in processes:
            process.join()
        took = time.perf_counter() - start
        count = PROCESSES * THREADS * each
        assert ledger.head().size == before + count, "a verdict was lost"
        assert verify_ledger(ledger).is_whole
    return took * 1000 / count


def alone(place: Place, count: int) -> float:
    """Milliseconds a verdict of one reviewer alone."""
    with place.open() as ledger:
        start = time.perf_counter()
        for at in range(count):
            ledger.append(action(by="alone", stream=f"r1/alone-{at}"), at=datetime.now(UTC))
        return (time.perf_counter() - start) * 1000 / count


def imported(place: Place, count: int) -> tuple[float, float]:
    """Milliseconds a verdict of one import, and milliseconds an event of the verification of the whole ledger."""
    with place.open() as ledger:
        many = tuple(action(by="import", stream=f"r1/import-{at}") for at in range(count))
        start = time.perf_counter()
        ledger.append_all(many, at=datetime.now(UTC))
        took = time.perf_counter() - start
        start = time.perf_counter()
        size = verify_ledger(ledger).size
        return took * 1000 / count, (time.perf_counter() - start) * 1000 / size


def rows_of(name: str, place: Place, each: int) -> list[Row]:
    """The figures of one database."""
    many = each * 50
    told: Callable[[float], str] = lambda ms: f"{1000 / ms:,.0f} a second"  # noqa: E731
    together, single = at_once(place, each), alone(place, many // 10)
    written, verified = imported(place, many)
    return [
        Row(
            what=f"{name}: a verdict of 50 reviewers at once",
            measured=together,
            unit="ms",
            budget=BUDGET_MS if name == "PostgreSQL" else None,
            note=told(together),
        ),
        Row(what=f"{name}: a verdict of one alone", measured=single, unit="ms", note=told(single)),
        Row(what=f"{name}: a verdict of an import of {many:,}", measured=written, unit="ms", note=told(written)),
        Row(what=f"{name}: an event verified", measured=verified, unit="ms", note=told(verified)),
    ]


def main() -> None:
    """Measures both databases."""
    smoke = is_smoke(__doc__)
    each = 2 if smoke else 60
    rows: list[Row] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        rows += rows_of("SQLite", sqlite_place(folder), each)
        if binaries() is None:
            rows.append(Row(what="PostgreSQL", measured=None, unit="ms", note="PostgreSQL is not installed"))
        else:
            cluster = stack.enter_context(running_cluster(stack.enter_context(short_folder()), is_durable=True))
            for role in (OWNER, RECORDER, READER):
                cluster.sql(f"CREATE ROLE {role} LOGIN")
            rows += rows_of("PostgreSQL", postgres_place(cluster), each)
    setting = f"{PROCESSES} processes × {THREADS} reviewers × {each} verdicts; every commit reaches the disk"
    show("ledger", setting, rows, packages=("sqlalchemy", "pg8000"), smoke=smoke)


if __name__ == "__main__":
    main()
