"""The engine: one question to one judge, asked until the reply is whole or the attempts are used up."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Protocol, Self, TypeVar, cast

from pydantic import ValidationError

from beleg.core.errors import shown
from beleg.core.inference import JudgeModel, JudgeReply, JudgeRequest
from beleg.core.judging import FAULT_STATUS, Attempt, Call, JudgeFault, JudgeSpec, TaskReference
from beleg.core.score import Score
from beleg.judges.budget import Spending
from beleg.judges.keys import key_base, key_of
from beleg.judges.prompting import Prompt, load_prompt, messages_for, prompt_language
from beleg.judges.replies import read_reply
from beleg.judges.sending import MAX_MESSAGE_CHARS, Controls, Gateway, Sender, Sent
from beleg.judges.store import CallStore, ReplayModel, ReplayStore
from beleg.judges.task import Flaw, JudgeTask, Reply

MOST_TIMES_MAX_TOKENS = 4
"""Up to how many times the usual limit a reply that was cut off may take."""
TOP_LOGPROBS = 20
"""How many alternatives are asked for at each position of a graded reply."""
RECORDED_IN_A_ROW = 16
"""How many recorded replies are given, a few milliseconds' worth, before the event loop has its turn."""

QuestionT = TypeVar("QuestionT")
ReplyT = TypeVar("ReplyT", bound=Reply)
AnyTask = JudgeTask[Any, Any]

