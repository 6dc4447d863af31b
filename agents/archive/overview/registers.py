"""Registers of studies: documents whose tables list studies, also such that no document here describes."""

import re
from collections.abc import Iterable, Sequence

from agents.archive.overview.narrowed import status_in
from agents.archive.overview.studies import RegisterRow, Study, standing, studies_of
from agents.archive.research.extractors.study_list import HEADS, MANY, NUMBER, NUMBER_HEAD, key
from agents.archive.tools import ArchiveTools, LoadedDocument
from retrieval.ingest import record_rules as rules
from retrieval.ingest.record import phase_of
from retrieval.molecules.lookup import mentions
from retrieval.values import DocumentRecord, Molecule, Passage, TableRow

MOST_DOCUMENTS = 150
"""Documents that are opened to look for registers; of more, those that name the most molecules."""
MOLECULE_HEAD = re.compile(r"(?:molecule|compound|drug|substance|product|candidate|treatment)s?", re.I)
DATE_HEADS = (re.compile(r"report|complet|end|finish|signed", re.I), re.compile(r"date|start|begin", re.I))
"""Columns of a register with the date of a study, the better ones first."""
DATE = re.compile(r"(?:19|20)\d\d(?:-\d\d(?:-\d\d)?)?")


async def studies_on_record(
    tools: ArchiveTools, records: Sequence[DocumentRecord], molecules: Sequence[str] = ()
) -> list[Study]:
    """The studies that documents describe, each with its rows in registers, and those that only registers
    list. With `molecules`, registers are looked for among the documents of these; a register is no study.
    """
    kept = standing(records)
    rows = await register_rows(tools, kept, molecules)
    registers = {row.record.doc_id for row in rows}
    return joined(studies_of([record for record in kept if record.doc_id not in registers]), rows)


async def register_rows(
    tools: ArchiveTools, records: Sequence[DocumentRecord], molecules: Sequence[str]
) -> list[RegisterRow]:
    """The rows of all registers; with `molecules` those of the registers among their documents."""
    own = [record for record in records if not molecules or not set(molecules).isdisjoint(record.molecules)]
    own.sort(key=lambda record: -len(record.molecules))
    registry = await tools.index.molecules()
    found = []
    for one in await tools.documents.open_all(
        tools.index, [record.doc_id for record in own[:MOST_DOCUMENTS]]
    ):
        rows = study_rows(one)
        if len(rows) >= MANY:
            found += [row_record(one.document.record, number, row, registry) for number, row in rows.items()]
    return found


def study_rows(one: LoadedDocument) -> dict[str, Passage]:
    """The rows of a document's tables that are about a study, under its number."""
    rows = [passage for passage in one.passages if passage.row is not None]
    return {
        number: passage
        for passage in rows
        if passage.row is not None
        and NUMBER_HEAD.fullmatch(passage.row.header[0])
        and NUMBER.fullmatch(number := passage.row.cells[0].strip())
    }


def row_record(
    register: DocumentRecord, number: str, passage: Passage, registry: Sequence[Molecule]
) -> RegisterRow:
    """What a row of a register says of its study, in the form of a record."""
    assert passage.row is not None
    row = passage.row
    named = _cell(row, [MOLECULE_HEAD]) or passage.text
    molecules = tuple(dict.fromkeys(name for _, _, name in mentions(named, registry)))
    kind, who = _headed(row, "type"), _headed(row, "species")
    status = _headed(row, "status")
    record = DocumentRecord(
        doc_id=register.doc_id,
        path=register.path,
        sha256=register.sha256,
        format=register.format,
        title=", ".join(filter(None, (kind, who))),
        molecules=molecules,
        main_molecules=molecules,
        document_type="Register entry",
        study_type=kind,
        phase=_phase(_headed(row, "phase"), kind),
        species=tuple(name for name, pattern in rules.SPECIES if pattern.search(f"{who} {kind}")),
        date=next((found[0] for head in DATE_HEADS if (found := DATE.match(_cell(row, [head])))), ""),
        status=status_in(status),
        study_id=number,
    )
    return RegisterRow(record, passage, status)


def joined(described: Sequence[Study], rows: Sequence[RegisterRow]) -> list[Study]:
    """Each study once: what documents describe with its rows, then what only registers list.

    Several documents of one number in a register are of one study.
    """
    numbers = {key(row.record.study_id): row.record.study_id for row in rows}
    listed = {number: [row for row in rows if key(row.record.study_id) == number] for number in numbers}
    once: dict[str, list[Study]] = {}
    for study in described:
        number = number_among(study, numbers)
        once.setdefault(number or f"described {key(study.name)}", []).append(study)
    made = [
        Study(group[0].name, tuple(r for one in group for r in one.records), tuple(listed.get(number, ())))
        for number, group in ((number, sorted(group, key=_own_number)) for number, group in once.items())
    ]
    return [*made, *(Study(numbers[n], (), tuple(own)) for n, own in listed.items() if n not in once)]


def number_among(study: Study, numbers: Iterable[str]) -> str:
    """The number of a register (without marks and case) that a document of a study has; else the longest one
    from which its name goes on ("AB-301-report" is of AB-301); "" for none.
    """
    written = [name for one in study.records for name in (one.study_id, one.doc_id.rpartition("/")[2])]
    exact = [number for number in numbers if number in map(key, written)]
    begun = [number for number in numbers if any(goes_on_from(number, name) for name in written)]
    return max(exact or begun, key=len, default="")


def goes_on_from(number: str, name: str) -> bool:
    """Whether a name begins with a number. A number that ends in a letter ends there as a word does, so that
    "AB-301 extension" is not of AB-301E.
    """
    marked = r"[\W_]*".join(map(re.escape, number))
    behind = r"(?!\d)" if number[-1:].isdigit() else r"(?![^\W_])"
    return re.match(rf"\W*{marked}{behind}", name, re.I) is not None


def only_listed(studies: Iterable[Study]) -> list[str]:
    """Numbers of studies that registers list and no document describes."""
    return sorted(study.name for study in studies if not study.records)


def _own_number(study: Study) -> int:
    """The document with the shortest name stands for the study: others add a word to its number."""
    return len(study.name)


def _headed(row: TableRow, field: str) -> str:
    return _cell(row, [HEADS[field]])


def _cell(row: TableRow, heads: Sequence[re.Pattern[str]]) -> str:
    """The first cell that says anything under one of the heads, the first head first."""
    for head in heads:
        for name, cell in zip(row.header, row.cells, strict=True):
            if head.search(name) and re.search(r"\w", cell):
                return cell.strip()
    return ""


def _phase(written: str, kind: str) -> str:
    """A phase as records write it: "Phase 1/2"; "" where the row states none."""
    text = written if rules.PHASE.search(written) else f"phase {written}" if written else kind
    found = rules.PHASE.search(text)
    return phase_of(found) if found else ""
