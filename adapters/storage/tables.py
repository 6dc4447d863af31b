"""The tables. Times are ISO 8601 text in UTC, which sorts by time; whole values are JSON text.

A change here comes with a new number in `adapters.storage.schema`.
"""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Dialect,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    text,
)


class PlainText(TypeDecorator[str]):
    """Text that any database takes: NUL and lone surrogates, which chats do send, become U+FFFD."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        """The text as stored."""
        if value is None:
            return None
        return str(value).replace("\x00", "�").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


METADATA = MetaData()
OVER = "('done', 'stopped', 'failed')"
"""States of a run that is over, as an index writes them."""
NUMBER = BigInteger().with_variant(Integer(), "sqlite")


def _number() -> Column[int]:
    """A growing number, given by the database."""
    return Column("number", NUMBER, primary_key=True, autoincrement=True)


def _text(name: str, *, key: bool = False) -> Column[str]:
    return Column(name, PlainText, nullable=False, primary_key=key, server_default=None if key else "")


def _partial(name: str, *columns: str, where: str, unique: bool = False) -> Index:
    """An index over the rows for which `where` holds.

    `adapters.storage.schema` makes it alike in PostgreSQL; to say so here would import that dialect in every
    process.
    """
    return Index(name, *columns, unique=unique, sqlite_where=text(where))


RUNS = Table(
    "runs",
    METADATA,
    _number(),
    Column("run_id", String, nullable=False, unique=True),
    Column("request_key", PlainText, nullable=False, unique=True),
    _text("pipeline"),
    _text("inputs"),
    _text("thread_id"),
    _text("asked_by"),
    _text("state"),
    _text("result"),
    _text("error"),
    _text("budget"),
    _text("created"),
    _text("started"),
    _text("ended"),
    _text("replay_of"),
    _text("stop"),
    Column("event_count", Integer, nullable=False, server_default="0"),
    Column("queue", PlainText, nullable=False, server_default="pipeline"),
    _text("revises"),
    _text("section"),
    _text("instruction"),
    _text("enqueued"),
    _text("handed_over"),
    Index("runs_of_thread", "thread_id", "number"),
    Index("runs_in_state", "state", "number"),
    _partial("runs_to_hand_over", "number", where=f"handed_over = '' AND state IN {OVER}"),
    sqlite_autoincrement=True,
)

STEPS = Table(
    "steps",
    METADATA,
    _number(),
    Column("run_id", String, nullable=False),
    _text("name"),
    Column("inputs_hash", String, nullable=False),
    _text("output"),
    _text("started"),
    Column("seconds", Float, nullable=False),
    _text("parent"),
    _text("usage"),
    _text("fingerprints"),
    _text("error"),
    _text("parent_inputs"),
    Index("steps_of_run", "run_id", "number"),
    _partial("finished_steps", "run_id", "name", "inputs_hash", where="error = ''", unique=True),
    sqlite_autoincrement=True,
)

EVENTS = Table(
    "events",
    METADATA,
    Column("run_id", String, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    _text("at"),
    _text("kind"),
    _text("detail"),
)

LEASES = Table(
    "leases",
    METADATA,
    Column("run_id", String, primary_key=True),
    _text("owner"),
    _text("expires"),
)

THREADS = Table(
    "threads",
    METADATA,
    _text("thread_id", key=True),
    _text("platform"),
    _text("channel"),
    _text("thread"),
    _text("pump"),
    _text("pump_until"),
    Index("threads_of_channel", "platform", "channel"),
)

OUTBOX = Table(
    "outbox",
    METADATA,
    _number(),
    _text("thread_id"),
    _text("slot"),
    _text("card"),
    Column("state", String, nullable=False, server_default="pending"),
    Column("attempts", Integer, nullable=False, server_default="0"),
    _text("not_before"),
    _text("created"),
    _text("ended"),
    _text("error"),
    _partial("pending_slots", "thread_id", "slot", where="state = 'pending'", unique=True),
    _partial("abandoned_slots", "thread_id", "slot", where="state = 'abandoned'"),
    sqlite_autoincrement=True,
)

MESSAGES = Table(
    "messages",
    METADATA,
    _text("thread_id", key=True),
    _text("slot", key=True),
    _text("message_id"),
)

MESSAGE_PARTS = Table(
    "message_parts",
    METADATA,
    _text("platform", key=True),
    _text("channel", key=True),
    _text("part", key=True),
    _text("thread_id"),
    _text("slot"),
)
"""Each of the ids of a message that shows a slot; platforms give them out by channel."""

SEEN = Table("seen_events", METADATA, _text("event_id", key=True), _text("at"))

FEEDBACK = Table(
    "feedback",
    METADATA,
    _number(),
    Column("run_id", String, nullable=False),
    Column("user_id", PlainText, nullable=False),
    _text("verdict"),
    _text("comment"),
    _text("at"),
    UniqueConstraint("run_id", "user_id"),
    sqlite_autoincrement=True,
)

REACTIONS = Table(
    "reactions",
    METADATA,
    _text("thread_id", key=True),
    _text("slot", key=True),
    _text("user_id", key=True),
    _text("meaning", key=True),
    _text("emoji"),
    _text("at"),
    _text("event"),
    _text("before"),
    _text("removed"),
)

REVISIONS = Table(
    "revisions",
    METADATA,
    Column("report_id", String, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    _text("section_id"),
    _text("action"),
    _text("by"),
    _text("at"),
    _text("why"),
    _text("run_id"),
    _text("event"),
    _text("section"),
)

SOURCES = Table(
    "sources",
    METADATA,
    Column("id", String, primary_key=True),
    _text("origin"),
    _text("name"),
    _text("title"),
    _text("text"),
    _text("query"),
    _text("release"),
    _text("date"),
    _text("link"),
    _text("sha256"),
)

THREAD_CONTEXT = Table(
    "thread_context",
    METADATA,
    _text("thread_id", key=True),
    _text("kind", key=True),
    _text("value"),
)

ARTEFACTS = Table(
    "artefacts",
    METADATA,
    Column("sha256", String, primary_key=True),
    _text("media_type"),
    _text("name"),
    _text("created"),
    Column("data", LargeBinary, nullable=False),
)

REQUESTS = Table(
    "requests",
    METADATA,
    Column("run_id", String, primary_key=True),
    _text("name", key=True),
    _text("request"),
    _text("asked"),
    _text("due"),
    _text("decision"),
    _partial("open_requests", "due", where="decision = ''"),
)

DIGESTS = Table(
    "digests",
    METADATA,
    _number(),
    _text("thread_id"),
    _text("channel_id"),
    _text("cron"),
    _text("zone"),
    _text("schedule"),
    _text("about"),
    _text("by"),
    Column("event", PlainText, nullable=False, unique=True),
    _text("created"),
    _text("due"),
    _text("muted"),
    _text("heartbeat"),
    _text("baseline"),
    Index("digests_due", "due"),
    sqlite_autoincrement=True,
)

TICKS = Table(
    "digest_ticks",
    METADATA,
    Column("digest", NUMBER, primary_key=True, autoincrement=False),
    _text("tick", key=True),
    _text("begun"),
    _text("ended"),
    _partial("open_ticks", "begun", where="ended = ''"),
)

ACCOUNTS = Table("accounts", METADATA, _text("name", key=True), _text("secret"), _text("created"))

SESSIONS = Table("sessions", METADATA, Column("key", String, primary_key=True), _text("name"), _text("until"))
