"""How a passage is told: a sentence word for word, a label with its value, one cell with what names it."""

import pytest

from agents.archive.general.render import MOST_WORDS, render_passage
from retrieval.passages import passages_of
from retrieval.values import Document, DocumentRecord

TABLES = """# Ferrets

Table 3 Spleens

| Dose (mg/kg) | Group | Cmax (ng/mL) | Day 28 / Deaths | Remark |
|---|---|---|---|---|
| 25 | B | 4.07 | 0 | - |
| 75 | C | 5.93 * | 1/6 |  |

## Vehicle

|  |  |
|---|---|
| Vehicle: | 0.5w/v% methylcellulose |
| Route | Oral by gavage |
| Study Director | : Odile Marchetti |

## Names

| Lot | ABC123 |
|---|---|
| Purity | 99 % |

| Treatment | Animal No. | Sex | Day 1 | Day 2 |
|---|---|---|---|---|
| Control | 00F07 | F | 21.4 | 22.9 |

| Group | Sex | Spleen (g) | Liver (g) |
|---|---|---|---|
| Group 1 | M | 0.7 | 9.1 |

| Study | Dose | Regimen | Cmax (ng/mL) |
|---|---|---|---|
| KV-CL-1 | 50 mg | BID, 14 days | 118 |

| Species | Exposure multiple |
|---|---|
| Monkey | 25 |
"""


def telling(begins: str, column: int | None = None, text: str = TABLES) -> str:
    document = Document(DocumentRecord("r", "r.pdf", "0" * 64, "pdf", "Report"), text)
    passage = next(one for one in passages_of(document) if one.text.startswith(begins))
    return render_passage(passage, column)


@pytest.mark.parametrize(
    ("row", "column", "expected"),
    [
        ("| 25 |", 2, "4.07 ng/mL — Dose (mg/kg) 25, Group B, Cmax (ng/mL), Table 3 Spleens"),
        ("| 75 |", 2, "5.93 * — Dose (mg/kg) 75, Group C, Cmax (ng/mL), Table 3 Spleens"),
        ("| 75 |", 3, "1/6 — Dose (mg/kg) 75, Group C, Day 28 Deaths, Table 3 Spleens"),
        (
            "| 75 |",
            None,
            "Dose (mg/kg): 75; Group: C; Cmax (ng/mL): 5.93 *; Day 28 Deaths: 1/6, Table 3 Spleens",
        ),
        ("| Vehicle: |", None, "Vehicle: 0.5w/v% methylcellulose"),
        ("| Route |", None, "Route: Oral by gavage"),
        ("| Study Director |", None, "Study Director: Odile Marchetti"),
        ("| Lot |", None, "Lot: ABC123"),
        ("| Control |", 4, "22.9 — Control, Animal No. 00F07, Sex F, Day 2, Names"),
        ("| Group 1 |", 2, "0.7 g — Group 1, Sex M, Spleen (g), Names"),
        ("| KV-CL-1 |", 3, "118 ng/mL — KV-CL-1, Dose 50 mg, Regimen BID, 14 days, Cmax (ng/mL), Names"),
        ("| Monkey |", None, "25 — Species Monkey, Exposure multiple, Names"),
    ],
)
def test_a_row_is_told_by_the_cell_that_was_asked_for(row: str, column: int | None, expected: str) -> None:
    assert telling(row, column) == expected


def test_a_long_sentence_ends_after_sixty_words() -> None:
    long = " ".join(f"word{n}" for n in range(80))

    assert telling("word0", text=f"{long}.").split(" ") == [*long.split(" ")[:MOST_WORDS], "…"]
    assert telling("**Short**", text="**Short** words stay.") == "Short words stay."
