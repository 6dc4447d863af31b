"""The real page over the demo archive, in a real headless browser."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, async_playwright

from adapters.cli.demo import ARCHIVE
from adapters.cli.page import page
from adapters.sections import WebSettings
from adapters.settings import Settings
from adapters.wiring import runtime
from retrieval.ingest.folder import Folder
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


@asynccontextmanager
async def opened(**context: object) -> AsyncIterator[Page]:
    """A tab. Fails at the end if the page's script raised an error."""
    async with async_playwright() as playwright:
        browser: Browser = await playwright.chromium.launch(executable_path=program("chromium"), args=FLAGS)
        tab = await (await browser.new_context(**context)).new_page()  # type: ignore[arg-type]
        errors: list[str] = []
        tab.on("pageerror", lambda error: errors.append(str(error)))
        tab.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        yield tab
        await browser.close()
        assert errors == []


@pytest.fixture
async def tab() -> AsyncIterator[Page]:
    async with opened() as found:
        yield found
