"""Takes the pictures of the page, over the demo archive; `make pictures` begins with it.

A new thread, a run on its way, an answer, a citation beside it, a table, records and a digest. All is asked,
pinned and put into a digest as a person does it in a browser; Chromium has to be on the path.
"""

import asyncio
from pathlib import Path

from digest_told import ASKED, ORDER, days_later
from pictures import browsing, looked, photographed, scrolled
from playwright.async_api import Browser, Page

from adapters.cli.demo import ARCHIVE, QUESTION
from adapters.model_sections import ModelSettings
from adapters.sections import WebSettings
from adapters.settings import Settings
from adapters.wiring import runtime
from retrieval.ingest.folder import Folder

INTO = Path(__file__).parent / "images" / "page"
TABLE = "Compare the molecules of the archive: which were stopped, and why?"
PATIENCE_MS = 120_000
DRAWN_MS = 4_000
"""Until a page of a document is drawn."""


def main() -> None:
    """The picture."""
    photographed(INTO, _shot)


async def _shot(folder: Path) -> None:
    settings = Settings(home=folder, web=WebSettings(port=0))
    async with runtime(settings) as built:
        await built.files.ingest(Folder(ARCHIVE))
    async with browsing(settings) as (browser, address):
        await looked(browser, address, INTO / "question.png", scrolled("#welcome .choice"))
        await looked(browser, address, INTO / "settings.png", _settings)
        thread = await _said(browser, address, {QUESTION: "Ask next"})
        await looked(browser, thread, INTO / "answer.png", scrolled(".question"))
        await looked(browser, thread, INTO / "citation.png", _cited)
        thread = await _said(browser, address, {TABLE: "Ask next"})
        await looked(browser, thread, INTO / "table.png", scrolled(".question"))
        thread = await _said(browser, address, {"records AF-2107": "The archive holds"})
        await looked(browser, thread, INTO / "records.png", scrolled(".question"))
        thread = await _said(
            browser, address, {ASKED: "Ask next", "pin": "unpin 1", ORDER: "about AF-2107 comes"}
        )
        async with runtime(settings) as built:
            await days_later(built)
        await looked(browser, thread, INTO / "digest.png", scrolled("article:last-child"))
    silent = await asyncio.start_server(lambda reader, writer: reader.read(), "127.0.0.1")
    port = silent.sockets[0].getsockname()[1]
    model = ModelSettings(base_url=f"http://127.0.0.1:{port}/v1", name="silent")
    async with browsing(settings.model_copy(update={"model": model})) as (browser, address):
        thread = await _said(browser, address, {QUESTION: "Stop"})
        await looked(browser, thread, INTO / "run.png", scrolled("article"))
    silent.close()


async def _said(browser: Browser, address: str, said: dict[str, str]) -> str:
    """The address of a thread in which this was written, each once the text before it has its reply."""
    tab = await browser.new_page()
    await tab.goto(address)
    for text, told in said.items():
        await tab.get_by_label("Your question").fill(text)
        await tab.get_by_role("button", name="Ask", exact=True).click()
        await tab.locator("article", has_text=told).last.wait_for(timeout=PATIENCE_MS)
    address = tab.url
    await tab.close()
    return address


async def _settings(tab: Page) -> None:
    """The settings beside a new thread."""
    await tab.locator("nav a[href='/settings']").evaluate("one => one.click()")
    await tab.wait_for_timeout(DRAWN_MS)


async def _cited(tab: Page) -> None:
    """The passage behind a citation opens."""
    await tab.locator("a.cite").first.click()
    await tab.wait_for_timeout(DRAWN_MS)


if __name__ == "__main__":
    main()
