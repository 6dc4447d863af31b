"""A model files facts anew: what it moves, sets aside and proposes, and what it cannot do."""

import json

import pytest

from agents.databases.facts import Fact, Topic
from agents.databases.openfda import BOXED
from agents.databases.sider import SHARED_REACTION
from agents.reports.gate import gated
from agents.reports.values import PROPOSED, Origin, Table
from agents.safety.filing import Filed, Filing, Study, filed, listed
from agents.safety.kind import KIND
from agents.safety.material import Material
from agents.safety.order import Direction, Modality
from agents.safety.sections.wish import Wish
from agents.safety.synthesis.agenda import agenda
from agents.safety.synthesis.conclusion import main_risks
from agents.safety.synthesis.key_risks import key_risks
from agents.safety.synthesis.questions import questions
from agents.safety.synthesis.risk_section import risk_section
from agents.safety.synthesis.risk_table import best
from agents.safety.synthesis.wording import NO_EVIDENCE, SET_ASIDE, render_findings
from agents.safety.values import Risk, Severity, Strength, TableDraft
from agents.scripted import Call, ScriptedModel
from tests.agents.safety.kit import assessed, fact, tools
from tests.agents.safety.test_key_risks import disease, material, warned
from tests.agents.safety.test_minds import model, shortens, writes

BLEEDING = warned("Vitreous blood")
DIABETES = warned("Diabetes mellitus")
BOX = warned("Liver failure", BOXED)
CLOTS = fact(Topic.FUNCTION, "ZORB1 takes part in negative regulation of fibrinolysis.", "fibrin clot")


def number(of: Material, one: Fact) -> int:
    return next(place for place, each in enumerate(listed(of)) if each.fact == one)


def risk(of: Material, endpoint: str) -> Risk:
    return next(one for one in of.risks if one.endpoint == endpoint)


def test_a_finding_moves_with_its_strength_and_one_is_set_aside_with_the_reason() -> None:
    before = material(BLEEDING, DIABETES)
    assert risk(before, "ocular").strength is Strength.MODERATE
    eye, sugar = number(before, BLEEDING), number(before, DIABETES)
    said = Filing(
        facts=[
            Filed(fact=eye, endpoints=["hematotoxicity"]),
            Filed(fact=sugar, why="the disease that is treated"),
            Filed(fact=99, endpoints=["renal"]),
        ]
    )
    after = filed(before, said, "Reader")
    assert not risk(after, "ocular").findings
    assert risk(after, "hematotoxicity").strength is Strength.MODERATE
    assert risk(after, "hematotoxicity").direction == Direction.INHIBITION
    assert "blood" in risk(after, "hematotoxicity").findings[0].systems
    assert not any(one.cited.fact == DIABETES for one in after.findings)
    assert [one.term for one in key_risks(after)] == ["Vitreous blood"]
    apart = next(
        one
        for one in risk_section(after, Wish()).blocks
        if isinstance(one, TableDraft) and one.title.startswith("Told apart")
    )
    assert [cell.text for cell in apart.rows[0]] == [
        "Set aside by Reader: the disease that is treated",
        "Diabetes mellitus",
    ]


def test_nothing_is_set_aside_without_a_reason_nor_a_boxed_warning_at_all() -> None:
    before = material(BOX, DIABETES)
    said = [Filed(fact=number(before, BOX), why="rare"), Filed(fact=number(before, DIABETES))]
    assert filed(before, Filing(facts=said), "Reader").findings == before.findings


def test_a_mechanism_that_names_the_hazard_gets_its_endpoint_and_stays_weak() -> None:
    before = material(CLOTS)
    said = Filed(fact=number(before, CLOTS), endpoints=["hematotoxicity", "magic"], under="inhibition")
    found = risk(filed(before, Filing(facts=[said]), "Reader"), "hematotoxicity")
    assert (found.strength, found.direction) == (Strength.WEAK, "inhibition")


def test_the_study_that_fits_takes_the_place_of_the_rules_study() -> None:
    before = material(BLEEDING)
    study = Study(
        endpoint="ocular", study="Ophthalmoscopy under ICH S6(R1) and S9; readout: PD-1 and bleeding."
    )
    steps = list(agenda(filed(before, Filing(studies=[study]), "Reader")))
    assert {one.study for one in steps} == {study.study}
    assert study.study not in {one.study for one in agenda(before)}


