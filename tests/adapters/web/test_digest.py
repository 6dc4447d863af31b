"""A digest on the page: ordered in a thread, told in it when its time comes, there again after a restart."""

import asyncio
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

from playwright.async_api import Page, expect

from adapters.cli.page import page
from adapters.sections import WebSettings
from adapters.settings import Settings
from adapters.wiring import runtime
from agents.runs.clock import utc_now
from retrieval.ingest.folder import Folder

NEWS = "# AF-2107: 13-week oral toxicity study in dogs\n\nThe NOAEL of AF-2107 in dogs was 3 mg/kg/day.\n"


@asynccontextmanager
async def serving(home: Path) -> AsyncIterator[str]:
    """Address of a page over a home, until it is ended."""
    async with page(Settings(home=home, web=WebSettings(port=0))) as (server, address):
        running = asyncio.create_task(server.serve())
        yield address
        server.stop()
        await running


async def told_tomorrow(home: Path, news: Path) -> None:
    """A document comes, and two schedulers look at a clock that shows the next day."""
    tomorrow = utc_now() + timedelta(days=1)
    settings = Settings(home=home)
    async with runtime(settings) as one, runtime(settings) as other:
        await one.files.ingest(Folder(news))
        await asyncio.gather(*(built.telling(lambda: tomorrow).round() for built in (one, other)))


async def test_a_digest_is_ordered_told_once_and_kept(archived: Path, tmp_path: Path, tab: Page) -> None:
    home = shutil.copytree(archived, tmp_path / "home")
    news = tmp_path / "news"
    news.mkdir()
    (news / "dogs.md").write_text(NEWS, encoding="utf-8")
    async with serving(home) as address:
        await tab.goto(address)
        await tab.get_by_label("Your question").fill('digest "every day 08:30 Europe/Zurich" about AF-2107')
        await tab.get_by_role("button", name="Ask", exact=True).click()
        cards = tab.locator("article")
        await expect(cards.last).to_contain_text("about AF-2107 comes every day 08:30 Europe/Zurich")
        await told_tomorrow(home, news)
        told = tab.locator("article", has_text="New documents (1)")
        await expect(told).to_contain_text("13-week oral toxicity study in dogs", timeout=15_000)
        await expect(told.get_by_role("button", name=re.compile("Mute 1"))).to_have_count(1)
        thread = tab.url.removeprefix(address)
        await tab.goto("about:blank")  # the page listens to its server
    async with serving(home) as again:
        await tab.goto(again + thread)
        await expect(tab.locator("article", has_text="New documents (1)")).to_have_count(1)
        await expect(tab.locator("#orders")).to_contain_text("1 every day 08:30 Europe/Zurich about AF-2107")
        await expect(tab.locator("nav li a[aria-current]")).to_have_text(re.compile("Digests"))
        await tab.get_by_role("button", name=re.compile("Mute 1")).click()
        await expect(tab.locator("article").last).to_contain_text("muted")
        await tab.goto("about:blank")
