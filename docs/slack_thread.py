"""A thread in Slack, drawn from the messages that the bot sends there.

Slack itself shows nobody's threads without an account. So the cards go through the house's own Slack adapter,
and its blocks are drawn as Slack lays them out: header, section, context, buttons, and its mark-up in them.
"""

import asyncio
import re
from base64 import b64encode
from dataclasses import replace
from html import escape
from typing import Any

from adapters.slack.render import render
from bot.values import Card, CardKind, OutgoingFile, ThreadRef

NAME = "slack"
STYLE = """
:root { --ground: #fff; --ink: #1d1c1d; --soft: #616061; --line: #ddd; --code: #f6f6f6; --mark: #c01343 }
@media (prefers-color-scheme: dark) {
  :root { --ground: #1a1d21; --ink: #d1d2d3; --soft: #9a9b9d; --line: #3d4043; --code: #222529;
    --mark: #e8912d }
}
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 46rem; padding: 1rem 1.25rem; background: var(--ground); color: var(--ink);
  font: 15px/1.47 Lato, Carlito, "Helvetica Neue", Arial, sans-serif }
article { display: grid; grid-template-columns: 36px 1fr; gap: 0 .6rem; padding: .5rem 0 }
.face { width: 36px; height: 36px; border-radius: 6px; background: #1d4ed8; color: #fff; font-weight: 700;
  display: grid; place-items: center }
.person { background: #8a5a2b }
b, h2 { font-weight: 700 } h2 { font-size: 18px; margin: .5rem 0 .25rem }
p, pre, blockquote { margin: .25rem 0 .5rem; overflow-wrap: anywhere }
pre { font: 12px/1.5 "DejaVu Sans Mono", monospace; background: var(--code); border: 1px solid var(--line);
  border-radius: 4px; padding: .5rem; white-space: pre-wrap }
code { font: 12px "DejaVu Sans Mono", monospace; background: var(--code); color: var(--mark);
  border: 1px solid var(--line); border-radius: 3px; padding: 0 3px }
blockquote { border-left: 4px solid var(--line); padding-left: .75rem }
.context { color: var(--soft); font-size: 13px }
.actions span { display: inline-block; border: 1px solid var(--line); border-radius: 4px; font-weight: 700;
  padding: .2rem .7rem; margin: 0 .4rem .4rem 0; font-size: 13px }
img { max-width: 15rem }
.plan, .window { border: 1px solid var(--line); border-radius: 8px; margin-bottom: .5rem;
  padding: .5rem .9rem }
hr { border: 0; border-top: 1px solid var(--line) }
"""
TASKS = {"pending": "○", "in_progress": "◐", "complete": "●", "error": "✕"}
_CODE = re.compile(r"```\n?(.*?)\n?```", re.DOTALL)
_QUOTED = re.compile(r"(?:^(?:&gt;|>) ?.*(?:\n|$))+", re.MULTILINE)
_INLINE = (
    (re.compile(r"`([^`\n]+)`"), r"<code>\1</code>"),
    (re.compile(r"(?<![\w*])\*([^*\n]+)\*(?![\w*])"), r"<b>\1</b>"),
    (re.compile(r"(?<!\w)_([^_\n]+)_(?!\w)"), r"<i>\1</i>"),
    (re.compile(r"<(https?://[^>|\s]+)>"), r'<a href="\1">\1</a>'),
)


