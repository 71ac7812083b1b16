"""A Python callable as a candidate."""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from beleg.adapters.candidates.outputs import CandidateTimeout, as_output, describe_fault
from beleg.adapters.candidates.threads import BlockingCalls
from beleg.core.errors import CandidateError, UsageError
from beleg.core.inventory import Inventory
from beleg.core.manifest import Manifest
from beleg.core.trace import Output, Query


class CallableCandidate:
    """Wraps a function that takes a `Query`; a coroutine function is awaited, any other runs in a thread.

    What it may return is said at `beleg.adapters.candidates.outputs.as_output`. Whatever it raises becomes a
    `CandidateError` of the kind ``raised``, and a `TimeoutError` a `CandidateTimeout`.
    """

    def __init__(self, function: Callable[[Query], Any], *, manifest: Manifest, concurrency: int = 8) -> None:
        self._function = function
        self._manifest = manifest
        self._calls = BlockingCalls(concurrency)
        self._is_async = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
            getattr(function, "__call__", None)  # noqa: B004 - asks about the method, not whether there is one
        )

    @property
    def manifest(self) -> Manifest:
        """What the system is made of."""
        return self._manifest

    async def answer(self, query: Query) -> Output:
        """Calls the function.

        Raises:
            CandidateError: if the function raises.
            InvalidOutput: if it returns something that is no output.
        """
        return as_output(await self._called(query))

    def inventory(self) -> Inventory | None:
        """Nothing is known about the index behind a function."""
        return None

    async def close(self) -> None:
        """There is nothing to release: calls that still run end with the process."""

    async def _called(self, query: Query) -> object:
        try:
            returned = self._function(query) if self._is_async else await self._calls.run(self._function, query)
            return await returned if inspect.isawaitable(returned) else returned
        except CandidateError:
            raise
        except TimeoutError as fault:
            raise CandidateTimeout(f"the callable timed out: {describe_fault(fault)}") from fault
        # The function is foreign code and may raise anything; sys.exit in it must not end the run.
        except (Exception, SystemExit) as fault:
            raise CandidateError(f"the callable raised {describe_fault(fault)}", kind="raised") from fault


def load_callable(target: str, *, search_in: Path | None = None) -> Callable[[Query], Any]:
    """Imports a function by its name.

    Args:
        target: ``package.module:function``; dots after the colon lead into classes or objects.
        search_in: a folder that is searched after all installed packages.

    Raises:
        UsageError: if the name has another form, or the module or the function is not there or not callable.
    """
    module_name, colon, attributes = target.partition(":")
    if not colon or not all(name.isidentifier() for name in [*module_name.split("."), *attributes.split(".")]):
        raise UsageError(
            f"{target!r} does not name a callable", hint="Write it as package.module:function, such as shop.rag:answer"
        )
    folder = None if search_in is None else str(search_in.resolve())
    if folder is not None and folder not in sys.path:
        # Kept for good, since modules may import their neighbours later; at the end, so that nothing is shadowed.
        sys.path.append(folder)
    found: Any = _imported(module_name, target)
    for name in attributes.split("."):
        if not hasattr(found, name):
            raise UsageError(f"{target!r}: {module_name} has no {attributes}", hint="Check the name after the colon")
        found = getattr(found, name)
    if not callable(found):
        raise UsageError(
            f"{target!r} is a value of type {type(found).__name__}, not a callable", hint="Name a function"
        )
    return found  # type: ignore[no-any-return]


def _imported(module_name: str, target: str) -> object:
    try:
        return importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        missing = error.name or module_name
        if module_name == missing or module_name.startswith(f"{missing}."):
            hint = "Run beleg in the folder that holds the module, or install the package"
        else:
            hint = f"{module_name} needs {missing}; install it"
        raise UsageError(f"{target!r}: there is no module {missing}", hint=hint) from error
    # Importing runs foreign code, which may raise anything.
    except (Exception, SystemExit) as error:
        raise UsageError(
            f"{target!r}: importing {module_name} failed with {describe_fault(error)}", hint="Import it by hand first"
        ) from error
