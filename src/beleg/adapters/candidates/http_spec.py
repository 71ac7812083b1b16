"""How an HTTP endpoint is asked and how its reply is read, as written in a candidate file."""

from __future__ import annotations

import re
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, ConfigDict, Field, JsonValue, StringConstraints, field_validator, model_validator
from yarl import URL

from beleg.adapters.candidates.addresses import Allowed, is_disguised_address, literal_address
from beleg.adapters.candidates.json_path import PathText, SinglePathText
from beleg.adapters.candidates.template import check_template
from beleg.core.case import Identifier
from beleg.core.model import StoredModel

DEFAULT_MAX_BYTES = 5 * 1024 * 1024
MAX_REPLY_BYTES = 256 * 1024 * 1024

ENV_REFERENCE = re.compile(r"\$\{ENV:([A-Za-z_][A-Za-z0-9_]*)\}")

_SECRET_NAME = re.compile(r"auth|cookie|secret|token|password|key|credential|session", re.IGNORECASE)

HeaderName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}$")]
HeaderValue = Annotated[str, StringConstraints(pattern=r"^[\x20-\x7e]{0,4000}$")]


def is_secret_name(name: str) -> bool:
    """Whether a header or parameter of this name is likely to hold a secret."""
    return _SECRET_NAME.search(name) is not None


class PassageMapping(StoredModel):
    """Where the parts of one passage stand, counted from the passage (``$`` is the passage itself)."""

    id: SinglePathText = "$.id"
    """The passage's id; a whole number becomes text."""
    document_id: SinglePathText | None = None
    """The passage's own id where this is left out: the system retrieves whole documents."""
    score: SinglePathText | None = None
    """The score that the stage gave."""
    text: SinglePathText | None = None
    """The words of the passage."""
    version: SinglePathText | None = None
    """The version of the document."""
    metadata: SinglePathText | None = None
    """Leads to a mapping; what is no single value in it is left out."""


class CitationMapping(StoredModel):
    """Where the parts of one citation stand, counted from the citation."""

    marker: SinglePathText = "$"
    """The citation as it stands in the answer."""
    passage_id: SinglePathText | None = None
    """The passage that it names."""
    document_id: SinglePathText | None = None
    """The document that it names."""
    sentence: SinglePathText | None = None
    """The sentence of the answer that it stands on."""


class ReplyMapping(StoredModel):
    """Where the parts of an output stand in a reply. What is not mapped is not measured."""

    passages: PathText | None = None
    """The retrieved passages: a list, or ``[*]`` over one."""
    reranked: PathText | None = None
    """The passages after reranking: a list, or ``[*]`` over one."""
    delivered: PathText | None = None
    """The passages that were put into the prompt: a list, or ``[*]`` over one."""
    passage: PassageMapping = PassageMapping()
    """Where the parts of a passage stand."""
    answer: SinglePathText | None = None
    """The answer as text."""
    abstained: SinglePathText | None = None
    """Whether the system declined to answer: ``true`` or ``false``."""
    citations: PathText | None = None
    """The citations of the answer: a list, or ``[*]`` over one."""
    citation: CitationMapping = CitationMapping(passage_id="$")
    """A citation is taken for the id of a passage unless this says otherwise."""
    prompt: SinglePathText | None = None
    """What the generator was sent."""
    model_answered: SinglePathText | None = None
    """The model that answered."""
    stage_ms: dict[Identifier, SinglePathText] = Field(default_factory=dict)
    """Milliseconds of each stage, by the name that the stage shall have."""
    first_token_ms: SinglePathText | None = None
    """Milliseconds until the first token of the answer."""
    prompt_tokens: SinglePathText | None = None
    """Tokens of the prompt."""
    completion_tokens: SinglePathText | None = None
    """Tokens of the answer."""
    cost_usd: SinglePathText | None = None
    """The price of the answer in US dollars."""

    @model_validator(mode="after")
    def _maps_something(self) -> Self:
        if self.passages is None and self.answer is None:
            raise ValueError("a response maps passages, the answer, or both")
        return self


