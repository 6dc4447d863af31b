"""The web page, ready to serve: what `pestle up` and `pestle demo` open."""

import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from ipaddress import ip_address

import httpx
import uvicorn
from starlette.types import ASGIApp

from adapters.attached import FilesHere
from adapters.ending import end_by_signals
from adapters.errors import SettingsError
from adapters.kinds import KINDS
from adapters.llm.address import address_of
from adapters.llm.near import told_of_model
from adapters.sections import WebSettings
from adapters.settings import Settings
from adapters.sources.reach import bulk_folder
from adapters.web.app import PagePorts, page_app
from adapters.web.board import Board
from adapters.web.login import Door
from adapters.web.oidc import Oidc
from adapters.web.readers import PageByReader, SeenBoard
from adapters.wiring import Runtime, runtime
from agents.kinds import AnyKind
from agents.runs.background import in_background
from bot.rights import Reads
from bot.values import ThreadRef
from workers.scheduler import scheduling
from workers.sweeper import Sweeper


@asynccontextmanager
async def page(settings: Settings, kinds: Sequence[AnyKind] = KINDS) -> AsyncIterator[tuple["Server", str]]:
    """The page's server, ready to serve, and its address. Raises `SettingsError` if the port is taken."""
    listening = _listen(settings.web.host, settings.web.port)
    host, port = listening.getsockname()[:2]
    async with runtime(settings, kinds) as built, AsyncExitStack() as stack:
        stack.callback(listening.close)
        door = await _door(built, host, stack)
        await built.files.clear_away()
        board = Board(
            built.ledger,
            built.storage.conversations,
            built.views,
            built.storage.outbox,
            built.storage.artefacts,
        )
        await stack.enter_async_context(built.delivering(board))
        await stack.enter_async_context(
            in_background(Sweeper(built.ledger, built.queue, built.executor).run())
        )
        await stack.enter_async_context(scheduling(built.telling(), built.retain))
        await stack.enter_async_context(built.embedding())
        intake = built.intake_with(
            lambda run_id, form: f"/runs/{run_id}/export.{form}", FilesHere(built.parsers)
        )
        kept = (built.sources, built.storage.artefacts, built.storage.conversations)
        room = (built.index, built.files, board, built.views, *kept)
        told = await told_of_model(settings.model)
        desk = PagePorts(
            intake,
            built.ledger,
            *room,
            hosts=(settings.web.host, *map(str.lower, settings.web.names)),
            door=door,
            largest_upload=settings.web.upload_mb * 1_000_000,
            suggest=built.suggested,
            starters=built.starters,
            digests=built.storage.digests,
            told_of_model=told,
            look_for_model=partial(told_of_model, settings.model),
            model=settings.model if door is None else None,
            settings=_told(built),
        )
        scheme = "https" if settings.web.certificate else "http"
        app = page_app(desk) if door is None else _for_readers(built, desk, door, board)
        if door is None:
            built.readers.operated += (Board.name,)
        named = f"[{host}]" if ":" in host else host
        yield Server(app, listening, settings.web, told), f"{scheme}://{named}:{port}"


def _told(built: Runtime) -> dict[str, str]:
    """What is set, as the page tells it."""
    chosen = built.settings
    model, sample = chosen.model, bulk_folder(chosen).bare and chosen.sources.sample
    return {
        "Language model": f"{model.name} at {address_of(model.base_url).shown}"
        if model.base_url
        else "none: rules answer",
        "Found by meaning with": built.encoder.name,
        "Public databases": "the sample that comes with Pestle" if sample else "files that were loaded",
        "Asked over the network": "yes" if chosen.sources.live else "no",
    }


def _for_readers(built: Runtime, desk: PagePorts, door: Door, board: Board) -> ASGIApp:
    """The page for people with accounts, who do not all read everything."""
    nowhere = ThreadRef(Board.name, "", "")

    def page_for(theirs: Runtime) -> ASGIApp:
        return page_app(_desk_of(theirs, desk, board))

    async def page_of(reads: Reads) -> ASGIApp:
        return (await built.reading(reads)).once(page_for)

    return PageByReader(page_app(desk), door, partial(built.readers.of, nowhere, alone=True), page_of)


def _desk_of(theirs: Runtime, desk: PagePorts, board: Board) -> PagePorts:
    """What the page of a reader works with."""
    return replace(
        desk,
        ledger=theirs.ledger,
        index=theirs.index,
        files=theirs.files,
        board=SeenBoard(board, theirs.ledger, theirs.reads),
        views=theirs.views,
        conversations=theirs.storage.conversations,
        suggest=theirs.suggested,
        starters=theirs.starters,
    )


async def _door(built: Runtime, host: str, stack: AsyncExitStack) -> Door | None:
    """The page's log-in; None where nobody else can reach it. Raises `SettingsError` without an account."""
    web, oidc = built.settings.web, built.settings.oidc
    if web.login == "auto" and ip_address(host.partition("%")[0]).is_loopback:
        return None
    company = None
    if oidc.issuer:
        company = Oidc(oidc, await stack.enter_async_context(httpx.AsyncClient()))
    elif not await built.storage.accounts.names():
        raise SettingsError(
            f"Others can reach a page on {host}, so they have to log in, and nobody has an account yet. "
            "`pestle account add NAME` makes one; PESTLE_WEB_HOST=127.0.0.1 keeps the page on this machine."
        )
    seconds, may = web.session_hours * 3_600, built.readers.may_change
    return Door(built.storage.accounts, seconds, company=company, may_change=may)


class Server:
    """Uvicorn on a socket that is listening already, so that the port is known before it serves."""

    def __init__(
        self, app: ASGIApp, listening: socket.socket, web: WebSettings, told_of_model: str = ""
    ) -> None:
        """Raises `SettingsError` if there is a certificate that cannot be used."""
        config = uvicorn.Config(
            app,
            log_level="warning",
            lifespan="off",
            timeout_graceful_shutdown=2,
            ssl_certfile=web.certificate or None,
            ssl_keyfile=web.key or None,
            proxy_headers=bool(web.proxies),
            forwarded_allow_ips=list(web.proxies),
        )
        try:
            config.load()
        except OSError as error:
            raise SettingsError(
                f"The certificate {web.certificate} and the key {web.key} cannot be used: {error}. "
                "Set PESTLE_WEB_CERTIFICATE and PESTLE_WEB_KEY to files that fit."
            ) from error
        host = listening.getsockname()[0].partition("%")[0]
        self.in_the_clear = not (web.certificate or ip_address(host).is_loopback)
        """Whether what is typed can be read on its way."""
        self.told_of_model = told_of_model
        """What should be known of the language model."""
        self._server = uvicorn.Server(config)
        self._listening = listening

    async def serve(self) -> None:
        """Serve until interrupted; then return, so that what is open is closed."""
        end_by_signals(self._server)
        await self._server.serve(sockets=[self._listening])

    def stop(self) -> None:
        """End `serve`."""
        self._server.should_exit = True


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise SettingsError(
            f"Port {port} on {host} cannot be used: {error.strerror}. "
            "Is `pestle up` running already? PESTLE_WEB_PORT=0 takes any free port."
        ) from error
