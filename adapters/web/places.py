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

    @property
    def ref(self) -> ThreadRef:
        """The thread."""
        return ThreadRef(Board.name, self.channel, self.thread)


class Sent(Place):
    """What the page sends to a thread. `event` is made by the page, so that a repeated request changes
    nothing.
    """

    event: str = Field(pattern=r"^[A-Za-z0-9_-]{8,64}$")


def thread_of(request: Request) -> ThreadRef:
    """The thread that an address names, or a new one. Raises `ValidationError` for a name of another form."""
    named = request.query_params
    return Place(
        channel=named.get("channel") or CHANNEL, thread=named.get("thread") or secrets.token_hex(6)
    ).ref
