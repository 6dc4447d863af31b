"""From pages to activities: what the connector sends. Pure."""

import json
from collections.abc import Sequence
from typing import Any

from adapters.teams.elements import size
from adapters.teams.mentions import Mentioned
from adapters.teams.render import Page, passage
from agents.counts import shortened
from bot.values import Source
from bot.words import source_line

CONTENT = "application/vnd.microsoft.card.adaptive"
SCHEMA = "http://adaptivecards.io/schemas/adaptive-card.json"
VERSION = "1.5"
MESSAGE = 72_000
"""Bytes of a message; Teams refuses one over about 100 KB."""
NAME, ABSTRACT = 80, 160
"""Characters of a citation's name, and of what it says before it is opened."""


def activity(page: Page, sensitivity: str = "") -> dict[str, Any]:
    """A message that shows a page. `sensitivity` is the name of a label, and after a colon what it means."""
    made: dict[str, Any] = {"type": "message", "textFormat": "markdown", "summary": page.summary}
    if page.text:
        made["text"] = page.text
    if page.body:
        card = adaptive_card(page.body, page.mentioned)
        made["attachments"] = [{"contentType": CONTENT, "content": card}]
    elif not page.text:
        made["text"] = page.summary
    if page.generated or sensitivity:
        room = MESSAGE - size(made)
        made["entities"] = [_label(page, sensitivity, room)]
    if page.judged:
        made["channelData"] = {"feedbackLoop": {"type": "default"}}
    return made


def adaptive_card(body: Sequence[dict[str, Any]], mentioned: Mentioned | None = None) -> dict[str, Any]:
    """Elements as a card, which mentions one person at the most."""
    told: dict[str, Any] = {"width": "Full"}
    if mentioned:
        person = {"id": mentioned.member, "name": mentioned.name}
        told["entities"] = [{"type": "mention", "text": mentioned.text, "mentioned": person}]
    return {
        "$schema": SCHEMA,
        "type": "AdaptiveCard",
        "version": VERSION,
        "body": [*body],
        "msteams": told,
    }


def _label(page: Page, sensitivity: str, room: int) -> dict[str, Any]:
    """Whether the content is made by a machine, what it cites, and how confidential it is."""
    entity: dict[str, Any] = {
        "type": "https://schema.org/Message",
        "@type": "Message",
        "@context": "https://schema.org",
        "@id": "",
    }
    if page.generated:
        entity["additionalType"] = ["AIGeneratedContent"]
    if sensitivity:
        name, _, meaning = sensitivity.partition(":")
        entity["usageInfo"] = {"@type": "CreativeWork", "name": name.strip()}
        entity["usageInfo"] |= {"description": meaning.strip()} if meaning.strip() else {}
    claims = [_claim(source) for source in page.cited]
    if sum(map(size, claims)) > room:
        claims = [_claim(source, opened=False) for source in page.cited]
    if claims:
        entity["citation"] = claims
    return entity


def _claim(source: Source, *, opened: bool = True) -> dict[str, Any]:
    """A citation: its name, how the passage begins and, if it is `opened`, the passage as a card."""
    quote = " ".join(source.quote.split())
    document: dict[str, Any] = {
        "@type": "DigitalDocument",
        "name": shortened(source_line(source) or source.title or str(source.number), NAME),
        "abstract": shortened(quote, ABSTRACT) or "…",
    }
    if opened:
        card = adaptive_card(passage(source))
        document |= {"text": json.dumps(card, ensure_ascii=False), "encodingFormat": CONTENT}
    return {"@type": "Claim", "position": source.number, "appearance": document}
