"""What a channel wants of all its reports: corrections that people keep, for the kinds that follow them.

It is kept with the channel, by kind of run. A run takes it as it is when the run begins, so that it can be
read in the run's input what it followed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import TypeAdapter

from agents.kinds import AnyKind, Guidance
from agents.kinds.channel import FromChannel
from bot import disputes
from bot.errors import BadRequest
from bot.kept import KeptList
from bot.ports import Conversations
from bot.responsible import responsible_in
from bot.values import Button, Card, CardKind, ThreadRef

NONE = "This channel wants nothing of all its reports yet. `remember SECTION: …` adds a wish."


@dataclass(frozen=True, slots=True)
class Wish:
    """A wish of a channel: for which section ("" for all), in which words, who kept it, when (ISO, UTC)."""

    section: str
    text: str
    by: str
    at: str


_WISHES = TypeAdapter(tuple[Wish, ...])


def wishes(kind: AnyKind) -> KeptList[Wish]:
    """What a channel wants of this kind's reports."""
    return KeptList(f"?guidance {kind.name}", _WISHES, "wishes", lambda one: (one.section, one.text), 40)


async def guided(conversations: Conversations, thread: ThreadRef, kind: AnyKind, inputs: object) -> object:
    """A run's input with what its channel wants, disputes and whom it asks, if it heeds channels.

    Read at once: a question is not acknowledged before.
    """
    if not isinstance(inputs, FromChannel):
        return inputs
    kept = await conversations.remembered(thread.whole_channel)
    return replace(
        inputs,
        guidance=tuple(Guidance(one.section, one.text) for one in wishes(kind).of(kept)),
        disputed=disputes.disputed_in(kept),
        asks=responsible_in(kept, kind),
    )


async def keep(conversations: Conversations, thread: ThreadRef, kind: AnyKind, wish: Wish) -> None:
    """Add a wish; one that is kept already is not kept twice. Raises `BadRequest`."""
    if not kind.heeds_channel:
        raise BadRequest(f"A {kind.result} of this kind follows no wishes of a channel.")
    await wishes(kind).add(conversations, thread, wish)


async def forget(conversations: Conversations, thread: ThreadRef, kind: AnyKind, number: int) -> str:
    """Drop a wish, or a dispute, by its number, from 1; its words. Raises `BadRequest`."""
    wanted = len(await wishes(kind).all(conversations, thread))
    if number > wanted:
        return (await disputes.KEPT.drop(conversations, thread, number - wanted)).told
    return (await wishes(kind).drop(conversations, thread, number)).text


def guidance_card(
    found: Sequence[Wish], doubted: Sequence[disputes.Dispute], run_id: str, said: str = ""
) -> Card:
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
        text="\n\n".join(filter(None, (said, "\n".join(lines) or NONE))),
        buttons=tuple(buttons)[:5],
        run_id=run_id,
    )
