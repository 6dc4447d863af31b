"""What a process opens of the archive and of models, each when it is first used.

What is costly to import is imported there too, in the function that opens it: the clients of a language model
and of Redis, the readers of documents and the models' runtimes take seconds, and most commands need none of
them.
"""

import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from adapters.errors import SettingsError
from adapters.settings import Settings
from agents.databases.ports import Web
from agents.ports import Entailment, Sandbox
from agents.trust.entail import ModelEntailment
from agents.trust.lexical import LexicalEntailment
from retrieval.ports import DocumentSource, Encoder, Index, OcrEngine, Reranker, Retriever
from retrieval.search import HybridRetriever

if TYPE_CHECKING:
    from adapters.files import ArchiveFiles
    from adapters.llm.model import OpenAIModel
    from adapters.model_sections import ModelSettings
    from adapters.models import Models
    from agents.chemistry.wording import Wording
    from agents.databases.label_store import LabelStore
    from retrieval.index.elastic.migrate import Reindexed
    from retrieval.parse.pool import ParserPool

PICTURE_WORKERS = 2
PICTURE_SECONDS = 20.0
"""Processes that draw pages, and how long one page may take: a reader waits for it."""


class Opened:
    """The archive, its models and readers, and the language model of a process."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._closing = AsyncExitStack()
        self._opening = threading.Lock()

    @cached_property
    def models(self) -> "Models":
        """Encoder and reranker. Raises `WeightsError`, `ModelsUnavailable`."""
        from adapters.models import models_elsewhere, models_here

        if not self.settings.models.remote:
            return models_here(self.settings)
        if not self.settings.redis.url:
            raise SettingsError(
                "PESTLE_MODELS_REMOTE needs PESTLE_REDIS_URL: the model workers are asked there."
            )
        from workers.models.client import ModelClient

        client = ModelClient(self.settings.redis.url, timeout_s=self.settings.models.timeout)
        self._closing.push_async_callback(client.close)
        return models_elsewhere(client)

    @property
    def encoder(self) -> Encoder:
        """The encoder in use. Raises as `models`."""
        return self.models.encoder

    @cached_property
    def wording(self) -> "Wording":
        """Judges what is asked for in words, by the encoder in use."""
        from agents.chemistry.wording import Wording

        return Wording(lambda: self.encoder)

    @property
    def reranker(self) -> Reranker:
        """The reranker in use, at its own threshold. Raises as `models`."""
        return self.models.reranker

    @cached_property
    def index(self) -> Index:
        """The archive's index: on Elasticsearch if one is set, else a file. Raises `IndexDamaged`."""
        from adapters.archive_index import open_index

        index = open_index(self.settings, self.encoder)
        self._closing.push_async_callback(index.close)
        return index

    @cached_property
    def label_index(self) -> Index:
        """The index of drug labels, apart from the archive's. Raises as `index`."""
        from adapters.archive_index import open_label_index

        index = open_label_index(self.settings, self.encoder)
        self._closing.push_async_callback(index.close)
        return index

    async def reindex(self, progress: Callable[[int, int], None]) -> "Reindexed":
        """See `adapters.archive_index.reindex_archive`."""
        from adapters.archive_index import reindex_archive

        return await reindex_archive(self.settings, self.encoder, progress)

    async def drop_index(self) -> None:
        """See `adapters.archive_index.drop_index`."""
        from adapters.archive_index import drop_index

        await drop_index(self.settings, self.index)

    @cached_property
    def retriever(self) -> Retriever:
        """Searches the archive's index."""
        return HybridRetriever(self.index, self.encoder)

    def labels_over(self, web: Web | None) -> "LabelStore":
        """Drug labels, with this way to the network or, with None, those alone that are loaded."""
        from agents.databases.label_store import LabelStore

        return LabelStore(self.label_index, HybridRetriever(self.label_index, self.encoder), web)

    @cached_property
    def entailment(self) -> Entailment:
        """Judges whether evidence carries a claim: asks the language model where there is one."""
        judge = self._model_settings.roles.get("entail", "")
        return ModelEntailment(self.model, judge=judge) if self.model else LexicalEntailment()

    @property
    def skills(self) -> Path | None:
        """The folder of the house's own guidance."""
        return self.settings.home / "skills"

    @property
    def literature(self) -> Path | None:
        """The folder of articles and data for protocols."""
        return Path(self.settings.sources.literature) if self.settings.sources.literature else None

    @property
    def oracle(self) -> Path | None:
        """The file of what predicts the activity of designed molecules."""
        return Path(self.settings.design.oracle) if self.settings.design.oracle else None

    @property
    def oracle_calls(self) -> int:
        """Molecules that one design may have scored."""
        return self.settings.design.calls

    @cached_property
    def sandbox(self) -> Sandbox:
        """Runs programs."""
        from adapters.sandbox import open_sandbox

        return open_sandbox(self.settings.sandbox)

    @cached_property
    def parsers(self) -> "ParserPool":
        """What reads documents, each in a process of its own, within the limits of the settings."""
        from retrieval.parse.pool import ParserPool

        limits = self.settings.ingest
        parsers = ParserPool(
            self._ocr, workers=limits.workers, seconds=limits.file_seconds, memory_mb=limits.file_memory
        )
        self._closing.push_async_callback(parsers.close)
        return parsers

    @cached_property
    def files(self) -> "ArchiveFiles":
        """Ingest, upload and originals."""
        from adapters.files import ArchiveFiles
        from retrieval.parse.pool import ParserPool

        limits = self.settings.ingest
        pictures = ParserPool(
            workers=PICTURE_WORKERS,
            seconds=min(PICTURE_SECONDS, limits.file_seconds),
            memory_mb=limits.file_memory,
        )
        self._closing.push_async_callback(pictures.close)
        room = (self.settings.home, self.index, self.encoder, self.parsers, pictures)
        chunks, texts = limits.file_chunks, limits.file_texts
        return ArchiveFiles(*room, told=self.tell_of, most_chunks=chunks, most_texts=texts)

    async def tell_of(self, by: str, **documents: Sequence[str]) -> None:
        """Put on record which documents were added, changed and removed, by whom."""

    def embedding(self) -> AbstractAsyncContextManager[None]:
        """Encode what is found by words alone as long as the context is open."""
        from agents.runs.background import in_background
        from retrieval.ingest.meaning import embed_always

        most = self.settings.ingest.file_texts
        return in_background(embed_always(lambda: self.index, lambda: self.encoder, most))

    def files_once(self) -> "ArchiveFiles":
        """`files`, opened once though several threads ask for it at a time."""
        with self._opening:
            return self.files

    def source(self, place: str, *, by_stat: bool = False) -> DocumentSource:
        """Where documents are: a path or an s3:// URL. See `adapters.sources.source`."""
        from adapters.sources import source

        return source(place, self.settings.s3, by_stat=by_stat)

    @cached_property
    def model(self) -> "OpenAIModel | None":
        """The language model, if one is set."""
        return self.model_named("")

    def model_named(self, name: str) -> "OpenAIModel | None":
        """As `model`, with another model of its endpoint in all roles if one is named."""
        if not self.settings.model.base_url:
            return None
        from adapters.llm.cache import FileCache
        from adapters.llm.model import OpenAIModel

        rate = None
        if (limit := self.settings.model.tokens_minute) and (url := self.settings.redis.url):
            from workers.rate import TokenRate

            rate = TokenRate(url, limit)
            self._closing.push_async_callback(rate.close)
        cache = FileCache(self.settings.home / "model-answers.db")
        settings = self._model_settings
        if name:
            settings = settings.model_copy(update={"name": name, "roles": {}})
        model = OpenAIModel(settings, cache, rate=rate)
        self._closing.push_async_callback(model.close)
        return model

    @property
    def _model_settings(self) -> "ModelSettings":
        """Those of the language model, with the judge of statements as one of its roles."""
        settings, judge = self.settings.model, self.settings.judge.model
        return settings.model_copy(update={"roles": settings.roles | ({"entail": judge} if judge else {})})

    @property
    def _ocr(self) -> OcrEngine | None:
        """The engine for scanned pages: a vision model if one is set, else tesseract if it is installed."""
        if self.settings.model.vision:
            from adapters.llm.vision import VisionOcr

            return VisionOcr(self.settings.model)
        from retrieval.parse.ocr import Tesseract

        return Tesseract.find()
