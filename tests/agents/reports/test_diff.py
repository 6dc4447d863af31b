"""What differs between two texts, sentence by sentence."""

from dataclasses import replace

from agents.reports.diff import SentenceChange, Side, difference, sentences_of
from agents.reports.values import Block, Cell, Code, Figure, Paragraph, Points, Statement, Structure, Table
from tests.agents.reports.builders import says, section


def told(before: tuple[Block, ...], after: tuple[Block, ...]) -> list[str]:
    mark = {Side.BOTH: " ", Side.BEFORE: "-", Side.AFTER: "+"}
    changes = difference(replace(section("a"), blocks=before), replace(section("a"), blocks=after))
    return [f"{mark[change.side]}{change.text}" for change in changes]


def test_what_was_taken_out_stands_before_what_came_in() -> None:
    assert told(says("One.", "Two.", "Three."), says("One.", "2.", "Three.", "Four.")) == [
        " One.",
        "-Two.",
        "+2.",
        " Three.",
        "+Four.",
    ]


def test_the_same_text_has_no_change() -> None:
    blocks = says("One.", "Two.")
    assert difference(replace(section("a"), blocks=blocks), replace(section("b"), blocks=blocks)) == (
        SentenceChange(Side.BOTH, "One."),
        SentenceChange(Side.BOTH, "Two."),
    )


def test_another_citation_is_a_change() -> None:
    assert told(says("One.", numbers=(1,)), says("One.", numbers=(2,))) == ["-One. [1]", "+One. [2]"]


def test_a_paragraph_is_compared_by_its_sentences() -> None:
    before, after = Paragraph("It was 5 mg. It was oral."), Paragraph("It was 6 mg. It was oral.")
    assert told((before,), (after,)) == ["-It was 5 mg.", "+It was 6 mg.", " It was oral."]


def test_rows_pictures_molecules_and_programs_are_lines() -> None:
    blocks = (
        Points((Statement("Point.", (1,)),)),
        Table("Doses", ("who", "mg"), ((Cell("rat"), Cell("5", (1,))),)),
        Figure("Curve", "ab" * 32, "image/png", "It rises."),
        Structure("CCO", "ethanol", (2,)),
        Code("python", "a = 1\nprint(a)", "1"),
    )
    assert [line.strip() for line in sentences_of(blocks)] == [
        "Point. [1]",
        "Doses",
        "who | mg",
        "rat | 5 [1]",
        "Figure: Curve: It rises.  (abababababab)",
        "Structure: ethanol CCO [2]",
        "a = 1",
        "print(a)",
        "1",
    ]
