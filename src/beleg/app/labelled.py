"""Labels that people gave, from one of the known data sets or a file of our own (J4)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from beleg.core.digest import digest_of
from beleg.core.errors import DataError, Problem, UsageError
from beleg.core.labels import HumanLabel


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledRows:
    """Labels with the place they come from."""

    source: str
    """As it was given, such as ``scifact:data/scifact``."""
    labels: tuple[HumanLabel, ...]

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def digest(self) -> str:
        """The content address of all labels in order."""
        return digest_of([label.to_json_dict() for label in self.labels])

    @property
    def annotators(self) -> tuple[str, ...]:
        """Everybody who labelled, as far as the source tells."""
        return tuple(sorted({label.annotator for label in self.labels if label.annotator is not None}))


def read_labelled(source: str) -> LabelledRows:
    """Reads labels.

    Args:
        source: ``ragtruth:FILE``, ``scifact:FOLDER``, ``factscore:FILE``, ``llmbar:FOLDER``, ``judgebench:FILE``, or
            the path of a JSON Lines file with ``case_id``, ``answer`` or ``claim``, ``passages`` and ``label``.

    Raises:
        UsageError: if there is no such file or folder.
        DataError: naming file, line, field and remedy for everything that is wrong, and for a source without labels.
    """
    from beleg.adapters.formats.label_sets import LABEL_SETS
    from beleg.adapters.formats.labels import read_label_rows

    kind, colon, place = source.partition(":")
    reader = LABEL_SETS.get(kind) if colon else None
    path = Path(place if reader is not None else source)
    if not path.exists():
        known = ", ".join(f"{name}:" for name in LABEL_SETS)
        raise UsageError(
            f"{path}: there is no such file or folder", hint=f"Known data sets are {known} and plain files"
        )
    labels = tuple((reader or read_label_rows)(path))
    if not labels:
        raise DataError(Problem(file=str(path), message="there is no label", remedy="Check how the file was written"))
    return LabelledRows(source=source, labels=labels)
