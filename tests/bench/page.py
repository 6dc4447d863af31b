"""What a browser without a cache loads for the page, and when it has painted it: weight and first paint."""

import asyncio
import shutil
import time
from pathlib import Path

from playwright.async_api import Browser, async_playwright

from adapters.cli.demo import ARCHIVE
from adapters.cli.page import page
from adapters.sections import WebSettings
from adapters.settings import Settings
from adapters.wiring import runtime
from retrieval.ingest.folder import Folder
from tests.bench.report import Measure

WEIGHT_KB, PAINT_MS, SERVED_MS = 100, 1_000, 5_000
TOLD = """() => ({
  bytes: performance.getEntries().reduce((sum, one) => sum + (one.transferSize ?? 0), 0),
  paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
})"""


async def measure(folder: Path) -> list[Measure]:
    """The page over the demo archive, from a server that was just started."""
    settings = Settings(home=folder, web=WebSettings(port=0))
    async with runtime(settings) as built:
        await built.files.ingest(Folder(ARCHIVE))
    began = time.perf_counter()
    async with page(settings) as (server, address), async_playwright() as playwright:
        serving = asyncio.create_task(server.serve())
        ready = 1000 * (time.perf_counter() - began)
        browser = await playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        weight, paint = await first_look(browser, address)
        await browser.close()
        server.stop()
        await serving
    return [
        Measure("the page is served", ready, "ms", f"<= {SERVED_MS}", ready <= SERVED_MS),
        Measure("weight of the page", weight, "KB", f"<= {WEIGHT_KB}", weight <= WEIGHT_KB),
        Measure("first paint", paint, "ms", f"<= {PAINT_MS}", paint <= PAINT_MS),
    ]


async def first_look(browser: Browser, address: str) -> tuple[float, float]:
    """KB that the first look at the page transfers, and ms to its first paint."""
    tab = await browser.new_page()
    await tab.goto(address, wait_until="load")
    await tab.wait_for_timeout(1_000)
    told = await tab.evaluate(TOLD)
    return told["bytes"] / 1000, told["paint"]
