"""What a report shows, checked again from the texts that are stored now."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

from agents.evidence.fill import subjects_of
from agents.evidence.values import LEFT_OUT, Citation
from agents.reports.gate import Audit, audit
from agents.reports.values import Report
from agents.trust.support import Fault
from retrieval.passages import passages_of
from retrieval.values import Document, Passage

Texts = Callable[[str], Awaitable[Document | None]]
"""The document, or the kept source, with an id; None if it is gone."""


async def recheck(report: Report, texts: Texts) -> Audit:
    """The audit of a report over the stored texts of its citations.

    A citation whose text is gone carries nothing.
    """
    opened, wrong = await as_kept(report, texts)
    return audit(opened) + Audit(0, wrong)


async def as_kept(report: Report, texts: Texts) -> tuple[Report, tuple[tuple[str, Fault], ...]]:
    """The report with its citations as their texts are stored now, and those of which the text is gone."""
    opened: dict[str, tuple[Document, tuple[Passage, ...]] | None] = {}
    found: dict[int, Citation] = {}
    wrong: list[tuple[str, Fault]] = []
    for one in report.citations:
        if one.doc_id not in opened:
            document = await texts(one.doc_id)
            opened[one.doc_id] = (document, passages_of(document)) if document else None
        if held := opened[one.doc_id]:
            found[one.number] = as_stored(one, *held)
        else:
            wrong.append(("citation", Fault(f"[{one.number}]", f"{one.doc_id} is no longer stored")))
    return stored(report, found), tuple(wrong)


def as_stored(citation: Citation, document: Document, passages: tuple[Passage, ...]) -> Citation:
    """A citation with the text at its place, and what is read with it, as they are stored."""
    passage = next((one for one in passages if one.start <= citation.start < one.end), None)
    row = passage.row if passage else None
    return replace(
        citation,
        quote=document.text[citation.start : citation.end],
        title=document.record.title,
        date=document.record.date,
        section=passage.section if passage else (),
        caption=row.caption if row else "",
        header=row.header if row else (),
        group=row.group if row else (),
        notes=row.notes if row else "",
        lead=passage.lead if passage else "",
        around=LEFT_OUT.join(part for part in citation.around.split(LEFT_OUT) if part in document.text),
        study=document.record.study_id,
        subjects=tuple(dict.fromkeys((*subjects_of(document.record), *citation.subjects))),
    )


def stored(report: Report, citations: Mapping[int, Citation]) -> Report:
    """The report with other texts for its citations, such as those that the archive holds now."""
    sections = tuple(
        replace(one, citations=tuple(citations[c.number] for c in one.citations if c.number in citations))
        for one in report.sections
    )
    return replace(report, sections=sections)
