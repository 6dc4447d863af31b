"""`pestle reindex`: the archive in a new index, in the form of this version."""

from adapters.cli.progress import progress
from adapters.cli.session import console, with_runtime


def reindex_command() -> None:
    """Write the archive on Elasticsearch into a new index, and switch to it.

    For a new encoder, other shards, or after an upgrade that asks for it. Searches go on meanwhile, with the
    old encoder; writing waits. Safe to interrupt and repeat: the archive stays as it was until the end.
    """
    with progress(console, "entries") as shown:
        done = with_runtime(lambda built: built.reindex(lambda some, total: shown(some, total, "Writing")))
    how = "encoded anew" if done.encoded else "with the vectors they had"
    console.print(
        f"{done.entries} entries from {done.old} are in {done.new} now, {how}; {done.seconds:.1f} s",
        highlight=False,
        soft_wrap=True,
    )
