"""The messages of a channel are found without its threads: a reaction names nothing else."""

from alembic import op

revision, down_revision = "0007", "0006"


def upgrade() -> None:
    """Add an index."""
    op.create_index("threads_of_channel", "threads", ["platform", "channel"])
