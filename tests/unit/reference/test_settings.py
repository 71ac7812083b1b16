from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from beleg.core.errors import ConfigError
from beleg.reference.settings import ReferenceSettings, read_settings


def test_a_block_may_name_nothing_but_the_corpus() -> None:
    settings = read_settings({"corpus": {"path": "corpus"}})
    assert (settings.lanes.bm25.k1, settings.lanes.bm25.b, settings.fusion.k, settings.candidates) == (
        1.2,
        0.75,
        60,
        50,
    )
    assert settings.filters.relevance == "none"


@pytest.mark.parametrize(
    ("block", "field"),
    [
        ({}, "reference.corpus"),
        ({"corpus": {"path": "c"}, "topk": 3}, "reference.topk"),
        ({"corpus": {"path": "c"}, "chunker": {"kind": "magic"}}, "reference.chunker.kind"),
        ({"corpus": {"path": "c"}, "top_k": "3"}, "reference.top_k"),
        ({"corpus": {"path": "c"}, "lanes": {"bm25": {"b": 2}}}, "reference.lanes.bm25.b"),
        (
            {"corpus": {"path": "c"}, "lanes": {"bm25": {"enabled": False}, "dense": {"enabled": False}}},
            "reference.lanes",
        ),
        ({"corpus": {"path": "c"}, "lanes": {"dense": {"kind": "openai"}}}, "reference.lanes.dense"),
        ({"corpus": {"path": "c"}, "generator": {"kind": "openai", "model": "m"}}, "reference.generator"),
        ({"corpus": {"path": "c"}, "rerank": {"kind": "hook"}}, "reference.rerank"),
        ({"corpus": {"path": "c"}, "chunker": {"size_tokens": 20, "overlap_tokens": 11}}, "reference.chunker"),
        ({"corpus": {"path": "c"}, "top_k": 31}, "reference"),
    ],
)
def test_what_is_wrong_is_named_by_file_and_field(block: dict[str, Any], field: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_settings(block, file="candidate.yaml")
    assert [(problem.file, problem.field) for problem in caught.value.problems] == [("candidate.yaml", field)]


def undocumented(model: type[BaseModel]) -> list[str]:
    found = []
    for name, field in model.model_fields.items():
        if not field.description:
            found.append(f"{model.__name__}.{name}")
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            found += undocumented(field.annotation)
    return found


def test_every_setting_is_documented() -> None:
    assert undocumented(ReferenceSettings) == []
