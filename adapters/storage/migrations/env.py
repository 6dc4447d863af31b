"""How Alembic carries out the revisions: inside the transaction of the connection it is given."""

from alembic import context

from adapters.storage.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    transactional_ddl=True,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
