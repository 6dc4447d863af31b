"""A record in the making: its lines, and the facts that stand on them.

    sheet = Sheet("ChEMBL: drugs that act on BRAF", CHEMBL.title, release="ChEMBL_35")
    line = sheet.line("Vemurafenib (CHEMBL1229517): inhibitor; highest phase 4 (approved)")
    sheet.fact(Topic.DRUG, "Vemurafenib (CHEMBL1229517) is an inhibitor.", line, term="Vemurafenib")

A line is one line of the record's canonical text, so that it can be quoted as it is.
"""

from collections.abc import Iterable
from typing import Any

from agents.counts import number_of
from agents.databases.facts import Fact, Response, Topic
from agents.databases.target_tool import TargetFindings
from agents.evidence.sources import Source, canonical, tool_source


def one_line(text: str) -> str:
    """The text on one line, as it stands in a record."""
    return " ".join(canonical(text).split())


def sentence(text: str) -> str:
    """The text with a capital, unless it begins with a name, and with a full stop."""
    text = one_line(text).rstrip(" .;,")
    first = text.split(" ", 1)[0]
    return f"{text[:1].upper()}{text[1:]}." if first.isalpha() and first.islower() else f"{text}."


class Sheet:
    """One record and its facts. Its first line is the title, so that a citation names what it is about.

    `query`, `release`, `date` and `link` are those of `Source`.
    """

    def __init__(
        self, title: str, database: str, *, query: str = "", release: str = "", date: str = "", link: str = ""
    ) -> None:
        self.title = one_line(title)
        self.facts: list[Fact] = []
        self._database = database
        self._from = {"query": query, "release": release, "date": date, "link": link}
        self._lines = [f"# {self.title}", ""]

    def line(self, text: str) -> str:
        """Add a line; gives it as it stands in the record."""
        written = f"- {one_line(text)}"
        self._lines.append(written)
        return written

    def text(self, text: str) -> None:
        """Add a line that is no item of a list, such as one of a sequence."""
        self._lines.append(one_line(text))

    def head(self, text: str) -> None:
        """Begin a part of the record."""
        self._lines += ["", f"## {one_line(text)}", ""]

    def fact(self, topic: Topic, text: str, *quotes: str, **fields: Any) -> None:
        """Add a fact that stands on lines of this record; `fields` are those of `Fact`."""
        self.facts.append(
            Fact(topic=topic, text=one_line(text), quotes=tuple(dict.fromkeys(quotes)), **fields)
        )

    def state(self, topic: Topic, says: str, *also: str, **fields: Any) -> None:
        """Add a line and the fact that says the same as a sentence; it stands on that line and on `also`."""
        self.fact(topic, sentence(says), self.line(says), *also, **fields)

    @property
    def source(self) -> Source:
        """The record."""
        return tool_source(self._database, self.title, canonical("\n".join(self._lines)), **self._from)


def target_findings(
    sheets: Iterable[Sheet], *, nothing: str = "", missing: Iterable[str] = ()
) -> TargetFindings:
    """What a database tells: the records that hold facts, and those facts under their records' numbers.

    `nothing` is said where there are neither facts nor anything missing.
    """
    filled, missing = [sheet for sheet in sheets if sheet.facts], tuple(dict.fromkeys(missing))
    facts = tuple(
        fact.model_copy(update={"record": number})
        for number, sheet in enumerate(filled)
        for fact in sheet.facts
    )
    records = tuple(sheet.source for sheet in filled)
    summary = f"{number_of(len(facts), 'fact')} in {number_of(len(records), 'record')}."
    if facts or missing or not nothing:
        return TargetFindings(records, facts, missing, summary)
    return TargetFindings(missing=(nothing,), summary=summary, answer=Response.NO_ROW)
