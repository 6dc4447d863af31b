"""Small evidence for tests."""

from agents.evidence.memory import EvidenceMemory
from agents.evidence.values import Evidence
from agents.trust.values import Claim
from retrieval.parse.fixed_width import with_tables
from retrieval.passages import passages_of
from retrieval.values import DocumentRecord, Passage, PassageKind, TableRow
from tests.retrieval.ingest.texts import document


def record(doc_id: str = "D1", title: str = "Clinical study report") -> DocumentRecord:
    return DocumentRecord(doc_id, f"{doc_id}.md", sha256=f"sha of {doc_id}", format="md", title=title)


def passage(text: str, start: int = 0, doc_id: str = "D1", row: TableRow | None = None) -> Passage:
    kind = PassageKind.ROW if row else PassageKind.SENTENCE
    return Passage(doc_id, start, start + len(text), text, kind, row=row)


def remember(*texts: str) -> EvidenceMemory:
    """A memory with one sentence per text: E1, E2, ..."""
    memory = EvidenceMemory()
    start = 0
    for text in texts:
        memory.add(passage(text, start), record())
        start += len(text) + 1
    return memory


def evidence(text: str) -> Evidence:
    return remember(text).get("E1")


def table_row(caption: str, header: tuple[str, ...], cells: tuple[str, ...]) -> EvidenceMemory:
    memory = EvidenceMemory()
    text = "| " + " | ".join(cells) + " |"
    memory.add(passage(text, row=TableRow(caption, header, cells)), record())
    return memory


def claim(text: str, *keys: str, quotes: tuple[str, ...] = ()) -> Claim:
    return Claim(text, keys, quotes)


def read_plainly(text: str) -> EvidenceMemory:
    """A memory with every passage of a plain text, its tables read by the parser."""
    memory = EvidenceMemory()
    for found in passages_of(document(with_tables(text))):
        memory.add(found, record())
    return memory
