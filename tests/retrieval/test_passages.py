"""Passages are verbatim, in order, complete, and end where sentences end."""

import re

import pytest
from hypothesis import given

from retrieval.passages import passages_of
from retrieval.values import Page, PassageKind
from tests.retrieval.ingest.texts import MARKDOWN, document

REPORT = """# AB-1234 in the rat

Table 2. Plasma levels
(mean of both sexes)

| Dose | Cmax (µg/ml) |
|---|:---:|
| 10 | 1.4 |
| 40 mg \\| kg | 5.9 | extra |
| 160 |

## Findings

- No animal died. One was ill.
- Weight fell
  at 160 mg/kg.

**What next?** Nothing.
"""


@given(MARKDOWN)
def test_passages_are_slices_in_order_without_overlap(text: str) -> None:
    end = 0
    for passage in passages_of(document(text)):
        assert passage.text == text[passage.start : passage.end]
        assert passage.start >= end
        assert passage.text.strip() == passage.text != ""
        end = passage.end


@given(MARKDOWN)
def test_only_marks_lie_outside_passages(text: str) -> None:
    rest, end = [], 0
    for passage in passages_of(document(text)):
        rest.append(text[end : passage.start])
        end = passage.end
    left = "\n".join([*rest, text[end:]])
    assert re.fullmatch(r"(?:[\s|:#*+•>_=-]|\\-|(?<!\w)\(?[\da-z]{1,3}[.)])*", left), left


def test_a_row_is_read_with_caption_and_header() -> None:
    rows = [p for p in passages_of(document(REPORT)) if p.kind is PassageKind.ROW]
    assert [row.text for row in rows] == ["| 10 | 1.4 |", "| 40 mg \\| kg | 5.9 | extra |", "| 160 |"]
    ragged, short = rows[1].row, rows[2].row
    assert ragged is not None
    assert short is not None
    assert ragged.caption == "Table 2. Plasma levels (mean of both sexes)"
    assert ragged.header == ("Dose", "Cmax (µg/ml)", "")
    assert ragged.cells == ("40 mg | kg", "5.9", "extra")
    assert short.cells == ("160", "")


def test_the_heading_names_a_table_without_caption() -> None:
    (row,) = (
        p.row for p in passages_of(document("## Doses\n\n| a |\n|---|\n| 1 |")) if p.kind is PassageKind.ROW
    )
    assert row is not None
    assert row.caption == "Doses"


def test_items_and_sections() -> None:
    passages = passages_of(document(REPORT))
    items = [p for p in passages if p.kind is PassageKind.ITEM]
    assert [item.text for item in items] == [
        "No animal died.",
        "One was ill.",
        "Weight fell\n  at 160 mg/kg.",
    ]
    assert items[0].section == ("AB-1234 in the rat", "Findings")
    assert passages[-1].text == "Nothing."


def test_address_lines_are_not_run_together() -> None:
    text = "Acme Laboratories, Toxicology\nReport AC-TR-84-031 (final)\n\nSponsor: Acme\nPhase: 2"
    assert [p.text for p in passages_of(document(text))] == text.replace("\n\n", "\n").split("\n")


def test_wrapped_prose_is_one_sentence() -> None:
    text = "The animals were treated for four weeks with daily doses of the substance and then\nkilled."
    assert [p.text for p in passages_of(document(text))] == [text]


def test_pages() -> None:
    text = "One.\n\nTwo.\n\nThree."
    pages = (Page(4, 0, 6), Page(5, 6, 12), Page(6, 12, 18))
    assert [p.page for p in passages_of(document(text, pages=pages))] == [4, 5, 6]
    assert {p.page for p in passages_of(document(text))} == {None}


MINUTES = """MINUTES OF THE BOARD

1. Clinical update
AB-1234 was well tolerated.

{mark}2. Toxicology update{mark}

Kidneys were damaged in dogs. The next study is in rats.

3. Other business
The board meets in May.
"""


@pytest.mark.parametrize("mark", ["", "**"])
def test_what_stands_below_a_numbered_line_is_of_that_item(mark: str) -> None:
    passages = passages_of(document(MINUTES.format(mark=mark)))
    under = {p.text: p.section for p in passages if p.kind is PassageKind.SENTENCE}
    assert under["AB-1234 was well tolerated."] == ("1. Clinical update",)
    assert under["The next study is in rats."] == ("2. Toxicology update",)


def test_a_numbered_line_over_parts_of_its_own_is_a_heading() -> None:
    text = "Brochure\n\n1. SUMMARY\nAn antibody.\n\n2. CLINICAL\n2.1 First study\nNobody fell ill.\n"
    sections = {passage.text: passage.section for passage in passages_of(document(text))}
    assert [under for one, under in sections.items() if "fell ill" in one] == [("2. CLINICAL",)]


@pytest.mark.parametrize(
    "items",
    [
        "1. Dr. Moor\n2. Dr. Lund\n\nBoth came.",
        "1. Dose the rats first\n\n2. Dose the dogs then\n\nas was agreed.",
        "4. Rats\n\nNone died.",
        "1. The rats were dosed.\n\nNone died.\n\n2. The dogs were dosed.\n\nNone died.",
    ],
)
def test_numbered_items_of_a_list_are_no_headings(items: str) -> None:
    kinds = {passage.kind for passage in passages_of(document(f"Minutes\n\n{items}"))}
    assert PassageKind.HEADING not in kinds


def test_the_paragraphs_of_a_quoted_mail_are_told_apart() -> None:
    text = (
        "> Before we bury it I want to be sure about the three points of the minutes of last week.\n"
        ">\n> Could we go with 14 days of treatment? I have promised the people there an answer by\n"
        "> the 15th.\n"
        ">\n>> Yes.\n>>\n>> Ada\n"
    )
    shown = [" ".join(passage.text.replace(">", " ").split()) for passage in passages_of(document(text))]
    assert shown[0].endswith("of last week.")
    assert shown[1].startswith("Could we go")
    assert "the 15th." in " ".join(shown)
    assert shown[-1] == "Ada"
