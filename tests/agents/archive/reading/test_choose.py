"""What of the chunks found is shown where not all of it fits."""

from dataclasses import replace

from agents.archive.reading.choose import choose
from agents.archive.reading.render import CUT, render_lines
from agents.archive.tools import LoadedDocument
from retrieval.passages import passages_of
from retrieval.values import Document, DocumentRecord, Passage

ROWS = "\n".join(f"| {n} | {n * 7} |" for n in range(1, 200))
TEXT = (
    "# Report\n\n## Weights\n\nNothing of note was seen.\n\n"
    f"Table 4. Weights of the rats\n\n| Animal | Weight (g) |\n|---|---|\n{ROWS}\n\n"
    "## Deaths\n\nNo rat died. Two rats were lame. All were examined.\n"
)


def loaded() -> LoadedDocument:
    record = DocumentRecord("D", path="", sha256="1", format="md", title="Report")
    document = Document(record, TEXT, ())
    return LoadedDocument(document, passages_of(document))


def part(begin: str, end: str) -> Passage:
    start, stop = TEXT.index(begin), TEXT.index(end) + len(end)
    return Passage("D", start, stop, TEXT[start:stop])


def line(words: str) -> Passage:
    return next(one for one in loaded().passages if words in one.text)


def test_all_is_shown_where_it_fits() -> None:
    deaths = part("## Deaths", "All were examined.")
    choice = choose({"D": loaded()}, [deaths], [], 1_000)

    assert render_lines(choice, deaths, choice.runs(deaths)) == deaths.text[3:].replace("\n\n", "\n")


def test_of_a_long_table_the_best_rows_are_shown_below_its_heads() -> None:
    table = part("Table 4.", "| 199 | 1393 |")
    choice = choose({"D": loaded()}, [table], [line("| 61 |")], 300)

    shown = render_lines(choice, table, choice.runs(table))

    assert shown.startswith(f"{CUT}\nTable 4. Weights of the rats\n| Animal | Weight (g) |\n|")
    assert "| 60 | 420 |\n| 61 | 427 |\n| 62 | 434 |" in shown
    assert "| 90 |" not in shown
    assert shown.endswith(CUT)


def test_heads_are_told_once_for_all_rows_of_a_table() -> None:
    table = part("Table 4.", "| 199 | 1393 |")
    choice = choose({"D": loaded()}, [table], [line("| 61 |"), line("| 120 |")], 600)

    assert render_lines(choice, table, choice.runs(table)).count("| Animal | Weight (g) |") == 1


def test_the_heads_of_a_table_take_room_once() -> None:
    table = part("Table 4.", "| 199 | 1393 |")
    rows = [line(f"| {number} |") for number in range(20, 196, 4)]

    choice = choose({"D": loaded()}, [table], rows, 1_000)

    rows_shown = sum(run.text.count("\n") + 1 for run in choice.runs(table))
    assert rows_shown > 55, "the room holds so many rows of 13 to 14 characters below one head"


def test_a_heading_or_caption_without_what_stands_below_it_is_not_shown() -> None:
    weights = part("## Weights", "| 199 | 1393 |")
    choice = choose({"D": loaded()}, [weights], [], 30)
    assert choice.runs(weights) == []


def test_what_is_shown_is_verbatim_and_fits() -> None:
    parts = [part("## Weights", "| 99 | 693 |"), part("| 100 |", "All were examined.")]
    ranked = [replace(one) for one in loaded().passages]
    for room in (100, 400, 2_000):
        choice = choose({"D": loaded()}, parts, ranked, room)
        runs = [run for one in parts for run in choice.runs(one)]
        assert all(run.text == TEXT[run.start : run.end] for run in runs)
        assert sum(len(run.text) for run in runs) <= room + 20


def test_parts_that_follow_each_other_are_shown_as_one_where_the_better_stood() -> None:
    parts = [
        part("| 50 |", "| 99 | 693 |"),
        part("## Deaths", "No rat died."),
        part("Table 4.", "| 49 | 343 |"),
    ]

    made = choose({"D": loaded()}, parts, [], 4_000).parts

    assert [one.text for one in made] == [part("Table 4.", "| 99 | 693 |").text, parts[1].text]


