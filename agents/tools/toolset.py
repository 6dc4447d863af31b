"""A named collection of tools: what a model is given, and the edge at which its calls are checked."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from agents.errors import AgentError, ToolFailed, ToolRetry
from agents.messages import ToolSpec
from agents.tools.reply import ToolReply
from agents.tools.tool import Tool

log = logging.getLogger(__name__)


class Toolset(Mapping[str, Tool[Any]]):
    """Tools by name, in the order given. Raises `ValueError` for a name that occurs twice."""

    def __init__(self, name: str, tools: Iterable[Tool[Any]] = ()) -> None:
        self.name = name
        self._tools: dict[str, Tool[Any]] = {}
        for tool in tools:
            if tool.name in self._tools:
                raise ValueError(f"the toolset {name!r} has two tools called {tool.name!r}; rename one")
            self._tools[tool.name] = tool

    def __getitem__(self, key: str) -> Tool[Any]:
        return self._tools[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools)

    def __len__(self) -> int:
        return len(self._tools)

    def spec(self) -> tuple[ToolSpec, ...]:
        """What a model is told of each tool."""
        return tuple(tool.spec for tool in self._tools.values())

    async def call(self, name: str, arguments: str) -> ToolReply:
        """The reply to a call as a model wrote it: a tool's name and its arguments as JSON.

        Raises `ToolRetry` for a wrong name or wrong arguments, `ToolFailed` where asking again cannot help.
        A tool that needs approval is not run here: wrap it with `agents.tools.approved` first. An error that
        the run itself raises (it was stopped, its lease is lost) passes through.
        """
        tool = self.find(name)
        inputs = tool.parse(arguments)
        if tool.needs_approval:
            raise ToolFailed(f"{name} did not run: it needs a person's approval, and nobody was asked.")
        try:
            return await tool(inputs)
        except AgentError:
            raise
        except Exception as error:
            log.exception("the tool %s failed", name)
            raise ToolFailed(f"{name} failed ({type(error).__name__}: {error}). Go on without it.") from error

    def find(self, name: str) -> Tool[Any]:
        """The tool with this name. Raises `ToolRetry` that names the nearest ones."""
        if name in self._tools:
            return self._tools[name]
        near = get_close_matches(name, self._tools, 3) or list(self._tools)
        raise ToolRetry(f"There is no tool {name!r}. Tools: {', '.join(near) or 'none'}.")

    def map(self, wrap: Callable[[Tool[Any]], Tool[Any]]) -> "Toolset":
        """The toolset with every tool wrapped."""
        return Toolset(self.name, map(wrap, self._tools.values()))

    def only(self, *names: str) -> "Toolset":
        """The tools with these names."""
        return Toolset(self.name, (tool for name, tool in self._tools.items() if name in names))

    def joined(self, *others: "Toolset") -> "Toolset":
        """One toolset of several. Raises `ValueError` for a name that occurs twice."""
        tools = [tool for toolset in (self, *others) for tool in toolset.values()]
        return Toolset(self.name, tools)
