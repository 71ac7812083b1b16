from __future__ import annotations

from dataclasses import replace

from beleg.core.decision import Dimension, MetricComparability, Sentence
from beleg.report.comparability import comparability_groups
from beleg.report.html import html_report
from beleg.report.markdown import markdown_report
from support.report_data import build_report

DECISION = build_report(cases=20).decision


def told(metric: str, *, comparable: bool, reason: str) -> MetricComparability:
    return MetricComparability(
        metric=metric, comparable=comparable, depends_on=("prompt",), reason=Sentence(en=reason, de=f"de {reason}")
    )


STATUSES = (
    told("recall@5", comparable=True, reason="comparable"),
    told("token_f1", comparable=False, reason="not comparable; differs: <img src=x>"),
    told("ndcg@10", comparable=True, reason="comparable"),
)


def test_metrics_of_which_the_same_is_said_stand_together_and_those_kept_apart_first() -> None:
    groups = comparability_groups(DECISION.model_copy(update={"comparability": STATUSES}))
    assert [(group.metrics, group.shape) for group in groups] == [(("token_f1",), "▲"), (("recall@5", "ndcg@10"), "●")]


def test_a_decision_without_baseline_says_nothing_of_it() -> None:
    assert comparability_groups(DECISION) == []


def test_markdown_tells_it_in_both_languages_and_stays_text() -> None:
    made = DECISION.model_copy(update={"comparability": STATUSES})
    english, german = markdown_report(made), markdown_report(made, language="de")
    assert "### Metrics compared with the baseline" in english
    assert "- ● `recall@5, ndcg@10`: comparable" in english
    assert "### Mit der Baseline verglichene Metriken" in german
    assert "de comparable" in german
    told_apart = english.partition("### Metrics compared with the baseline")[2].partition("###")[0]
    assert "differs: &lt;img src=x&gt;" in told_apart
    assert "<img" not in told_apart


def test_the_page_tells_it_and_how_many_cases_both_runs_hold() -> None:
    report = build_report(cases=20)
    detail = Sentence(en="18 cases in both runs", de="18 Fälle in beiden Läufen")
    cases = Dimension(name="cases", status="SAME", candidate="18", baseline="20", detail=detail)
    changed = report.decision.model_copy(update={"comparability": STATUSES, "comparison": (cases,)})
    page = html_report(replace(report, decision=changed))
    assert "Metrics compared with the baseline" in page
    assert "<bdi>recall@5, ndcg@10</bdi>" in page
    assert "18 Fälle in beiden Läufen" in page
    assert "differs: &lt;img src=x&gt;" in page
