"""The archive that an evaluation asks: one of its own, made of a folder and thrown away, or the one set."""

import secrets
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from adapters.cli.session import console
from adapters.data_sections import DatabaseSettings, ElasticsearchSettings
from adapters.settings import Settings
from adapters.wiring import runtime
from agents.archive.tools import ArchiveTools
from agents.archive.work import tools_of
from retrieval.ingest.folder import Folder


def tools_for(settings: Settings) -> Callable[[Path], AbstractAsyncContextManager[ArchiveTools]]:
    """Tools over a fresh index of a folder, in a home of its own that is thrown away."""

    @asynccontextmanager
    async def opened(documents: Path) -> AsyncIterator[ArchiveTools]:
        with tempfile.TemporaryDirectory(prefix="pestle-eval-") as home:
            apart = settings.model_copy(
                update={
                    "home": Path(home),
                    "database": DatabaseSettings(),
                    "index": settings.index.model_copy(update={"path": ""}),
                    "elasticsearch": _under_another_name(settings),
                }
            )
            async with runtime(apart) as built:
                try:
                    report = await built.files.ingest(Folder(documents))
                    for skipped in report.skipped:
                        said = f"Skipped: {skipped.path}: {skipped.reason}"
                        console.print(said, style="yellow", markup=False)
                    yield tools_of(built.house)
                finally:
                    await built.drop_index()

    return opened


def tools_as_set(settings: Settings) -> Callable[[Path], AbstractAsyncContextManager[ArchiveTools]]:
    """Tools over the archive that is set; the folder is not looked at."""

    @asynccontextmanager
    async def opened(_documents: Path) -> AsyncIterator[ArchiveTools]:
        async with runtime(settings) as built:
            yield tools_of(built.house)

    return opened


def _under_another_name(settings: Settings) -> ElasticsearchSettings:
    """The server that is set, with an index for this evaluation only."""
    return settings.elasticsearch.model_copy(update={"alias": f"pestle-eval-{secrets.token_hex(6)}"})
