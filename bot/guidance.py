"""What a channel wants of all its reports: corrections that people keep, for the kinds that follow them.

It is kept with the channel, by kind of run. A run takes it as it is when the run begins, so that it can be
read in the run's input what it followed.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from agents.kinds import AnyKind, Guidance
from agents.kinds.channel import FromChannel
from bot.disputes import Dispute, disputed_in, disputes, put
from bot.errors import BadRequest
from bot.ports import Conversations
from bot.responsible import asked_in
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
    return _wishes(await conversations.remembered(thread.whole_channel), kind)


async def guided(conversations: Conversations, thread: ThreadRef, kind: AnyKind, inputs: object) -> object:
    """A run's input with what its channel wants, disputes and whom it asks, if it heeds channels.

    Read at once: a question is not acknowledged before.
    """
    if not isinstance(inputs, FromChannel):
        return inputs
    kept = await conversations.remembered(thread.whole_channel)
    return replace(
        inputs,
        guidance=tuple(Guidance(one.section, one.text) for one in _wishes(kept, kind)),
        disputed=disputed_in(kept),
        asks=asked_in(kept, kind),
    )


async def keep(conversations: Conversations, thread: ThreadRef, kind: AnyKind, wish: Wish) -> None:
    """Add a wish; one that is kept already is not kept twice. Raises `BadRequest`."""
    if not kind.heeds_channel:
        raise BadRequest(f"A {kind.result} of this kind follows no wishes of a channel.")
    found = await wishes(conversations, thread, kind)
    if any((one.section, one.text) == (wish.section, wish.text) for one in found):
        return
    if len(found) >= MOST:
        raise BadRequest(f"A channel keeps up to {MOST} wishes. `guidance` lists them, `forget 1` drops one.")
    await _put(conversations, thread, kind, (*found, wish))


async def change(
    conversations: Conversations, thread: ThreadRef, kind: AnyKind, number: int, new: Wish
) -> str:
    """Put other words in the place of a wish, from 1, for the section that it is of; the words before.

    Raises `BadRequest`.
    """
    found = await wishes(conversations, thread, kind)
    if not 1 <= number <= len(found):
        raise BadRequest(f"There is no wish {number} here: this channel keeps {len(found)}.")
    before = found[number - 1]
    changed = replace(new, section=before.section)
    await _put(conversations, thread, kind, (*found[: number - 1], changed, *found[number:]))
    return before.text


async def forget(conversations: Conversations, thread: ThreadRef, kind: AnyKind, number: int) -> str:
    """Drop a wish, or a dispute, by its number, from 1; its words. Raises `BadRequest`."""
    found, doubted = await wishes(conversations, thread, kind), await disputes(conversations, thread)
    if not 1 <= number <= len(found) + len(doubted):
        raise BadRequest(f"There is no wish {number} here: this channel keeps {len(found) + len(doubted)}.")
    if number <= len(found):
        await _put(conversations, thread, kind, (*found[: number - 1], *found[number:]))
        return found[number - 1].text
    gone = doubted[number - len(found) - 1]
    await put(conversations, thread, [one for one in doubted if one != gone])
    return gone.told


def guidance_card(found: Sequence[Wish], doubted: Sequence[Dispute], run_id: str, told: str = "") -> Card:
    """The wishes of a channel and what it disputes with their numbers, each with a button that drops it."""
    wanted = [
        f"{f'{one.section}: ' if one.section else ''}{one.text} ({one.by}, {one.at[:10]})" for one in found
    ]
    listed = (*wanted, *(f"Ranked lower: {one.told}" for one in doubted))
    lines = [f"{number}. {text}" for number, text in enumerate(listed, start=1)]
    numbers = range(1, len(lines) + 1)
    buttons = (Button(f"Forget {number}", "forget", f"{run_id} {number}") for number in numbers)
    return Card(
        CardKind.NOTICE,
        title="What this channel wants of all its reports",
        text="\n\n".join(filter(None, (told, "\n".join(lines) or NONE))),
        buttons=tuple(buttons)[:5],
        run_id=run_id,
    )


def _wishes(kept: Mapping[str, str], kind: AnyKind) -> tuple[Wish, ...]:
    found = kept.get(_key(kind))
    return tuple(Wish(**one) for one in json.loads(found)) if found else ()


def _key(kind: AnyKind) -> str:
    return f"?guidance {kind.name}"


async def _put(conversations: Conversations, thread: ThreadRef, kind: AnyKind, found: Sequence[Wish]) -> None:
    kept = json.dumps([asdict(one) for one in found], ensure_ascii=False)
    await conversations.remember(thread.whole_channel, _key(kind), kept)
