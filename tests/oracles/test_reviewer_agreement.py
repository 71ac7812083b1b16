"""Agreement of reviewers against krippendorff and scikit-learn, on drawn verdicts with gaps."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from beleg.evidence.agreement import agreement_on
from support.review_events import action, chain, support

LABELS = ("supported", "partially_supported", "not_supported", "not_assessable")


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("reviewers", [2, 4])
def test_alpha_and_kappa_are_those_of_others(seed: int, reviewers: int) -> None:
    rng = np.random.default_rng(seed)
    truth = rng.choice(4, 40, p=[0.6, 0.2, 0.15, 0.05])
    given = np.where(rng.random((reviewers, 40)) < 0.7, truth, rng.choice(4, (reviewers, 40))).astype(float)
    given[rng.random((reviewers, 40)) < 0.2] = np.nan
    actions = [
        action(by=f"r{who}", stream=f"r1/C-{unit}", support=support(LABELS[int(label)], f"r{who}"))
        for who, labels in enumerate(given)
        for unit, label in enumerate(labels)
        if not np.isnan(label)
    ]
    streams: dict[str, list] = {}
    for event in chain(*actions):
        streams.setdefault(event.action.stream, []).append(event)
    found = agreement_on("support", streams)
    expected = krippendorff.alpha(reliability_data=given, level_of_measurement="nominal")
    assert found.alpha.value == pytest.approx(expected)
    both = ~np.isnan(given).any(axis=0)
    if reviewers == 2:
        assert found.kappa.value == pytest.approx(cohen_kappa_score(given[0, both], given[1, both]))
        assert found.raw.value == pytest.approx(float((given[0, both] == given[1, both]).mean()))
        assert found.units == both.sum()
