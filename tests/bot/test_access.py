"""Who may ask: by default the bot's own team, where no other organisation reads along."""

from dataclasses import replace

import pytest

from bot.access import Access
from bot.values import CardKind, Incoming, Origin, ThreadRef
from tests.bot.world import THREAD, World

OURS = Origin(("T1",))
THEIRS = Origin(("T2",), foreign=True)
HERE = Incoming("e1", ThreadRef("slack", "C1", "1.0"), "U1", "What was the NOAEL?", origin=OURS)
DIRECTLY = replace(HERE, thread=ThreadRef("slack", "D1", "1.0"), origin=Origin(("T1",), direct=True))


@pytest.mark.parametrize(
    ("access", "incoming", "told"),
    [
        (Access(), HERE, ""),
        (Access(), replace(HERE, origin=Origin()), ""),
        (Access(), replace(HERE, origin=THEIRS), "T2"),
        (Access(), replace(HERE, origin=Origin((), foreign=True)), "another organisation"),
        (Access(), replace(HERE, origin=Origin(("T1",), shared=True)), "shared"),
        (Access(channels=("C1",)), replace(HERE, origin=Origin(("T1",), shared=True)), ""),
        (Access(channels=("C1",)), replace(HERE, origin=THEIRS), "T2"),
        (Access(teams=("T1", "T2")), replace(HERE, origin=THEIRS), ""),
        (Access(teams=("T1", "T2")), replace(HERE, origin=Origin(("T2", "T3"), foreign=True)), "T3"),
        (Access(teams=("T2",)), HERE, "T1"),
        (Access(teams=("T1",)), replace(HERE, origin=Origin()), "does not name"),
        (Access(channels=("C2",)), HERE, "C1"),
        (Access(channels=("C1", "C2")), HERE, ""),
        (Access(channels=("C1",)), DIRECTLY, "D1"),
        (Access(channels=("C1", "direct")), DIRECTLY, ""),
        (Access(users=("U2",)), HERE, "U1"),
        (Access(users=("U1",)), HERE, ""),
    ],
)
def test_who_may_ask(access: Access, incoming: Incoming, told: str) -> None:
    refusal = access.refusal(incoming)
    assert told in refusal
    assert bool(refusal) == bool(told)


async def test_who_may_not_ask_is_told_so_once_for_each_event_and_no_run_starts() -> None:
    world = World()
    foreign = Incoming("e1", THREAD, "U9", "What was the NOAEL?", origin=THEIRS)
    receipts = [await world.intake.receive(foreign) for _ in range(2)]
    assert [receipt.duplicate for receipt in receipts] == [False, True]
    assert await world.ledger.runs() == []
    (card,) = await world.shown()
    assert (card.kind, "another organisation" in card.text) == (CardKind.ERROR, True)


async def test_neither_a_command_nor_a_press_of_a_foreigner_is_carried_out() -> None:
    world = World()
    receipt = await world.say("What was the NOAEL?")
    stop = Incoming("f1", THREAD, "U9", "stop", origin=THEIRS)
    pressed = Incoming("f2", THREAD, "U9", "", "stop", receipt.run_id, origin=THEIRS)
    for incoming in (stop, pressed):
        assert (await world.intake.receive(incoming)).command is None
    assert await world.ledger.stop_requested(receipt.run_id) == ""
