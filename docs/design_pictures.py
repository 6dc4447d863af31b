"""Takes the pictures of a debate for the docs: `make designpictures`. Chromium has to be on the path.

Three rounds on a bare machine, in which two people veto, pin, propose and vote: on the page, with an account
each, as a desk and a phone show it; and as Slack and Teams would show it, drawn by `slack_thread` and by
Microsoft's renderer in the folder PACKAGES.
"""

import asyncio
import secrets
import sys
from functools import partial
from pathlib import Path
from typing import Any

from pictures import browsing, looked, photographed, scrolled
from playwright.async_api import Browser, Page
from slack_thread import SlackThread
from teams_pictures import Shown, drawn, script_in

from adapters.sections import WebSettings
from adapters.settings import Settings
from adapters.web.passwords import hashed
from adapters.wiring import Runtime, runtime
from agents.design import pipeline
from bot.accounts import Account
from bot.values import Card, Incoming, ThreadRef
from tests.journey.with_kinds import Patient

INTO = Path(__file__).parent / "images" / "design"
START = "O=C(Nc1ccc(S(N)(=O)=O)cc1)c1cnc2ccccc2c1Nc1cccc(Cl)c1"
ORDER = f"design JNK3 inhibitors like {START}, brain-penetrant, 3 rounds, 2 proposals, vote of %s"
PATIENCE_MS = 240_000
PASSWORD = "four small green pestles"
AT_DESK, ON_PHONE = ".question:has-text('veto 2')", "article.request:has-text('Which of these molecules')"
"""What the pictures of the page begin with."""
CHAT = {"width": 760, "height": 900}
FIRST_ROUND, ROUND, GOALS, POLL = "Round 1", "Round 3", "May the debate start", "Which of these molecules"
STEERED = (("Grace", "veto 2"), ("Ada", "pin 1"), ("Grace", "try " + START.replace("Cl", "F")))
VOTES = (("Ada", "vote 1"), ("Grace", "vote 2"))


def main() -> None:
    """All pictures. The argument is the folder that holds node_modules."""
    pipeline.Room = Patient  # type: ignore[misc]
    photographed(INTO, partial(_shot, script_in(Path(sys.argv[1]))))


async def _shot(script: str, folder: Path) -> None:
    settings = Settings(home=folder, web=WebSettings(port=0, login="always"))
    async with runtime(settings) as built:
        for name, _ in VOTES:
            await built.storage.accounts.add(Account(name.casefold(), hashed(PASSWORD)))
    async with browsing(settings) as (browser, address):
        thread, entered = await _debated(browser, address)
        await looked(browser, thread, INTO / "page.png", _two_people, storage_state=entered)
        async with runtime(Settings(home=folder)) as built:
            slack, teams = SlackThread(), Shown("teams")
            told = await _in_chat(built, slack)
            await _taken(browser, "slack", slack.page(ORDER % len(VOTES)), STEERED[0][0])
            await _in_chat(built, teams)
            cards = [one.card for one in teams.messages if one.card.title == told.title]
            files = [one.file for one in teams.messages if one.file and one.file.media_type == "image/png"]
            await _taken(browser, "teams", drawn(cards[-1], script, *files[-1:]), "Proposed by the debate")


async def _debated(browser: Browser, address: str) -> tuple[str, Any]:
    """The address of a thread with a whole debate, and what lets a browser in there."""
    tabs = {name: await _entered(browser, address, name.casefold()) for name, _ in VOTES}
    first = tabs[VOTES[0][0]]
    await _said(first, ORDER % len(VOTES))
    await first.get_by_role("button", name="start", exact=True).click(timeout=PATIENCE_MS)
    await first.locator("article", has_text=FIRST_ROUND).last.wait_for(timeout=PATIENCE_MS)
    for tab in tabs.values():
        await tab.goto(first.url)
    for name, text in STEERED:
        await _said(tabs[name], text)
        await first.locator(".question", has_text=text).wait_for(timeout=PATIENCE_MS)
    await first.locator("article", has_text=POLL).last.wait_for(timeout=PATIENCE_MS)
    for name, text in VOTES:
        await _said(tabs[name], text)
    await first.locator("article", has_text="Rules of thumb").last.wait_for(timeout=PATIENCE_MS)
    return first.url, await first.context.storage_state()


async def _entered(browser: Browser, address: str, name: str) -> Page:
    """A browser of one person's own."""
    tab = await browser.new_page()
    await tab.goto(address)
    await tab.get_by_label("Name").fill(name)
    await tab.get_by_label("Password").fill(PASSWORD)
    await tab.get_by_role("button", name="Log in").click()
    await tab.get_by_label("Your question").wait_for()
    return tab


async def _said(tab: Page, text: str) -> None:
    await tab.get_by_label("Your question").fill(text)
    await tab.get_by_role("button", name="Ask", exact=True).click()


async def _two_people(tab: Page) -> None:
    """At a desk what both of them said, on a phone how they voted."""
    on_phone = await tab.evaluate("window.innerWidth < 500")
    await scrolled(ON_PHONE if on_phone else AT_DESK)(tab)


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
