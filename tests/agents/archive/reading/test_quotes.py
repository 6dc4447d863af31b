"""A model's quotes are found where the document says them, and nowhere else."""

from dataclasses import replace

import pytest

from agents.archive.reading.answers import as_quoted, render_quoted
from agents.archive.reading.quotes import cited_passages, claim_of, in_place, places, spans_of, words_of
from agents.archive.tools import LoadedDocument
from agents.evidence.memory import EvidenceMemory
from agents.trust.check import check_claims
from agents.trust.entail import ModelEntailment
from agents.trust.values import VERBATIM, Claim
from retrieval.passages import passages_of
from retrieval.values import Document, DocumentRecord, Passage
from tests.support.scripted import ScriptedModel

TEXT = """# Study

Rats received **15 mg/kg** daily. No death
occurred – all animals were well.

| Group | Weight (g) |
|---|---|
| Control | 412 |
| 15 mg/kg | 405 |
"""
DOCUMENT = Document(DocumentRecord("D", "d.md", "0" * 64, "markdown", "Study"), TEXT)
LOADED = LoadedDocument(DOCUMENT, passages_of(DOCUMENT))


@pytest.mark.parametrize(
    ("quote", "said"),
    [
        ("Rats received 15 mg/kg daily.", "Rats received **15 mg/kg** daily."),
        ("no death occurred - all animals", "No death\noccurred – all animals"),
        ("15 mg/kg | 405", "15 mg/kg | 405"),
        ("“Control | 412”", "Control | 412"),
    ],
)
def test_white_space_marks_and_dashes_may_differ(quote: str, said: str) -> None:
    [(start, end)] = places(quote, TEXT)
    assert TEXT[start:end] == said


@pytest.mark.parametrize(
    "quote", ["Rats received 5 mg/kg daily", "5 mg/kg | 405", "40", "", "death occurred: none"]
)
def test_another_number_or_part_of_a_number_is_not_found(quote: str) -> None:
    assert places(quote, TEXT) == []


def test_of_a_table_each_row_is_cited_whole_and_of_prose_the_sentence() -> None:
    [whole] = spans_of("Control | 412 | 15 mg/kg | 405", _all(), "")
    assert [p.text for p in cited_passages(LOADED, whole)] == ["| Control | 412 |", "| 15 mg/kg | 405 |"]
    assert words_of(LOADED, whole) == ("| Control | 412 |", "| 15 mg/kg | 405 |")
    [part] = spans_of("No death", _all(), "")
    assert [p.text for p in cited_passages(LOADED, part)] == ["No death\noccurred – all animals were well."]
    assert words_of(LOADED, part) == ("No death",)


def test_heads_are_cited_with_the_row_below_them_and_state_nothing_alone() -> None:
    quotes = ["Study", "| Group | Weight (g) |", "| Control | 412 |", "| 15 mg/kg | 405 |"]
    told = as_quoted(claim_of("", ["E1"], quotes, {"E1": _all()[0]}, {"D": LOADED}))
    assert [one.text for one in told] == [
        "Group: Control; Weight (g): 412",
        "Group: 15 mg/kg; Weight (g): 405",
    ]
    assert [p.text for p in told[0].passages] == ["| Control | 412 |", "Study", "| Group | Weight (g) |"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1. **Efficacy.** It failed at 5 mg.\n2. *In vitro* it worked.\n", "Efficacy. It failed at 5 mg."),
        ("The AUC was **5 ng*h/mL** on day 1.\n", "The AUC was 5 ng*h/mL on day 1."),
    ],
)
async def test_a_sentence_is_told_without_marks_and_needs_no_judge(text: str, told: str) -> None:
    document = Document(DOCUMENT.record, text)
    passage = passages_of(document)[0]
    memory = EvidenceMemory()
    claim = Claim(render_quoted(passage), (memory.add(passage, document.record).key,))

    [checked] = await check_claims([claim], memory, ModelEntailment(ScriptedModel({})))

    assert claim.text == told
    assert checked.reason == VERBATIM


def test_a_quote_that_leaves_words_out_is_found_in_its_parts() -> None:
    assert len(spans_of("Rats received … daily.", _all(), "")) == 2
    assert spans_of("Rats received … weekly.", _all(), "") == []


def test_a_quote_is_cited_in_each_document_that_the_statement_names() -> None:
    said = "QX-1 caused liver necrosis in rats."
    loaded = {}
    for name in ("A", "B", "C"):
        document = Document(
            DocumentRecord(name, f"{name}.md", name, "markdown", name), f"# {name}\n\n{said}\n"
        )
        loaded[name] = LoadedDocument(document, passages_of(document))
    shown = {f"E{n}": one.passages[1] for n, one in enumerate(loaded.values(), 1)}

    claim = claim_of("A and C report liver necrosis.", ["E1", "E3"], [said], shown, loaded)

    assert [passage.doc_id for passage in claim.passages] == ["A", "C"]


def _all() -> tuple[Passage, ...]:
    return (replace(LOADED.passages[0], start=0, end=len(TEXT), text=TEXT),)


def test_a_quoted_row_is_read_with_what_stands_around_its_table() -> None:
    shown = Passage("D", 0, len(TEXT), TEXT)
    (row,) = cited_passages(LOADED, spans_of("15 mg/kg | 405", [shown], "")[0])
    around = in_place(row, LOADED).around
    assert "all animals were well" in around
    assert "412" not in around
