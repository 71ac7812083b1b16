from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.judging import GOOD, HALF, write_judge, write_judged_project
from cli.projects import beleg
from support.mock_judge import served_apart
from support.tiny_models import write_embedder


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with served_apart() as address:
        yield address


@pytest.fixture
def project(tmp_path: Path, server: str) -> Path:
    write_judge(tmp_path / "judge.yaml", server)
    return write_judged_project(tmp_path, [GOOD, HALF, GOOD, None])


JUDGE = ("judge", "run", "runs/new", "--judge", "judge.yaml")


def test_a_plan_says_what_it_would_take_and_asks_nobody(tmp_path: Path) -> None:
    write_judge(tmp_path / "judge.yaml", "http://127.0.0.1:9/v1")
    project = write_judged_project(tmp_path, [GOOD, HALF])
    done = beleg(*JUDGE, "--plan", cwd=project)
    assert (done.code, done.err) == (0, "")
    assert done.lines[0].startswith("2 to judge, 0 judged already · at most 4 calls · about ")
    assert done.lines[0].endswith("cost unknown: the judge file names no price")
    assert beleg(*JUDGE, "--plan", "--json", cwd=project).json["cost_usd_about"] is None


def test_a_plan_with_a_price_tells_the_cost_and_what_goes_beyond_the_budget(tmp_path: Path) -> None:
    price = {"usd_per_million_prompt_tokens": 1000.0, "usd_per_million_completion_tokens": 1000.0}
    write_judge(tmp_path / "judge.yaml", "http://127.0.0.1:9/v1", price=price, budget={"max_usd": 0.01})
    done = beleg(*JUDGE, "--plan", cwd=write_judged_project(tmp_path, [GOOD, HALF]))
    assert "USD" in done.lines[0]
    assert "It goes beyond the budget (max_usd)" in done.out


def test_a_plan_speaks_german(tmp_path: Path) -> None:
    price = {"usd_per_million_prompt_tokens": 1000.0, "usd_per_million_completion_tokens": 1000.0}
    write_judge(tmp_path / "judge.yaml", "http://127.0.0.1:9/v1", price=price, budget={"max_usd": 0.01})
    done = beleg(*JUDGE, "--plan", "--lang", "de", cwd=write_judged_project(tmp_path, [GOOD, HALF]))
    assert done.lines[0].startswith("2 zu beurteilen, 0 schon beurteilt · höchstens 4 Aufrufe · etwa ")
    assert "," in done.lines[0].rsplit("etwa ", 1)[1]
    assert "Das geht über das Budget hinaus (max_usd)" in done.out


def test_a_plan_prices_no_call_that_the_judge_does_not_get(tmp_path: Path) -> None:
    embedder = {"model": "e", "base_url": "http://127.0.0.1:9/v1"}
    write_judge(tmp_path / "judge.yaml", "http://127.0.0.1:9/v1", embedder=embedder)
    project = write_judged_project(tmp_path, [GOOD, HALF])
    planned = beleg(*JUDGE, "--metric", "semantic_similarity", "--plan", "--json", cwd=project).json
    assert (planned["rows"], planned["calls_at_most"], planned["prompt_tokens_about"]) == (2, 0, 0)


def test_a_judge_that_answers_on_no_row_is_no_success(tmp_path: Path) -> None:
    with served_apart(is_down=True) as address:
        write_judge(tmp_path / "judge.yaml", address, mode="json_schema", limits={"attempts": 1})
        project = write_judged_project(tmp_path, [GOOD, None])
        answered = beleg(*JUDGE, cwd=project)
    assert answered.code == 30


def test_a_run_without_any_usable_reply_is_no_success(tmp_path: Path) -> None:
    with served_apart(p_missing=1.0) as address:
        write_judge(tmp_path / "judge.yaml", address, mode="json_schema", limits={"attempts": 1})
        done = beleg(*JUDGE, "--json", cwd=write_judged_project(tmp_path, [HALF, None]))
    assert (done.code, done.json["findings"]["claim_support"]) == (30, {"invalid": 1, "missing": 1})


def test_empty_answers_are_no_fault_of_the_judge(tmp_path: Path, server: str) -> None:
    write_judge(tmp_path / "judge.yaml", server, mode="json_schema")
    assert beleg(*JUDGE, cwd=write_judged_project(tmp_path, [None, None])).code == 0


