"""The tables of 0.1."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0001", None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make them."""
    op.create_table("schema_version", sa.Column("version", sa.Integer(), nullable=False))
    op.execute("INSERT INTO schema_version (version) VALUES (1)")
    _runs()
    _steps()
    _chat()


def _runs() -> None:
    op.create_table(
        "runs",
        _number(),
        sa.Column("run_id", sa.String(), nullable=False, unique=True),
        sa.Column("request_key", sa.Text(), nullable=False, unique=True),
        *_texts("pipeline", "inputs", "thread_id", "asked_by", "state", "result", "error", "budget"),
        *_texts("created", "started", "ended", "replay_of", "stop"),
        sa.Column("event_count", sa.Integer(), nullable=False, server_default="0"),
        sqlite_autoincrement=True,
    )
    op.create_index("runs_of_thread", "runs", ["thread_id", "number"])
    op.create_index("runs_in_state", "runs", ["state", "number"])
    op.create_table("leases", sa.Column("run_id", sa.String(), primary_key=True), *_texts("owner", "expires"))


def _steps() -> None:
    op.create_table(
        "steps",
        _number(),
        sa.Column("run_id", sa.String(), nullable=False),
        *_texts("name"),
        sa.Column("inputs_hash", sa.String(), nullable=False),
        *_texts("output", "started"),
        sa.Column("seconds", sa.Float(), nullable=False),
        *_texts("parent", "usage", "fingerprints", "error", "parent_inputs"),
        sqlite_autoincrement=True,
    )
    op.create_index("steps_of_run", "steps", ["run_id", "number"])
    _partial("finished_steps", "steps", ["run_id", "name", "inputs_hash"], "error = ''")
    op.create_table(
        "events",
        sa.Column("run_id", sa.String(), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
        *_texts("at", "kind", "detail"),
    )


def _chat() -> None:
    op.create_table(
        "threads",
        _key("thread_id"),
        *_texts("platform", "channel", "thread"),
        sa.Column("molecules", sa.Text(), nullable=False, server_default="[]"),
        *_texts("pump", "pump_until"),
    )
    op.create_table(
        "outbox",
        _number(),
        *_texts("thread_id", "slot", "card"),
        sa.Column("state", sa.String(), nullable=False, server_default="pending"),
        sa.Column("attempts", sa.Integer(), nullable=False, server_default="0"),
        *_texts("not_before", "created", "ended", "error"),
        sqlite_autoincrement=True,
    )
    _partial("pending_slots", "outbox", ["thread_id", "slot"], "state = 'pending'")
    op.create_table("messages", _key("thread_id"), _key("slot"), *_texts("message_id"))
    op.create_table("seen_events", _key("event_id"), *_texts("at"))
    op.create_table(
        "feedback",
        _number(),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        *_texts("verdict", "comment", "at"),
        sa.UniqueConstraint("run_id", "user_id"),
        sqlite_autoincrement=True,
    )


def _number() -> sa.Column[int]:
    return sa.Column("number", NUMBER, primary_key=True, autoincrement=True)


def _key(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), primary_key=True)


def _texts(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text(), nullable=False, server_default="") for name in names]


def _partial(name: str, table: str, columns: list[str], where: str) -> None:
    """A unique index over the rows for which `where` holds."""
    held = sa.text(where)
    op.create_index(name, table, columns, unique=True, sqlite_where=held, postgresql_where=held)
