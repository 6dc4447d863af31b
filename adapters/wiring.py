"""Builds the runtime: the one place that knows which implementation of each port is in use.

What is costly to open (weights, index) is opened when first used (`adapters.opened`), so that `pestle runs`
needs neither.
"""

import asyncio
import json
import logging
import os
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar

from adapters.archive_index import labels_kept
from adapters.archived import Archived
from adapters.attached import FetchedFiles
from adapters.errors import SettingsError
from adapters.kinds import KINDS
from adapters.members import members
from adapters.names import HouseNames
from adapters.news import ArchiveNews
from adapters.opened import Opened
from adapters.settings import Settings
from adapters.storage import Storage, open_storage
from adapters.storage.database import Database
from adapters.storage.host_locks import FileLocks
from adapters.storage.ledger import SqlLedger
from agents.databases.ports import Reach
from agents.evidence.sources import Sources
from agents.house import House
from agents.kinds import AnyKind, Kinds, Watch
from agents.ports import Ledger
from agents.runs.clock import Clock, utc_now
from agents.runs.lease import Heartbeat
from agents.runs.pipeline import Pipeline
from agents.runs.records import Budget, RunRecord, RunState
from agents.tools.kept import kept
from agents.tools.reply import ToolReply
from agents.tools.tool import Tool
from agents.tools.toolset import Toolset
from bot.access import Access
from bot.additions import Additions
from bot.delivery import Pump
from bot.desk import PersonalPage
from bot.digests.contents import Gatherer
from bot.digests.orders import DigestOrders
from bot.digests.service import Telling
from bot.hand_on import hand_on
from bot.intake import Intake
from bot.ports import ChatPlatform, FileMaker, FileReader, JobQueue, ShowsFiles
from bot.record_cards import listed
from bot.replies import ExportPlace, export_by_command
from bot.rights import PAGE, Readers, Reads
from bot.services import Services
from bot.turns import Turns
from bot.values import Incoming, ThreadRef
from bot.views import Views
from bot.waits import Waits
from retrieval.collections import Collection, collections_of
from retrieval.errors import RetrievalError
from retrieval.values import Filters
from workers.executor import Executor
from workers.inprocess import InProcessQueue

if TYPE_CHECKING:
    from adapters.mcp.others import OtherServers
    from adapters.traces import Traces
    from agents.databases.labels import Labels

T = TypeVar("T")

logger = logging.getLogger(__name__)

LOOK_S = 0.1
"""How often a waiting command looks whether its run has ended."""
IN_HAND_S = 1.0
"""The same for a run that this process executes: its end is noticed at once."""
READERS_KEPT = 32
"""Sets of collections whose readers' indexes stay open."""


