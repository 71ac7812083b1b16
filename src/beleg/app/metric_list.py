"""The metrics of the catalogue, for people and programs."""

from __future__ import annotations

from typing import Any

from beleg.metrics.catalogue import CATALOGUE
from beleg.metrics.spec import MetricSpec


def pattern(spec: MetricSpec) -> str:
    """How the metric is written, such as ``ndcg@K``; what may be left out stands in brackets."""
    cut = ""
    if "k" in spec.parameters:
        cut = "@K" if "k" in spec.required else "[@K]"
    others = [name for name in spec.parameters if name != "k"]
    rest = "".join(f"[({name}=…)]" if name not in spec.required else f"({name}=…)" for name in others)
    return f"{spec.name}{cut}{rest}"


def metric_rows(language: str) -> list[tuple[str, str, str, str]]:
    """For every metric: how it is written, its area, which way is better, and what it measures."""
    german = language == "de"
    ways = {"higher": "höher" if german else "higher", "lower": "niedriger" if german else "lower"}
    neutral = "weder noch" if german else "neither"
    return [
        (
            pattern(spec),
            spec.area,
            ways.get(spec.direction, neutral),
            spec.description_de if german else spec.description_en,
        )
        for spec in CATALOGUE.values()
    ]


def metric_json() -> list[dict[str, Any]]:
    """The same as JSON data, in both languages."""
    return [
        {
            "name": spec.name,
            "pattern": pattern(spec),
            "area": spec.area,
            "direction": spec.direction,
            "kind": spec.kind,
            "low": spec.low,
            "high": spec.high,
            "aggregate": spec.aggregate,
            "version": spec.version,
            "title": {"en": spec.title_en, "de": spec.title_de},
            "description": {"en": spec.description_en, "de": spec.description_de},
        }
        for spec in CATALOGUE.values()
    ]
