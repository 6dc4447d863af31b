"""One public database: what it tells, on which terms, and how it may be asked."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from agents.databases.bulk_format import BulkFormat

TERMS = tomllib.loads(Path(__file__).with_name("databases.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Database:
    """A database.

    `name` is what `WebRequest.source` and `BulkFormat.source` say ("uniprot"; a database with several files
    has further names that begin with it, "mgi-terms"). `title` is its name for people. `tells` says in a few
    words what a target's report gets from it. `licence` is that of its data, `page` its address for people.

    `live` tells whether it is asked over the network; then it gets at most `calls` in `seconds`, as it
    publishes or, where it does not, as is modest. `formats` are the files of it that can be loaded.
    """

    name: str
    title: str
    tells: str
    licence: str
    page: str
    live: bool = True
    calls: int = 3
    seconds: float = 1.0
    formats: tuple[BulkFormat, ...] = ()


def database(name: str, *formats: BulkFormat) -> Database:
    """The database of this name in `databases.toml`, with the files of it that can be loaded."""
    return Database(name, **TERMS[name], formats=formats)
