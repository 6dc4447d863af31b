"""The other MCP servers that the settings name, and the toolset of all their tools."""

import asyncio
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mcp import MCPError

from adapters.mcp.connection import Connection, ServerDown
from adapters.mcp.foreign import Rules, UnusableTool, foreign_tool
from agents.tools.tool import Tool
from agents.tools.toolset import Toolset

log = logging.getLogger(__name__)
MOST_TOOLS = 128
"""Tools of one server that are taken."""


class OtherServers:
    """Connections to other servers, opened when their tools are first asked for."""

    def __init__(self, servers: Mapping[str, str], rules: Rules, *, seconds: float, logs: Path) -> None:
        self._rules = rules
        self._connections = [
            Connection(name, target, seconds=seconds, log=logs / f"mcp-{name}.log")
            for name, target in servers.items()
        ]
        self._tools: dict[str, tuple[Tool[Any], ...]] = {}
        self._asking = asyncio.Lock()

    async def toolset(self) -> Toolset:
        """The tools of all servers that answer. One that does not is logged, and asked again next time."""
        async with self._asking:
            missing = [one for one in self._connections if one.name not in self._tools]
            await asyncio.gather(*map(self._ask, missing))
        found = [self._tools.get(connection.name, ()) for connection in self._connections]
        return Toolset("other servers", [tool for tools in found for tool in tools])

    async def close(self) -> None:
        """Close all connections."""
        await asyncio.gather(*(connection.close() for connection in self._connections))

    async def _ask(self, connection: Connection) -> None:
        try:
            offered = await connection.tools()
        except (ServerDown, MCPError) as error:
            log.warning("The tools of the MCP server %s are missing: %s", connection.name, error)
            return
        found: dict[str, Tool[Any]] = {}
        for one in offered[:MOST_TOOLS]:
            try:
                tool = foreign_tool(connection, one, self._rules)
            except UnusableTool as error:
                log.warning("A tool of the MCP server %s is left out: %s", connection.name, error)
            else:
                found.setdefault(tool.name, tool)
        self._tools[connection.name] = tuple(found.values())
