"""Canonical Markdown: what blocks become, and that pages and tables stay whole whatever they hold."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.markdown import cells
from retrieval.parse.blocks import Block, Heading, Item, Markdown, PageBreak, Paragraph, Rows, Table, render
from retrieval.parse.layout.text import joined

TEXT = st.text(max_size=40)
CONTENT = st.one_of(
    st.builds(Heading, st.integers(1, 6), TEXT),
    st.builds(Paragraph, TEXT),
    st.builds(Item, TEXT, st.integers(0, 4)),
    st.builds(Table, st.tuples(TEXT, TEXT), st.lists(st.tuples(TEXT, TEXT), max_size=3).map(tuple)),
)


@given(st.lists(st.lists(CONTENT, max_size=4), min_size=1, max_size=5))
def test_pages_follow_one_another_and_cover_the_text(pages: list[list[Block]]) -> None:
    blocks = [block for number, page in enumerate(pages, 1) for block in (PageBreak(number), *page)]
    text, found = render(blocks)
    assert [page.number for page in found] == list(range(1, len(pages) + 1))
    assert (found[0].start, found[-1].end) == (0, len(text))
    assert all(above.end == below.start for above, below in pairwise(found))


@given(st.lists(st.tuples(TEXT, TEXT, TEXT), min_size=1, max_size=5))
def test_a_cell_is_read_back_whatever_it_holds(rows: list[tuple[str, str, str]]) -> None:
    text, _ = render([Table(("a", "b", "c"), tuple(rows))])
    found = [cells(line) for line in text.split("\n")[2:] if line]
    kept = [row for row in rows if any(cell.strip() for cell in row)]
    assert [len(row) for row in found] == [3] * len(kept)
    for read, row in zip(found, kept, strict=True):
        written = [" ".join(cell.split()) for cell in row]
        assert [cell.replace("\\", "") for cell in read] == [cell.replace("\\", "") for cell in written]


def test_a_table_goes_on_over_a_page_break() -> None:
    table = Table(("Dose", "Animals"), (("0", "6"),))
    text, pages = render([PageBreak(1), table, PageBreak(2), Rows((("30", "5"),), 2)])
    assert text == "| Dose | Animals |\n|---|---|\n| 0 | 6 |\n| 30 | 5 |\n"
    assert text[pages[1].start :] == "| 30 | 5 |\n"


@pytest.mark.parametrize(("caption", "gap"), [("Table 1. Doses.", "\n"), ("Doses were low.", "\n\n")])
def test_only_a_caption_lies_directly_on_its_table(caption: str, gap: str) -> None:
    text, _ = render([Paragraph(caption), Table(("Dose",), (("0",),))])
    assert text == f"{caption}{gap}| Dose |\n|---|\n| 0 |\n"


def test_prose_cannot_pass_for_markup() -> None:
    assert render([Paragraph("# 3 of 12 animals"), Paragraph("| not a table")])[0] == (
        "\\# 3 of 12 animals\n\n\\| not a table\n"
    )
    assert render([Markdown("| a |\n|---|")])[0] == "| a |\n|---|\n"


@pytest.mark.parametrize(
    ("lines", "vocabulary", "text"),
    [
        (("the bioavail-", "ability was high"), {"bioavailability"}, "the bioavailability was high"),
        (("a dose-", "related change"), {"dose", "related"}, "a dose-related change"),
        (("the follow-", "up visit"), {"follow-up"}, "the follow-up visit"),
        (("in Sprague-", "Dawley rats"), set(), "in Sprague-Dawley rats"),
        (("at 10-", "30 mg/kg"), set(), "at 10-30 mg/kg"),
        (("con\u00ad", "trol group"), set(), "control group"),
        (("two", "lines"), set(), "two lines"),
    ],
)
def test_lines_are_joined(lines: tuple[str, ...], vocabulary: set[str], text: str) -> None:
    assert joined(lines, vocabulary) == text
