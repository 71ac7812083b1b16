"""Ragas' context metrics without a judge over rows given as JSON, in an interpreter that holds ragas.

Reads ``{"metric": "id" or "text", "rows": […]}`` from a file, and prints CPU seconds, peak memory in MB and the values.
Importing the library and reading the rows do not count; everything from its own data set to its own result does.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from pathlib import Path
from typing import Any

from ragas import EvaluationDataset, evaluate
from ragas.metrics import IDBasedContextPrecision, NonLLMContextRecall


def main() -> None:
    """Measures one metric."""
    asked: dict[str, Any] = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    metric = IDBasedContextPrecision() if asked["metric"] == "id" else NonLLMContextRecall()
    began = time.process_time()
    result = evaluate(EvaluationDataset.from_list(asked["rows"]), metrics=[metric], show_progress=False)
    values = [float(row[metric.name]) for row in result.scores]
    spent = time.process_time() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    json.dump({"cpu_s": spent, "peak_mb": peak, "values": values}, sys.stdout)
    sys.stdout.flush()
    # The library leaves threads behind that would keep the process alive.
    os._exit(0)


if __name__ == "__main__":
    main()
