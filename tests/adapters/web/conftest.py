"""The real page over the demo archive, in a real headless browser."""

import asyncio
import atexit
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from playwright.async_api import Page, async_playwright

from adapters.cli.demo import ARCHIVE
from adapters.cli.page import page
from adapters.sections import WebSettings
from adapters.settings import Settings
from adapters.wiring import runtime
from retrieval.ingest.folder import Folder
from tests.journey.waiting import wait_for
from tests.support.services import program

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


@pytest.fixture(scope="session")
def archived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which the demo archive is indexed."""
    home = tmp_path_factory.mktemp("web-home")

    async def fill() -> None:
        async with runtime(Settings(home=home)) as built:
            await built.files.ingest(Folder(ARCHIVE))

    asyncio.run(fill())
    return home


@pytest.fixture
async def served(archived: Path) -> AsyncIterator[str]:
    """Address of the page."""
    async with page(Settings(home=archived, web=WebSettings(port=0))) as (server, address):
        serving = asyncio.create_task(server.serve())
        yield address
        server.stop()
        await serving


@cache
def browser_address() -> str:
    """Where a Chromium takes orders that runs until the tests end: starting one takes long."""
    profile = Path(mkdtemp(prefix="pestle-chromium-"))
    where = [f"--user-data-dir={profile}", "--remote-debugging-port=0", "--headless=new", "about:blank"]
    browser = subprocess.Popen([program("chromium"), *FLAGS, *where], stderr=subprocess.DEVNULL)

    def end() -> None:
        browser.terminate()
        browser.wait()
        shutil.rmtree(profile, ignore_errors=True)

    atexit.register(end)
    port = profile / "DevToolsActivePort"
    wait_for(lambda: port.is_file() and port.read_text(), 60, "Chromium")
    return f"http://127.0.0.1:{port.read_text().split()[0]}"


@asynccontextmanager
async def opened(**context: Any) -> AsyncIterator[Page]:
    """A tab with cookies and storage of its own. Fails at the end if the page's script raised an error."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.connect_over_cdp(browser_address())
        own = await browser.new_context(**context)
        tab = await own.new_page()
        errors: list[str] = []
        tab.on("pageerror", lambda error: errors.append(str(error)))
        tab.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        yield tab
        await own.close()
        assert errors == []


@pytest.fixture
async def tab() -> AsyncIterator[Page]:
    async with opened() as found:
        yield found
