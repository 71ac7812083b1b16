"""The candidate file."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from beleg.adapters.candidates.callable_candidate import CallableCandidate
from beleg.adapters.candidates.http_candidate import HttpCandidate
from beleg.adapters.candidates.recorded import RecordedTraces
from beleg.adapters.candidates.spec import CandidateFile, open_candidate
from beleg.adapters.formats.models import load_document
from beleg.core.errors import ConfigError, UsageError

BLOCKS = {
    "callable": "callable: {target: 'json:dumps'}",
    "http": """http:
  url: http://rag.example/ask
  headers: {Authorization: 'Bearer ${ENV:KEY}'}
  request: {question: '{{query.text}}'}
  response: {passages: '$.hits', answer: $.answer}
  allowed_hosts: [rag.example]""",
    "traces": "traces: {path: traces.jsonl}",
    "reference": "reference: {top_k: 5}",
}
KINDS = {"callable": CallableCandidate, "http": HttpCandidate, "traces": RecordedTraces}


def _file(folder: Path, kind: str, *blocks: str) -> CandidateFile:
    path = folder / "candidate.yaml"
    path.write_text("\n".join([f"kind: {kind}", "manifest: {name: a}", *(BLOCKS[block] for block in blocks)]))
    return load_document(CandidateFile, path)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_opens_its_candidate(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "traces.jsonl").write_text('{"case_id": "a", "answer": "x"}\n')
    candidate = open_candidate(_file(tmp_path, kind, kind), base_dir=tmp_path, concurrency=2)
    assert isinstance(candidate, KINDS[kind])
    assert candidate.manifest.name == "a"


def test_the_reference_is_wired_elsewhere(tmp_path: Path) -> None:
    file = _file(tmp_path, "reference", "reference")
    assert file.reference == {"top_k": 5}
    with pytest.raises(UsageError, match="reference"):
        open_candidate(file, base_dir=tmp_path, concurrency=2)


@pytest.mark.parametrize(("kind", "blocks"), [("http", ()), ("http", ("traces",)), ("traces", ("traces", "http"))])
def test_exactly_the_block_of_the_kind_is_there(kind: str, blocks: tuple[str, ...], tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=f"has the block '{kind}' and no other"):
        _file(tmp_path, kind, *blocks)


def test_a_secret_in_the_file_is_refused_and_not_repeated(tmp_path: Path) -> None:
    path = tmp_path / "candidate.yaml"
    for text in (
        BLOCKS["http"].replace("${ENV:KEY}", "canary-77"),
        BLOCKS["http"].replace("${ENV:KEY}", "canary-77\\n").replace("'Bearer", '"Bearer').replace("\\n'", '\\n"'),
        BLOCKS["http"].replace("rag.example/ask", "user:canary-77@rag.example/"),
        BLOCKS["http"].replace("rag.example/ask", "rag.example/?token=canary-77"),
        BLOCKS["http"].replace("url:", "api_key: canary-77\n  url:"),
    ):
        assert "canary-77" in text
        path.write_text(f"kind: http\nmanifest: {{name: a}}\n{text}\n")
        with pytest.raises(ConfigError) as raised:
            load_document(CandidateFile, path)
        assert "canary-77" not in raised.value.diagnostics()
