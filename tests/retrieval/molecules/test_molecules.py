"""Codes, aliases, the registry, and names in questions."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.molecules.codes import code_key, codes
from retrieval.molecules.lookup import mentions, resolve
from retrieval.molecules.registry import build_registry, document_names
from retrieval.values import DocumentRecord, Match, Molecule


def record(text: str, title: str = "", **metadata: object) -> DocumentRecord:
    names = document_names(text, title, metadata).groups
    return DocumentRecord("D", "D.md", "", "md", title, names=names)


def registry(*texts: str) -> dict[str, set[str]]:
    return {molecule.name: set(molecule.aliases) for molecule in build_registry(map(record, texts))}


@given(
    st.sampled_from(["AB", "QRS", "Zk"]), st.integers(100, 10**7), st.sampled_from(["", "-", " ", "\u2011"])
)
def test_spellings_share_a_key(prefix: str, number: int, separator: str) -> None:
    assert code_key(f"{prefix}{separator}{number}") == code_key(f"{prefix.lower()}{number}")


@pytest.mark.parametrize(
    "name",
    [
        "QRX-875",
        "ZB4929097",
        "GHK2190915A",
        "KLM-39439335",
        "QX 1001",
        "BWS-986,020",
        "BIVB037",
        "LQ3002813",
        "Ro 24-7429",
        "NVQ-BEZ235",
    ],
)
def test_codes_are_known_by_shape(name: str) -> None:
    assert list(codes(f"Patients received 10 mg of {name} daily.").molecules) == [code_key(name)]


@pytest.mark.parametrize(
    "text",
    [
        "NCT01234567",
        "report PHX-TR-84-031",
        "Study CJ16050",
        "batch AB-1234",
        "Lot QX4711",
        "HEK293 cells",
        "CYP3A4",
        "ISO 10993",
        "strain TA 98",
        "GLP-1",
        "DPP-4",
        "HbA1c",
        "COVID-19",
        "May 2010",
        "in NIH 2007",
        "by Aberg B Cheng TL 2007 in the references",
        "BRAF V600E",
        "a dose of PEG 400",
        "CD20",
        "MCF-7 cells",
        "OECD 471",
        "Week 24",
        "IC50",
        "protocol M11-793",
        "SKOV-433 cells",
        "GPR120",
        "F344 rats",
        "age 18-55",
        "C57BL/6",
    ],
)
def test_other_numbers_are_no_codes(text: str) -> None:
    assert codes(f"This was {text}, as described.").molecules == {}


@pytest.mark.parametrize(
    "text",
    [
        "according to procedure PHB-1045",
        "as laid down in SOP TXQ-2210",
        "stored in room BQ-1204",
        "supported by grants from the Foundation (QHL-114532, RZB-2214)",
        "on an ABX-4000 mass spectrometer",
        "QPL-8830 centrifuge",
        "the QTRB-143 cell line",
        "XXX-XX-4321",
        "contents: CRF 15, RCAC 28",
        "fitted by flexmix (Leisch 2004)",
        "H200 Unstable explosive. P241 Use safe equipment. EUH401 See RFC 2119.",
        "the Negative Sign Assessment (NSB-160)",
        "QCH115397 was a phase 2a, open-label study",
    ],
)
def test_counter_evidence_makes_a_code_no_molecule(text: str) -> None:
    found = codes(f"This was done. {text}. It went on.")
    assert (found.molecules, found.unsupported) == ({}, ())


def test_a_shape_that_nothing_supports_is_no_molecule() -> None:
    names = document_names("Values were taken over from WQX-4471 without change.", "Report of the laboratory")
    assert (names.groups, names.unsupported) == ((), ("WQX-4471",))


def test_an_unsupported_code_of_a_series_that_another_document_knows_is_a_molecule() -> None:
    sure = replace(record("Rats received WQX-4480 for a week."), doc_id="A")
    names = document_names("See the file of WQX-4471. Also KLB-3301.")
    other = DocumentRecord("B", "B.md", "", "md", "", names=names.groups, unsupported=names.unsupported)
    assert [molecule.name for molecule in build_registry([sure, other])] == ["WQX-4471", "WQX-4480"]


def test_a_table_column_of_molecules_supports_a_code() -> None:
    table = "| Compound | Assay |\n|---|---|\n| WQX-4471 | KLB-3301 |\n"
    found = codes(f"Results.\n\n{table}")
    assert list(found.molecules) == ["wqx4471"]


def test_a_letter_o_for_a_nought_is_a_slip() -> None:
    made = registry("Rats received WO4929097.", "WO4929097: 10 mg of W04929097 daily.")
    assert made == {"WO4929097": {"W04929097"}}


@pytest.mark.parametrize(
    ("text", "title", "name"),
    [
        ("| Test article | Compound Q |\n", "Effects on breathing", "Compound Q"),
        ("Test Item: QZDRUG\nBatch: 7", "A study", "QZDRUG"),
        ("", "Effects of Compound Q on Breathing in Rats", "Compound Q"),
        ("", "13-Week Study on QZDRUG in Rats", "QZDRUG"),
        ("They took zilorumon 600 mg.", "Zilorumon to Treat Adults With Asthma", "zilorumon"),
    ],
)
def test_a_document_declares_names_that_are_no_codes(text: str, title: str, name: str) -> None:
    names = document_names(text, title).groups
    assert names == ((name,),)


def test_words_in_a_field_are_no_names() -> None:
    text = "Test article: Purity\nTest item: Control\n| Test article | Storage |\nTest article: see below"
    assert document_names(text, "Effect of Training in Adults").groups == ()


def test_a_lettered_name_is_found_only_as_it_is_written() -> None:
    known = [Molecule("Compound Q")]
    text = "Compound Q was given. The compound q.s. was not."
    assert [name for _, _, name in mentions(text, known)] == ["Compound Q"]


def test_several_names_in_one_parenthesis() -> None:
    assert registry("ZB-2107 (lorafetib, formerly QRX-875) was given.") == {
        "ZB-2107": {"QRX-875", "lorafetib"}
    }


def test_a_weak_shape_counts_with_a_dose_beside_it() -> None:
    assert codes("SGX-35 is mentioned.").molecules == {}
    assert list(codes("SGX-35 is mentioned. Patients took SGX-35 5 mg.").molecules) == ["sgx35"]


@pytest.mark.parametrize(
    "text",
    [
        "Treatment with lorafetib (QRX-875) began.",
        "QRX-875 (lorafetib) began.",
        "QRX-875, also known as lorafetib,",
        "QRX-875 (INN: lorafetib) is new.",
        "The non-proprietary name lorafetib has been proposed for QRX-875.",
    ],
)
def test_aliases_are_learnt(text: str) -> None:
    assert registry(text) == {"QRX-875": {"lorafetib"}}


@pytest.mark.parametrize(
    "text",
    [
        "QRX-875 was renamed ZB-2107 in 2004.",
        "ZB-2107, formerly QRX-875, is new.",
        "QRX-875 becomes ZB-2107",
        "ZB-2107 (previously known as QRX-875)",
        "QRX-875, now called ZB-2107, is safe.",
    ],
)
def test_a_renamed_code_leads_to_the_new_one(text: str) -> None:
    assert registry(text) == {"ZB-2107": {"QRX-875"}}


@pytest.mark.parametrize(
    "text",
    [
        "QRX-875 was compared with ZB-2107.",
        "The follow-up compound (ZB-2107) of QRX-875",
        "QRX-875 (hypertension)",
        "QRX-875 (Novapharm)",
        "kinase inhibitor (QRX-875)",
        "QRX-875 (50 mg)",
        "QRX-875 (placebo)",
        "QRX-875 (QRX-876)",
        "treatment (QRX-875)",
        "the drug (QRX-875)",
        "QRX-875 (cohort) was given.",
        "QRX-875, also referred to as cohort",
        "QRX-875, also known as batch 2 medication",
    ],
)
def test_what_is_no_alias(text: str) -> None:
    assert all(not aliases for aliases in registry(text).values())


def test_two_codes_of_one_molecule_share_a_name() -> None:
    text = "QRX-875 (vespasil) was given. ZB-2107 (vespasil) too: ZB-2107, formerly QRX-875."
    assert registry(text) == {"ZB-2107": {"QRX-875", "vespasil"}}


def test_the_registry_joins_spellings_forms_and_aliases_across_documents() -> None:
    made = registry(
        "QX 1001 was given.",
        "QX-1001 and QX-1014 were given.",
        "GHK2190915A was given.",
        "GHK2190915 (tovelukin) was given.",
        "tovelukin (ZZ-4455) was given.",
    )
    assert made == {
        "QX-1001": {"QX 1001"},
        "QX-1014": set(),
        "GHK2190915": {"GHK2190915A", "tovelukin", "ZZ-4455"},
    }


def test_front_matter_of_any_shape() -> None:
    meta = {"molecules": [{"name": "QX-1001", "aliases": ["lorafetib"]}, None, 3], "aliases": {"a": None}}
    assert record("", **meta).names == (("QX-1001", "lorafetib"),)
    assert record("", molecule="QX-1001", aliases="lorafetib").names == (("QX-1001", "lorafetib"),)
    assert record("", molecule_codes_mentioned=["QX 1001", "QX-1014"]).names == (("QX 1001",), ("QX-1014",))


KNOWN = [
    Molecule("QRX-875", ("lorafetib",)),
    Molecule("QX-1001", ("QX 1001",)),
    Molecule("QX-1014"),
    Molecule("QX-1009"),
    Molecule("ZB4929097"),
]


def found(question: str) -> list[tuple[str, Match | None, list[str]]]:
    return [(r.written, r.match, [m.name for m in r.candidates]) for r in resolve(question, KNOWN)]


@pytest.mark.parametrize(
    ("question", "written", "match", "names"),
    [
        ("The dose of qx1001?", "qx1001", Match.EXACT, ["QX-1001"]),
        ("What is Lorafetib?", "Lorafetib", Match.ALIAS, ["QRX-875"]),
        ("What is lorafetip?", "lorafetip", Match.SPELLING, ["QRX-875"]),
        ("dose of QRX-857", "QRX-857", Match.SPELLING, ["QRX-875"]),
        ("dose of ZB492907", "ZB492907", Match.SPELLING, ["ZB4929097"]),
        ("dose of XQ-1014", "XQ-1014", Match.SPELLING, ["QX-1014"]),
        ("dose of QX-l0O9", "QX-l0O9", Match.SPELLING, ["QX-1009"]),
        ("QX-1004?", "QX-1004", Match.SPELLING, ["QX-1001", "QX-1009", "QX-1014"]),
        ("What about 4929097?", "4929097", Match.SPELLING, ["ZB4929097"]),
        ("What about QX?", "QX", Match.SPELLING, ["QX-1001", "QX-1014", "QX-1009"]),
        ("dose of QRX-874", "QRX-874", None, []),
        ("dose of KK-9999", "KK-9999", None, []),
        ("dose of imatinib", "imatinib", None, []),
    ],
)
def test_names_in_questions(question: str, written: str, match: Match | None, names: list[str]) -> None:
    assert found(question) == [(written, match, names)]


def test_several_names_in_order_each_once() -> None:
    assert [names for _, _, names in found("Is QX-1014 better than QRX-875 (lorafetib)?")] == [
        ["QX-1014"],
        ["QRX-875"],
    ]


@pytest.mark.parametrize(
    "question",
    [
        "What was the highest dose in Phase 2 in 2015?",
        "LD50 in rats at 50 mg/kg, Table 12, CYP3A4?",
        "",
        "\x00 12 µg",
        "How many of 100 patients in study NCT01234567 had COVID-19?",
    ],
)
def test_questions_without_a_name(question: str) -> None:
    assert found(question) == []


def test_mentions_are_placed_and_canonical() -> None:
    text = "Both qx 1001 and Lorafetib, but not QX-10014."
    assert [(text[a:b], name) for a, b, name in mentions(text, KNOWN)] == [
        ("qx 1001", "QX-1001"),
        ("Lorafetib", "QRX-875"),
    ]


@pytest.mark.parametrize(
    "name",
    ["VKT 18-402", "VKT-18-402", "VKT\u00a018\u2011402", "VKT 18\u2011402", "VKT-18.402", "VK-12-3456"],
)
def test_a_code_with_a_number_in_two_parts_is_known_in_any_spelling(name: str) -> None:
    assert list(codes(f"Patients received 10 mg of {name} daily.").molecules) == [code_key(name)]
    made = build_registry([record("Rats received 5 mg/kg of " + name + ".")])
    written = name.replace("\u2011", "-")
    assert [found for _, _, found in mentions(f"What of {written}?", made)] == [made[0].name]


@pytest.mark.parametrize("text", ["SBX 10-120 mg/kg", "a SDX 12.345 of", "SYS 120/080", "in WBX 40-160 mL"])
def test_ranges_and_values_are_no_codes(text: str) -> None:
    assert codes(f"This was {text}, as described.").molecules == {}


@pytest.mark.parametrize(
    "text",
    [
        "lorvapeptide (VKT 31-007) was safe. Then lorvapeptide was stopped.",
        "VKT 31-007 (lorvapeptide) was safe. Then lorvapeptide was stopped.",
        "VKT\u00a031\u2011007 (lorvapeptide; INN) was safe. Then lorvapeptide was stopped.",
    ],
)
def test_a_name_beside_a_code_in_two_parts_is_its_alias(text: str) -> None:
    assert [set(map(code_key, group)) for group in document_names(text).groups] == [
        {"vkt31007", "lorvapeptide"}
    ]


@pytest.mark.parametrize(
    "measure", ["MIC90", "MIC-50", "IC50", "EC50", "AUC24", "LD50", "ED90", "T90", "MBC 90"]
)
def test_measures_are_no_molecules(measure: str) -> None:
    text = f"The compound {measure} of mavoptinib ({measure}) was low. Treatment with {measure} 8 mg/L. "
    names = document_names(text * 3, f"Potency and {measure} of compounds", {"molecules": [measure]})
    assert code_key(measure) not in {code_key(name) for group in names.groups for name in group}


@pytest.mark.parametrize(
    "text",
    [
        "Clinical study protocol DQ-3102, version 1.0",
        "Study no.: DQ-3102",
        "| Study number | DQ-3102 |",
        "This is told in the CSR DQ-3102.",
        "The interaction studies DQ-2202 and DQ-3102 went on.",
        "| Study | Dose |\n|---|---|\n| DQ-3102 | 5 mg |",
    ],
)
def test_what_documents_introduce_as_a_study_is_no_molecule_in_any_document(text: str) -> None:
    bare = record("In DQ-3102 volunteers were well. Completion of DQ-3102 in patients is planned.")
    assert [molecule.name for molecule in build_registry([bare])] == ["DQ-3102"]
    assert build_registry([bare, studied(f"This is it.\n\n{text}\n\nIt went on.")]) == []


def studied(text: str) -> DocumentRecord:
    names = document_names(text)
    return replace(record(text), doc_id="S", studies=names.studies)


def test_bare_numbers_of_a_series_of_studies_are_studies() -> None:
    bare = record("Completion of DQ-3104 in patients is planned.")
    several = studied("We ran study DQ-3101. We ran study DQ-3102.")
    assert build_registry([bare, several]) == []
    assert [molecule.name for molecule in build_registry([bare, studied("We ran study DQ-3101.")])] == [
        "DQ-3104"
    ]


def test_the_last_part_of_a_code_alone_names_it_where_one_code_ends_so() -> None:
    known = [Molecule("Qz 21-0533", ("21-0533",)), Molecule("Qz 44-1108")]
    (resolution,) = resolve("how long was 0533 given to dogs?", known)
    assert [molecule.name for molecule in resolution.candidates] == ["Qz 21-0533"]
    assert resolve("what happened in 2033?", known) == ()
    (both,) = resolve("what of 0533?", [*known, Molecule("Qz 19-0533")])
    assert len(both.candidates) == 2


def test_the_letters_of_a_code_before_another_number_are_not_the_one_code_known() -> None:
    known = [Molecule("QRH 70-81n")]
    assert resolve("why was QRH 66-22e stopped?", known) == ()
    (resolution,) = resolve("why was QRH stopped?", known)
    assert [molecule.name for molecule in resolution.candidates] == ["QRH 70-81n"]


def test_what_a_molecule_was_combined_with_is_not_the_molecule_of_a_title() -> None:
    title = "Phase I study of QX-1001 in combination with drostatin"
    text = "Patients received 5 mg of QX-1001 with drostatin."
    assert document_names(text, title).groups == (("QX-1001",),)
    text = "Patients took 10 mg of drostatin."
    assert document_names(text, "Study of kTx.107 in combination with drostatin in patients").groups == ()
    assert document_names("Patients took it.", "Study of surgery combined with drostatin").groups == (
        ("drostatin",),
    )


def test_the_number_of_a_corrective_action_is_no_molecule() -> None:
    assert registry("CAPA 24-003: tables will be exported. Due date of CAPA 24-003: May.") == {}


def test_a_drug_that_one_document_calls_a_study_stays_a_molecule() -> None:
    dosed = [replace(record("Rats received 5 mg of WQX-4480."), doc_id=str(i)) for i in range(4)]
    assert [molecule.name for molecule in build_registry([*dosed, studied("We ran study WQX-4480.")])] == [
        "WQX-4480"
    ]
    given = studied("In this study WQX-4480 was administered to rats. They took 5 mg of WQX-4480.")
    assert given.studies == ()


@pytest.mark.parametrize("question", ["NOAEL of 12-345?", "12-345 in dogs", "what is known about 12-345"])
def test_a_question_may_name_a_code_by_its_number_alone(question: str) -> None:
    (resolution,) = resolve(question, [Molecule("VKT 12-345"), Molecule("VKT 12-346")])
    assert [molecule.name for molecule in resolution.candidates] == ["VKT 12-345"]


def test_a_table_of_names_tells_which_are_one_molecule() -> None:
    sheet = (
        "| Company code | INN (proposed) | Former code | Target |\n|---|---|---|---|\n"
        "| ZB-2107 | lorafetib | QRX-875 (Lumen Labs, to March 2019) | KRN4 |\n"
        "| ZB-2190 | vensolat | none | KRN4 |\n"
        "| ZB-2201 | unknown | - | KRN4 |\n| ZB-2202 | unknown | - | KRN5 |\n"
    )
    found = registry(sheet)
    assert found["ZB-2107"] == {"QRX-875", "lorafetib"}
    assert found["ZB-2190"] == {"vensolat"}
    assert not any("unknown" in names for names in found.values())


def test_a_table_of_names_vouches_for_codes_in_any_shape() -> None:
    sheet = (
        "| Code now | Former codes | INN |\n|---|---|---|\n"
        "| WLX/5582 | BV-23d (until May 2025) | lorafungin |\n| ORK.siQ9 | OR-B4 | vensociclan |\n"
        "| 71-4418 | GES-14 | tarvasudil |\n| Q/94 | hOW-18C5 | none |\n"
    )
    found = build_registry([record(sheet)])
    assert {one.name: set(one.aliases) for one in found} == {
        "WLX/5582": {"BV-23d", "lorafungin"},
        "ORK.siQ9": {"OR-B4", "vensociclan"},
        "71-4418": {"GES-14", "tarvasudil"},
        "Q/94": {"hOW-18C5"},
    }
    text = "Rats got 71-4418, then orK.siQ9; Q/94 and WLX/5582-X were not given, nor 171-4418 nor lorafungin."
    assert [name for _, _, name in mentions(text, found)] == ["71-4418", "ORK.siQ9", "Q/94", "WLX/5582"]
    [resolution] = resolve("hERG IC50 of wlx/5582?", found)
    assert [one.name for one in resolution.candidates] == ["WLX/5582"]


def test_a_directory_vouches_for_codes_that_have_no_other_name() -> None:
    sheet = (
        "| Code | INN | Mechanism |\n|---|---|---|\n| BW7.otd-03 | none | gene therapy |\n"
        "| 77LDH-4 | - | degrader |\n| H_2S-8 | (applied for) | antibody |\n| none yet | none | - |\n"
    )
    alone = "| Compound | Target |\n|---|---|\n| BY-JHG-8 | KRN4 |\n"

    assert set(registry(sheet)) == {"BW7.otd-03", "77LDH-4", "H_2S-8"}
    assert registry(alone) == {}
    for title in ("Compound directory", "Register of molecules 2022-03", "Our portfolio of drugs"):
        assert {names[0] for names in document_names(alone, title).groups} == {"BY-JHG-8"}
    assert document_names(alone, "Register of deviations").groups == ()
    found = build_registry([record(sheet)])
    assert [name for _, _, name in mentions("Pigs got h_2s-8, then 77LDH-4.", found)] == ["H_2S-8", "77LDH-4"]


@pytest.mark.parametrize("score", ["EASI-75", "ACR20", "ACR-50", "PASI 90", "SRI-4", "DAS28", "EDSS-6"])
def test_scores_of_clinical_trials_are_no_molecules(score: str) -> None:
    text = f"The primary endpoint was {score} at week 12. {score} was reached by 13 patients given 15 mg."
    assert registry(f"# Effect of {score}\n\n{text}") == {}


def test_a_register_of_studies_names_no_molecules_in_odd_shapes() -> None:
    register = "| Study code | Former code |\n|---|---|\n| W7/101 | W.101 |\n| W7/102 | W.102 |\n"
    assert registry(register) == {}


def test_a_table_of_assays_names_nothing() -> None:
    table = "| Compound | Reference |\n|---|---|\n| ZB-2107 | QRX-875 |\n"
    assert "QRX-875" not in registry(table).get("ZB-2107", set())


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Competitors, GDH18 conjugates", "GDH18 is found on gut. Two competing GDH18 conjugates are ahead."),
        (
            "Phosphorylation",
            "Cells were treated with S60 mutants (corresponding to S178, as activity of T90 was).",
        ),
        (
            "Burden as a Key Concept for Care",
            "The effects of the concept in patients were seen with treatment.",
        ),
        ("A Phosphopeptide in Human Cells", "The phosphopeptide was given at 5 mg."),
        ("Treatment of Hodgkin Lymphoma", "Hodgkin lymphoma was treated."),
    ],
)
def test_genes_sites_and_words_of_science_are_no_molecules(title: str, text: str) -> None:
    assert document_names(text, title).groups == ()


def test_a_short_code_that_is_dosed_is_a_molecule_though_genes_look_alike() -> None:
    assert document_names("Men took 5 mg of GDX18. GDX18 was well tolerated.").groups == (("GDX18",),)


def test_a_brand_in_capitals_with_its_dose_is_no_code() -> None:
    text = "Patients on VEXORL 400 mg twice daily improved; VEXORL 400 mg was safe, as was BQX 1400."

    assert set(registry(text)) <= {"BQX-1400", "BQX 1400"}


@pytest.mark.parametrize(
    "text",
    [
        "The gene encoding RPX65, a key protein, is mutated.",
    ],
)
def test_two_names_of_something_that_nobody_was_given_are_no_molecule(text: str) -> None:
    assert document_names(text, "A study of strains").groups == ()


def test_a_number_in_the_form_of_the_archives_reports_is_no_molecule() -> None:
    blank = DocumentRecord("A", "A.md", "", "md", "Ames")
    screened = replace(blank, doc_id="S", names=(("QZ-5521",), ("QZ-GT-005",)))
    filed = replace(blank, study_id="QZ-TOX-014")
    other = replace(blank, doc_id="O", names=(("QZ-IM-0012",), ("AB-GT-005",)))
    assert [one.name for one in build_registry([screened])] == ["QZ-5521", "QZ-GT-005"]
    assert [one.name for one in build_registry([screened, filed])] == ["QZ-5521"]
    assert [one.name for one in build_registry([other, filed])] == ["AB-GT-005", "QZ-IM-0012"]
    named = replace(filed, doc_id="QZ-TOX-014 Ames", study_id="")
    assert [one.name for one in build_registry([screened, named])] == ["QZ-5521"]
