"""Codes in unusual shapes: what vouches for them, and what speaks against them."""

import pytest

from retrieval.molecules.lookup import mentions, resolve
from retrieval.molecules.registry import build_registry, document_names
from retrieval.molecules.vouched import vouched
from retrieval.values import DocumentRecord, Molecule


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("QD.417b, an oral inhibitor of Abl4.1 channels, was given to rats.", ["QD.417b"]),
        ("The first trial in man of RV.08c began. Tablets of QN_5512 were pressed.", ["RV.08c", "QN_5512"]),
        ("QD/4417 is a selective agonist of the receptor.", ["QD/4417"]),
        ("Capsules of QD/4417-R were given. QD/4417-R was absorbed.", ["QD/4417-R"]),
        ("Molecule: QD.41b\nDate: 3 May 2001", ["QD.41b"]),
        ("| Item | Detail |\n|---|---|\n| Compound | QD.41b |", ["QD.41b"]),
        (
            "| study | molecule |\n|---|---|\n| RX/hare/07 | QD.41b |\n| RX/hare/08 | QD.7 |",
            ["QD.41b", "QD.7"],
        ),
        ("| title | molecule |\n|---|---|\n| Rat study | QD.41b |\n| Dog study | QD.41b |", ["QD.41b"]),
        ("| drug_candidate | Phase |\n|---|---|\n| QD.41b (oral) | 1 |", ["QD.41b"]),
        ("| study | molecule |\n|---|---|\n| QX-1 | QDH 70-81n |", ["QDH 70-81n"]),
        ("| **Asset** | Phase |\n|---|---|\n| QD.41b + QD.42c | 1 |", ["QD.41b", "QD.42c"]),
    ],
)
def test_a_column_or_what_is_said_vouches_for_a_code(text: str, codes: list[str]) -> None:
    assert sorted(vouched(text)) == sorted(codes)


@pytest.mark.parametrize(
    "text",
    [
        "Kv8.14 is a channel; Nav1.12, an opener's target, and p33/WAP2, an inhibitor of kinases. See 4.1b.",
        "Study QT.114, an open trial with the blocker, began. Study QT.114 ended. Doses of QT.114 were low.",
        "Lot QD.417b tablets were rejected, and lot QD.417b tablets were burnt.",
        "See Fig.12, an inhibitor. Table.12 is a conjugate. J.Med.12, a ligand. NM_004411, an inhibitor.",
        "The file QD.41b.pdf and q.b12@x.example, an antibody of batch 41b-P-014. It cost NOK 38,000.",
        "| Molecule | n |\n|---|---|\n| Kv8.1 | 1 |\n| Kv8.3 | 2 |\n| CDK7/9 | 3 |\n| MIP-1a | 4 |",
        "| Compound | Supplier |\n|---|---|\n| SX.123 | Acme |\n| SX.124 | Acme |",
        "| Study | n |\n|---|---|\n| QD.41b | 3 |\n| QD.42b | 4 |",
    ],
)
def test_other_numbered_things_are_no_molecules(text: str) -> None:
    assert list(vouched(text)) == []
    assert document_names(text).groups == ()


@pytest.mark.parametrize(
    ("table", "codes"),
    [
        ("| study | molecule | species |\n|---|---|---|\n| P-1 | TQ.XIV | rat |\n", ["TQ.XIV"]),
        (
            "| batch | substance |\n|---|---|\n| B-1 | qb/551-T |\n| B-2 | 7-Vrx/12 |\n",
            ["qb/551-T", "7-Vrx/12"],
        ),
        ("| trial | phase | compound |\n|---|---|---|\n| VF-01 | Ib | K4m9 + docetaxel |\n", ["K4m9"]),
        (
            "| phase | drug |\n|---|---|\n| buffer | MgCl2 |\n| gas | CO2 |\n| I | IC50 |\n| II | 20 mg |\n",
            [],
        ),
        ("| Compound | Solvent |\n|---|---|\n| K4m9 | water |\n", []),
    ],
)
def test_a_register_tells_molecules_in_any_shape(table: str, codes: list[str]) -> None:
    assert sorted(vouched(table)) == sorted(codes)


def test_a_code_with_a_roman_numeral_is_known_in_other_texts_and_by_its_numeral() -> None:
    register = "| study | molecule |\n|---|---|\n| P-1 | TQ.XIV |\n| P-2 | TQ.XXII |\n| P-3 | TQ.III |\n"
    names = document_names(register).groups
    registry = build_registry([DocumentRecord("D", "D.md", "", "md", "", names=names)])

    assert [name for _, _, name in mentions("Rats got TQ.XIV and not TQ.XIVa.", registry)] == ["TQ.XIV"]
    marked = build_registry([DocumentRecord("E", "", "", "md", "", names=(("QLB#411",), ("QLB#640",)))])
    assert [name for _, _, name in mentions("Rats got QLB#411.", marked)] == ["QLB#411"]
    [found] = resolve("half-life of qlb#640?", marked)
    assert [one.name for one in found.candidates] == ["QLB#640"]
    [found] = resolve("no-effect dose of XXII in monkeys?", registry)
    assert [one.name for one in found.candidates] == ["TQ.XXII"]
    assert resolve("Which molecules are in phase III?", registry) == ()


