"""Drug labels as documents of an index: one document a version, one chunk a passage under its section.

The record of a label has the set id as its path, all names of its drug as molecules and the ingredients as
main ones, the day from which it is in force as date, its sections as keywords, and as digest what tells two
texts apart, so that the labels to read are chosen without reading any.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator

from agents.databases.bulk_format import BulkFormat
from agents.databases.ingredients import spellings
from agents.databases.label_format import DATA, SOURCE, ReadLabel, fits, objects, read_labels
from agents.databases.labels import LabelPassage
from agents.errors import WrongFile
from retrieval.text.sentences import split_sentences
from retrieval.values import Chunk, Document, DocumentRecord

FORMAT = "drug label"
NAMED = "FDA drug labels"
WORDS_ONLY = "Its passages are found by words alone."
"""What the record of a label says whose passages have no vectors yet."""
LONGEST = 1200
"""Characters of a passage: a section is cut between sentences into passages of this length."""
LEFT_OUT = frozenset((DATA, "package_label_principal_display_panel", "spl_unclassified_section_table"))
"""Sections that say nothing of a drug but its names; they are stored and not read."""
HEAD = "# "


def label_documents(pieces: Iterable[str]) -> Iterator[Document]:
    """The labels of a file that comes in pieces. Raises `WrongFile` for a file without any."""
    count = 0
    for label in read_labels(objects(pieces)):
        count += 1
        yield label_document(label)
    if not count:
        raise WrongFile("It holds no labels: no sections with text.")


def label_document(label: ReadLabel) -> Document:
    """A label: each section under a heading with openFDA's name of it, each of its texts on a line."""
    lines: list[str] = []
    for section, written in label.sections.items():
        lines += [f"{HEAD}{section}", *map(_escaped, written)]
    sections = json.dumps(list(label.sections.items()), ensure_ascii=False)
    record = DocumentRecord(
        doc_id=f"{label.set_id}@{label.effective}" if label.set_id else _digest(label.title, sections)[:16],
        path=label.set_id,
        sha256=_digest(re.sub(r"[^a-z]+", "", sections.casefold())),
        format=FORMAT,
        title=label.title,
        molecules=spellings([label.title, *label.names, *label.ingredients]),
        main_molecules=label.ingredients,
        document_type=FORMAT,
        date=label.effective,
        keywords=tuple(label.sections),
        warnings=(WORDS_ONLY,),
    )
    return Document(record, "\n".join(lines))


def label_chunks(document: Document) -> Iterator[Chunk]:
    """The passages of a label in its order, each whole sentences of one section."""
    doc_id, section, numbers, ordinal = document.record.doc_id, "", dict[str, int](), 0
    for start, line in _lines(document.text):
        if line.startswith(HEAD):
            section = line.removeprefix(HEAD)
        elif section not in LEFT_OUT:
            begin = 1 if line.startswith("\\") else 0
            for part in cut(line[begin:]):
                begin = line.index(part, begin)
                numbers[section] = number = numbers.get(section, 0) + 1
                place = (start + begin, start + begin + len(part))
                name = f"{doc_id}/{section}/{number}"
                yield Chunk(name, doc_id, ordinal, *place, part, section=(section,))
                begin += len(part)
                ordinal += 1


def passage_of(chunk: Chunk, record: DocumentRecord) -> LabelPassage:
    """A chunk of a label as a passage."""
    about = (record.path, record.date, record.main_molecules)
    return LabelPassage(chunk.chunk_id, record.title, chunk.section[0], chunk.text, *about, NAMED)


def cut(written: str) -> Iterator[str]:
    """A section in passages of whole sentences, none longer than `LONGEST` unless one sentence is."""
    held = ""
    for sentence in split_sentences(written):
        if held and len(held) + len(sentence) + 1 > LONGEST:
            yield held
            held = sentence
        else:
            held = f"{held} {sentence}".strip()
    if held:
        yield held


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a text with their offsets."""
    start = 0
    for line in text.split("\n"):
        yield start, line
        start += len(line) + 1


def _escaped(line: str) -> str:
    """A line that no reader takes for a heading."""
    return f"\\{line}" if line.startswith(("#", "\\")) else line


def _digest(*parts: str) -> str:
    return hashlib.sha256("\x00".join(parts).encode()).hexdigest()


LABELS = BulkFormat(
    SOURCE,
    "drug-label-0001-of-0013.json",
    "https://open.fda.gov/apis/drug/label/download/",
    '{"meta": …, "results": [{"set_id": …, "adverse_reactions": […], "openfda": …}]}',
    fits,
    documents=label_documents,
)
"""Labels. Files add up; a version of a label that is there already is not taken in again."""
