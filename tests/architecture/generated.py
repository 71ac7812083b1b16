"""The generator of the reference, loaded from the tools of the project."""

from __future__ import annotations

import importlib
import sys
from functools import cache
from types import ModuleType

from architecture.source import PROJECT


@cache
def generator() -> ModuleType:
    """``tools/generate_reference.py`` as a module."""
    # As when it is run as a script: its folder is searched, so that it finds its neighbours.
    tools = str(PROJECT / "tools")
    if tools not in sys.path:
        sys.path.append(tools)
    return importlib.import_module("generate_reference")
