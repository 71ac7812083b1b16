"""Judges that follow a rule, fair or biased, so that a probe has something to find."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from beleg.core.inference import JudgeRequest
from beleg.judges.panel import Panel
from beleg.text.sentences import sentences
from support.judge_models import Script, scripted_panel

_PART = re.compile(r'<(\w+)(?: id="([^"]+)")? mark="(\w+)">\n(.*?)\n</\1 mark="\3">', re.DOTALL)

Preferrer = Callable[[str, str], str]


def parts_of(request: JudgeRequest) -> list[tuple[str, str, str]]:
    """Name, id and text of everything that the judge is shown."""
    return [(name, label, text) for name, label, _, text in _PART.findall(request.messages[-1].content)]


def shown(request: JudgeRequest, name: str) -> list[tuple[str, str]]:
    """Id and text of every part of a name."""
    return [(label, text) for part, label, text in parts_of(request) if part == name]


def every_sentence(request: JudgeRequest) -> Any:
    """Takes every sentence of the answer for a claim."""
    ((_, answer),) = shown(request, "answer")
    return {"claims": sentences(answer)}


def verifying(is_supported: Callable[[str, str], bool]) -> Callable[[JudgeRequest], Any]:
    """Verifies by a rule over passage and claim; the quote is the first word of the passage."""

    def verdicts(request: JudgeRequest) -> Any:
        passages = shown(request, "passage")
        found = []
        for name, claim in shown(request, "claim"):
            carrier = next((passage for passage in passages if is_supported(passage[1], claim)), None)
            quote = None if carrier is None else claim.rstrip(".") if claim.rstrip(".") in carrier[1] else None
            if carrier is not None and quote is None:
                quote = carrier[1].split()[0]
            found.append(
                {
                    "claim_id": name,
                    "passage_id": None if carrier is None else carrier[0],
                    "quote": quote,
                    "reason": "so",
                    "verdict": "not_in_context" if carrier is None else "supported",
                }
            )
        return {"verdicts": found}

    return verdicts


def word_for_word(passage: str, claim: str) -> bool:
    """The rule of a fair judge."""
    return claim.rstrip(".") in passage


def preferring(prefer: Preferrer) -> Callable[[JudgeRequest], Any]:
    """Prefers by a rule over both answers."""

    def verdict(request: JudgeRequest) -> Any:
        ((_, first),), ((_, second),) = shown(request, "answer_a"), shown(request, "answer_b")
        return {"reason": "so", "preferred": prefer(first, second)}

    return verdict


def ruled_panel(
    supports: Callable[[str, str], bool] = word_for_word, prefer: Preferrer = lambda _first, _second: "tie"
) -> Panel:
    """A panel whose judge follows these rules."""
    script: dict[str, Script] = {
        "claim_extraction": every_sentence,
        "claim_verification": verifying(supports),
        "preference": preferring(prefer),
    }
    return scripted_panel(script)