def says(call: Call) -> str:
    return json.dumps(
        {
            "facts": [{"fact": one, "why": "the aim of treatment"} for one in range(30)],
            "studies": [
                {
                    "endpoint": "cardiovascular",
                    "severity": 4,
                    "study": "Telemetry in the dog, ICH S6(R1) and S9; readout: CD34.",
                }
            ],
        }
    )


async def test_the_report_is_made_of_what_the_model_filed() -> None:
    asked = ScriptedModel({"write": writes, "compress": shortens, "judge": says})
    shown = KIND.report(await assessed("ZORB1", tools(model=asked)))
    (call,) = (one for one in asked.calls if one.role == "judge")
    assert "\n1 | " in call.user
    assert "the aim of treatment" in str(shown)
    table = next(one for one in shown.section("questions").blocks if isinstance(one, Table))
    assert table.origin == Origin(PROPOSED, "scripted")
    assert "Telemetry in the dog, ICH S6(R1) and S9; readout: CD34." in str(gated(shown).section("questions"))


async def test_where_the_model_fails_the_rules_filing_stands_and_a_note_says_so() -> None:
    failed = KIND.report(await assessed("ZORB1", tools(model=model())))
    assert "the aim of treatment" not in str(failed)
    assert any("filing" in note for note in failed.notes)


def test_the_facts_that_a_reader_wants_first_are_told_first() -> None:
    many = [warned(word) for word in ("Cataract", "Glaucoma", "Keratitis", "Uveitis")]
    before = material(*many)
    told = [one.cited.fact for one in best(risk(before, "ocular"), Direction.INHIBITION, 4)]
    last = number(before, told[-1])
    lead = Study(endpoint="ocular", study="Ophthalmoscopy.", facts=[last, 99])
    after = filed(before, Filing(studies=[lead]), "Reader")
    assert best(risk(after, "ocular"), Direction.INHIBITION, 1)[0].cited.fact == told[-1]


def test_a_weak_row_tells_all_that_a_reader_wants_first_in_the_order_given_each_event_once() -> None:
    events = [
        warned(word, SHARED_REACTION, value=0.04, shared=True)
        for word in ("Skin exfoliation", "Exfoliation of skin", "Dermatitis", "Toxic epidermal necrolysis")
    ]
    before = material(*events)
    wanted = [number(before, events[one]) for one in (3, 1, 0)]
    said = Filing(
        facts=[Filed(fact=wanted[0], endpoints=["skin"], under="inhibition")],
        studies=[Study(endpoint="skin", study=STUDY, facts=wanted)],
    )
    after = filed(before, said, "Reader")
    (table,) = [
        one
        for one in risk_section(after, Wish()).blocks
        if isinstance(one, TableDraft) and one.title == "Endpoints"
    ]
    (row,) = [row for row in table.rows if row[0].text.startswith("Skin")]
    assert row[3].text.startswith("weak")
    assert row[5].text == "Toxic epidermal necrolysis (clinical); Exfoliation of skin (clinical)"


def test_what_is_set_aside_is_told_in_its_row_and_in_full_where_a_label_warns() -> None:
    words = ("Hepatic failure", "Liver injury", "Hepatitis", "Jaundice")
    before = material(*map(warned, words))
    said = [Filed(fact=number(before, one), why="of the molecule") for one in map(warned, words)]
    tables = {
        one.title: {row[0].text: row for row in one.rows}
        for one in risk_section(filed(before, Filing(facts=said), "Reader"), Wish()).blocks
        if isinstance(one, TableDraft)
    }
    assert tables["Endpoints"]["Hepatotoxicity"][3].text == SET_ASIDE
    assert tables["Endpoints"]["Tumours"][3].text == NO_EVIDENCE
    (row,) = tables["Told apart: no toxicity of an organ"].values()
    assert set(row[1].text.split("; ")) == set(words)


def test_strong_evidence_leads_and_the_target_leads_what_other_targets_may_bring() -> None:
    before = material(
        warned("Ventricular fibrillation", BOXED, shared=True), DIABETES, warned("Nephritis", BOXED)
    )
    graver = Study(endpoint="cardiovascular", severity=Severity.LIFE_THREATENING, study=STUDY)
    after = filed(before, Filing(studies=[graver]), "Reader")
    assert [one.endpoint for one in main_risks(after)] == ["renal", "metabolic", "cardiovascular"]


