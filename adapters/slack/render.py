"""From neutral cards to Slack messages. Pure. What is too long goes on in further messages, which say so.

A card is shown with the blocks that Slack made for agents (`plan`, `feedback_buttons`), or `plain`, with the
oldest blocks alone, where a workspace does not take them.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from slack_sdk.models.blocks import (
    ActionsBlock,
    Block,
    ButtonElement,
    ContextActionsBlock,
    ContextBlock,
    FeedbackButtonObject,
    FeedbackButtonsElement,
    HeaderBlock,
    MarkdownTextObject,
    Option,
    PlainTextObject,
    PlanBlock,
    SectionBlock,
    StaticSelectElement,
    TaskCardBlock,
)

from adapters.pages import groups
from adapters.slack.mrkdwn import escape, from_markdown, from_table, pieces
from agents.counts import shortened
from agents.reports.marked import bracketed
from bot.values import Attachment, Button, Card, CardKind, Part, Source, Step, Table, Text
from bot.words import cited_records, in_words, source_line, step_line

LABEL = 75
BUTTONS = 25
OPTIONS = 100
_STYLES = ("primary", "danger")
BLOCKS = 45
"""Slack refuses over 50 blocks a message."""
CHARACTERS = 9_500
"""Over all blocks of a message; Slack refuses at about 13,200 (undocumented)."""
CONTINUED = 100
"""Of them, what a message takes to say that it goes on from the one before."""
SECTION = 2_900
HEADER = 150
TASKS = 40
"""Lines of a plan; a longer one is shown as text."""
FALLBACK = 300
QUOTE_IN_ANSWER = 600
"""Longest quote shown below an answer; a longer one is shown whole by `sources N`."""
MEMBER = re.compile(r"@([UWS][A-Z0-9]{5,20})")
"""The id of a member or a group, as a mention of one becomes plain text."""
_TASKS = {"waiting": "pending", "running": "in_progress", "done": "complete", "failed": "error"}


@dataclass(frozen=True, slots=True)
class Message:
    """One Slack message: `text` for notifications and screen readers, `blocks` to be seen."""

    text: str
    blocks: tuple[dict[str, Any], ...]


def render(card: Card, *, plain: bool = False) -> tuple[Message, ...]:
    """The messages that show a card; at least one.

    Raises `slack_sdk.errors.SlackObjectFormationError` if a block broke one of Slack's limits.
    """
    blocks = card_blocks(card, plain=plain)
    parts = list(groups(blocks, _length, CHARACTERS - CONTINUED, BLOCKS)) or [[]]
    fallback = ": ".join(filter(None, (escape(card.title), from_markdown(card.text))))
    text = next(pieces(bracketed(fallback), FALLBACK), "…")
    return tuple(
        Message(text, tuple(_continued(part, number, len(parts)))) for number, part in enumerate(parts)
    )


def card_blocks(card: Card, *, plain: bool = False) -> list[dict[str, Any]]:
    """All blocks of a card, of which none is over a limit of its own."""
    return [block.to_dict() for block in _blocks(card, plain)]


def _blocks(card: Card, plain: bool) -> Iterator[Block]:
    if _ended(card):
        told = f"{card.title} · {len(card.steps)} steps · {card.footer}"
        yield ContextBlock(elements=[MarkdownTextObject(text=escape(told))])
        return
    planned = 0 < len(card.steps) <= TASKS and not plain
    if card.title and not planned:
        yield HeaderBlock(text=PlainTextObject(text=shortened(card.title, HEADER)))
    yield from _sections(from_markdown(card.text))
    if planned:
        yield _plan(card)
    else:
        yield from _sections(escape("\n".join(map(step_line, card.steps))))
    for part in card.unfolded:
        yield from _part(part)
    yield from _listed("Not found", card.not_found)
    yield from _sources(card)
    yield from _listed("Please note", card.notes)
    if told := _mention(card.who):
        yield from _sections(told)
    yield from pressed(card, plain)
    if card.footer:
        yield ContextBlock(elements=[MarkdownTextObject(text=escape(card.footer))])


def _ended(card: Card) -> bool:
    """Whether it tells the progress of what is over and went well: one line is enough beside the result."""
    over = card.kind is CardKind.PROGRESS and not card.buttons
    return over and len(card.steps) > 1 and all(step.state == "done" for step in card.steps)


def _mention(who: str) -> str:
    """A mention of whom a request is for, where a member's or a group's id was written; "" for a name."""
    found = MEMBER.fullmatch(who)
    if found is None:
        return ""
    return f"<!subteam^{found[1]}>" if found[1].startswith("S") else f"<@{found[1]}>"


def _sources(card: Card) -> Iterator[Block]:
    if card.kind is CardKind.SECTION:
        yield from _sections(escape(cited_records(card.sources)))
        return
    for before, source in zip((None, *card.sources), card.sources, strict=False):
        yield from _sections(_source(source, before, whole=card.kind is CardKind.SOURCES))


def _plan(card: Card) -> PlanBlock:
    tasks = [_task(number, step) for number, step in enumerate(card.steps)]
    return PlanBlock(title=shortened(card.title or "Working on it", HEADER), tasks=tasks)


def _continued(part: Sequence[dict[str, Any]], number: int, of: int) -> Iterator[dict[str, Any]]:
    """A message of a card with several; from the second on it says that it goes on from the one before."""
    if number:
        told = MarkdownTextObject(text=f"… continued ({number + 1} of {of})")
        yield ContextBlock(elements=[told]).to_dict()
    yield from part


def _length(block: dict[str, Any]) -> int:
    return len(json.dumps(block, ensure_ascii=False))


def _sections(text: str, around: str = "{}") -> Iterator[Block]:
    for piece in pieces(text, SECTION):
        yield SectionBlock(text=MarkdownTextObject(text=around.format(piece), verbatim=True))


def _task(number: int, step: Step) -> dict[str, Any]:
    status, title = _TASKS.get(step.state, "pending"), shortened(step.told, HEADER)
    made: dict[str, Any] = TaskCardBlock(task_id=f"step-{number}", title=title, status=status).to_dict()
    return made


def _part(part: Part) -> Iterator[Block]:
    if isinstance(part, Table):
        yield from _table(part)
    elif isinstance(part, Text):
        yield from _sections(from_markdown(part.markdown))
    elif isinstance(part, Attachment):
        yield from _sections(f"*{escape(part.told)}*: attached as a file of this thread.")
    else:
        yield from _sections(from_markdown(in_words(part)))


def _table(table: Table) -> Iterator[Block]:
    yield from _sections(f"*{escape(table.title)}*" if table.title else "")
    text, monospaced = from_table(table)
    yield from _sections(text, "```\n{}\n```" if monospaced else "{}")


def _source(source: Source, before: Source | None, *, whole: bool) -> str:
    head = f"*[{source.number}]* {escape(source_line(source, before))}"
    if source.told or (source.folded and not whole):
        return head
    quote = " ".join(source.quote.split())
    if not whole and len(quote) > QUOTE_IN_ANSWER:
        quote = f"{quote[:QUOTE_IN_ANSWER]}… (`sources {source.number}` shows it whole)"
    return f"{head}\n> {escape(quote)}"


def _listed(title: str, lines: tuple[str, ...]) -> Iterator[Block]:
    if lines:
        yield from _sections("\n".join((f"*{title}*", *(f"• {escape(line)}" for line in lines))))


def pressed(card: Card, plain: bool) -> Iterator[Block]:
    """What can be pressed: the judgement, the buttons, and the citations to be opened."""
    judged = [button for button in card.buttons if button.action == "feedback"]
    if len(judged) == 2 and not plain:
        yield ContextActionsBlock(elements=[_feedback(*judged)])
    buttons = [button for button in card.buttons if button not in judged or len(judged) != 2 or plain]
    if card.run_id and any(button.action == "export" for button in buttons):
        buttons.append(Button("Export as canvas", "export", card.run_id))
    for first in range(0, len(buttons), BUTTONS):
        yield _actions(buttons[first : first + BUTTONS], first)
    if card.run_id and card.kind is not CardKind.SOURCES:
        for number, first in enumerate(range(0, len(card.sources), OPTIONS)):
            menu = _citations(card.run_id, card.sources[first : first + OPTIONS], number)
            yield ActionsBlock(elements=[menu])


def _feedback(good: Button, bad: Button) -> FeedbackButtonsElement:
    told = [
        FeedbackButtonObject(
            text=PlainTextObject(text=button.label),
            value=button.value,
            accessibility_label=shortened(button.label, LABEL),
        )
        for button in (good, bad)
    ]
    return FeedbackButtonsElement(action_id="feedback:0", positive_button=told[0], negative_button=told[1])


def _citations(run_id: str, sources: Sequence[Source], number: int) -> StaticSelectElement:
    """A menu of citations; choosing one opens its passage."""
    options = [
        Option(
            text=PlainTextObject(text=shortened(f"[{source.number}] {source.title}", LABEL)),
            value=f"{run_id} {source.number}",
        )
        for source in sources
    ]
    placeholder = PlainTextObject(text="Open a citation…")
    return StaticSelectElement(action_id=f"cite:{number}", placeholder=placeholder, options=options)


def _actions(buttons: Iterable[Button], first: int) -> ActionsBlock:
    """Buttons in a row. `action_id` is the action and a number, as Slack wants it unique in a message."""
    elements = [
        ButtonElement(
            text=PlainTextObject(text=shortened(button.label, LABEL), emoji=True),
            action_id=f"{button.action}:{number}",
            value=button.value,
            style=button.style if button.style in _STYLES else None,
        )
        for number, button in enumerate(buttons, start=first)
    ]
    return ActionsBlock(elements=elements)
