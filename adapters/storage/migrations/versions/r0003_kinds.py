"""A thread keeps something of each kind of run, not molecules alone; a run that revises knows its
instruction.
"""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0003", "0002"


def upgrade() -> None:
    """Move the molecules under discussion to what the archive keeps of a thread."""
    op.add_column("runs", sa.Column("instruction", sa.Text(), nullable=False, server_default=""))
    op.execute(
        "INSERT INTO thread_context (thread_id, kind, value) "
        "SELECT thread_id, 'archive', '{\"molecules\":' || molecules || '}' FROM threads "
        "WHERE molecules <> '[]'"
    )
    op.execute("ALTER TABLE threads DROP COLUMN molecules")
