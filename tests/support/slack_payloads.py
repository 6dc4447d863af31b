"""What Slack would refuse, found offline: every payload that a test sends to a far end goes through here.

`Block.parse` of the SDK checks a block's own limits; the number of blocks, the characters over all of them
(undocumented; about 13,200 at Slack, 10,000 here) and the forms of views are checked here.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qs

from markdown_it import MarkdownIt
from slack_sdk.errors import SlackObjectFormationError
from slack_sdk.models.blocks import Block

BLOCKS, CHARACTERS, TEXT = 50, 10_000, 40_000
CANVAS, CELLS = 1_048_576, 300
VIEW_BLOCKS, TITLE, METADATA, CALLBACK = 100, 24, 3_000, 255
METHODS = (
    *("chat.postMessage", "chat.update", "chat.postEphemeral"),
    *("views.open", "views.update", "views.publish"),
)


class Refused(AssertionError):
    """Slack would not take this."""


def check(method: str, body: Mapping[str, Any]) -> None:
    """Raise `Refused` for what Slack would not take; methods that show nothing are of no concern."""
    if found := [f"{method}: {fault}" for fault in faults(method, body)]:
        raise Refused("; ".join(found))


def fields(content: bytes, content_type: str) -> dict[str, Any]:
    """The arguments of a call, sent as JSON or as a form; in a form, values may be JSON."""
    if "json" in content_type:
        return dict(json.loads(content))
    form = {name: values[0] for name, values in parse_qs(content.decode(errors="replace")).items()}
    return {name: _read(value) if name in ("blocks", "view") else value for name, value in form.items()}


def faults(method: str, body: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with the arguments of a call."""
    if method == "canvases.create":
        yield from _of_canvas(body)
    if method not in METHODS:
        return
    if method.startswith("views."):
        yield from _of_view(body["view"])
    else:
        if not 0 < len(body.get("text", "")) <= TEXT:
            yield "a message needs a text of up to 40,000 characters"
        yield from _of_blocks(body.get("blocks", []), BLOCKS)


def _of_canvas(body: Mapping[str, Any]) -> Iterator[str]:
    """As documented: Markdown of up to 1 MiB, headings down to 3; of tables 300 cells each."""
    if set(body) - {"title", "document_content", "channel_id"} or not body.get("title"):
        yield "a canvas has a title, its content, and a channel at most"
    content = body["document_content"]
    if set(content) != {"type", "markdown"} or content["type"] != "markdown":
        yield "the content of a canvas is Markdown"
    if len(content["markdown"]) > CANVAS:
        yield "a canvas has up to 1 MiB of Markdown"
    cells = 0
    for token in MarkdownIt("commonmark").enable("table").parse(content["markdown"]):
        if token.type == "heading_open" and token.tag not in ("h1", "h2", "h3"):
            yield f"there is no heading {token.tag} in a canvas"
        cells = 0 if token.type == "table_open" else cells + (token.type in ("th_open", "td_open"))
        if token.type == "table_close" and cells > CELLS:
            yield f"a table has {cells} cells, and {CELLS} are taken"


def _of_view(view: Mapping[str, Any]) -> Iterator[str]:
    if view["type"] == "modal":
        for name in ("title", "submit", "close"):
            if len(view.get(name, {}).get("text", "")) > TITLE:
                yield f"{name} of a view is over {TITLE} characters"
        if not view.get("title", {}).get("text"):
            yield "a modal needs a title"
        if any(block["type"] == "input" for block in view["blocks"]) and not view.get("submit"):
            yield "a modal with inputs needs a submit"
    if len(view.get("private_metadata", "")) > METADATA or len(view.get("callback_id", "")) > CALLBACK:
        yield "metadata or callback id of a view is too long"
    yield from _of_blocks(view["blocks"], VIEW_BLOCKS, 10 * CHARACTERS)


def _of_blocks(blocks: Any, most: int, characters: int = CHARACTERS) -> Iterator[str]:
    if len(blocks) > most:
        yield f"{len(blocks)} blocks, and {most} are taken"
    if (size := sum(len(json.dumps(block, ensure_ascii=False)) for block in blocks)) > characters:
        yield f"{size} characters in blocks, and {characters} are taken"
    ids = [element.get("action_id") for block in blocks for element in block.get("elements", ())]
    named = [one for one in ids if one]
    if len(named) != len(set(named)):
        yield "an action id stands twice"
    for block in blocks:
        yield from _of_block(block)


def _of_block(block: Mapping[str, Any]) -> Iterator[str]:
    try:
        parsed = Block.parse(dict(block))
        if parsed is None:
            yield f"there is no block of type {block.get('type')}"
        else:
            parsed.to_dict()
    except (SlackObjectFormationError, TypeError) as error:
        yield f"{block.get('type')}: {error}"
    for option in _options(block):
        if len(option["value"]) > 150 or len(option["text"]["text"]) > 75:
            yield "an option is over 150 characters of value or 75 of text"
    tasks = block.get("tasks") or ()
    if block.get("type") == "plan" and any(Block.parse(dict(task)) is None for task in tasks):
        yield "a plan holds what is no task"


def _options(block: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for element in block.get("elements", ()):
        if element.get("type") == "static_select":
            if not 0 < len(element["options"]) <= 100:
                raise Refused("a menu has 1 to 100 options")
            yield from element["options"]


def _read(value: str) -> Any:
    return json.loads(value)