def test_answers_are_judged_kept_and_scored(project: Path) -> None:
    done = beleg(*JUDGE, cwd=project)
    assert (done.code, done.err) == (0, "")
    assert done.lines[0] == "3 of 4 judged"
    assert "1 missing" in done.out
    assert "cost unknown" in done.out
    scores = beleg("score", "runs/new", "--metric", "faithfulness", "--json", cwd=project).json
    figure = scores["figures"]["faithfulness"]
    assert figure["figure"]["estimate"] == pytest.approx((1 + 0.5 + 1) / 3)
    assert figure["counts"] == {"expected": 4, "scored": 3, "reasons": {"missing": 1}}


def test_what_was_judged_is_scored_without_asking_for_it_by_name(project: Path) -> None:
    assert "faithfulness" not in beleg("score", "runs/new", "--json", cwd=project).json["figures"]
    beleg(*JUDGE, cwd=project)
    assert "faithfulness" in beleg("score", "runs/new", "--json", cwd=project).json["figures"]


def test_a_second_time_costs_nothing(project: Path) -> None:
    first = beleg(*JUDGE, "--json", cwd=project).json
    assert (first["done"], first["judged_before"]) == (4, 0)
    again = beleg(*JUDGE, "--json", cwd=project).json
    # The row without an answer has nothing to hold: it is looked at again, and nobody is asked.
    assert (again["done"], again["judged_before"], again["calls"]) == (1, 3, 0)


def test_a_shared_cache_pays_for_another_run(project: Path) -> None:
    cached = (*JUDGE, "--cache", "judge-cache.db", "--json")
    first = beleg(*cached, cwd=project).json
    (project / "runs/new/findings.jsonl").unlink()
    (project / "runs/new/calls.db").unlink()
    again = beleg(*cached, cwd=project).json
    assert first["calls"] > 0
    assert (again["calls"], again["findings"]) == (0, first["findings"])


def test_a_replay_uses_recorded_verdicts_and_no_network(project: Path) -> None:
    first = beleg(*JUDGE, "--json", cwd=project).json
    (project / "runs/new/findings.jsonl").unlink()
    write_judge(project / "judge.yaml", first["judge"]["base_url"], mode="json_schema")
    replayed = beleg(*JUDGE, "--replay", "--json", cwd=project).json
    assert (replayed["calls"], replayed["findings"]) == (0, first["findings"])


@pytest.mark.parametrize("ignored", ["", "response_format"])
def test_a_replay_without_findings_takes_from_the_calls_how_json_was_had(tmp_path: Path, ignored: str) -> None:
    project = write_judged_project(tmp_path, [GOOD, HALF])
    behaviour = {"refuses": ignored} if ignored else {}
    with served_apart(**behaviour) as address:
        write_judge(tmp_path / "judge.yaml", address)
        first = beleg(*JUDGE, "--json", cwd=project).json
    (project / "runs/new/findings.jsonl").unlink()
    replayed = beleg(*JUDGE, "--replay", "--json", cwd=project).json
    assert (replayed["judge"], replayed["findings"]) == (first["judge"], {"claim_support": {"scored": 2}})


@pytest.mark.parametrize("option", ["--plan", "--json"])
def test_a_model_that_no_wanted_metric_needs_is_not_opened(project: Path, server: str, option: str) -> None:
    nowhere = {"kind": "onnx", "folder": "not-there"}
    write_judge(project / "judge.yaml", server, embedder=nowhere, verifier={"kind": "nli", "folder": "not-there"})
    done = beleg(*JUDGE, option, cwd=project)
    assert (done.code, done.err) == (0, "")
    assert beleg(*JUDGE, "--metric", "semantic_similarity", option, cwd=project).code != 0


