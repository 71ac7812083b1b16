"""The errors that Beleg raises, arranged by who must act.

    beleg Error (root)
    ├── UsageError        the command or call was wrong           exit 2
    ├── DataError         a file, row or field is wrong           exit 30
    ├── ConfigError       a policy or project setting is wrong    exit 30
    ├── EvidenceError     what is needed to decide is not there   exit 30
    ├── CandidateError    the system under test misbehaved        exit 30
    └── MissingExtra      an optional part is not installed       exit 2

Exit 0, 10 and 20 belong to decisions alone (PASS, REVIEW, BLOCK); 70 means a fault of our own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

MAX_PROBLEMS_SHOWN = 20
MAX_VALUE_SHOWN = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong, with the place where it stands and the way to mend it."""

    message: str
    file: str | None = None
    line: int | None = None
    field: str | None = None
    value: str | None = None
    remedy: str | None = None

    def __str__(self) -> str:
        place = self.file or ""
        if self.line is not None:
            place = f"{place}:{self.line}" if place else f"line {self.line}"
        parts = [f"{place}: " if place else ""]
        if self.field:
            parts.append(f"field '{self.field}': ")
        parts.append(self.message)
        if self.value is not None:
            parts.append(f" (found {self.value})")
        if self.remedy:
            parts.append(f". {self.remedy}")
        return "".join(parts)


def shown(value: object) -> str:
    """Quotes a value for a message: printable, on one line, cut to a fixed length."""
    text = repr(value)
    return text if len(text) <= MAX_VALUE_SHOWN else f"{text[: MAX_VALUE_SHOWN - 1]}…"


class Error(Exception):
    """Root of everything that Beleg raises on purpose."""

    exit_code: ClassVar[int] = 30

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def diagnostics(self) -> str:
        """The message for a person: what is wrong, then what to do."""
        return f"{self.message}\n{self.hint}" if self.hint else self.message


class UsageError(Error):
    """The command line or the call cannot be understood."""

    exit_code = 2


class MissingExtra(UsageError):
    """An optional package is needed and not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(
            f"{what} needs packages that are not installed",
            hint=f"Install them with: pip install 'beleg[{extra}]'",
        )


class DataError(Error):
    """One or more rows or fields of an input cannot be used; nothing of the input was used."""

    def __init__(self, problems: Iterable[Problem] | Problem, *, hint: str | None = None) -> None:
        self.problems = (problems,) if isinstance(problems, Problem) else tuple(problems)
        lines = [str(problem) for problem in self.problems[:MAX_PROBLEMS_SHOWN]]
        more = len(self.problems) - MAX_PROBLEMS_SHOWN
        if more > 0:
            lines.append(f"… and {more} more")
        super().__init__("\n".join(lines), hint=hint)


class ConfigError(DataError):
    """A policy, manifest or project file does not say something that can be carried out."""


class EvidenceError(Error):
    """What a decision needs is missing, damaged or not comparable."""


class CandidateError(Error):
    """The system under test could not be reached or answered with something unusable.

    ``kind`` is one word for counting; ``retryable`` says whether asking again may help, and ``retry_after_s`` how
    long the other side asked to wait.
    """

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        kind: str = "error",
        retryable: bool = False,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message, hint=hint)
        self.kind = kind
        self.retryable = retryable
        self.retry_after_s = retry_after_s


class InvalidOutput(CandidateError):
    """The system under test answered, but not with something that can be taken as an output."""

    def __init__(self, message: str, *, hint: str | None = None, kind: str = "invalid_output") -> None:
        super().__init__(message, hint=hint, kind=kind)
