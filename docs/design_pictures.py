"""Takes the pictures of a debate for the docs: `make designpictures`. Chromium has to be on the path.

Three rounds on a bare machine: on the page, as a desk and a phone show it, approved and voted on by one
person; and, as two people veto, propose and vote, as Slack and Teams would show it, drawn by `slack_thread`
and by Microsoft's renderer in the folder PACKAGES.
"""

import asyncio
import secrets
import sys
from functools import partial
from pathlib import Path

from pictures import browsing, looked, photographed
from playwright.async_api import Browser, Page
from slack_thread import SlackThread
from teams_pictures import Shown, drawn, script_in

from adapters.sections import WebSettings
from adapters.settings import Settings
from adapters.wiring import Runtime, runtime
from agents.design import pipeline
from bot.values import Card, Incoming, ThreadRef
from tests.journey.with_kinds import Patient

INTO = Path(__file__).parent / "images" / "design"
START = "O=C(Nc1ccc(S(N)(=O)=O)cc1)c1cnc2ccccc2c1Nc1cccc(Cl)c1"
ORDER = f"design JNK3 inhibitors like {START}, brain-penetrant, 3 rounds, 2 proposals, vote of %s"
PATIENCE_MS = 240_000
FIRST = "Candidates, what misses the fewest goals"
"""Words that the picture of the page begins with."""
CHAT = {"width": 760, "height": 900}
FIRST_ROUND, ROUND, GOALS, POLL = "Round 1", "Round 3", "May the debate start", "Which of these molecules"
STEERED = (("Grace", "veto 2"), ("Ada", "pin 1"), ("Grace", "try " + START.replace("Cl", "F")))
VOTES = (("Ada", "vote 1"), ("Grace", "vote 2"))


def main() -> None:
    """All pictures. The argument is the folder that holds node_modules."""
    pipeline.Room = Patient  # type: ignore[misc]
    photographed(INTO, partial(_shot, script_in(Path(sys.argv[1]))))


async def _shot(script: str, folder: Path) -> None:
    settings = Settings(home=folder, web=WebSettings(port=0))
    async with browsing(settings) as (browser, address):
        thread = await _debated(await browser.new_page(), address)
        await looked(browser, thread, INTO / "page.png", _at_the_finalists)
        async with runtime(Settings(home=folder)) as built:
            slack, teams = SlackThread(), Shown("teams")
            told = await _in_chat(built, slack)
            await _taken(browser, "slack", slack.page(ORDER % len(VOTES)), STEERED[0][0])
            await _in_chat(built, teams)
            cards = [one.card for one in teams.messages if one.card.title == told.title]
            files = [one.file for one in teams.messages if one.file and one.file.media_type == "image/png"]
            await _taken(browser, "teams", drawn(cards[-1], script, *files[-1:]), "Proposed by the debate")


async def _debated(tab: Page, address: str) -> str:
    """The address of a thread with a whole debate."""
    await tab.goto(address)
    await _said(tab, ORDER % 1)
    await tab.get_by_role("button", name="start", exact=True).click(timeout=PATIENCE_MS)
    await tab.locator("article", has_text=POLL).last.wait_for(timeout=PATIENCE_MS)
    await _said(tab, "vote 1")
    await tab.locator("article", has_text="Rules of thumb").last.wait_for(timeout=PATIENCE_MS)
    return tab.url


async def _said(tab: Page, text: str) -> None:
    await tab.get_by_label("Your question").fill(text)
    await tab.get_by_role("button", name="Ask", exact=True).click()


async def _at_the_finalists(tab: Page) -> None:
    shown = tab.get_by_text(FIRST).last
    await shown.evaluate("one => one.scrollIntoView({block: 'start', behavior: 'instant'})")
    await tab.wait_for_timeout(1_500)


async def _in_chat(built: Runtime, chat: SlackThread | Shown) -> Card:
    """The card of the last round of a debate that two people steer and vote on in a chat."""
    thread = ThreadRef(chat.name, "C1", secrets.token_hex(6))
    seen: list[Card] = []
    post = chat.post

    async def posted(where: ThreadRef, card: Card) -> str:
        seen.append(card)
        return await post(where, card)

    chat.post = posted  # type: ignore[method-assign]

    order = ORDER % len(VOTES)

    async def say(name: str, text: str) -> str:
        if isinstance(chat, SlackThread) and text != order:
            chat.said(name, text)
        asked = Incoming(secrets.token_hex(6), thread, name, text, opens=text == order)
        return (await built.intake.receive(asked)).run_id

    async def see(words: str) -> Card:
        while True:
            for card in reversed(seen):
                if words in f"{card.title} {card.text}":
                    return card
            await asyncio.sleep(0.2)

    async with built.delivering(chat) as pump:
        run_id = await say("Ada", order)
        await see(GOALS)
        await say("Ada", "start")
        await see(FIRST_ROUND)
        for name, text in STEERED:
            await say(name, text)
        await see(POLL)
        told = await see(ROUND)
        for name, text in VOTES:
            await say(name, text)
        await built.finished(run_id)
        await pump.drain()
    return told


async def _taken(browser: Browser, name: str, page: str, first: str) -> None:
    """One screen of a chat, from some words on."""
    tab = await browser.new_page(viewport=CHAT, color_scheme="light")  # type: ignore[arg-type]
    await tab.set_content(page)
    shown = tab.get_by_text(first).first
    await shown.evaluate("one => one.scrollIntoView({block: 'start', behavior: 'instant'})")
    await tab.screenshot(path=INTO / f"{name}.png", timeout=60_000)
    await tab.close()


if __name__ == "__main__":
    main()
