"""A judge behind any server that speaks the OpenAI protocol (J1)."""

from __future__ import annotations

from dataclasses import replace

from beleg.adapters.models.judge_dialect import BodyWriter, Dialect, require_free
from beleg.adapters.models.judge_responses import reply_of
from beleg.adapters.models.openai_server import OpenAiServer, ServerSettings
from beleg.core.errors import CandidateError
from beleg.core.inference import JudgeReply, JudgeRequest
from beleg.core.judge_settings import JudgeSettings
from beleg.core.judging import JudgeFault, JudgeSpec, ReplyMode

MAX_REPLY_BYTES = 16_000_000
PROVIDER = "openai"


def spec_of(settings: JudgeSettings, mode: ReplyMode) -> JudgeSpec:
    """The judge of a project, once it is known how JSON is had from it.

    Example:
        >>> spec_of(JudgeSettings(name="j", base_url="http://127.0.0.1:8000/v1/", model="m"), "tools").base_url
        'http://127.0.0.1:8000/v1'
    """
    return JudgeSpec(
        provider=PROVIDER,
        base_url=settings.base_url.rstrip("/"),
        model=settings.model,
        temperature=settings.temperature,
        top_p=settings.top_p,
        seed=settings.seed,
        max_tokens=settings.max_tokens,
        mode=mode,
        extra=settings.extra,
    )


def server_of(settings: JudgeSettings, api_key: str | None) -> OpenAiServer:
    """The connection to the judge's server, with one session for all requests.

    Raises:
        ConfigError: if the address is none.
    """
    return OpenAiServer(
        ServerSettings(
            base_url=settings.base_url,
            api_key=api_key,
            timeout_s=settings.limits.call_timeout_s,
            attempts=1,
            max_reply_bytes=MAX_REPLY_BYTES,
        )
    )


class OpenAiJudge:
    """Asks by ``/chat/completions``, each request once.

    Args:
        server: the connection; it belongs to the judge from now on.
        spec: the judge.
        dialect: what the server understands, as a probe found out.

    Raises:
        ConfigError: if ``extra`` sets a parameter that the judge itself sends.
    """

    def __init__(self, server: OpenAiServer, spec: JudgeSpec, dialect: Dialect | None = None) -> None:
        require_free(spec.extra)
        self._server = server
        self._spec = spec
        self._writer = BodyWriter(spec, dialect or Dialect())

    @property
    def spec(self) -> JudgeSpec:
        """Everything that can change a verdict."""
        return self._spec

    async def ask(self, request: JudgeRequest) -> JudgeReply:
        """Sends one request once.

        Raises:
            CandidateError: if the server cannot be reached or reports a fault; ``kind`` is a word of `JudgeFault`.
        """
        try:
            response = await self._server.exchange("chat/completions", self._writer.body_of(request))
        except CandidateError as error:
            if error.kind in {JudgeFault.TIMEOUT, JudgeFault.UNREACHABLE}:
                raise
            raise CandidateError(error.message, kind=JudgeFault.BAD_RESPONSE.value) from None
        reply = reply_of(response)
        # The reply is JSON within JSON: what is no key to the bytes that were looked through may be one to its reader.
        text = self._server.redacted(reply.text)
        return reply if text == reply.text else replace(reply, text=text)

    async def close(self) -> None:
        """Closes the connections."""
        await self._server.close()
