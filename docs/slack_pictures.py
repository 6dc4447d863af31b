"""Takes the pictures of Slack for the docs: `make slackpictures`. Chromium has to be on the path.

Questions go to the demo archive through the house's own intake and pump. What the bot would send to Slack is
drawn by `slack_thread`: a run on its way, an answer, the window of a citation, a table, the app's home, a
digest.
"""

import secrets
import shutil
from dataclasses import replace
from pathlib import Path

from digest_told import ORDER, ordered
from pictures import FLAGS, photographed
from playwright.async_api import Browser, async_playwright
from slack_thread import SlackThread, window

from adapters.cli.demo import ARCHIVE, QUESTION
from adapters.settings import Settings
from adapters.slack.home import home_view
from adapters.slack.modals import shown
from adapters.wiring import Runtime, runtime
from bot.values import Card, CardKind, Incoming, ThreadRef
from retrieval.ingest.folder import Folder

INTO = Path(__file__).parent / "images" / "slack"
TABLE = "Compare the molecules of the archive: which were stopped, and why?"
ADA = "U0ADA"
SIZE = {"width": 760, "height": 400}


class OnItsWay(SlackThread):
    """A thread that remembers how its progress looked half-way."""

    half: Card | None = None

    async def update(self, thread: ThreadRef, message_id: str, card: Card) -> str:
        """Put a card in the place of an older one."""
        if card.kind is CardKind.PROGRESS and any(step.state == "running" for step in card.steps):
            self.half = card
        return await super().update(thread, message_id, card)


def main() -> None:
    """All pictures."""
    photographed(INTO, _shot)


async def _shot(folder: Path) -> None:
    async with (
        runtime(Settings(home=folder)) as built,
        async_playwright() as playwright,
    ):
        await built.files.ingest(Folder(ARCHIVE))
        browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        half = None
        while half is None:  # a quick run is over before its progress is shown
            thread, run_id, talk = await _asked(built, QUESTION)
            half = talk.half
        await _taken(browser, "answer", talk.page(QUESTION))
        way = SlackThread()
        await way.post(thread, replace(half, mark=""))
        await _taken(browser, "run", way.page(QUESTION))
        card = await built.intake.look(Incoming("look", thread, ADA, "", "sources", f"{run_id} 1"))
        if card:
            await _taken(browser, "citation", window(shown(card)))
        _, _, table = await _asked(built, TABLE)
        await _taken(browser, "table", table.page(TABLE))
        desk = await built.desk.of(SlackThread.name, ADA)
        await _taken(browser, "home", window(home_view(desk, channel="D1")))
        digest = SlackThread()
        await digest.post(thread, await ordered(built, SlackThread.name))
        await _taken(browser, "digest", digest.page(ORDER))
        await browser.close()


async def _asked(built: Runtime, question: str) -> tuple[ThreadRef, str, OnItsWay]:
    """The thread of a question, its run, and what Slack would show of it."""
    talk, thread = OnItsWay(), ThreadRef(SlackThread.name, "C1", secrets.token_hex(6))
    async with built.delivering(talk) as pump:
        asked = Incoming(secrets.token_hex(6), thread, ADA, question, opens=True)
        receipt = await built.intake.receive(asked)
        await talk.ended.wait()
        await built.finished(receipt.run_id)
        await pump.drain()
    return thread, receipt.run_id, talk


async def _taken(browser: Browser, name: str, page: str) -> None:
    """A picture of a page, as high as it is."""
    tab = await browser.new_page(viewport=SIZE, color_scheme="light")
    await tab.set_content(page)
    await tab.screenshot(path=INTO / f"{name}.png", full_page=True, timeout=60_000)
    await tab.close()


if __name__ == "__main__":
    main()
