"""Reports have revisions, evidence has sources beside documents, runs have artefacts and ask people."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0002", "0001"

OVER = "('done', 'stopped', 'failed')"
"""States of a run that is over."""


def upgrade() -> None:
    """Add columns to the runs, and five tables."""
    for name, default in (
        ("queue", "pipeline"),
        ("revises", ""),
        ("section", ""),
        ("enqueued", ""),
        ("handed_over", ""),
    ):
        op.add_column("runs", sa.Column(name, sa.Text(), nullable=False, server_default=default))
    op.execute(
        "UPDATE runs SET handed_over = ended WHERE run_id IN "
        "(SELECT run_id FROM events WHERE kind = 'answer.handed_over') AND ended <> ''"
    )
    _partial("runs_to_hand_over", "runs", ["number"], f"handed_over = '' AND state IN {OVER}")
    _reports()
    _waiting()


def _reports() -> None:
    op.create_table(
        "revisions",
        sa.Column("report_id", sa.String(), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
        *_texts("section_id", "action", "by", "at", "why", "run_id", "section"),
    )
    op.create_table(
        "sources",
        sa.Column("id", sa.String(), primary_key=True),
        *_texts("origin", "name", "title", "text", "query", "release", "date", "link", "sha256"),
    )
    op.create_table(
        "thread_context",
        sa.Column("thread_id", sa.Text(), primary_key=True),
        sa.Column("kind", sa.Text(), primary_key=True),
        *_texts("value"),
    )
    op.create_table(
        "artefacts",
        sa.Column("sha256", sa.String(), primary_key=True),
        *_texts("media_type", "name", "created"),
        sa.Column("data", sa.LargeBinary(), nullable=False),
    )


def _waiting() -> None:
    op.create_table(
        "requests",
        sa.Column("run_id", sa.String(), primary_key=True),
        sa.Column("name", sa.Text(), primary_key=True),
        *_texts("request", "asked", "due", "decision"),
    )
    _partial("open_requests", "requests", ["due"], "decision = ''")


def _texts(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text(), nullable=False, server_default="") for name in names]


def _partial(name: str, table: str, columns: list[str], where: str) -> None:
    """An index over the rows for which `where` holds."""
    held = sa.text(where)
    op.create_index(name, table, columns, sqlite_where=held, postgresql_where=held)
