"""Routes of the list of threads: the list itself, searched, and what can be done with a thread."""

from dataclasses import dataclass
from typing import Literal

from jinja2 import Environment
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from adapters.web.board import Board
from adapters.web.places import CHANNEL_NAME, THREAD_NAME, Typed, thread_of
from adapters.web.threads import LONGEST_TITLE, Threads
from bot.values import ThreadRef

LONGEST_SEARCH = 200


class Change(BaseModel):
    """What is to become of a thread. `open` is the thread that the reader sees."""

    model_config = ConfigDict(extra="forbid")
    channel: str = Field(pattern=CHANNEL_NAME)
    thread: str = Field(pattern=THREAD_NAME)
    do: Literal["rename", "delete", "restore"]
    title: Typed = Field("", max_length=LONGEST_TITLE)


def threads_routes(threads: Threads, jinja: Environment) -> list[Route]:
    """The routes."""
    room = ThreadList(threads, jinja)
    return [Route("/threads", room.listed), Route("/threads", room.change, methods=["POST"])]


@dataclass(frozen=True, slots=True)
class ThreadList:
    """The list in the margin of the page."""

    threads: Threads
    jinja: Environment

    async def html(self, place: ThreadRef, words: str = "") -> str:
        """The list as the reader of a thread sees it."""
        channels = await self.threads.listed(place, words)
        return self.jinja.get_template("threads.html").render(channels=channels, place=place, words=words)

    async def listed(self, request: Request) -> Response:
        """The list, of all threads or of those that hold the words of `q`."""
        words = request.query_params.get("q", "").replace("\0", "")[:LONGEST_SEARCH]
        return HTMLResponse(await self.html(thread_of(request), words))

    async def change(self, request: Request) -> Response:
        """Rename, delete or put back a thread."""
        wish = Change.model_validate_json(await request.body())
        thread = ThreadRef(Board.name, wish.channel, wish.thread)
        if wish.do == "rename":
            await self.threads.rename(thread, wish.title)
        elif wish.do == "delete":
            await self.threads.delete(thread)
        else:
            await self.threads.restore(thread)
        return JSONResponse({"done": wish.do})
