"""The tables. Times are ISO 8601 text in UTC, which sorts by time; whole values are JSON text."""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Dialect,
    Float,
    Index,
    Integer,
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
NUMBER = BigInteger().with_variant(Integer(), "sqlite")


def _number() -> Column[int]:
    """A growing number, given by the database."""
    return Column("number", NUMBER, primary_key=True, autoincrement=True)


def _text(name: str, *, key: bool = False) -> Column[str]:
    return Column(name, PlainText, nullable=False, primary_key=key, server_default=None if key else "")


SCHEMA = Table("schema_version", METADATA, Column("version", Integer, nullable=False))

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
    Index("runs_of_thread", "thread_id", "number"),
    Index("runs_in_state", "state", "number"),
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
    Index(
        "finished_steps",
        "run_id",
        "name",
        "inputs_hash",
        unique=True,
        sqlite_where=text("error = ''"),
        postgresql_where=text("error = ''"),
    ),
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
    Column("molecules", PlainText, nullable=False, server_default="[]"),
    _text("pump"),
    _text("pump_until"),
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
    Index(
        "pending_slots",
        "thread_id",
        "slot",
        unique=True,
        sqlite_where=text("state = 'pending'"),
        postgresql_where=text("state = 'pending'"),
    ),
    sqlite_autoincrement=True,
)

MESSAGES = Table(
    "messages",
    METADATA,
    _text("thread_id", key=True),
    _text("slot", key=True),
    _text("message_id"),
)

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
