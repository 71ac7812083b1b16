"""Everything that a judged measure may ask: the judge, an embedding model, a dedicated verifier."""

from __future__ import annotations

from dataclasses import dataclass, field

from beleg.core.findings import Finding
from beleg.core.inference import Embedder, SupportModel, TokenEmbedder
from beleg.core.judging import Call, TaskReference
from beleg.core.score import Score, ScoreStatus
from beleg.judges.engine import Asker


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """Who may be asked. A measure is offered only where the panel holds what it needs."""

    judge: Asker | None = None
    embedder: Embedder | None = None
    verifier: SupportModel | None = None
    verifier_threshold: float | None = None
    """From where on the verifier's support counts as carried; ``None`` where no calibration set it."""

    def offers(self) -> frozenset[str]:
        """Which needs this panel meets."""
        embedder: object = self.embedder
        held = {
            "judge": self.judge,
            "embedder": embedder,
            "token_embedder": embedder if isinstance(embedder, TokenEmbedder) else None,
            "verifier": self.verifier,
        }
        return frozenset(name for name, member in held.items() if member is not None)


@dataclass(slots=True)
class Docket:
    """The calls that one row of one measure made, in order, so that its finding can name them."""

    keys: list[str] = field(default_factory=list)
    tasks: dict[str, TaskReference] = field(default_factory=dict)

    def note(self, call: Call) -> None:
        """Adds a call."""
        self.keys.append(call.key)
        self.tasks.setdefault(call.task.task, call.task)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a measure found out about one row: evidence as JSON data, or the reason why there is none."""

    evidence: dict[str, object] | None = None
    without: Score | None = None

    def as_finding(self, finding: Finding) -> Finding:
        """The finding with this outcome filled in."""
        if self.without is not None:
            update = {"status": self.without.status, "detail": (self.without.detail or "")[:4_000] or None}
            return finding.model_copy(update={**update, "evidence": None})
        return finding.model_copy(update={"status": ScoreStatus.SCORED, "detail": None, "evidence": self.evidence})
