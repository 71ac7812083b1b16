"""Pages from templates: everything escaped, every name given, in the language of the reader."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, date, datetime
from functools import cache
from http import HTTPStatus
from importlib.resources import files
from typing import Any

import jinja2
from fastapi import Request
from fastapi.responses import HTMLResponse

from beleg.app.workbench.addresses import as_segment, case_path, run_path
from beleg.app.workbench.assets import report_style
from beleg.app.workbench.installation import TenantPlace
from beleg.app.workbench.telling import (
    day,
    metric_title,
    moment,
    number,
    reason_word,
    score_text,
    shape_of,
    stage_word,
    state_class,
    typeset,
    visible,
)
from beleg.core.decision import Sentence
from beleg.core.score import ScoreStatus
from beleg.core.wording import LANGUAGES
from beleg.core.workbench_state import OpenSession
from beleg.web.wording import time_left, words

LANGUAGE_COOKIE = "beleg-language"
YEAR_S = 31_536_000
HASH_DIGITS = 12
FRAGMENT_HEADER = "x-fragment"
"""Names the part of a page that the script asks for; on the answer, that this is the part and not the page."""
CONTENT = "content"
NO_PARTS: Mapping[str, str] = {}


@cache
def static_files() -> dict[str, tuple[str, str]]:
    """Style and script by the name under which they are asked for, which holds their hash; each with its media type."""
    ours = files("beleg.web").joinpath("static")
    texts = {
        "report.css": report_style(),
        "workbench.css": ours.joinpath("workbench.css").read_text(encoding="utf-8"),
        "workbench.js": ours.joinpath("workbench.js").read_text(encoding="utf-8"),
    }
    found = {}
    for name, text in texts.items():
        stem, _, suffix = name.partition(".")
        kind = "text/css" if suffix == "css" else "text/javascript"
        found[f"{stem}-{hashlib.sha256(text.encode()).hexdigest()[:HASH_DIGITS]}.{suffix}"] = (text, kind)
    return found


def static_path(name: str) -> str:
    """Where a style sheet or script is asked for; the path changes with its text.

    Raises:
        LookupError: if there is no such file.
    """
    stem, _, suffix = name.partition(".")
    for path in static_files():
        if path.startswith(f"{stem}-") and path.endswith(f".{suffix}"):
            return f"/static/{path}"
    raise LookupError(name)


def language_of(request: Request) -> str:
    """The reader's language: as asked for, else as chosen before, else as the browser prefers."""
    for wanted in (request.query_params.get("lang"), request.cookies.get(LANGUAGE_COOKIE)):
        if wanted in LANGUAGES:
            return wanted
    return preferred(request.headers.get("accept-language", ""))


def preferred(header: str) -> str:
    """The language of ours that a browser prefers; English where it prefers another one.

    Example:
        >>> preferred("fr, de-AT;q=0.9, en;q=0.8"), preferred("fr")
        ('de', 'en')
    """
    best, weight = "en", 0.0
    for part in header[:500].split(","):
        name, _, quality = part.strip().partition(";")
        language = name.partition("-")[0].strip().lower()
        if language in LANGUAGES and _weight(quality) > weight:
            best, weight = language, _weight(quality)
    return best


def _weight(quality: str) -> float:
    value = quality.strip().removeprefix("q=")
    try:
        return float(value) if value else 1.0
    except ValueError:
        return 0.0


