"""`pestle mcp`: the house's tools for other programs that speak the Model Context Protocol."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.session import load, run_to_end, user
from adapters.errors import SettingsError
from bot.errors import BadRequest

if TYPE_CHECKING:
    from adapters.settings import Settings
    from agents.tools.toolset import Toolset


def mcp_command(
    http: Annotated[
        int | None,
        typer.Option(
            help="Serve over HTTP on this port of this machine instead; 0: any free one.", min=0, max=65535
        ),
    ] = None,
    reader: Annotated[
        str, typer.Option("--as", help="Serve what this person may read, such as web:anna; else everything.")
    ] = "",
    login: Annotated[
        bool,
        typer.Option("--login", help="Over HTTP: ask for personal tokens, and serve what each may read."),
    ] = False,
) -> None:
    """Serve the tools of archive and public databases over MCP, on standard input and output.

    It ends when that program closes standard input. Messages go to standard error.
    """
    run_to_end(_serve(load(), http, reader, login))


async def _serve(settings: Settings, port: int | None, reader: str, login: bool) -> None:
    """Serve until the other side ends, or until it is interrupted."""
    # `mcp` takes a second to load, and no other command needs it.
    from adapters.mcp.served import ServedReply, page_address
    from adapters.mcp.server import LOOPBACK, PATH, mcp_server, offered, serve_http, serve_stdio
    from adapters.storage.audit import sha256
    from adapters.wiring import runtime
    from bot.rights import check_person

    if login and (port is None or reader):
        raise BadRequest("--login goes with --http, and says who reads instead of --as.")
    if reader:
        check_person(reader)
    async with runtime(settings) as built:
        tools = built.tools_as(reader) if reader else built.house_tools
        tools = offered(tools, writing=settings.mcp.serve_writing)

        def tools_as(person: str) -> Toolset:
            return offered(built.tools_as(person), writing=settings.mcp.serve_writing)

        address = page_address(settings.web.host, settings.web.port)

        async def told(who: str, tool: str, arguments: str, reply: ServedReply) -> None:
            read = [f"{one.id}:{one.start}-{one.end}" for one in reply.records]
            facts = {"tool": tool, "answer": sha256(reply.model_dump_json()), "passages": read}
            await built.storage.audit.note(
                "called", facts=facts, by=who or reader or f"cli:{user()}", text=arguments
            )

        server = mcp_server(tools, address, built.storage.artefacts, told, tools_as if login else None)
        if port is None:
            await serve_stdio(server)
            return
        with _listening(LOOPBACK, port) as listening:
            place = f"http://{LOOPBACK}:{listening.getsockname()[1]}{PATH}"
            typer.echo(f"Pestle's tools are at {place}  (Ctrl-C ends it)", err=True)
            await serve_http(server, listening, built.storage.accounts.in_session if login else None)


def _listening(host: str, port: int) -> socket.socket:
    """A listening socket. Raises `SettingsError`."""
    try:
        return socket.create_server((host, port))
    except OSError as error:
        raise SettingsError(
            f"Port {port} on {host} cannot be used: {error.strerror}. --http 0 takes any free port."
        ) from error