Distribution = Callable[[JudgeReply, AnyTask], Mapping[str, float] | None]
"""From the tokens of a graded reply to the probability of each grade."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged(Generic[ReplyT]):
    """How a question to a judge ended: with a whole reply, or with the fault of the last attempt."""

    call: Call
    reply: ReplyT | None
    is_recorded: bool = False
    """Whether the reply was found in the store, and nothing was asked."""

    @property
    def fault(self) -> JudgeFault | None:
        """Why there is no reply."""
        return self.call.fault

    def score_without(self) -> Score:
        """The reason that a score gets where this question was not answered."""
        fault = self.fault or JudgeFault.NOT_RECORDED
        last = self.call.attempts[-1].message if self.call.attempts else None
        asked = sum(attempt.latency_ms is not None for attempt in self.call.attempts)
        times = "once" if asked == 1 else f"{asked} times"
        detail = f"{self.call.task.task}: {fault.value}, asked {times}: {last}"
        return Score.without(FAULT_STATUS[fault], detail)


class Asker(Protocol):
    """Whoever can put a task to a judge: the engine, or a stand-in."""

    @property
    def spec(self) -> JudgeSpec:
        """The judge that is asked."""
        ...

    async def ask(
        self, task: JudgeTask[QuestionT, ReplyT], question: QuestionT, *, language: str | None = None, sample: int = 0
    ) -> Judged[ReplyT]:
        """Asks one question; a fault of the judge is part of the result and never raised."""
        ...


@dataclass(slots=True)
class Tally:
    """What an engine did so far, for whoever waits."""

    questions: int = 0
    """How many questions were put, in all."""
    recorded: int = 0
    """How many were answered from the store, or together with an equal question under way."""
    unanswered: Counter[JudgeFault] = field(default_factory=Counter)
    """The questions without a whole reply, by fault."""
    repeats: Counter[JudgeFault] = field(default_factory=Counter)
    """The attempts that failed and were followed by another, by fault."""


@dataclass(frozen=True, slots=True)
class _Wording:
    """What stays the same for all questions of a task in one language."""

    prompt: Prompt
    reference: TaskReference
    key_base: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked(Generic[QuestionT, ReplyT]):
    """One question on its way."""

    task: JudgeTask[QuestionT, ReplyT]
    question: QuestionT
    request: JudgeRequest
    call: Call


class JudgeEngine:
    """Asks a judge, again where that may help, and keeps every attempt.

    One engine serves all measures of a run, so that limits and budget hold for all of them together. Questions that are
    equal and under way at the same time are asked once.

    Args:
        model: the judge.
        store: what was answered before is taken from it, and every call that was sent is put into it.
        controls: limits, budget, clock and chance.
        attempts: how often one question is put in all; left out: as the limits say.
        distribution: reads the probabilities of the grades out of a graded reply that came with log probabilities.
    """

    def __init__(
        self,
        model: JudgeModel,
        store: CallStore,
        *,
        controls: Controls | None = None,
        attempts: int | None = None,
        distribution: Distribution | None = None,
    ) -> None:
        chosen = controls or Controls()
        self._model = model
        self._store = store
        self._attempts = attempts or chosen.limits.attempts
        self._distribution = distribution
        self._sender = Sender(model, chosen)
        self._spec = model.spec
        self._wordings: dict[tuple[str, str, str, str], _Wording] = {}
        self._under_way: dict[str, asyncio.Future[Judged[Any]]] = {}
        self.tally = Tally()

    @classmethod
    def replaying(cls, spec: JudgeSpec, store: CallStore, *, distribution: Distribution | None = None) -> Self:
        """An engine that gives recorded replies only; what is not recorded ends as ``not_recorded``.

        It holds no connection, and the store is not written to.

        Args:
            spec: the judge that gave the replies.
            store: the record.
            distribution: as for any engine.
        """
        return cls(ReplayModel(spec), ReplayStore(store), controls=Controls(is_replay=True), distribution=distribution)

    @property
    def spec(self) -> JudgeSpec:
        """The judge that is asked."""
        return self._spec

    @property
    def gateway(self) -> Gateway:
        """The way to the judge, whose limits and budget other models may share."""
        return self._sender

    @property
    def spending(self) -> Spending:
        """What was spent so far."""
        return self._sender.budget.spending

    @property
    def stopped(self) -> tuple[JudgeFault, str] | None:
        """Why nothing more is asked: the judge is gone, its account is used up, or the budget is."""
        return self._sender.stopped

    async def ask(
        self, task: JudgeTask[QuestionT, ReplyT], question: QuestionT, *, language: str | None = None, sample: int = 0
    ) -> Judged[ReplyT]:
        """Asks one question; a fault of the judge is part of the result and never raised.

        Args:
            task: what is asked.
            question: the row's data.
            language: the language of the row; it chooses the language of the prompt.
            sample: which repetition this is; each is asked and kept by itself.

        Raises:
            EvidenceError: if the store cannot be read or written.
        """
        wording = self._wording(task, language)
        messages = messages_for(wording.prompt, task.parts(question))
        key = key_of(wording.key_base, messages, sample)
        self.tally.questions += 1
        while True:
            known = self._known(task, question, key)
            if known is not None:
                self.tally.recorded += 1
                if self.tally.recorded % RECORDED_IN_A_ROW == 0:
                    # What is recorded needs no waiting; replies under way and an interrupt must get their turn.
                    await asyncio.sleep(0)
                return known
            other = self._under_way.get(key)
            if other is None:
                break
            # Waits without taking part: whoever asks may be cancelled, and then this question is put by itself.
            await asyncio.wait([other])
            if not other.cancelled():
                self.tally.recorded += 1
                return replace(cast("Judged[ReplyT]", other.result()), is_recorded=True)
        seed = None if self._spec.seed is None else self._spec.seed + sample
        request = JudgeRequest(
            messages=messages,
            schema_name=task.name,
            schema=task.schema,
            max_tokens=self._spec.max_tokens,
            seed=seed,
            top_logprobs=TOP_LOGPROBS if task.graded_field else 0,
        )
        sent = tuple((message.role, message.content) for message in messages)
        call = Call(key=key, judge=self._spec, task=wording.reference, messages=sent)
        return await self._lead(_Asked(task=task, question=question, request=request, call=call))

    def _wording(self, task: JudgeTask[QuestionT, ReplyT], language: str | None) -> _Wording:
        spoken = prompt_language(language)
        name = (task.name, task.version, spoken, task.schema_digest)
        found = self._wordings.get(name)
        if found is None:
            prompt = load_prompt(task.name, spoken)
            reference = TaskReference(
                task=task.name,
                version=task.version,
                language=spoken,
                prompt_digest=prompt.digest,
                schema_digest=task.schema_digest,
            )
            found = _Wording(prompt, reference, key_base(self._spec, reference))
            self._wordings[name] = found
        return found

    def _known(self, task: JudgeTask[QuestionT, ReplyT], question: QuestionT, key: str) -> Judged[ReplyT] | None:
        """The recorded reply, checked anew: a store may come from somebody else."""
        known = self._store.get(key)
        if known is None or known.reply is None:
            return None
        try:
            reply = task.reply.model_validate(known.reply, strict=False)
        except ValidationError:
            return None
        return None if task.check(question, reply) is not None else Judged(call=known, reply=reply, is_recorded=True)

    async def _lead(self, asked: _Asked[QuestionT, ReplyT]) -> Judged[ReplyT]:
        """Asks, with every equal question that comes meanwhile waiting for the end."""
        flight: asyncio.Future[Judged[Any]] = asyncio.get_running_loop().create_future()
        self._under_way[asked.call.key] = flight
        try:
            judged = await self._ask_until_whole(asked)
            flight.set_result(judged)
        finally:
            # A fault of our own reaches whoever asked first; the others ask for themselves.
            if not flight.done():
                flight.cancel()
            del self._under_way[asked.call.key]
        return judged

    async def _ask_until_whole(self, asked: _Asked[QuestionT, ReplyT]) -> Judged[ReplyT]:
        attempts: list[Attempt] = []
        request = asked.request
        reply: ReplyT | None = None
        distribution = None
        for number in range(1, self._attempts + 1):
            sent = await self._sender.send(request, number)
            found = _reply_of(asked, sent, request.max_tokens)
            attempts.append(_with_flaw(sent.attempt, found))
            if sent.reply is not None and found is not None and not isinstance(found, Flaw):
                reply, distribution = found, self._distributed(asked.task, sent.reply)
                break
            if not sent.may_help or number == self._attempts:
                break
            if isinstance(found, Flaw) and found.fault is JudgeFault.TRUNCATED:
                longer = min(2 * request.max_tokens, MOST_TIMES_MAX_TOKENS * self._spec.max_tokens)
                if longer == request.max_tokens:
                    break
                request = replace(request, max_tokens=longer)
            elif sent.reply is None:
                await self._sender.pause(number)
            self.tally.repeats[attempts[-1].fault or JudgeFault.BAD_RESPONSE] += 1
        return self._ended(asked, attempts, reply, distribution)

    def _ended(
        self,
        asked: _Asked[QuestionT, ReplyT],
        attempts: list[Attempt],
        reply: ReplyT | None,
        distribution: dict[str, float] | None,
    ) -> Judged[ReplyT]:
        update = {
            "attempts": tuple(attempts),
            # Nothing is left out: a null in a reply is a part of it.
            "reply": None if reply is None else reply.model_dump(mode="json"),
            "distribution": distribution,
        }
        call = asked.call.model_copy(update=update)
        if any(attempt.latency_ms is not None for attempt in attempts):
            self._store.put(call)
        if call.fault is not None:
            self.tally.unanswered[call.fault] += 1
        return Judged(call=call, reply=reply)

    def _distributed(self, task: JudgeTask[QuestionT, ReplyT], reply: JudgeReply) -> dict[str, float] | None:
        if self._distribution is None or task.graded_field is None or reply.tokens is None:
            return None
        found = self._distribution(reply, task)
        return None if found is None else dict(found)


def _reply_of(asked: _Asked[QuestionT, ReplyT], sent: Sent, max_tokens: int) -> ReplyT | Flaw | None:
    reply = sent.reply
    if reply is None:
        return None
    if reply.finish_reason == "length":
        return Flaw(JudgeFault.TRUNCATED, f"the reply was cut off at the limit of {max_tokens:,} tokens")
    if reply.is_refusal:
        return Flaw(JudgeFault.REFUSED, f"the judge declined to judge: {shown(reply.text)}")
    return read_reply(asked.task, asked.question, reply.text)


def _with_flaw(attempt: Attempt, found: object) -> Attempt:
    if not isinstance(found, Flaw):
        return attempt
    return attempt.model_copy(update={"fault": found.fault, "message": found.message[:MAX_MESSAGE_CHARS]})
