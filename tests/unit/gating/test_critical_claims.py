from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from beleg.core.case import RiskTier
from beleg.core.decision import CheckResult, CheckState, Verdict
from beleg.core.evaluation import Evaluation
from beleg.core.evidence import SupportVerdict
from beleg.core.findings import ClaimFinding, Support
from beleg.core.governance import ReviewedClaim
from beleg.core.score import ScoreStatus
from beleg.gating.critical_claims import critical_claims_check, critical_claims_plan, rests_on_people
from beleg.gating.decide import decide
from beleg.gating.facts import Facts
from support.builders import case, column, evaluation
from support.calibrations import WHEN, judged, record, standing
from unit.gating.building import policy

N = 40
CASES = [case(f"c{i}", risk_tier=RiskTier.HIGH if i < N // 2 else RiskTier.LOW) for i in range(N)]
CRITICAL = [f"c{i}" for i in range(N // 2)]
NO, YES = SupportVerdict.NOT_SUPPORTED, SupportVerdict.SUPPORTED


def claim(support: Support = Support.SUPPORTED, text: str = "14 days", **fields: Any) -> ClaimFinding:
    return ClaimFinding(claim_id="1", claim=text, support=support, **fields)


def run(claims: dict[str, Sequence[ClaimFinding]] | None = None, *, faithfulness: float = 1.0) -> Evaluation:
    found = {case_id: (claim(),) for case_id in CRITICAL} | {name: tuple(each) for name, each in (claims or {}).items()}
    return replace(evaluation(CASES, {"faithfulness": [faithfulness] * N}), claims=found)


def facts(verdicts: dict[str, SupportVerdict | None], wording: str = "14 days", **fields: Any) -> Facts:
    reviews = {
        name: (ReviewedClaim(case_id=name, claim_id=f"{name}-1", wording=(wording,), verdict=verdict, **fields),)
        for name, verdict in verdicts.items()
    }
    return Facts(reviews=reviews, reviews_digest="sha256:r")


def checked(evaluated: Evaluation, given: Facts | None = None, **rule: Any) -> CheckResult:
    rules = policy({"metric": "hit@5", "pass_at": 0.5, "block_at": 0.4},
                   critical_claims={"where": {"risk_tier": "high"}, "minimum_n": 5} | rule)  # fmt: skip
    planned = critical_claims_plan(rules, evaluated.cases)
    assert planned is not None
    assert rules.critical_claims is not None
    return critical_claims_check(rules.critical_claims, planned, evaluated, given or Facts())


def test_a_policy_without_the_rule_plans_nothing() -> None:
    assert critical_claims_plan(policy({"metric": "hit@5", "margin": 0.1}), CASES) is None


def test_what_people_confirmed_blocks_at_once() -> None:
    found = checked(run(), facts({"c3": NO}))
    assert (found.state, found.events, found.worst_cases) == (CheckState.FAIL, 1, ("c3",))


@pytest.mark.parametrize("status", [ScoreStatus.NOT_APPLICABLE, ScoreStatus.NO_CLAIMS, ScoreStatus.TIMEOUT])
def test_what_people_confirmed_blocks_whatever_the_judge_could_say_of_the_case(status: ScoreStatus) -> None:
    values: list[float | ScoreStatus | None] = [1.0] * N
    values[3] = status
    unscored = replace(run(), scores={"faithfulness": column(values)})
    assert checked(unscored, facts({"c3": NO})).state is CheckState.FAIL


def test_a_stale_confirmation_blocks_still_and_a_stale_all_clear_clears_nothing() -> None:
    suspected = run({"c3": [claim(Support.CONTRADICTED)]})
    assert checked(suspected, facts({"c3": NO}, is_stale=True)).state is CheckState.FAIL
    assert checked(suspected, facts({"c3": YES}, is_stale=True)).state is CheckState.INCONCLUSIVE


@pytest.mark.parametrize("support", [Support.CONTRADICTED, Support.NOT_IN_CONTEXT])
def test_what_only_a_machine_says_waits_for_a_person(support: Support) -> None:
    found = checked(run({"c3": [claim(support)]}))
    assert (found.state, found.worst_cases) == (CheckState.INCONCLUSIVE, ("c3",))


def test_a_suspicion_outside_the_critical_cases_is_not_this_rules_business() -> None:
    assert checked(run({f"c{N - 1}": [claim(Support.CONTRADICTED)]})).state is CheckState.PASS


def test_people_clear_the_very_claim_that_they_looked_at_and_no_other() -> None:
    suspected = run({"c3": [claim(Support.CONTRADICTED, "21 days"), claim()]})
    assert checked(suspected, facts({"c3": YES}, wording="21 days")).state is CheckState.PASS
    half = Facts(reviews={"c3": (*(facts({"c3": YES}).reviews or {})["c3"],
                                 ReviewedClaim(case_id="c3", claim_id="x", wording=("21 days",)))})  # fmt: skip
    assert checked(suspected, half).state is CheckState.INCONCLUSIVE


def test_a_flag_of_a_rule_in_code_asks_for_a_person_or_blocks_as_the_policy_says() -> None:
    flagged = run({"c3": [claim(flags=("number: 30 is not in the evidence",))]})
    assert checked(flagged).state is CheckState.INCONCLUSIVE
    assert checked(flagged, flagged="block").state is CheckState.FAIL
    assert checked(flagged, facts({"c3": YES}), flagged="block").state is CheckState.PASS


def test_reviewers_who_differ_or_cannot_tell_leave_it_open() -> None:
    assert checked(run(), facts({"c3": None}, is_disputed=True)).state is CheckState.INCONCLUSIVE
    assert checked(run(), facts({"c3": SupportVerdict.NOT_ASSESSABLE})).state is CheckState.INCONCLUSIVE


def test_where_nobody_looked_nothing_is_evaluated() -> None:
    some = run()
    unseen = replace(some, scores={"faithfulness": column([1.0] * (N // 2 - 1) + [ScoreStatus.TIMEOUT] + [1.0] * 20)})
    assert checked(unseen).state is CheckState.NOT_EVALUATED
    no_findings = replace(some, claims={})
    assert checked(no_findings).state is CheckState.NOT_EVALUATED


def test_an_answer_without_claims_was_looked_at() -> None:
    silent = replace(run(), claims={}, scores={"faithfulness": column([ScoreStatus.NO_CLAIMS] * N)})
    assert checked(silent).state is CheckState.PASS


def test_few_critical_cases_prove_little() -> None:
    found = checked(run(), minimum_n=30)
    assert (found.state, found.needed, found.needed_unit) == (CheckState.INCONCLUSIVE, 30, "cases")
    assert found.remedy is not None
    assert found.remedy.en == "10 more critical cases"


def test_no_critical_case_is_no_pass() -> None:
    plain = evaluation([case(f"c{i}") for i in range(3)], {"faithfulness": [1.0] * 3})
    assert checked(plain, where={"risk_tier": "high"}).state is CheckState.NOT_EVALUATED


def test_only_people_who_looked_at_every_claim_make_a_judge_needless() -> None:
    rules = policy({"metric": "hit@5", "margin": 0.1}, critical_claims={})
    planned = critical_claims_plan(rules, CASES)
    assert planned is not None
    assert rests_on_people(planned, run(), facts(dict.fromkeys(CRITICAL, YES)))
    assert not rests_on_people(planned, run(), facts(dict.fromkeys(CRITICAL[1:], YES)))


def test_a_pass_by_a_judge_that_is_not_calibrated_is_none_and_people_need_no_calibration() -> None:
    cases = [case(f"c{i}", risk_tier=RiskTier.HIGH) for i in range(N)]
    by_judge = replace(judged([1.0] * N, by=standing()), cases=tuple(cases), row_case=np.arange(N))
    by_judge = replace(by_judge, claims={each.case_id: (claim(),) for each in cases})
    rules = policy({"metric": "faithfulness", "pass_at": 0.6, "block_at": 0.5}, require_baseline=False,
                   critical_claims={"where": {"risk_tier": "high"}})  # fmt: skip

    def state(records: list[Any], given: Facts) -> CheckState:
        decision = decide(
            rules, by_judge, None, decided_at=WHEN, beleg_version="0", calibrations=records, facts=given
        )  # fmt: skip
        return next(check.state for check in decision.checks if check.check_id == "critical_claims")

    people = facts({each.case_id: YES for each in cases})
    assert state([], Facts()) is CheckState.NOT_EVALUATED
    assert state([record()], Facts()) is CheckState.PASS
    assert state([], people) is CheckState.PASS
    assert state([], facts({"c3": NO})) is CheckState.FAIL


def test_a_confirmed_claim_blocks_although_every_figure_is_good() -> None:
    rules = policy({"metric": "hit@5", "pass_at": 0.5, "block_at": 0.4}, require_baseline=False, critical_claims={})
    good = replace(run(), scores={"hit@5": column([1.0] * N), "faithfulness": column([1.0] * N)})
    decision = decide(rules, good, None, decided_at=WHEN, beleg_version="0", facts=facts({"c3": NO}))
    assert decision.verdict is Verdict.BLOCK
    assert decision.reviews_digest == "sha256:r"
