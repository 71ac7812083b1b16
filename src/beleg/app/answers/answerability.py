"""The rates of NoMIRACL from its files: who knows when the passages hold no answer (A8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beleg.adapters.formats.jsonl import read_jsonl
from beleg.app.answers.figures import Figure, interval_json
from beleg.core.decision import Counts
from beleg.core.errors import DataError, Problem, shown
from beleg.core.score import ScoreStatus
from beleg.metrics.generation.answerability import (
    Answerability,
    AnswerabilityRates,
    SubsetRate,
    answerability_rates,
    read_answerability,
)
from beleg.text.figures import Unit, quantity


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerabilityReport:
    """Both rates for every model."""

    rates: Mapping[str, AnswerabilityRates]

    def to_json(self) -> dict[str, Any]:
        """By model: hallucination and error rate with their intervals and the invalid replies."""
        return {
            model: {"hallucination": _subset(rates.hallucination), "error": _subset(rates.error)}
            for model, rates in self.rates.items()
        }


def answerability_of_files(non_relevant: Path, relevant: Path) -> AnswerabilityReport:
    """Hallucination rate and error rate of every model whose replies two files hold.

    Args:
        non_relevant: JSON Lines; each row has ``results``, a reply by model, to passages that hold no answer.
        relevant: the same to passages that hold one.

    Raises:
        UsageError: if a file is not there.
        DataError: for a row without replies.
    """
    verdicts: dict[str, list[Answerability]] = {}
    labels: dict[str, list[bool]] = {}
    for path, label in ((non_relevant, False), (relevant, True)):
        for model, reply in _replies(path):
            verdicts.setdefault(model, []).append(read_answerability(reply))
            labels.setdefault(model, []).append(label)
    rates = {model: answerability_rates(verdicts[model], labels[model]) for model in verdicts}
    return AnswerabilityReport(rates=rates)


def _replies(path: Path) -> Iterator[tuple[str, str]]:
    for row in read_jsonl(path):
        results = row.data.get("results")
        if not isinstance(results, dict) or not results:
            raise DataError(
                Problem(
                    file=str(path),
                    line=row.line,
                    field="results",
                    message="a reply by model is needed",
                    value=shown(results),
                    remedy='Write {"results": {"model": "reply"}}',
                )
            )
        for model, reply in results.items():
            if not isinstance(reply, str):
                raise DataError(
                    Problem(
                        file=str(path),
                        line=row.line,
                        field=f"results.{model}",
                        message="a reply is a text",
                        value=shown(reply),
                    )
                )
            yield model, reply


def _subset(rate: SubsetRate) -> dict[str, Any]:
    return {
        "of_valid": interval_json(rate.of_valid),
        "of_all": interval_json(rate.of_all),
        "invalid": rate.invalid,
        "n": rate.n,
    }


def answerability_rows(report: AnswerabilityReport, language: str) -> list[list[str]]:
    """One row per model: both rates over valid replies, and how many replies were invalid."""
    rows = []
    for model, rates in report.rates.items():
        cells = [model]
        for rate in (rates.hallucination, rates.error):
            valid = Counts(expected=rate.n, scored=rate.n - rate.invalid, reasons={ScoreStatus.INVALID: rate.invalid})
            cells.append(Figure(interval=rate.of_valid, counts=valid).text(language, Unit.PERCENT))
        rows.append(cells)
    return rows


def answerability_answer(report: AnswerabilityReport, language: str) -> str:
    """The first line: who hallucinates least and most where the passages hold no answer."""
    known = {
        model: found.estimate
        for model, rates in report.rates.items()
        if (found := rates.hallucination.of_valid) is not None
    }
    if not known:
        return "keine gültige Antwort" if language == "de" else "no valid reply"
    least, most = min(known, key=known.__getitem__), max(known, key=known.__getitem__)
    low, high = (quantity(known[name], language, unit=Unit.PERCENT) for name in (least, most))
    if language == "de":
        return f"Ohne Beleg in den Passagen behauptet {least} in {low}, {most} in {high} der gültigen Antworten einen"
    return f"Where no passage holds an answer, {least} claims one in {low} of its valid replies, {most} in {high}"
