"""A digest for the pictures: a question is pinned in the demo archive, and a study comes that answers it."""

import asyncio
import secrets
import tempfile
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from adapters.wiring import Runtime
from agents.runs.clock import stamp, utc_now
from bot.values import Card, Incoming, ThreadRef
from retrieval.ingest.folder import Folder
from tests.support.memory import MemoryPlatform

ASKED = "What was the NOAEL of AF-2107 in dogs?"
ORDER = 'digest "every weekday 08:30 Europe/Zurich" about AF-2107'
STUDY = """\
---
title: '13-week oral toxicity study of AF-2107 in dogs'
molecules: [AF-2107]
---
# 13-week oral toxicity study of AF-2107 in dogs

AF-2107 was given to dogs by oral gavage at 1, 3 and 10 mg/kg/day for 13 weeks.
The NOAEL of AF-2107 in dogs was 3 mg/kg/day.
"""
MADE_OF = "digest:"


async def ordered(built: Runtime, platform: str) -> Card:
    """The digest that a thread of a platform is told."""
    shown, thread = MemoryPlatform(platform), ThreadRef(platform, "C1", secrets.token_hex(6))
    async with built.delivering(shown) as pump:
        for text in (ASKED, "pin", ORDER):
            said = Incoming(secrets.token_hex(6), thread, "ada", text, opens=text == ASKED)
            receipt = await built.intake.receive(said)
            if text == ASKED:
                await built.finished(receipt.run_id)
        await days_later(built)
        await pump.drain()
    return next(replace(one.card, mark="") for one in shown.messages if one.card.mark.startswith(MADE_OF))


async def days_later(built: Runtime) -> None:
    """The study comes, and a scheduler looks at a clock just after the next time of the digests, until it has
    told everything.
    """
    with tempfile.TemporaryDirectory() as folder:
        await built.files.ingest(Folder(_written(Path(folder))))
    due = (one.due for one in await built.storage.digests.due(stamp(utc_now() + timedelta(days=4))))
    then = datetime.fromisoformat(max(due)) + timedelta(seconds=5)
    telling = built.telling(lambda: then)
    await telling.round()
    while await built.storage.digests.open_ticks():
        await asyncio.sleep(0.5)
        await telling.round()


def _written(folder: Path) -> Path:
    """A folder with the study."""
    (folder / "AF-TX-22-011.md").write_text(STUDY, encoding="utf-8")
    return folder
