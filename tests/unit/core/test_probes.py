"""A record of probes reads back as it was, and its digest tells every change."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from beleg.core.probes import ProbeRecord
from support.judge_models import spec
from support.probe_records import probed


def test_it_reads_back_as_it_was() -> None:
    one = probed()
    again = ProbeRecord.model_validate_json(one.model_dump_json(exclude_none=True))
    assert (again, again.digest) == (one, one.digest)


def test_its_digest_tells_every_change() -> None:
    assert probed(spec(temperature=0.5)).digest != probed().digest
    assert probed(events=3).digest != probed().digest


def test_a_round_without_any_probe_is_no_record() -> None:
    with pytest.raises(ValidationError, match="at least 1 item"):
        probed(reports=())


def test_a_judge_that_is_no_model_has_no_name() -> None:
    assert probed().judge_name == "judge-1"
    assert probed().model_copy(update={"judge": None}).judge_name is None
