"""The audit: who asked, read, answered, changed, signed, exported, granted and logged in, as a chain.

Each entry holds the hash of the one before it, so that no entry can be changed, put in or taken out unseen.
Names and texts lie beside the chain, which holds a salted hash of each: they can be deleted, and it still
holds. An entry is written in the transaction of what it tells, by `note` alone.
"""

import hashlib
import re
import secrets
from collections.abc import AsyncIterator, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy import delete, func, literal, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.errors import LegalHold
from adapters.storage import tables
from adapters.storage.database import Database
from adapters.storage.tables import AUDIT, AUDIT_TEXTS, RUNS, plain
from adapters.storage.whole import whole
from agents.runs.clock import Clock, stamp, utc_now
from agents.runs.hashing import canonical_json

LOCK = text("SELECT pg_advisory_xact_lock(7346914202)")
"""One transaction of PostgreSQL at a time continues the chain; SQLite has one writer anyway."""
LAST = select(AUDIT.c.number, AUDIT.c.hash).order_by(AUDIT.c.number.desc()).limit(1)
NEW_ENTRY, NEW_TEXTS = AUDIT.insert(), AUDIT_TEXTS.insert()
"""Made once: SQLAlchemy takes as long to make a statement as to send it."""
BEFORE, NUMBER = '"before":"', '"number":0'
"""Where in an entry's JSON the hash of the one before stands, and its number."""
CHAINED = text("""
    WITH last AS (
        (SELECT number, hash FROM audit ORDER BY number DESC LIMIT 1) UNION ALL SELECT 0, ''
        ORDER BY 1 DESC LIMIT 1
    ), entry AS (
        INSERT INTO audit (number, at, kind, run, facts, "before", hash)
        SELECT number + 1, :at, :kind, :run, :facts, hash, encode(sha256(convert_to(
            concat(CAST(:head AS text), hash, CAST(:middle AS text), number + 1, CAST(:tail AS text)), 'UTF8'
        )), 'hex') FROM last RETURNING number
    )
    INSERT INTO audit_texts (number, name, salt, value) SELECT entry.number, one.* FROM entry,
        unnest(CAST(:names AS text[]), CAST(:salts AS text[]), CAST(:values AS text[])) AS one
""")
"""An entry and what lies beside it in one trip to PostgreSQL, which computes what `_hash` does: a worker that
is starved while it continues the chain holds up everybody who asks something.
"""
JOINED = AUDIT.join(AUDIT_TEXTS, AUDIT.c.number == AUDIT_TEXTS.c.number)
EVENTS = {
    "request.decided": "decided",
    "poll.voted": "voted",
    "run.stop_asked": "stopped",
    "resume.requested": "resumed",
    "thread.said": "said",
    "report.exported": "exported",
}
"""Events of a run's trail that become entries, of this kind. Their details say `by` whom, or `who`."""
PURGED, HELD, RELEASED = "purged", "held", "released"
ALL = "everything"
"""What a hold may be on, beside a person and a run."""
AT_A_TIME = 1_000
CHUNK = re.compile(r".{1,500}#\d{1,7}", re.DOTALL)
"""The id of a chunk of a document, as ledgers keep it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A link of the chain. `facts` name nobody; `texts` holds by whom (`by`), where (`thread`) and the words
    (`text`), as far as they were not purged. `at` is ISO 8601, UTC.
    """

    number: int
    at: str
    kind: str
    run: str
    facts: dict[str, Any]
    before: str
    hash: str
    texts: dict[str, str]


