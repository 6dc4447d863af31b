"""What commands on judged queries share: their options, an index apart from the archive's, and progress."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.screen import Screen
from adapters.errors import SettingsError

if TYPE_CHECKING:
    from adapters.data_sections import ElasticsearchSettings
    from adapters.model_sections import EncoderSettings
    from adapters.settings import Settings
    from adapters.wiring import Runtime
    from retrieval.embed.vector_cache import CachedEncoder


class IndexKind(StrEnum):
    """Which index the documents go into."""

    EMBEDDED = "embedded"
    ELASTICSEARCH = "elasticsearch"


FOLDER_HELP = "Folder in BEIR form: corpus.jsonl, queries.jsonl, qrels/*.tsv."
Folder = Annotated[Path, typer.Argument(help=FOLDER_HELP)]
Kind = Annotated[IndexKind, typer.Option("--index", help="The server is that of PESTLE_ELASTICSEARCH_URL.")]
Split = Annotated[str, typer.Option(help="File of qrels/ to use, such as test; needed if there are several.")]
Documents = Annotated[
    int, typer.Option(min=0, help="Use only the first so many documents, and their queries; 0: all.")
]
Model = Annotated[
    Path | None, typer.Option(help="Folder with a sentence-transformers model, instead of the encoder set.")
]
Cache = Annotated[
    Path | None, typer.Option(help="Where vectors are kept for the next time; default: cache in PESTLE_HOME.")
]


@asynccontextmanager
async def apart(
    settings: Settings, kind: IndexKind, cache: Path | None, model: Path | None = None
) -> AsyncIterator[tuple[Runtime, CachedEncoder]]:
    """A runtime with an empty index that is thrown away, and its encoder with the vectors kept.

    With another `model` than the one set, the calibration, which was learnt for that one, is left out. Raises
    `SettingsError` if the index is to be on a server and none is set.
    """
    from adapters.data_sections import DatabaseSettings
    from adapters.wiring import runtime
    from retrieval.embed.vector_cache import CachedEncoder

    with tempfile.TemporaryDirectory(prefix="pestle-eval-") as home:
        index = settings.index_elsewhere
        fresh = settings.model_copy(
            update={
                "home": Path(home),
                "database": DatabaseSettings(),
                "index": index.model_copy(update={"calibration": ""}) if model else index,
                "elasticsearch": _server(settings, kind),
                "encoder": _encoder(settings, model),
            }
        )
        async with runtime(fresh) as built:
            place = (cache or settings.home / "cache") / "vectors.db"
            encoder = CachedEncoder(built.encoder, place, settings.encoder.question_instruction)
            try:
                yield built, encoder
            finally:
                await built.drop_index()
                encoder.close()


def _server(settings: Settings, kind: IndexKind) -> ElasticsearchSettings:
    """No server, or the one that is set with an index for this command only."""
    from adapters.data_sections import ElasticsearchSettings

    if kind is IndexKind.EMBEDDED:
        return ElasticsearchSettings()
    if not settings.elasticsearch.urls:
        raise SettingsError("No Elasticsearch is set. Name one in PESTLE_ELASTICSEARCH_URL.")
    alone = {"alias": f"pestle-eval-{secrets.token_hex(6)}", "replicas": 0}
    return settings.elasticsearch.model_copy(update=alone)


def _encoder(settings: Settings, model: Path | None) -> EncoderSettings:
    """The encoder that is set, or the model in a folder on the same device."""
    from adapters.model_sections import EncoderSettings

    if model is None:
        return settings.encoder
    chosen = settings.encoder
    return EncoderSettings(
        kind="sentence-transformers", model=str(model), device=chosen.device, precision=chosen.precision
    )


@contextmanager
def progress_bar() -> Iterator[Callable[[str, int, int], None]]:
    """A bar on standard error that shows what is being done, how far it is, and how long it will take."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    screen = Screen(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bar:
        tasks = {}

        def shown(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=total)
            bar.update(tasks[what], completed=done)

        yield shown
