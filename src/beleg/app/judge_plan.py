"""What judging a run would take, before anything is spent: rows, calls, tokens, dollars."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from beleg.core.judge_settings import JudgeBudget, JudgePrice, JudgeSettings
from beleg.judges.rows import RowJob
from beleg.metrics.batch import Row
from beleg.text.numbers import number

CHARS_PER_TOKEN = 3.5
"""Between English (about 4) and German (about 3); the plan is an estimate, and the budget is what binds."""
SYSTEM_CHARS = 2_500
"""About what the fixed part of a prompt and its schema take."""
REPLY_TOKENS = 300
"""About what a reply takes beside the answer's own length."""
TIMES_ANSWER = 2
"""How often all calls of a row together show its answer, and how often they repeat it."""


@dataclass(frozen=True, slots=True)
class Planned:
    """Calls and tokens before they are priced."""

    calls: int
    prompt_tokens: int
    completion_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgingPlan:
    """What is still to be judged, and about what it takes. What is in a cache already makes it less."""

    rows: int
    """Measures of rows that have no finding that still holds."""
    held: int
    """Measures of rows that were judged already."""
    by_measure: dict[str, int]
    calls_at_most: int
    """Without repeats after faults."""
    prompt_tokens: int
    """About what is sent."""
    completion_tokens: int
    """About what comes back."""
    cost_usd: float | None
    """About the price; ``None`` where no price is given: it is unknown, not 0."""
    exceeds: tuple[str, ...] = ()
    """The limits of the budget that the plan goes beyond."""

    def lines(self, language: str) -> list[str]:
        """The plan for a person.

        Args:
            language: ``en`` or ``de``.
        """
        german = language == "de"
        sent, back = (number(tokens, language, decimals=0) for tokens in (self.prompt_tokens, self.completion_tokens))
        cost = None if self.cost_usd is None else number(self.cost_usd, language, decimals=4)
        if german:
            price = "Kosten unbekannt: die Judge-Datei nennt keinen Preis" if cost is None else f"etwa {cost} USD"
            head = f"{self.rows} zu beurteilen, {self.held} schon beurteilt · höchstens {self.calls_at_most} Aufrufe"
            told = f"{head} · etwa {sent} Tokens hin und {back} zurück · {price}"
        else:
            price = "cost unknown: the judge file names no price" if cost is None else f"about {cost} USD"
            head = f"{self.rows} to judge, {self.held} judged already · at most {self.calls_at_most} calls"
            told = f"{head} · about {sent} tokens sent and {back} back · {price}"
        return [told, *(f"  {name}: {count}" for name, count in self.by_measure.items()), *self._excess(german=german)]

    def _excess(self, *, german: bool) -> list[str]:
        if not self.exceeds:
            return []
        limits = ", ".join(self.exceeds)
        if german:
            return [f"Das geht über das Budget hinaus ({limits}): dort wird angehalten, das Beurteilte bleibt erhalten"]
        return [f"It goes beyond the budget ({limits}): it would stop there and keep what was judged"]

    def affordable_rows(self, budget: JudgeBudget) -> int | None:
        """About how many rows the budget pays for; ``None`` where it pays for all of them, as far as is known.

        More rows than these are not begun at a time: a row that is begun and not finished is paid for nothing.
        """
        tokens = self.prompt_tokens + self.completion_tokens
        limits = (
            (budget.max_calls, self.calls_at_most),
            (budget.max_tokens, tokens),
            (budget.max_usd, self.cost_usd or 0),
        )
        shares = [limit / planned for limit, planned in limits if limit is not None and planned > limit]
        return max(1, int(self.rows * min(shares))) if shares else None

    def to_json_dict(self) -> dict[str, Any]:
        """The same as JSON data."""
        return {
            "rows": self.rows,
            "already_judged": self.held,
            "by_measure": self.by_measure,
            "calls_at_most": self.calls_at_most,
            "prompt_tokens_about": self.prompt_tokens,
            "completion_tokens_about": self.completion_tokens,
            "cost_usd_about": self.cost_usd,
            "exceeds": list(self.exceeds),
        }


