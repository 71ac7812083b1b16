"""Beleg decides whether a RAG system may be released, and hands over the proof.

Everything here is loaded when it is first used, so that ``import beleg`` costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from beleg import ir
    from beleg.app.api import EvaluatedRun, GatedRun, evaluate, gate
    from beleg.app.suites import load_suite
    from beleg.core.case import Case, ExpectedBehaviour, ExpectedPassage, Principal
    from beleg.core.decision import CheckState, Decision, Verdict
    from beleg.core.errors import Error
    from beleg.core.judge_settings import JudgeSettings
    from beleg.core.manifest import Manifest
    from beleg.core.policy import Policy
    from beleg.core.protocols import Candidate
    from beleg.core.run import RunSettings
    from beleg.core.score import Score, ScoreStatus
    from beleg.core.suite import Suite
    from beleg.core.trace import Citation, Output, Passage, Query

_HOMES = {
    "Candidate": "beleg.core.protocols",
    "Case": "beleg.core.case",
    "CheckState": "beleg.core.decision",
    "Citation": "beleg.core.trace",
    "Decision": "beleg.core.decision",
    "Error": "beleg.core.errors",
    "EvaluatedRun": "beleg.app.api",
    "ExpectedBehaviour": "beleg.core.case",
    "ExpectedPassage": "beleg.core.case",
    "GatedRun": "beleg.app.api",
    "JudgeSettings": "beleg.core.judge_settings",
    "Manifest": "beleg.core.manifest",
    "Output": "beleg.core.trace",
    "Passage": "beleg.core.trace",
    "Policy": "beleg.core.policy",
    "Principal": "beleg.core.case",
    "Query": "beleg.core.trace",
    "RunSettings": "beleg.core.run",
    "Score": "beleg.core.score",
    "ScoreStatus": "beleg.core.score",
    "Suite": "beleg.core.suite",
    "Verdict": "beleg.core.decision",
    "evaluate": "beleg.app.api",
    "gate": "beleg.app.api",
    "ir": "beleg.ir",
    "load_suite": "beleg.app.suites",
}

__all__ = [
    "Candidate",
    "Case",
    "CheckState",
    "Citation",
    "Decision",
    "Error",
    "EvaluatedRun",
    "ExpectedBehaviour",
    "ExpectedPassage",
    "GatedRun",
    "JudgeSettings",
    "Manifest",
    "Output",
    "Passage",
    "Policy",
    "Principal",
    "Query",
    "RunSettings",
    "Score",
    "ScoreStatus",
    "Suite",
    "Verdict",
    "evaluate",
    "gate",
    "ir",
    "load_suite",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'beleg' has no attribute {name!r}")
    module = importlib.import_module(home)
    value = module if home == f"beleg.{name}" else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
