"""What a message shows is found by its own id: a card that was too long for one message has several."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0010", "0009"

BATCH = 1_000
"""Rows that are read at a time."""
PUT = "INSERT INTO message_parts (platform, channel, part, thread_id, slot) "
SHOWN = "FROM messages m JOIN threads t ON t.thread_id = m.thread_id "
WHOLE = sa.text(
    f"{PUT}SELECT t.platform, t.channel, m.message_id, m.thread_id, m.slot {SHOWN}"
    "WHERE m.message_id <> '' AND m.message_id NOT LIKE '% %' ON CONFLICT DO NOTHING"
)
PART = sa.text(f"{PUT}VALUES (:platform, :channel, :part, :thread_id, :slot) ON CONFLICT DO NOTHING")
SEVERAL = sa.text(
    f"SELECT t.platform, t.channel, m.message_id, m.thread_id, m.slot {SHOWN}"
    "WHERE m.message_id LIKE '% %' AND (m.thread_id, m.slot) > (:thread_id, :slot) "
    "ORDER BY m.thread_id, m.slot LIMIT :most"
)


def upgrade() -> None:
    """Add a table, and fill it from the messages that were shown."""
    op.create_table(
        "message_parts",
        *(sa.Column(name, sa.Text(), primary_key=True) for name in ("platform", "channel", "part")),
        *(sa.Column(name, sa.Text(), nullable=False, server_default="") for name in ("thread_id", "slot")),
    )
    database = op.get_bind()
    database.execute(WHOLE)
    last = {"thread_id": "", "slot": ""}
    while rows := database.execute(SEVERAL, {**last, "most": BATCH}).mappings().all():
        database.execute(PART, [{**row, "part": part} for row in rows for part in row["message_id"].split()])
        last = {name: rows[-1][name] for name in last}
