"""A conversation that does not resend what its model no longer needs.

A tool may have an argument `keep`: the keys of the records shown so far that the model goes on with. The
others are taken out of the messages; they stay in the evidence memory, and are shown again if found again.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from agents.messages import Message, Speaker, ToolCall
from agents.minds.repeats import points_to

KEEP = "keep"
"""The argument's name."""
NOTHING_KEPT = "None of its records was kept."

_RECORD = re.compile(r'<data key="([^"]*)"[^>]*>\n.*?\n</data>\n?', re.DOTALL)
SHOWN_BEFORE = "Shown before, under these keys: "
"""What stands in the place of records that are shown already, before their keys."""
_SHOWN_BEFORE = re.compile(rf"^{SHOWN_BEFORE}([^\n]*)\.(\n|\Z)", re.MULTILINE)
_SUMMARY = re.compile(r'<data kind="summary">\n.*?\n</data>\n?', re.DOTALL)
_BARE_LEAD = re.compile(r"^[^\n<>]+:\n+(?=<data kind=\"names\">|\Z)", re.MULTILINE)
"""A line that leads to documents of which none is left."""
_BARE_DOCUMENT = re.compile(r'<data kind="document">\n[^\n]*\n</data>(?!\n<data key=)\n?')
"""A document below which no record is left."""


def kept_by(calls: Iterable[ToolCall]) -> frozenset[str] | None:
    """The keys that calls of tools name as still needed; None where none of them says so."""
    named: set[str] = set()
    said = False
    for call in calls:
        try:
            keys = json.loads(call.arguments).get(KEEP)
        except (ValueError, AttributeError, RecursionError):
            continue
        if isinstance(keys, list):
            said, named = True, named | {key for key in keys if isinstance(key, str)}
    return frozenset(named) if said else None


def forget(messages: Sequence[Message], keep: Collection[str]) -> tuple[list[Message], set[str]]:
    """The messages without records under other keys, and these keys; a reply of which no record is left
    loses its summary.

    A record that is kept keeps what it points to.
    """
    gone: set[str] = set()
    pointed = (points_to(shown_under(messages, key)) for key in keep)
    keep = {*keep, *(key for keys in pointed for key in keys)}

    def without(found: re.Match[str]) -> str:
        if found[1] in keep:
            return found[0]
        gone.add(found[1])
        return ""

    def named(found: re.Match[str]) -> str:
        keys = [key for key in found[1].split(", ") if key in keep]
        return f"{SHOWN_BEFORE}{', '.join(keys)}.{found[2]}" if keys else ""

    shorter = [
        message
        if message.role in (Speaker.SYSTEM, Speaker.ASSISTANT)
        else replace(message, text=_SHOWN_BEFORE.sub(named, _bare(message.text, without)) or NOTHING_KEPT)
        for message in messages
    ]
    return shorter, gone


def _bare(text: str, without: Callable[[re.Match[str]], str]) -> str:
    """A text without records, and without documents, lines that lead to them and summaries of which none is
    left.
    """
    left = _RECORD.sub(without, text)
    if left != text and not _RECORD.search(left):
        left = _SUMMARY.sub("", left)
    return _BARE_LEAD.sub("", _BARE_DOCUMENT.sub("", left))


def shown_under(messages: Sequence[Message], key: str) -> str:
    """What the messages show under a key now; "" for what was forgotten, or never shown."""
    texts = (message.text for message in messages if message.role in (Speaker.USER, Speaker.TOOL))
    return "\n".join(found[0] for text in texts for found in _RECORD.finditer(text) if found[1] == key)
