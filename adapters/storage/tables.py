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
        return None if value is None else plain(value)


def plain(value: object) -> str:
    """Text as any database keeps it."""
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


def _texts(*names: str) -> list[Column[str]]:
    return [_text(name) for name in names]


def _keys(*names: str) -> list[Column[str]]:
    return [_text(name, key=True) for name in names]


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
    *_texts("pipeline", "inputs", "thread_id", "asked_by", "state", "result"),
    *_texts("error", "budget", "created", "started", "ended", "replay_of", "stop"),
    Column("event_count", Integer, nullable=False, server_default="0"),
    Column("queue", PlainText, nullable=False, server_default="pipeline"),
    *_texts("revises", "section", "instruction", "enqueued", "handed_over", "reads"),
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
    *_texts("output", "started"),
    Column("seconds", Float, nullable=False),
    *_texts("parent", "usage", "fingerprints", "error", "parent_inputs"),
    Index("steps_of_run", "run_id", "number"),
    _partial("finished_steps", "run_id", "name", "inputs_hash", where="error = ''", unique=True),
    sqlite_autoincrement=True,
)

EVENTS = Table(
    "events",
    METADATA,
    Column("run_id", String, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    *_texts("at", "kind", "detail"),
)

LEASES = Table(
    "leases",
    METADATA,
    Column("run_id", String, primary_key=True),
    *_texts("owner", "expires"),
)

THREADS = Table(
    "threads",
    METADATA,
    _text("thread_id", key=True),
    *_texts("platform", "channel", "thread", "pump", "pump_until"),
    Index("threads_of_channel", "platform", "channel"),
)

OUTBOX = Table(
    "outbox",
    METADATA,
    _number(),
    *_texts("thread_id", "slot", "card"),
    Column("state", String, nullable=False, server_default="pending"),
    Column("attempts", Integer, nullable=False, server_default="0"),
    *_texts("not_before", "created", "ended", "error"),
    _partial("pending_slots", "thread_id", "slot", where="state = 'pending'", unique=True),
    _partial("abandoned_slots", "thread_id", "slot", where="state = 'abandoned'"),
    sqlite_autoincrement=True,
)

MESSAGES = Table(
    "messages",
    METADATA,
    *_keys("thread_id", "slot"),
    _text("message_id"),
)

MESSAGE_PARTS = Table(
    "message_parts",
    METADATA,
    *_keys("platform", "channel", "part"),
    *_texts("thread_id", "slot"),
)
"""Each of the ids of a message that shows a slot; platforms give them out by channel."""

SEEN = Table("seen_events", METADATA, _text("event_id", key=True), _text("at"))

FEEDBACK = Table(
    "feedback",
    METADATA,
    _number(),
    Column("run_id", String, nullable=False),
    Column("user_id", PlainText, nullable=False),
    *_texts("verdict", "comment", "at"),
    UniqueConstraint("run_id", "user_id"),
    sqlite_autoincrement=True,
)

REACTIONS = Table(
    "reactions",
    METADATA,
    *_keys("thread_id", "slot", "user_id", "meaning"),
    *_texts("emoji", "at", "event", "before", "removed"),
)

REVISIONS = Table(
    "revisions",
    METADATA,
    Column("report_id", String, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    *_texts("section_id", "action", "by", "at", "why", "run_id", "event", "section"),
)

SOURCES = Table(
    "sources",
    METADATA,
    Column("id", String, primary_key=True),
    *_texts("origin", "name", "title", "text", "query", "release", "date", "link", "sha256"),
)

THREAD_CONTEXT = Table(
    "thread_context",
    METADATA,
    *_keys("thread_id", "kind"),
    _text("value"),
)

ARTEFACTS = Table(
    "artefacts",
    METADATA,
    Column("sha256", String, primary_key=True),
    *_texts("media_type", "name", "created"),
    Column("data", LargeBinary, nullable=False),
)

REQUESTS = Table(
    "requests",
    METADATA,
    Column("run_id", String, primary_key=True),
    _text("name", key=True),
    *_texts("request", "asked", "due", "decision"),
    _partial("open_requests", "due", where="decision = ''"),
)

DIGESTS = Table(
    "digests",
    METADATA,
    _number(),
    *_texts("thread_id", "channel_id", "cron", "zone", "schedule", "about", "by"),
    Column("event", PlainText, nullable=False, unique=True),
    *_texts("created", "due", "muted", "heartbeat", "baseline"),
    Index("digests_due", "due"),
    sqlite_autoincrement=True,
)

TICKS = Table(
    "digest_ticks",
    METADATA,
    Column("digest", NUMBER, primary_key=True, autoincrement=False),
    _text("tick", key=True),
    *_texts("begun", "ended"),
    _partial("open_ticks", "begun", where="ended = ''"),
)

ACCOUNTS = Table("accounts", METADATA, _text("name", key=True), _text("secret"), _text("created"))

SESSIONS = Table("sessions", METADATA, Column("key", String, primary_key=True), _text("name"), _text("until"))

IDENTITIES = Table("identities", METADATA, _text("identity", key=True), *_texts("name", "groups", "at"))
"""Whom a provider of log-ins knows, the account that is theirs, and their groups as told last."""

POLICIES = Table(
    "policies",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    *_texts("policy", "by", "at"),
)
"""Who may read what: the last row is in force."""

AUDIT = Table(
    "audit",
    METADATA,
    Column("number", NUMBER, primary_key=True, autoincrement=False),
    *_texts("at", "kind", "run", "facts", "before", "hash"),
)
"""The chain (`adapters.storage.audit`): rows are added, and never changed."""

AUDIT_TEXTS = Table(
    "audit_texts",
    METADATA,
    Column("number", NUMBER, primary_key=True, autoincrement=False),
    _text("name", key=True),
    *_texts("salt", "value"),
)
"""Names and texts of the chain's entries, which a purge deletes."""