def _is_http_url(text: str) -> str:
    try:
        url = URL(text)
        port = url.port
    except ValueError as error:
        raise ValueError(f"the URL cannot be read: {error}") from error
    if url.scheme not in ("http", "https") or not url.host or port is None:
        raise ValueError("the URL begins with http:// or https:// and a host")
    if url.user is not None or url.password is not None:
        raise ValueError("the URL holds a user name; send credentials as a header with ${ENV:NAME}")
    if any(is_secret_name(name) for name in url.query):
        raise ValueError("the URL holds a secret parameter; send credentials as a header with ${ENV:NAME}")
    return text


class HttpSpec(StoredModel):
    """One HTTP/JSON endpoint."""

    # A refused header may be a secret that was written into the file.
    model_config = ConfigDict(hide_input_in_errors=True)

    url: Annotated[str, AfterValidator(_is_http_url)]
    """The endpoint, without credentials."""
    method: Literal["POST", "PUT", "GET"] = "POST"
    """How it is asked."""
    headers: dict[HeaderName, HeaderValue] = Field(default_factory=dict, repr=False)
    """Values may hold ``${ENV:NAME}``, which is looked up at every call and never shown."""
    request: JsonValue
    """The request as JSON, with variables such as ``{{query.text}}``; the URL parameters where the method is GET."""
    response: ReplyMapping | None = None
    """Left out where the endpoint replies with the fields of an `Output`."""
    timeout_s: Annotated[float, Field(gt=0, le=3_600)] = 60.0
    """How many seconds one request may take."""
    max_bytes: Annotated[int, Field(ge=1, le=MAX_REPLY_BYTES)] = DEFAULT_MAX_BYTES
    """A reply with more bytes than this, unpacked, is refused."""
    allowed_hosts: Annotated[tuple[str, ...], Field(min_length=1)]
    """Hosts as ``host`` or ``host:port``; without a port the default port of the scheme is meant."""
    allowed_networks: tuple[str, ...] = ()
    """Private networks, such as ``10.0.0.0/8``, in which a listed name may lie."""

    @field_validator("headers")
    @classmethod
    def _secrets_are_referred_to(cls, headers: dict[str, str]) -> dict[str, str]:
        for name, value in headers.items():
            if is_secret_name(name) and not ENV_REFERENCE.search(value):
                raise ValueError(f"the header {name} may hold a secret; write it as ${{ENV:NAME}}")
            if "${" in ENV_REFERENCE.sub("", value):
                raise ValueError(f"the header {name} holds a reference that is not ${{ENV:NAME}}")
        return headers

    @field_validator("request")
    @classmethod
    def _template_is_sound(cls, request: JsonValue) -> JsonValue:
        check_template(request)
        return request

    @model_validator(mode="after")
    def _host_is_allowed(self) -> Self:
        url, allowed = URL(self.url), self.allowed()
        host, port = url.host or "", url.port or 0
        if is_disguised_address(host):
            raise ValueError(f"the host {host!r} is an address in disguise; write it as in 127.0.0.1")
        if not allowed.admits_host(host, port, default_port=443 if url.scheme == "https" else 80):
            raise ValueError(f"the host {host}:{port} is not in allowed_hosts")
        address = literal_address(host)
        refusal = allowed.refusal(address) if address is not None else None
        if refusal is not None:
            raise ValueError(refusal)
        if self.method == "GET" and not _is_flat(self.request):
            raise ValueError("with GET the request is a mapping of names to single values")
        return self

    def allowed(self) -> Allowed:
        """The hosts and networks that may be reached."""
        return Allowed.parse(self.allowed_hosts, self.allowed_networks)

    def place(self) -> str:
        """The URL as it is named in errors, without parameters."""
        return str(URL(self.url).with_query(None).with_fragment(None))


def _is_flat(request: JsonValue) -> bool:
    return isinstance(request, dict) and not any(isinstance(value, (dict, list)) for value in request.values())