@pytest.mark.parametrize(
    "study",
    [
        "Ophthalmoscopy of the rat.",
        "Telemetry; in an earlier trial 77 patients died of arrhythmia.",
        "Ophthalmoscopy, since 12 of 40 dogs died.",
        "Ophthalmoscopy, since the drug lowered pressure of the eye by 30% in dogs.",
    ],
)
def test_a_study_that_tells_a_finding_or_is_a_stump_is_left_out(study: str) -> None:
    before = material(BLEEDING)
    after = filed(before, Filing(studies=[Study(endpoint="ocular", study=study)]), "Reader")
    assert (after.studies, after.studies_by) == ((), "")


STUDY = "Slit lamp and electroretinogram in the rabbit within the repeated-dose study (ICH M3)."


def test_a_reader_tells_how_grave_a_harm_is_whatever_the_evidence() -> None:
    before = material(BLEEDING, DIABETES)
    said = [Study(endpoint="metabolic", severity=Severity.SERIOUS, study=STUDY)]
    said += [Study(endpoint="ocular", severity=Severity.MILD, study=STUDY)]
    after = filed(before, Filing(studies=said), "Reader")
    assert [risk(after, one).severity.told for one in ("metabolic", "ocular")] == ["serious", "mild"]
    assert [risk(after, one).strength for one in ("metabolic", "ocular")] == [Strength.MODERATE] * 2
    assert [one.endpoint for one in main_risks(after)] == ["metabolic", "ocular"]


def rows_of(whole: Material) -> dict[str, str]:
    """The proposed study of each open question."""
    (table,) = [one for one in questions(whole, Wish()).blocks if isinstance(one, TableDraft)]
    return {row[0].text: row[2].text for row in table.rows}


def test_a_concern_with_weak_evidence_or_none_gets_its_own_row() -> None:
    before = material(CLOTS, warned("Convulsion", change="activation"))
    concerns = [Study(endpoint=one, study=STUDY) for one in ("ocular", "hematotoxicity", "neurological")]
    told = rows_of(filed(before, Filing(studies=concerns), "Reader"))
    assert told["Ocular toxicity: no evidence found"] == STUDY
    assert not any(one.startswith("Neurological") for one in told)  # of the other change of the target
    (left,) = [one for one in told if one.startswith("Is there a risk")]
    assert "ocular" not in left


def test_what_a_reader_moves_or_sets_aside_stands_nowhere_else() -> None:
    shock, gasp = (
        warned(one, SHARED_REACTION, value=0.0001) for one in ("Anaphylactic shock", "Allergic reaction")
    )
    before = material(shock, gasp)
    assert len(before.apart.molecule) == 2
    said = [Filed(fact=number(before, shock), endpoints=["immune"])]
    said += [Filed(fact=number(before, gasp), why="of one molecule")]
    after = filed(before, Filing(facts=said), "Reader")
    assert after.apart.rows() == after.apart.rows()[:1]
    assert [one.fact.term for _, facts in after.apart.rows() for one in facts] == ["Allergic reaction"]
    assert risk(after, "immune").strength is Strength.MODERATE


def test_a_syndrome_says_in_each_row_what_it_does_there() -> None:
    syndrome = disease("Zorb syndrome", change="loss")
    before = material(syndrome)
    place = number(before, syndrome)
    parts = {"ocular": "cataract", "metabolic": "diabetes"}
    said = [Filed(fact=place, endpoints=[one], part=part) for one, part in parts.items()]
    after = filed(before, Filing(facts=said), "Reader")
    for one, part in parts.items():
        told = f"Zorb syndrome: {part}, which no source here tells (human genetics)"
        assert render_findings(risk(after, one).findings) == told


def test_a_tissue_that_rules_left_out_is_not_shown_and_cannot_be_filed() -> None:
    levels = (("Liver", 90.0), ("Brain", 2.0))
    tissues = [fact(Topic.EXPRESSION, f"{one}.", one, value=level, unit="TPM") for one, level in levels]
    shown = [one.fact.term for one in listed(material(*tissues, modality=Modality.CELL_THERAPY))]
    assert shown == ["Liver"]
