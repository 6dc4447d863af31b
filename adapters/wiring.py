"""Builds the runtime: the one place that knows which implementation of each port is in use.

What is costly to open (weights, index) is opened when first used, so that `pestle runs` needs neither. What
is costly to import is imported there too, in the function that opens it: the clients of a language model and
of Redis, the readers of documents and the models' runtimes take seconds, and most commands need none of them.
"""

import asyncio
import os
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cached_property, partial
from typing import TYPE_CHECKING

from adapters.archived import Archived
from adapters.attached import FetchedFiles
from adapters.errors import SettingsError
from adapters.house import OpenHouse
from adapters.kinds import KINDS
from adapters.news import ArchiveNews
from adapters.settings import Settings
from adapters.storage import Storage, open_storage
from agents.databases.ports import Reach
from agents.evidence.sources import Sources
from agents.kinds import AnyKind, Kinds, Watch
from agents.minds.choose import choose
from agents.ports import Ledger
from agents.runs.clock import Clock, utc_now
from agents.runs.pipeline import Pipeline
from agents.runs.records import Budget, RunRecord, RunState
from agents.tools.kept import kept
from agents.tools.toolset import Toolset
from bot.access import Access
from bot.additions import Additions
from bot.delivery import Pump
from bot.desk import Desk
from bot.digests.contents import Gatherer
from bot.digests.orders import DigestOrders
from bot.digests.service import Telling
from bot.hand_on import hand_on
from bot.intake import Intake
from bot.ports import ChatPlatform, FileMaker, FileReader, JobQueue
from bot.replies import ExportPlace, export_by_command
from bot.rooms import Rooms
from bot.views import Views
from retrieval.calibration import Calibration, read_calibration
from retrieval.errors import CalibrationError
from retrieval.ports import DocumentSource, Encoder, Index, OcrEngine, Reranker
from workers.executor import Executor
from workers.inprocess import InProcessQueue

if TYPE_CHECKING:
    from adapters.files import ArchiveFiles
    from adapters.llm.model import OpenAIModel
    from adapters.mcp.others import OtherServers
    from adapters.models import Models
    from retrieval.index.elastic.migrate import Reindexed
    from retrieval.parse.pool import ParserPool

LOOK_S = 0.1
"""How often a waiting command looks whether its run has ended."""
PICTURE_WORKERS = 2
PICTURE_SECONDS = 20.0
"""Processes that draw pages, and how long one page may take: a reader waits for it."""


