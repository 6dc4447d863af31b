"""A line of a report's history knows the message that asked for it, so that it is written once."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0006", "0005"


def upgrade() -> None:
    """Add the event of a line."""
    op.add_column("revisions", sa.Column("event", sa.Text(), nullable=False, server_default=""))
