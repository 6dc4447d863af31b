"""Whether Teams would take a message: Adaptive Cards 1.5 as its schema has them, and Teams' own limits.

The schema of Adaptive Cards is not packaged anywhere, so what follows is written from its documentation, for
the elements that are used; anything else is refused.
"""

import json
from typing import Any

from jsonschema import Draft202012Validator

LARGEST_CARD, LARGEST_MESSAGE = 28_000, 80_000


def _object(type_: str, needed: str, **fields: Any) -> dict[str, Any]:
    """An element of a type with these properties and no others."""
    properties = {"type": {"const": type_}, **fields}
    return {
        "type": "object",
        "properties": properties,
        "required": ["type", *needed.split()],
        "additionalProperties": False,
    }


def _items(of: str, least: int = 1, most: int = 1_000) -> dict[str, Any]:
    return {"type": "array", "items": {"$ref": f"#/$defs/{of}"}, "minItems": least, "maxItems": most}


TEXT = {"type": "string", "minLength": 1}
FLAG = {"type": "boolean"}
SPACING = {"enum": ["None", "Small", "Default", "Medium", "Large", "ExtraLarge", "Padding"]}
STYLE = {"enum": ["default", "positive", "destructive"]}
DATA = {"type": "object", "properties": {"action": TEXT, "value": {"type": "string"}}, "required": ["action"]}
ACTIONS = ("Action.Execute", "Action.ShowCard", "Action.OpenUrl")
ELEMENTS = ("RichTextBlock", "Container", "Table", "ActionSet", "Image", "Input.Text", "TextBlock")
SIZES = {"enum": ["Small", "Default", "Medium", "Large", "ExtraLarge"]}

MENTIONS = {
    "type": "array",
    "maxItems": 1,
    "items": {
        "type": "object",
        "properties": {
            "type": {"const": "mention"},
            "text": {"type": "string", "pattern": "^<at>[^<>]+</at>$"},
            "mentioned": {
                "type": "object",
                "properties": {"id": TEXT, "name": TEXT},
                "required": ["id", "name"],
            },
        },
        "required": ["type", "text", "mentioned"],
        "additionalProperties": False,
    },
}

SCHEMA: dict[str, Any] = {
    "$ref": "#/$defs/AdaptiveCard",
    "$defs": {
        "AdaptiveCard": {
            "type": "object",
            "properties": {
                "$schema": {"const": "http://adaptivecards.io/schemas/adaptive-card.json"},
                "type": {"const": "AdaptiveCard"},
                "version": {"const": "1.5"},
                "body": _items("element", 0),
                "actions": _items("action", 1, 6),
                "msteams": {
                    "type": "object",
                    "properties": {"width": {"const": "Full"}, "entities": MENTIONS},
                    "additionalProperties": False,
                },
            },
            "required": ["type", "body"],
            "additionalProperties": False,
        },
        "element": {"oneOf": [{"$ref": f"#/$defs/{name}"} for name in ELEMENTS]},
        "action": {"oneOf": [{"$ref": f"#/$defs/{name}"} for name in ACTIONS]},
        "RichTextBlock": _object("RichTextBlock", "inlines", inlines=_items("TextRun"), spacing=SPACING),
        "TextRun": _object(
            "TextRun",
            "text",
            text=TEXT,
            weight={"enum": ["Lighter", "Default", "Bolder"]},
            size=SIZES,
            color={"enum": ["Default", "Dark", "Light", "Accent", "Good", "Warning", "Attention"]},
            fontType={"enum": ["Default", "Monospace"]},
            isSubtle=FLAG,
            italic=FLAG,
            strikethrough=FLAG,
            selectAction={"$ref": "#/$defs/Action.OpenUrl"},
        ),
        "TextBlock": _object(
            "TextBlock", "text", text={"type": "string", "pattern": "^For <at>[^<>]+</at>$"}, wrap=FLAG
        ),
        "Container": _object(
            "Container",
            "items",
            items=_items("element"),
            style={"enum": ["default", "emphasis", "good", "attention", "warning", "accent"]},
            spacing=SPACING,
        ),
        "Table": _object(
            "Table",
            "columns rows",
            columns={
                "type": "array",
                "items": {"type": "object", "properties": {"width": {"type": "integer", "minimum": 1}}},
                "minItems": 1,
            },
            rows=_items("TableRow"),
            firstRowAsHeaders=FLAG,
            showGridLines=FLAG,
        ),
        "TableRow": _object("TableRow", "cells", cells=_items("TableCell")),
        "TableCell": _object("TableCell", "items", items=_items("element")),
        "ActionSet": _object("ActionSet", "actions", actions=_items("action", 1, 6)),
        "Image": _object(
            "Image",
            "url altText",
            url={"type": "string", "pattern": "^(https://|data:image/png;base64,)"},
            altText=TEXT,
        ),
        "Input.Text": _object(
            "Input.Text",
            "id label",
            id=TEXT,
            label=TEXT,
            placeholder=TEXT,
            isMultiline=FLAG,
            maxLength={"type": "integer", "minimum": 1},
        ),
        "Action.Execute": _object(
            "Action.Execute",
            "title verb data fallback",
            title=TEXT,
            verb=TEXT,
            data=DATA,
            style=STYLE,
            fallback=_object("Action.Submit", "title data", title=TEXT, data=DATA),
        ),
        "Action.ShowCard": _object(
            "Action.ShowCard", "title card", title=TEXT, card={"$ref": "#/$defs/AdaptiveCard"}
        ),
        "Action.OpenUrl": _object(
            "Action.OpenUrl", "url", title=TEXT, url={"type": "string", "pattern": "^https?://[^ ]+$"}
        ),
    },
}
_CARD = Draft202012Validator(SCHEMA)
ADAPTIVE = "application/vnd.microsoft.card.adaptive"


def check_message(told: dict[str, Any]) -> None:
    """Fails where Teams would refuse a message, or not show it whole."""
    assert told["type"] == "message"
    assert bool(told.get("text")) != bool(told.get("attachments")), "Teams tells no id of text with a card"
    assert _size(told) <= LARGEST_MESSAGE
    for attached in told.get("attachments", ()):
        assert attached["contentType"] == ADAPTIVE
        check_card(attached["content"])
    for entity in told.get("entities", ()):
        _check_entity(entity, told.get("text", ""))


def check_card(card: dict[str, Any]) -> None:
    """Fails where a card is none of version 1.5, or too large."""
    assert card["version"] == "1.5"
    _CARD.validate(card)
    assert _size(card) <= LARGEST_CARD
    for table in _tables(card):
        assert {len(row["cells"]) for row in table["rows"]} == {len(table["columns"])}


def _check_entity(entity: dict[str, Any], text: str) -> None:
    assert (entity["type"], entity["@type"]) == ("https://schema.org/Message", "Message")
    assert entity.get("additionalType", ["AIGeneratedContent"]) == ["AIGeneratedContent"]
    assert "additionalType" in entity or "usageInfo" in entity
    for claim in entity.get("citation", ()):
        document = claim["appearance"]
        assert f"[{claim['position']}]" in text
        assert 0 < len(document["name"]) <= 80
        assert 0 < len(document["abstract"]) <= 160
        if "text" in document:
            check_card(json.loads(document["text"]))


def _tables(node: Any) -> list[dict[str, Any]]:
    if isinstance(node, list):
        return [table for one in node for table in _tables(one)]
    if not isinstance(node, dict):
        return []
    found = [node] if node.get("type") == "Table" else []
    return found + [table for one in node.values() for table in _tables(one)]


def _size(told: object) -> int:
    return len(json.dumps(told).encode())
