"""Takes the pictures of the page, over the demo archive; `make pictures` begins with it.

A run on its way, an answer, a citation beside it, a table and a digest. A question is asked, pinned and put
into a digest as a person does it in a browser; Chromium has to be on the path.
"""

from pathlib import Path

from digest_told import ASKED, ORDER, days_later
from pictures import browsing, photographed
from playwright.async_api import Locator, Page

from adapters.cli.demo import ARCHIVE, QUESTION
from adapters.sections import WebSettings
from adapters.settings import Settings
from adapters.wiring import runtime
from retrieval.ingest.folder import Folder

INTO = Path(__file__).parent / "images" / "page"
TABLE = "Compare the molecules of the archive: which were stopped, and why?"
SIZE = {"width": 1100, "height": 760}
PATIENCE_MS = 120_000
DRAWN_MS = 8_000
"""Until a page of a document is drawn."""


def main() -> None:
    """The picture."""
    photographed(INTO, _shot)


async def _shot(folder: Path) -> None:
    settings = Settings(home=folder, web=WebSettings(port=0))
    async with runtime(settings) as built:
        await built.files.ingest(Folder(ARCHIVE))
    async with browsing(settings) as (browser, address):
        tab = await browser.new_page(viewport=SIZE, color_scheme="light")
        await tab.goto(address)
        await _answered(tab)
        await tab.goto(address)
        await _tabled(tab)
        await tab.goto(address)
        await _said(tab, ASKED, "these come closest")
        await _said(tab, "pin", "unpin 1")
        await _said(tab, ORDER, "Digest 1 about AF-2107 comes")
        async with runtime(settings) as built:
            await days_later(built)
        digest = tab.locator("article", has_text="New documents (1)")
        await digest.wait_for(timeout=PATIENCE_MS)
        await _taken(tab, digest, "digest")


async def _answered(tab: Page) -> None:
    """A run on its way, its answer, and the passage behind a citation beside it."""
    await tab.get_by_label("Your question").fill(QUESTION)
    await tab.get_by_role("button", name="Ask", exact=True).click()
    working = tab.locator("article", has_text="Reading the question").filter(has_text="Stop")
    await working.wait_for(timeout=PATIENCE_MS)
    await tab.screenshot(path=INTO / "run.png", timeout=PATIENCE_MS)
    answer = tab.locator("article", has_text="Export").last
    await answer.wait_for(timeout=PATIENCE_MS)
    await _taken(tab, answer, "answer")
    await answer.locator("a.cite").first.click()
    await tab.wait_for_timeout(DRAWN_MS)
    await tab.screenshot(path=INTO / "citation.png", timeout=PATIENCE_MS)


async def _tabled(tab: Page) -> None:
    """An answer with a table."""
    await tab.get_by_label("Your question").fill(TABLE)
    await tab.get_by_role("button", name="Ask", exact=True).click()
    table = tab.locator("article table").first
    await table.wait_for(timeout=PATIENCE_MS)
    await _taken(tab, table, "table")


async def _taken(tab: Page, shown: Locator, name: str) -> None:
    """A picture of the window with this in it."""
    await shown.evaluate("one => one.scrollIntoView({block: 'end', behavior: 'instant'})")
    await tab.wait_for_timeout(500)
    await tab.screenshot(path=INTO / f"{name}.png", timeout=PATIENCE_MS)


async def _said(tab: Page, text: str, until: str) -> None:
    """Write something, and wait for a card that says this."""
    await tab.get_by_label("Your question").fill(text)
    await tab.get_by_role("button", name="Ask", exact=True).click()
    await tab.locator("article", has_text=until).last.wait_for(timeout=PATIENCE_MS)


if __name__ == "__main__":
    main()
