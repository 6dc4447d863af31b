"""Tables of plain text become pipe tables; what only looks like one stays as written."""

from pathlib import Path

import pytest

from retrieval.parse import parse
from retrieval.parse.fixed_width import with_tables

LEVELS = """\
Levels of 77-Osprel in serum:

  Dose        Route   n     Cmax     Half-life
                            ug/mL    days
  --------------------------------------------
  2 mg/kg     IV      8     27       58
  20 mg/kg    IV      10    541      61
  --------------------------------------------
  Two men were left out.
"""
READ = """\
Levels of 77-Osprel in serum:

| Dose | Route | n | Cmax (ug/mL) | Half-life (days) |
|---|---|---|---|---|
| 2 mg/kg | IV | 8 | 27 | 58 |
| 20 mg/kg | IV | 10 | 541 | 61 |
  Two men were left out.
"""


def rows(text: str) -> list[str]:
    return [line for line in with_tables(text).split("\n") if line.startswith("|")]


def test_columns_under_two_lines_of_heads_are_a_table() -> None:
    assert with_tables(LEVELS) == READ


def test_reports_and_mails_are_read_alike(tmp_path: Path) -> None:
    report, mail = tmp_path / "levels.txt", tmp_path / "levels.eml"
    report.write_text(LEVELS)
    mail.write_text(f"From: a@osprel.example\nSubject: levels\n\n{LEVELS}")
    assert parse(report).text == READ
    assert parse(mail).text.endswith(READ.strip("\n"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (  # a head over two columns, and a column without a unit
            "Group   Dose        Main    Recovery\n"
            "        mg/kg/day   M+F     M+F\n"
            "-----   ---------   -----   --------\n"
            "  1        0        4+4       2+2\n"
            "  2       15        4+4        -",
            [
                "| Group | Dose mg/kg/day | Main M+F | Recovery M+F |",
                "|---|---|---|---|",
                "| 1 | 0 | 4+4 | 2+2 |",
                "| 2 | 15 | 4+4 | - |",
            ],
        ),
        (  # a sub-head
            "   Finding          Low   Mid   High\n"
            "   Males\n"
            "   Liver, pale      0/4   1/4   4/4\n"
            "   Thymus, small    0/4   0/4   2/4",
            [
                "| Finding | Low | Mid | High |",
                "|---|---|---|---|",
                "| Males |  |  |  |",
                "| Liver, pale | 0/4 | 1/4 | 4/4 |",
                "| Thymus, small | 0/4 | 0/4 | 2/4 |",
            ],
        ),
        (  # labels beside the columns, which hold words and numbers
            "                  run 1       run 2\n"
            "  feed            constant    by oxygen\n"
            "  titre (g/L)     2.1         3.4",
            [
                "|  | run 1 | run 2 |",
                "|---|---|---|",
                "| feed | constant | by oxygen |",
                "| titre (g/L) | 2.1 | 3.4 |",
            ],
        ),
        (  # a register
            "Study       Species   Route    Status\n"
            "OSP-TX-01   rat       oral     completed\n"
            "OSP-TX-02   dog       oral     ongoing",
            [
                "| Study | Species | Route | Status |",
                "|---|---|---|---|",
                "| OSP-TX-01 | rat | oral | completed |",
                "| OSP-TX-02 | dog | oral | ongoing |",
            ],
        ),
        (  # a cell that wraps
            "Study       Title                    Year\n"
            "OSP-TX-01   Thirteen weeks in the    2021\n"
            "            rat, by mouth\n"
            "OSP-TX-02   Four weeks in the dog    2022",
            [
                "| Study | Title | Year |",
                "|---|---|---|",
                "| OSP-TX-01 | Thirteen weeks in the rat, by mouth | 2021 |",
                "| OSP-TX-02 | Four weeks in the dog | 2022 |",
            ],
        ),
        (  # tabs
            "Channel\tIC50 (nM)\tn\nNav1.7 of man\t2.8\t4\nNav1.6\t190\t3",
            [
                "| Channel | IC50 (nM) | n |",
                "|---|---|---|",
                "| Nav1.7 of man | 2.8 | 4 |",
                "| Nav1.6 | 190 | 3 |",
            ],
        ),
    ],
)
def test_tables(text: str, expected: list[str]) -> None:
    assert rows(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Format      human IgG1, kappa\nMass        148 kDa\nStrength    150 mg/mL\nShelf life  24 months",
        "Placebo rate     2.8 per year\nRate ratio       0.65\nFollow-up        52 weeks",
        "Present:  Dr Ada Quell (chair)     Oslo\n          Dr Bo Renn (toxicology)  Lund\n"
        "          Cy Sand (finance)        Turku",
        "Signed   A. Quell          19/06/2023\n         B. Renn           19/06/2023\n"
        "         C. Sand           20/06/2023",
        "To:    Osprel Ltd\n       P.O. Box 911\n       Turku\n",
        "1.  Introduction     3\n2.  Methods          4\n3.  Results          9",
        "Introduction ........  3\nMethods .............  4\nResults .............  9",
        "Contents        Page\nIntroduction ..... 3\nMethods .......... 4",
        "The dogs were fed.  They were dosed.  None died.\n"
        "On day 4 two dogs vomited.  One was  treated.\nThe others  were not.  All lived.",
        "> Dose   Cmax   n\n> 1      20     4\n> 3      61     4",
        "Redness     2     2     5     6\nSwelling    1     2     5     6\nNecrosis    0     0     3     6",
        # prose beside the columns of a table
        "Sample size of the study, how      Arm      n     Mean\n"
        "many dogs are needed to find a slight change    Drug     7     47.0\n"
        "and how many rats were needed for the same      Control  7     50.0",
        # rows that do not stand under their heads
        "Class         Term        Drug (%)    Placebo (%)\n"
        "Stomach       Diarrhea       51           5\n"
        "Nausea        31          0\n"
        "Vomiting      23          0",
        "Group   n    Cmax\n1   4  20  61\n2   4   22   65  9",
        # two columns of one name, under heads that span them
        "            Sham         Quorlin\n          n     %      n     %\n"
        "Cough     3     5      4     6\nItch      2     3      5     8",
    ],
)
def test_no_tables(text: str) -> None:
    assert with_tables(text) == text


def test_a_long_register_is_read_in_little_time() -> None:
    lines = [f"OSP-{number:05}   rat       {number % 7}" for number in range(20_000)]
    assert len(rows("\n".join(["Study       Species   Weeks", *lines]))) == len(lines) + 2


def test_a_long_table_is_read_to_its_end() -> None:
    lines = [f"OLB-{number:03d}     {number}       12" for number in range(90)]
    lines.insert(38, "Females")
    written = "Study       Animals  Weeks\n" + "\n".join(lines) + "\n\nNo animal died."
    assert len(rows(written)) == 2 + 90 + 1


def test_bars_between_cells_make_a_table_where_all_lines_have_as_many() -> None:
    told = "Table 2. Weight (g)\nDose | Males\n--- | ---\n0 | 341\n30 | 336"

    assert rows(told) == ["| Dose | Males |", "|---|---|", "| 0 | 341 |", "| 30 | 336 |"]
    assert rows("One | two\nthree | four | five\n") == []
    assert rows("The norm |x| is small.\n") == []
