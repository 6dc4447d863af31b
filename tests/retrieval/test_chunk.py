"""Chunks keep to 512 words, to sections, to rows, and overlap."""

from hypothesis import given

from retrieval.chunk import OVERLAP, SIZE, chunk, embedding_head
from retrieval.passages import passages_of
from retrieval.values import DocumentRecord, Domain, Page
from tests.retrieval.ingest.texts import MARKDOWN, document

SENTENCE = "The {} animals were treated with the substance and were well. "


def prose(sentences: int) -> str:
    return "".join(SENTENCE.format(n) for n in range(sentences))


@given(MARKDOWN.map(lambda text: f"{text}\n\n{prose(90)}\n\n{text}"))
def test_chunks_are_slices_that_hold_every_passage(text: str) -> None:
    made = chunk(document(text))
    assert all(part.text == text[part.start : part.end] for part in made)
    assert all(len(part.text.split()) <= SIZE for part in made)
    assert [part.ordinal for part in made] == list(range(len(made)))
    for passage in passages_of(document(text)):
        assert any(part.start <= passage.start and passage.end <= part.end for part in made)


def test_consecutive_chunks_overlap_by_whole_sentences() -> None:
    first, second, third = chunk(document(prose(120)))
    for one, two in ((first, second), (second, third)):
        shared = one.text[two.start - one.start :]
        assert OVERLAP - 11 <= len(shared.split()) <= OVERLAP
        assert two.text.startswith("The ")


def test_a_sentence_longer_than_the_overlap_is_repeated_in_part() -> None:
    long = "word " * 400 + "end. "
    first, second = chunk(document(f"{long}{long}"))
    assert len(first.text[second.start - first.start :].split()) == OVERLAP


def test_a_sentence_longer_than_a_chunk_is_cut() -> None:
    assert [len(part.text.split()) <= SIZE for part in chunk(document("word " * 1500 + "end."))] == [True] * 4


def test_top_level_sections_do_not_share_chunks_but_subsections_do() -> None:
    text = "# Title\n\nAcme.\n\n## Aim\n\nOne.\n\n## Result\n\n### Rat\n\nTwo.\n\n### Dog\n\nThree."
    aim, result = chunk(document(text))
    assert aim.text == "# Title\n\nAcme.\n\n## Aim\n\nOne."
    assert result.text == "## Result\n\n### Rat\n\nTwo.\n\n### Dog\n\nThree."
    assert result.section == ("Title", "Result")


def test_a_continued_table_carries_caption_and_header() -> None:
    rows = [f"| animal {n} | finding of the liver in this animal |" for n in range(120)]
    text = "\n".join(["Table 1. Findings", "", "| Animal | Finding |", "|---|---|", *rows])
    first, *rest = chunk(document(text))
    assert first.context == ""
    assert len(rest) >= 2
    for part in rest:
        assert part.context == "Table 1. Findings\n| Animal | Finding |"
        assert set(part.text.split("\n")) <= set(rows)


def test_a_heading_stays_with_what_follows() -> None:
    made = chunk(document(f"# A\n\n### One\n\n{prose(50)}\n\n### Two\n\n{prose(50)}"))
    assert not any(part.text.rstrip().endswith(("One", "Two")) for part in made)


def test_page_of_a_chunk() -> None:
    (part,) = chunk(document("One.\n\nTwo.", pages=(Page(1, 0, 6), Page(2, 6, 10))))
    assert part.page_first == 1


def test_what_is_embedded_names_molecule_stage_and_section() -> None:
    record = DocumentRecord(
        "D",
        "D.md",
        "",
        "md",
        "Four weeks in the rat",
        ("AB-1",),
        ("AB-1",),
        stages=(Domain.PRECLINICAL,),
        date="1984",
    )
    (part,) = chunk(document("## Findings\n\nThe liver was enlarged."))
    assert embedding_head(part, record) == "Four weeks in the rat | AB-1 | preclinical | 1984\nFindings"


def test_no_text_no_chunks() -> None:
    assert chunk(document(" \n---\n")) == ()


def test_a_continued_table_carries_its_sub_heads_and_units() -> None:
    rows = [f"| animal {n} | finding of the liver in this animal |" for n in range(120)]
    lines = ["| Animal | Weight |", "|---|---|", "| | (g) |", "| Females | Females |", *rows]
    _, *rest = chunk(document("\n".join(["Table 1. Weights", "", *lines])))
    assert {part.context for part in rest} == {"Table 1. Weights\n| Animal | Weight (g) |\n| Females |"}


def test_a_chunk_does_not_end_with_a_caption() -> None:
    table = "\n".join(["| Animal | Finding |", "|---|---|", *(f"| {n} | none |" for n in range(40))])
    for sentences in range(44, 50):
        made = chunk(
            document(f"{prose(sentences)}\n\nTable 1. Findings of the liver in all animals\n\n{table}")
        )
        assert not any(part.text.rstrip().endswith("in all animals") for part in made)
