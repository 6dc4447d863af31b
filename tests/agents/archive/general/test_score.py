"""Which passage, and of a row which cell, answers best by its words and its place."""

import pytest

from agents.archive.general.candidates import candidates_of
from agents.archive.general.closest import without_repetitions
from agents.archive.general.question import analyse_question
from agents.archive.general.score import ScoredPassage, score
from agents.archive.tools import LoadedDocument
from retrieval.passages import passages_of
from retrieval.values import Document, DocumentRecord, Passage

REPORT = """# KV-417: 13-week study in the ferret

## Animals

Vehicle: 0.5 % methylcellulose. The vehicle was stable for a week.

The ferrets were housed in pairs. The Study Director was Rowan Pike.

## Findings

Clinical signs: Decreased activity was seen in all animals at 1000 mg/kg. None were seen at 100 mg/kg.

Table 3 Spleen weight (g)

| Sex | 0 mg/kg | 25 mg/kg | 75 mg/kg |
|---|---|---|---|
| Males | 4.11 | 4.07 | 5.93 |
| Females | 3.02 | 3.10 | 4.44 |
"""


def ranked(question: str, text: str = REPORT) -> list[ScoredPassage]:
    document = Document(DocumentRecord("r", "r.md", "0" * 64, "md", "Report"), text)
    loaded = LoadedDocument(document, passages_of(document))
    return score(analyse_question(question), candidates_of(loaded, [(0, len(text), 1.0)]))


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("What was the vehicle?", "Vehicle: 0.5 %"),
        ("How were the ferrets housed?", "The ferrets were housed in pairs."),
        ("Who was the study director?", "The Study Director was Rowan Pike."),
        ("Which clinical signs were seen at 1000 mg/kg?", "Clinical signs: Decreased activity"),
        ("Spleen weight of the females at 75 mg/kg?", "| Females |"),
        ("spleen weight of males, 25 mg/kg", "| Males |"),
    ],
)
def test_the_passage_that_says_most_of_a_question_comes_first(question: str, begins: str) -> None:
    assert ranked(question)[0].passage.text.startswith(begins)


@pytest.mark.parametrize(
    ("question", "column"),
    [
        ("Spleen weight of the females at 75 mg/kg?", 3),
        ("Spleen weight of the females at 25 mg/kg?", 2),
        ("What did the spleens of the females weigh?", None),
    ],
)
def test_the_column_is_the_one_that_the_question_names_if_it_names_one(
    question: str, column: int | None
) -> None:
    assert ranked(question)[0].column == column


TABLES = """# KV-417: four-week study in the dog

## Pathology

| Finding (6 dogs per group) | 0 | 2 | 6 | 20 mg/kg |
|---|---|---|---|---|
| Haemorrhage, right atrium | 0 | 0 | 2 | 5 |
| Arteritis | 0 | 0 | 0 | 3 |

## Plasma levels

| Dose (mg/kg/day) | AUC0-24 (h*ng/mL) |
|---|---|
| 2 | 54 |
| 6 | 178 |
"""


@pytest.mark.parametrize(
    ("question", "column"),
    [
        ("haemorrhage of the right atrium at 6 mg/kg", 3),
        ("haemorrhage of the right atrium at 20 mg/kg", 4),
        ("cardiac atrium, how many haemorrhages", None),
    ],
)
def test_a_number_of_the_question_names_a_column_and_not_its_label(question: str, column: int | None) -> None:
    row = next(one for one in ranked(question, TABLES) if one.passage.text.startswith("| Haemorrhage"))
    assert row.column == column


def test_a_row_of_two_cells_is_read_with_its_heads() -> None:
    assert ranked("AUC of KV-417 at 6 mg/kg in dogs", TABLES)[0].passage.text == "| 6 | 178 |"


def test_what_two_documents_say_alike_is_shown_once() -> None:
    def said(doc_id: str, text: str) -> ScoredPassage:
        return ScoredPassage(Passage(doc_id, 0, len(text), text), 1.0)

    near = [
        said("protocol", "The doses of 1000 and 100 mg/kg are selected as high and low level."),
        said("report", "The doses of 1000 and 100 mg/kg were selected as high and low level."),
        said("report", "The doses of 1000 and 100 mg/kg were tolerated."),
    ]

    assert without_repetitions(near) == [near[0], near[2]]


SEXES = """# KV-417

## Toxicokinetics

| Dose (mg/kg/day) | Sex | Cmax (ng/mL) | t1/2 (h) |
|---|---|---|---|
| 10 | M | 812 | 2.9 |
| 10 | F | 1,020 | 3.1 |
| 30 | M | 2,260 | 3.3 |
| 30 | ♀ | 2,790 | 3.4 |

## Batch 0423-02

| Condition | Time point (months) | Assay (%) |
|---|---|---|
| 25 °C | 6 | 99.1 |
| 25 °C | 12 | 98.9 |

## Batch 0923-04

| Condition | Time point (months) | Assay (%) |
|---|---|---|
| 25 °C | 12 | 99.5 |
"""


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Cmax in female rats at 30 mg/kg/day?", ["| 30 | ♀ | 2,790 | 3.4 |"]),
        ("Cmax in male rats at 10 mg/kg?", ["| 10 | M | 812 | 2.9 |"]),
        ("Half-life in females?", ["| 10 | F | 1,020 | 3.1 |", "| 30 | ♀ | 2,790 | 3.4 |"]),
        ("Assay of batch 0423-02 after 12 months?", ["| 25 °C | 12 | 98.9 |"]),
        ("Assay in the 12-month study of batch 0423-02?", ["| 25 °C | 12 | 98.9 |", "| 25 °C | 6 | 99.1 |"]),
        ("Assay of batch 0999-01 after 12 months?", []),
    ],
)
def test_no_row_answers_whose_keys_contradict_the_question(question: str, rows: list[str]) -> None:
    asked = "Sex" if "Assay" not in question else "Time"
    found = [one.passage for one in ranked(question, SEXES) if one.passage.row]
    told = [one.text for one in found if one.row and asked in one.row.header[1] and one.text[2:3].isdigit()]
    assert sorted(told) == sorted(rows)


def test_a_measure_is_found_under_another_of_its_names() -> None:
    text = (
        "# KV-9\n\nTo determine the half-life in dogs.\n\n| Parameter | Unit | IV | PO |\n|---|---|---|---|\n"
    )
    text += "| Tmax | h | - | 1.5 |\n| t1/2 | h | 4.1 | 4.4 |\n"

    found = {one.passage.text: one.coverage for one in ranked("What was the half-life?", text)}
    assert found["| t1/2 | h | 4.1 | 4.4 |"] == 1.0


@pytest.mark.parametrize("head", ["dose_mg_per_kg", "dose_mg_kg", "Dose (mg/kg)", "dose_level_mg_per_kg"])
def test_the_heads_of_a_data_file_name_its_rows(head: str) -> None:
    rows = ["| 91 | F | 10 | 6720 |", "| 91 | F | 40 | 26300 |", "| 1 | F | 40 | 21900 |"]
    text = (
        f"# Toxicokinetics\n\n| study_day | sex | {head} | auc_ng_h_per_ml |\n|---|---|---|---|\n"
        + "\n".join(rows)
    )
    found = ranked("What was the AUC on day 91 in females at 40 mg/kg?", text)
    assert [one.passage.text for one in found if one.passage.text in rows] == rows[1:2]
