"""Composes the answer in Markdown, with numbered citations and what was not found."""

from collections.abc import Iterable, Sequence

from agents.archive.answer import Answer, AnswerTable, Finding, Question
from agents.archive.library import GENERAL, Library
from agents.archive.supervise import AnswerPart, Merged
from agents.archive.values import Classification
from agents.evidence.values import Citation, Evidence
from agents.trust.citations import cited
from agents.trust.values import Claim


class Citations:
    """Gives out the numbers of an answer, from 1, in order of first use."""

    def __init__(self, evidence: Iterable[Evidence]) -> None:
        self._evidence = {item.key: item for item in evidence}
        self._given: dict[tuple[str, int, int], Citation] = {}

    def marks(self, claim: Claim) -> str:
        """ "[1] [2]" for a claim."""
        numbers = dict.fromkeys(self.cite(key, claim.quotes) for key in claim.keys)
        return "".join(f"[{number}]" for number in numbers)

    def cite(self, key: str, quotes: Sequence[str] = ()) -> int:
        """The number of a piece of evidence, narrowed to the quote that occurs in it, if any."""
        item = self._evidence[key]
        quote = next((quote for quote in quotes if quote and quote in item.text), item.text)
        start = item.start + item.text.index(quote)
        place = (item.doc_id, start, start + len(quote))
        if place not in self._given:
            self._given[place] = cited(len(self._given) + 1, item, start, start + len(quote))
        return self._given[place].number

    def all(self) -> tuple[Citation, ...]:
        """Citations in order of their numbers."""
        return tuple(self._given.values())


def compose(
    library: Library,
    question: Question,
    classification: Classification,
    merged: Merged,
    tables: tuple[AnswerTable, ...],
    notes: Sequence[str],
) -> Answer:
    """The answer of a run. `short` joins the short answers where there are several parts."""
    citations = Citations(merged.evidence)
    several = len(merged.parts) > 1
    told = " ".join(f"{claim.text} {citations.marks(claim)}" for claim in merged.narrative)
    texts = [told, *(part_text(library, part, citations, several) for part in merged.parts)]
    text = "\n\n".join(filter(None, texts))
    present = [part for part in merged.parts if part.present]
    for key in (key for table in tables for row in table.rows for cell in row for key in cell.keys):
        citations.cite(key)
    cited = {citation.key for citation in citations.all()}
    return Answer(
        question.text,
        short_answer(library, merged.parts),
        text,
        bool(present),
        classification.molecules,
        tuple(dict.fromkeys(part.question_type for part in merged.parts)),
        tuple(finding for part in merged.parts for finding in part.findings),
        tables,
        citations.all(),
        tuple(item for item in merged.evidence if item.key in cited),
        tuple(dict.fromkeys(line for part in merged.parts for line in not_found(part))),
        tuple(place for part in merged.parts for place in part.searched),
        notes=tuple(
            dict.fromkeys((*notes, *merged.notes, *(note for part in merged.parts for note in part.notes)))
        ),
    )


def short_answer(library: Library, parts: Sequence[AnswerPart]) -> str:
    """One line: the value asked for, labelled where there are several parts."""
    if len(parts) == 1:
        return parts[0].short if parts[0].present else parts[0].headline
    return "; ".join(
        f"{label(library, part)}: {part.short if part.present else 'not stated'}" for part in parts
    )


def label(library: Library, part: AnswerPart) -> str:
    """What a part is about."""
    heading = library[part.question_type].output.heading
    return f"{heading}, {part.molecule}" if part.molecule else heading


def part_text(library: Library, part: AnswerPart, citations: Citations, several: bool) -> str:
    """A part in Markdown: its headline, its claims, and under subheadings what else the domains report."""
    lines = [f"## {label(library, part)}"] if several else []
    lines.append(f"**{part.headline}**" if part.present else part.headline)
    lines += claim_lines(part.claims, citations)
    if part.question_type != GENERAL:
        told = {claim.text for claim in part.claims}
        lines += [line for finding in part.findings for line in domain_lines(finding, told, citations)]
    return "\n\n".join(line for line in lines if line)


def claim_lines(claims: Iterable[Claim], citations: Citations) -> list[str]:
    """Claims as one list with citation marks."""
    return ["\n".join(f"- {claim.text} {citations.marks(claim)}".rstrip() for claim in claims)]


def domain_lines(finding: Finding, told: set[str], citations: Citations) -> list[str]:
    """A domain's own findings that the part has not told yet."""
    new = [claim for claim in finding.claims if claim.text not in told]
    if not finding.present or not new:
        return []
    told.update(claim.text for claim in new)
    return [f"### {finding.domain.value.capitalize()} documents", *claim_lines(new, citations)]


def not_found(part: AnswerPart) -> list[str]:
    """Sentences about what the archive does not say."""
    whole = [] if part.present else [part.headline]
    return whole + [finding.headline for finding in part.findings if not finding.present]
