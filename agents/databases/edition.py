"""Which state of a database was read: how a sentence names it, and the record that it begins."""

import re
from dataclasses import dataclass

from agents.databases.database import Database
from agents.databases.facts import Response
from agents.databases.ports import BulkRelease, WebReply
from agents.databases.sheet import Sheet
from agents.databases.target_tool import TargetFindings

DATED = re.compile(r"(?<!\d)(?:19|20)\d\d(?:-[01]\d(?:-[0-3]\d)?)?(?!\d)")
"""A year, month or day in the name of a file."""


@dataclass(frozen=True, slots=True)
class Edition:
    """A state of a database. `date` is the day on which it was fetched, `link` the address for people, and
    `file` the name of the file where it was read from one.
    """

    database: str
    release: str = ""
    date: str = ""
    link: str = ""
    file: str = ""

    @property
    def name(self) -> str:
        """As a sentence names it: "GTEx v4", or with the day of the fetch where no release is known."""
        said = self.release or (f"({self.date})" if self.date else "")
        return f"{self.database} {said}".strip()

    @property
    def asked(self) -> str:
        """Who was asked: a file that was loaded may hold a part of the database only."""
        return f"the loaded file of {self.database}" if self.file else self.database

    @classmethod
    def of_bulk(cls, database: Database, loaded: BulkRelease, link: str = "") -> "Edition":
        """Of a file that was loaded. A release that repeats the database's name is cut to the rest.

        Where none was stated, the date in the file's name is taken ("..._2015-06-08.tsv"), if there is one.
        """
        dated = DATED.search(loaded.file)
        release = loaded.release or (dated[0] if dated else "")
        for name in (database.title, database.name):
            if release.casefold().startswith(name.casefold()):
                release = release[len(name) :].strip(" -_")
        return cls(database.title, release, "", link or database.page, loaded.file)

    @classmethod
    def of_reply(cls, database: Database, reply: WebReply, link: str = "", release: str = "") -> "Edition":
        """Of a reply from the network."""
        return cls(database.title, release or reply.release, reply.date[:10], link or reply.url)

    def sheet(self, title: str, query: str) -> Sheet:
        """A record whose title names the edition first, by its file where no release is known."""
        read = f" (file {self.file})" if self.file and not self.release else ""
        return Sheet(
            f"{self.name}{read}: {title}",
            self.database,
            query=query,
            release=self.release or read.strip(" ()"),
            date=self.date,
            link=self.link,
        )


def absent(note: str) -> TargetFindings:
    """What is told where a database has nothing of a target: no error, and said."""
    return TargetFindings(missing=(note,), answer=Response.NO_ROW)
