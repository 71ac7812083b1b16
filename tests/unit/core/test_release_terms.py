"""What an owner may answer for, and what nobody may."""

import pytest
from pydantic import ValidationError

from beleg.core.decision import CheckKind, CheckState
from beleg.core.release_terms import ReleaseTerms
from support.signing import check, policy


def test_by_itself_nothing_can_be_waived() -> None:
    assert not ReleaseTerms().may_be_waived(check("latency_ms", CheckState.FAIL))


@pytest.mark.parametrize("named", ["latency_ms", "latency_ms/band"])
def test_a_check_is_named_by_its_metric_or_its_id(named: str) -> None:
    assert ReleaseTerms(waivable=(named,)).may_be_waived(check("latency_ms", CheckState.FAIL))


@pytest.mark.parametrize("kind", [CheckKind.ZERO_TOLERANCE, CheckKind.COMPARABILITY, CheckKind.COMPLETENESS])
def test_certain_faults_are_never_waived_whatever_the_policy_names(kind: CheckKind) -> None:
    terms = ReleaseTerms(waivable=("entitlement_leak", "entitlement_leak/band"))
    assert not terms.may_be_waived(check("entitlement_leak", CheckState.FAIL, kind=kind))


def test_an_error_is_nothing_that_somebody_could_answer_for() -> None:
    assert not ReleaseTerms(waivable=("hit@5",)).may_be_waived(check("hit@5", CheckState.ERROR))


@pytest.mark.parametrize(
    "wrong", [{"valid_hours": 0}, {"valid_hours": 721}, {"environments": ()}, {"max_override_hours": 0}]
)
def test_terms_have_bounds(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ReleaseTerms(**wrong)


def test_a_policy_without_terms_keeps_the_digest_that_it_had() -> None:
    assert "release" not in policy().to_json_dict()
