"""Vendor errors in the house's words.

The vendor's own text is never passed on: it can hold parts of the key, of the prompt, or of a document.
"""

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

import httpx
import openai

from adapters.llm.bounded import LARGEST_ANSWER, AnswerTooLarge
from agents.errors import ModelError, ModelRefused, ModelUnavailable, ModelUnreachable
from agents.usage import Usage

LONGEST_WAIT_S = 60.0
"""An endpoint that wants us to wait longer is not asked again."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A request that failed: the error to raise, whether asking again can help, and how long the endpoint
    wants us to wait.

    `format_refused` marks a 400 or 422, which an endpoint also answers to a response format that it does not
    know.
    """

    kind: type[ModelError]
    message: str
    again: bool = False
    wait_s: float | None = None
    format_refused: bool = False

    @property
    def unreachable(self) -> bool:
        """Whether nothing listens at the address."""
        return issubclass(self.kind, ModelUnreachable)

    def error(self, usage: Usage) -> ModelError:
        """The error for the thinking floor."""
        return self.kind(self.message, usage)


def failure_of(error: Exception, where: str) -> Failure:
    """What a vendor error means. `where` names the endpoint's address, without user and password."""
    if isinstance(error, AnswerTooLarge) or isinstance(error.__cause__, AnswerTooLarge):
        message = (
            f"The language model at {where} sent an answer that is compressed, or larger than "
            f"{LARGEST_ANSWER // 1_000_000} MB; check what answers at this address."
        )
        return Failure(ModelUnavailable, message)
    if _unconnected(error):
        message = (
            f"The language model at {where} cannot be reached; check model.base_url and that it "
            "is running, then ask again."
        )
        return Failure(ModelUnreachable, message, again=True)
    if isinstance(error, TimeoutError | openai.APITimeoutError):
        message = f"The language model at {where} gave no answer in time; raise model.timeout or try later."
        return Failure(ModelUnavailable, message, again=True)
    if isinstance(error, openai.APIStatusError):
        return _of_status(error, where)
    if isinstance(error, openai.APIConnectionError):
        message = f"The language model at {where} broke off the connection; check that it is running."
        return Failure(ModelUnavailable, message, again=True)
    message = f"The language model at {where} sent an answer that cannot be read ({type(error).__name__})."
    return Failure(ModelUnavailable, message, again=True)


def _unconnected(error: Exception) -> bool:
    """Whether no connection came about at all."""
    return isinstance(error.__cause__ or error, httpx.ConnectError | httpx.ConnectTimeout)


def _of_status(error: openai.APIStatusError, where: str) -> Failure:
    status = error.status_code
    if status == 429 and getattr(error, "code", None) != "insufficient_quota":
        message = f"The language model at {where} is over its rate limit; try later."
        return Failure(ModelUnavailable, message, again=True, wait_s=retry_after(error.response.headers))
    if status in (408, 409) or status >= 500:
        message = f"The language model at {where} keeps failing with HTTP {status}; try later."
        return Failure(ModelUnavailable, message, again=True, wait_s=retry_after(error.response.headers))
    advice = {
        401: "the key is not accepted; check model.api_key",
        403: "the key may not use this model; check model.api_key and model.name",
        404: "there is no such model or address; check model.base_url and model.name",
        413: "the request is too long",
        429: "the account's quota is used up",
    }.get(status, "the request is not accepted; it may be too long, or ask for what this model cannot do")
    message = f"The language model at {where} refused with HTTP {status}: {advice}."
    return Failure(ModelRefused, message, format_refused=status in (400, 422))


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds the endpoint asks to wait (a number or a date); None if it does not say."""
    written = headers.get("retry-after", "")
    try:
        seconds = float(written)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(written).timestamp() - time.time()
        except (ValueError, OverflowError, TypeError):
            return None
    return None if math.isnan(seconds) else max(seconds, 0.0)
