"""Which documents are versions of one: draft and final, v1 and v2, a report and its amended print.

Texts are compared by the share of three-word sequences that they have in common (resemblance, Broder 1997),
estimated from short signatures: the smallest of 64 hash values each, 16 bits of it kept (b-bit minwise
hashing, Li & König 2010). Signatures that agree in one of 21 bands of three are compared: 94 % of the pairs
with a resemblance of one half, 1 in 400 of those with a twentieth. Nothing is left out of the archive:
versions are linked to the newest one. Of documents with one number, title and type the marks of a version
tell enough, however different the texts. An exact copy under another name is no version: it is linked to the
document that it is a copy of.
"""

import base64
import hashlib
import re
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from pathlib import PurePosixPath

import numpy as np
from numpy.typing import NDArray

from retrieval.groups import grouped
from retrieval.index.words import fold
from retrieval.values import DocumentRecord

HASHES = 64
BANDS = 21
SHINGLE = 3
"""Words of a sequence."""
LEAST_SHINGLES = 40
"""Shorter texts have no signature: two memos of a few lines are alike by chance."""
PIECE = 8192
AKIN = 0.5
"""Resemblance that is enough for two documents whose files have the same name but for marks of a version."""
ALIKE = 0.9
"""Resemblance that is needed where only the titles are the same: twin studies have one title and much text in
common.
"""
CROWD = 50
"""Documents in one band that are all compared with each other. Of more, such as copies of a form, each is
compared with its neighbours only.
"""

WORD = re.compile(r"[^\W_]+")
MARK = re.compile(
    r"(?<![^\W_])(?:v|ver|version|rev|revision|amendment|edition|draft|issue)[ ._-]*(\d+(?:\.\d+)*)(?![^\W_])"
    r"|(?<![^\W_])(?:draft|final|preliminary|amended|revised|signed|copy|clean|tracked|interim)(?![^\W_])"
    r"|(?<!\d)(?:19|20)\d\d[-._]?\d\d[-._]?\d\d(?!\d)",
    re.I,
)
"""What tells versions of a document apart in its name or title."""
DRAFT = re.compile(r"(?<![^\W_])(?:draft|preliminary|interim)(?![^\W_])", re.I)
FINAL = re.compile(r"(?<![^\W_])(?:final|signed)(?![^\W_])", re.I)

_DRAWN = np.frombuffer(hashlib.shake_256(b"versions of a document").digest(16 * HASHES), "<u8")
MULTIPLIERS = _DRAWN[:HASHES] | np.uint64(1)
SUMMANDS = _DRAWN[HASHES:]
"""The hash functions x -> (a x + b) mod 2^64; the same for ever, since signatures are kept."""


def signature(text: str) -> str:
    """The signature of a text, 128 bytes in base64; "" for a short text."""
    words = WORD.findall(fold(text))
    sequences = (words[i : i + SHINGLE] for i in range(len(words) - SHINGLE + 1))
    shingles = {zlib.crc32(" ".join(sequence).encode()) for sequence in sequences}
    if len(shingles) < LEAST_SHINGLES:
        return ""
    values = np.fromiter(shingles, np.uint64, len(shingles))
    least = np.full(HASHES, np.iinfo(np.uint64).max, np.uint64)
    for first in range(0, len(values), PIECE):
        hashed = MULTIPLIERS[:, None] * values[None, first : first + PIECE] + SUMMANDS[:, None]
        least = np.minimum(least, hashed.min(axis=1))
    return base64.b64encode((least >> np.uint64(24)).astype("<u2").tobytes()).decode()


def resemblance(one: str, other: str) -> float:
    """The estimated share of sequences that two texts have in common, from their signatures."""
    return float(np.mean(_values(one) == _values(other)))


def newest_versions(records: Sequence[DocumentRecord]) -> dict[str, str]:
    """For the id of each document of which there is a newer version, the id of the newest.

    Exact copies are left out: see `copies`.
    """
    twice = copies(records)
    records = [record for record in records if record.doc_id not in twice]
    by_id = {record.doc_id: record for record in records}
    families = grouped(
        by_id, _candidates(records), lambda one, other: _are_versions(by_id[one], by_id[other])
    )
    return {
        doc_id: newest
        for members in families
        for newest in [max(members, key=lambda doc_id: age(by_id[doc_id]))]
        for doc_id in members
        if doc_id != newest
    }


def copies(records: Sequence[DocumentRecord]) -> dict[str, str]:
    """For the id of each document that is an exact copy of another one, the id of that one.

    The same file, or the same text in another format without a mark or date that tells it from the other.
    """
    first: dict[tuple[str, ...], str] = {}
    found: dict[str, str] = {}
    for record in sorted(records, key=lambda record: (len(record.doc_id), record.doc_id)):
        keys: list[tuple[str, ...]] = [("file", record.sha256)] if record.sha256 else []
        if record.signature and record.title:
            keys.append(("text", record.signature, record.title, *map(str, age(record)[:3])))
        original = next((first[key] for key in keys if key in first), "")
        if original:
            found[record.doc_id] = original
        for key in keys:
            first.setdefault(key, original or record.doc_id)
    return found


def _candidates(records: Sequence[DocumentRecord]) -> Iterator[tuple[str, str]]:
    """Pairs whose signatures agree in a band, or that have one number and title."""
    bands: dict[tuple[int, bytes], list[str]] = defaultdict(list)
    width = HASHES // BANDS
    for record in records:
        if record.study_id:
            bands[BANDS, _numbered(record).encode()].append(record.doc_id)
        if record.signature:
            values = _values(record.signature)
            for band in range(BANDS):
                bands[band, values[band * width : (band + 1) * width].tobytes()].append(record.doc_id)
    for members in bands.values():
        yield from pairwise(members) if len(members) > CROWD else combinations(members, 2)


def _are_versions(one: DocumentRecord, other: DocumentRecord) -> bool:
    """Whether two documents with similar texts or one number are versions of one, and not one form filled in
    twice.
    """
    if set(one.main_molecules) != set(other.main_molecules):
        return False
    if one.study_id and _numbered(one) == _numbered(other) and age(one)[:2] != age(other)[:2]:
        return True
    if not (one.signature and other.signature):
        return False
    alike = resemblance(one.signature, other.signature)
    same_file = _unmarked(PurePosixPath(one.path).stem) == _unmarked(PurePosixPath(other.path).stem)
    same_title = _unmarked(one.title) == _unmarked(other.title)
    return (same_file and alike >= AKIN) or (same_title and alike >= ALIKE)


def _numbered(record: DocumentRecord) -> str:
    """The number, type and title of a document, which all its versions have."""
    return f"{fold(record.study_id)}\n{record.document_type}\n{_unmarked(record.title)}"


def _unmarked(name: str) -> str:
    """A name's words without marks of a version."""
    return " ".join(WORD.findall(MARK.sub(" ", fold(name))))


def age(record: DocumentRecord) -> tuple[int, list[int], str, str]:
    """Sorts versions of a document, the newest last: draft or final, number of the version, date, name."""
    named = f"{PurePosixPath(record.path).stem}\n{record.title}"
    standing = bool(FINAL.search(named)) - bool(DRAFT.search(named))
    numbers = [list(map(int, match[1].split("."))) for match in MARK.finditer(named) if match[1]]
    return standing, max(numbers, default=[]), record.date, record.doc_id


def _values(kept: str) -> NDArray[np.uint16]:
    return np.frombuffer(base64.b64decode(kept), "<u2")
