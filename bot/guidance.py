"""What a channel wants of all its reports: corrections that people keep, for the kinds that follow them.

It is kept with the channel, by kind of run. A run takes it as it is when the run begins, so that it can be
read in the run's input what it followed.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from agents.kinds import AnyKind, Guidance
from bot.errors import BadRequest
from bot.ports import Conversations
from bot.values import Button, Card, CardKind, ThreadRef

MOST = 40
"""Wishes that a channel may keep."""
NONE = "This channel wants nothing of all its reports yet. `remember SECTION: …` adds a wish."


@dataclass(frozen=True, slots=True)
class Wish:
    """A wish of a channel: for which section ("" for all), in which words, who kept it, when (ISO, UTC)."""

    section: str
    text: str
    by: str
    at: str


async def wishes(conversations: Conversations, thread: ThreadRef, kind: AnyKind) -> tuple[Wish, ...]:
    """What the channel of a thread wants of this kind's reports, in the order in which it was kept."""
    kept = (await conversations.remembered(_channel(thread))).get(_key(kind))
    return tuple(Wish(**one) for one in json.loads(kept)) if kept else ()


async def guided(conversations: Conversations, thread: ThreadRef, kind: AnyKind, inputs: object) -> object:
    """A run's input with the channel's wishes, if the kind follows any."""
    if kind.guided is None:
        return inputs
    found = await wishes(conversations, thread, kind)
    return kind.guided(inputs, tuple(Guidance(one.section, one.text) for one in found))


async def keep(conversations: Conversations, thread: ThreadRef, kind: AnyKind, wish: Wish) -> None:
    """Add a wish; one that is kept already is not kept twice. Raises `BadRequest`."""
    if kind.guided is None:
        raise BadRequest(f"A {kind.result} of this kind follows no wishes of a channel.")
    found = await wishes(conversations, thread, kind)
    if any((one.section, one.text) == (wish.section, wish.text) for one in found):
        return
    if len(found) >= MOST:
        raise BadRequest(f"A channel keeps up to {MOST} wishes. `guidance` lists them, `forget 1` drops one.")
    await _put(conversations, thread, kind, (*found, wish))


async def forget(conversations: Conversations, thread: ThreadRef, kind: AnyKind, number: int) -> Wish:
    """Drop a wish by its number, from 1. Raises `BadRequest`."""
    found = await wishes(conversations, thread, kind)
    if not 1 <= number <= len(found):
        raise BadRequest(f"There is no wish {number} here: this channel keeps {len(found)}.")
    await _put(conversations, thread, kind, (*found[: number - 1], *found[number:]))
    return found[number - 1]


def guidance_card(found: Sequence[Wish], run_id: str, told: str = "") -> Card:
    """The wishes of a channel with their numbers, each with a button that drops it."""
    lines = [
        f"{number}. {f'{one.section}: ' if one.section else ''}{one.text} ({one.by}, {one.at[:10]})"
        for number, one in enumerate(found, start=1)
    ]
    numbers = range(1, len(found) + 1)
    buttons = (Button(f"Forget {number}", "forget", f"{run_id} {number}") for number in numbers)
    return Card(
        CardKind.NOTICE,
        title="What this channel wants of all its reports",
        text="\n\n".join(filter(None, (told, "\n".join(lines) or NONE))),
        buttons=tuple(buttons)[:5],
        run_id=run_id,
    )


def _channel(thread: ThreadRef) -> ThreadRef:
    return ThreadRef(thread.platform, thread.channel, "")


def _key(kind: AnyKind) -> str:
    return f"?guidance {kind.name}"


async def _put(conversations: Conversations, thread: ThreadRef, kind: AnyKind, found: Sequence[Wish]) -> None:
    kept = json.dumps([asdict(one) for one in found], ensure_ascii=False)
    await conversations.remember(_channel(thread), _key(kind), kept)
