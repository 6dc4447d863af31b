"""Takes the picture of a debate for the docs: `make designpictures`. Chromium has to be on the path.

Two rounds on a bare machine, approved and voted on, as a person meets them on the page.
"""

from pathlib import Path

from pictures import DESK, browsing, photographed
from playwright.async_api import Browser, Page

from adapters.sections import WebSettings
from adapters.settings import Settings

INTO = Path(__file__).parent / "images" / "design"
START = "O=C(Nc1ccc(S(N)(=O)=O)cc1)c1cnc2ccccc2c1Nc1cccc(Cl)c1"
ORDER = f"design JNK3 inhibitors like {START}, brain-penetrant, 2 rounds, 2 proposals, vote of 1"
PATIENCE_MS = 240_000
FIRST = "Candidates, what misses the fewest goals"
"""Words that the picture begins with."""


def main() -> None:
    """The picture."""
    photographed(INTO, _shot)


async def _shot(folder: Path) -> None:
    settings = Settings(home=folder, web=WebSettings(port=0))
    async with browsing(settings) as (browser, address):
        thread = await _debated(await browser.new_page(), address)
        await _taken(browser, thread)


async def _debated(tab: Page, address: str) -> str:
    """The address of a thread with a whole debate."""
    await tab.goto(address)
    await _said(tab, ORDER)
    await tab.get_by_role("button", name="start", exact=True).click(timeout=PATIENCE_MS)
    await tab.locator("article", has_text="Which of these molecules").last.wait_for(timeout=PATIENCE_MS)
    await _said(tab, "vote 1")
    await tab.locator("article", has_text="Rules of thumb").last.wait_for(timeout=PATIENCE_MS)
    return tab.url


async def _said(tab: Page, text: str) -> None:
    await tab.get_by_label("Your question").fill(text)
    await tab.get_by_role("button", name="Ask", exact=True).click()


async def _taken(browser: Browser, address: str) -> None:
    """One screen of the thread, from the finalists on."""
    size = {"width": DESK[0], "height": DESK[1]}
    tab = await browser.new_page(viewport=size, color_scheme="light")
    await tab.goto(address)
    shown = tab.get_by_text(FIRST).last
    await shown.evaluate("one => one.scrollIntoView({block: 'start', behavior: 'instant'})")
    await tab.wait_for_timeout(1_500)
    await tab.screenshot(path=INTO / "finalists-desk.png", timeout=60_000)


if __name__ == "__main__":
    main()
