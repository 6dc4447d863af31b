"""A digest from its order to its card in the thread; the time is moved by the schedulers' clock."""

import asyncio
import signal
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from adapters.settings import load
from adapters.teams.activities import CONTENT
from adapters.wiring import runtime
from agents.runs.clock import utc_now
from tests.journey.conftest import Place
from tests.journey.teams import Playground
from tests.journey.waiting import PATIENCE_S, wait_for

pytestmark = [
    pytest.mark.service("slack"),
    pytest.mark.service("teams"),
    pytest.mark.service("redis"),
    pytest.mark.timeout(600),
]

NEWS = """\
---
title: 13-week oral toxicity study of QX-201 in dogs
molecules: [QX-201]
---
# 13-week oral toxicity study of QX-201 in dogs

The NOAEL of QX-201 in dogs was 3 mg/kg/day.
"""
OTHER = NEWS.replace("QX-201", "RV-77")


async def rounds(place: Place, clock: Callable[[], datetime]) -> None:
    """Two schedulers make a round at the same time, each with connections of its own."""
    settings = load(place.team.environment)
    async with runtime(settings) as one, runtime(settings) as other:
        await asyncio.gather(one.telling(clock).round(), other.telling(clock).round())


def digests(place: Place, thread: str) -> list[dict[str, Any]]:
    return place.peer.of_slot(thread, "digest")


def replied(place: Place, thread: str, text: str) -> dict[str, Any]:
    """The reply in a thread that says a text, once it is there."""
    return wait_for(
        lambda: next((m for m in place.peer.of_slot(thread, "reply") if text in place.peer.words(m)), None),
        PATIENCE_S,
        f"a reply that says {text!r}",
    )


@pytest.mark.skins("slack", "teams")
def test_a_channel_is_told_once_what_is_new_under_two_schedulers(place: Place) -> None:
    """The bot starts anew before the digest's time: it knows from the database alone where to write."""
    archive = place.team.folder / "archive"
    thread = place.peer.ask('digest "every day 08:30 Europe/Zurich" about QX-201')
    replied(place, thread, "about QX-201 comes every day 08:30 Europe/Zurich")
    place.end_bot(signal.SIGTERM)
    (archive / "dogs.md").write_text(NEWS, encoding="utf-8")
    (archive / "dogs-rival.md").write_text(OTHER, encoding="utf-8")
    place.team.pestle("ingest", str(archive))
    asyncio.run(rounds(place, utc_now))
    tomorrow = utc_now() + timedelta(days=1)
    place.start_bot()
    assert digests(place, thread) == [], "it is not due yet"

    asyncio.run(rounds(place, lambda: tomorrow))
    (told,) = wait_for(lambda: digests(place, thread), PATIENCE_S, "the digest")
    assert "New documents (1)" in place.peer.words(told)
    assert "13-week oral toxicity study of QX-201 in dogs" in place.peer.words(told)
    assert "RV-77" not in place.peer.words(told)

    asyncio.run(rounds(place, lambda: tomorrow))
    asyncio.run(rounds(place, lambda: tomorrow + timedelta(days=1)))
    place.peer.say("digests", thread=thread)
    replied(place, thread, "Digests of this channel")
    assert len(digests(place, thread)) == 1, "the next day has nothing new"
    if isinstance(place.peer, Playground):  # the Slack emulator has no buttons
        (card,) = told["attachments"]
        assert card["contentType"] == CONTENT
        place.peer.press(thread, "digest")
        replied(place, thread, "muted")
