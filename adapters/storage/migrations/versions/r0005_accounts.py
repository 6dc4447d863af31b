"""People may have accounts, for a page that others can reach."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0005", "0004"


def upgrade() -> None:
    """Add accounts and their sessions."""
    op.create_table(
        "accounts",
        sa.Column("name", sa.Text(), primary_key=True),
        sa.Column("secret", sa.Text(), nullable=False, server_default=""),
        sa.Column("created", sa.Text(), nullable=False, server_default=""),
    )
    op.create_table(
        "sessions",
        sa.Column("key", sa.String(), primary_key=True),
        sa.Column("name", sa.Text(), nullable=False, server_default=""),
        sa.Column("until", sa.Text(), nullable=False, server_default=""),
    )