async def note(
    connection: AsyncConnection, now: str, kind: str, *, run: str = "", facts: Any = None, **texts: str
) -> None:
    """Continue the chain, late in a transaction: others that do so wait for its end."""
    kept = [(name, secrets.token_hex(16), plain(value)) for name, value in texts.items() if value]
    told = {**(facts or {}), "texts": {name: _salted(salt, value) for name, salt, value in kept}}
    row = {"number": 0, "at": now, "kind": kind, "run": run, "facts": canonical_json(told), "before": ""}
    if connection.dialect.name == "postgresql":
        await connection.execute(LOCK)
        head, _, rest = canonical_json(row).partition(BEFORE)
        middle, _, tail = rest.rpartition(NUMBER)
        parts = {"head": head + BEFORE, "middle": middle + NUMBER[:-1], "tail": tail}
        beside = {name: [one[at] for one in kept] for at, name in enumerate(("names", "salts", "values"))}
        await connection.execute(CHAINED, row | parts | beside)
        return
    last = (await connection.execute(LAST)).first()
    number, before = (last.number + 1, last.hash) if last else (1, "")
    row |= {"number": number, "before": before}
    await connection.execute(NEW_ENTRY, row | {"hash": _hash(row)})
    if kept:
        names = ("number", "name", "salt", "value")
        rows = [dict(zip(names, (number, *one), strict=True)) for one in kept]
        await connection.execute(NEW_TEXTS, rows)


async def note_of_run(
    connection: AsyncConnection, now: str, kind: str, run: str, *, by: str | None = None, **rest: Any
) -> None:
    """The same of a run, in its thread; without `by` it is by who asked for the run."""
    query = select(RUNS.c.thread_id, RUNS.c.asked_by).where(RUNS.c.run_id == run)
    found = (await connection.execute(query)).first()
    thread, asked_by = (found.thread_id, found.asked_by) if found else ("", "")
    who = person(thread, asked_by if by is None else by)
    await note(connection, now, kind, run=run, by=who, thread=thread, **rest)


async def note_event(connection: AsyncConnection, now: str, run: str, kind: str, detail: str) -> None:
    """An event of a run's trail, if it is one that is told."""
    if kind in EVENTS:
        told = orjson.loads(detail)
        by = told.get("by") or told.get("who") or ""
        await note_of_run(connection, now, EVENTS[kind], run, by=by, text=detail)


def person(thread_id: str, user: str) -> str:
    """Somebody as grants name them, such as slack:U024BE7LH: on the thread's platform, where they do not say
    it; who sits at a terminal is cli:NAME.
    """
    if re.match("[a-z]+:", user):
        return user
    platform = thread_id.partition(":")[0] or "cli"
    return f"{'cli' if platform.startswith('cli-') else platform}:{user}" if user else ""


