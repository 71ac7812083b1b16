"""What all cases of two runs share: whether the documents are the same, and what the systems are made of (E9)."""

from __future__ import annotations

from collections.abc import Sequence

from beleg.core.decision import Dimension
from beleg.core.digest import digest_of
from beleg.core.dimensions import DIFFERENT, SAME, UNKNOWN, known_dimension, manifest_dimensions
from beleg.core.inventory import Inventory
from beleg.core.manifest import Manifest
from beleg.core.run import RunHeader
from beleg.core.run_comparison import Aspect, ComparedAspect
from beleg.evidence import comparison_words as words
from beleg.evidence.case_comparing import changed, same, unlike
from beleg.evidence.drift import TodaysSources
from beleg.evidence.locators import SourceText

OF_THE_SOURCES = frozenset({"corpus_snapshot"})
"""Fields of the manifest that are about the documents, and not about the configuration."""
INDEX_BUILD = "index_build"
"""Another build of the index is no change of the configuration where the documents are other ones already."""


def documents_digest(inventory: Inventory | None) -> str | None:
    """The content address of all documents, with their versions and metadata, in whatever order they are listed.

    How they are cut into passages is left out: it belongs to the configuration.
    """
    if inventory is None:
        return None
    return digest_of([each.to_json_dict() for each in sorted(inventory.documents, key=lambda each: each.document_id)])


def todays_sources(inventory: Inventory | None) -> TodaysSources | None:
    """The sources of the new run, to look for captured passages in; ``None`` where it has no inventory."""
    if inventory is None:
        return None
    return TodaysSources(
        documents={each.document_id: SourceText(each.text) for each in inventory.documents},
        passages={each.passage_id: SourceText(each.text) for each in inventory.passages},
    )


def snapshot_aspect(old: tuple[Manifest, Inventory | None], new: tuple[Manifest, Inventory | None]) -> ComparedAspect:
    """Whether both runs stand on the same documents: by the documents themselves, else by the name of the snapshot."""
    digests = documents_digest(old[1]), documents_digest(new[1])
    if None not in digests:
        is_same = digests[0] == digests[1]
        return same(Aspect.SOURCE_SNAPSHOT) if is_same else changed(Aspect.SOURCE_SNAPSHOT, words.DOCUMENTS_DIFFER)
    names = old[0].corpus_snapshot, new[0].corpus_snapshot
    if None in names:
        return unlike(Aspect.SOURCE_SNAPSHOT, words.SNAPSHOT_UNKNOWN)
    is_same = names[0] == names[1]
    return same(Aspect.SOURCE_SNAPSHOT) if is_same else changed(Aspect.SOURCE_SNAPSHOT, words.SNAPSHOT_DIFFERS)


def configuration_of(old: RunHeader, new: RunHeader) -> tuple[Dimension, ...]:
    """What the systems are made of and how they were run, field by field; ``candidate`` is the new run."""
    packages = [None if each.packages is None else _packages(each) for each in (new, old)]
    untold = [
        Dimension(name=name, status=UNKNOWN)
        for name in sorted({*old.manifest.unresolved()} & {*new.manifest.unresolved()})
    ]
    return (
        *manifest_dimensions(new.manifest, old.manifest),
        *untold,
        known_dimension("mode", _mode(new), _mode(old)),
        known_dimension("timeout_s", new.settings.timeout_s, old.settings.timeout_s),
        known_dimension("retries", new.settings.retries, old.settings.retries),
        known_dimension("beleg version", new.beleg_version, old.beleg_version),
        known_dimension("lock", *packages),
    )


def configuration_aspect(dimensions: Sequence[Dimension], snapshot: ComparedAspect) -> ComparedAspect:
    """Whether the systems are the same: changed where a field differs, not comparable where one is not known.

    Fields about a judge are left out: a judge looks on and changes no answer.
    """
    left_out = set(OF_THE_SOURCES) | {"judge_model", "judge_prompt"}
    if snapshot.likeness is not same(Aspect.SOURCE_SNAPSHOT).likeness:
        left_out.add(INDEX_BUILD)
    looked_at = [each for each in dimensions if each.name not in left_out]
    differ = [each.name for each in looked_at if each.status == DIFFERENT]
    if differ:
        return changed(Aspect.CONFIGURATION, words.fields_differ(differ))
    unknown = [each.name for each in looked_at if each.status != SAME]
    if unknown:
        return unlike(Aspect.CONFIGURATION, words.fields_unknown(unknown))
    return same(Aspect.CONFIGURATION)


def _packages(header: RunHeader) -> str:
    named = (f"{name} {version}" for name, version in sorted((header.packages or {}).items()))
    return ", ".join((f"python {header.python_version}", *named))


def _mode(header: RunHeader) -> str:
    return "retrieve only" if header.settings.retrieve_only else "retrieve and generate"
