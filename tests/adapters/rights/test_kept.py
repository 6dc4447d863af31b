"""What a channel keeps: nobody is told of what they may not read of it, and nobody overwrites it."""

from dataclasses import replace
from pathlib import Path

from adapters.web.threads import Threads
from adapters.wiring import Runtime
from bot import disputes
from bot.digests.orders import ORDERED
from bot.digests.values import PINS, Pin
from bot.disputes import Dispute
from bot.values import ThreadRef
from tests.adapters.rights.world import HIDDEN, OPEN, PLACE, SECRETS, archive, ask

CHANNEL = PLACE.whole_channel


def doubt(doc_id: str, start: int) -> Dispute:
    return Dispute(doc_id, doc_id, start, start + 9, "the quote", "bea", "2026-11-25T00:00:00Z")


async def disputed(built: Runtime) -> list[tuple[str, int]]:
    found = await disputes.KEPT.all(built.storage.conversations, PLACE)
    return [(one.doc_id, one.start) for one in found]


async def test_a_dispute_of_who_reads_a_part_leaves_the_others_where_they_are(tmp_path: Path) -> None:
    async with archive(tmp_path, OPEN, HIDDEN) as built:
        theirs = await built.reading_at(PLACE, "anna")
        for one in (doubt("ZK-CL-02", 1), doubt("ZK-TX-01", 2)):
            await disputes.KEPT.add(built.storage.conversations, PLACE, one)
        assert await disputed(theirs) == [("ZK-TX-01", 2)]
        await disputes.KEPT.add(theirs.storage.conversations, PLACE, doubt("ZK-CL-01", 3))
        assert await disputed(theirs) == [("ZK-TX-01", 2), ("ZK-CL-01", 3)]
        assert await disputed(built) == [("ZK-CL-02", 1), ("ZK-TX-01", 2), ("ZK-CL-01", 3)]
        await disputes.KEPT.drop(theirs.storage.conversations, PLACE, 1)
        assert await disputed(built) == [("ZK-CL-02", 1), ("ZK-CL-01", 3)]
        await disputes.KEPT.drop(theirs.storage.conversations, PLACE, 1)
        assert await disputed(theirs) == []
        assert await disputed(built) == [("ZK-CL-02", 1)]


async def test_a_question_pinned_from_a_run_that_may_not_be_seen_is_not_told(tmp_path: Path) -> None:
    async with archive(tmp_path, OPEN, HIDDEN) as built:
        theirs = await built.reading_at(PLACE, "anna")
        for user, text in (
            ("bea", "What is the half-life of xorvatide?"),
            ("anna", "Why was ZK-701 stopped?"),
        ):
            run = await ask(built, user, text)
            assert run is not None
            pin = Pin(run.run_id, run.pipeline, run.inputs, text, user, "2026-11-25T00:00:00Z")
            rooms = theirs if user == "anna" else built
            await PINS.add(rooms.storage.conversations, PLACE, pin)
        assert [one.by for one in await PINS.all(theirs.storage.conversations, PLACE)] == ["anna"]
        assert [one.by for one in await PINS.all(built.storage.conversations, PLACE)] == ["bea", "anna"]
        of_all = await theirs.storage.conversations.remembered_as(PINS.key)
        assert not [secret for secret in SECRETS if secret in str(of_all)]


async def test_a_thread_of_others_is_not_listed_for_its_digest(tmp_path: Path) -> None:
    async with archive(tmp_path, OPEN, HIDDEN) as built:
        thread, open_one = (ThreadRef(PLACE.platform, PLACE.channel, one) for one in ("a" * 12, "b" * 12))
        await ask(built, "bea", "What is the half-life of xorvatide?", thread)
        for one in (thread, open_one):
            await built.storage.conversations.remember(one, ORDERED, "2026-11-25T00:00:00Z")
        threads = Threads(built.ledger, built.views, built.storage.conversations)
        await threads.rename(thread, "QX-900 in dogs")
        theirs = await built.reading_at(PLACE, "anna")
        seen = await Threads(theirs.ledger, theirs.views, theirs.storage.conversations).listed(PLACE)
        assert [one.thread for items in seen.values() for one in items] == ["b" * 12]
        assert "QX-900" in str(await threads.listed(PLACE))


async def test_who_writes_a_name_is_not_told_whether_there_is_such_a_document(tmp_path: Path) -> None:
    async with archive(tmp_path, OPEN, HIDDEN) as built:
        theirs = await built.reading_at(PLACE, "anna")
        for number, name in enumerate(("QX-01", "QX-01#0", "nothing-9")):
            place = ThreadRef(PLACE.platform, PLACE.channel, f"{number:012x}")
            run = await ask(built, "anna", name, place)
            assert run is not None
            told = await theirs.ledger.run(run.run_id)
            assert told is not None
            assert replace(told, handed_over=run.handed_over) == run, "but for when a worker took it over"
