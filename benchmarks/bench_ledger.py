"""How many verdicts 50 reviewers record at once on one ledger, in PostgreSQL and in SQLite, and whether any is lost.

usage: python benchmarks/bench_ledger.py [--smoke]
"""

from __future__ import annotations

import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import pg8000.native

from beleg.adapters.stores.review_ledger import SqlReviewLedger
from beleg.adapters.stores.review_postgres import create_postgres_ledger, open_postgres_ledger
from beleg.adapters.stores.review_sqlite import open_sqlite_ledger
from beleg.core.review import StreamMovedOn
from beleg.evidence.review_chain import verify_chain
from measuring import Row, is_smoke, show
from support.postgres import OWNER, RECORDER, Cluster, binaries, running_cluster, short_folder
from support.review_events import WHEN, action

PER_SECOND = 300
REVIEWERS_PER_CLAIM = 2
FORK = multiprocessing.get_context("fork")


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many people do how much."""

    reviewers: int
    verdicts: int
    """By each reviewer."""


FULL = Sizes(50, 60)
SMOKE = Sizes(4, 5)


def review(opened: Callable[[], SqlReviewLedger], number: int, sizes: Sizes, together: object) -> None:
    """One reviewer in a process with a connection of its own."""
    ledger = opened()
    ledger.head()
    together.wait()
    for place in range(sizes.verdicts):
        record(ledger, number, place)
    ledger.close()


def review_in_thread(ledger: SqlReviewLedger, number: int, sizes: Sizes) -> None:
    """One reviewer of a server that serves all of them by one ledger."""
    for place in range(sizes.verdicts):
        record(ledger, number, place)


def record(ledger: SqlReviewLedger, number: int, place: int) -> None:
    """Looks at a claim and records a verdict, and looks again where somebody was quicker."""
    stream = f"r1/C-{number // REVIEWERS_PER_CLAIM}-{place}"
    while True:
        version = len(ledger.stream(stream))
        try:
            ledger.append(action(by=f"P{number}", stream=stream, version=version), at=WHEN)
        except StreamMovedOn:
            continue
        return


def served_s(opened: Callable[[], SqlReviewLedger], sizes: Sizes) -> float:
    """Seconds of the same with all reviewers as threads of one process."""
    with opened() as ledger, ThreadPoolExecutor(sizes.reviewers) as people:
        began = time.perf_counter()
        done = [people.submit(review_in_thread, ledger, number, sizes) for number in range(sizes.reviewers)]
        for each in done:
            each.result()
        took = time.perf_counter() - began
    require_all(opened, sizes)
    return took


def require_all(opened: Callable[[], SqlReviewLedger], sizes: Sizes) -> None:
    """Ends if a verdict is lost, or the chain is broken."""
    with opened() as ledger:
        events = ledger.events()
        finding = verify_chain(events, ledger=ledger.head().ledger)
    said = {(event.action.actor, event.action.stream) for event in events}
    if not finding.is_whole or len(events) != len(said) or len(said) != sizes.reviewers * sizes.verdicts:
        raise SystemExit(f"{len(said)} of {sizes.reviewers * sizes.verdicts} verdicts are there; chain: {finding}")


def measured_s(opened: Callable[[], SqlReviewLedger], sizes: Sizes) -> float:
    """Seconds from the moment when all reviewers are ready until the last one is done; ends if anything is lost."""
    together = FORK.Barrier(sizes.reviewers + 1)
    people = [FORK.Process(target=review, args=(opened, number, sizes, together)) for number in range(sizes.reviewers)]
    for person in people:
        person.start()
    together.wait()
    began = time.perf_counter()
    for person in people:
        person.join()
    took = time.perf_counter() - began
    if any(person.exitcode for person in people):
        raise SystemExit("a reviewer failed")
    require_all(opened, sizes)
    return took


def bare_insert_s(cluster: Cluster, inserts: int) -> float:
    """Seconds of one bare insert with its own commit, by one connection to which nobody else is in the way."""
    connection = pg8000.native.Connection("postgres", unix_sock=str(cluster.socket), database="postgres")
    connection.run("CREATE TABLE bare (number bigint PRIMARY KEY, content text)")
    content = action().model_dump_json()
    began = time.perf_counter()
    for number in range(inserts):
        connection.run("INSERT INTO bare VALUES (:number, :content)", number=number, content=content)
    took = time.perf_counter() - began
    connection.close()
    return took / inserts


@contextmanager
def cluster() -> Iterator[Cluster]:
    """A private server with the roles of a ledger."""
    with short_folder() as folder, running_cluster(folder) as running:
        for role in (OWNER, RECORDER):
            running.sql(f"CREATE ROLE {role} LOGIN")
        for name in ("reviews", "served"):
            running.sql(f"CREATE DATABASE {name} OWNER {OWNER}")
            create_postgres_ledger(running.address(OWNER, name), {}, grant_to=(RECORDER,))
        yield running


def row(what: str, took_s: float, sizes: Sizes, peer_ms: float | None = None) -> Row:
    """One figure by verdict, and in words by second."""
    total = sizes.reviewers * sizes.verdicts
    return Row(
        what=f"{what}: one verdict", measured=1_000 * took_s / total, unit="ms",
        budget=None if peer_ms is None else 1_000 / PER_SECOND,
        peer=None if peer_ms is None else "one bare insert and commit, alone", peer_measured=peer_ms,
        note=f"{total / took_s:,.0f} verdicts/s; all {total:,} are there and the chain is whole",
    )  # fmt: skip


def main() -> None:
    """Measures both databases with the same people and verdicts."""
    smoke = is_smoke(__doc__)
    sizes = SMOKE if smoke else FULL
    rows: list[Row] = []
    if binaries() is None:
        rows.append(Row(what="PostgreSQL: one verdict", measured=None, unit="ms", note="PostgreSQL is not installed"))
    else:
        with cluster() as running:
            address, served = running.address(RECORDER, "reviews"), running.address(RECORDER, "served")
            took = measured_s(lambda: open_postgres_ledger(address, {}, connections=1), sizes)
            bare = 1_000 * bare_insert_s(running, 20 if smoke else 500)
            rows.append(row("PostgreSQL, processes", took, sizes, bare))
            rows.append(
                row("PostgreSQL, one server", served_s(lambda: open_postgres_ledger(served, {}), sizes), sizes, bare)
            )
    with tempfile.TemporaryDirectory() as folder:
        for how, measure in (("processes", measured_s), ("one server", served_s)):
            path = Path(folder) / f"{how}.db"
            open_sqlite_ledger(path).close()
            took = measure(lambda path=path: open_sqlite_ledger(path), sizes)
            rows.append(row(f"SQLite, {how}", took, sizes))
    setting = (
        f"{sizes.reviewers} reviewers, {sizes.verdicts} verdicts each, {REVIEWERS_PER_CLAIM} to a claim; as processes "
        "with a connection of their own, and as threads of one server. Every verdict is looked up, recorded in a "
        "transaction, and on the disk when that returns."
    )
    show("ledger", setting, rows, packages=("sqlalchemy", "pg8000"), smoke=smoke)


if __name__ == "__main__":
    main()
