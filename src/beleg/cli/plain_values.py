"""Words of the command line as values, without the machinery that typer takes for every kind of them.

typer builds a pydantic validator for each parameter of a command, which takes longer than reading a small run file.
Most words need none: a text is itself, a whole number is plain to see, a path that can be read is a path. What is not
plain, and everything that is wrong, goes the way of typer, so that values and complaints stay the same.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, Final, get_args, get_origin

_UNSURE: Final = object()
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,17}", re.ASCII)
_PATH_TERMS: Final[dict[str, Any]] = {
    "exists": False,
    "file_okay": True,
    "dir_okay": True,
    "writable": False,
    "readable": True,
    "resolve_path": False,
    "allow_dash": False,
    "path_type": None,
}
"""What a path may ask for, as typer sets it where nothing is asked for."""


def read_plainly(command: Any) -> None:
    """Lets the parameters of a command take plain words as they are.

    Example:
        >>> from types import SimpleNamespace
        >>> read_plainly(SimpleNamespace(params=[]))
    """
    for parameter in command.params:
        _take_plainly(parameter)
    typers_help = getattr(command, "get_help_option", None)
    if typers_help is None:
        return

    def help_option(ctx: Any) -> Any:
        # typer makes it once, when it is first asked for.
        found = typers_help(ctx)
        if found is not None:
            _take_plainly(found)
        return found

    command.get_help_option = help_option


def _take_plainly(parameter: Any) -> None:
    described, typers = getattr(parameter, "type_descriptor", None), getattr(parameter, "get_runtime_param", None)
    if described is None or typers is None or isinstance(getattr(typers, "__self__", None), PlainReader):
        return
    parameter.get_runtime_param = PlainReader(described.annotation, described.parameter_info, typers).itself


class PlainReader:
    """Reads the words of one parameter, and asks typer where they are not plain.

    Args:
        annotation: what the parameter is, as typer resolved it.
        info: its terms.
        typers: gives the reader that typer would take; it is built when it is first needed.
    """

    def __init__(self, annotation: Any, info: Any, typers: Any) -> None:
        self._annotation = annotation
        self._info = info
        self._typers = typers

    def itself(self) -> PlainReader:
        """Stands in for the method by which typer asks for a reader."""
        return self

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value of what was written; ``None`` where nothing was."""
        several = param.multiple or param.nargs == -1
        if value is None:
            return () if several else None
        plain = self._plain(value, several=several)
        return self._typers().coerce(value, param=param, ctx=ctx) if plain is _UNSURE else plain

    def _plain(self, value: Any, *, several: bool) -> Any:
        info, wanted = self._info, self._annotation
        if getattr(info, "parser", None) is not None:
            return _UNSURE
        if get_origin(wanted) is not list:
            return _UNSURE if several else _of_kind(value, wanted, info)
        if not several or not isinstance(value, (list, tuple)):
            return _UNSURE
        (kind,) = get_args(wanted)
        found = [_of_kind(each, kind, info) for each in value]
        return _UNSURE if any(each is _UNSURE for each in found) else found


def _of_kind(value: Any, kind: Any, info: Any) -> Any:
    if type(value) is bool and kind is bool:
        return value
    if type(value) is int and kind is int and _has_no_bounds(info):
        # A default, which typer reads like a word.
        return value
    if not isinstance(value, str) or not _is_unicode(value):
        return _UNSURE
    if kind is str:
        return value
    if kind is int:
        return int(value) if _has_no_bounds(info) and _WHOLE.fullmatch(value) else _UNSURE
    if kind is Path:
        return _path(value) if _asks_nothing_of_paths(info) else _UNSURE
    return _UNSURE


def _path(value: str) -> Any:
    try:
        Path(value).stat()
    except OSError:
        # It is made by the command, or missed by it.
        return Path(value)
    except ValueError:
        return _UNSURE
    return Path(value) if os.access(value, os.R_OK) else _UNSURE


def _is_unicode(text: str) -> bool:
    """A word that is no UTF-8 comes with half a surrogate pair in it."""
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def _has_no_bounds(info: Any) -> bool:
    return getattr(info, "min", _UNSURE) is None and getattr(info, "max", _UNSURE) is None


def _asks_nothing_of_paths(info: Any) -> bool:
    return all(getattr(info, name, _UNSURE) is term for name, term in _PATH_TERMS.items())
