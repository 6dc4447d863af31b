"""Takes the pictures of a whole safety report for the docs: `make pictures TARGET="TNF, inhibition"`.

The report is written over the databases that are loaded in PESTLE_HOME, then shown as a reader meets it: the
HTML file, the live page, the thread in Slack, and the pages of the Word file where LibreOffice (`soffice`) is
installed. Chromium has to be on the path.
"""

import asyncio
import secrets
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pypdfium2
from PIL import Image
from playwright.async_api import Browser, Page, async_playwright
from slack_thread import SlackThread

from adapters.cli.page import page
from adapters.sections import WebSettings
from adapters.settings import Settings, load
from adapters.wiring import runtime
from bot.values import Incoming, ThreadRef

IMAGES = Path(__file__).parent / "images" / "safety"
DESK, PANE = (1100, 900), (780, 900)
"""The window of a file, and of a thread beside its channel."""
LOOKS = {"desk": (1440, 900), "phone": (390, 844)}
LOOKED = Path("build/pictures")
"""Windows of the page, and where it is kept in each of them, light and dark, to be looked at."""
SHEET, GAP = 700, 16
"""Pixels of a picture of the page as the docs show it: its height, and between desk and phone."""
PAGES, COLUMNS, SCALE, WIDEST = 4, 2, 1.2, 1500
"""Pages that are shown and how many in a row, their size, and the widest picture in the docs, in pixels."""
EDGE = 4
FLAGS = ["--no-sandbox", "--disable-gpu"]
FORMS = ("html", "docx")
LONGEST = 3
"""How many times as high as it is wide a picture is at most."""
SECTION = "article.section"


def main() -> None:
    """The pictures of the report on the target that is named."""
    order = " ".join(sys.argv[1:]) or "EGFR, inhibition, small molecule"
    into = IMAGES / order.split(",")[0].casefold()
    photographed(into, partial(shot, order, into))


def photographed(into: Path, shot: Callable[[Path], Coroutine[Any, Any, None]]) -> None:
    """Take pictures into a folder and lighten them. `shot` is given a folder for what it needs meanwhile."""
    for one in (into, LOOKED):
        one.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(shot(Path(folder)))
    for path in into.glob("*.png"):
        lighten(path)


@asynccontextmanager
async def browsing(settings: Settings) -> AsyncIterator[tuple[Browser, str]]:
    """Chromium, and the address of the house's page as long as the context is open."""
    async with page(settings) as (server, address), async_playwright() as playwright:
        serving = asyncio.create_task(server.serve())
        browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        yield browser, address
        await browser.close()
        server.stop()
        await serving


def scrolled(to: str) -> Callable[[Page], Awaitable[None]]:
    """Shows the last of these elements from its top."""

    async def ready(tab: Page) -> None:
        shown = tab.locator(to).last
        await shown.wait_for(timeout=60_000)
        await shown.evaluate("one => one.scrollIntoView({block: 'start', behavior: 'instant'})")
        await tab.wait_for_timeout(700)

    return ready


