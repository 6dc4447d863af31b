"""The archive that an evaluation asks: one of its own, made of a folder and thrown away, or the one set."""

import secrets
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from adapters.cli.session import console
from adapters.data_sections import DatabaseSettings
from adapters.settings import Settings
from adapters.wiring import Runtime, runtime
from agents.archive.tools import ArchiveTools
from agents.archive.work import tools_of
from retrieval.ingest.folder import Folder


@asynccontextmanager
async def house_apart(settings: Settings) -> AsyncIterator[Runtime]:
    """A house with an empty index, in a home of its own; both are thrown away."""
    with tempfile.TemporaryDirectory(prefix="pestle-eval-") as home:
        alone = {"alias": f"pestle-eval-{secrets.token_hex(6)}", "replicas": 0}
        fresh = settings.model_copy(
            update={
                "home": Path(home),
                "database": DatabaseSettings(),
                "index": settings.index.model_copy(update={"path": ""}),
                "elasticsearch": settings.elasticsearch.model_copy(update=alone),
            }
        )
        async with runtime(fresh) as built:
            try:
                yield built
            finally:
                await built.drop_index()


def tools_for(settings: Settings) -> Callable[[Path], AbstractAsyncContextManager[ArchiveTools]]:
    """Tools over a fresh index of a folder, which is thrown away."""

    @asynccontextmanager
    async def opened(documents: Path) -> AsyncIterator[ArchiveTools]:
        async with house_apart(settings) as built:
            report = await built.files.ingest(Folder(documents))
            for skipped in report.skipped:
                said = f"Skipped: {skipped.path}: {skipped.reason}"
                console.tell(said, "yellow", wrap=True)
            yield tools_of(built.house)

    return opened


def tools_as_set(settings: Settings) -> Callable[[Path], AbstractAsyncContextManager[ArchiveTools]]:
    """Tools over the archive that is set; the folder is not looked at."""

    @asynccontextmanager
    async def opened(_documents: Path) -> AsyncIterator[ArchiveTools]:
        async with runtime(settings) as built:
            yield tools_of(built.house)

    return opened
