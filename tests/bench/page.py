"""What a browser without a cache loads for the page, and when it has painted it: weight and first paint. The
same with 500 threads and a document of 400 pages, and how long what a reader does takes then.
"""

import asyncio
import secrets
import shutil
import time
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from playwright.async_api import Browser, Page, async_playwright
from reportlab.pdfgen.canvas import Canvas

from adapters.cli.demo import ARCHIVE
from adapters.cli.page import page
from adapters.sections import WebSettings
from adapters.settings import Settings
from adapters.wiring import Runtime, runtime
from agents.runs.records import RunState
from bot.values import Incoming, ThreadRef
from retrieval.ingest.folder import Folder
from tests.bench.report import Measure

WEIGHT_KB, PAINT_MS, SERVED_MS = 100, 1_000, 5_000
THREADS, PAGES, LINES = 500, 400, 12
"""Of a page that is in use: threads, and the pages of a document and their lines."""
ASKED = "What was the plasma level of ZQ-7 in animal {}?"
FULL_KB, FULL_PAINT_MS, DONE_MS = 400, 1_500, 2_000
"""What it may weigh, when it is painted, and how long a reader waits for what was done."""
PATIENCE_MS = 120_000
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
    async with looking(settings) as (browser, address, served):
        ready = 1000 * (served - began)
        weight, paint = await first_look(browser, address)
    return [
        Measure("the page is served", ready, "ms", f"<= {SERVED_MS}", ready <= SERVED_MS),
        Measure("weight of the page", weight, "KB", f"<= {WEIGHT_KB}", weight <= WEIGHT_KB),
        Measure("first paint", paint, "ms", f"<= {PAINT_MS}", paint <= PAINT_MS),
    ]


async def measure_full(folder: Path) -> list[Measure]:
    """The page of somebody who has 500 threads, each as long as an answer, on a document with 400 pages."""
    settings = Settings(home=folder / "home", web=WebSettings(port=0))
    (folder / "archive").mkdir()
    _write(folder / "archive" / "ZQ-7 plasma levels.pdf")
    async with runtime(settings) as built:
        await built.files.ingest(Folder(folder / "archive"))
        await _fill(built)
    async with looking(settings) as (browser, address, _):
        weight, paint = await first_look(browser, address)
        tab = await browser.new_page()
        await tab.goto(address)
        await tab.locator("#ask button:enabled").wait_for()
        asked = ASKED.format(_animal(PAGES - 10))
        await tab.get_by_label("Your question").fill(asked)
        answered = await _took(tab, "#ask button", "article.answer a.cite")
        opened = await _took(tab, "article.answer a.cite", "#drawer img.page-image")
        drawn = await _until(tab.locator("#drawer img.page-image").evaluate("one => one.decode()"))
        began = time.perf_counter()
        await tab.get_by_label("Search threads").fill(_animal(7))
        await tab.locator("#threads li").nth(3).wait_for(state="detached")
        found = 1000 * (time.perf_counter() - began)
    full = f"with {THREADS} threads and {PAGES} pages"
    done = {
        "a question is answered": answered,
        "a citation opens": opened + drawn,
        "threads are searched": found,
    }
    return [
        Measure(f"weight of the page {full}", weight, "KB", f"<= {FULL_KB}", weight <= FULL_KB),
        Measure(f"first paint {full}", paint, "ms", f"<= {FULL_PAINT_MS}", paint <= FULL_PAINT_MS),
        *(Measure(f"{what} {full}", ms, "ms", f"<= {DONE_MS}", ms <= DONE_MS) for what, ms in done.items()),
    ]


def _animal(number: int) -> str:
    return f"A{1_000 + number}"


def _write(path: Path) -> None:
    """A report, a page for each animal."""
    canvas = Canvas(str(path))
    for number in range(PAGES):
        canvas.drawString(
            60, 800, f"In animal {_animal(number)} the plasma level of ZQ-7 was {number + 3} ng/mL."
        )
        for line in range(LINES):
            canvas.drawString(
                60, 780 - 18 * line, f"Observation {line} of animal {_animal(number)}: no change of note."
            )
        canvas.showPage()
    canvas.save()


async def _fill(built: Runtime) -> None:
    """Threads on the page: of one a question is answered, the others hold that run with another animal."""
    asked = Incoming("first", _thread(), "you", ASKED.format(_animal(0)), opens=True)
    receipt = await built.intake.receive(asked)
    done = await built.finished(receipt.run_id)
    for number in range(1, THREADS):
        animal, run_id = _animal(number % PAGES), secrets.token_hex(6)
        inputs, result = (text.replace(_animal(0), animal) for text in (done.inputs, done.result))
        thread_id = _thread().thread_id
        run = replace(done, run_id=run_id, request_key=run_id, thread_id=thread_id, inputs=inputs)
        run = replace(run, state=RunState.QUEUED, result="")
        await built.ledger.create(run)
        await built.ledger.set_state(run_id, RunState.DONE, result=result)
        await built.ledger.handed_over(run)


def _thread() -> ThreadRef:
    return ThreadRef("web", "archive", secrets.token_hex(6))


async def _took(tab: Page, press: str, shows: str) -> float:
    """ms from a press until this is shown."""
    await tab.locator(press).first.click()
    return await _until(tab.locator(shows).first.wait_for(timeout=PATIENCE_MS))


async def _until(done: Awaitable[object]) -> float:
    began = time.perf_counter()
    await done
    return 1000 * (time.perf_counter() - began)


@asynccontextmanager
async def looking(settings: Settings) -> AsyncIterator[tuple[Browser, str, float]]:
    """A browser, the address of a server that was just started, and when it was ready."""
    async with page(settings) as (server, address), async_playwright() as playwright:
        serving = asyncio.create_task(server.serve())
        ready = time.perf_counter()
        browser = await playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        yield browser, address, ready
        await browser.close()
        server.stop()
        await serving


async def first_look(browser: Browser, address: str) -> tuple[float, float]:
    """KB that the first look at the page transfers, and ms to its first paint."""
    tab = await browser.new_page()
    await tab.goto(address, wait_until="load")
    await tab.wait_for_timeout(1_000)
    told = await tab.evaluate(TOLD)
    return told["bytes"] / 1000, told["paint"]
