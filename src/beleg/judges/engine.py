"""The engine: one question to one judge, asked until the reply is whole or the attempts are used up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar, cast

from beleg.core.digest import digest_of
from beleg.core.errors import CandidateError
from beleg.core.inference import ChatMessage, JudgeModel, JudgeReply, JudgeRequest
from beleg.core.judging import FAULT_STATUS, Attempt, Call, JudgeFault, JudgeSpec, TaskReference
from beleg.core.score import Score
from beleg.judges.prompting import load_prompt, messages_for, prompt_language
from beleg.judges.replies import read_reply
from beleg.judges.store import CallStore
from beleg.judges.task import Flaw, JudgeTask, Reply

QuestionT = TypeVar("QuestionT")
ReplyT = TypeVar("ReplyT", bound=Reply)


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
        tried = len(self.call.attempts)
        detail = f"{self.call.task.task}: {fault.value} after {tried} attempts: {last}"
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


def call_key(spec: JudgeSpec, task: TaskReference, messages: tuple[ChatMessage, ...], sample: int) -> str:
    """The content address of a call: provider, address, model, parameters, prompt, schema, task version and sample."""
    return digest_of(
        {
            "judge": spec.to_json_dict(),
            "task": task.to_json_dict(),
            "messages": [[message.role, message.content] for message in messages],
            "sample": sample,
        }
    )


class JudgeEngine:
    """Asks a judge, again where that may help, and keeps every attempt."""

    def __init__(self, model: JudgeModel, store: CallStore, *, attempts: int = 3) -> None:
        self._model = model
        self._store = store
        self._attempts = attempts

    @property
    def spec(self) -> JudgeSpec:
        """The judge that is asked."""
        return self._model.spec

    async def ask(
        self, task: JudgeTask[QuestionT, ReplyT], question: QuestionT, *, language: str | None = None, sample: int = 0
    ) -> Judged[ReplyT]:
        """Asks one question.

        Args:
            task: what is asked.
            question: the row's data.
            language: the language of the row; it chooses the language of the prompt.
            sample: which repetition this is; each is asked and kept by itself.
        """
        prompt = load_prompt(task.name, prompt_language(language))
        reference = TaskReference(
            task=task.name,
            version=task.version,
            language=prompt.language,
            prompt_digest=prompt.digest,
            schema_digest=task.schema_digest,
        )
        messages = messages_for(prompt, task.parts(question))
        key = call_key(self.spec, reference, messages, sample)
        known = self._store.get(key)
        if known is not None and known.reply is not None:
            return Judged(call=known, reply=task.reply.model_validate(known.reply, strict=False), is_recorded=True)
        request = self._request(task, messages, sample)
        call = Call(
            key=key,
            judge=self.spec,
            task=reference,
            messages=tuple((message.role, message.content) for message in messages),
        )
        return await self._attempt(task, question, request, call)

    def _request(
        self, task: JudgeTask[QuestionT, ReplyT], messages: tuple[ChatMessage, ...], sample: int
    ) -> JudgeRequest:
        seed = None if self.spec.seed is None else self.spec.seed + sample
        return JudgeRequest(
            messages=messages,
            schema_name=task.name,
            schema=cast("Mapping[str, object]", task.schema),
            max_tokens=self.spec.max_tokens,
            seed=seed,
            top_logprobs=20 if task.graded_field else 0,
        )

    async def _attempt(
        self, task: JudgeTask[QuestionT, ReplyT], question: QuestionT, request: JudgeRequest, call: Call
    ) -> Judged[ReplyT]:
        attempts: list[Attempt] = []
        for number in range(1, self._attempts + 1):
            found, attempt, may_help = await self._once(task, question, request, number)
            attempts.append(attempt)
            if found is not None:
                done = call.model_copy(update={"attempts": tuple(attempts), "reply": found.model_dump(mode="json")})
                self._store.put(done)
                return Judged(call=done, reply=found)
            if not may_help:
                break
        failed = call.model_copy(update={"attempts": tuple(attempts)})
        self._store.put(failed)
        return Judged(call=failed, reply=None)

    async def _once(
        self, task: JudgeTask[QuestionT, ReplyT], question: QuestionT, request: JudgeRequest, number: int
    ) -> tuple[ReplyT | None, Attempt, bool]:
        try:
            reply = await self._model.ask(request)
        except CandidateError as error:
            fault = JudgeFault(error.kind) if error.kind in set(JudgeFault) else JudgeFault.BAD_RESPONSE
            return None, Attempt(number=number, fault=fault, message=error.message[:4_000]), error.retryable
        found = _flaw_of(reply) or read_reply(task, question, reply.text)
        flaw = found if isinstance(found, Flaw) else None
        attempt = Attempt(
            number=number,
            fault=flaw.fault if flaw else None,
            message=flaw.message[:4_000] if flaw else None,
            reply=reply.text,
            finish_reason=reply.finish_reason,
            model_answered=reply.model,
            usage=reply.usage,
        )
        return (None if isinstance(found, Flaw) else found), attempt, True


def _flaw_of(reply: JudgeReply) -> Flaw | None:
    if reply.finish_reason == "length":
        return Flaw(JudgeFault.TRUNCATED, "the reply was cut off at the token limit")
    return Flaw(JudgeFault.REFUSED, reply.text) if reply.is_refusal else None
