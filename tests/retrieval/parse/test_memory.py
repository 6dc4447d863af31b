"""What a file takes in memory beside its own text: shares of it, and no objects for each of its words."""

import tracemalloc
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

from retrieval.chunk import chunk
from retrieval.errors import DocumentTooLarge
from retrieval.parse import parse
from retrieval.parse.fixed_width import with_tables
from retrieval.values import Document, DocumentRecord

LINE = "rats received 5 mg daily and were well " * 25_000
"""A line of a million characters, in 200,000 words."""


def most_of(work: Callable[[], object]) -> int:
    """The most bytes that are held at once while this is done."""
    tracemalloc.start()
    work()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def test_a_line_is_no_object_for_each_of_its_words() -> None:
    assert most_of(lambda: with_tables(LINE)) < 5 * len(LINE)


def test_a_sentence_without_end_is_cut_word_by_word() -> None:
    record = DocumentRecord("A-1", path="a.txt", sha256="0", format="txt", title="A")
    assert most_of(lambda: chunk(Document(record, LINE, ()), 10)) < 15 * len(LINE)


def test_a_cell_far_away_makes_no_cells_before_it(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active["XFD1048576"] = "far away"  # type: ignore[index]
    book.save(tmp_path / "far.xlsx")

    def refused() -> None:
        with pytest.raises(DocumentTooLarge, match="cells, over the limit"):
            parse(tmp_path / "far.xlsx")

    assert most_of(refused) < 20_000_000
