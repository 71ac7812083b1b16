"""The base of everything that is stored: frozen, strict, and closed to unknown fields."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict


class StoredModel(BaseModel):
    """A value that is written to disk: immutable, strictly typed, refusing unknown fields and NaN."""

    model_config = ConfigDict(
        frozen=True, strict=True, extra="forbid", allow_inf_nan=False, use_attribute_docstrings=True
    )

    def to_json_dict(self) -> dict[str, Any]:
        """The value as plain JSON data, leaving out what was not set."""
        return self.model_dump(mode="json", exclude_none=True)
