"""Faithfulness of the rows of a file by DeepEval, tuned; says what it took as one line of JSON.

Tuned: one shared HTTP client, no bars, no cache writes, all of which are not what it does by itself; by itself it does
not end within its own time limit at 1,000 rows.

usage: PYTHON-WITH-DEEPEVAL benchmarks/peers/judge_deepeval.py URL ROWS.jsonl CONCURRENCY
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

os.environ |= {"DEEPEVAL_TELEMETRY_OPT_OUT": "YES", "ERROR_REPORTING": "NO", "CONFIDENT_METRIC_LOGGING_VERBOSE": "0"}

from deepeval import evaluate
from deepeval.evaluate.configs import AsyncConfig, CacheConfig, DisplayConfig
from deepeval.metrics import FaithfulnessMetric
from deepeval.models import OpenAIModel
from deepeval.test_case import LLMTestCase
from openai import DefaultAsyncHttpxClient


def main() -> None:
    """Judges, and says what it took."""
    url, path, workers = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    read = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    cases = [
        LLMTestCase(input=row["question"], actual_output=row["answer"], retrieval_context=row["contexts"])
        for row in read
    ]
    model = OpenAIModel(
        model="gpt-4o-mini", api_key="not-needed", base_url=url, async_http_client=DefaultAsyncHttpxClient()
    )
    wall, cpu = time.perf_counter(), time.process_time()
    found = evaluate(
        cases,
        metrics=[FaithfulnessMetric(model=model, async_mode=True)],
        async_config=AsyncConfig(max_concurrent=workers),
        display_config=DisplayConfig(show_indicator=False, print_results=False),
        cache_config=CacheConfig(write_cache=False),
    )
    took = {"wall_s": time.perf_counter() - wall, "cpu_s": time.process_time() - cpu}
    values = [
        metric.score
        for result in found.test_results
        for metric in result.metrics_data or []
        if metric.score is not None
    ]
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    peak = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
    mean = sum(values) / max(1, len(values))
    print(json.dumps({**took, "peak_mb": peak / 1024, "scored": len(values), "mean": mean}))


if __name__ == "__main__":
    main()
