"""Small reports, made by hand."""

from agents.evidence.values import Citation, Evidence
from agents.reports.revisions import Action, History, Revision
from agents.reports.values import Block, Prose, Report, Section, Statement

AT = "2026-03-01T12:00:00+00:00"
TEXT = "The dose was 5 mg. It was given once."


def cite(number: int, start: int = 0, doc_id: str = "ib-1") -> Citation:
    """A citation of ten characters of a document."""
    return Citation(number, f"E{number}", doc_id, "Brochure", TEXT[start : start + 10], start, start + 10)


def evidence(key: str = "E1", start: int = 100, doc_id: str = "ib-1") -> Evidence:
    """`TEXT` as a passage of a document."""
    return Evidence(key, f"uid-{key}", doc_id, "Brochure", start, start + len(TEXT), TEXT)


def says(*texts: str, numbers: tuple[int, ...] = ()) -> tuple[Block, ...]:
    """Sentences, each with the same citations."""
    return (Prose(tuple(Statement(text, numbers) for text in texts)),)


def section(name: str, text: str = "As written.", *, needs: tuple[str, ...] = (), number: int = 0) -> Section:
    """A section with one sentence; `number` is that of its only citation."""
    cited = (cite(number, number),) if number else ()
    return Section(name, name.title(), says(text, numbers=(number,) if number else ()), cited, needs)


def chain() -> Report:
    """Three sections: "b" was written from "a", and "c" from "b"; "d" stands alone."""
    sections = (
        section("a", number=1),
        section("b", needs=("a",), number=2),
        section("c", needs=("b",)),
        section("d", number=3),
    )
    return Report("Chain", "Report", "A chain.", True, sections)


def history(*lines: Revision) -> History:
    return History("r1", chain(), lines)


def grown(before: History, line: Revision) -> History:
    """The history with one more line."""
    return History(before.report_id, before.written, (*before.lines, line))


def edited(before: History, name: str, text: str, by: str = "ada") -> History:
    return grown(before, before.write(section(name, text), Action.EDITED, by, AT))


def signed(before: History, name: str, action: Action, by: str = "ada") -> History:
    return grown(before, before.sign(name, action, by, AT))


def undone(before: History, name: str, by: str = "ada") -> History:
    return grown(before, before.undo(name, by, AT))
