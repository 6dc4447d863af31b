"""The app's home in Slack: a person's latest runs, what a run may take, and what can be asked. Pure."""

import json
from collections.abc import Iterator
from typing import Any

from slack_sdk.models.blocks import (
    ActionsBlock,
    Block,
    ButtonElement,
    ContextBlock,
    DividerBlock,
    HeaderBlock,
    MarkdownTextObject,
    PlainTextObject,
    SectionBlock,
)

from adapters.slack.mrkdwn import escape, from_markdown, pieces
from adapters.slack.render import SECTION
from agents.counts import shortened
from agents.kinds import RunView
from agents.runs.records import Budget, RunState
from agents.usage import Usage
from bot.desk import OnDesk

VALUE = 2_000
"""Characters that a button keeps."""
LONGEST = 180
"""Characters of a question, and of its answer, in the list."""
NONE_YET = "Nothing yet. Ask below, mention me in a channel, or write `/pestle` and your question."
_MARKS = {
    RunState.QUEUED: "○ waiting",
    RunState.RUNNING: "◐ working",
    RunState.WAITING: "◐ waits for a decision",
    RunState.DONE: "● done",
    RunState.STOPPED: "■ stopped",
    RunState.FAILED: "✕ failed",
}


def home_view(desk: OnDesk, channel: str) -> dict[str, Any]:
    """The view to be published; `channel` is that of the direct messages with the person."""
    blocks = [block.to_dict() for block in _blocks(desk)]
    return {"type": "home", "blocks": blocks, "private_metadata": json.dumps({"channel": channel})}


def _blocks(desk: OnDesk) -> Iterator[Block]:
    ask = ButtonElement(text=PlainTextObject(text="Ask a question"), action_id="home_ask", style="primary")
    yield ActionsBlock(elements=[ask])
    yield HeaderBlock(text=PlainTextObject(text="Your latest questions"))
    if not desk.runs:
        yield _text(NONE_YET)
    for view in desk.runs:
        yield _text(_line(view))
    if desk.pinned:
        yield HeaderBlock(text=PlainTextObject(text="Your pinned questions"))
    for number, asked in enumerate(desk.pinned):
        again = ButtonElement(
            text=PlainTextObject(text="Ask again"), action_id=f"home_ask:{number}", value=asked[:VALUE]
        )
        yield SectionBlock(text=MarkdownTextObject(text=escape(_cut(asked)), verbatim=True), accessory=again)
    yield DividerBlock()
    yield HeaderBlock(text=PlainTextObject(text="What a run may take"))
    for title, budget in desk.budgets:
        yield ContextBlock(elements=[MarkdownTextObject(text=escape(f"{title}: {_limits(budget)}"))])
    if spent := _spent(desk.spent):
        yield ContextBlock(elements=[MarkdownTextObject(text=spent)])
    yield DividerBlock()
    yield HeaderBlock(text=PlainTextObject(text="What I can do"))
    for piece in pieces(from_markdown("\n".join(desk.help)), SECTION):
        yield _text(piece)


def _line(view: RunView) -> str:
    asked = f"*{escape(_cut(view.asked))}*"
    short = escape(_cut(view.report.short)) if view.report and view.report.short else ""
    when = view.record.created[:16].replace("T", " ")
    return "\n".join(filter(None, (asked, short, f"{_MARKS[view.record.state]} · {when} UTC")))


def _limits(budget: Budget) -> str:
    """A budget in words."""
    told = [f"{budget.seconds / 60:g} minutes" if budget.seconds else ""]
    told.append(f"{budget.tokens:,} tokens" if budget.tokens else "")
    told.append(f"US$ {budget.cost_usd:g}" if budget.cost_usd else "")
    return "up to " + ", ".join(filter(None, told)) if any(told) else "no limit is set"


def _spent(usage: Usage) -> str:
    """What the questions of the list took of a language model; "" without one."""
    told = [f"{usage.tokens:,} tokens" if usage.tokens else ""]
    told.append(f"US$ {usage.cost_usd:.2f}" if usage.cost_usd else "")
    return f"Your latest questions took {', '.join(filter(None, told))}." if any(told) else ""


def _text(text: str) -> SectionBlock:
    return SectionBlock(text=MarkdownTextObject(text=text, verbatim=True))


def _cut(text: str) -> str:
    return shortened(" ".join(text.split()), LONGEST)
