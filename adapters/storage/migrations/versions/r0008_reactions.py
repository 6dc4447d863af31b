"""Reactions of people to what is shown: who, when, and what came of it."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0008", "0007"


def upgrade() -> None:
    """Add a table."""
    keys = [
        sa.Column(name, sa.Text(), primary_key=True) for name in ("thread_id", "slot", "user_id", "meaning")
    ]
    rest = ("emoji", "at", "event", "before", "removed")
    texts = [sa.Column(name, sa.Text(), nullable=False, server_default="") for name in rest]
    op.create_table("reactions", *keys, *texts)
