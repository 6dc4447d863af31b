"""Two people at a debate on the page, each in a browser of their own: one at a desk, one with a phone."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from adapters.cli.page import page
from adapters.sections import WebSettings
from adapters.settings import Settings
from adapters.storage import open_storage
from adapters.web.board import Board
from adapters.web.passwords import hashed
from adapters.wiring import runtime
from agents.design import pipeline
from agents.design.values import Brief
from agents.minds.debate import Floor
from bot.accounts import Account
from bot.values import ThreadRef
from tests.adapters.web.conftest import opened
from tests.agents.design.kit import START
from tests.kinds.test_design import kind

PASSWORD = "four small green pestles"
SIZES = {"ada": (1440, 900), "grace": (390, 844)}
SEEN_MS = 90_000
MINE = "NC(=O)c1ccc(Cl)cc1"
IDS = "[...document.getElementById('thread').children].map(post => post.id)"


class Held(pipeline.Room):
    """A debate whose second round begins once people have said what they want."""

    said = asyncio.Event()

    async def opened(self, floor: Floor[Brief]) -> Floor[Brief]:
        if floor.entries:
            await self.said.wait()
        return await super().opened(floor)


async def entered(tab: Page, address: str, name: str) -> None:
    await tab.goto(address)
    await tab.get_by_label("Name").fill(name)
    await tab.get_by_label("Password").fill(PASSWORD)
    await tab.get_by_role("button", name="Log in").click()
    await tab.get_by_label("Your question").wait_for()


async def say(tab: Page, text: str) -> None:
    await tab.get_by_label("Your question").fill(text)
    await tab.get_by_role("button", name="Ask", exact=True).click()


async def sees(tabs: tuple[Page, ...], *texts: str) -> None:
    for tab in tabs:
        for text in texts:
            await expect(tab.locator("#thread > *", has_text=text).last).to_be_attached(timeout=SEEN_MS)


@pytest.mark.timeout(300)
async def test_two_people_see_what_the_other_vetoes_proposes_and_votes_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Held, "said", asyncio.Event())
    monkeypatch.setattr(pipeline, "Room", Held)
    settings = Settings(home=tmp_path, web=WebSettings(port=0, login="always"))
    storage = await open_storage(settings.database_url)
    for name in SIZES:
        await storage.accounts.add(Account(name, hashed(PASSWORD)))
    await storage.close()
    async with page(settings, [kind()]) as (server, address), AsyncExitStack() as stack:
        serving = asyncio.create_task(server.serve())
        ada, grace = [
            await stack.enter_async_context(opened(viewport={"width": wide, "height": high}))
            for wide, high in SIZES.values()
        ]
        await entered(ada, address, "ada")
        await entered(grace, address, "grace")

        await say(ada, f"design ABC1 inhibitors like {START}, 3 rounds, 1 proposals, vote of 2")
        await sees((ada,), "May the debate start")
        await grace.get_by_label("Menu").click()
        await grace.get_by_role("link", name="ABC1 inhibitors").click()
        await expect(grace.get_by_role("button", name="Ask", exact=True)).to_be_enabled(timeout=SEEN_MS)
        await grace.get_by_role("button", name="start", exact=True).click(timeout=SEEN_MS)
        await sees((ada, grace), "Decided by grace: start", "Round 1")
        await say(grace, "veto 2")
        await sees((ada, grace), "veto 2 grace")
        await say(ada, f"One of my own: {MINE}")
        await sees((ada, grace), f"{MINE} ada")
        await say(ada, "vote 3")
        await sees((ada, grace), "vote 3 ada", "Heard: 3")
        await expect(ada.locator(".error")).to_have_count(0)

        await ada.evaluate("window.scrollTo(0, 0)")
        Held.said.set()
        await ada.get_by_role("button", name="New below").click(timeout=SEEN_MS)
        await expect(ada.get_by_role("heading", name="Round 2")).to_be_in_viewport(timeout=SEEN_MS)
        await sees((ada, grace), "Round 3", "Which of these molecules would you make?")
        await grace.get_by_role("button", name="1️⃣").click()
        await expect(
            ada.locator("article", has_text="Please vote").get_by_role("row").nth(1)
        ).to_contain_text("grace", timeout=SEEN_MS)
        await say(ada, "vote 9")
        await sees((ada, grace), "vote 9 ada", "Vote for a number from 1 to")
        await say(ada, "vote 2")
        await sees((ada, grace), "The poll is closed", "is ranked first of", "vetoed: M2", "person ada")
        address, live = ada.url, await ada.evaluate(IDS)
        for tab in (ada, grace):
            await tab.goto("about:blank")  # the page listens to its server
        server.stop()
        await serving
    async with runtime(settings, [kind()]) as built:
        board = Board(built.ledger, built.storage.conversations, built.views, built.storage.outbox)
        posts = await board.posts(ThreadRef("web", "archive", address.partition("thread=")[2]))
    assert [post.question for post in posts if post.question][1:] == [
        "veto 2",
        f"One of my own: {MINE}",
        "vote 3",
    ]
    kept = [post.post_id for post in posts]
    assert kept == [one for one in live if one in kept]