class Runtime:
    """Everything a process works with. Made by `runtime`, which closes it."""

    def __init__(self, settings: Settings, storage: Storage, kinds: Sequence[AnyKind] = KINDS) -> None:
        self.settings = settings
        self.storage = storage
        self.kinds = Kinds(kinds)
        self.owner = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(3)}"
        self._closing = AsyncExitStack()

    @property
    def ledger(self) -> Ledger:
        """The run ledger."""
        return self.storage.ledger

    @property
    def sources(self) -> Sources:
        """What was cited beside the archive's documents."""
        return self.storage.sources

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
    def calibration(self) -> Calibration:
        """What was learnt from judged queries, else the defaults. Raises `CalibrationError`."""
        path = self.settings.calibration_path
        if self.settings.index.calibration and not path.is_file():
            raise CalibrationError(
                f"PESTLE_INDEX_CALIBRATION names {path}, and there is no such file. `pestle calibrate` "
                "writes it; take the setting out to use the defaults."
            )
        calibration = read_calibration(path)
        calibration.check(self.encoder.name, self.reranker.name, path)
        return calibration

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
        home, most = self.settings.home, limits.file_chunks
        return ArchiveFiles(home, self.index, self.encoder, self.parsers, pictures, most_chunks=most)

    def source(self, place: str, *, by_stat: bool = False) -> DocumentSource:
        """Where documents are: a path or an s3:// URL. See `adapters.sources.source`."""
        from adapters.sources import source

        return source(place, self.settings.s3, by_stat=by_stat)

    @cached_property
    def model(self) -> "OpenAIModel | None":
        """The language model, if one is set."""
        if not self.settings.model.base_url:
            return None
        from adapters.llm.cache import FileCache
        from adapters.llm.model import OpenAIModel

        model = OpenAIModel(self.settings.model, FileCache(self.settings.home / "model-answers.db"))
        self._closing.push_async_callback(model.close)
        return model

    @cached_property
    def house(self) -> OpenHouse:
        """What kinds of runs may open."""
        return OpenHouse(self)

    @cached_property
    def reach(self) -> Reach:
        """How public databases are reached. Raises `SettingsError`."""
        from adapters.sources.reach import open_reach

        opened = open_reach(self.settings)
        self._closing.push_async_callback(opened.close)
        return opened.reach

    @cached_property
    def house_tools(self) -> Toolset:
        """The tools of the house itself: those of its kinds, and public databases. Raises `SettingsError`."""
        from agents.databases.toolset import database_tools

        return self.kinds.toolset(self.house).joined(database_tools(self.reach))

    async def toolset(self) -> Toolset:
        """The house's tools and those of other MCP servers. What they fetch is kept in `sources`."""
        others = [] if self._others is None else [await self._others.toolset()]
        return self.house_tools.joined(*others).map(lambda tool: kept(tool, self.sources))

    @cached_property
    def _others(self) -> "OtherServers | None":
        """The other MCP servers, if any are set."""
        if not (settings := self.settings.mcp).servers:
            return None
        from adapters.mcp.foreign import Rules
        from adapters.mcp.others import OtherServers

        rules = Rules(settings.characters, settings.approval)
        found = OtherServers(settings.servers, rules, seconds=settings.timeout, logs=self.settings.home)
        self._closing.push_async_callback(found.close)
        return found

    @cached_property
    def pipelines(self) -> Mapping[str, Pipeline]:
        """How each kind of run is executed."""
        return self.kinds.pipelines(self.house)

    @cached_property
    def views(self) -> Views:
        """Runs as skins see them."""
        return Views(self.kinds, self.ledger, self.storage.revisions)

    @cached_property
    def rooms(self) -> Rooms:
        """What everything that acts on conversations works with."""
        kept = self.storage
        return Rooms(kept.ledger, kept.conversations, kept.outbox, self.queue, self.views)

    @cached_property
    def desk(self) -> Desk:
        """What a person finds on their own page of a chat platform."""
        kept = self.storage
        return Desk(kept.ledger, kept.conversations, self.views, partial(budget, self.settings))

    @cached_property
    def executor(self) -> Executor:
        """Executes runs in this process."""
        storage, lease = self.storage, self.settings.run.lease
        return Executor(
            storage.ledger,
            storage.conversations,
            storage.outbox,
            self.pipelines,
            self.views,
            owner=self.owner,
            artefacts=storage.artefacts,
            lease_seconds=lease,
        )

    @cached_property
    def queue(self) -> JobQueue:
        """Redis if one is set; else runs are executed by this process."""
        if url := self.settings.redis.url:
            from workers.queue import RedisQueue

            redis = RedisQueue.at(url)
            self._closing.push_async_callback(redis.close)
            return redis
        inside = InProcessQueue(self._execute)
        self._closing.push_async_callback(inside.close)
        return inside

    @cached_property
    def _watches(self) -> Mapping[str, Watch]:
        """What each kind of run can watch."""
        opened = ((kind.name, kind.watch(self.house)) for kind in self.kinds)
        return {name: watch for name, watch in opened if watch is not None}

    @cached_property
    def _gatherer(self) -> Gatherer:
        """What digests tell."""
        kept, news = self.storage, ArchiveNews(lambda: self.house)
        return Gatherer(kept.ledger, kept.conversations, self.views, news, self._watches)

    @cached_property
    def orders(self) -> DigestOrders:
        """What people say about digests."""
        kept = self.storage
        return DigestOrders(kept.digests, kept.conversations, self.views, self._gatherer, self._watches)

    def telling(self, clock: Clock = utc_now) -> Telling:
        """What tells digests when they are due by a clock."""
        return Telling(self.storage.digests, self.rooms, self._gatherer, clock)

    @cached_property
    def intake(self) -> Intake:
        """Where messages enter."""
        return self.intake_with(export_by_command)

    def intake_with(self, export_place: ExportPlace, files: FileReader | None = None) -> Intake:
        """The intake of a skin with a place of its own for exported answers, or with files in messages."""
        kept = self.storage
        additions = None
        if isinstance(files, FetchedFiles):
            keeper = Archived(files, lambda: self.files)
            additions = Additions(kept.conversations, kept.outbox, keeper)
        chooser = self._choose if self.settings.model.base_url else None
        intake = Intake(
            self.rooms,
            budget=partial(budget, self.settings),
            chooser=chooser,
            export_place=export_place,
            access=accesses(self.settings),
            files=files,
            orders=self.orders,
            additions=additions,
        )
        self._closing.push_async_callback(intake.settle)
        return intake

    async def _choose(self, text: str, kinds: Sequence[AnyKind]) -> str:
        """The kind of run that a message is meant for, as the language model sees it."""
        if self.model is None:
            return ""
        options = {kind.name: "; ".join((kind.title, *kind.help)) for kind in kinds}
        return await choose(self.model, text, options)

    async def suggested(self, record: RunRecord) -> tuple[str, ...]:
        """Questions that may be asked after a run, each of which the archive answers."""
        return await self.kinds.suggested(self.house, record)

    @property
    def _ocr(self) -> OcrEngine | None:
        """The engine for scanned pages: a vision model if one is set, else tesseract if it is installed."""
        if self.settings.model.vision:
            from adapters.llm.vision import VisionOcr

            return VisionOcr(self.settings.model)
        from retrieval.parse.ocr import Tesseract

        return Tesseract.find()

    async def _execute(self, run_id: str) -> None:
        await self.executor.execute(run_id)

    async def finished(self, run_id: str) -> RunRecord:
        """Wait until a run is over and its report handed over, or until it waits for a person; the run then.

        A run that a process died over is taken up here as soon as its lease has run out.
        """
        while True:
            record = await self.ledger.run(run_id)
            if record is not None and (record.ended or record.state is RunState.WAITING):
                await self.executor.hand_over(run_id)
                return record
            if record is not None and not self.settings.redis.url:
                await self.queue.enqueue(run_id, record.queue)
            await asyncio.sleep(LOOK_S)

    async def enqueue(self, run_id: str) -> None:
        """Hand a run to whoever executes it, in the queue of its kind. Raises `QueueDown`."""
        if record := await self.ledger.run(run_id):
            await hand_on(record, self.ledger, self.queue)

    def pump(self, *platforms: ChatPlatform) -> Pump:
        """What brings cards from the outbox to these platforms."""
        kept = self.storage
        return Pump(kept.outbox, kept.ledger, platforms, owner=self.owner, files=self.files_out)

    @cached_property
    def files_out(self) -> FileMaker:
        """What makes the files that are handed out."""
        from adapters.export.handed import HandedFiles

        return HandedFiles(self.views, self.storage.ledger, self.storage.artefacts)

    @asynccontextmanager
    async def delivering(self, *platforms: ChatPlatform) -> AsyncIterator[Pump]:
        """Deliver cards to these platforms while the context is open."""
        pump = self.pump(*platforms)
        stop = asyncio.Event()
        pumping = asyncio.create_task(pump.run(stop))
        try:
            yield pump
        finally:
            stop.set()
            await pumping

    async def close(self) -> None:
        """Hand unfinished runs back and close what was opened."""
        await self._closing.aclose()
        await self.storage.close()


