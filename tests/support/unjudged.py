"""A project whose runs returned passages that nobody judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cli.projects import beleg, write_lines

PLACE = "suite/suite.yaml"
QUOTE = "Returns are free within 14 days."


def passage(name: str, text: str = "Some words.") -> dict[str, str]:
    """A passage of the document with the same letter."""
    return {"passage_id": name, "document_id": f"d-{name[0]}", "text": text}


def unjudged_project(folder: Path, name: str = "shop", **texts: str) -> Path:
    """Two cases, two runs: for ``c1`` passage ``a1`` holds the evidence, ``x1`` is forbidden, all else is unjudged.

    Run one returns ``a1 b1 e1`` and run two ``b1 a1 x1`` for ``c1``; both return ``b2`` for ``c2``.
    """
    suite = folder / "suite"
    suite.mkdir(parents=True)
    cases: list[dict[str, Any]] = [
        {"case_id": "c1", "user_input": texts.get("question", "How long are returns free?"),
         "expected_passages": [{"document_id": "d-a", "quote": QUOTE}], "forbidden_sources": ["d-x"]},
        {"case_id": "c2", "user_input": "And shipping?"},
    ]  # fmt: skip
    write_lines(suite / "cases.jsonl", cases)
    (suite / "suite.yaml").write_text(f"name: {json.dumps(name)}\ncases: [cases.jsonl]\n", encoding="utf-8")
    held, b1 = passage("a1", QUOTE), passage("b1", texts.get("text", "It takes 3 days."))
    returned = {"one": [held, b1, passage("e1")], "two": [b1, held, passage("x1")]}
    for run, listed in returned.items():
        rows = [
            {"case_id": "c1", "retrieved": listed, "answer": "14 days."},
            {"case_id": "c2", "retrieved": [passage("b2")], "answer": "4 €."},
        ]
        write_lines(folder / f"{run}.traces.jsonl", rows)
        (folder / f"{run}.yaml").write_text(
            f"kind: traces\nmanifest: {{name: system-{run}}}\ntraces: {{path: {run}.traces.jsonl}}\n", encoding="utf-8"
        )
        done = beleg("run", f"{run}.yaml", "--suite", PLACE, "--out", f"runs/{run}", cwd=folder)
        assert done.code == 0, done.err
    return folder
