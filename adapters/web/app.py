"""The page's routes. Each turns a request into a call of the bot, the ledger or the index, and the result
into HTML.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment
from markupsafe import Markup
from pydantic import Field, ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from adapters.errors import SettingsError
from adapters.files import ArchiveFiles
from adapters.model_sections import ModelSettings
from adapters.web.artefacts import artefacts_routes
from adapters.web.board import Board, Post
from adapters.web.documents import documents_routes
from adapters.web.drawings import drawings_routes
from adapters.web.giving import giving_routes
from adapters.web.guard import LARGEST_UPLOAD, Guard
from adapters.web.login import Door, SessionsOnly, asker, login_routes
from adapters.web.models import models_routes, not_set
from adapters.web.next import Suggest, next_routes, nothing
from adapters.web.places import Sent, Typed, thread_of
from adapters.web.readers import SeenBoard
from adapters.web.render import environment, post_html
from adapters.web.sheet import sheet
from adapters.web.thread_list import threads_routes
from adapters.web.threads import Threads, short_title
from adapters.web.traces import traces_routes
from agents.evidence.sources import Sources
from agents.ports import Artefacts, Ledger
from bot.digests.card import list_card
from bot.digests.ports import Digests
from bot.intake import Intake, Starters
from bot.ports import Conversations
from bot.values import CommandName, Incoming
from bot.views import Views
from retrieval.ports import Index

STARTED = (CommandName.ASK, CommandName.ROUTE, CommandName.REVISE, CommandName.REFRESH, CommandName.GIVE)
"""Commands that start a run, whose question is shown above its cards."""
AGAIN = 12
"""Latest posts of a thread that a page gets as it connects: they may have changed since it was made."""


@dataclass(frozen=True, slots=True)
class PagePorts:
    """What the page works with."""

    intake: Intake
    ledger: Ledger
    index: Index
    files: ArchiveFiles
    board: Board | SeenBoard
    views: Views
    sources: Sources
    artefacts: Artefacts
    conversations: Conversations
    hosts: tuple[str, ...] = ()
    door: Door | None = None
    """The log-in, where the page has one."""
    largest_upload: int = LARGEST_UPLOAD
    suggest: Suggest = nothing
    """Questions that may be asked after a run."""
    starters: Starters = nothing
    digests: Digests | None = None
    told_of_model: str = ""
    """What should be known of the language model before somebody asks."""
    look_for_model: Callable[[], Awaitable[str]] | None = None
    """The same, looked for anew."""
    model: ModelSettings | None = None
    """The model that is set, where the page may try and set one."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """What is set, in words: nothing secret."""


class Ask(Sent):
    """A question typed into the page."""

    text: Typed = Field(max_length=200_000)


class Act(Sent):
    """A button pressed in the page."""

    action: Typed = Field(max_length=20)
    value: Typed = Field(max_length=10_000)


def page_app(desk: PagePorts) -> Starlette:
    """The ASGI application of the page."""
    page = Page(desk, environment())
    routes = [
        Route("/", page.show),
        Route("/ask", page.ask, methods=["POST"]),
        Route("/act", page.act, methods=["POST"]),
        Route("/events", page.events),
        Route("/health", page.health),
        Route("/settings", page.settings),
        Mount("/static", StaticFiles(directory=Path(__file__).parent / "static")),
        *giving_routes(desk.files, page.received),
        *documents_routes(desk.index, desk.files, desk.sources, page.jinja),
        *artefacts_routes(desk.artefacts),
        *drawings_routes(),
        *traces_routes(desk.ledger, desk.views, desk.index, page.jinja, desk.artefacts),
        *next_routes(desk.starters, desk.suggest, desk.ledger, desk.views, page.jinja),
        *threads_routes(page.threads, page.jinja),
        *(models_routes(desk.model, page.jinja) if desk.model else ()),
    ]
    app = Starlette(routes=routes, exception_handlers={ValidationError: _refused, SettingsError: not_set})
    if desk.door:
        app.router.routes.extend(login_routes(desk.door, page.jinja))
        app.add_middleware(SessionsOnly, door=desk.door)
    reached = desk.door is not None
    app.add_middleware(Guard, hosts=desk.hosts, addresses=reached, largest_upload=desk.largest_upload)
    return app


class Page:
    """The thread view, and what can be done in it."""

    def __init__(self, desk: PagePorts, jinja: Environment) -> None:
        self.desk = desk
        self.jinja = jinja
        self.threads = Threads(desk.ledger, desk.views, desk.conversations)

    async def show(self, request: Request) -> Response:
        """The page, open at a thread (a new one unless the address names it)."""
        thread = thread_of(request)
        posts = await self.desk.board.posts(thread) if "thread" in request.query_params else []
        records = await self.desk.index.records()
        shown = [_safe(await self._html(post)) for post in posts]
        kept = await self.desk.digests.of(thread) if self.desk.digests else []
        ordered = [one for one in kept if one.thread == thread]
        orders = Post("orders", replace(list_card(ordered), buttons=()))
        html = self.jinja.get_template("page.html").render(
            title=next((short_title(post.question) for post in posts if post.question), "New thread"),
            place=thread,
            posts=shown,
            orders=_safe(await self._html(orders)) if ordered else "",
            channels=await self.threads.listed(thread),
            deleted=await self.threads.is_deleted(thread),
            documents=len(records),
            told_of_model=self.desk.told_of_model,
            user=asker(request) if self.desk.door else "",
            csrf=getattr(request.state, "csrf", ""),
        )
        return HTMLResponse(html)

    async def ask(self, request: Request) -> Response:
        """Take a question, or a command, and say where its thread is."""
        ask = Ask.model_validate_json(await request.body())
        return await self.received(Incoming(ask.event, ask.ref, asker(request), ask.text))

    async def received(self, incoming: Incoming) -> Response:
        """What became of a message or a press: where its thread is, and the question of a run it started."""
        thread, html = incoming.thread, ""
        self.desk.board.heard(f"reply:{incoming.key}", incoming.text, incoming.user)
        receipt = await self.desk.intake.receive(incoming)
        if receipt.run_id and receipt.command in STARTED:
            html = await self._html(await self.desk.board.asked(thread, receipt.run_id))
        address = f"/?channel={quote(thread.channel)}&thread={thread.thread}"
        told = {"html": html, "address": address, "run": receipt.run_id, "refused": receipt.refused}
        return JSONResponse(told)

    async def act(self, request: Request) -> Response:
        """Take a button press."""
        act = Act.model_validate_json(await request.body())
        return await self.received(Incoming(act.event, act.ref, asker(request), "", act.action, act.value))

    async def events(self, request: Request) -> Response:
        """New and changed posts of a thread, as server-sent events."""
        thread = thread_of(request)

        async def stream() -> AsyncIterator[str]:
            with self.desk.board.watching(thread) as posts:
                yield ": watching\n\n"
                for post in (await self.desk.board.posts(thread))[-AGAIN:]:
                    yield await self._event(post)
                async for post in posts:
                    yield await self._event(post)

        return StreamingResponse(stream(), media_type="text/event-stream")

    async def _event(self, post: Post) -> str:
        return f"event: post\ndata: {json.dumps(await self._html(post))}\n\n"

    async def _html(self, post: Post) -> str:
        """A post as HTML, beside the event loop: its molecules are drawn to see whether they can be."""
        return await asyncio.to_thread(post_html, self.jinja, post)

    async def settings(self, request: Request) -> Response:
        """What is set, to be read: the settings are the server's."""
        return sheet(
            request,
            self.jinja,
            "settings.html",
            "Settings",
            user=asker(request) if self.desk.door else "",
            documents=len(await self.desk.index.records()),
            told=self.desk.settings,
            told_of_model=await self.desk.look_for_model() if self.desk.look_for_model else "",
            may_set_model=self.desk.model is not None,
        )

    async def health(self, _: Request) -> Response:
        """That the page is up."""
        return PlainTextResponse("pestle")


def _safe(html: str) -> Markup:
    """HTML that a template made, and so is not escaped again."""

    return Markup(html)


async def _refused(_: Request, error: Exception) -> Response:
    """A request of another form than the page sends."""
    assert isinstance(error, ValidationError)
    first = error.errors(include_url=False, include_input=False)[0]
    return PlainTextResponse(f"{'.'.join(map(str, first['loc']))}: {first['msg']}"[:300], 422)
