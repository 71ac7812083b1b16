"""The models that the embedded RAG asks for, opened from its settings."""

from __future__ import annotations

from beleg.reference.settings import ReferenceSettings
from beleg.reference.system import Plugins


def plugins_for(settings: ReferenceSettings) -> Plugins:
    """Opens the embedding and chat models that the settings name; none for the offline defaults."""
    return Plugins()
