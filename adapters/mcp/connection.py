"""A connection to another MCP server: a process that is started here, or an address.

The connection opens when it is first used, and again after it broke. A task of its own holds it, because it
has to be closed by the task that opened it.
"""

import asyncio
import os
import shlex
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp.types import CallToolResult, Implementation, Tool
from mcp.types.jsonrpc import CONNECTION_CLOSED

from adapters.errors import SettingsError

T = TypeVar("T")
PAGES = 20
"""Pages of a server's list of tools that are read; one that never ends cannot hang a start."""
OPENING_S = 30.0
"""How long a server may take to start and to introduce itself."""
WEB = ("http://", "https://")


class ServerDown(Exception):
    """A server cannot be reached or does not answer; the message says which and why."""


class Connection:
    """One server. `target` is a command line or an http(s) address; `seconds` bounds each answer.

    What a process says on standard error goes to the file `log`.
    """

    def __init__(self, name: str, target: str, *, seconds: float, log: Path) -> None:
        self.name = name
        self.release = ""
        self._target = _checked(name, target)
        self._seconds = seconds
        self._log = log
        self._opening = asyncio.Lock()
        self._client: Client | None = None
        self._holder: asyncio.Task[None] | None = None
        self._done = asyncio.Event()

    async def tools(self) -> list[Tool]:
        """The tools that the server offers. Raises `ServerDown`, `MCPError`."""
        return await self._exchange(_listed, again=True)

    async def call(self, tool: str, arguments: dict[str, object], *, again: bool = False) -> CallToolResult:
        """The server's reply to a call. Raises `ServerDown`, and `MCPError` where it refuses.

        With `again` a call over a connection that broke is made once more over a new one.
        """
        return await self._exchange(lambda client: client.call_tool(tool, dict(arguments)), again=again)

    async def close(self) -> None:
        """End the connection, and the process if there is one."""
        self._client = None
        self._done.set()
        if self._holder is not None:
            await asyncio.gather(self._holder, return_exceptions=True)

    async def _exchange(self, work: Callable[[Client], Awaitable[T]], *, again: bool) -> T:
        try:
            client = await self._opened()
            async with asyncio.timeout(self._seconds):
                return await work(client)
        except TimeoutError:
            raise ServerDown(f"{self.name} did not answer within {self._seconds:g} seconds") from None
        except MCPError as error:
            if error.code != CONNECTION_CLOSED:
                raise
            if self._client is client:
                await self.close()
            if again:
                return await self._exchange(work, again=False)
            raise ServerDown(f"{self.name} closed the connection") from error

    async def _opened(self) -> Client:
        """The client, opened if it is not."""
        async with self._opening:
            if self._client is None:
                await self.close()  # an earlier process ends before the next one starts
                ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
                self._done = asyncio.Event()
                self._holder = asyncio.create_task(self._hold(ready, self._done))
                try:
                    async with asyncio.timeout(OPENING_S):
                        self._client = await asyncio.shield(ready)
                except TimeoutError:
                    self._holder.cancel()
                    raise ServerDown(f"{self.name} did not open within {OPENING_S:g} seconds") from None
                except BaseException:
                    self._holder.cancel()
                    raise
                self.release = self._client.server_info.version if self._client.server_info else ""
            return self._client

    async def _hold(self, ready: "asyncio.Future[Client]", done: asyncio.Event) -> None:
        try:
            async with self._transport() as client:
                if not ready.done():
                    ready.set_result(client)
                await done.wait()
        except Exception as error:
            if ready.done():
                return  # it broke later: whoever was waiting for an answer has been told
            log = "" if isinstance(self._target, str) else f"; its log is {self._log}"
            ready.set_exception(ServerDown(f"{self.name} cannot be reached ({_reason(error)}){log}"))
        finally:
            if self._done is done:  # the next exchange opens anew
                self._client = None

    @asynccontextmanager
    async def _transport(self) -> AsyncIterator[Client]:
        client_info = Implementation(name="pestle", version="1")
        if isinstance(self._target, str):
            async with Client(self._target, client_info=client_info) as client:
                yield client
            return
        self._log.parent.mkdir(parents=True, exist_ok=True)
        with open(self._log, "w", encoding="utf-8", opener=_private) as log:  # noqa: ASYNC230
            transport = stdio_client(self._target, errlog=log)
            async with Client(transport, client_info=client_info) as client:
                yield client


async def _listed(client: Client) -> list[Tool]:
    tools: list[Tool] = []
    cursor: str | None = None
    for _ in range(PAGES):
        page = await client.list_tools(cursor=cursor)
        tools += page.tools
        if (cursor := page.next_cursor) is None:
            break
    return tools


def _checked(name: str, target: str) -> str | StdioServerParameters:
    """An address, or a command with its arguments. Raises `SettingsError`."""
    target = target.strip()
    if target.startswith(WEB):
        return target
    try:
        command, *arguments = shlex.split(target)
    except ValueError as error:
        raise SettingsError(
            f"The MCP server {name!r} is set to {target!r}: {error or 'that is empty'}. "
            "Write a command, or an address that begins with http:// or https://."
        ) from None
    return StdioServerParameters(command=command, args=arguments)


def _private(path: str, flags: int) -> int:
    """Open a file that only its owner reads: a server may log what it was asked."""
    return os.open(path, flags, 0o600)


def _reason(error: BaseException) -> str:
    """The first plain error inside groups of them."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}".removesuffix(": ")
