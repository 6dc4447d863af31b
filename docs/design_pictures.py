"""Takes the pictures of a debate for the docs: `make designpictures`. Chromium has to be on the path.

Two rounds on a bare machine, approved and voted on: on the page, as a desk and a phone show it, and as Slack
and Teams would show it, drawn by `slack_thread` and by Microsoft's renderer in the folder PACKAGES.
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
from bot.values import Card, Incoming, ThreadRef

INTO = Path(__file__).parent / "images" / "design"
START = "O=C(Nc1ccc(S(N)(=O)=O)cc1)c1cnc2ccccc2c1Nc1cccc(Cl)c1"
ORDER = f"design JNK3 inhibitors like {START}, brain-penetrant, 2 rounds, 2 proposals, vote of 1"
PATIENCE_MS = 240_000
FIRST = "Candidates, what misses the fewest goals"
"""Words that the picture of the page begins with."""
CHAT = {"width": 760, "height": 900}
ROUND, GOALS, POLL = "Round 2", "May the debate start", "Which of these molecules"


def main() -> None:
    """All pictures. The argument is the folder that holds node_modules."""
    photographed(INTO, partial(_shot, script_in(Path(sys.argv[1]))))


async def _shot(script: str, folder: Path) -> None:
    settings = Settings(home=folder, web=WebSettings(port=0))
    async with browsing(settings) as (browser, address):
        thread = await _debated(await browser.new_page(), address)
        await looked(browser, thread, INTO / "page.png", _at_the_finalists)
        async with runtime(Settings(home=folder)) as built:
            slack, teams = SlackThread(), Shown("teams")
            told = await _in_chat(built, slack)
            await _taken(browser, "slack", slack.page(ORDER), ROUND)
            await _in_chat(built, teams)
            cards = [one.card for one in teams.messages if one.card.title == told.title]
            await _taken(browser, "teams", drawn(cards[-1], script), ROUND)


async def _debated(tab: Page, address: str) -> str:
    """The address of a thread with a whole debate."""
    await tab.goto(address)
    await _said(tab, ORDER)
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
    """The card of the last round of a debate that one person approves and votes on in a chat."""
    thread = ThreadRef(chat.name, "C1", secrets.token_hex(6))
    seen: list[Card] = []
    post = chat.post

    async def posted(where: ThreadRef, card: Card) -> str:
        seen.append(card)
        return await post(where, card)

    chat.post = posted  # type: ignore[method-assign]

    async def say(text: str) -> str:
        asked = Incoming(secrets.token_hex(6), thread, "Ada", text, opens=text == ORDER)
        return (await built.intake.receive(asked)).run_id

    async def see(words: str) -> Card:
        while True:
            for card in reversed(seen):
                if words in f"{card.title} {card.text}":
                    return card
            await asyncio.sleep(0.2)

    async with built.delivering(chat) as pump:
        run_id = await say(ORDER)
        await see(GOALS)
        await say("start")
        await see(POLL)
        told = await see(ROUND)
        await say("vote 1")
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
