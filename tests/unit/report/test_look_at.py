"""A report names the claims of the cases to look at first, capped, and says how many it leaves out."""

from __future__ import annotations

from dataclasses import replace

from bs4 import BeautifulSoup

from beleg.core.sheet_export import ExportedCase
from beleg.report.html import html_report
from beleg.report.look_at import (
    AROUND_CHARS,
    MAX_CASES,
    MAX_CLAIMS,
    ClaimsToLookAt,
    claims_to_look_at,
    excerpts,
    markdown_claims,
)
from beleg.report.markdown import markdown_report
from beleg.report.sheet_view import Part, case_view
from beleg.report.view import worst_cases
from support.q017 import evidence
from support.report_data import build_report
from support.sheet_data import exported, reviewed

COMMAND = "beleg sheet show runs/new --case Q-017"


def case(name: str) -> ExportedCase:
    return exported(evidence().model_copy(update={"case_id": name}))


def test_claims_stand_in_the_order_in_which_the_cases_are_named() -> None:
    found = claims_to_look_at([case("b"), case("a")], ["a", "c", "b"], COMMAND)
    assert [each.case_id for each in found.cases] == ["a", "b"]
    assert found.anchor_of("b") == "claims-2"
    assert found.anchor_of("c") is None


def test_what_does_not_fit_is_counted() -> None:
    names = [f"case-{number}" for number in range(MAX_CASES + 3)]
    found = claims_to_look_at(map(case, names), names, COMMAND)
    shown = sum(len(each.claims) for each in found.cases)
    assert shown <= MAX_CLAIMS
    assert found.cases_left_out == len(names) - len(found.cases)
    assert found.claims_left_out == 4 * len(found.cases) - shown


def test_the_page_links_worst_cases_to_their_claims() -> None:
    report = build_report()
    named = worst_cases(report.decision, limit=3)
    found = claims_to_look_at(map(case, named), named, COMMAND)
    text = html_report(replace(report, claims=found))
    assert 'href="#claims-1"' in text
    assert 'id="claims-1"' in text
    assert COMMAND in text
    assert 'id="claims"' not in html_report(report)


def test_a_quote_stands_in_a_little_of_its_passage_and_the_cut_is_shown() -> None:
    view = case_view(case("a")).claims[0]
    parts = (Part("a" * 500), Part("quoted", is_quoted=True), Part("b" * 500))
    long = replace(view, passages=(replace(view.passages[0], parts=parts),))
    ((_, shown),) = excerpts(long)
    assert [part.text for part in shown] == ["… " + "a" * AROUND_CHARS, "quoted", "b" * AROUND_CHARS + " …"]
    between = (parts[1], Part("c" * 500), parts[1])
    ((_, shown),) = excerpts(replace(view, passages=(replace(view.passages[0], parts=between),)))
    assert shown[1].text == f"{'c' * AROUND_CHARS} … {'c' * AROUND_CHARS}"


def test_a_passage_that_nobody_quotes_is_no_excerpt() -> None:
    view = case_view(case("a")).claims[0]
    plain = replace(view, passages=(replace(view.passages[0], parts=(Part("not quoted"),)),))
    assert excerpts(plain) == ()


def test_the_page_marks_the_quote_and_names_the_people_who_decided() -> None:
    report = build_report()
    named = worst_cases(report.decision, limit=1)
    about = evidence().model_copy(update={"case_id": named[0]})
    found = claims_to_look_at([exported(about, reviewed(about))], named, COMMAND)
    section = BeautifulSoup(html_report(replace(report, claims=found)), "html.parser").find(id="claims")
    assert section is not None
    assert "Final-Sale-Artikel sind ausgeschlossen." in [mark.get_text() for mark in section.find_all("mark")]
    assert [person.strong.get_text() for person in section.select(".person")] == [
        "◐ partially supportedteilweise gestützt",
        "■ not supportednicht gestützt",
    ]


def test_markdown_names_claims_and_the_command() -> None:
    found = claims_to_look_at([case("a|b")], ["a|b"], COMMAND)
    text = markdown_report(build_report().decision, language="de", claims=found)
    assert "### Aussagen der Fälle, die zuerst anzusehen sind" in text
    assert (
        "Zuordnung: fehlt; Vorschlag der Maschine: nicht gestützt. Der sichtbare Nachweis enthält keine Dauer." in text
    )
    assert f"`{COMMAND}`" in text


def test_a_sheet_that_cannot_be_read_is_named_and_not_passed_over() -> None:
    text = markdown_claims(ClaimsToLookAt(command=COMMAND, unreadable="it is <missing>"), "en", limit=120)
    assert "The evidence sheet could not be read: it is &lt;missing&gt;" in text
