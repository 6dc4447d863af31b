"""Which thread a request is about, and which names it may use."""

import secrets
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from starlette.requests import Request

from adapters.door import without_nul
from adapters.web.board import Board
from adapters.web.threads import CHANNEL
from bot.values import ThreadRef

CHANNEL_NAME = r"^[A-Za-z0-9_-]{1,40}$"
THREAD_NAME = r"^[0-9a-f]{12}$"
Typed = Annotated[str, AfterValidator(without_nul)]
"""What a person typed."""


class Place(BaseModel):
    """A thread as an address names it."""

    model_config = ConfigDict(extra="forbid")
    channel: str = Field(pattern=CHANNEL_NAME)
    thread: str = Field(pattern=THREAD_NAME)


def thread_of(request: Request) -> ThreadRef:
    """The thread that an address names, or a new one. Raises `ValidationError` for a name of another form."""
    named = Place(
        channel=request.query_params.get("channel") or CHANNEL,
        thread=request.query_params.get("thread") or secrets.token_hex(6),
    )
    return ThreadRef(Board.name, named.channel, named.thread)