def render(
    request: Request,
    template: str,
    *,
    status: HTTPStatus = HTTPStatus.OK,
    parts: Mapping[str, str] = NO_PARTS,
    **values: Any,
) -> HTMLResponse:
    """A page in the reader's language, or the part of it that the script of the page asks for.

    Args:
        request: what is answered.
        template: the page.
        status: how it is answered.
        parts: templates of the parts that can be had alone, by their id in the page. ``content``, which is everything
            below the head, goes without saying for a page that extends ``layout``.
        values: what the templates need.
    """
    language = language_of(request)
    wanted = request.headers.get(FRAGMENT_HEADER, "")
    part = wanted if status is HTTPStatus.OK and (wanted == CONTENT or wanted in parts) else ""
    other = next(name for name in LANGUAGES if name != language)
    session: OpenSession | None = getattr(request.state, "session", None)
    place = _place(request, session)
    text = (
        environment()
        .get_template(parts.get(part, template))
        .render(
            layout="content.html" if part == CONTENT else "layout.html",
            language=language,
            other_language=other,
            other_language_link=str(request.url.include_query_params(lang=other).replace(scheme="", netloc="")),
            address=request.url.path,
            person=None if session is None else session.principal,
            workspace="" if place is None else place.title,
            project="" if place is None else str(place.project),
            has_accounts=request.app.state.settings.has_accounts,
            form_token="" if session is None else session.form_token,
            **values,
        )
    )
    response = HTMLResponse(text, status_code=status, headers=_said(language, part))
    if request.query_params.get("lang") in LANGUAGES:
        response.set_cookie(
            LANGUAGE_COOKIE,
            language,
            max_age=YEAR_S,
            httponly=True,
            samesite="lax",
            secure=request.app.state.settings.is_secure,
        )
    return response


def _place(request: Request, session: OpenSession | None) -> TenantPlace | None:
    """The reader's own project; ``None`` where nobody is signed in."""
    if session is None:
        return None
    found: TenantPlace | None = request.app.state.installation.tenants.get(session.principal.tenant)
    return found


def _said(language: str, part: str) -> dict[str, str]:
    said = {"content-language": language, "vary": FRAGMENT_HEADER}
    return said | {FRAGMENT_HEADER: part} if part else said


@cache
def environment() -> jinja2.Environment:
    """The templates of the workbench, escaping everything, failing on a name that is not given."""
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("beleg.web", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        told=_told,
        visible=visible,
        grouped=_grouped,
        decimal=_decimal,
        moment=_moment,
        day=_day,
        left=_left,
        score=_score,
        reason=_reason,
        metric=_metric,
        stage=_stage,
        segment=as_segment,
        within=_within,
    )
    made.globals.update(
        say=_say,
        static=static_path,
        shape_of=shape_of,
        state_class=state_class,
        run_path=run_path,
        case_path=case_path,
    )
    return made


@jinja2.pass_context
def _told(context: jinja2.runtime.Context, sentence: Sentence) -> str:
    return typeset(sentence.in_language(context["language"]))


@jinja2.pass_context
def _within(context: jinja2.runtime.Context, text: object) -> str:
    """Names files by their place in the project; where that lies on the server is nobody's business."""
    return str(text).replace(f"{context['project']}/", "") if context["project"] else str(text)


@jinja2.pass_context
def _say(context: jinja2.runtime.Context, key: str, **values: Any) -> str:
    return typeset(words().word(key, context["language"], **values))


@jinja2.pass_context
def _grouped(context: jinja2.runtime.Context, value: int) -> str:
    return number(value, context["language"], decimals=0)


@jinja2.pass_context
def _decimal(context: jinja2.runtime.Context, value: float, decimals: int) -> str:
    return number(value, context["language"], decimals=decimals)


@jinja2.pass_context
def _reason(context: jinja2.runtime.Context, status: ScoreStatus) -> str:
    return typeset(reason_word(status).in_language(context["language"]))


@jinja2.pass_context
def _day(context: jinja2.runtime.Context, on: date) -> str:
    return day(on, context["language"])


@jinja2.pass_context
def _moment(context: jinja2.runtime.Context, at: datetime) -> str:
    return moment(at, context["language"])


@jinja2.pass_context
def _left(context: jinja2.runtime.Context, until: datetime) -> str:
    """The time until then, as the script of the page counts it down from now on."""
    return typeset(time_left(until - datetime.now(UTC), words(), context["language"]))


@jinja2.pass_context
def _score(context: jinja2.runtime.Context, score: Any) -> str:
    return score_text(score.metric, score.value, score.reason, context["language"])


@jinja2.pass_context
def _metric(context: jinja2.runtime.Context, name: str) -> str:
    return typeset(metric_title(name).in_language(context["language"]))


@jinja2.pass_context
def _stage(context: jinja2.runtime.Context, stage: str) -> str:
    return typeset(stage_word(stage).in_language(context["language"]))
