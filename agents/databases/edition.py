"""Which state of a database was read: how a sentence names it, and the record that it begins."""

from collections.abc import Sequence
from dataclasses import dataclass

from agents.databases.database import Database
from agents.databases.ports import BulkRelease, WebReply
from agents.databases.sheet import Sheet
from agents.databases.target_tool import Told


@dataclass(frozen=True, slots=True)
class Edition:
    """A state of a database. `date` is the day on which it was fetched, `link` the address for people."""

    database: str
    release: str = ""
    date: str = ""
    link: str = ""

    @property
    def name(self) -> str:
        """As a sentence names it: "GTEx v4", or with the day where no release is known."""
        said = self.release or (f"({self.date})" if self.date else "")
        return f"{self.database} {said}".strip()

    @property
    def cited(self) -> str:
        """As a sentence names a database with an article: "the GWAS Catalog of 2015-06-08"."""
        said = self.release or self.date
        return f"{self.database} of {said}" if said else self.database

    @classmethod
    def of_bulk(cls, database: Database, loaded: BulkRelease) -> "Edition":
        """Of a file that was loaded. A release that repeats the database's name is cut to the rest."""
        release = loaded.release
        for name in (database.title, database.name):
            if release.casefold().startswith(name.casefold()):
                release = release[len(name) :].strip(" -_")
        return cls(database.title, release, "" if release else loaded.loaded[:10], database.page)

    @classmethod
    def of_reply(cls, database: Database, reply: WebReply, link: str = "", release: str = "") -> "Edition":
        """Of a reply from the network."""
        return cls(database.title, release or reply.release, reply.date[:10], link or reply.url)

    def sheet(self, title: str, query: str) -> Sheet:
        """A record whose title names the edition first."""
        return Sheet(
            f"{self.name}: {title}",
            self.database,
            query=query,
            release=self.release,
            date=self.date,
            link=self.link,
        )


def absent(note: str) -> Told:
    """What is told where a database has nothing of a target: no error, and said."""
    return Told(missing=(note,))


def listed(words: Sequence[str]) -> str:
    """Words as a list in a sentence: "a, b and c"."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def plural(count: int, word: str, words: str = "") -> str:
    """A count with its noun: "1 gene", "2 genes"."""
    return f"{count:,} {word if count == 1 else words or word + 's'}"
