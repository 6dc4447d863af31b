"""What a channel keeps for its digests: pinned questions and what it watches."""

import json
from collections.abc import Sequence
from dataclasses import asdict

from bot.digests.values import Pin, Watched
from bot.errors import BadRequest
from bot.ports import Conversations
from bot.values import ThreadRef

PINS, WATCHES = "?pins", "?watches"
MOST = 20
"""Pinned questions, and watches, of a channel: each is asked again for every digest."""


async def pins(conversations: Conversations, channel: ThreadRef) -> tuple[Pin, ...]:
    """The pinned questions of a channel, in the order in which they were pinned."""
    kept = (await conversations.remembered(channel.whole_channel)).get(PINS)
    return tuple(Pin(**one) for one in json.loads(kept)) if kept else ()


async def watches(conversations: Conversations, channel: ThreadRef) -> tuple[Watched, ...]:
    """What a channel watches, in the order in which it was said."""
    kept = (await conversations.remembered(channel.whole_channel)).get(WATCHES)
    return tuple(Watched(**one) for one in json.loads(kept)) if kept else ()


async def pin(conversations: Conversations, channel: ThreadRef, new: Pin) -> None:
    """Keep a question; one that is pinned already is not kept twice. Raises `BadRequest`."""
    found = await pins(conversations, channel)
    if not any((one.kind, one.asked) == (new.kind, new.asked) for one in found):
        await _put(conversations, channel, PINS, (*found, new), "pinned questions")


async def watch(conversations: Conversations, channel: ThreadRef, new: Watched) -> None:
    """Keep a watch; one that is kept already is not kept twice. Raises `BadRequest`."""
    found = await watches(conversations, channel)
    if not any((one.kind, one.key) == (new.kind, new.key) for one in found):
        await _put(conversations, channel, WATCHES, (*found, new), "watches")


async def drop_pin(conversations: Conversations, channel: ThreadRef, number: int) -> Pin:
    """Drop a pinned question by its number, from 1. Raises `BadRequest`."""
    found = await pins(conversations, channel)
    _check(number, len(found), "pinned question")
    await _put(conversations, channel, PINS, (*found[: number - 1], *found[number:]))
    return found[number - 1]


async def drop_watch(conversations: Conversations, channel: ThreadRef, number: int) -> Watched:
    """Drop a watch by its number, from 1. Raises `BadRequest`."""
    found = await watches(conversations, channel)
    _check(number, len(found), "watch")
    await _put(conversations, channel, WATCHES, (*found[: number - 1], *found[number:]))
    return found[number - 1]


def _check(number: int, count: int, what: str) -> None:
    if not 1 <= number <= count:
        raise BadRequest(f"There is no {what} {number} here: this channel keeps {count}.")


async def _put(
    conversations: Conversations,
    channel: ThreadRef,
    key: str,
    found: Sequence[Pin] | Sequence[Watched],
    what: str = "",
) -> None:
    if what and len(found) > MOST:
        raise BadRequest(f"A channel keeps up to {MOST} {what}. Drop one first.")
    kept = json.dumps([asdict(one) for one in found], ensure_ascii=False)
    await conversations.remember(channel.whole_channel, key, kept)
