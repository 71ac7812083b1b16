from __future__ import annotations

from beleg.core.case import Principal
from beleg.core.trace import FilterKind
from beleg.reference.filters import filters_for
from beleg.reference.settings import FilterSettings

PUBLIC = {"tenant": "shop", "entitlement": "public", "status": "published", "locale": "de-DE"}
PRINCIPAL = Principal(tenant="shop", entitlements=("pro",), locale="de-AT")


def test_entitlement_always_applies_and_comes_first() -> None:
    found = filters_for(PRINCIPAL, "de", FilterSettings(relevance="locale_hard"))
    assert [(each.kind, each.field, each.values, each.hard) for each in found.all] == [
        (FilterKind.ENTITLEMENT, "tenant", ("shop", "shared"), True),
        (FilterKind.ENTITLEMENT, "entitlement", ("public", "pro"), True),
        (FilterKind.ENTITLEMENT, "status", ("published",), True),
        (FilterKind.RELEVANCE, "locale", ("de-AT",), True),
    ]


def test_only_what_a_principal_may_see_is_admitted() -> None:
    found = filters_for(PRINCIPAL, "de", FilterSettings())
    assert found.admit(PUBLIC)
    assert found.admit(PUBLIC | {"tenant": "shared", "entitlement": "pro"})
    for change in ({"tenant": "other"}, {"entitlement": "staff"}, {"status": "superseded"}):
        assert not found.admit(PUBLIC | change)


def test_metadata_that_is_missing_closes_the_door() -> None:
    found = filters_for(PRINCIPAL, "de", FilterSettings())
    for field in ("tenant", "entitlement", "status"):
        assert not found.admit({name: value for name, value in PUBLIC.items() if name != field})


def test_nobody_in_particular_sees_what_is_shared_and_public() -> None:
    found = filters_for(Principal(), "en", FilterSettings())
    assert not found.admit(PUBLIC)
    assert found.admit(PUBLIC | {"tenant": "shared"})


def test_a_hard_locale_removes_and_a_soft_one_only_moves() -> None:
    hard = filters_for(PRINCIPAL, "de", FilterSettings(relevance="locale_hard"))
    soft = filters_for(PRINCIPAL, "de", FilterSettings(relevance="locale_soft"), ("de-AT", "de-DE", "en-GB"))
    assert not hard.admit(PUBLIC)
    assert soft.admit(PUBLIC)
    assert soft.admit(PUBLIC | {"locale": "en-GB"})
    factors = [soft.boost(PUBLIC | {"locale": locale}, 0.1) for locale in ("de-AT", "de-DE", "en-GB")]
    assert factors == [1.1**2, 1.1, 1.0]


def test_without_a_locale_the_language_of_the_question_decides() -> None:
    found = filters_for(Principal(tenant="shop"), "en", FilterSettings(relevance="locale_hard"))
    assert found.relevance[0].values == ("en-GB",)
