from __future__ import annotations

from collections.abc import Callable

import pytest

from beleg.adapters.candidates.callable_candidate import CallableCandidate
from beleg.adapters.candidates.http_candidate import HttpCandidate
from beleg.adapters.candidates.http_spec import HttpSpec
from beleg.adapters.candidates.recorded import RecordedTraces
from beleg.core.manifest import Manifest
from beleg.core.protocols import Candidate, Recording
from beleg.reference.system import ReferenceRag
from support.builders import FunctionCandidate, trace
from unit.reference.test_system import built, settings

MANIFEST = Manifest(name="candidate")
SPEC = HttpSpec(url="http://127.0.0.1:9/ask", request={"q": "{{query.text}}"}, allowed_hosts=("127.0.0.1:9",))


def recorded() -> RecordedTraces:
    return RecordedTraces({("c1", 0): trace()}, manifest=MANIFEST)


def embedded() -> ReferenceRag:
    return built(settings())


ASKED: dict[str, Callable[[], Candidate]] = {
    "callable": lambda: CallableCandidate(lambda query: "yes", manifest=MANIFEST),
    "http": lambda: HttpCandidate(SPEC, manifest=MANIFEST),
    "reference": embedded,
    "one of a test": lambda: FunctionCandidate(lambda query: None),
}


@pytest.mark.parametrize("made", [*ASKED.values(), recorded], ids=[*ASKED, "traces"])
def test_everything_that_can_be_tested_is_a_candidate(made: Callable[[], object]) -> None:
    assert isinstance(made(), Candidate)


def test_recorded_traces_are_taken_as_they_are() -> None:
    assert isinstance(recorded(), Recording)


@pytest.mark.parametrize("made", ASKED.values(), ids=ASKED.keys())
def test_a_system_that_answers_now_is_no_recording(made: Callable[[], object]) -> None:
    assert not isinstance(made(), Recording)


@pytest.mark.parametrize("missing", ["manifest", "answer", "inventory", "close"])
def test_a_system_without_one_of_the_parts_is_no_candidate(missing: str) -> None:
    parts = {name: None for name in ("manifest", "answer", "inventory", "close") if name != missing}
    assert not isinstance(type("Partial", (), parts)(), Candidate)
