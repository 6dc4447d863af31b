"""Routes of the list of threads: the list itself, searched, and what can be done with a thread."""

from typing import Literal

from jinja2 import Environment
from pydantic import Field
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from adapters.web.places import Place, Typed, thread_of
from adapters.web.threads import LONGEST_TITLE, Threads

LONGEST_SEARCH = 200


class Change(Place):
    """What is to become of a thread."""

    do: Literal["rename", "delete", "restore"]
    title: Typed = Field("", max_length=LONGEST_TITLE)


def threads_routes(threads: Threads, jinja: Environment) -> list[Route]:
    """The routes."""

    async def listed(request: Request) -> Response:
        """The list as the reader of a thread sees it; with `q` the threads that hold its words."""
        place, words = (
            thread_of(request),
            request.query_params.get("q", "").replace("\0", "")[:LONGEST_SEARCH],
        )
        channels = await threads.listed(place, words)
        made = jinja.get_template("threads.html").render(channels=channels, place=place, words=words)
        return HTMLResponse(made)

    async def change(request: Request) -> Response:
        """Rename, delete or put back a thread."""
        wish = Change.model_validate_json(await request.body())
        if wish.do == "rename":
            await threads.rename(wish.ref, wish.title)
        else:
            await (threads.delete if wish.do == "delete" else threads.restore)(wish.ref)
        return JSONResponse({"done": wish.do})

    return [Route("/threads", listed), Route("/threads", change, methods=["POST"])]