class Runtime(Opened):
    """Everything a process works with. Made by `runtime`, which closes it."""

    takes_files = True
    """Whether files can be added to the archive."""
    reads: Reads = None
    """The collections that may be read."""

    def __init__(self, settings: Settings, storage: Storage, kinds: Sequence[AnyKind] = KINDS) -> None:
        super().__init__(settings)
        self.storage = storage
        self.kinds = Kinds(kinds)
        self.owner = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(3)}"
        self._heartbeat = Heartbeat(self._ledger_apart)
        self._starters: tuple[frozenset[str], tuple[str, ...]] = (frozenset(), ())
        """Of the documents with these hashes."""
        self._readers: dict[tuple[frozenset[str], tuple[Collection, ...]], Runtime] = {}
        """Those asked last stand last."""
        self._made: dict[object, Any] = {}

    @cached_property
    def readers(self) -> Readers:
        """Who may read what."""
        kept = self.storage
        return Readers(kept.policies, kept.conversations, members(self.settings, kept))

    async def reading(self, reads: Reads) -> "Runtime":
        """The runtime as who may read these collections has it."""
        if reads is None:
            return self
        policy = await self.readers.policies.current()
        if not policy.collections:
            return self
        key = (reads, policy.collections)
        if (theirs := self._readers.pop(key, None)) is None:
            from adapters.reader import ReaderRuntime

            theirs = ReaderRuntime(self, policy.collections, reads)
        self._readers[key] = theirs
        if len(self._readers) > READERS_KEPT:
            await self._readers.pop(next(iter(self._readers))).close()
        return theirs

    def once(self, maker: Callable[["Runtime"], T]) -> T:
        """What somebody makes of this runtime, such as its page: made when they first ask, and kept as long
        as the runtime.
        """
        if maker not in self._made:
            self._made[maker] = maker(self)
        made: T = self._made[maker]
        return made

    async def reading_at(self, place: ThreadRef, user: str = "", *, alone: bool = False) -> "Runtime":
        """The runtime as it answers at a place: see `Readers.of`."""
        return await self.reading(await self.readers.of(place, user, alone=alone))

    async def permits(self, place: ThreadRef, run_id: str) -> bool:
        """Whether what a run read may be shown at a place; the page shows each reader what they may see."""
        reads = None if place.platform == PAGE else await self.readers.of(place)
        return reads is None or await (await self.reading(reads)).ledger.run(run_id) is not None

    async def tell_of(self, by: str, **documents: Sequence[str]) -> None:
        """Each document in a line, with the collections that it is in now, where it still is."""
        rules = (await self.readers.policies.current()).collections
        for became, ids in documents.items():
            there = {one.doc_id: one for one in await self.index.records(Filters(doc_ids=tuple(ids)))}
            lines = [
                f"{one} ({', '.join(sorted(collections_of(there[one], rules)))})" if one in there else one
                for one in ids
            ]
            if lines:
                await self.storage.audit.note(f"document {became}", by=by, text="\n".join(lines))

    async def _pipelines_of(self, record: RunRecord) -> Mapping[str, Pipeline]:
        """How a run is executed over what it may read."""
        reads = frozenset(json.loads(record.reads)) if record.reads else None
        return (await self.reading(reads)).pipelines

    @property
    def ledger(self) -> Ledger:
        """The run ledger."""
        return self.storage.ledger

    @property
    def sources(self) -> Sources:
        """What was cited beside the archive's documents."""
        return self.storage.sources

    @property
    def house(self) -> House:
        """What kinds of runs may open."""
        return self

    @cached_property
    def reach(self) -> Reach:
        """How public databases are reached. Raises `SettingsError`."""
        from adapters.sources.reach import bulk_folder, open_reach
        from adapters.sources.sample import SampledBulk, SampledLabels

        opened = open_reach(self.settings)
        self._closing.push_async_callback(opened.close)
        own = cache(partial(self.labels_over, opened.reach.web))
        if isinstance(opened.reach.bulk, SampledBulk):
            return replace(opened.reach, labels=SampledLabels(own, bulk_folder(self.settings)))
        asked = opened.reach.web is not None or labels_kept(self.settings)
        return replace(opened.reach, labels=own() if asked else None)

    @cached_property
    def labels(self) -> "Labels":
        """Drug labels, loaded or asked for over the network. Raises `SettingsError`."""
        return self.reach.labels or self.labels_over(self.reach.web)

    @cached_property
    def house_tools(self) -> Toolset:
        """The tools of the house itself: those of its kinds, and public databases. Raises `SettingsError`."""
        from agents.databases.toolset import database_tools

        return self.kinds.toolset(self.house).joined(database_tools(self.reach))

    def tools_as(self, person: str) -> Toolset:
        """The tools of the house itself; each call reads what the person may read at that moment."""

        def theirs(tool: Tool[Any]) -> Tool[Any]:
            async def work(inputs: Any) -> ToolReply:
                policy = await self.readers.policy()
                built = await self.reading(policy.granted(person))
                return await built.house_tools[tool.name](inputs)

            return replace(tool, work=work)

        return self.house_tools.map(theirs)

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
    def rooms(self) -> Services:
        """What everything that acts on conversations works with."""
        kept = self.storage
        may = (self.readers.may_sign, self.readers.may_change)
        return Services(kept.ledger, kept.conversations, kept.outbox, self.queue, self.views, *may)

    @cached_property
    def desk(self) -> PersonalPage:
        """What a person finds on their own page of a chat platform."""
        kept = self.storage
        limits = partial(budget, self.settings)
        return PersonalPage(kept.ledger, kept.conversations, self.views, limits, self._desk_of)

    async def _desk_of(self, platform: str, user: str) -> PersonalPage | None:
        built = await self.reading_at(ThreadRef(platform, "", ""), user, alone=True)
        return None if built is self else built.desk

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
            pipelines_of=self._pipelines_of,
            owner=self.owner,
            artefacts=storage.artefacts,
            lease_seconds=lease,
            locks=FileLocks(self.settings.home / "running").hold,
            heartbeat=self._heartbeat,
            turns=Turns(self.settings.run.weights),
            ended=self._traces.ended if self._traces else None,
        )

    @cached_property
    def _traces(self) -> "Traces | None":
        """Where traces go, if anywhere. Raises `SettingsError`."""
        if not (url := self.settings.log.traces):
            return None
        try:
            from adapters.traces import Traces
        except ImportError as error:
            raise SettingsError("PESTLE_LOG_TRACES needs: pip install 'pestle[traces]'") from error
        traces = Traces.at(url, self.storage.ledger)
        self._closing.callback(traces.close)
        return traces

    @asynccontextmanager
    async def _ledger_apart(self) -> AsyncIterator[SqlLedger]:
        """The ledger over connections of its own, for another thread."""
        database = Database(self.settings.database_url)
        try:
            yield SqlLedger(database)
        finally:
            await database.close()

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
        """What each kind of run can watch, opened when somebody watches something."""
        return _Watches(self)

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

        async def reading(place: ThreadRef) -> Telling | None:
            built = await self.reading_at(place)
            return None if built is self else built.telling(clock)

        return Telling(self.storage.digests, self.rooms, self._gatherer, clock, reading)

    async def retain(self) -> None:
        """Delete of the audit what the settings keep no longer."""
        await self.storage.audit.retain(self.settings.log.keep)

    @cached_property
    def intake(self) -> Intake:
        """Where messages enter."""
        return self.intake_with(export_by_command)

    def intake_with(self, export_place: ExportPlace, files: FileReader | None = None) -> Intake:
        """The intake of a skin with a place of its own for exported answers, or with files in messages."""
        kept = self.storage
        additions = None
        if self.takes_files and isinstance(files, FetchedFiles):
            keeper = Archived(files, self.files_once)
            additions = Additions(kept.conversations, kept.outbox, keeper)

        def theirs(built: Runtime) -> Intake:
            return built.intake_with(export_place, files)

        async def reading(incoming: Incoming) -> Intake | None:
            alone = incoming.origin.direct
            built = await self.reading_at(incoming.thread, incoming.user, alone=alone)
            return None if built is self else built.once(theirs)

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
            names=HouseNames(self.house, self.kinds),
            starters=self.starters,
            reading=reading,
            permits=self.permits,
            listing=partial(listed, self.index),
            waits=Waits(
                self.storage.ledger,
                self.settings.run.month_tokens,
                self.settings.run.month_usd,
                Turns(self.settings.run.weights),
            ),
        )
        self._closing.push_async_callback(intake.settle)
        return intake

    async def _choose(self, text: str, kinds: Sequence[AnyKind]) -> str:
        """The kind of run that a message is meant for, as the language model sees it."""
        if self.model is None:
            return ""
        from agents.minds.choose import choose

        options = {kind.name: "; ".join((kind.title, *kind.help)) for kind in kinds}
        return await choose(self.model, text, options)

    async def suggested(self, record: RunRecord) -> tuple[str, ...]:
        """Questions that may be asked after a run, each of which the archive answers."""
        return await self.kinds.suggested(self.house, record)

    async def starters(self) -> tuple[str, ...]:
        """Questions to begin with, each of which the archive answers; none while it cannot be read."""
        try:
            known = frozenset(record.sha256 for record in await self.index.records())
            if self._starters[0] != known:
                self._starters = (known, await self.kinds.starters(self.house))
        except (RetrievalError, OSError) as error:
            logger.warning("no questions to begin with: %s", error)
            return ()
        return self._starters[1]

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
            if isinstance(self.queue, InProcessQueue) and record is not None:
                if await self.queue.let_go(run_id, IN_HAND_S):
                    continue
                await self.queue.enqueue(run_id, record.queue)
            await asyncio.sleep(LOOK_S)

    async def enqueue(self, run_id: str) -> None:
        """Hand a run to whoever executes it, in the queue of its kind. Raises `QueueDown`."""
        if record := await self.ledger.run(run_id):
            await hand_on(record, self.ledger, self.queue)

    def pump(self, *platforms: ChatPlatform) -> Pump:
        """What brings cards from the outbox to these platforms."""
        kept = self.storage
        files = self.files_out if any(isinstance(one, ShowsFiles) for one in platforms) else None
        return Pump(kept.outbox, kept.ledger, platforms, owner=self.owner, files=files, permits=self.permits)

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
        for theirs in list(self._readers.values()):
            await theirs.close()
        await self._closing.aclose()
        await self._heartbeat.close()
        await self.storage.close()


class _Watches(Mapping[str, Watch]):
    """The watches of kinds, opened when somebody watches something: that imports the kinds."""

    def __init__(self, built: Runtime) -> None:
        self._built = built

    @cached_property
    def _opened(self) -> Mapping[str, Watch]:
        opened = ((kind.name, kind.watch(self._built.house)) for kind in self._built.kinds)
        return {name: watch for name, watch in opened if watch is not None}

    def __getitem__(self, name: str) -> Watch:
        return self._opened[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._opened)

    def __len__(self) -> int:
        return len(self._opened)


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
        "teams": Access(teams.tenants, teams.channels, teams.users, teams.guests),
    }


def budget(settings: Settings, kind: AnyKind) -> Budget:
    """The limits of a run: those of its kind, where the settings name no others."""
    run, own = settings.run, kind.limits.budget
    return Budget(
        run.seconds if "seconds" in run.model_fields_set else own.seconds,
        (run.tokens or None) if "tokens" in run.model_fields_set else own.tokens,
        (run.cost_usd or None) if "cost_usd" in run.model_fields_set else own.cost_usd,
    )
