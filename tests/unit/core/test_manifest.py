from __future__ import annotations

from beleg.core.manifest import Manifest


def test_a_field_is_resolved_by_a_value_or_by_being_declared_absent() -> None:
    manifest = Manifest(name="m", chunker="c", not_used=("reranker", "judge_model", "judge_prompt"))
    assert "reranker" not in manifest.unresolved()
    assert "chunker" not in manifest.unresolved()
    assert "index_build" in manifest.unresolved()


def test_the_digest_covers_every_field() -> None:
    base = Manifest(name="m", temperature=0.0, retriever={"k": 5})
    changed = [
        base.model_copy(update={"temperature": 0.1}),
        base.model_copy(update={"retriever": {"k": 6}}),
        base.model_copy(update={"seed": 0}),
        base.model_copy(update={"extra": {"flag": True}}),
    ]
    assert len({base.digest, *(other.digest for other in changed)}) == 5


def test_differences_name_both_values_and_leave_the_name_out() -> None:
    new, old = Manifest(name="new", top_k=5, prompt="p"), Manifest(name="old", top_k=8)
    assert new.differences(old) == {"top_k": (5, 8), "prompt": ("p", None)}
