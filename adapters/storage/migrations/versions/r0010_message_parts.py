"""What a message shows is found by its own id: a card that was too long for one message has several."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0010", "0009"

BATCH = 1_000
"""Rows that are written at a time."""


def upgrade() -> None:
    """Add a table, and fill it from the messages that were shown."""
    parts = op.create_table(
        "message_parts",
        *(sa.Column(name, sa.Text(), primary_key=True) for name in ("platform", "channel", "part")),
        *(sa.Column(name, sa.Text(), nullable=False, server_default="") for name in ("thread_id", "slot")),
    )
    shown = sa.text(
        "SELECT t.platform, t.channel, m.message_id, m.thread_id, m.slot "
        "FROM messages m JOIN threads t ON t.thread_id = m.thread_id"
    )
    found = {
        (row.platform, row.channel, part): {"thread_id": row.thread_id, "slot": row.slot}
        for row in op.get_bind().execute(shown)
        for part in row.message_id.split()
    }
    rows = [dict(zip(("platform", "channel", "part"), key, strict=True)) | of for key, of in found.items()]
    for start in range(0, len(rows), BATCH):
        op.bulk_insert(parts, rows[start : start + BATCH])
