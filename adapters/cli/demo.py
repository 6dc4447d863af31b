"""`pestle demo`: the main job on the demo archive, from documents to a cited answer to the page."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

from adapters.cli.archive import show_report
from adapters.cli.exits import check_done
from adapters.cli.session import ask, console, load, person, run_to_end, thread_named

if TYPE_CHECKING:
    from adapters.settings import Settings

ARCHIVE = Path(__file__).parents[1] / "demo" / "archive"
QUESTION = "What was the first-in-human dose of AF-2107, and why was its development stopped?"


def demo_command() -> None:
    """Index the demo archive, answer a question here, and open the page. Without a terminal: check the page
    and end.
    """
    run_to_end(_demo(load()))


async def _demo(settings: Settings) -> None:
    """Ingest, ask, serve."""
    from adapters.cli.terminal import Terminal
    from adapters.wiring import runtime
    from retrieval.ingest.folder import Folder

    terminal = Terminal(console, thread_named())
    async with runtime(settings) as built:
        console.print(f"Indexing {len(list(ARCHIVE.iterdir()))} documents of four invented molecules …")
        show_report(await built.files.ingest(Folder(ARCHIVE), by=person()))
        console.tell(f"\nAsking: {QUESTION}\n", "bold", wrap=True)
        record = await ask(built, terminal, QUESTION)
    if record:
        check_done(record)
    await _serve(settings)


async def _serve(settings: Settings) -> None:
    """The page: open until interrupted at a terminal; without one, checked once."""
    import asyncio

    from adapters.cli.page import page  # it loads a web server

    async with page(settings) as (server, address):
        serving = asyncio.create_task(server.serve())
        await _answering(address)
        console.print(f"The page is up at {address}", highlight=False)
        if console.is_terminal:
            console.print("Ask there, or drop your own documents on it. Ctrl-C ends it.")
            webbrowser.open(address)
        else:
            console.print("No terminal is attached, so it ends here; `pestle up` opens it and goes on.")
            server.stop()
        await serving


async def _answering(address: str) -> None:
    """Wait until the page answers. Raises `httpx.HTTPError` if it does not within some seconds."""
    import httpx

    transport = httpx.AsyncHTTPTransport(retries=5)
    async with httpx.AsyncClient(transport=transport, trust_env=False, timeout=10) as client:
        (await client.get(f"{address}/")).raise_for_status()