class SlackThread:
    """A platform that keeps what Slack would be sent, in the order of a thread."""

    name = NAME

    def __init__(self) -> None:
        self.told: dict[str, str] = {}
        """What stands in the thread, as HTML."""
        self.ended = asyncio.Event()
        """Whether the report has been told."""

    async def post(self, thread: ThreadRef, card: Card) -> str:
        """Keep the messages of a card; returns their number."""
        return await self.update(thread, str(len(self.told)), card)

    async def update(self, thread: ThreadRef, message_id: str, card: Card) -> str:
        """Put a card in the place of an older one."""
        if card.kind is CardKind.ANSWER:
            self.ended.set()
        bodies = ("".join(map(_block, message.blocks)) for message in render(replace(card, mark="")))
        self.told[message_id] = "".join(_article("bot", "Pestle", body) for body in bodies)
        return message_id

    async def show_file(self, thread: ThreadRef, card: Card, file: OutgoingFile) -> str:
        """Show a picture; another file shows its name."""
        number, data = str(len(self.told)), b64encode(file.content).decode()
        shown = (
            f'<img src="data:{file.media_type};base64,{data}">'
            if file.media_type == "image/png"
            else file.name
        )
        self.told[number] = _article("bot", "Pestle", f"<p>{escape(file.title)}</p>{shown}")
        return number

    def said(self, name: str, text: str) -> None:
        """Keep what a person wrote to the bot."""
        self.told[str(len(self.told))] = _article("person", name, f"<p><b>@Pestle</b> {escape(text)}</p>")

    def page(self, asked: str) -> str:
        """The thread as an HTML page, from the message that began it."""
        begun = _article("person", "Ada", f"<p><b>@Pestle</b> {escape(asked)}</p>")
        return _page(f"{begun}{''.join(self.told.values())}")


def _article(kind: str, name: str, body: str) -> str:
    return f'<article><div class="face {kind}">{name[0]}</div><div><b>{name}</b>{body}</div></article>'


def window(view: dict[str, Any]) -> str:
    """A modal, or the app's home, as an HTML page."""
    title = f"<h2>{escape(view['title']['text'])}</h2>" if "title" in view else ""
    return _page(f'<section class="window">{title}{"".join(map(_block, view["blocks"]))}</section>')


def _page(body: str) -> str:
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    return f"<!doctype html>{head}<style>{STYLE}</style>{body}"


def _labels(element: dict[str, Any]) -> list[str]:
    """What a button, a pair of judgements or a menu says."""
    if element["type"] == "feedback_buttons":
        return [element[side]["text"]["text"] for side in ("positive_button", "negative_button")]
    return [f"{element['placeholder']['text']} ▾" if "placeholder" in element else element["text"]["text"]]


def _block(block: dict[str, Any]) -> str:
    """A block as Slack shows it."""
    if block["type"] == "header":
        return f"<h2>{escape(block['text']['text'])}</h2>"
    if block["type"] in ("actions", "context_actions"):
        labels = (f"<span>{escape(label)}</span>" for one in block["elements"] for label in _labels(one))
        return f'<div class="actions">{"".join(labels)}</div>'
    if block["type"] == "plan":
        tasks = (f"<p>{TASKS[task['status']]} {escape(task['title'])}</p>" for task in block["tasks"])
        return f'<h2>{escape(block["title"])}</h2><div class="plan">{"".join(tasks)}</div>'
    if block["type"] == "divider":
        return "<hr>"
    if block["type"] == "context":
        return f'<p class="context">{"".join(_marked(one["text"]) for one in block["elements"])}</p>'
    return _marked(block["text"]["text"])


def _marked(text: str) -> str:
    """Slack's mark-up as HTML; what it says is escaped already."""
    shown = ""
    for place, piece in enumerate(_CODE.split(text)):
        shown += f"<pre>{piece}</pre>" if place % 2 else _told(piece.strip("\n"))
    return shown


def _told(text: str) -> str:
    """Paragraphs and quotes outside of code."""
    for pattern, made in _INLINE:
        text = pattern.sub(made, text)
    text = _QUOTED.sub(lambda found: f"<blockquote>{_unquoted(found[0])}</blockquote>", text)
    parts = (part.strip("\n").replace("\n", "<br>") for part in text.split("\n\n"))
    return "".join(f"<p>{part}</p>" for part in parts if part)


def _unquoted(text: str) -> str:
    return re.sub(r"^(?:&gt;|>) ?", "", text, flags=re.MULTILINE).strip("\n").replace("\n", "<br>")
