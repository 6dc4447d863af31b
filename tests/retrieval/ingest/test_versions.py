"""Versions of one document are linked to the newest; what is only alike is not."""

import random
import time
from dataclasses import replace
from pathlib import Path

import pytest

from retrieval.ingest.folder import Folder
from retrieval.ingest.record import describe
from retrieval.ingest.update import ingest, remove
from retrieval.ingest.versions import copies, newest_versions, resemblance, signature
from retrieval.values import DocumentRecord, ParsedFile
from tests.support.hashing import HashingEncoder
from tests.support.memory_index import MemoryIndex
from tests.support.parsing import InThread

VOCABULARY = [f"{a}{b}{c}" for a in "bdfgklmn" for b in "aeiou" for c in ("ron", "tin", "sal", "mer", "pol")]
ENCODER = HashingEncoder(64)


def prose(seed: int, words: int = 600) -> str:
    chance = random.Random(seed)
    return " ".join(chance.choice(VOCABULARY) for _ in range(words))


def edited(text: str, share: float, seed: int = 1) -> str:
    """The text with a share of its words replaced, all over it."""
    chance = random.Random(seed)
    return " ".join(f"new{n}" if chance.random() < share else word for n, word in enumerate(text.split()))


def record(path: str, text: str, title: str = "", **fields: object) -> DocumentRecord:
    made = describe(ParsedFile(f"# {title}\n\n{text}" if title else text), path, path)
    return replace(made, doc_id=path, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize("share", [0.0, 0.02, 0.05, 0.1, 0.3])
def test_the_resemblance_is_that_of_the_word_sequences(share: float) -> None:
    one = prose(3, 3000)
    other = edited(one, share)

    def sequences(text: str) -> set[tuple[str, ...]]:
        words = text.split()
        return {tuple(words[i : i + 3]) for i in range(len(words) - 2)}

    true = len(sequences(one) & sequences(other)) / len(sequences(one) | sequences(other))
    assert resemblance(signature(one), signature(other)) == pytest.approx(true, abs=0.15)


def test_texts_of_their_own_have_nothing_in_common_and_short_ones_no_signature() -> None:
    assert resemblance(signature(prose(1)), signature(prose(2))) < 0.05
    assert signature("Rats received QX-1001 10 mg/kg.") == ""


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("TR-12 draft.docx", "TR-12 final.pdf"),
        ("TR-12_v1.pdf", "TR-12_v2.pdf"),
        ("TR-12_v9.pdf", "TR-12_v10.pdf"),
        ("TR-12 v1.2.pdf", "TR-12 v1.10.pdf"),
        ("TR-12 draft v3.pdf", "TR-12 v2.pdf"),
        ("TR-12 2004-03-01.pdf", "TR-12.pdf"),
    ],
)
def test_a_version_with_a_tenth_of_its_words_changed_is_linked_to_the_newest(older: str, newer: str) -> None:
    text = prose(5)
    records = [
        record(newer, edited(text, 0.05), date="2004-06"),
        record(older, text, date="2004-03"),
        record("TR-13.pdf", prose(6)),
    ]
    assert newest_versions(records) == {older: newer}


def test_three_versions_have_one_newest() -> None:
    text = prose(7)
    records = [record(f"R v{n}.md", edited(text, 0.02, n)) for n in (1, 2, 3)]
    assert newest_versions(records) == {"R v1.md": "R v3.md", "R v2.md": "R v3.md"}


def test_a_copy_under_another_name_is_a_version_by_its_date() -> None:
    text, title = prose(8), "Safety of QX-1001 in man"
    records = [record("a.md", text, title, date="2001"), record("old/z.md", text, title, date="1999-05-03")]
    assert newest_versions(records) == {"old/z.md": "a.md"}