def plan_of(jobs: Iterable[RowJob], *, expected: int, settings: JudgeSettings) -> JudgingPlan:
    """Counts what jobs would take.

    Args:
        jobs: what is still to be judged.
        expected: how many there would be if nothing had been judged.
        settings: gives price and budget.
    """
    by_measure: Counter[str] = Counter()
    calls = prompt = completion = 0
    for job in jobs:
        by_measure[job.measure.name] += 1
        # Of an embedding model or a verifier in process no call of the judge is paid.
        n = job.measure.calls(job.row) if "judge" in job.measure.needs else 0
        calls += n
        prompt += _prompt_tokens(job, n)
        completion += _completion_tokens(job.row, n)
    return _priced(
        by_measure, Planned(calls, prompt, completion), held=expected - by_measure.total(), settings=settings
    )


def plan_of_questions(name: str, chars: Iterable[int], *, held: int, settings: JudgeSettings) -> JudgingPlan:
    """Counts what questions would take that a judge is asked once each.

    Args:
        name: what is asked for.
        chars: how long the text of each question is.
        held: how many need not be asked.
        settings: gives price and budget.
    """
    tokens = [int((SYSTEM_CHARS + length) / CHARS_PER_TOKEN) for length in chars]
    planned = Planned(len(tokens), sum(tokens), len(tokens) * REPLY_TOKENS)
    return _priced(Counter({name: len(tokens)}), planned, held=held, settings=settings)


def _priced(by_measure: Counter[str], planned: Planned, *, held: int, settings: JudgeSettings) -> JudgingPlan:
    cost = _cost(settings.price, planned.prompt_tokens, planned.completion_tokens)
    return JudgingPlan(
        rows=by_measure.total(),
        held=held,
        by_measure=dict(sorted(by_measure.items())),
        calls_at_most=planned.calls,
        prompt_tokens=planned.prompt_tokens,
        completion_tokens=planned.completion_tokens,
        cost_usd=cost,
        exceeds=_exceeded(settings, planned.calls, planned.prompt_tokens + planned.completion_tokens, cost),
    )


def _prompt_tokens(job: RowJob, calls: int) -> int:
    """About what the calls of a row send: each the fixed part, the question and its passages."""
    row = job.row
    passages = [len(passage.text or "") for passage in row.output.final_passages()]
    shown = sum(passages)
    if job.measure.asks_of_each_passage and passages:
        shown = int(shown / len(passages))
    each = SYSTEM_CHARS + len(row.case.question) + shown
    return int((calls * each + _answer_chars(row, calls)) / CHARS_PER_TOKEN)


def _completion_tokens(row: Row, calls: int) -> int:
    return calls * REPLY_TOKENS + int(_answer_chars(row, calls) / CHARS_PER_TOKEN)


def _answer_chars(row: Row, calls: int) -> int:
    """A long answer is parted between the calls: as a text, and again as the claims that were found in it."""
    return min(calls, TIMES_ANSWER) * len(row.output.answer or "")


def _cost(price: JudgePrice | None, prompt: int, completion: int) -> float | None:
    if price is None:
        return None
    sent, came = price.usd_per_million_prompt_tokens, price.usd_per_million_completion_tokens
    return (prompt * sent + completion * came) / 1_000_000


def _exceeded(settings: JudgeSettings, calls: int, tokens: int, cost: float | None) -> tuple[str, ...]:
    budget = settings.budget
    limits = (
        ("max_calls", budget.max_calls, calls),
        ("max_tokens", budget.max_tokens, tokens),
        ("max_usd", budget.max_usd, cost),
    )
    return tuple(
        name for name, limit, planned in limits if limit is not None and planned is not None and planned > limit
    )
