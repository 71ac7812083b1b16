"""People and models on the same documents of TREC RAG: figures that were measured before Beleg computed them."""

from __future__ import annotations

import gzip
import json
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from beleg.app.ir.judgements import Agreement, compare_judgements
from beleg.metrics.generation.nuggets import Assignment, NuggetAssignment, NuggetFinding, nugget_score
from beleg.stats.agreement import kendall_tau

pytestmark = pytest.mark.shared_data

PEOPLE, UMBRELA = "qrels/qrels.rag25.test.txt", "qrels/qrels.rag25.test-umbrela2.txt"
MODELS = "trec-rag-data/development-data/rag25-dev-umbrela-qrels"


def agreement(old: Path, new: Path, min_rel: int = 1) -> Agreement:
    found = compare_judgements(old, new, [], [], min_rel=min_rel).agreement
    assert found is not None
    return found


def grades(path: Path) -> dict[tuple[str, str], int]:
    lines = gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text()
    return {(query, document): int(grade) for query, _, document, grade in map(str.split, lines.splitlines())}


def plain_kappa(first: dict[tuple[str, str], int], second: dict[tuple[str, str], int]) -> float:
    """Cohen's kappa as its definition reads, pair by pair."""
    pairs = [(first[key], second[key]) for key in first.keys() & second.keys()]
    observed = sum(mine == theirs for mine, theirs in pairs) / len(pairs)
    labels = {grade for pair in pairs for grade in pair}
    chance = (
        sum(sum(mine == label for mine, _ in pairs) * sum(theirs == label for _, theirs in pairs) for label in labels)
        / len(pairs) ** 2
    )
    return (observed - chance) / (1 - chance)


def test_people_and_umbrela_agree_as_was_measured(shared_data: Path) -> None:
    folder = shared_data / "trec_rag"
    found = agreement(folder / PEOPLE, folder / UMBRELA)
    assert found.table.n == 10_284
    assert found.kappa.score.value == pytest.approx(0.233, abs=5e-4)
    assert found.quadratic.score.value == pytest.approx(0.492, abs=5e-4)
    assert found.kappa.score.value == pytest.approx(plain_kappa(grades(folder / PEOPLE), grades(folder / UMBRELA)))


def test_three_models_agree_as_was_measured(shared_data: Path) -> None:
    files = sorted((shared_data / "trec_rag" / MODELS).glob("*.gz"))
    found = [agreement(old, new) for old, new in combinations(files, 2)]
    assert [one.table.n for one in found] == [26_341] * 3
    assert [round(one.kappa.score.value or 0, 2) for one in found] == [0.21, 0.30, 0.37]
    assert found[0].kappa.score.value == pytest.approx(plain_kappa(grades(files[0]), grades(files[1])))


def test_the_model_calls_more_documents_relevant_than_people_do(shared_data: Path) -> None:
    folder = shared_data / "trec_rag"
    found = agreement(folder / PEOPLE, folder / UMBRELA).relevant
    assert (round(found.old, 3), round(found.new, 3)) == (0.648, 0.755)
    people, model = grades(folder / PEOPLE), grades(folder / UMBRELA)
    relevant = [model[key] >= 1 for key, grade in people.items() if grade >= 1]
    irrelevant = [model[key] < 1 for key, grade in people.items() if grade < 1]
    assert found.follows_relevant.value == pytest.approx(sum(relevant) / len(relevant))
    assert found.follows_irrelevant.value == pytest.approx(sum(irrelevant) / len(irrelevant))


def test_topics_with_much_relevant_material_are_the_same_for_both(shared_data: Path) -> None:
    folder = shared_data / "trec_rag"
    people, model = grades(folder / PEOPLE), grades(folder / UMBRELA)
    topics = sorted({topic for topic, _ in people})
    shares = [
        [float(np.mean([grade >= 2 for (query, _), grade in rated.items() if query == topic])) for topic in topics]
        for rated in (people, model)
    ]
    tau = kendall_tau(*shares).value
    assert tau is not None
    assert 0.4 < tau < 0.9


def test_a_shift_is_better_corrected_by_the_mean_difference_than_by_error_rates(shared_data: Path) -> None:
    """Half of the topics labelled: Rogan and Gladen's correction errs more than no judge at all would."""
    folder = shared_data / "trec_rag"
    people, model = grades(folder / PEOPLE), grades(folder / UMBRELA)
    keys = list(people)
    human = np.array([people[key] >= 1 for key in keys], dtype=np.float64)
    judge = np.array([model[key] >= 1 for key in keys], dtype=np.float64)
    _, topic = np.unique([query for query, _ in keys], return_inverse=True)
    rng = np.random.default_rng(0)
    errors = np.array(
        [estimates(human, judge, np.isin(topic, rng.permutation(22)[:11])) - human.mean() for _ in range(200)]
    )
    by_judge, by_people, by_rates, by_difference = np.abs(errors).mean(axis=0)
    assert by_difference < by_people < by_rates < by_judge
    assert by_difference < 0.035
    assert by_judge == pytest.approx(0.106, abs=1e-3)


def estimates(
    human: npt.NDArray[np.float64], judge: npt.NDArray[np.float64], labelled: npt.NDArray[np.bool_]
) -> npt.NDArray[np.float64]:
    """The share of relevant documents by the judge, by people alone, by error rates, by the mean difference."""
    mine, theirs = human[labelled], judge[labelled]
    sensitivity, specificity = theirs[mine == 1].mean(), 1 - theirs[mine == 0].mean()
    by_rates = (judge.mean() + specificity - 1) / (sensitivity + specificity - 1)
    return np.array([judge.mean(), mine.mean(), by_rates, judge.mean() + (mine - theirs).mean()])


def test_the_nuggets_of_trec_rag_2025_are_scored_whole(shared_data: Path) -> None:
    file = shared_data / "trec_rag/trec-rag-data/development-data/rag25-dev-nuggets/rag25-dev-nuggets.jsonl"
    topics = [json.loads(line)["nuggets"] for line in file.read_text(encoding="utf-8").splitlines()]
    assert len(topics) == 22
    for nuggets in topics:
        vital = [nugget["importance"] == "vital" for nugget in nuggets]
        found = NuggetAssignment(
            nuggets=tuple(
                NuggetFinding(
                    nugget_id=str(place),
                    text=nugget["text"],
                    vital=is_vital,
                    assignment=Assignment.SUPPORT if is_vital else Assignment.NOT_SUPPORT,
                )
                for place, (nugget, is_vital) in enumerate(zip(nuggets, vital, strict=True))
            )
        )
        okay = len(vital) - sum(vital)
        assert nugget_score(found, "strict_vital").value == 1.0
        assert nugget_score(found, "all").value == pytest.approx(sum(vital) / len(vital))
        assert nugget_score(found, "weighted").value == pytest.approx(sum(vital) / (sum(vital) + 0.5 * okay))
