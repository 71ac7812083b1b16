"""What every request finds in the application."""

from __future__ import annotations

from fastapi import Request

from beleg.app.workbench.installation import Installation
from beleg.app.workbench.services import Workbench
from beleg.web.access import principal_of


def workbench(request: Request) -> Workbench:
    """The project of the tenant whom the person or program behind the request belongs to, and no other."""
    installation: Installation = request.app.state.installation
    return installation.workbench(principal_of(request).tenant)