def sha256(text: str) -> str:
    """Of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def passages(outputs: Iterable[str]) -> list[str]:
    """What the steps of a run had before them: ids of chunks, and places `document:from-to`."""
    found: set[str] = set()
    waiting: list[Any] = [orjson.loads(one) for one in outputs if one]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            if {"doc_id", "start", "end"} <= value.keys():
                found.add(f"{value['doc_id']}:{value['start']}-{value['end']}")
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, str) and CHUNK.fullmatch(value):
            found.add(value)
    return sorted(found)


@whole
@dataclass(frozen=True, slots=True)
class SqlAudit:
    """Reads the chain, proves it, and deletes what lies beside it."""

    database: Database
    clock: Clock = utc_now

    async def note(self, kind: str, *, facts: Any = None, **texts: str) -> None:
        """Tell what no transaction of the database does."""
        async with self.database.writing() as connection:
            await note(connection, stamp(self.clock()), kind, facts=facts, **texts)

    async def entries(self) -> AsyncIterator[Entry]:
        """All of them, oldest first."""
        async for row, beside in self._kept():
            texts = {name: value for name, (_, value) in beside.items()}
            yield Entry(**{**row, "facts": orjson.loads(row["facts"]), "texts": texts})

    async def verified(self, head: str = "") -> tuple[int, str, str]:
        """How many entries hold, the hash of the last of them, and what is wrong after it; "" if nothing is.

        With `head`, a hash noted elsewhere, the chain must contain it: else its end was cut off, or it was
        written anew.
        """
        count, last, met = 0, "", not head
        gone: set[int] = set()
        async for row, beside in self._kept():
            number, facts = row["number"], orjson.loads(row["facts"])
            if number != count + 1 or row["before"] != last or row["hash"] != _hash(row):
                return count, last, f"Entry {count + 1} was changed, or does not follow the one before it."
            kept = {name: _salted(*one) for name, one in beside.items()}
            if not kept.items() <= facts["texts"].items():
                return count, last, f"A text of entry {number} was changed."
            if len(kept) < len(facts["texts"]):
                gone.add(number)
            for first, to in facts.get(PURGED, ()):
                gone = {one for one in gone if not first <= one <= to}
            count, last = number, row["hash"]
            met = met or last == head
        if gone:
            return count, last, f"Texts of entry {min(gone)} are gone, and no purge says so."
        return count, last, "" if met else f"The chain does not contain the head {head}."

    async def purge(self, by: str, before: str, kinds: Collection[str] = ()) -> int:
        """Delete names and texts of entries before a time (ISO 8601, UTC), of some kinds or all, but of those
        that a hold is on; of how many. One that finds nothing is not told.
        """
        async with self.database.writing() as connection:
            kept = await _on_hold(connection)
            old = select(AUDIT.c.number, AUDIT.c.run, AUDIT_TEXTS.c.value).select_from(JOINED)
            old = old.where(AUDIT.c.at < before, *([AUDIT.c.kind.in_(kinds)] if kinds else ()))
            rows = list(await connection.execute(old))
            spared = {row.number for row in rows if ALL in kept or {row.run, row.value} & kept}
            facts = {"before": before, "kinds": sorted(kinds)}
            entries = {row.number for row in rows} - spared
            return await self._purged(connection, entries, by, facts) if entries else 0

    async def retain(self, days: Mapping[str, float]) -> None:
        """Purge by rule what is older than so many days, by the kind of entry, or `ALL`."""
        for kind, kept in days.items():
            before = stamp(self.clock(), -kept * 86_400)
            await self.purge("pestle:retention", before, () if kind == ALL else (kind,))

    async def forget(self, who: str, by: str) -> int:
        """Delete what entries say of a person, put another name in place of theirs wherever runs, reports and
        grants have it, and delete their account; how many entries that were.

        Raises `LegalHold` where a hold is on them, on one of their runs or on everything.
        """
        platform, _, user = who.partition(":")
        named = re.compile(rf"(?<![\w:]){re.escape(who)}(?![\w.@-])")
        gone = f"gone-{secrets.token_hex(4)}"
        async with self.database.writing() as connection:
            kept = await _on_hold(connection)
            query = select(AUDIT.c.number, AUDIT.c.run, AUDIT_TEXTS.c.value).select_from(JOINED)
            rows = await connection.execute(query.where(AUDIT_TEXTS.c.value.contains(who, autoescape=True)))
            theirs = [row for row in rows if named.search(row.value)]
            if {ALL, who, *(row.run for row in theirs)} & kept:
                raise LegalHold(f"A legal hold keeps {who}. `pestle audit hold --end` ends it.")
            await _renamed(connection, platform, user, gone)
            return await self._purged(connection, {row.number for row in theirs}, by, {"as": gone})

    async def hold(self, on: str, by: str, why: str = "", *, end: bool = False) -> bool:
        """From now on keep a person, a run or everything, or end that; False if nothing changes."""
        async with self.database.writing() as connection:
            if changes := end == (on in await _on_hold(connection)):
                kind = RELEASED if end else HELD
                await note(connection, stamp(self.clock()), kind, by=by, on=on, text=why)
            return changes

    async def _purged(self, connection: AsyncConnection, entries: set[int], by: str, facts: Any) -> int:
        """Delete the texts of entries, and tell of which."""
        spans: list[list[int]] = []
        for one in sorted(entries):
            if spans and spans[-1][1] == one - 1:
                spans[-1][1] = one
            else:
                spans.append([one, one])
        for first, to in spans:
            await connection.execute(delete(AUDIT_TEXTS).where(AUDIT_TEXTS.c.number.between(first, to)))
        await note(connection, stamp(self.clock()), PURGED, facts={**facts, PURGED: spans}, by=by)
        return len(entries)

    async def _kept(self) -> AsyncIterator[tuple[Any, dict[str, tuple[str, str]]]]:
        """Each entry as it is kept, with salt and value of each text."""
        after = 0
        while True:
            async with self.database.reading() as connection:
                query = select(AUDIT).where(AUDIT.c.number > after).order_by(AUDIT.c.number).limit(AT_A_TIME)
                rows = (await connection.execute(query)).mappings().all()
                if not rows:
                    return
                beside: dict[int, dict[str, tuple[str, str]]] = {}
                here = AUDIT_TEXTS.c.number.between(after + 1, rows[-1]["number"])
                for one in await connection.execute(select(AUDIT_TEXTS).where(here)):
                    beside.setdefault(one.number, {})[one.name] = (one.salt, one.value)
            for row in rows:
                yield row, beside.get(row["number"], {})
            after = rows[-1]["number"]


async def _on_hold(connection: AsyncConnection) -> set[str]:
    """The persons and runs that a hold is on."""
    query = select(AUDIT.c.kind, AUDIT_TEXTS.c.value).select_from(JOINED)
    query = query.where(AUDIT_TEXTS.c.name == "on").order_by(AUDIT.c.number)
    held: set[str] = set()
    for row in await connection.execute(query):
        (held.add if row.kind == HELD else held.discard)(row.value)
    return held


async def _renamed(connection: AsyncConnection, platform: str, user: str, gone: str) -> None:
    """Put another name in place of a person's, where rows have it; texts that people read stay."""
    person, nobody = f"{platform}:{user}", f"gone:{gone}"
    here = RUNS.c.thread_id.like(f"{platform}{'-' if platform == 'cli' else ':'}%")
    runs, any_run = select(RUNS.c.run_id).where(here), select(RUNS.c.run_id)
    for table, name, is_here in (
        (tables.REVISIONS, "by", tables.REVISIONS.c.report_id.in_(runs)),
        (tables.FEEDBACK, "user_id", tables.FEEDBACK.c.run_id.in_(runs)),
        (tables.REACTIONS, "user_id", tables.REACTIONS.c.thread_id.like(f"{platform}:%")),
        (tables.DIGESTS, "by", tables.DIGESTS.c.thread_id.like(f"{platform}:%")),
        (tables.POLICIES, "by", literal(platform == "cli")),
        (RUNS, "asked_by", here),
    ):
        await connection.execute(update(table).where(table.c[name] == user, is_here).values({name: gone}))
    for before, after, of in ((person, nobody, any_run), (user, gone, runs)):
        for column in (tables.EVENTS.c.detail, tables.REQUESTS.c.decision):
            for form in ('"by":{}', '"who":{}', '"by": {}'):
                old, new = (form.format(canonical_json(one)) for one in (before, after))
                row, there = column.table.c, column.contains(old, autoescape=True)
                changed = update(column.table).where(row.run_id.in_(of), there)
                await connection.execute(changed.values({column: func.replace(column, old, new)}))
    policy = tables.POLICIES.c.policy
    granted = func.replace(policy, canonical_json(person), canonical_json(nobody))
    await connection.execute(update(tables.POLICIES).values(policy=granted))
    if platform == "web":
        for table in (tables.SESSIONS, tables.IDENTITIES, tables.ACCOUNTS):
            await connection.execute(delete(table).where(table.c.name == user))


def _salted(salt: str, value: str) -> str:
    return sha256(f"{salt}:{value}")


def _hash(row: Mapping[str, Any]) -> str:
    """Of an entry: everything but the hash itself."""
    return sha256(canonical_json({name: row[name] for name in row if name != "hash"}))
