"""What stands behind the sections of a long report: who signed it, one list of references, and the evidence
line by line.
"""

from collections.abc import Iterator, Sequence

from adapters.export.parts import Grid, Heading, Paragraph, Part
from agents.evidence.values import Citation
from agents.reports.brief import Brief
from agents.reports.marked import marks, own
from agents.reports.references import references
from agents.reports.revisions import History
from agents.reports.values import Section
from retrieval.text.ranges import in_ranges

SIGN_OFF, REFERENCES, EVIDENCE = "Sign-off", "References", "Appendix: evidence"
UNSIGNED = "No section is signed off: this is a draft."
LONGEST = 240
"""Characters of a line of evidence; the whole of a longer one is in the JSON export and on the page."""


def status(history: History) -> str:
    """Where the report stands, in one line below its title."""
    sections = history.standing.sections
    signed = [_signer(one) for one in sections if one.signed]
    if not signed:
        return f"Status: draft, none of {len(sections)} sections signed off."
    names = ", ".join(dict.fromkeys(by for by, _ in signed))
    return f"Status: {len(signed)} of {len(sections)} sections signed off, by {names}."


def back_matter(history: History, read: Sequence[Brief]) -> Iterator[Part]:
    """Sign-off, references and evidence, in this order."""
    yield Heading(2, SIGN_OFF)
    yield from _sign_off(history)
    shown = sorted({one.number: one for each in read for one in each.citations}.items())
    if cited := [one for _, one in shown]:
        yield Heading(2, REFERENCES)
        yield Grid("", ("Cited as", "Record"), tuple(_references(cited)))
        yield Heading(2, EVIDENCE)
        yield Grid("", ("No.", "What the record says"), tuple(map(_line, cited)))


def _sign_off(history: History) -> Iterator[Part]:
    sections = history.standing.sections
    if not any(one.signed for one in sections):
        yield Paragraph(UNSIGNED)
        return
    rows = tuple((own(one.title), str(one.state), *_signer(one)) for one in sections)
    yield Grid("", ("Section", "State", "Signed by", "Time"), rows)


def _signer(section: Section) -> tuple[str, str]:
    """Who signed a section, and when; dashes for nobody."""
    by, _, time = section.signed.rpartition(", ")
    return (own(by), f"{time} UTC") if by else ("–", "–")


def _references(cited: Sequence[Citation]) -> Iterator[tuple[str, str]]:
    for one in references(cited):
        yield in_ranges(one.numbers), own(one.line)


def _line(one: Citation) -> tuple[str, str]:
    """A citation with the line that it stands on, word for word."""
    said = " ".join(one.quote.split()).removeprefix("- ")
    said = said if len(said) <= LONGEST else f"{said[: LONGEST - 2].rstrip()} …"
    where = ", ".join(
        filter(None, (*one.section[-1:], f"heads: {' | '.join(one.header)}" if any(one.header) else ""))
    )
    return marks((one.number,)), own(f"{said} ({where})" if where else said)
