"""One list of references for a report with many citations: each record once, with all its numbers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agents.evidence.sources import Origin
from agents.evidence.values import Citation

_RECORDS = tuple(f"{origin}-" for origin in (Origin.TOOL, Origin.UPLOAD))


@dataclass(frozen=True, slots=True)
class Reference:
    """A record or document, and the numbers of the report that cite it, ascending.

    `title` names the database with its release, and what was asked of it; `id` is the document's id in the
    archive, "" for a record of a database, whose key says nothing to a reader. `date` is the day of the fetch
    or of the document, `link` the address for people.
    """

    numbers: tuple[int, ...]
    title: str
    id: str = ""
    date: str = ""
    link: str = ""

    @property
    def line(self) -> str:
        """The reference in one line, without its numbers."""
        return ", ".join(filter(None, (self.title, self.id, self.date, self.link)))


def references(citations: Iterable[Citation]) -> tuple[Reference, ...]:
    """The records behind citations, in the order of their first number."""
    by_record: dict[str, list[Citation]] = {}
    for one in sorted(citations, key=lambda one: one.number):
        by_record.setdefault(one.doc_id, []).append(one)
    return tuple(_reference(found) for found in by_record.values())


def _reference(found: Sequence[Citation]) -> Reference:
    first = found[0]
    numbers = tuple(dict.fromkeys(one.number for one in found))
    own = "" if first.doc_id.startswith(_RECORDS) or first.doc_id == first.title else first.doc_id
    return Reference(numbers, first.title or first.doc_id, own, first.date, first.link)
