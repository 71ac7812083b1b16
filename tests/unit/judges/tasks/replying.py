"""What a task makes of a reply, in tests."""

from __future__ import annotations

import json
from typing import Any

from beleg.core.judging import JudgeFault
from beleg.judges.replies import read_reply
from beleg.judges.task import Flaw, JudgeTask


def fault_of(task: JudgeTask[Any, Any], question: Any, reply: Any) -> JudgeFault | None:
    """The fault that the reply shows; ``None`` where it is taken."""
    found = read_reply(task, question, json.dumps(reply))
    return found.fault if isinstance(found, Flaw) else None
