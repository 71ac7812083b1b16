"""From the text of a reply to checked data, or to the fault that it shows."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, TypeVar

from pydantic import ValidationError

from beleg.core.errors import DataError, Problem, shown
from beleg.core.judging import JudgeFault
from beleg.judges.task import Flaw, JudgeTask, Reply

QuestionT = TypeVar("QuestionT")
ReplyT = TypeVar("ReplyT", bound=Reply)


class _RepeatedKeyError(DataError):
    """An object names a key twice: the last would silently win."""


def read_reply(task: JudgeTask[QuestionT, ReplyT], question: QuestionT, text: str) -> ReplyT | Flaw:
    """The reply as data, or what is wrong with it. Nothing is repaired, cut or guessed.

    Args:
        task: gives the shape, and the check that makes a reply whole.
        question: what was asked.
        text: the reply, word for word.
    """
    if not text.strip():
        return Flaw(JudgeFault.EMPTY_REPLY, "the reply is empty")
    try:
        json.loads(text, object_pairs_hook=_unrepeated)
    except _RepeatedKeyError as error:
        return Flaw(JudgeFault.SCHEMA, str(error))
    except (ValueError, RecursionError) as error:
        return Flaw(JudgeFault.NOT_JSON, f"the reply is no JSON: {error}; it begins {shown(text[:80])}")
    try:
        reply = task.reply.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the reply"
        return Flaw(JudgeFault.SCHEMA, f"{place}: {first['msg']} (found {shown(first['input'])})")
    return task.check(question, reply) or reply


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        # Counted in one pass: a reply of a stranger may hold hundreds of thousands of keys.
        repeated = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise _RepeatedKeyError(Problem(message=f"the key {shown(repeated)} stands twice in one object"))
    return found
