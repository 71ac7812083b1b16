"""A decision with both runs behind it, rich and hostile, for the tests of the report."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np

from beleg.core.case import Case, ExpectedBehaviour, ExpectedPassage, Principal, RiskTier, Role, Turn
from beleg.core.decision import (
    Bounds,
    CheckKind,
    CheckResult,
    CheckState,
    Counts,
    Decision,
    Dimension,
    RunReference,
    Sentence,
    StageCount,
    Verdict,
)
from beleg.core.evaluation import Evaluation
from beleg.core.manifest import Manifest
from beleg.core.run import RunHeader, RunSettings
from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.core.trace import (
    STAGES,
    Citation,
    FilterKind,
    FilterOp,
    FilterPredicate,
    Output,
    Passage,
    Stage,
    Trace,
    TraceError,
    TraceStatus,
    Usage,
)
from beleg.report.segments import SegmentRow
from beleg.report.view import ReportInput

HOSTILE = (
    "<script>window.__x=1</script>",
    '"><img src=x onerror="window.__x=1">',
    "</script><script>window.__x=1</script>",
    "<svg/onload=window.__x=1>",
    "[click](javascript:window.__x=1) javascript:window.__x=1",
    "{{ 7*7 }} {% raw %} ${window.__x=1}",
    "\x1b[2J\x1b[31mowned\x1b]0;title\x07",
    "invoice\u202egpj.exe \u2066hidden\u2069 zero\u200bwidth",
    "| a | b | `code` **bold** @octocat #12 https://evil.example/ www.evil.example <b>x</b>",
    "<!-- --> ]]> &lt;script&gt; \u2028 \u2029",
)
HOSTILE_ID = "x\"><img src=x onerror='window.__x=1'>&/#?=ä"
LONG_ANSWER = "Eine sehr lange Antwort. " * 420

TOPICS = (
    ("versand", "Was kostet der Versand nach Österreich?", "Der Versand nach Österreich kostet 7,90 €."),
    ("returns", "How long may I return an item?", "You may return an item within 30 days."),
    ("garantie", "Wie lange gilt die Garantie auf Leuchten?", "Die Garantie auf Leuchten beträgt 5 Jahre."),
    ("payment", "Can I pay by invoice?", "Payment by invoice is possible from 50 € on."),
    ("lager", "Wann ist der Artikel wieder lieferbar?", "Der Artikel ist ab dem 3. Mai wieder lieferbar."),
    ("account", "How do I delete my account?", "An account is deleted in the settings within 24 hours."),
)
METRICS = ("ndcg@10", "recall@10", "latency_ms", "citation_gold_precision", "hit@5")


def build_report(*, cases: int = 60, seed: int = 7, passage_pool: int = 40, with_baseline: bool = True) -> ReportInput:
    """A BLOCK over a bilingual shop suite, with every kind of check, missing score and hostile text in it."""
    rng = np.random.default_rng(seed)
    suite = tuple(_case(number) for number in range(cases))
    pool = [_filler(number) for number in range(passage_pool)]
    candidate = _evaluation("shop-rag-2.4", suite, rng, shift=-0.06)
    baseline = _evaluation("shop-rag-2.3", suite, rng, shift=0.0) if with_baseline else None
    lost = [case.case_id for case in suite if case.language == "de"][: max(cases * 9 // 60, 1)]
    decision = _decision(suite, lost, with_baseline=with_baseline)
    return ReportInput(
        decision=decision,
        candidate=candidate,
        baseline=baseline,
        candidate_traces={case.case_id: _traces(case, number, pool, lost) for number, case in enumerate(suite)},
        baseline_traces={case.case_id: _traces(case, number, pool, []) for number, case in enumerate(suite)}
        if with_baseline
        else {},
        segment_table=segment_rows(),
    )


def _case(number: int) -> Case:
    topic, question, sentence = TOPICS[number % len(TOPICS)]
    german = topic in {"versand", "garantie", "lager"}
    hostile = HOSTILE[number] if number < len(HOSTILE) else ""
    asked = f"{question} {hostile}".strip()
    evidence = ExpectedPassage(document_id=f"doc-{topic}", quote=sentence)
    return Case(
        case_id=HOSTILE_ID if number == 1 else f"{topic}-{number:05d}",
        user_input=None if number == 4 else asked,
        turns=(Turn(role=Role.USER, content="Hallo"), Turn(role=Role.ASSISTANT, content="Guten Tag"),
               Turn(role=Role.USER, content=asked)) if number == 4 else (),
        reference_answer=sentence,
        expected_behaviour=ExpectedBehaviour.ANSWER,
        language="de" if german else "en",
        principal=Principal(locale="de-AT" if german else "en-GB"),
        expected_passages=(evidence, ExpectedPassage(document_id=f"doc-{topic}-faq", required=False, any_of="faq")),
        forbidden_sources=("doc-internal",) if number % 7 == 0 else (),
        required_clauses=((sentence.split()[-1], "wording"),),
        risk_tier=RiskTier.HIGH if number % 3 == 0 else RiskTier.LOW,
        segments={"topic": HOSTILE[0] if number == 5 else topic},
    )  # fmt: skip


def _filler(number: int) -> Passage:
    words = ["Lieferung", "Rechnung", "Konto", "Artikel", "return", "order", "invoice", "warranty", "stock", "Frist"]
    rng = np.random.default_rng(number)
    text = " ".join(words[i] + str(rng.integers(1000)) for i in rng.integers(0, len(words), 90))
    return Passage(passage_id=f"p-{number:06d}", document_id=f"doc-{number // 4:05d}", text=text, version="2026-11-01")


def _traces(case: Case, number: int, pool: Sequence[Passage], lost: Sequence[str]) -> tuple[Trace, ...]:
    if number == 3:
        error = TraceError(kind="http", message=f"504 from upstream {HOSTILE[0]}")
        return (Trace(case_id=case.case_id, status=TraceStatus.ERROR, error=error, total_ms=30_000, attempts=3),)
    if number == 9:
        return (Trace(case_id=case.case_id, status=TraceStatus.TIMEOUT, total_ms=60_000, attempts=3),)
    evidence = case.expected_passages[0]
    hostile = HOSTILE[number % len(HOSTILE)] if number < 2 * len(HOSTILE) else ""
    gold = Passage(
        passage_id=f"{evidence.document_id}#2",
        document_id=str(evidence.document_id),
        text=f"Stand November 2026. {hostile}\n{evidence.quote} Weitere Hinweise stehen in den AGB.",
        score=0.83,
        version="2026-11-01",
        metadata={"locale": str(case.principal.locale), "year": 2026},
    )
    start = number * 7
    others = [pool[(start + i) % len(pool)].model_copy(update={"score": round(0.8 - 0.05 * i, 3)}) for i in range(9)]
    found = others if case.case_id in lost else [others[0], gold, *others[1:]]
    reranked = sorted(found, key=lambda passage: passage is not gold)
    delivered = tuple(reranked[:5])
    answer = LONG_ANSWER if number == 12 else f"{evidence.quote} [1] {hostile} Siehe auch [2]."
    output = Output(
        query_rewrites=(f"{case.question} (rewritten)",) if number % 5 == 0 else (),
        filters=(
            FilterPredicate(kind=FilterKind.RELEVANCE, field="locale", values=(case.principal.locale,)),
            FilterPredicate(kind=FilterKind.ENTITLEMENT, field="group", op=FilterOp.ANY_OF, values=("public", hostile)),
        ),
        retrieved=tuple(found),
        reranked=tuple(reranked),
        delivered=delivered,
        prompt="\n\n".join(["Answer from the passages only.", *(p.text or "" for p in delivered), case.question]),
        answer=answer,
        citations=(
            Citation(marker="1", passage_id=delivered[0].passage_id),
            Citation(marker="[2]", document_id=delivered[1].document_id),
        ),
        stage_ms={"retrieved": 41.0, "reranked": 88.5, "generated": 612.0},
        first_token_ms=204.0,
        usage=Usage(prompt_tokens=812, completion_tokens=64, cost_usd=0.00123),
        model_answered="demo-model-1",
    )  # fmt: skip
    first = Trace(case_id=case.case_id, status=TraceStatus.OK, output=output, total_ms=742.6)
    if number == 6:
        return (first, first.model_copy(update={"repeat": 1, "total_ms": 690.0}))
    return (first,)


def _evaluation(name: str, cases: tuple[Case, ...], rng: np.random.Generator, *, shift: float) -> Evaluation:
    n = len(cases)
    german = np.array([case.language == "de" for case in cases])
    base = np.random.default_rng(1).beta(8, 2, n)
    ndcg = np.clip(
        np.round(base + np.where(german, shift * 2, 0) + np.where(rng.random(n) < 0.4, shift / 3, 0), 3), 0, 1
    )
    if shift:
        ndcg = np.clip(np.round(ndcg + np.where(rng.random(n) < 0.5, rng.normal(0.01, 0.05, n), 0), 3), 0, 1)
    columns = {
        "ndcg@10": ndcg,
        "recall@10": np.round(np.clip(base + shift, 0, 1) * 2) / 2,
        "latency_ms": np.round(rng.gamma(9, 80, n), 1),
        "citation_gold_precision": np.round(rng.beta(9, 1, n), 2),
        "hit@5": (rng.random(n) < 0.9).astype(float),
    }
    return Evaluation(
        header=run_header(name, cases),
        cases=cases,
        row_case=np.arange(n),
        scores={metric: _with_gaps(values) for metric, values in columns.items()},
        metric_versions=dict.fromkeys(columns, "1"),
    )


def _with_gaps(values: np.ndarray) -> ScoreColumn:
    scores = [Score.of(value) for value in values]
    scores[3] = Score.without(ScoreStatus.INFRA_ERROR)
    scores[9] = Score.without(ScoreStatus.TIMEOUT)
    return ScoreColumn.from_scores(scores)


def run_header(name: str, cases: tuple[Case, ...]) -> RunHeader:
    """The header of a run over these cases."""
    manifest = Manifest(name=name, top_k=10)
    return RunHeader(
        run_id=f"run-{name}",
        created_at=datetime(2026, 11, 30, 12, tzinfo=UTC),
        manifest=manifest,
        manifest_digest=manifest.digest,
        suite_name="shop-release",
        suite_version=3,
        suite_digest=f"sha256:{'ab' * 32}",
        case_ids=tuple(case.case_id for case in cases),
        settings=RunSettings(),
        beleg_version="0.1.0",
        python_version="3.11",
    )


def bounds(estimate: float, lower: float, upper: float, n: int = 198) -> Bounds:
    """An estimate with the bounds of a paired, clustered test."""
    return Bounds(
        estimate=estimate, lower=lower, upper=upper, confidence=0.95, method="cluster-robust t", n=n, clusters=n // 3
    )


def _decision(suite: tuple[Case, ...], lost: list[str], *, with_baseline: bool) -> Decision:
    n = len(suite)
    return Decision(
        verdict=Verdict.BLOCK,
        headline=Sentence(
            en="the locale filter hides the right document in 9 of 60 German cases "
            "(15 %, 95 % interval 8–26 %; allowed 2 %).",
            de="Der Filter „locale“ verbirgt in 9 von 60 deutschen Fällen das richtige Dokument "
            "(15 %, 95-%-Intervall 8–26 %; erlaubt 2 %).",
        ),
        policy_name="shop-policy",
        policy_version=2,
        policy_digest=f"sha256:{'cd' * 32}",
        suite_name="shop-release",
        suite_version=3,
        suite_digest=f"sha256:{'ab' * 32}",
        candidate=_run("shop-rag-2.4", n, lost, unresolved=("seed", "judge_prompt")),
        baseline=_run("shop-rag-2.3", n, lost[:2]) if with_baseline else None,
        checks=_checks(suite, lost),
        comparison=(
            Dimension(name="suite_digest", status="SAME", candidate="ab", baseline="ab"),
            Dimension(name="retriever", status="DIFFERENT", candidate='{"filter":"locale"}', baseline="{}"),
            Dimension(name="corpus_snapshot", status="UNKNOWN"),
        ),
        confidence=0.95,
        seed=20_261_130,
        resamples=10_000,
        holm=True,
        beleg_version="0.1.0",
        metric_versions=dict.fromkeys(METRICS, "1"),
        decided_at=datetime(2026, 11, 30, 16, 44, tzinfo=UTC),
    )


def _run(name: str, n: int, lost: list[str], *, unresolved: tuple[str, ...] = ()) -> RunReference:
    left, counts = n, []
    for stage in STAGES:
        unknown = n if stage in {Stage.PARSED, Stage.CHUNKED} else (left // 4 if stage is Stage.SUPPORTED else 0)
        gone = {Stage.FILTERED: lost, Stage.DELIVERED: lost[:1]}.get(stage, [])
        left -= len(gone)
        present = 0 if unknown == n else left - unknown
        counts.append(StageCount(stage=stage, present=present, lost=len(gone), unknown=unknown, lost_cases=tuple(gone)))
    return RunReference(
        run_id=f"run-{name}",
        name=name,
        manifest_digest=f"sha256:{'12' * 32}",
        unresolved=unresolved,
        waterfall=tuple(counts),
        waterfall_cases=n,
    )


def _checks(suite: tuple[Case, ...], lost: list[str]) -> tuple[CheckResult, ...]:
    counts = Counts(
        expected=200, scored=198, reasons={ScoreStatus.SCORED: 198, ScoreStatus.TIMEOUT: 1, ScoreStatus.NO_CLAIMS: 1}
    )
    return (
        CheckResult(
            check_id="ndcg-all", kind=CheckKind.BAND, state=CheckState.PASS, metric="ndcg@10", aggregate="mean",
            reason=Sentence(en="The lower bound 0.841 clears the level 0.80.",
                            de="Die untere Schranke 0,841 liegt über dem Niveau 0,80."),
            higher_is_better=True, pass_at=0.80, block_at=0.75, figure=bounds(0.8731, 0.8412, 0.9017),
            worst_case=0.864, best_case=0.874, baseline=0.8814, counts=counts, owner="search team",
        ),
        CheckResult(
            check_id="ndcg-de", kind=CheckKind.NO_REGRESSION, state=CheckState.FAIL, metric="ndcg@10",
            segment="language=de", protected=True, higher_is_better=True, margin=0.02,
            reason=Sentence(en="Worse than the baseline by more than the margin of 0.02, with certainty.",
                            de="Sicher um mehr als die Toleranz von 0,02 schlechter als die Basis."),
            figure=bounds(0.741, 0.70, 0.78, 60), baseline=0.842, difference=bounds(-0.101, -0.142, -0.061, 60),
            counts=counts, worst_cases=(*lost[:7], suite[1].case_id),
        ),
        CheckResult(
            check_id="citations", kind=CheckKind.BAND, state=CheckState.ERROR, metric="citation_gold_precision",
            higher_is_better=True, pass_at=0.9, block_at=0.8,
            reason=Sentence(en=f"The judge failed on 12 rows: {HOSTILE[0]}",
                            de=f"Das Gutachtermodell versagte bei 12 Zeilen: {HOSTILE[0]}"),
            counts=Counts(expected=200, scored=0, reasons={ScoreStatus.JUDGE_ERROR: 200}),
        ),
        CheckResult(
            check_id="coverage", kind=CheckKind.COVERAGE, state=CheckState.NOT_EVALUATED,
            reason=Sentence(en="No case has the label locale=fr.", de="Kein Fall trägt die Kennung locale=fr."),
            segment="locale=fr",
        ),
        CheckResult(
            check_id="latency", kind=CheckKind.BAND, state=CheckState.INCONCLUSIVE, metric="latency_ms",
            aggregate="p95", higher_is_better=False, pass_at=1_200, block_at=1_500,
            figure=bounds(1_231.4, 1_102.0, 1_398.0), baseline=1_180.0, counts=counts,
            reason=Sentence(en="The upper bound 1,398 ms lies between the limits 1,200 ms and 1,500 ms; "
                               "about 412 cases in all would settle it.",
                            de="Die obere Schranke 1.398 ms liegt zwischen den Grenzen 1.200 ms und 1.500 ms; "
                               "insgesamt etwa 412 Fälle würden genügen."),
            needed=412, needed_unit="cases",
        ),
        CheckResult(
            check_id="hit", kind=CheckKind.BAND, state=CheckState.PASS, metric="hit@5", aggregate="mean",
            reason=Sentence(en="Hit rate@5: 91.5 % [87.7; 94.4]; the bound clears 85 %",
                            de="Trefferquote@5: 91,5 % [87,7; 94,4]; die Schranke hält 85 % ein"),
            higher_is_better=True, pass_at=0.85, block_at=0.8, figure=bounds(0.915, 0.877, 0.944), counts=counts,
            baseline=0.905, difference=bounds(0.01, -0.02, 0.04),
        ),
        CheckResult(
            check_id="forbidden", kind=CheckKind.ZERO_TOLERANCE, state=CheckState.PASS, metric="forbidden_passages",
            reason=Sentence(en="No forbidden source in any of 200 cases.",
                            de="Keine verbotene Quelle in einem der 200 Fälle."),
            counts=Counts(expected=200, scored=200),
        ),
    )  # fmt: skip


def segment_rows() -> tuple[SegmentRow, ...]:
    """Three segments by three metrics: certain, uncertain, too small, and not evaluated."""
    rows = []
    for segment, n, shift in (("language=de", 60, -0.101), ("language=en", 138, 0.006), ("locale=de-AT", 11, -0.05)):
        for metric, level in (("ndcg@10", 0.86), ("recall@10", 0.91)):
            width = 1.2 / n**0.5 / 4
            rows.append(
                SegmentRow(
                    segment=segment, metric=metric, n=n, minimum_n=30, protected=segment == "language=de",
                    figure=bounds(level + shift, level + shift - width, level + shift + width, n),
                    counts=Counts(expected=n + 1, scored=n, reasons={ScoreStatus.TIMEOUT: 1}),
                    baseline=level, difference=bounds(shift, shift - width, shift + width, n),
                )
            )  # fmt: skip
    rows.append(SegmentRow(segment="language=de", metric="latency_ms", n=60, figure=bounds(1_310, 1_240, 1_390, 60),
                           difference=bounds(95, 20, 170, 60), higher_is_better=False))  # fmt: skip
    rows.append(SegmentRow(segment="language=en", metric="latency_ms", n=0, figure=None))
    return tuple(rows)
