"""What is cited around a passage, and which parts a question has."""

import pytest

from agents.archive.general.blocks import CITED, apart, block_around
from agents.archive.general.question import parts_of
from agents.archive.tools import LoadedDocument
from retrieval.passages import passages_of
from retrieval.values import Document, DocumentRecord

TEXT = """# Report

Study director:

Ann Example

## Husbandry

The rats were housed singly. They had a lamp.

| Group | Deaths |
|---|---|
| 1 | 0 |
| 2 | 3 |
"""


def loaded(text: str) -> LoadedDocument:
    document = Document(DocumentRecord("r", "r.md", "0" * 64, "md", "Report"), text)
    return LoadedDocument(document, passages_of(document))


def block_of(document: LoadedDocument, part: str) -> str:
    place = next(i for i, passage in enumerate(document.passages) if part in passage.text)
    return block_around(document, place).text


def test_a_label_is_read_with_what_it_labels_and_a_table_whole() -> None:
    document = loaded(TEXT)
    assert block_of(document, "Ann Example") == "Study director:\n\nAnn Example"
    assert block_of(document, "lamp") == "The rats were housed singly. They had a lamp."
    assert block_of(document, "| 2 |").startswith("| Group | Deaths |")


def test_a_long_paragraph_is_cut_around_the_passage() -> None:
    document = loaded(" ".join(f"Animal {number} was normal throughout the study." for number in range(90)))
    text = block_of(document, "Animal 45 ")
    assert "Animal 45 " in text
    assert len(text) <= CITED.text


def test_a_long_table_is_cited_in_part_without_its_heads() -> None:
    rows = "\n".join(f"| Animal {number} | was normal throughout the whole study |" for number in range(300))
    text = block_of(loaded(f"# Report\n\n| Animal | Signs |\n|---|---|\n{rows}\n"), "Animal 45 ")
    assert "| Animal 45 |" in text
    assert "| Animal | Signs |" not in text
    assert len(text) <= CITED.rows


def test_blocks_that_overlap_are_shown_once() -> None:
    document = loaded(TEXT)
    blocks = [block_around(document, place) for place in range(1, len(document.passages))]
    assert len(apart(blocks)) < len(blocks)


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("How old were the rats and who led the study?", ("How old were the rats?", "who led the study?")),
        ("Which rats and mice were used?", ("Which rats and mice were used?",)),
        ("Who signed the report?", ("Who signed the report?",)),
    ],
)
def test_a_question_is_taken_apart_where_it_asks_again(question: str, parts: tuple[str, ...]) -> None:
    assert parts_of(question) == parts
