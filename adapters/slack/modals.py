"""Modals: the passage behind a citation, a wish for a section, a claim to be checked, a question. Pure."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from slack_sdk.models.blocks import (
    ContextBlock,
    InputBlock,
    MarkdownTextObject,
    PlainTextInputElement,
    PlainTextObject,
    SectionBlock,
)

from adapters.slack.mrkdwn import escape, pieces
from adapters.slack.render import SECTION, card_blocks
from agents.counts import shortened
from bot.values import Card

TITLE, BLOCKS, LONGEST_TEXT = 24, 100, 3_000
CHARACTERS = 90_000
"""Over all blocks of a modal; a longer card is posted instead."""
FIELD = "said"
"""Block and action of a modal's one field."""


def fits(card: Card) -> bool:
    """Whether a card can be shown whole in a modal."""
    blocks = card_blocks(card, plain=True)
    return len(blocks) <= BLOCKS and len(json.dumps(blocks)) <= CHARACTERS


def shown(card: Card) -> dict[str, Any]:
    """A modal that shows a card to read, such as the verbatim passage of a citation."""
    return _modal(card.title or "Pestle", card_blocks(replace(card, title=""), plain=True))


def notice(title: str, text: str) -> dict[str, Any]:
    """A modal with a sentence or two."""
    return _modal(title, _said(text))


def wish(about: Mapping[str, str], section: str) -> dict[str, Any]:
    """Asks what shall change in a section."""
    hint = "Only this section is written anew; what was written from it is marked stale."
    field = _field("What shall change?", "Shorter, and name the species of each finding")
    return _modal("Refine this section", _said(section), field, "revise", about, "Write anew", hint)


def claim(about: Mapping[str, str], text: str) -> dict[str, Any]:
    """Asks to check a claim, with the words of the message to begin with."""
    hint = "Only you see the answer. Share it from there if you want to."
    field = _field("The claim", "", text[:LONGEST_TEXT])
    return _modal("Check this claim", [], field, "check", about, "Check", hint)


def question(about: Mapping[str, str], text: str = "") -> dict[str, Any]:
    """Asks for a question, with words to begin with."""
    field = _field("Your question", "What was the NOAEL of AB-123 in rats?", text)
    return _modal("Ask Pestle", [], field, "ask", about, "Ask", "The answer comes in our direct messages.")


def source(about: Mapping[str, str], section: str) -> dict[str, Any]:
    """Asks for a text that becomes a source of a section."""
    hint = "To give it a file, post the file in the thread with the words `source " + about["section"] + "`."
    field = _field("The text", "In study 3, …")
    return _modal("Add a source", _said(section), field, "give", about, "Add", hint)


def said(body: Mapping[str, Any]) -> str:
    """What was typed into the field of a modal that was sent; "" for nothing."""
    values = body["view"].get("state", {}).get("values", {})
    return str(values.get(FIELD, {}).get(FIELD, {}).get("value", "")).strip()


def about_of(body: Mapping[str, Any]) -> dict[str, str]:
    """What a modal was opened about; {} where nobody knows."""
    try:
        kept = json.loads(body["view"].get("private_metadata") or "{}")
    except ValueError:
        return {}
    return {str(name): str(value) for name, value in kept.items()} if isinstance(kept, dict) else {}


def _modal(
    title: str,
    blocks: Sequence[dict[str, Any]],
    field: dict[str, Any] | None = None,
    callback: str = "",
    about: Mapping[str, str] | None = None,
    submit: str = "",
    hint: str = "",
) -> dict[str, Any]:
    note = [ContextBlock(elements=[MarkdownTextObject(text=escape(hint))]).to_dict()] if hint else []
    view: dict[str, Any] = {
        "type": "modal",
        "title": _plain(shortened(title, TITLE)),
        "close": _plain("Close"),
        "blocks": [*blocks, *([field] if field else []), *note][:BLOCKS],
    }
    if field:
        view |= {
            "submit": _plain(submit),
            "callback_id": callback,
            "private_metadata": json.dumps(about or {}),
        }
    return view


def _field(label: str, placeholder: str, initial: str = "") -> dict[str, Any]:
    element = PlainTextInputElement(
        action_id=FIELD,
        multiline=True,
        initial_value=initial or None,
        placeholder=PlainTextObject(text=placeholder) if placeholder else None,
        max_length=LONGEST_TEXT,
    )
    return dict(InputBlock(label=PlainTextObject(text=label), element=element, block_id=FIELD).to_dict())


def _said(text: str) -> list[dict[str, Any]]:
    sections = (SectionBlock(text=MarkdownTextObject(text=part)) for part in pieces(escape(text), SECTION))
    return [section.to_dict() for section in sections]


def _plain(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text}