@pytest.mark.parametrize("calls", [6, 12])
def test_a_small_budget_finishes_rows_and_begins_no_more_than_it_pays_for(
    tmp_path: Path, server: str, calls: int
) -> None:
    # No two answers are equal, so that each takes its two calls.
    project = write_judged_project(tmp_path, [f"{GOOD} Row {number} is new." for number in range(20)])
    write_judge(tmp_path / "judge.yaml", server, mode="json_schema", budget={"max_calls": calls})
    done = beleg(*JUDGE, "--json", cwd=project)
    assert done.code == 30
    assert (done.json["calls"], done.json["findings"]["claim_support"]["scored"]) == (calls, calls // 2)


def test_an_account_that_is_used_up_leaves_finished_rows(tmp_path: Path) -> None:
    project = write_judged_project(tmp_path, [f"{GOOD} Row {number} is new." for number in range(40)])
    with served_apart(quota_after=32, latency_ms=20) as address:
        write_judge(tmp_path / "judge.yaml", address, mode="json_schema", limits={"in_flight": 4})
        done = beleg(*JUDGE, "--json", cwd=project)
    # One request is the probe; no more rows than may be in flight are begun in vain, and one that was at the head.
    assert done.json["findings"]["claim_support"]["scored"] >= (31 - 4 - 1) // 2


def test_a_replay_without_a_record_asks_nobody_either(project: Path) -> None:
    done = beleg(*JUDGE, "--replay", cwd=project)
    assert done.code == 2
    assert "there is nothing to replay" in done.err


def test_a_budget_stops_hard_and_keeps_what_was_judged(project: Path, server: str) -> None:
    write_judge(project / "judge.yaml", server, max_tokens=500, limits={"in_flight": 1})
    done = beleg(*JUDGE, "--max-tokens", "1900", cwd=project)
    assert done.code == 30
    assert "tokens" in done.lines[0]
    more = beleg(*JUDGE, "--json", cwd=project)
    assert more.code == 0
    assert more.json["findings"]["claim_support"]["scored"] + more.json["judged_before"] == 3


def test_money_cannot_be_limited_without_a_price(project: Path) -> None:
    done = beleg(*JUDGE, "--max-usd", "1", cwd=project)
    assert done.code == 2
    assert "--max-usd needs a price" in done.err


def test_a_judge_that_was_not_asked_takes_no_verdict_of_another_away(project: Path, server: str) -> None:
    beleg(*JUDGE, cwd=project)
    before = beleg("score", "runs/new", "--metric", "faithfulness", "--json", cwd=project).json["figures"]
    write_judge(project / "judge.yaml", server, limits={"in_flight": 1}, max_tokens=5_000)
    assert beleg(*JUDGE, "--max-tokens", "10", cwd=project).code == 30
    assert beleg(*JUDGE, "--replay", cwd=project).code == 0
    assert beleg("score", "runs/new", "--metric", "faithfulness", "--json", cwd=project).json["figures"] == before


def test_a_metric_that_nobody_judged_is_scored_as_missing(project: Path) -> None:
    done = beleg("score", "runs/new", "--metric", "faithfulness", "--json", cwd=project)
    assert (done.code, done.err) == (0, "")
    assert done.json["figures"]["faithfulness"]["counts"]["reasons"] == {"missing": 4}


@pytest.mark.parametrize("usd", ["0", "inf", "1e300"])
def test_a_limit_that_is_none_is_a_wrong_command(project: Path, server: str, usd: str) -> None:
    price = {"usd_per_million_prompt_tokens": 1.0, "usd_per_million_completion_tokens": 1.0}
    write_judge(project / "judge.yaml", server, price=price)
    done = beleg(*JUDGE, "--max-usd", usd, cwd=project)
    assert done.code == 2
    assert "--max-usd" in done.err


def test_a_replay_asks_no_embedding_model_and_counts_no_call(project: Path, server: str) -> None:
    embedder = {"model": "e", "base_url": "http://127.0.0.1:9/v1", "api_key_env": "KEY_THAT_IS_NOT_SET"}
    write_judge(project / "judge.yaml", server, mode="json_schema")
    assert beleg(*JUDGE, cwd=project).code == 0
    write_judge(project / "judge.yaml", server, mode="json_schema", embedder=embedder)
    done = beleg(*JUDGE, "--metric", "answer_relevancy", "--replay", "--json", cwd=project).json
    assert done["calls"] == 0
    assert set(done["findings"]["answer_questions"]) == {"missing"}


def test_embeddings_are_paid_once_and_replayed(tmp_path: Path, server: str) -> None:
    write_judge(tmp_path / "judge.yaml", server, embedder={"model": "e", "base_url": server}, cache="shared.db")
    project = write_judged_project(tmp_path, [GOOD, HALF], reference_answer="Free within 30 days.")
    similarity = (*JUDGE, "--metric", "semantic_similarity", "--json")
    findings = project / "runs/new/findings.jsonl"
    first = beleg(*similarity, cwd=project).json
    assert (first["calls"], first["findings"]) == (2, {"answer_similarity": {"scored": 2}})
    assert first["prompt_tokens"] > 0
    judged = findings.read_text("utf-8")
    for kept in ("calls.db", "shared.db"):
        findings.unlink()
        again = beleg(*similarity, cwd=project).json
        assert (again["calls"], again["findings"], findings.read_text("utf-8")) == (0, first["findings"], judged), kept
        (project / "runs/new/calls.db").unlink(missing_ok=True)
    findings.unlink()
    write_judge(project / "judge.yaml", server, mode="json_schema", embedder={"model": "e", "base_url": server})
    replayed = beleg(*similarity, "--replay", "--cache", "shared.db", cwd=project).json
    assert (replayed["calls"], replayed["findings"]) == (0, first["findings"])


def test_a_judge_that_is_not_there_is_named_before_anything_is_judged(project: Path) -> None:
    write_judge(project / "judge.yaml", "http://127.0.0.1:9/v1")
    done = beleg(*JUDGE, cwd=project)
    assert done.code == 30
    assert "the judge mock cannot be used" in done.err
    assert not (project / "runs/new/findings.jsonl").exists()


@pytest.mark.parametrize(
    ("metric", "told"), [("ndcg@10", "needs no judge"), ("faithfullness", "Did you mean faithfulness")]
)
def test_a_metric_that_cannot_be_judged_is_refused(project: Path, metric: str, told: str) -> None:
    done = beleg(*JUDGE, "--metric", metric, cwd=project)
    assert done.code == 2
    assert told in done.err


def test_a_judge_file_with_a_key_in_it_is_refused(project: Path, server: str) -> None:
    write_judge(project / "judge.yaml", server, api_key="sk-123")
    done = beleg(*JUDGE, cwd=project)
    assert done.code == 30
    assert "judge.yaml:4: field 'api_key'" in done.err


def test_only_the_named_cases_are_judged(project: Path) -> None:
    assert beleg(*JUDGE, "--case", "c1", "--json", cwd=project).json["done"] == 1
    assert "Did you mean: c1" in beleg(*JUDGE, "--case", "c11", cwd=project).err


def test_check_tells_what_the_judge_can_do(project: Path) -> None:
    done = beleg("judge", "check", "judge.yaml", cwd=project)
    assert (done.code, done.err) == (0, "")
    assert "json_schema" in done.out
    assert beleg("judge", "check", "judge.yaml", "--json", cwd=project).json["mode"] == "json_schema"


def test_measures_name_the_metrics_that_follow_from_them(project: Path) -> None:
    assert "faithfulness" in beleg("judge", "measures", cwd=project).out
    rows = beleg("judge", "measures", "--json", cwd=project).json
    assert {"claim_support"} <= {row["name"] for row in rows}


def test_a_judge_with_other_prompts_or_another_model_judges_anew(project: Path, server: str) -> None:
    beleg(*JUDGE, cwd=project)
    write_judge(project / "judge.yaml", server, seed=7)
    again = beleg(*JUDGE, "--json", cwd=project).json
    assert (again["done"], again["judged_before"]) == (4, 0)
    lines = (project / "runs/new/findings.jsonl").read_text().splitlines()
    assert len(lines) == 8
    assert {json.loads(line)["finding"]["judge"].get("seed") for line in lines} == {None, 7}


def test_a_model_without_token_vectors_is_refused_for_bert_score_before_anything_is_judged(
    project: Path, server: str
) -> None:
    write_judge(project / "judge.yaml", server, embedder={"model": "e", "base_url": server})
    for options in ((), ("--plan",)):
        done = beleg(*JUDGE, "--metric", "bert_score", *options, cwd=project)
        assert done.code == 30
        assert "needs a vector for every token, and this embedding model gives none" in done.err
        assert "kind: onnx" in done.err
    assert not (project / "runs/new/findings.jsonl").exists()


def test_answers_are_compared_by_a_model_in_a_folder(tmp_path: Path, server: str) -> None:
    project = write_judged_project(tmp_path, ["returns are free", "water damage"], reference_answer="returns are free")
    write_embedder(project / "tiny")
    write_judge(project / "judge.yaml", server, embedder={"kind": "onnx", "folder": "tiny"})
    metrics = ("--metric", "bert_score", "--metric", "semantic_similarity")
    done = beleg(*JUDGE, *metrics, cwd=project)
    assert (done.code, done.err) == (0, "")
    rows = beleg("score", "runs/new", *metrics, "--json", cwd=project).json["figures"]
    for name in ("bert_score", "semantic_similarity"):
        assert rows[name]["counts"]["scored"] == 2
        assert 0.5 < rows[name]["figure"]["estimate"] < 1


def test_a_check_and_a_stop_speak_german(tmp_path: Path, server: str) -> None:
    write_judge(tmp_path / "judge.yaml", server, budget={"max_calls": 1})
    done = beleg("judge", "check", "judge.yaml", "--lang", "de", cwd=tmp_path)
    assert done.code == 0
    assert done.lines[0].startswith("mock antwortet: mock-judge unter ")
    stopped = beleg(*JUDGE, "--lang", "de", cwd=write_judged_project(tmp_path, [GOOD, HALF]))
    assert stopped.lines[0].endswith("nicht gefragt: das Budget von 1 Aufrufen ist verbraucht")