async def looked(
    browser: Browser, address: str, path: Path, ready: Callable[[Page], Awaitable[None]], **context: Any
) -> None:
    """Take an address in all looks; the docs show the desk in light and the phone in dark, side by side."""
    for place, (wide, high) in LOOKS.items():
        for scheme in ("light", "dark"):
            size = {"width": wide, "height": high}
            tab = await browser.new_page(viewport=size, color_scheme=scheme, **context)  # type: ignore[arg-type]
            await tab.goto(address)
            await ready(tab)
            await tab.screenshot(path=LOOKED / f"{path.stem}-{place}-{scheme}.png", timeout=60_000)
            await tab.close()
    shown = [Image.open(LOOKED / f"{path.stem}-{look}.png") for look in ("desk-light", "phone-dark")]
    shown = [one.resize((SHEET * one.width // one.height, SHEET), Image.Resampling.LANCZOS) for one in shown]
    sheet = Image.new("RGB", (sum(one.width for one in shown) + GAP, SHEET), "white")
    sheet.paste(shown[0])
    sheet.paste(shown[1], (shown[0].width + GAP, 0))
    sheet.save(path)


async def shot(order: str, into: Path, folder: Path) -> None:
    """Ask on the live page and take it, then the files of the same report."""
    settings = load().model_copy(update={"web": WebSettings(port=0)})
    async with browsing(settings) as (browser, address):
        thread, files = await asked(browser, address, order, folder)
        await looked(browser, thread, into / "page.png", scrolled('h3:text("Executive summary")'))
        await taken(browser, files["html"].as_uri(), into / "html-desk-light.png")
        await taken(browser, await in_slack(order, folder), into / "slack-pane-light.png", PANE)
    if office := shutil.which("soffice"):
        where = str(folder / "word")
        command = (office, "--headless", "--convert-to", "pdf", "--outdir", where, str(files["docx"]))
        await (await asyncio.create_subprocess_exec(*command)).wait()
        pages(folder / "word" / "report.pdf", into / "word.png")


async def asked(browser: Browser, address: str, order: str, folder: Path) -> tuple[str, dict[str, Path]]:
    """The address of a thread with the report, and its files by format."""
    tab = await (await browser.new_context(accept_downloads=True)).new_page()
    await tab.goto(address)
    await tab.get_by_label("Your question").fill(f"safety {order}")
    await tab.get_by_role("button", name="Ask", exact=True).click()
    await tab.locator(SECTION).last.wait_for(timeout=300_000)
    files: dict[str, Path] = {}
    for form in FORMS:
        link = await tab.locator(f'a[href$="export.{form}"]').last.get_attribute("href")
        reply = await tab.request.get(f"{address}{link}")
        files[form] = folder / f"report.{form}"
        files[form].write_bytes(await reply.body())
    return tab.url, files


async def in_slack(order: str, folder: Path) -> str:
    """The address of a page with the thread that Slack would show."""
    slack, asked = SlackThread(), f"safety {order}"
    thread = ThreadRef(slack.name, "C1", secrets.token_hex(6))
    async with runtime(load()) as built, built.delivering(slack) as pump:
        await built.intake.receive(Incoming(secrets.token_hex(6), thread, "Ada", asked, opens=True))
        await slack.ended.wait()
        await pump.drain()
    path = folder / "slack.html"
    path.write_text(slack.page(asked), encoding="utf-8")
    return path.as_uri()


async def taken(browser: Browser, address: str, to: Path, window: tuple[int, int] = DESK) -> None:
    """The whole of an HTML file or of a thread, once its executive summary is there."""
    size = {"width": window[0], "height": window[1]}
    tab = await browser.new_page(viewport=size, color_scheme="light")
    await tab.goto(address)
    heading = tab.get_by_role("heading", name="Executive summary").first
    await heading.wait_for(timeout=60_000)
    await tab.screenshot(path=to, full_page=True, timeout=60_000)
    await tab.close()


def pages(path: Path, to: Path) -> None:
    """The first pages of a PDF file, each with a fine edge."""
    document = pypdfium2.PdfDocument(path)
    shown = [document[place].render(scale=SCALE).to_pil() for place in range(min(PAGES, len(document)))]
    wide, high = shown[0].width + EDGE, shown[0].height + EDGE
    rows = -(-len(shown) // COLUMNS)
    sheet = Image.new("RGB", (COLUMNS * wide + EDGE, rows * high + EDGE), "silver")
    for place, one in enumerate(shown):
        sheet.paste(one, (EDGE + place % COLUMNS * wide, EDGE + place // COLUMNS * high))
    sheet.save(to)


def lighten(path: Path) -> None:
    """A picture as wide and long as the docs need, in few colours."""
    picture = Image.open(path).convert("RGB")
    picture = picture.crop((0, 0, picture.width, min(picture.height, picture.width * LONGEST)))
    picture.thumbnail((WIDEST, WIDEST * LONGEST))
    picture.quantize(256, Image.Quantize.FASTOCTREE).save(path, optimize=True)


if __name__ == "__main__":
    main()
