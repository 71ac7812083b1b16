"""Policies from files and from plain data."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from beleg.adapters.formats.faults import Place
from beleg.adapters.formats.models import load_document, validated
from beleg.core.errors import ConfigError, DataError
from beleg.core.policy import Policy

PolicySource = Policy | Path | Mapping[str, Any]


def load_policy(source: PolicySource) -> Policy:
    """A policy from a file, or from plain data.

    Raises:
        UsageError: if there is no such file.
        ConfigError: naming file, line, field, value and remedy for everything that is wrong.
    """
    if isinstance(source, Policy):
        return source
    if isinstance(source, Path):
        return load_document(Policy, source)
    try:
        return validated(Policy, dict(source), Place("policy"))
    except DataError as error:
        raise ConfigError(error.problems, hint=error.hint) from error