def test_a_vouched_code_holds_in_every_text() -> None:
    names = document_names("QD.417b, an inhibitor of kinases.").groups
    registry = build_registry([DocumentRecord("D", "D.md", "", "md", "", names=names)])
    text = "Rats on qd.417b; QD.417b-treated dogs (QD.417b); but QD.417, QD.417b-7 and QD.417b.pdf."
    assert [text[start:end] for start, end, _ in mentions(text, registry)] == [
        "qd.417b",
        "QD.417b",
        "QD.417b",
    ]


LISTED = """| Drug candidate | Target | Status |
|---|---|---|
| Kuura 7 | TRN2 | Phase 1 |
| Project Halden 12 | GRX | Lead optimisation |
| Phase 2 | TRN2 | Table 7 |
"""


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (LISTED, {"Kuura 7", "Halden 12"}),
        ("Kuura 7, a selective inhibitor of TRN2, was given on Day 14.", {"Kuura 7"}),
        (
            "| study_no | molecule |\n|---|---|\n| VX-TX-0412 | 88-Vidde |\n| VX-TX-0413 | 9-Rype |\n",
            {"88-Vidde", "9-Rype"},
        ),
        (
            "88-Vidde is an inhibitor of TRN2. The 28-Day, an open part, and the 13-Week study follow.",
            {"88-Vidde"},
        ),
        ("Dogs were treated with Kuura 7 in Cohort 3. See Table 7, a summary of Study 12.", {"Kuura 7"}),
        ("Group 1, an inhibitor arm, and Visit 2 tablets; Type 2, an antagonist; Site 4, Version 3.", set()),
        ("Kuura 7 is the room of the meeting on May 12. Volumes of Kuura 7.5 mL.", set()),
        ("Sanding 4, an inhibitor of dust, is a sanding of the floor.", set()),
        ("| Substance | n |\n|---|---|\n| Vehicle 2 | 1 |\n| Impurity 3 | 2 |\n| Tween 80 | 5 |", set()),
        ("Treated with Regimen 2. Doses of Vitamin 12. Vials of Carton 4. Notch 1 is a ligand.", set()),
        ("| Group | Compound |\n|---|---|\n| Kuura 7 | 5 mg |\n| Wave 2 | 7 mg |\n", set()),
    ],
)
def test_a_word_and_a_number_name_a_molecule_where_a_column_or_the_text_says_so(
    text: str, names: set[str]
) -> None:
    assert set(vouched(text)) == names


def test_a_name_of_a_word_and_a_number_is_found_again_and_not_in_a_longer_number() -> None:
    known = [Molecule("Kuura 7"), Molecule("Halden 12")]
    text = "Project Halden 12 and kuura 7 were given, Kuura 70 and Kuura 7.5 mL were not."
    assert [name for _, _, name in mentions(text, known)] == ["Halden 12", "Kuura 7"]


def test_the_numbers_of_a_register_of_studies_are_no_molecules() -> None:
    rows = "".join(f"| VX-TX-04{number} | 88-Vidde | rat |\n" for number in range(12, 18))
    text = f"# Register of studies\n\n| study_no | molecule | species |\n|---|---|---|\n{rows}"
    names = document_names(text)
    registry = build_registry([DocumentRecord("D", "D.md", "", "md", "", names=names.groups)])
    assert [molecule.name for molecule in registry] == ["88-Vidde"]


def test_the_number_under_which_a_document_is_filed_is_no_molecule() -> None:
    text = (
        "VX-417 was given to rats. Plasma of VX-STAT-05 and of VX-417 was measured after 5 mg/kg VX-STAT-05."
    )
    records = [
        DocumentRecord("memos/VX-STAT-05_power", "a.md", "", "md", "", names=document_names(text).groups),
        DocumentRecord("VX-417", "b.md", "", "md", "", names=document_names("VX-417 in rats").groups),
    ]
    assert [molecule.name for molecule in build_registry(records)] == ["VX-417"]


def test_a_code_of_the_series_under_which_a_document_is_filed_is_no_molecule() -> None:
    title = "VX-STAT-0093: the batches"
    names = document_names("Batches below 1 kg are in VX-STAT-0041.", title)
    assert names.groups
    record = DocumentRecord("VX-STAT-0093_revC", "a.md", "", "md", title, names=names.groups)
    assert build_registry([record]) == []


def test_an_ordinal_in_a_title_in_capitals_is_no_molecule() -> None:
    title = "PORTFOLIO BOARD - MINUTES OF THE 47TH MEETING"
    assert document_names(f"{title}\n\nThe 48th meeting is in May.", title).groups == ()


def test_a_code_that_begins_with_a_small_letter_is_listed_by_its_column() -> None:
    table = "| Study | Molecule |\n|---|---|\n| T-1 | kTx.107 |\n| T-2 | kTx.107 |\n"
    assert document_names(table, "Register").groups == (("kTx.107",),)


def test_a_register_may_leave_a_name_open() -> None:
    table = (
        "| Code | Nickname | INN | Target |\n|---|---|---|---|\n"
        "| QDL417s | Moss |  | TYK2 |\n| QDL418s | Pike | quedripinib | RIPK1 |"
    )
    groups = document_names(table, "Projects").groups
    assert any({"QDL418s", "quedripinib"} <= set(group) for group in groups)
