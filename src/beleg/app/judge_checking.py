"""What a judge can do, found out by asking it a few tiny questions before a run is paid for."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beleg.adapters.models.judge_probe import Capabilities
from beleg.app.judge_opening import Opening, load_judge_file, open_panel
from beleg.core.errors import UsageError
from beleg.core.judge_settings import JudgeSettings
from beleg.core.judging import JudgeSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedJudge:
    """What a judge was found to do."""

    settings: JudgeSettings
    judge: JudgeSpec
    capabilities: Capabilities

    def lines(self, language: str = "en") -> list[str]:
        """The findings for a person, in ``en`` or ``de``; what the server said stays as it was said."""
        found, judge = self.capabilities, self.judge
        if language == "de":
            gives = "ja" if found.has_logprobs else "nein"
            answered = found.model_answered or "kein Modell"
            lines = [
                f"{self.settings.name} antwortet: {judge.model} unter {judge.base_url}, JSON über {found.mode}",
                f"Wahrscheinlichkeiten der Tokens: {gives}; als antwortendes Modell ist {answered} genannt; "
                f"Anfragen: {found.requests}",
            ]
            return [*lines, *(f"Nicht angenommen: {note}" for note in found.notes)]
        gives = "gives" if found.has_logprobs else "gives no"
        lines = [
            f"{self.settings.name} answers: {judge.model} at {judge.base_url}, JSON by {found.mode}",
            f"It {gives} probabilities of tokens; {found.model_answered or 'no model'} is named as the one "
            f"that answered; {found.requests} requests were sent",
        ]
        return [*lines, *(f"Not taken: {note}" for note in found.notes)]

    def to_json_dict(self) -> dict[str, Any]:
        """The same as JSON data."""
        found = self.capabilities
        return {
            "name": self.settings.name,
            "judge": self.judge.to_json_dict(),
            "judge_digest": self.judge.digest,
            "mode": found.mode,
            "has_logprobs": found.has_logprobs,
            "model_answered": found.model_answered,
            "requests": found.requests,
            "not_taken": list(found.notes),
        }


def check_judge(path: Path) -> CheckedJudge:
    """Asks a judge a few tiny questions.

    Raises:
        ConfigError: if the judge file is wrong.
        CandidateError: if the judge cannot be used; the message says what its server said.
    """
    settings = load_judge_file(path)

    async def probe() -> CheckedJudge:
        async with open_panel(Opening(settings=settings)) as opened:
            if opened.capabilities is None:
                raise UsageError("a replay has nobody to check")
            return CheckedJudge(settings=settings, judge=opened.engine.spec, capabilities=opened.capabilities)

    return asyncio.run(probe())