@asynccontextmanager
async def runtime(settings: Settings, kinds: Sequence[AnyKind] = KINDS) -> AsyncIterator[Runtime]:
    """A runtime for these kinds of runs, closed at the end. Raises `StorageError`, `SettingsError`."""
    try:
        settings.home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SettingsError(
            f"PESTLE_HOME is {settings.home}, and that folder cannot be made: {error.strerror}."
        ) from error
    built = Runtime(settings, await open_storage(settings.database_url), kinds)
    try:
        yield built
    finally:
        await built.close()


def accesses(settings: Settings) -> Mapping[str, Access]:
    """Who may ask, by platform."""
    slack, teams = settings.slack, settings.teams
    return {
        "slack": Access(slack.teams, slack.channels, slack.users, slack.guests),
        "teams": Access(teams.tenants, teams.channels, teams.users),
    }


def budget(settings: Settings, kind: AnyKind) -> Budget:
    """The limits of a run: those of its kind, where the settings name no others."""
    run, own = settings.run, kind.limits.budget
    return Budget(
        run.seconds if "seconds" in run.model_fields_set else own.seconds,
        (run.tokens or None) if "tokens" in run.model_fields_set else own.tokens,
        (run.cost_usd or None) if "cost_usd" in run.model_fields_set else own.cost_usd,
    )
