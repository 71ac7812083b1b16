from __future__ import annotations

import pytest

from beleg.core.errors import ConfigError
from beleg.metrics.catalogue import CATALOGUE, compute, parse_metric
from unit.metrics.building import case, gold, listed, one


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("ndcg@10", "ndcg@10"),
        (" mrr ", "mrr"),
        ("mrr@10", "mrr@10"),
        ("recall@5(stage=retrieved)", "recall@5(stage=retrieved)"),
        ("latency_ms", "latency_ms"),
        ("latency_ms( stage = retrieve )", "latency_ms(stage=retrieve)"),
        ("over_refusal(evidence=missed)", "over_refusal(evidence=missed)"),
        ("evidence_recall", "evidence_recall"),
    ],
)
def test_a_metric_prints_in_the_form_in_which_it_is_read(text: str, printed: str) -> None:
    metric = parse_metric(text)
    assert str(metric) == printed
    assert parse_metric(str(metric)) == metric


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("recal@5", r"no such metric \(found 'recal@5'\)\. Did you mean .*recall"),
        ("nDCG@10", "Did you mean ndcg"),
        ("faithfullness", "no such metric"),
        ("zzz", "List them with: beleg metrics"),
        ("recall", r"needs the parameter k .* recall@10"),
        ("recall@0", "k is a whole number from 1"),
        ("recall@-1", "k is a whole number from 1"),
        ("recall@٣", "k is a whole number from 1"),
        ("recall@9999999", "k is a whole number from 1"),
        ("recall@", "k is a whole number from 1"),
        ("failed@3", "takes no cut-off"),
        ("recall@5(stage=cited)", "the value of stage is one of retrieved, reranked, delivered"),
        ("recall@5(k=3)", "no further parameter 'k'"),
        ("recall@5(stage=retrieved,stage=delivered)", "no further parameter 'stage'"),
        ("recall@5()", "no further parameter ''"),
        ("latency_ms(stage=)", "the value of stage is a name"),
        ("latency_ms(stage)", "the value of stage is a name"),
        ("failed(x=1)", "no further parameter 'x'"),
        ("", "not a metric"),
        ("recall@5(stage=retrieved", "not a metric"),
    ],
)
def test_what_is_no_metric_is_refused_with_a_remedy(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        parse_metric(text)


def test_columns_come_back_by_their_text_form_in_the_order_asked() -> None:
    batch = one(case(gold("d")), retrieved=listed("e", "d"))
    columns = compute(["mrr", parse_metric("recall@1"), "recall@2"], batch)
    assert list(columns) == ["mrr", "recall@1", "recall@2"]
    assert [column.score_at(0).value for column in columns.values()] == [0.5, 0.0, 1.0]


def test_titles_carry_the_parameters() -> None:
    assert parse_metric("recall@5(stage=retrieved)").title("en") == "Recall@5 (retrieved)"
    assert parse_metric("latency_ms").title("de") == "Latenz"


def test_best_and_worst_follow_the_direction() -> None:
    assert (CATALOGUE["recall"].best, CATALOGUE["recall"].worst) == (1.0, 0.0)
    assert (CATALOGUE["entitlement_leak"].best, CATALOGUE["entitlement_leak"].worst) == (0.0, None)
    assert (CATALOGUE["answered_words"].best, CATALOGUE["answered_words"].worst) == (None, None)
