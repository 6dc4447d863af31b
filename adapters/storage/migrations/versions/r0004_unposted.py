"""Cards that were given up are found by their place, to be told of and posted again."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0004", "0003"


def upgrade() -> None:
    """Add an index."""
    held = sa.text("state = 'abandoned'")
    op.create_index(
        "abandoned_slots", "outbox", ["thread_id", "slot"], sqlite_where=held, postgresql_where=held
    )
