from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from beleg.core.findings import Finding
from beleg.core.inference import TokenVectors
from beleg.core.score import Score, ScoreStatus
from beleg.judges.panel import Outcome, Panel
from support.judge_models import scripted_panel
from unit.judges.measures.rows import ScriptedEmbedder


class TokenModel(ScriptedEmbedder):
    async def embed_tokens(self, texts: Sequence[str]) -> Sequence[TokenVectors]:
        return [TokenVectors(tokens=(), vectors=np.zeros((0, 1), dtype=np.float32)) for _ in texts]


BLANK = Finding(case_id="c1", measure="m", measure_version="1", subject_digest="d", status=ScoreStatus.MISSING)


def test_a_panel_offers_what_it_holds() -> None:
    assert Panel().offers() == frozenset()
    assert scripted_panel({}).offers() == {"judge"}
    assert Panel(embedder=ScriptedEmbedder({})).offers() == {"embedder"}


def test_only_a_model_that_knows_tokens_is_a_token_embedder() -> None:
    assert Panel(embedder=TokenModel({})).offers() == {"embedder", "token_embedder"}


def test_an_outcome_becomes_a_finding_with_evidence_or_a_reason() -> None:
    found = Outcome(evidence={"claims": []}).as_finding(BLANK)
    assert (found.status, found.evidence) == (ScoreStatus.SCORED, {"claims": []})
    found = Outcome(without=Score.without(ScoreStatus.TIMEOUT, "too slow")).as_finding(BLANK)
    assert (found.status, found.detail, found.evidence) == (ScoreStatus.TIMEOUT, "too slow", None)
