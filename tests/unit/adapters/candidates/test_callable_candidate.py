"""Python callables as candidates."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from beleg.adapters.candidates.callable_candidate import CallableCandidate, load_callable
from beleg.adapters.candidates.outputs import CandidateTimeout, as_output
from beleg.core.errors import CandidateError, InvalidOutput, UsageError
from beleg.core.manifest import Manifest
from beleg.core.trace import Output, Passage, Query

MANIFEST = Manifest(name="candidate")
QUERY = Query(case_id="c1", text="q")
PASSAGE = Passage(passage_id="p", document_id="d")


def _ask(function: Any, concurrency: int = 2) -> Output:
    candidate = CallableCandidate(function, manifest=MANIFEST, concurrency=concurrency)
    return asyncio.run(candidate.answer(QUERY))


@pytest.mark.parametrize(
    ("returned", "expected"),
    [
        (Output(answer="a"), Output(answer="a")),
        ({"answer": "a", "retrieved": [PASSAGE]}, Output(answer="a", retrieved=(PASSAGE,))),
        ("a", Output(answer="a")),
        ("", Output(answer="")),
        ([PASSAGE], Output(retrieved=(PASSAGE,))),
        (["d"], Output(retrieved=(Passage(passage_id="d", document_id="d"),))),
        ([], Output()),
        (([PASSAGE], "a"), Output(retrieved=(PASSAGE,), answer="a")),
        (([], None), Output()),
        (
            {"retrieved": [{"passage_id": "p", "document_id": "d", "score": np.float32(0.5)}]},
            Output(retrieved=(PASSAGE.model_copy(update={"score": 0.5}),)),
        ),
    ],
)
def test_each_form_of_return_value_is_taken(returned: object, expected: Output) -> None:
    assert _ask(lambda query: returned) == expected


@pytest.mark.parametrize(
    ("returned", "words"),
    [
        (None, "nothing"),
        (3, "int: 3"),
        (object, "type: <class 'object'>"),
        (("a", []), "tuple"),
        (([], "a", "b"), "tuple"),
        ([3], r"retrieved\[0\]"),
        ({3: "a"}, "keys must be text"),
        (
            {"retrieved": [{"passage_id": "p", "document_id": "d", "score": float("nan")}]},
            r"retrieved\[0\].score.*finite",
        ),
        ({"answer": b"a"}, "bytes"),
        ({"answer": "\ud800"}, "surrogate"),
        (Output.model_construct(answer=3), "answer"),
        ({"stage_ms": {"search": -1}}, "stage_ms.search"),
    ],
)
def test_anything_else_is_refused_with_what_it_was(returned: object, words: str) -> None:
    with pytest.raises(InvalidOutput, match=words):
        as_output(returned)


def test_a_list_within_itself_is_refused() -> None:
    endless: list[object] = []
    endless.append(endless)
    with pytest.raises(InvalidOutput, match="deeper than"):
        as_output({"retrieved": endless})


def _raising(fault: BaseException) -> Any:
    def answer(query: Query) -> str:
        raise fault

    return answer


@pytest.mark.parametrize("fault", [ValueError("x"), SystemExit(3), StopIteration(), KeyError("k"), RecursionError()])
def test_whatever_it_raises_is_a_fault_of_the_candidate(fault: BaseException) -> None:
    with pytest.raises(CandidateError) as raised:
        _ask(_raising(fault))
    assert raised.value.kind == "raised"
    assert type(fault).__name__ in str(raised.value)


def test_its_own_time_limit_is_a_timeout() -> None:
    with pytest.raises(CandidateTimeout):
        _ask(_raising(TimeoutError("upstream")))


def test_its_own_candidate_error_passes_unchanged() -> None:
    own = CandidateError("busy", kind="busy", retryable=True, retry_after_s=2.0)
    with pytest.raises(CandidateError) as raised:
        _ask(_raising(own))
    assert raised.value is own


def test_an_object_with_an_async_call_and_a_function_that_gives_a_coroutine_are_awaited() -> None:
    class Rag:
        async def __call__(self, query: Query) -> str:
            return "async"

    assert _ask(Rag()).answer == "async"
    assert _ask(lambda query: Rag()(query)).answer == "async"


def test_no_more_blocking_calls_run_than_there_are_places() -> None:
    running, most, lock = 0, 0, threading.Lock()
    both = threading.Barrier(2, timeout=5)

    def answer(query: Query) -> str:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        both.wait()
        with lock:
            running -= 1
        return "a"

    async def scenario() -> None:
        candidate = CallableCandidate(answer, manifest=MANIFEST, concurrency=2)
        await asyncio.gather(*(candidate.answer(QUERY) for _ in range(8)))

    asyncio.run(scenario())
    assert most == 2


def test_calls_that_never_end_are_counted_and_then_refused() -> None:
    release = threading.Event()

    async def scenario() -> None:
        candidate = CallableCandidate(lambda query: release.wait(10), manifest=MANIFEST, concurrency=1)
        for _ in range(5):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.02):
                    await candidate.answer(QUERY)
        with pytest.raises(CandidateError) as raised:
            await candidate.answer(QUERY)
        assert raised.value.kind == "calls_do_not_end"

    try:
        asyncio.run(scenario())
    finally:
        release.set()


def test_a_callable_can_be_used_in_one_event_loop_after_another() -> None:
    candidate = CallableCandidate(lambda query: time.sleep(0.005) or "a", manifest=MANIFEST, concurrency=1)

    async def scenario() -> list[Output]:
        return await asyncio.gather(*(candidate.answer(QUERY) for _ in range(4)))

    for _ in range(3):
        assert asyncio.run(scenario()) == [Output(answer="a")] * 4


def test_two_event_loops_at_a_time_each_have_their_places() -> None:
    both = threading.Barrier(2, timeout=5)
    candidate = CallableCandidate(lambda query: str(both.wait() >= 0), manifest=MANIFEST, concurrency=1)
    answers: list[Output] = []
    threads = [threading.Thread(target=lambda: answers.append(asyncio.run(candidate.answer(QUERY)))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [Output(answer="True")] * 2


class TestLoading:
    def test_finds_a_function_in_a_project_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "path", list(sys.path))
        (tmp_path / "beleg_test_rag.py").write_text(
            "class A:\n    @staticmethod\n    def b(query):\n        return 'a'\n"
        )
        assert load_callable("beleg_test_rag:A.b", search_in=tmp_path)(QUERY) == "a"

    def test_never_puts_the_folder_before_installed_packages(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sys, "path", list(sys.path))
        (tmp_path / "colorsys.py").write_text("raise RuntimeError\n")
        assert load_callable("colorsys:rgb_to_hsv", search_in=tmp_path)

    @pytest.mark.parametrize("target", ["json", "json:", ":loads", "json loads", "json:loads()", "../x:y", "a..b:c"])
    def test_refuses_what_is_no_name(self, target: str) -> None:
        with pytest.raises(UsageError, match="does not name a callable"):
            load_callable(target)

    @pytest.mark.parametrize(
        ("target", "words"),
        [
            ("no_such_module_here:f", "no module no_such_module_here"),
            ("json.no_such_part:f", "no module json.no_such_part"),
            ("json:no_such", "has no no_such"),
            ("json:__name__", "not a callable"),
        ],
    )
    def test_says_what_is_missing(self, target: str, words: str) -> None:
        with pytest.raises(UsageError, match=words):
            load_callable(target)

    @pytest.mark.parametrize(
        ("source", "words"),
        [("1/0", "ZeroDivisionError"), ("import no_such_dependency", "no_such_dependency"), ("def", "SyntaxError")],
    )
    def test_says_why_importing_failed(
        self, source: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sys, "path", list(sys.path))
        name = f"beleg_test_broken_{len(source)}"
        (tmp_path / f"{name}.py").write_text(source)
        with pytest.raises(UsageError, match=words):
            load_callable(f"{name}:f", search_in=tmp_path)
