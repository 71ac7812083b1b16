"""Small projects for the command line: a suite, recorded traces, a policy, and the command itself."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from beleg.cli.main import main

POLICY = """\
policy: small
require_baseline: false
minimum_n: 10
checks:
  - {metric: recall@5, pass_at: 0.5, block_at: 0.3}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What a command printed, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """The lines of standard output."""
        return self.out.splitlines()

    @property
    def json(self) -> Any:
        """Standard output as the one JSON document that it must be."""
        return json.loads(self.out)


def beleg(*words: str, cwd: Path) -> Done:
    """Runs the command line in this process; a candidate in Python needs one of its own."""
    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.chdir(cwd),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        mock.patch.object(sys, "argv", ["beleg", *words]),
    ):
        try:
            main()
        except SystemExit as ended:
            code = int(ended.code or 0)
    return Done(code=code, out=out.getvalue(), err=err.getvalue())


def real_beleg(*words: str, cwd: Path, **options: Any) -> Done:
    """Runs the command line as a program of its own, with its output in pipes."""
    done = subprocess.run(
        [sys.executable, "-m", "beleg", *words], cwd=cwd, capture_output=True, text=True, check=False, **options
    )
    return Done(code=done.returncode, out=done.stdout, err=done.stderr)


def write_lines(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Writes rows as JSON Lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def write_cases(path: Path, count: int, more: Callable[[int], dict[str, Any]] = lambda _: {}) -> None:
    """Writes cases c0, c1, … that each expect document d1."""
    rows = (
        {"case_id": f"c{i}", "user_input": f"question {i}", "expected_passages": [{"document_id": "d1"}]} | more(i)
        for i in range(count)
    )
    write_lines(path, rows)


def write_recorded(folder: Path, name: str, documents: Iterable[str], answer: str = "yes") -> None:
    """Writes a candidate that retrieved one document for each of c0, c1, …"""
    rows = (
        {"case_id": f"c{i}", "retrieved": [{"passage_id": found, "document_id": found}], "answer": answer}
        for i, found in enumerate(documents)
    )
    write_lines(folder / f"{name}.traces.jsonl", rows)
    (folder / f"{name}.yaml").write_text(
        f"kind: traces\nmanifest: {{name: {name}}}\ntraces: {{path: {name}.traces.jsonl}}\n"
    )


def write_callable(folder: Path, name: str, body: str) -> None:
    """Writes a candidate that is a Python function of a module of its own."""
    (folder / f"{name}_system.py").write_text(f"import asyncio, math, time\n\n{body}\n")
    (folder / f"{name}.yaml").write_text(
        f"kind: callable\nmanifest: {{name: {name}}}\ncallable: {{target: '{name}_system:answer'}}\n"
    )


def write_policy(path: Path, **settings: object) -> None:
    """Writes a policy with one check on recall@5 and the given settings beside it."""
    policy = {
        "policy": "small",
        "require_baseline": False,
        "minimum_n": 10,
        "checks": [{"metric": "recall@5", "pass_at": 0.5, "block_at": 0.3}],
    }
    path.write_text(json.dumps(policy | settings))
