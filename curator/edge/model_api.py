"""A model asked over Anthropic's API, with the SDK; its only room.

The key and the address come from the environment, as the SDK reads them. Nothing else is connected to.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

from curator.edge.answering import CUT, REFUSED, Reply, Unanswered, Wanted, count, word
from curator.errors import CuratorError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from curator.core.distil import Request

INSTALL = "pip install 'curator[model]'"
LONGEST_WAIT = 20.0
"""Seconds that are waited at most where the API says when to come back."""

_PAUSE = 2.0  # seconds before a second try where it does not say
_CONNECT = 10.0
_LONGEST = 4 << 20  # bytes of an answer
_AGAIN = frozenset({429, 500, 502, 503, 504, 529})  # nothing was answered, and nothing charged
_KEY = "set ANTHROPIC_API_KEY, or ask through Claude Code with `--transport claude`"
_STATUS = {
    400: "the API does not take the request",
    401: "the API does not know the key",
    402: "the API wants to be paid first",
    403: "the key may not ask this model",
    404: "the API knows no such model",
    413: "the request is too long for the API",
    429: "the API says that there were too many requests",
    529: "the API is overloaded",
}


def ask(request: Request, wanted: Wanted) -> Reply:
    """The model's answer. Unanswered where there is none; CuratorError where the SDK or a key is missing."""
    try:
        import anthropic  # noqa: PLC0415 - a second: only who asks a model pays for it
    except ImportError as error:
        missing = f"the anthropic package cannot be loaded ({error.name or error})"
        raise CuratorError(missing, hint=INSTALL) from None
    for last in (False, True):
        try:
            return _read(_sent(anthropic, request, wanted))
        except anthropic.APIStatusError as error:
            pause = _pause(error.response.headers.get("retry-after"))
            if last or error.status_code not in _AGAIN or pause > LONGEST_WAIT:
                raise _refused(error.status_code, error.body, pause) from None
            time.sleep(pause)
        except anthropic.APITimeoutError:
            message = f"no answer came within {wanted.seconds:.0f} seconds"
            raise Unanswered(message, hint="try again later", charged=True) from None
        except anthropic.APIConnectionError as error:
            raise _unreached(error) from None
        except (anthropic.AnthropicError, TypeError, ValueError) as error:  # TypeError: no key of any kind
            reason = "no key for the API is set" if isinstance(error, TypeError) else "the SDK cannot ask"
            raise Unanswered(
                reason, hint=_KEY if isinstance(error, TypeError) else f"{word(str(error))}; {_KEY}"
            ) from None
    raise AssertionError("the second try returns or raises")


def _sent(anthropic: Any, request: Request, wanted: Wanted) -> bytes:
    """The body of the answer. Its one try is ours to repeat: the SDK would wait as long as it is told to."""
    config: dict[str, object] = {"format": {"type": "json_schema", "schema": wanted.form}}
    if wanted.effort:
        config["effort"] = "low"
    timeout = anthropic.Timeout(wanted.seconds, connect=min(_CONNECT, wanted.seconds))
    until = time.monotonic() + wanted.seconds
    with (
        anthropic.Anthropic(max_retries=0, timeout=timeout) as client,
        client.messages.with_streaming_response.create(
            model=wanted.model,
            max_tokens=wanted.most,
            system=request.order,
            messages=[
                {"role": "user", "content": request.text},
                *({"role": role, "content": text} for role, text in request.after),
            ],
            output_config=config,
        ) as response,
    ):
        return _whole(response.iter_bytes(), until)


def _whole(pieces: Iterator[bytes], until: float) -> bytes:
    """All of a body that comes before *until* (monotonic): an answer that drips would be waited for without end."""
    body = b""
    try:
        for piece in pieces:
            body += piece
            if time.monotonic() > until or len(body) > _LONGEST:
                break
        else:
            return body
    except Exception:  # the SDK leaves what breaks off here to the library beneath it
        raise Unanswered("the answer broke off", hint="try again later", charged=True) from None
    raise Unanswered("the answer does not end", hint="look at ANTHROPIC_BASE_URL", charged=True)


def _read(body: bytes) -> Reply:
    """What a message says. It is read here, not by the SDK, which takes any shape for a message."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict) or message.get("type") != "message":
        raise Unanswered("what came back is no message of the API", hint="look at ANTHROPIC_BASE_URL", charged=True)
    used = message.get("usage")
    usage = used if isinstance(used, dict) else {}
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    into, out = sum(count(usage.get(name)) for name in names), count(usage.get("output_tokens"))
    ended = {"refusal": REFUSED, "max_tokens": CUT, "model_context_window_exceeded": CUT}
    content = message.get("content")
    parts = [one for one in content if isinstance(one, dict)] if isinstance(content, list) else []
    texts = [one.get("text") for one in parts if one.get("type") == "text"]
    text = "".join(one for one in texts if isinstance(one, str))
    return Reply(text, into, out, ended.get(str(message.get("stop_reason")), ""))


def _pause(header: str | None) -> float:
    """Seconds that the API asks to wait."""
    try:
        return max(0.0, float(header)) if header else _PAUSE
    except ValueError:
        return _PAUSE


def _refused(status: int, body: object, pause: float) -> Unanswered:
    """What a status means; what the API says to it is the hint, for a terminal alone."""
    fault = body.get("error") if isinstance(body, dict) else None
    told = word(fault.get("message")) if isinstance(fault, dict) else ""
    message = f"{_STATUS.get(status, 'the API cannot answer now' if status >= 500 else 'the API refuses')} ({status})"
    if status in {401, 403}:
        return Unanswered(message, hint=f"{told}; {_KEY}" if told else _KEY)
    later = f"try again in {pause:.0f} seconds" if status == 429 and pause > _PAUSE else "try again later"
    hints = [told, later if status in _AGAIN else "`--model-name` names another" if status == 404 else ""]
    return Unanswered(message, hint="; ".join(filter(None, hints)))


def _unreached(error: Exception) -> Unanswered:
    cause = word(str(error.__cause__ or "")) or "no connection"
    return Unanswered("the API cannot be reached", hint=f"{cause}; ANTHROPIC_BASE_URL says where it is looked for")
