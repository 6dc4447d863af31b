"""Section-aware chunks of 512 words with 64 words overlap (DiscoVerse, Appendix A.3).

"Chunks do not break in the middle of logical sections": a top-level section fills chunks of its own. Small
neighbouring sections are not merged, for a chunk of two sections would answer for both and be found for
neither; only what stands before the first section (title, address) goes with that section. Subsections of one
section share chunks.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, count, islice

from retrieval.passages import passages_of, plain
from retrieval.ports import Encoder
from retrieval.values import Chunk, Document, DocumentRecord, Passage, PassageKind

SIZE = 512
"""Words at most in a chunk; only a table row that is longer alone stays whole."""
LONGEST = 50_000
"""Characters at most, likewise: rows of thousands of cells without blanks are a word each."""
OVERLAP = 64
"""Words at most that a chunk repeats of the chunk before it, in whole sentences and rows where they fit."""
TWO_CHUNKS = 2 * (SIZE + 2)
"""Units that no two chunks exceed, as each has a word at least."""
STEP = OVERLAP
"""Words of the pieces into which a sentence longer than a chunk is cut; a piece can be repeated."""
MARK = re.compile(r"[ \t]*+(?:#{1,6}|[-*+•>]|\(?\w{1,3}[.)])?[ \t]*")


def chunk(document: Document, most: int | None = None) -> tuple[Chunk, ...]:
    """The chunks of a document in order, at most so many; none for a document without text."""
    return tuple(islice(_chunks(document), most))


def _chunks(document: Document) -> Iterator[Chunk]:
    text, ordinal = document.text, count()
    for section in _sections(passages_of(document)):
        units = [part for passage in section for part in _short_enough(text, passage)]
        for packed in _packed(text, units):
            yield _chunk(document, packed, next(ordinal))


def embedding_head(chunk: Chunk, record: DocumentRecord) -> str:
    """The metadata embedded with a chunk (A.2): title, molecules, study, stage, date; section; header."""
    about = ", ".join(record.main_molecules)
    stages = ", ".join(record.stages) if len(record.stages) < 3 else ""
    kind = record.study_type or record.document_type
    metadata = " | ".join(filter(None, (record.title, about, kind, stages, record.date)))
    section = " > ".join(heading for heading in chunk.section if heading != record.title)
    return "\n".join(filter(None, (metadata, section, chunk.context)))


def windows(chunks: Sequence[Chunk], records: Sequence[DocumentRecord], encoder: Encoder) -> list[list[str]]:
    """What is encoded for each chunk of these documents: parts that are read whole, its head before each.

    Of a row that is longer than two chunks its beginning is encoded.
    """
    heads = [embedding_head(chunk, record) for chunk, record in zip(chunks, records, strict=True)]
    return encoder.windows([chunk.text[: 2 * LONGEST] for chunk in chunks], heads)


def _sections(passages: Sequence[Passage]) -> Iterator[list[Passage]]:
    """Passages by top-level section: the shallowest depth of headings that occurs more than once."""
    headings = [p for p in passages if p.kind is PassageKind.HEADING and p.row is None]
    depths = Counter(len(heading.section) for heading in headings)
    top = min((depth for depth, count in depths.items() if count > 1), default=0)
    section: list[Passage] = []
    begun = False
    for passage in passages:
        opens = passage.kind is PassageKind.HEADING and passage.row is None and len(passage.section) <= top
        if opens and begun:
            yield section
            section = []
        begun = begun or (opens and len(passage.section) == top)
        section.append(passage)
    if section:
        yield section


def _short_enough(text: str, passage: Passage) -> Iterator[Passage]:
    """The passage, or pieces of `STEP` words where it is prose beyond that."""
    words = re.finditer(r"\S+", passage.text)  # of a line of 20 MB they are never in memory together
    first = list(islice(words, SIZE + 1))
    if passage.row is not None or len(first) <= SIZE:
        yield passage
        return
    words = chain(first, words)
    while piece := list(islice(words, STEP)):
        yield _piece(text, passage, piece)


def _piece(text: str, passage: Passage, words: Sequence[re.Match[str]]) -> Passage:
    """Some words of a passage."""
    start, end = passage.start + words[0].start(), passage.start + words[-1].end()
    return replace(passage, start=start, end=end, text=text[start:end])


def _packed(text: str, units: Sequence[Passage]) -> Iterator[Sequence[Passage]]:
    """Runs of units of at most `SIZE` words; each begins within the last `OVERLAP` words before it."""
    begin = 0
    repeated: Sequence[Passage] = ()
    while begin < len(units):
        near = [*repeated, *units[begin : begin + TWO_CHUNKS]]
        last = _fill(text, near)
        yield near[:last]
        begin += last - len(repeated)
        repeated = _repeated(text, near, last)


def _fill(text: str, units: Sequence[Passage]) -> int:
    """How many units the first chunk takes; it ends neither with a heading nor with a caption."""
    last, words = 0, 0
    while last < len(units):
        words += _words(text, units, last)
        if last > 0 and (words > SIZE or units[last].end - units[0].start > LONGEST):
            break
        last += 1
    while last < len(units) and last > 1 and _introduces(units[last - 1], units[last]):
        last -= 1
    return last


def _introduces(unit: Passage, following: Passage) -> bool:
    """Whether a unit is a heading, a sub-head, or the caption of the table that follows."""
    if unit.kind is PassageKind.HEADING:
        return True
    if following.row is None:
        return False
    if unit.row is None:
        return plain(unit.text) in following.row.caption
    return len(following.row.group) > len(unit.row.group)


def _repeated(text: str, units: Sequence[Passage], last: int) -> Sequence[Passage]:
    """What the next chunk repeats of the units before `last`: whole ones, or the end of a long sentence."""
    begin, words = last, 0
    while begin > 1:
        words += len(units[begin - 1].text.split())
        if words > OVERLAP:
            break
        begin -= 1
    before = units[begin - 1]
    if begin == last and before.row is None and words > OVERLAP:
        tail = list(re.finditer(r"\S+", before.text))[-OVERLAP:]
        repeated: Sequence[Passage] = [_piece(text, before, tail)]
    else:
        repeated = units[begin:last]
    return repeated if _fill(text, [*repeated, *units[last:]]) > len(repeated) else ()


def _words(text: str, units: Sequence[Passage], i: int) -> int:
    """Words that unit `i` adds to a chunk that begins with the first unit, Markdown marks included."""
    start = units[i - 1].end if i else _with_mark(text, units[i].start)
    return len(text[start : units[i].end].split())


def _with_mark(text: str, start: int) -> int:
    """The offset of the list or heading mark before an offset, if there is nothing else on its line."""
    line = text.rfind("\n", 0, start) + 1
    return line if MARK.fullmatch(text, line, start) else start


def _chunk(document: Document, units: Sequence[Passage], ordinal: int) -> Chunk:
    first, doc_id = units[0], document.record.doc_id
    start, end = _with_mark(document.text, first.start), units[-1].end
    own = (plain(first.text),) if first.kind is PassageKind.HEADING and first.row is None else ()
    return Chunk(
        chunk_id=f"{doc_id}#{ordinal}",
        doc_id=doc_id,
        ordinal=ordinal,
        start=start,
        end=end,
        text=document.text[start:end],
        section=(*first.section, *own),
        context=_context(first),
        page_first=first.page,
    )


def _context(first: Passage) -> str:
    """Caption, heads and sub-heads of a table that a chunk continues; the caption of one that it begins."""
    if first.row is None:
        return ""
    if first.kind is PassageKind.HEADING:
        return first.row.caption
    header = f"| {' | '.join(first.row.header)} |" if any(first.row.header) else ""
    groups = (f"| {group} |" for group in first.row.group)
    return "\n".join(filter(None, (first.row.caption, header, *groups)))
