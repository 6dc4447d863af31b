"""Where the archive's index is: on Elasticsearch if one is set, else in a file.

The client of Elasticsearch is imported where one is set only: it costs every start half a second.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from adapters.errors import SettingsError
from adapters.settings import Settings
from retrieval.errors import ArchiveNotFound, EncoderMismatch, RetrievalError
from retrieval.index.sqlite import SqliteIndex
from retrieval.ports import Encoder, Index

if TYPE_CHECKING:
    from retrieval.index.elastic.migrate import Reindexed
    from retrieval.index.elastic.prepare import Layout
    from retrieval.index.elastic.server import Server

logger = logging.getLogger(__name__)

LABELS = "-labels"
"""What the name of the labels' index adds to that of the archive."""


def open_index(settings: Settings, encoder: Encoder) -> Index:
    """The archive's index. Raises `IndexDamaged`, `EncoderMismatch`, `SettingsError`."""
    return _opened(settings, encoder, settings.index_path)


def open_readable_index(settings: Settings, encoder: Encoder, key: str) -> Index:
    """Where the documents that somebody may read are copied, beside the archive. Raises as `open_index`."""
    folder = settings.index_path.with_name(f"{settings.index_path.stem}-readable")
    return _opened(settings, encoder, folder / f"{key}.db", f"-readable-{key}")


def open_label_index(settings: Settings, encoder: Encoder) -> Index:
    """The index of drug labels, beside the archive's and apart from it. Raises as `open_index`."""
    path = settings.databases / "labels.db"
    try:
        return _opened(settings, encoder, path, LABELS)
    except EncoderMismatch as error:
        raise EncoderMismatch(
            f"The labels in {path} were loaded while another encoder was set. Set it back, or move that "
            f"file away and load the label files again: `pestle sources load FILE`."
        ) from error


def _opened(settings: Settings, encoder: Encoder, path: Path, suffix: str = "") -> Index:
    """The file, or what is on a server under the archive's name with a suffix. Raises as `open_index`."""
    if not settings.elasticsearch.urls:
        path.parent.mkdir(parents=True, exist_ok=True)
        return SqliteIndex(path, encoder)
    from retrieval.index.elastic.index import ElasticIndex

    server, layout = _elastic_place(settings, suffix)
    return ElasticIndex(server, encoder, layout, candidates=settings.elasticsearch.candidates)


def labels_kept(settings: Settings) -> bool:
    """Whether the file of labels holds any; a server is not asked for so little, and counts as holding some.

    It holds none where labels were loaded before they had an index, or where the file was moved away.
    """
    path = settings.databases / "labels.db"
    if settings.elasticsearch.urls or not path.is_file():
        return bool(settings.elasticsearch.urls)
    with (
        suppress(sqlite3.Error),
        closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as one,
    ):
        return one.execute("SELECT 1 FROM documents LIMIT 1").fetchone() is not None
    return True


async def reindex_archive(
    settings: Settings, encoder: Encoder, progress: Callable[[int, int], None]
) -> "Reindexed":
    """Bring archive and labels on Elasticsearch into the form of this version and the encoder in use.

    Raises `SettingsError` without one, and as `retrieval.index.elastic.migrate.reindex` does.
    """
    if not settings.elasticsearch.urls:
        raise SettingsError(
            f"PESTLE_ELASTICSEARCH_URL is not set. An index file is made anew: move {settings.index_path} "
            f"away and ingest again."
        )
    from retrieval.index.elastic.migrate import reindex

    done: list[Reindexed] = []
    for suffix in ("", LABELS):
        server, layout = _elastic_place(settings, suffix)
        with suppress(ArchiveNotFound):
            done.append(await reindex(server, encoder, layout, progress))
    if not done:
        alias = settings.elasticsearch.alias
        raise ArchiveNotFound(f"There is no index {alias} yet. Ingest documents first.")
    return done[0]


async def drop_index(settings: Settings, index: Index) -> None:
    """Delete the archive's index, if it is on a server: a trial's file goes with its folder.

    A server that is away is not waited for as for a write: what went wrong before is to be told soon.
    """
    chosen = settings.elasticsearch
    if not chosen.urls:
        return
    from retrieval.index.elastic.index import ElasticIndex

    assert isinstance(index, ElasticIndex)
    try:
        async with asyncio.timeout(chosen.patience):
            await index.drop()
    except (RetrievalError, TimeoutError) as error:
        logger.warning("The index %s stays on the server. Delete it there. %s", chosen.alias, error)


def _elastic_place(settings: Settings, suffix: str = "") -> "tuple[Server, Layout]":
    """Where the archive is, or what is kept apart from it under a name of its own.

    Raises `SettingsError` for what cannot be an address.
    """
    from retrieval.index.elastic.prepare import Layout
    from retrieval.index.elastic.server import Server

    chosen = settings.elasticsearch
    server = Server(
        chosen.urls,
        api_key=chosen.api_key.get_secret_value().strip(),
        ca_certs=chosen.ca_certs,
        fingerprint=chosen.fingerprint,
        timeout=chosen.timeout,
        patience=chosen.patience,
        write_patience=chosen.write_patience,
    )
    try:
        server.client()
    except ValueError as error:
        raise SettingsError(
            f"Elasticsearch cannot be used as it is set: {error}. PESTLE_ELASTICSEARCH_URL is such as "
            "https://search:9200; ca_certs and fingerprint are for https."
        ) from error
    return server, Layout(f"{chosen.alias}{suffix}", chosen.shards, chosen.replicas)
