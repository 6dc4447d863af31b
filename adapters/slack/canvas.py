"""A whole report as a canvas: a document of Slack's own, to read and to comment on.

https://docs.slack.dev/reference/methods/canvases.create. A canvas stands by itself, the channel may read it,
and a message in the thread leads to it. Where a workspace has no canvases, or the app may not make them, a
report comes as a file.
"""

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.calls import answered
from adapters.slack.mrkdwn import escape
from bot.errors import DeliveryDelayed, DeliveryFailed
from bot.values import OutgoingFile, ThreadRef

logger = logging.getLogger(__name__)

LONGEST, TITLE = 1_000_000, 200
"""Characters of a canvas (Slack takes 1,048,576), and of its title."""
DEEPEST = 3
"""Headings of a canvas go from 1 to 3."""
CELLS = 300
"""Cells of one table of a canvas; a longer one goes on in a further table with the same heads."""
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
HEADING = re.compile(r"#{4,6}(?= )")
BORDER = re.compile(r"(?<!\\)\|")


async def canvas_of(client: AsyncWebClient, thread: ThreadRef, file: OutgoingFile) -> tuple[str, str]:
    """Make a canvas of a Markdown file that the thread's channel may read; its id and address, both "" where
    there are none. Raises `DeliveryDelayed` where Slack asks to wait; nothing is left behind then.
    """
    text = canvas_markdown(file.content.decode())
    if len(text) > LONGEST:
        return "", ""
    try:
        made = await _call(client, "canvases.create", **content(file.title or file.name, text))
        canvas = str(made.get("canvas_id", ""))
        return canvas, await _shared(client, thread, canvas)
    except DeliveryDelayed:
        raise
    except DeliveryFailed as error:
        logger.warning("a report comes as a file and not as a canvas: %s", error)
        return "", ""


async def delete_canvas(client: AsyncWebClient, canvas: str) -> None:
    """Delete a canvas to which nothing leads; where that fails, it stays."""
    try:
        await client.api_call("canvases.delete", json={"canvas_id": canvas})
    except (SlackApiError, OSError) as error:
        logger.warning("the canvas %s was left behind: %s", canvas, type(error).__name__)


def content(title: str, text: str) -> dict[str, Any]:
    """The arguments of `canvases.create`."""
    return {"title": title[:TITLE], "document_content": {"type": "markdown", "markdown": text}}


def linked(title: str, address: str) -> str:
    """The message that leads to a canvas."""
    return f"The report as a canvas: <{escape(address)}|{escape(title.replace('|', '¦'))}>"


def canvas_markdown(text: str) -> str:
    """Markdown as canvases take it: headings no deeper than 3, tables of at most `CELLS` cells."""
    return "\n".join(line for block in _blocks(text.split("\n")) for line in block)


async def _shared(client: AsyncWebClient, thread: ThreadRef, canvas: str) -> str:
    """Let the channel read a canvas, and find its address. A canvas that nobody can open is deleted."""
    readers = "user_ids" if thread.channel.startswith(("U", "W")) else "channel_ids"
    try:
        access = {"canvas_id": canvas, "access_level": "read", readers: [thread.channel]}
        await _call(client, "canvases.access.set", **access)
        known = await answered("files.info", client.api_call("files.info", data={"file": canvas}))
        return _address(known)
    except BaseException:
        await delete_canvas(client, canvas)
        raise


def _address(known: Mapping[str, Any]) -> str:
    """Where a canvas opens. Raises `DeliveryFailed`."""
    file = known.get("file")
    address = file.get("permalink") if isinstance(file, dict) else None
    if isinstance(address, str) and address.startswith("https://"):
        return address
    raise DeliveryFailed("Slack does not say where the canvas is.")


async def _call(client: AsyncWebClient, method: str, **arguments: Any) -> dict[str, Any]:
    return await answered(method, client.api_call(method, json=arguments))


def _blocks(lines: Sequence[str]) -> Iterator[Sequence[str]]:
    """Lines of code as they are, other lines one by one, and tables in parts."""
    fence, table = "", list[str]()
    for line in lines:
        if not fence and line.startswith("|"):
            table.append(line)
            continue
        yield from _tables(table)
        table = []
        found = FENCE.match(line)
        if found and not fence:
            fence = found[1]
        elif found and line.strip().startswith(fence):
            fence = ""
        yield (line if fence else HEADING.sub("#" * DEEPEST, line),)
    yield from _tables(table)


def _tables(lines: Sequence[str]) -> Iterator[Sequence[str]]:
    """A table, or several with the same heads."""
    if len(lines) < 3:
        yield lines
        return
    head, rows = lines[:2], lines[2:]
    columns = max(1, len(BORDER.findall(head[0])) - 1)
    most = max(1, CELLS // columns - 1)
    for first in range(0, len(rows), most):
        yield (*([""] if first else []), *head, *rows[first : first + most])
