from __future__ import annotations

import pytest

from beleg.core.judging import JudgeFault
from beleg.judges.outage import OUTAGE_REQUESTS, OUTAGE_S, REJECTIONS, Outage


def fail(outage: Outage, fault: JudgeFault | None, times: int, *, start: float = 0.0, every: float = 1.0) -> None:
    for number in range(times):
        outage.note(fault, "gone away", now=start + number * every)


@pytest.mark.parametrize("fault", [JudgeFault.UNREACHABLE, JudgeFault.SERVER_ERROR, JudgeFault.TIMEOUT])
def test_a_judge_that_serves_nothing_for_a_while_is_asked_no_more(fault: JudgeFault) -> None:
    outage = Outage()
    fail(outage, fault, OUTAGE_REQUESTS + 5)
    assert outage.stopped is not None
    kind, reason = outage.stopped
    assert kind is JudgeFault.UNREACHABLE
    assert reason == f"not asked: 21 requests in a row failed within 20 s; the last: {fault.value}: gone away"


def test_a_short_outage_is_waited_out_however_many_requests_fail() -> None:
    outage = Outage()
    fail(outage, JudgeFault.UNREACHABLE, 500, every=(OUTAGE_S - 1) / 500)
    assert outage.stopped is None


def test_a_few_slow_failures_are_no_outage() -> None:
    outage = Outage()
    fail(outage, JudgeFault.TIMEOUT, OUTAGE_REQUESTS - 1, every=120.0)
    assert outage.stopped is None


def test_one_reply_ends_the_row_also_one_that_cannot_be_used() -> None:
    outage = Outage()
    for start in range(0, 1_000, 30):
        fail(outage, JudgeFault.SERVER_ERROR, 19, start=float(start))
        outage.note(None, None, now=start + 20.0)
    assert outage.stopped is None


def test_an_account_that_is_used_up_stops_at_once() -> None:
    outage = Outage()
    fail(outage, JudgeFault.QUOTA_EXHAUSTED, 1)
    assert outage.stopped == (JudgeFault.QUOTA_EXHAUSTED, "not asked: the account may ask no more (gone away)")


def test_a_server_that_refuses_everything_is_asked_no_more() -> None:
    outage = Outage()
    fail(outage, JudgeFault.REJECTED, REJECTIONS - 1, every=0.0)
    assert outage.stopped is None
    fail(outage, JudgeFault.REJECTED, 1)
    assert outage.stopped is not None
    assert outage.stopped[0] is JudgeFault.REJECTED


def test_a_limit_for_the_minute_is_no_outage_but_one_that_never_ends_is() -> None:
    outage = Outage()
    fail(outage, JudgeFault.RATE_LIMITED, 100, every=5.0)
    assert outage.stopped is None
    fail(outage, JudgeFault.RATE_LIMITED, 30, start=500.0, every=5.0)
    assert outage.stopped is not None
    assert outage.stopped[0] is JudgeFault.RATE_LIMITED


def test_the_first_reason_stays() -> None:
    outage = Outage()
    fail(outage, JudgeFault.QUOTA_EXHAUSTED, 1)
    fail(outage, JudgeFault.REJECTED, REJECTIONS)
    assert outage.stopped is not None
    assert outage.stopped[0] is JudgeFault.QUOTA_EXHAUSTED
