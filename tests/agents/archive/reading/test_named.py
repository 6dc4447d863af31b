"""Lines that a question names come early among the lines shown."""

from agents.archive.general.score import ScoredPassage
from agents.archive.reading.named import BEFORE, with_named_rows, with_rare_words
from retrieval.values import Passage, TableRow


def scored(text: str, number: int, cells: tuple[str, ...] = ()) -> ScoredPassage:
    row = TableRow("", ("Event", "Drug"), cells) if cells else None
    return ScoredPassage(Passage("D", number * 100, number * 100 + len(text), text, row=row), 0, 0, 0, False)


PROSE = [scored(f"Sentence {n} on rashes in general.", n) for n in range(20)]


def place(line: ScoredPassage, question: str) -> int:
    return with_named_rows(question, [*PROSE, line]).index(line)


def test_a_row_with_bars_or_blanks_that_the_question_names_comes_early() -> None:
    question = "How many patients had vertigo or mouth ulcers?"
    assert place(scored("| Vertigo | 12 |", 50, ("Vertigo", "12")), question) == BEFORE
    assert place(scored("Mouth ulcer     12 (3%)    4 (1%)", 50), question) == BEFORE


def test_prose_doses_and_other_rows_stay_where_they_are() -> None:
    question = "How many patients had vertigo at 30 mg?"
    for line in (
        scored("Vertigo was seen.", 50),
        scored("| 30 mg | 12 |", 50, ("30 mg", "12")),
        scored("| Nausea | 12 |", 50, ("Nausea", "12")),
    ):
        assert place(line, question) == len(PROSE)


def test_no_line_is_lost_or_told_twice() -> None:
    rows = [scored("| Vertigo | 1 |", 50 + n, ("Vertigo", "1")) for n in range(2)]
    order = with_named_rows("vertigo?", [*PROSE, *rows])
    assert sorted(id(one) for one in order) == sorted(id(one) for one in [*PROSE, *rows])


def test_the_line_with_the_rare_word_of_a_question_comes_early() -> None:
    row = scored("ZK-CL-9;phase 1 interaction (orabrazole);man;factor 3.1", 50)
    order = with_rare_words("By what factor did orabrazole raise rashes?", [*PROSE, row])

    assert order.index(row) == BEFORE
    assert sorted(id(one) for one in order) == sorted(id(one) for one in [*PROSE, row])


def test_words_that_all_lines_have_move_nothing() -> None:
    assert with_rare_words("rashes in general", PROSE) == PROSE
