"""From neutral cards to Slack messages. Pure. What is too long goes on in further messages."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from slack_sdk.models.blocks import (
    ActionsBlock,
    Block,
    ButtonElement,
    ContextBlock,
    HeaderBlock,
    MarkdownTextObject,
    PlainTextObject,
    SectionBlock,
)

from adapters.slack.mrkdwn import escape, from_markdown, from_table, pieces
from agents.reports.marked import bracketed
from bot.values import Button, Card, CardKind, Part, Source, Step, Table, Text
from bot.words import cited_records, in_words, source_line

BLOCKS = 45
"""Slack refuses over 50 blocks a message."""
CHARACTERS = 9_500
"""Over all blocks of a message; Slack refuses at about 13,200 (undocumented)."""
SECTION = 2_900
HEADER = 150
LABEL = 75
BUTTONS = 25
FALLBACK = 300
QUOTE_IN_ANSWER = 600
"""Longest quote shown below an answer; a longer one is shown whole by `sources N`."""

_STEP_MARKS = {"waiting": "○", "running": "◐", "done": "●", "failed": "✕"}
_STYLES = ("primary", "danger")


@dataclass(frozen=True, slots=True)
class Message:
    """One Slack message: `text` for notifications and screen readers, `blocks` to be seen."""

    text: str
    blocks: tuple[dict[str, Any], ...]


def render(card: Card) -> tuple[Message, ...]:
    """The messages that show a card; at least one.

    Raises `slack_sdk.errors.SlackObjectFormationError` if a block broke one of Slack's limits.
    """
    blocks = [block.to_dict() for block in _blocks(card)]
    fallback = escape(f"{card.title}: {card.text}" if card.title and card.text else card.title or card.text)
    text = next(pieces(bracketed(fallback), FALLBACK), "…")
    return tuple(Message(text, tuple(part)) for part in _parts(blocks))


def _blocks(card: Card) -> Iterator[Block]:
    if card.title:
        yield HeaderBlock(text=PlainTextObject(text=_shortened(card.title, HEADER)))
    yield from _sections(from_markdown(card.text))
    yield from _sections("\n".join(_step(step) for step in card.steps))
    for part in card.parts:
        yield from _part(part)
    yield from _listed("Not found", card.not_found)
    if card.kind is CardKind.SECTION:
        yield from _sections(escape(cited_records(card.sources)))
    else:
        for before, source in zip((None, *card.sources), card.sources, strict=False):
            yield from _sections(_source(source, before, whole=card.kind is CardKind.SOURCES))
    yield from _listed("Please note", card.notes)
    for first in range(0, len(card.buttons), BUTTONS):
        yield _actions(card.buttons[first : first + BUTTONS], first)
    if card.footer:
        yield ContextBlock(elements=[MarkdownTextObject(text=escape(card.footer))])


def _parts(blocks: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Blocks in groups that fit into one message each."""
    part: list[dict[str, Any]] = []
    size = 0
    for block in blocks:
        length = len(str(block))
        if part and (len(part) == BLOCKS or size + length > CHARACTERS):
            yield part
            part, size = [], 0
        part.append(block)
        size += length
    yield part


def _sections(text: str, around: str = "{}") -> Iterator[Block]:
    for piece in pieces(text, SECTION):
        yield SectionBlock(text=MarkdownTextObject(text=around.format(piece), verbatim=True))


def _step(step: Step) -> str:
    detail = f" ({step.detail})" if step.detail else ""
    seconds = f" · {step.seconds:.1f} s" if step.seconds is not None else ""
    return f"{_STEP_MARKS.get(step.state, '○')} {escape(step.label + detail)}{seconds}"


def _part(part: Part) -> Iterator[Block]:
    if isinstance(part, Table):
        yield from _table(part)
    elif isinstance(part, Text):
        yield from _sections(from_markdown(part.markdown))
    else:
        yield from _sections(from_markdown(in_words(part)))


def _table(table: Table) -> Iterator[Block]:
    yield from _sections(f"*{escape(table.title)}*" if table.title else "")
    text, monospaced = from_table(table)
    yield from _sections(text, "```\n{}\n```" if monospaced else "{}")


def _source(source: Source, before: Source | None, *, whole: bool) -> str:
    head = f"*[{source.number}]* {escape(source_line(source, before))}"
    if source.told:
        return head
    quote = " ".join(source.quote.split())
    if not whole and len(quote) > QUOTE_IN_ANSWER:
        quote = f"{quote[:QUOTE_IN_ANSWER]}… (`sources {source.number}` shows it whole)"
    return f"{head}\n> {escape(quote)}"


def _listed(title: str, lines: tuple[str, ...]) -> Iterator[Block]:
    if lines:
        yield from _sections("\n".join((f"*{title}*", *(f"• {escape(line)}" for line in lines))))


def _actions(buttons: Iterable[Button], first: int) -> ActionsBlock:
    """Buttons in a row. `action_id` is the action and a number, as Slack wants it unique in a message."""
    elements = [
        ButtonElement(
            text=PlainTextObject(text=_shortened(button.label, LABEL), emoji=True),
            action_id=f"{button.action}:{number}",
            value=button.value,
            style=button.style if button.style in _STYLES else None,
        )
        for number, button in enumerate(buttons, start=first)
    ]
    return ActionsBlock(elements=elements)


def _shortened(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