def test_twin_studies_and_forms_about_other_molecules_are_no_versions() -> None:
    text = prose(9)
    twins = [record(f"ST-{n}.md", edited(text, 0.06, n), "Safety of QX-1001 in man") for n in (305, 306)]
    assert newest_versions(twins) == {}
    series = [record(f"ST-{n}.md", text, f"Pilot study {n} of QX-1001") for n in (1, 2)]
    assert newest_versions(series) == {}
    forms = [record(f"F-{n}.md", text, f"Form for QX-100{n}") for n in (1, 2)]
    assert [one.main_molecules for one in forms] == [("QX-1001",), ("QX-1002",)]
    assert newest_versions(forms) == {}


def test_ten_thousand_documents_are_compared_in_seconds() -> None:
    texts = [signature(prose(seed, 60)) for seed in range(500)]
    blank = DocumentRecord("", "", "", "md", "")
    chance = random.Random(4)
    records = [
        replace(blank, doc_id=str(n), path=f"{n}.md", signature=chance.choice(texts)) for n in range(10_000)
    ]
    began = time.perf_counter()
    assert len(newest_versions(records)) == 9_500
    assert time.perf_counter() - began < 30


async def test_an_ingest_links_versions_and_a_removal_unlinks_them(tmp_path: Path) -> None:
    text, index = prose(10), MemoryIndex(ENCODER)
    (tmp_path / "TR-1 v1.md").write_text(f"# Report\n\n{text}")
    await ingest(Folder(tmp_path), index, ENCODER, InThread())
    (tmp_path / "TR-1 v2.md").write_text(f"# Report\n\n{edited(text, 0.05)}")
    await ingest(Folder(tmp_path), index, ENCODER, InThread())
    links = {record.doc_id: record.newest_version for record in await index.records()}
    assert links == {"TR-1 v1": "TR-1 v2", "TR-1 v2": ""}
    await remove("TR-1 v2", index)
    assert [record.newest_version for record in await index.records()] == [""]


def test_an_exact_copy_is_no_version() -> None:
    text = prose(5)
    report = record("TR-12.docx", text, "QX-1001 in the rat")
    printed = record("print/TR-12 (2).pdf", text, "QX-1001 in the rat")
    same_file = replace(record("b.md", "short"), sha256="7")
    other_name = replace(record("copy of b.md", "short"), sha256="7")
    everything = [printed, report, other_name, same_file]
    assert copies(everything) == {"print/TR-12 (2).pdf": "TR-12.docx", "copy of b.md": "b.md"}
    assert newest_versions(everything) == {}


def test_a_copy_of_an_older_version_leaves_the_versions_linked() -> None:
    text = prose(6)
    draft = record("TR-13 draft.docx", text, "QX-1001 in the dog")
    again = record("old/TR-13 draft.docx", text, "QX-1001 in the dog")
    final = record("TR-13 final.docx", edited(text, 0.02), "QX-1001 in the dog")
    assert newest_versions([draft, again, final]) == {"TR-13 draft.docx": "TR-13 final.docx"}
    assert copies([draft, again, final]) == {"old/TR-13 draft.docx": "TR-13 draft.docx"}


def test_one_number_and_title_with_other_version_marks_are_versions_however_different_the_texts() -> None:
    title, number = "QX-1001: 28-day toxicity study in rats", {"study_id": "QX-TOX-014"}
    short = record("QX-TOX-014 v1.0.docx", "NOAEL: 10 mg/kg.", title, **number)
    full = record("QX-TOX-014 v2.0.docx", prose(5), title, **number)
    assert newest_versions([short, full]) == {short.doc_id: full.doc_id}
    others = (
        record("QX-TOX-015 v2.0.docx", prose(6), title, study_id="QX-TOX-015"),
        record("QX-TOX-014 appendix v2.0.docx", prose(7), "Appendix on QX-1001", **number),
        replace(full, document_type="Study protocol", doc_id="plan"),
        record("QX-TOX-014 v1.0 figures.docx", prose(8), title, **number),
    )
    for other in others:
        assert newest_versions([short, other]) == {}
