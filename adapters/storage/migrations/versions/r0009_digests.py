"""Digests of channels, and the times at which each was due: one row a time, so that it is told once."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0009", "0008"

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add two tables."""
    op.create_table(
        "digests",
        sa.Column("number", NUMBER, primary_key=True, autoincrement=True),
        *_texts("thread_id", "channel_id", "cron", "zone", "schedule", "about", "by"),
        sa.Column("event", sa.Text(), nullable=False, unique=True),
        *_texts("created", "due", "muted", "heartbeat", "baseline"),
        sqlite_autoincrement=True,
    )
    op.create_index("digests_due", "digests", ["due"])
    op.create_table(
        "digest_ticks",
        sa.Column("digest", NUMBER, primary_key=True, autoincrement=False),
        sa.Column("tick", sa.Text(), primary_key=True),
        *_texts("begun", "ended"),
    )
    held = sa.text("ended = ''")
    op.create_index("open_ticks", "digest_ticks", ["begun"], sqlite_where=held, postgresql_where=held)


def _texts(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text(), nullable=False, server_default="") for name in names]