GROUNDS = (
    "# Letter\n\nThe dossier is refused on these grounds.\n\n1. Purity. It was not shown.\n\n"
    "2. Stability. Data of a year are missing.\n\n3. Viruses. No test was made.\n\nPlease answer soon.\n"
)


def letter() -> LoadedDocument:
    record = DocumentRecord("L", path="", sha256="2", format="md", title="Letter")
    document = Document(record, GROUNDS, ())
    return LoadedDocument(document, passages_of(document))


def test_a_list_stays_together_with_the_sentence_that_leads_to_it() -> None:
    whole = Passage("L", 0, len(GROUNDS), GROUNDS)
    lead = next(one for one in letter().passages if "grounds" in one.text)
    third = next(one for one in letter().passages if "Viruses" in one.text)

    for line_asked in (lead, third):
        [run] = choose({"L": letter()}, [whole], [line_asked], 170).runs(whole)
        assert "The dossier is refused" in run.text
        assert "No test was made." in run.text


def test_of_a_list_that_does_not_fit_the_neighbours_are_shown() -> None:
    whole = Passage("L", 0, len(GROUNDS), GROUNDS)
    lead = next(one for one in letter().passages if "grounds" in one.text)

    [run] = choose({"L": letter()}, [whole], [lead], 75).runs(whole)

    assert "The dossier" in run.text
    assert "Viruses" not in run.text


MEMO = (
    "# Memo\n\n## Pumps compared\n\n"
    "| Device | Loss (%) |\n|---|---|\n| Arvo | 46 |\n| Bento | 71 |\n| Cirro | 8 |\n\n"
    "Loss comes from heat in the first hour. More oil lowers it to 39 %.\n\n## Advice\n\n"
    "Question 8 (comparator). Is placebo acceptable in the trial?\nAnswer. Yes, with rescue. "
    "The letter is short and old.\n\n"
    "Nobody spoke of patents there. Cost was not discussed at all. The pump is dear.\n\n"
    "## References\n\n- Foo A. Pumps in trials. 2001.\n"
)


def memo() -> LoadedDocument:
    record = DocumentRecord("M", path="", sha256="3", format="md", title="Memo")
    document = Document(record, MEMO, ())
    return LoadedDocument(document, passages_of(document))


def shown_of_memo(words: str, room: int) -> str:
    whole = Passage("M", 0, len(MEMO), MEMO)
    asked = next(one for one in memo().passages if words in one.text)
    choice = choose({"M": memo()}, [whole], [asked], room)
    return render_lines(choice, whole, choice.runs(whole))


def test_what_is_left_out_between_a_heading_and_a_sentence_is_marked() -> None:
    shown = shown_of_memo("More oil", 80)

    assert "| Arvo" not in shown
    assert shown == f"{CUT}\nLoss comes from heat in the first hour. More oil lowers it to 39 %.\n{CUT}"


def test_each_stretch_stands_under_its_heading() -> None:
    whole = Passage("M", 0, len(MEMO), MEMO)
    asked = [one for one in memo().passages if "More oil" in one.text or "Cost was" in one.text]
    choice = choose({"M": memo()}, [whole], asked, 240)

    shown = render_lines(choice, whole, choice.runs(whole))

    assert shown.startswith("[…]\nPumps compared\nLoss comes")
    assert "39 %.\n[…]\nAdvice\nCost was" in shown


def test_a_short_correction_is_shown_whole() -> None:
    report, table = loaded(), part("Table 4.", "| 60 | 420 |")
    record = replace(report.record, title="Erratum to the report of the study", document_type="Correction")
    erratum = LoadedDocument(replace(report.document, record=record), report.passages)
    shown = {}
    for name, document in (("report", report), ("erratum", erratum)):
        choice = choose({"D": document}, [table], [line("| 61 |")], len(table.text) + 40)
        shown[name] = render_lines(choice, table, choice.runs(table))

    assert "| 2 | 14 |" in shown["erratum"]
    assert CUT not in shown["erratum"].removeprefix(CUT).removesuffix(CUT)
    assert "| 2 | 14 |" not in shown["report"]
