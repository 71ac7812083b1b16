"""Projects whose answers can be judged: recorded answers with their passages, and a judge file for a server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cli.projects import beleg, write_cases, write_lines

PASSAGE = "Returns are free within 30 days. Shipping costs 4,90 €."
GOOD = "Returns are free within 30 days."
HALF = "Returns are free within 30 days. Gifts are wrapped for free."


def write_judged_project(folder: Path, answers: list[str | None], *, passage: str = PASSAGE, **case: Any) -> Path:
    """A project with one finished run, ``runs/new``; case ``c<i>`` has the i-th answer, and all the given fields."""
    write_cases(folder / "cases.jsonl", len(answers), lambda i: {"language": "de" if i % 2 else "en"} | case)
    delivered = [{"passage_id": "d1", "document_id": "d1", "text": passage}]
    rows: list[dict[str, Any]] = [
        {"case_id": f"c{i}", "retrieved": delivered, "delivered": delivered, "answer": answer}
        for i, answer in enumerate(answers)
    ]
    write_lines(folder / "new.traces.jsonl", rows)
    (folder / "new.yaml").write_text("kind: traces\nmanifest: {name: new}\ntraces: {path: new.traces.jsonl}\n")
    assert beleg("run", "new.yaml", "--suite", "cases.jsonl", "--out", "runs/new", cwd=folder).code == 0
    return folder


def write_judge(path: Path, base_url: str, **settings: Any) -> Path:
    """A judge file; settings that are mappings are written in flow style."""
    lines = ["name: mock", f"base_url: {base_url}", "model: mock-judge"]
    lines += [f"{name}: {_flow(value)}" for name, value in settings.items()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {_flow(inner)}" for name, inner in value.items()) + "}"
    return str(value)
