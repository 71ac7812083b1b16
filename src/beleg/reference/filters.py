"""Who may see a passage, and which passages are thought to fit: two lists of predicates that are never mixed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from beleg.core.case import PUBLIC_ENTITLEMENT, SHARED_TENANT, Principal
from beleg.core.manifest import Setting
from beleg.core.trace import FilterKind, FilterOp, FilterPredicate
from beleg.reference.language import Language, language_of_locale
from beleg.reference.settings import FilterSettings

PUBLISHED = "published"
DEFAULT_LOCALE: dict[Language, str] = {"de": "de-DE", "en": "en-GB"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """The predicates of one query."""

    entitlement: tuple[FilterPredicate, ...]
    relevance: tuple[FilterPredicate, ...] = ()

    @property
    def all(self) -> tuple[FilterPredicate, ...]:
        """Both lists, entitlement first, as a trace records them."""
        return self.entitlement + self.relevance

    def admit(self, metadata: Mapping[str, Setting]) -> bool:
        """Whether a passage with this metadata survives every hard predicate; a field that is missing does not."""
        plain = dict(metadata)
        return all(predicate.admits(plain) for predicate in self.all)

    def boost(self, metadata: Mapping[str, Setting], share: float) -> float:
        """The factor by which the soft predicates move a passage."""
        met = sum(metadata.get(each.field) in each.values for each in self.relevance if not each.hard)
        return float((1 + share) ** met)


def filters_for(
    principal: Principal, language: Language, settings: FilterSettings, locales: Collection[str] = ()
) -> Filters:
    """The predicates for a question of this principal.

    Args:
        principal: who asks; nobody in particular sees what is public and shared.
        language: the language of the question, for principals without a locale.
        settings: which relevance filter is configured.
        locales: the locales of the corpus.

    Returns:
        The entitlement predicates, always, and the relevance predicates that are configured.

    Example:
        >>> found = filters_for(Principal(tenant="werkring"), "de", FilterSettings())
        >>> [(each.field, each.values) for each in found.all]
        [('tenant', ('werkring', 'shared')), ('entitlement', ('public',)), ('status', ('published',))]
    """
    return Filters(
        entitlement=entitlement_predicates(principal),
        relevance=_relevance_predicates(principal.locale or DEFAULT_LOCALE[language], settings, locales),
    )


def entitlement_predicates(principal: Principal) -> tuple[FilterPredicate, ...]:
    """What this principal may see: own tenant or shared, an entitlement held or public, and published."""
    tenants = dict.fromkeys(name for name in (principal.tenant, SHARED_TENANT) if name is not None)
    entitlements = dict.fromkeys((PUBLIC_ENTITLEMENT, *principal.entitlements))
    return (
        _predicate(FilterKind.ENTITLEMENT, "tenant", tuple(tenants)),
        _predicate(FilterKind.ENTITLEMENT, "entitlement", tuple(entitlements)),
        _predicate(FilterKind.ENTITLEMENT, "status", (PUBLISHED,)),
    )


def _relevance_predicates(
    locale: str, settings: FilterSettings, locales: Collection[str]
) -> tuple[FilterPredicate, ...]:
    if settings.relevance == "none":
        return ()
    if settings.relevance == "locale_hard":
        return (_predicate(FilterKind.RELEVANCE, "locale", (locale,)),)
    language = language_of_locale(locale, "")
    same_language = {name for name in locales if language_of_locale(name, "") == language} | {locale}
    return (
        _predicate(FilterKind.RELEVANCE, "locale", (locale,), hard=False),
        _predicate(FilterKind.RELEVANCE, "locale", tuple(sorted(same_language)), hard=False),
    )


def _predicate(kind: FilterKind, field: str, values: Sequence[Setting], *, hard: bool = True) -> FilterPredicate:
    operator = FilterOp.EQUALS if len(values) == 1 else FilterOp.ANY_OF
    return FilterPredicate(kind=kind, field=field, op=operator, values=tuple(values), hard=hard)
