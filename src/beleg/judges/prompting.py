"""Prompts: the fixed part first and the row last, with the row's data fenced so that it stays data (rule 5)."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal

from beleg.core.digest import digest_of
from beleg.core.errors import ConfigError, DataError, Problem, shown
from beleg.core.inference import ChatMessage
from beleg.judges.task import Part

PromptLanguage = Literal["en", "de"]

FENCE_LAYOUT = "1"
"""Raised whenever the form of the fences changes; it is part of every prompt's digest."""

_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,63}")

_TASK = re.compile(r"[a-z0-9_]{1,64}")


@dataclass(frozen=True, slots=True)
class Prompt:
    """The fixed part of a prompt in one language."""

    task: str
    language: PromptLanguage
    system: str

    @property
    def digest(self) -> str:
        """The content address of the wording."""
        return digest_of({"task": self.task, "language": self.language, "system": self.system, "fence": FENCE_LAYOUT})


def prompt_language(language: str | None) -> PromptLanguage:
    """The language of the prompt for a row: German for German rows, English for all others.

    The judge keeps the row's own language in whatever it writes; the prompts say so.

    Example:
        >>> prompt_language("de-AT"), prompt_language(None)
        ('de', 'en')
    """
    return "de" if (language or "").lower().split("-")[0].split("_")[0] == "de" else "en"


@cache
def load_prompt(task: str, language: PromptLanguage) -> Prompt:
    """The prompt of a task, from ``prompts/<task>.toml`` with the rules that all tasks share in front.

    Raises:
        ConfigError: if there is no such prompt, or it lacks the language.
    """
    wording = _wording(task, language)
    return Prompt(task, language, f"{_wording('shared', language)}\n\n{wording}")


def _wording(task: str, language: PromptLanguage) -> str:
    name = f"{task}.toml"
    # The name may come from a finding of a stranger: only letters lead to a file, and none outside the folder.
    prompt = files("beleg.judges").joinpath("prompts", name)
    if _TASK.fullmatch(task) is None or not prompt.is_file():
        raise ConfigError(Problem(message="there is no prompt of this name", field="task", value=shown(task)))
    table = tomllib.loads(prompt.read_text(encoding="utf-8"))
    wording = table.get(language, {}).get("system")
    if not isinstance(wording, str) or not wording.strip():
        raise ConfigError(Problem(message="has no prompt in this language", file=name, field=f"{language}.system"))
    return wording.strip()


def messages_for(prompt: Prompt, parts: Sequence[Part]) -> tuple[ChatMessage, ...]:
    """The messages of one call: the fixed part, then the row's data between fences.

    The fence carries a mark that follows from all of the data, so that no part can hold its own closing fence: whoever
    wrote a part would have to know a hash of a text that holds that hash. The same row gives the same bytes. Text that
    is no valid Unicode has its broken characters replaced, for it cannot be sent.

    Args:
        prompt: the fixed part.
        parts: the data of the row.

    Raises:
        DataError: for a label that could break its tag; whoever shows ids of strangers numbers them.

    Example:
        >>> parts = [Part("answer", "42")]
        >>> sent = messages_for(Prompt("t", "en", "Judge."), parts)
        >>> print(sent[1].content.replace(fence_mark(parts), "M"))
        <answer mark="M">
        42
        </answer mark="M">
    """
    mark = fence_mark(parts)
    fenced = "\n".join(_fenced(part, mark) for part in parts)
    return (ChatMessage(role="system", content=prompt.system), ChatMessage(role="user", content=fenced))


def fence_mark(parts: Sequence[Part]) -> str:
    """A mark that stands in none of the parts."""
    marked = [_hashed_name(part.name, part.label or "") + _hashed(part.text) for part in parts]
    mark = hashlib.sha256(b"".join(marked)).hexdigest()[:16]
    while any(mark in part.text for part in parts):
        mark = hashlib.sha256(mark.encode()).hexdigest()[:16]
    return mark


@lru_cache(maxsize=4_096)
def _hashed_name(name: str, label: str) -> bytes:
    return _hashed(name) + _hashed(label)


def _hashed(field: str) -> bytes:
    """A field with its length before it, so that no two rows give the same bytes."""
    data = field.encode("utf-8", "backslashreplace")
    return b"%d:%b" % (len(data), data)


def _fenced(part: Part, mark: str) -> str:
    label = "" if part.label is None else f' id="{_safe(part.label)}"'
    return f'<{part.name}{label} mark="{mark}">\n{_sendable(part.text)}\n</{part.name} mark="{mark}">'


def _safe(label: str) -> str:
    if _LABEL.fullmatch(label) is None:
        raise DataError(
            Problem(
                message="an id shown to a judge holds up to 64 letters, digits, dots, colons and hyphens",
                value=shown(label),
                remedy="Number the texts and keep their own ids aside",
            )
        )
    return label


def _sendable(text: str) -> str:
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
