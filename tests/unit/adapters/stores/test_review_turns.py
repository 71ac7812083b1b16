"""Threads that wait for one ledger: each request is carried out once, and a fault befalls those it concerns."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest

from beleg.adapters.stores.review_turns import MOST, Request, Turns
from beleg.core.errors import EvidenceError
from beleg.core.review import ReviewEvent
from support.review_events import WHEN, action, chain

EVENT = chain(action())


def request(actions: int = 1) -> Request:
    return Request(tuple(action() for _ in range(actions)), WHEN)


def in_threads(turns: Turns, requests: Sequence[Request]) -> list[tuple[ReviewEvent, ...] | Exception]:
    found: list[tuple[ReviewEvent, ...] | Exception] = []

    def serve(one: Request) -> None:
        try:
            found.append(turns.served(one))
        except EvidenceError as error:
            found.append(error)

    threads = [threading.Thread(target=serve, args=(one,)) for one in requests]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def test_every_request_is_carried_out_once_and_one_thread_writes_at_a_time() -> None:
    written: list[Request] = []
    writing = threading.Lock()

    def write(batch: Sequence[Request]) -> None:
        assert writing.acquire(blocking=False)
        for one in batch:
            one.events = EVENT
            written.append(one)
        writing.release()

    requests = [request() for _ in range(40)]
    assert in_threads(Turns(write), requests) == [EVENT] * 40
    assert {id(one) for one in written} == {id(one) for one in requests}
    assert len(written) == 40


def test_those_who_wait_are_carried_out_together_within_a_bound() -> None:
    sizes: list[int] = []
    first, gate = threading.Event(), threading.Event()

    def write(batch: Sequence[Request]) -> None:
        first.set()
        gate.wait()
        sizes.append(sum(len(one.actions) for one in batch))
        for one in batch:
            one.events = EVENT

    turns = Turns(write)
    leader = threading.Thread(target=turns.served, args=(request(),))
    leader.start()
    first.wait()
    waiting = [threading.Thread(target=turns.served, args=(request(MOST // 2),)) for _ in range(4)]
    for thread in waiting:
        thread.start()
    while len(turns._waiting) < 4:
        pass
    gate.set()
    for thread in (leader, *waiting):
        thread.join()
    assert sizes == [1, MOST, MOST]


def test_a_fault_of_the_database_befalls_the_batch_and_the_next_one_goes_on() -> None:
    faults = iter([EvidenceError("the disk is full"), None])

    def write(batch: Sequence[Request]) -> None:
        fault = next(faults)
        if fault is not None:
            raise fault
        for one in batch:
            one.events = EVENT

    turns = Turns(write)
    with pytest.raises(EvidenceError, match="disk is full"):
        turns.served(request())
    assert turns.served(request()) == EVENT


def test_a_writer_that_is_interrupted_leaves_nobody_waiting() -> None:
    def write(_: Sequence[Request]) -> None:
        raise KeyboardInterrupt

    turns, one = Turns(write), request()
    with pytest.raises(KeyboardInterrupt):
        turns.served(one)
    assert one.refusal is not None
    assert "send the same action again" in one.refusal.diagnostics().lower()
    with pytest.raises(KeyboardInterrupt):
        turns.served(request())
