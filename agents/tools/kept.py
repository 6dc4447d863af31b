"""Keeping: what a tool fetched is kept as it was, so that a citation of it can be opened later."""

from dataclasses import replace
from typing import Any

from agents.evidence.sources import Origin, Sources
from agents.tools.reply import ToolReply
from agents.tools.tool import Tool


def kept(tool: Tool[Any], sources: Sources) -> Tool[Any]:
    """The tool, putting each source of its replies away. Documents stay where they are, in the archive."""

    async def work(inputs: Any) -> ToolReply:
        reply = await tool(inputs)
        for record in reply.records:
            if record.source.origin is not Origin.DOCUMENT:
                await sources.put(record.source)
        return reply

    return replace(tool, work=work)
