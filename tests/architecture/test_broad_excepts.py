"""Only named boundaries catch whatever comes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from architecture.source import Module, modules, require_only

BROAD = {"Exception", "BaseException"}

BOUNDARIES: dict[tuple[str, str], str] = {
    ("beleg.cli.main", "main"): "the command line: a fault of our own becomes exit code 70, never a traceback",
    ("beleg.adapters.signing.key_references", "ServiceSigner.sign_bytes"): (
        "foreign code: clients of key services raise whatever they like, and it becomes an EvidenceError"
    ),
    ("beleg.app.sealed_gate", "_without_words"): (
        "the edge of a sealed suite: whatever a fault says may quote a case, so that its kind alone is told"
    ),
    ("beleg.run.execute", "ask"): "the item runner: whatever a candidate raises is recorded as the trace of the case",
    ("beleg.run.execute", "_Report.tell"): (
        "the caller's progress callback: what it raises is raised again once every answer is journalled"
    ),
    ("beleg.adapters.candidates.threads", "BlockingCalls._call"): (
        "a worker thread: the fault is handed to the coroutine that waits and raised there"
    ),
    ("beleg.adapters.candidates.callable_candidate", "CallableCandidate._called"): (
        "foreign code: what the callable raises becomes a CandidateError"
    ),
    ("beleg.adapters.candidates.callable_candidate", "_imported"): (
        "foreign code: importing the callable's module may raise anything, and it becomes a UsageError"
    ),
    ("beleg.adapters.indexes.qdrant_edge_index", "_faults"): (
        "foreign code: the engine raises Exception itself for every fault, and it becomes a CandidateError"
    ),
    ("beleg.adapters.models.onnx_embeddings", "_loaded"): (
        "foreign code: onnxruntime and tokenizers raise Exception itself for a damaged file, and it becomes a DataError"
    ),
    ("beleg.adapters.models.onnx_embeddings", "_computed"): (
        "foreign code: a model may fail in any way while it runs, and it becomes an InvalidOutput"
    ),
    ("beleg.adapters.models.onnx_session", "_opened"): (
        "foreign code: onnxruntime and tokenizers raise Exception itself for a damaged file, and it becomes a DataError"
    ),
    ("beleg.adapters.models.onnx_session", "_asked"): (
        "foreign code: a model may fail in any way while it runs, and it becomes an InvalidOutput"
    ),
}


def broad_handlers(module: Module) -> Iterator[tuple[str, str]]:
    """The scope and the place of every handler or ``suppress`` that takes all exceptions."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ExceptHandler) and (node.type is None or _names(node.type) & BROAD):
            yield module.scope_of(node), module.at(node)
    for call, full in module.calls():
        if full == "contextlib.suppress" and {name for argument in call.args for name in _names(argument)} & BROAD:
            yield module.scope_of(call), module.at(call)


def _names(kind: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(kind) if isinstance(node, ast.Name)}


def test_only_boundaries_catch_everything() -> None:
    require_only(
        BOUNDARIES,
        (((module.name, scope), place) for module in modules() for scope, place in broad_handlers(module)),
        "Catch the exceptions that can occur by name; a true boundary is listed in BOUNDARIES with its reason",
    )


def test_the_rule_sees_what_it_forbids() -> None:
    text = """
import contextlib
class A:
    def f(self):
        try: pass
        except (ValueError, Exception): raise
def g():
    try: pass
    except: raise
    with contextlib.suppress(BaseException): pass
    try: pass
    except ValueError: raise
"""
    assert [scope for scope, _ in broad_handlers(Module.of(text))] == ["g", "A.f", "g"]
