"""Faithfulness of the rows of a file by Ragas; says what it took as one line of JSON.

usage: PYTHON-WITH-RAGAS benchmarks/peers/judge_ragas.py URL ROWS.jsonl CONCURRENCY
"""

from __future__ import annotations

import json
import math
import os
import sys
import time
from pathlib import Path

os.environ["RAGAS_DO_NOT_TRACK"] = "true"

from langchain_openai import ChatOpenAI
from ragas import EvaluationDataset, RunConfig, evaluate
from ragas.llms import LangchainLLMWrapper
from ragas.metrics import Faithfulness


def main() -> None:
    """Judges, and says what it took."""
    url, path, workers = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    read = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    data = EvaluationDataset.from_list(
        [
            {"user_input": row["question"], "response": row["answer"], "retrieved_contexts": row["contexts"]}
            for row in read
        ]
    )
    model = LangchainLLMWrapper(ChatOpenAI(model="gpt-4o-mini", base_url=url, api_key="not-needed", max_retries=0))
    wall, cpu = time.perf_counter(), time.process_time()
    found = evaluate(
        data,
        metrics=[Faithfulness(llm=model)],
        run_config=RunConfig(max_workers=workers),
        show_progress=False,
    )
    took = {"wall_s": time.perf_counter() - wall, "cpu_s": time.process_time() - cpu}
    values = [score["faithfulness"] for score in found.scores if not math.isnan(score["faithfulness"])]
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    peak = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
    mean = sum(values) / max(1, len(values))
    print(json.dumps({**took, "peak_mb": peak / 1024, "scored": len(values), "mean": mean}))


if __name__ == "__main__":
    main()
