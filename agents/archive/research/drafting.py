"""Drafts of answers: a short line, a headline, and claims that stay verbatim."""

from collections.abc import Iterable, Sequence

from agents.archive.answer import Rejected
from agents.archive.research.documents.document import AnnotatedDocument
from agents.archive.research.documents.dose_mentions import DoseMention
from agents.archive.research.documents.lines import Line
from agents.archive.research.patterns.amounts import unit_text
from agents.archive.values import Draft, DraftClaim, DraftField
from agents.counts import listed
from agents.text.rows import row_in_words

MOST_CLAIMS = 12
MOST_CLAIMS_OF_VALUE = 6
MOST_REJECTED = 40


def claim_text(line: Line) -> str:
    """A line as a statement: the sentence itself, or a row with its column heads."""
    row = line.passage.row
    if row is None or line.is_heading:
        return line.text
    return row_in_words(row.header, row.cells)


def claims_of(lines: Iterable[Line], most: int = MOST_CLAIMS) -> tuple[DraftClaim, ...]:
    """One claim a line, each line once."""
    seen: dict[tuple[str, int], Line] = {}
    for line in lines:
        seen.setdefault((line.passage.doc_id, line.passage.start), line)
    return tuple(DraftClaim(claim_text(line), (line.passage,)) for line in list(seen.values())[:most])


def dose_field(dose: DoseMention) -> DraftField:
    """A dose as a field of the structured answer."""
    at = (dose.line.passage,)
    return DraftField("dose", dose.single_text, unit_text(dose.quantity), at, dose.realisation)


def text_fields(lines: Iterable[Line], **values: str) -> list[DraftField]:
    """Texts by field with the lines they rest on; empty ones are left out."""
    at = tuple(line.passage for line in lines)
    return [DraftField(field, value, passages=at) for field, value in values.items() if value]


def stated(
    saying: str,
    value: str,
    kind: Iterable[str],
    lines: Iterable[Line],
    fields: Iterable[DraftField],
    rejected: Iterable[Rejected] = (),
    conflicts: Iterable[str] = (),
) -> Draft:
    """The draft of a value with what is known of it in brackets, "15 mg (Phase I; KR-3)"; `saying` is the
    headline as far as the value.
    """
    known = "; ".join(filter(None, kind))
    short = f"{value} ({known})" if known else value
    unique = tuple(dict.fromkeys(conflicts))
    claims = claims_of(lines, MOST_CLAIMS_OF_VALUE)
    return Draft(True, short, f"{saying} {short}.", claims, tuple(fields), tuple(rejected), unique)


def followed(other: AnnotatedDocument, told: str, best: AnnotatedDocument) -> str:
    """The note on a document that tells something else than the one which was followed."""
    return f"{other.doc_id} gives {told}; {best.doc_id} ({best.kind.value}) was followed."


def absent(headline: str, rejected: Sequence[Rejected] = ()) -> Draft:
    """The draft of an answer that the documents do not give; says why values that were found are refused."""
    guards = dict.fromkeys(item.guard for item in rejected if item.value)
    seen = f" Found and not taken: values refused as {listed(list(guards))}." if guards else ""
    return Draft(False, "", headline + seen, rejected=tuple(rejected[:MOST_REJECTED]))


def never_given(name: str, never: Rejected, rejected: Sequence[Rejected] = ()) -> Draft:
    """The draft for a molecule that no human received; `never` says where that is stated."""
    return absent(f"{name} was never given to humans: {never.reason}", [never, *rejected])
