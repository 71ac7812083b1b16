"""Judges that say what a test tells them to, in place of a model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from beleg.core.errors import CandidateError
from beleg.core.inference import JudgeReply, JudgeRequest
from beleg.core.judging import JudgeSpec
from beleg.judges.engine import JudgeEngine
from beleg.judges.panel import Panel
from beleg.judges.sending import Controls
from beleg.judges.store import MemoryStore

Scripted = Mapping[str, Any] | str | JudgeReply | Exception
"""A reply as data, as text, as a whole reply, or a fault that is raised."""

Script = Scripted | Sequence[Scripted] | Callable[[JudgeRequest], Scripted]
"""One reply for every request, replies in turn (the last one stays), or one that follows from the request."""


def spec(**fields: Any) -> JudgeSpec:
    """A judge's description with whatever a test cares about."""
    return JudgeSpec(**{"provider": "scripted", "model": "judge-1", **fields})


class ScriptedModel:
    """Answers by the name of the task; everything it was asked stands in ``requests``."""

    def __init__(self, script: Mapping[str, Script], judge: JudgeSpec | None = None) -> None:
        self._script = dict(script)
        self._spec = judge or spec()
        self._turn: dict[str, int] = {}
        self.requests: list[JudgeRequest] = []

    @property
    def spec(self) -> JudgeSpec:
        return self._spec

    async def ask(self, request: JudgeRequest) -> JudgeReply:
        self.requests.append(request)
        answer = self._answer(request)
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, JudgeReply):
            return answer
        text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        return JudgeReply(text=text, finish_reason="stop", model="judge-1-answered")

    async def close(self) -> None:
        return

    def _answer(self, request: JudgeRequest) -> Scripted:
        if request.schema_name not in self._script:
            raise CandidateError(f"no script for {request.schema_name}", kind="rejected")
        script = self._script[request.schema_name]
        if callable(script):
            return script(request)
        if isinstance(script, Sequence) and not isinstance(script, str):
            turn = self._turn.get(request.schema_name, 0)
            self._turn[request.schema_name] = turn + 1
            return script[min(turn, len(script) - 1)]
        return script


class FakeTime:
    """A clock that only pauses move, so that waiting costs a test no time."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.pauses: list[float] = []

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)


def controls(time: FakeTime | None = None, **chosen: Any) -> Controls:
    """Controls whose pauses take no time."""
    moved = time or FakeTime()
    return Controls(**{"clock": moved.clock, "sleep": moved.sleep, **chosen})


def scripted_panel(script: Mapping[str, Script], **members: Any) -> Panel:
    """A panel whose judge follows a script; embedder and verifier may be given."""
    return Panel(judge=JudgeEngine(ScriptedModel(script), MemoryStore(), controls=controls(), attempts=2), **members)
