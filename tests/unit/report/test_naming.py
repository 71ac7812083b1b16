"""A metric is called by its title, and its direction is never guessed."""

from __future__ import annotations

from beleg.core.decision import CheckKind, CheckResult, CheckState, Sentence
from beleg.report.naming import check_title, metric_label, unit_of_check
from beleg.text.figures import Unit
from support.report_data import build_report

REASON = Sentence(en="r", de="r")


def test_a_known_metric_has_title_unit_and_direction_of_the_catalogue() -> None:
    label = metric_label("latency_ms")
    assert (label.title.de, label.unit, label.higher_is_better) == ("Latenz", Unit.MILLISECONDS, False)
    assert metric_label("ndcg@10").title.en == "nDCG@10"
    assert metric_label("hit@5").unit is Unit.PERCENT
    assert metric_label("cost_usd").unit is Unit.USD
    assert metric_label("answered_words").higher_is_better is None


def test_an_unknown_metric_keeps_its_name_and_takes_the_recorded_direction() -> None:
    assert metric_label("plugin.score").title.de == "plugin.score"
    assert metric_label("plugin.score").higher_is_better is None
    assert metric_label("plugin.score", higher_is_better=False).higher_is_better is False


def test_a_check_is_called_by_its_metric_else_by_its_kind() -> None:
    without = CheckResult(check_id="a", kind=CheckKind.COVERAGE, state=CheckState.PASS, reason=REASON)
    assert check_title(without).de == "Abdeckung"
    assert unit_of_check(without) is Unit.PLAIN
    latency = next(check for check in build_report().decision.checks if check.check_id == "latency")
    assert check_title(latency).en == "Latency, p95"
