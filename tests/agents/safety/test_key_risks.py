"""What medicines that do the asked thing bring comes first, and what only looks like a hazard does not."""

import re
from typing import Any, cast

import pytest

from agents.databases.drugcentral import WITHDRAWN
from agents.databases.facts import Fact, Topic
from agents.databases.gene2phenotype import LISTING
from agents.databases.openfda import COMMON_REACTION, COURSE
from agents.databases.sider import EVERYWHERE, SHARED_REACTION
from agents.safety.charts import chart_of
from agents.safety.material import Material, material_of
from agents.safety.order import Direction, Modality, SafetyOrder
from agents.safety.outline import BY_ID
from agents.safety.sections.wish import Wish
from agents.safety.synthesis.agenda import agenda
from agents.safety.synthesis.apart import with_mechanisms
from agents.safety.synthesis.conclusion import (
    UNAPPROVED,
    Verdict,
    concluded,
    one_sided,
    unread_line,
    used_line,
    verdict_of,
)
from agents.safety.synthesis.experiments import EXCLUDED, OWN, general_study, study_for, watched_for
from agents.safety.synthesis.findings import CURATED
from agents.safety.synthesis.key_risks import KeyRisk, key_lines, key_risks, key_words
from agents.safety.synthesis.risk_table import COLUMNS, EXPECTED, NO_EFFECT, OTHER_WAY
from agents.safety.synthesis.summary import NO_MEDICINE, summary
from agents.safety.synthesis.systems import systems_line
from agents.safety.synthesis.wording import clipped, short_title
from agents.safety.values import CitedFact, Collected, Strength, TableDraft, Words
from agents.safety.writer import drafted
from tests.agents.safety.kit import ZORB1, fact


def warned(term: str, measure: str = "label warning", drug: str = "zorbatinib", **more: Any) -> Fact:
    more = {"change": "inhibition", **more}
    return fact(Topic.ADVERSE_EVENT, f"{drug}: {measure} of {term}.", term, id=drug, measure=measure, **more)


def material(*facts: Fact, area: str = "", modality: Modality | None = None) -> Material:
    cited = tuple(CitedFact(one, f"E{place}", "any", "Any") for place, one in enumerate(facts))
    order = SafetyOrder("ZORB1", modality, Direction.INHIBITION, area)
    return material_of(order, ZORB1, [Collected("any", "Any", cited, topics=tuple(Topic))])


def test_whether_a_key_risk_goes_away_is_told_behind_the_key_risks_where_a_label_says_so() -> None:
    says = "Of rash the US label of zorbatinib, an inhibitor of ZORB1, says: “It was reversible”."
    course = fact(Topic.ADVERSE_EVENT, says, id="zorbatinib", measure=COURSE, change="inhibition")
    opposite = fact(Topic.ADVERSE_EVENT, "Of itch …", id="zorbon", measure=COURSE, change="activation")
    whole = material(warned("rash"), course, opposite)
    _, told = key_lines(whole, key_risks(whole), Wish())
    assert told.text == f"Whether it goes away: {says}"
    assert verdict_of(material(course)) is not Verdict.CONDITIONS


def test_a_long_name_is_cut_between_words_since_half_a_word_stands_in_no_source() -> None:
    assert clipped("Hypoglycemia with Concomitant Use with Insulin and Insulin Secretagogues").endswith(
        "Insulin…"
    )


def monitored(of: Material) -> str:
    return next(one for one in drafted(BY_ID["summary"], of).remarks if one.startswith("To be monitored"))


USED = fact(
    Topic.DRUG, "Zorbatinib is an inhibitor of ZORB1.", "Zorbatinib", change="inhibition", measure="drug"
)
HARMLESS = warned("itch", "common adverse reaction")


def test_no_go_where_a_box_stands_that_was_not_read() -> None:
    assert verdict_of(material(HARMLESS)) is Verdict.GO
    unread = fact(Topic.DRUG, "Zorbatinib: boxed warning of the FDA.", measure="warning")
    whole = material(HARMLESS, unread)
    assert verdict_of(whole) is Verdict.CONDITIONS
    (line,) = key_lines(whole, (), Wish())
    assert line.text == "To be read first: Zorbatinib: boxed warning of the FDA."
    other = unread.model_copy(update={"change": "activation"})
    assert verdict_of(material(HARMLESS, other)) is Verdict.GO


def test_no_go_where_a_medicine_that_does_this_has_a_box_or_its_harm_was_not_read() -> None:
    assert verdict_of(material(HARMLESS, warned("quivering", "boxed warning"))) is Verdict.CONDITIONS
    assert verdict_of(material(USED)) is Verdict.OPEN
    assert "(Zorbatinib) was not read" in one_sided(material(USED))
    carriers = fact(Topic.DISEASE, "ZORB1 and nothing.", "quivering", change="loss")
    for one in (carriers, disease("Cardiomyopathy", change="loss")):  # what was read is not of patients
        assert verdict_of(material(one, USED)) is Verdict.OPEN


def test_a_disease_from_loss_is_told_of_its_organ_or_of_the_whole_body_and_ends_provisional() -> None:
    """A syndrome without an organ in its name fills a row; without patients nothing is final."""
    for name, endpoint in (("Werner syndrome", "systemic"), ("Sclerosteosis", "musculoskeletal")):
        whole = material(disease(name, change="loss"))
        (rated,) = [one for one in whole.risks if one.findings]
        assert (rated.endpoint, rated.strength, rated.direction) == (
            endpoint,
            Strength.MODERATE,
            "inhibition",
        )
        assert concluded(whole) == "go with conditions (provisional)"
        (text,) = [one.text for one in summary(whole, Wish()).blocks if "names no medicine" in str(one)]
        assert text == NO_MEDICINE
    assert not [one for one in material(disease("Werner syndrome")).risks if one.findings]
    assert concluded(material(warned("Cardiomyopathy"))) == "go with conditions"


def test_the_strongest_clinical_evidence_leads_in_its_own_words_with_or_without_an_organ() -> None:
    whole = material(
        warned("Nausea", "common adverse reaction"),
        warned("Rash", "curated safety liability"),
        warned("Dry eye", drug="multizorb", shared=True),
        warned("Withdrawal phenomena"),
        warned("Bleeding", drug="zorbaban"),
        warned("serious bleeding"),
        warned("Malignancies and relapses"),
        warned("malignancies", "boxed warning"),
        warned("Bradycardia", change="activation"),
    )
    keys = key_risks(whole)
    terms = [one.term for one in keys]
    assert terms == ["malignancies", "Bleeding", "Withdrawal phenomena", "Rash", "Dry eye"]
    assert key_words(keys) == ("boxed warnings or withdrawals of medicines that do this: malignancies",)
    box, labels, reviews = key_lines(whole, keys, Wish())
    told = "Bleeding; Withdrawal phenomena; Dry eye"
    assert labels.text == f"Warnings in labels of medicines that do this: {told}."
    assert set(labels.keys) == {"E2", "E3", "E4", "E5"}
    assert reviews.text == "Reviews of target safety: Rash."
    assert box.quotes == ("zorbatinib: boxed warning of malignancies.",)


def test_warnings_of_medicines_that_act_on_other_proteins_too_stand_after_what_medicines_share() -> None:
    shared = warned("Torsade de pointes", SHARED_REACTION, "dozorbide")
    whole = material(warned("Fits", drug="multizorb", shared=True), shared)
    assert [one.term for one in key_risks(whole)] == ["Torsade de pointes", "Fits"]
    first, last = key_lines(whole, key_risks(whole), Wish())
    assert ("Torsade" in first.text, "Fits" in last.text) == (True, True)


def test_medicines_that_all_act_on_other_proteins_too_are_marked_once() -> None:
    whole = material(*(warned(one, shared=True) for one in ("Fits", "Faints")))
    (line,) = key_lines(whole, key_risks(whole), Wish())
    assert line.text.endswith("that do this (these act on other proteins too): Fits; Faints.")


def test_a_warning_on_a_combination_is_no_effect_of_the_target() -> None:
    whole = material(warned("Hemorrhage", "label warning on a combination"))
    assert not key_risks(whole)
    assert not whole.findings


def disease(term: str, **more: Any) -> Fact:
    return fact(Topic.DISEASE, f"ZORB1 and {term} {more}.", term, **more)


def test_a_disease_takes_the_mechanism_that_another_source_states_by_id_or_name() -> None:
    stated = disease("Zorb heart syndrome", change="gain", id="MONDO:1")
    for other in (disease("zorb heart  syndrome"), disease("cardiomyopathy of Zorb", id="MONDO:1")):
        whole = material(other, stated)
        assert [one.fact.change for one in whole.apart.opposite] == ["gain", "gain"]
        assert not whole.findings
    read = disease("Zorb heart syndrome", change="loss", assumed=True)
    assert all(not one.fact.assumed for one in material(read, stated).of(Topic.DISEASE))
    both = material(disease("cardiomyopathy"), disease("Cardiomyopathy", change="gain"))
    assert len(both.apart.opposite) == 2
    alone = material(disease("Cardiomyopathy, dominant"))
    assert {one.direction for one in alone.risks if one.findings} == {""}


def test_the_disease_that_is_treated_is_no_hazard_and_an_obsolete_name_counts_once() -> None:
    facts = (
        disease("hereditary zorbin (AZOR) cardiomyopathy"),
        disease("obsolete hereditary AZOR cardiomyopathy"),
        disease("non-cardiomyopathic arrhythmia"),
    )
    open_area = material(*facts)
    assert [one.cited.fact.term for one in open_area.findings] == [facts[0].term, facts[2].term]
    assert not material(disease("hypertension"), area="hypercholesterolaemia").apart.treated
    assert material(disease("Epileptic seizures"), area="epilepsy in children").apart.treated
    assert not material(warned("cardiomyopathy"), area="cardiomyopathy").apart.treated
    treated = material(*facts, area="cardiomyopathy in adults")
    assert [one.fact.term for one in treated.apart.treated] == [facts[0].term]
    assert [one.cited.fact.term for one in treated.findings] == [facts[2].term]


def experiment(term: str) -> str:
    whole = material(warned(term))
    (key,) = key_risks(whole)
    return study_for(next(iter(key.findings(whole)), None), whole.order)


def test_the_study_fits_the_organ_and_no_word_of_the_risk_changes_it() -> None:
    blood, brain, heart = map(experiment, ("Thrombocytopenia", "Dizziness", "Bradycardia"))
    assert "platelet function" in blood
    assert "ICH S7A" in brain
    assert "ICH S7B" in heart
    assert experiment("Pulmonary haemorrhage") != experiment("Severe exacerbation of angina") != heart
    assert "channels" not in experiment("Oedema peripheral") + experiment("Hypotension")
    assert "arteries" in experiment("Vasculitis")
    assert "plethysmography" not in experiment("Pneumonitis")
    assert "suicidal" in experiment("Depression")
    assert "urine and swabs" in experiment("Genital Mycotic Infections")
    assert "(ICH S5)" in experiment("Embryofetal Toxicity")
    assert "electroencephalogram" in experiment("Withdrawal seizures")
    assert "plethysmography" in experiment("Respiratory depression")
    assert "with a sedative" in experiment("Sedation")
    assert "after an injury" in experiment("Cerebral haemorrhage") == experiment("Menorrhagia")
    assert "breaking load" in experiment("Osteosclerosis") != experiment("Rhabdomyolysis")
    whole = material(warned("Bleeding"), warned("Bladder Cancer"))
    watched = [watched_for(next(iter(one.findings(whole)), None)) for one in key_risks(whole)]
    assert watched == [
        "signs of bleeding, haemoglobin and clotting tests",
        "new tumours, with examination of the skin and screening as fits the age",
    ]


def plan(area: str, modality: Modality = Modality.SMALL_MOLECULE, *facts: Fact) -> str:
    draft = drafted(BY_ID["questions"], material(*facts, area=area, modality=modality))
    return " ".join(one.text for one in draft.blocks if isinstance(one, Words))


def test_the_programme_follows_population_use_and_kind_of_medicine() -> None:
    assert "(ICH S11)" in plan("epilepsy in children")
    women = plan("psoriasis in women of childbearing age")
    assert "contraception and pregnancy tests" in women
    assert "(ICH S11)" not in women
    assert "(ICH S1)" in women
    assert "(ICH S10)" in women
    assert "(ICH S1)" not in plan("lung cancer")
    assert "enhanced study" in plan("psoriasis", Modality.ANTIBODY)
    assert "enhanced study" not in plan("lung cancer", Modality.ANTIBODY)
    oligonucleotide = plan("hypertension", Modality.OLIGONUCLEOTIDE)
    assert all(one in oligonucleotide for one in ("ICH M3", "ICH S2", "ICH S5", "recovery"))
    assert "abuse liability" not in women
    assert "abuse liability" in plan("pain", Modality.SMALL_MOLECULE, warned("Sedation"))
    mild = warned("headache", "common adverse reaction")
    assert "abuse liability" not in plan("pain", Modality.SMALL_MOLECULE, mild)


def test_the_plan_asks_for_the_medicines_that_were_not_read_and_else_for_the_direction() -> None:
    def asked(*facts: Fact) -> list[str]:
        (table,) = (
            one for one in drafted(BY_ID["questions"], material(*facts)).blocks if isinstance(one, TableDraft)
        )
        return [row[0].text for row in table.rows if row[0].text.startswith("What d")]

    other = warned("Fits", change="activation")
    assert not asked(other)
    (medicines,) = asked(other, USED)
    assert medicines.startswith("What did patients have")
    assert any(row.startswith("Is there a risk at the endpoints") for row in rows_of(material(other)))
    (none,) = drafted(BY_ID["risks"], material(other)).remarks
    assert none.startswith("No evidence of inhibition found: ")
    assert "neurological" in none  # what is held is of the other direction


def test_what_is_watched_follows_the_effect_of_the_best_finding() -> None:
    line = monitored(material(disease("Hypocalcemia", change="loss")))
    assert line == "To be monitored: serum sodium, potassium, calcium, phosphate and magnesium."


def test_great_apes_are_no_test_species() -> None:
    alike = [
        fact(
            Topic.HOMOLOGY,
            f"{name}: {value}%.",
            "ZORB1",
            species=name,
            value=value,
            unit="%",
            measure="identity",
        )
        for name, value in (("chimpanzee", 99.0), ("macaque", 96.0))
    ]
    (table,) = (
        one for one in drafted(BY_ID["species"], material(*alike)).blocks if isinstance(one, TableDraft)
    )
    assert [row[0].text for row in table.rows] == ["macaque"]


def test_what_a_medicine_is_given_for_and_what_a_molecule_brings_are_no_risks_of_the_target() -> None:
    whole = material(warned("Anaphylaxis", "boxed warning"), warned("decreased pain"), warned("Tachycardia"))
    assert not material(warned("increased/decreased convulsions")).apart.wanted
    assert [one.term for one in key_risks(whole)] == ["Tachycardia"]
    assert [one.fact.term for one in whole.apart.molecule] == ["Anaphylaxis"]
    assert [one.fact.term for one in whole.apart.wanted] == ["decreased pain"]
    assert {one.cited.fact.term for one in whole.findings} == {"Tachycardia"}
    *_, molecule = key_lines(whole, key_risks(whole), Wish())
    assert molecule.text.startswith("Of the molecule")
    assert verdict_of(material(warned("Anaphylaxis", "boxed warning"))) is Verdict.CONDITIONS


def test_a_disease_of_unknown_direction_is_weak_where_a_direction_is_asked_and_decides_nothing() -> None:
    whole = material(disease("Cardiomyopathy"), USED)
    assert max(one.strength for one in whole.risks) is Strength.WEAK
    assert verdict_of(whole) is Verdict.OPEN
    assert max(one.strength for one in material(disease("Cardiomyopathy", change="loss")).risks) == 2


def test_reactions_that_medicines_share_count_by_themselves_or_with_other_lines() -> None:
    for chance, strength in ((0.001, Strength.MODERATE), (0.02, Strength.WEAK)):
        shared = warned("Bradycardia", SHARED_REACTION, value=chance)
        assert max(one.strength for one in material(shared).risks) is strength
    assert [one.term for one in key_risks(material(shared))] == ["Bradycardia"]


def test_medicines_in_use_are_named_and_withdrawn_ones_are_none() -> None:
    gone = USED.model_copy(update={"term": "Zorbagone", "measure": "withdrawn drug", "text": "It was."})
    assert used_line(material(gone)) == " Withdrawn somewhere, for a reason that is not at hand: Zorbagone."
    shared = USED.model_copy(update={"shared": True})
    told = used_line(material(shared, gone))
    assert told.startswith(f" {UNAPPROVED}: Zorbatinib, though")


def test_risks_of_the_same_findings_stand_in_one_line() -> None:
    draft = drafted(BY_ID["summary"], material(disease("Eosinophilia with autoinflammation", change="loss")))
    assert sum("Eosinophilia" in one.text for one in draft.claims) == 1


def test_where_no_medicine_is_known_the_sources_that_would_name_one_are_told() -> None:
    for facts, told in (((), True), ((USED,), False)):
        known = fact(Topic.FUNCTION, "ZORB1 is a kinase.")
        draft = drafted(BY_ID["summary"], material(known, disease("Cardiomyopathy"), *facts))
        assert any(one.text == NO_MEDICINE for one in draft.blocks if isinstance(one, Words)) is told


def test_where_no_direction_was_asked_for_the_conclusion_says_that_both_are_weighed() -> None:
    cited = CitedFact(warned("Bradycardia"), "E1", "any", "Any")
    collected = [Collected("any", "Any", (cited,), topics=tuple(Topic))]
    whole = material_of(SafetyOrder("ZORB1"), ZORB1, collected)
    told = [one.text for one in drafted(BY_ID["summary"], whole).blocks if isinstance(one, Words)]
    says = "for inhibition or activation of the target (both are weighed, since none was asked for): "
    assert any(says in one for one in told)


def test_the_line_of_organ_systems_cites_what_comes_of_the_asked_change() -> None:
    agonist = warned("Tachycardia", change="activation")
    whole = material(agonist, warned("Bradycardia"), warned("Liver failure"))
    line = systems_line(whole.findings, Direction.INHIBITION)
    assert line is not None
    assert line.claims[0].keys == ("E1", "E2")
    assert line.claims[0].text.endswith("cardiovascular and hepatic.")
    assert systems_line(material(agonist).findings, Direction.INHIBITION) is None


def test_people_whose_gene_is_changed_as_the_medicine_does_stand_in_the_summary_and_are_not_treated() -> None:
    lost = disease("Zorbosis", change="loss", assumed=True)
    doubled = disease("Zorbosis, recessive", change="loss", assumed=True)
    gained = disease("Attacks of fever", change="gain")
    whole = material(lost, doubled, gained, warned("fits"), area="zorbosis")
    (people,) = [one for one in drafted(BY_ID["summary"], whole).claims if "Zorbosis" in one.text]
    told = "moderate evidence, expected with inhibition (read as loss): Zorbosis (human genetics)"
    assert people.text.startswith(f"Whole body: {told}")
    assert [one.fact.term for one in whole.apart.opposite] == ["Attacks of fever"]
    assert whole.apart.treated == ()


def test_what_hpo_lists_of_a_disease_that_experts_judged_is_told_once() -> None:
    judged = CitedFact(disease("zorb dystrophy", change="loss"), "E1", "any", "Any")
    listed = CitedFact(disease("Zorb dystrophy 28", change="loss", assumed=True), "E2", LISTING, "HPO")
    other = CitedFact(disease("Deafness", change="loss", assumed=True), "E3", LISTING, "HPO")
    assert with_mechanisms((judged, listed, other)) == (judged, other)


def rows_of(whole: Material) -> list[str]:
    tables = [one for one in drafted(BY_ID["questions"], whole).blocks if isinstance(one, TableDraft)]
    return [" ".join(cell.text for cell in row) for one in tables for row in one.rows]


def test_what_kills_at_once_is_watched_first_and_each_rated_endpoint_before_any_second_item() -> None:
    labels = ("Rash", "Angioedema", "Suicidal thoughts", "Hypocalcemia", "Bladder cancer", "Bleeding", "Fits")
    whole = material(
        *(warned(one, shared=True) for one in labels),
        warned("Thyroid function test abnormal", SHARED_REACTION, value=0.001),
        *(warned("Atrioventricular block", drug=drug) for drug in ("zorbatinib", "zorbaban")),
        warned("Creatinine increased"),
    )
    rated = ("Cardiovascular", "Renal", "Endocrine")
    first = rows_of(whole)[: len(rated)]
    assert first[0].startswith("Cardiovascular toxicity")
    assert "electrocardiogram" in first[0]
    assert {row.split()[0] for row in first} == set(rated)
    advice = monitored(whole)
    told = advice.removeprefix("To be monitored: ").split("; ")
    assert told[:2] == [
        "mood, behaviour and suicidal thoughts",
        "signs of bleeding, haemoglobin and clotting tests",
    ]
    assert told[2].startswith("blood pressure, heart rate and electrocardiogram")
    assert "creatinine" in told[3]
    assert told[4] == "hormones of the axis concerned."


def test_key_risks_are_ordered_by_gravity_and_what_any_trial_sees_never_leads() -> None:
    shared = (
        warned(term, SHARED_REACTION, value=chance)
        for term, chance in (("Fatigue", 0.0001), ("Gout", 0.0002), ("Cardiac failure", 0.004))
    )
    assert [one.term for one in key_risks(material(*shared))] == ["Cardiac failure", "Gout", "Fatigue"]


@pytest.mark.parametrize("modality", Modality)
def test_no_study_cites_a_guideline_that_leaves_the_kind_of_medicine_out(modality: Modality) -> None:
    terms = ("Infections", "Fits", "Bradycardia", "Asthma", "Fetal harm", "Pregnancy loss", "Bladder cancer")
    warnings = (*(warned(one) for one in terms), warned("Immune-mediated hepatitis"), warned("Neutropenia"))
    whole = material(*warnings, area="lung cancer in children", modality=modality)
    steps = list(agenda(whole))
    said = [plan("lung cancer in children", modality, *warnings), *rows_of(whole)]
    assert len(steps) > len(terms)
    for guideline in EXCLUDED[modality]:
        assert not [one for one in said if re.search(rf"\b{guideline}\b", one)]


def test_a_study_that_cites_such_a_guideline_gives_way_to_the_general_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(cast("dict[str, str]", OWN["antibody"]), "immune")
    whole = material(warned("Infections"), modality=Modality.ANTIBODY)
    assert "ICH S8" in next(agenda(material(warned("Infections")))).study
    assert next(agenda(whole)).study == general_study(whole.order)


def test_a_class_of_mouse_phenotypes_is_told_as_none_and_no_finding() -> None:
    mouse = fact(Topic.PHENOTYPE, "Mice.", "liver/biliary system phenotype", species="mouse", change="loss")
    whole = material(mouse, warned("Convulsion", change="activation"))
    table, *_ = drafted(BY_ID["risks"], whole).blocks
    assert isinstance(table, TableDraft)
    cells = {row[0].text: (row[3].text, row[5].text, row[5].keys) for row in table.rows}
    assert cells["Hepatotoxicity"] == ("weak (animals)", NO_EFFECT, ("E0",))
    assert cells["Neurological / CNS / neurodevelopmental toxicity"][0] == OTHER_WAY
    assert not drafted(BY_ID["species"], whole).blocks
    others = [mouse.model_copy(update={"text": f"{one}.", "term": f"{one} phenotype"}) for one in "abcdef"]
    assert not drafted(BY_ID["phenotypes"], material(*others)).blocks


def findings_of_row(whole: Material, title: str) -> str:
    table, *_ = drafted(BY_ID["risks"], whole).blocks
    assert isinstance(table, TableDraft)
    (row,) = (row for row in table.rows if row[0].text == title)
    return row[5].text


def test_a_row_tells_one_of_each_effect_and_clinical_harm_before_what_any_trial_sees() -> None:
    shared = (
        warned(term, SHARED_REACTION, value=chance)
        for term, chance in (
            ("Headache", 0.0001),
            ("Agitation", 0.001),
            ("Nervousness", 0.002),
            ("Irritability", 0.003),
            ("Somnolence", 0.03),
        )
    )
    told = findings_of_row(material(*shared), "Neurological / CNS / neurodevelopmental toxicity")
    assert told == "Agitation (clinical); Somnolence (clinical); Nervousness (clinical)"


def test_what_any_trial_sees_is_weak_and_has_no_row_of_the_plan() -> None:
    whole = material(warned("Upper respiratory tract infection", SHARED_REACTION, value=0.0001))
    assert max(one.strength for one in whole.risks) is Strength.WEAK
    assert not any(row.startswith("Upper") for row in rows_of(whole))
    assert max(one.strength for one in material(warned("Sepsis")).risks) is Strength.MODERATE


def test_what_reviews_tell_of_both_changes_is_weak_and_comes_last() -> None:
    listed = (
        ("vasodilation in microvessels", "inhibition"),
        ("hypertension", "inhibition"),
        ("vasodilation", "activation"),
    )
    facts = (warned(term, "curated safety liability", change=change) for term, change in listed)
    whole = material(*facts)
    assert [one.term for one in key_risks(whole)] == ["hypertension", "vasodilation in microvessels"]
    assert [one.fact.term for one in whole.apart.contested] == ["vasodilation in microvessels"]
    told = findings_of_row(whole, "Cardiovascular toxicity")
    assert told == "hypertension (review); vasodilation in microvessels (review)"


def test_the_sign_of_a_process_that_is_harm_by_itself_tells_with_which_change_it_comes() -> None:
    for sign, way in (("positive", "activation"), ("negative", "inhibition")):
        term = f"{sign} regulation of interleukin-5 production"
        risks = material(fact(Topic.FUNCTION, f"{term}.", term)).risks
        (risk,) = (one for one in risks if one.findings and one.endpoint == "inflammatory")
        assert risk.direction == way


def test_killed_cells_are_no_loss_of_the_gene() -> None:
    lost = disease("Cardiomyopathy", change="loss")
    for modality, direction in ((Modality.CELL_THERAPY, ""), (Modality.ANTIBODY, "inhibition")):
        whole = material(lost, warned("Fits"), modality=modality)
        assert [one.direction for one in whole.risks if one.endpoint == "cardiovascular"] == [direction]
    (first, *_) = drafted(BY_ID["summary"], material(lost, modality=Modality.CELL_THERAPY)).blocks
    assert isinstance(first, Words)
    assert "which kills the cells that show it" in first.text


def test_medicines_of_whose_harm_something_was_read_are_named_first() -> None:
    known = [USED.model_copy(update={"term": term, "text": f"{term}."}) for term in ("Abzorb", "Zorbatinib")]
    assert "as far as was read: Zorbatinib." in used_line(material(warned("Fits"), *known))
    assert used_line(material(*known)).startswith(f" {UNAPPROVED}: Abzorb and Zorbatinib.")


def test_a_medicine_of_another_or_an_untold_action_is_named_where_none_does_this() -> None:
    binder = fact(Topic.DRUG, "Zorbumab binds ZORB1.", "Zorbumab", measure="drug")
    known = fact(Topic.FUNCTION, "ZORB1 is a kinase.")
    told = drafted(BY_ID["summary"], material(binder, known)).blocks
    assert any("in one not told: Zorbumab." in one.text for one in told if isinstance(one, Words))


def test_what_people_lost_of_the_gene_is_told_for_inhibition() -> None:
    lost = fact(Topic.CONSTRAINT, "gnomAD holds 118 variants where 90.2 are expected.", value=1.3)
    whole = material(lost)
    assert any(one.text == lost.text for one in drafted(BY_ID["summary"], whole).claims)
    assert one_sided(whole) == ""


def test_what_is_of_the_other_direction_is_told_late() -> None:
    whole = material(warned("Fits", change="activation"), warned("Bradycardia"))
    assert [one.fact.term for one in whole.of(Topic.ADVERSE_EVENT)] == ["Bradycardia", "Fits"]


def test_organ_systems_stand_by_their_strength_which_the_table_of_endpoints_alone_tells() -> None:
    term = "dopamine receptor signaling pathway"
    signal = fact(Topic.FUNCTION, f"{term}.", term)
    line = systems_line(material(signal, warned("Liver failure")).findings, Direction.INHIBITION)
    assert line is not None
    assert line.claims[0].text.startswith("Organ systems to look at: hepatic, ")
    assert not any(word in line.claims[0].text for word in ("weak", "moderate", "inferred"))


@pytest.mark.parametrize(
    ("term", "endpoints"),
    [
        ("Deep vein thrombosis", ["hematotoxicity"]),
        ("Pulmonary embolism", ["hematotoxicity"]),
        ("Body temperature increased", ["inflammatory"]),
        ("Arthritis", ["musculoskeletal"]),
        ("Drug eruption", ["skin"]),
        ("Infection", ["immune"]),
        ("Gastrointestinal pain", ["gastrointestinal"]),
        ("Face oedema", ["skin"]),
        ("oligoamnios", ["pregnancy"]),
        ("increased/decreased urine excretion", []),
    ],
)
def test_an_event_speaks_for_the_endpoint_that_a_reader_expects(term: str, endpoints: list[str]) -> None:
    assert [one.endpoint for one in material(warned(term)).findings] == endpoints


def test_pathways_of_the_genome_speak_for_tumours_and_those_of_a_cancer_do_not() -> None:
    for term, endpoints in (("base excision repair", ["tumour"]), ("Signaling by NOTCH1 in Cancer", [])):
        told = material(fact(Topic.PATHWAY, f"{term}.", term)).findings
        assert [one.endpoint for one in told] == endpoints


@pytest.mark.parametrize(
    ("term", "area"),
    [
        ("Coronary heart disease", "atherosclerotic cardiovascular disease"),
        ("Asthma and hay fever", "asthma"),
        ("decreased blood pressure", "hypertension"),
    ],
)
def test_a_trait_that_is_the_indication_is_no_hazard(term: str, area: str) -> None:
    trait = fact(Topic.ASSOCIATION, f"{term}.", term)
    if area == "hypertension":
        trait = warned(term, "curated safety liability")
    assert [one.fact.term for one in material(trait, area=area).apart.treated] == [term]


def test_the_two_systems_with_most_evidence_are_always_listed() -> None:
    seen = [fact(Topic.ASSOCIATION, f"{one}.", one) for one in ("Liver disease", "Kidney disease", "Asthma")]
    line = systems_line(material(*seen).findings, Direction.INHIBITION)
    assert line is not None
    assert line.claims[0].text.endswith("renal and hepatic.")


def test_a_system_of_which_a_label_warns_is_listed_however_weak() -> None:
    others = [
        fact(Topic.ASSOCIATION, f"{one}.", one) for one in ("Kidney disease", "Kidney stones", "Asthma")
    ]
    line = systems_line(
        material(*others, warned("Hepatotoxicity", shared=True)).findings, Direction.INHIBITION
    )
    assert line is not None
    assert "hepatic" in line.claims[0].text
    many = [fact(Topic.ASSOCIATION, f"{one}.", one) for one in ("Asthma", "Bronchitis", "Kidney disease")]
    weak = material(*many, *others, warned("Hepatotoxicity", "common adverse reaction", shared=True))
    line = systems_line(weak.findings, Direction.INHIBITION)
    assert line is not None
    assert "hepatic" not in line.claims[0].text


def test_paralogues_are_no_test_species() -> None:
    relative = fact(Topic.HOMOLOGY, "ZORB2: 60%.", "ZORB2", value=60.0, unit="%", measure="relative")
    assert any(row.startswith("In which test species") for row in rows_of(material(relative)))


def test_the_study_fits_the_kind_of_medicine() -> None:
    def study(term: str, modality: Modality, area: str = "") -> str:
        whole = material(warned(term), modality=modality, area=area)
        (step,) = (one for one in agenda(whole) if isinstance(one.about, KeyRisk))
        return step.study

    assert "cytokines released" in study("Cytokine Release Syndrome", Modality.ANTIBODY)
    assert "postnatal" in study("Fetal harm", Modality.ANTIBODY)
    assert "postnatal" not in study("Fetal harm", Modality.ANTIBODY, "lung cancer")  # ICH S9
    assert "rodent and a monkey" in study("Thrombocytopenia", Modality.OLIGONUCLEOTIDE)
    assert "tocilizumab" in study("Cytokine Release Syndrome", Modality.CELL_THERAPY)
    assert "sites of insertion" in study("T cell malignancies", Modality.CELL_THERAPY)


def test_a_conclusion_is_provisional_until_the_labels_of_medicines_that_do_this_are_read() -> None:
    read = warned("quivering", "boxed warning").model_copy(
        update={
            "text": "The US label of Zorbatinib, an inhibitor of ZORB1, has a boxed warning of quivering."
        }
    )
    gone = USED.model_copy(update={"term": "Zorbagone", "measure": "withdrawn drug", "text": "It was."})
    assert concluded(material(read, USED)) == "go with conditions"
    for facts, verdict in (((read, USED, gone), Verdict.CONDITIONS), ((read, gone), Verdict.STOP)):
        whole = material(*facts)  # where nothing is in use any more, it stops
        assert concluded(whole) == f"{verdict} (provisional)"
        assert unread_line(whole) == "full labels not read: Zorbagone"


def test_where_no_label_was_read_what_a_molecule_brings_decides_nothing() -> None:
    whole = material(warned("Anaphylaxis", SHARED_REACTION, value=0.001), USED)
    assert concluded(whole) == "no decision yet"
    assert unread_line(whole) == "full labels not read: Zorbatinib"


def test_what_comes_of_the_place_a_medicine_is_given_to_is_no_effect_of_the_target() -> None:
    local = warned("Retinal detachment", "boxed warning", local=True)
    whole = material(local, area="colorectal cancer")
    assert not whole.findings
    assert not key_risks(whole)
    assert [one.fact.term for one in whole.apart.route] == ["Retinal detachment"]
    assert verdict_of(whole) is Verdict.OPEN
    assert material(local, area="macular degeneration of the eye").findings
    shared = warned("Paronychia", SHARED_REACTION, shared=True)  # of a small molecule on several proteins
    assert not key_risks(material(shared, modality=Modality.ANTIBODY))
    assert key_risks(material(shared, modality=Modality.SMALL_MOLECULE))


def test_what_patients_have_anyway_and_what_a_medicine_is_to_do_are_no_risks_of_it() -> None:
    for term, measure, area in (
        ("Cerebrovascular accident", SHARED_REACTION, "hypertension"),
        ("increased weight loss", "curated safety liability", "obesity"),
    ):
        fact = warned(term, measure, value=0.001)
        assert key_risks(material(fact))
        whole = material(fact, area=area)
        assert not key_risks(whole)
        assert not whole.findings
        assert [one.fact.term for one in whole.apart.treated] == [term]
    assert key_risks(material(warned("arrhythmia", "curated safety liability"), area="arrhythmia"))
    assert key_risks(material(warned("Stroke"), area="hypertension"))


def test_one_study_for_several_organs_is_told_once() -> None:
    risks = (warned("Fetal harm", drug=drug) for drug in ("zorbatinib", "zorbaban"))
    lost = (warned("Stillbirth", drug=drug) for drug in ("zorbatinib", "zorbaban"))
    told = rows_of(material(*risks, *lost, modality=Modality.GENE_THERAPY))
    assert sum(OWN["gene therapy"]["every"] in one for one in told) == 1
    assert sum("with this organ examined too" in one for one in told) > 0


def test_what_is_wanted_or_of_a_molecule_with_the_other_direction_is_not_told() -> None:
    assert not material(warned("decreased pain", change="activation")).apart.wanted
    agonist = material(warned("Anaphylaxis", change="activation"), HARMLESS)
    assert not agonist.apart.molecule
    assert material(warned("Anaphylaxis")).apart.molecule


def test_mice_of_the_other_change_do_not_speak_for_a_row() -> None:
    mouse = fact(Topic.PHENOTYPE, "Mice without it: bradycardia.", "bradycardia", change="activation")
    for change, told in (("activation", "clinical"), ("inhibition", "clinical, animals")):
        table = rows(material(warned("Bradycardia"), mouse.model_copy(update={"change": change})))
        assert table["Cardiovascular toxicity"][2].endswith(f" ({told})")


def test_a_sentence_of_a_label_stands_whole_in_the_summary_and_not_in_the_short_answer() -> None:
    said = "Severe bradycardia has been reported after abrupt cessation."
    whole = material(warned(said), warned("Asthma"))
    (line,) = key_lines(whole, key_risks(whole), Wish())
    assert said.removesuffix(".") in line.text
    assert ".." not in line.text
    assert key_words(key_risks(whole)) == ("warnings in labels of medicines that do this: Asthma",)
    other = material(warned("Zorbatinib may cause high glucose"), warned("Withdrawal of Zorbatinib"))
    assert key_words(key_risks(other)) == ()
    assert [one.fact.term for one in other.apart.stopping] == ["Withdrawal of Zorbatinib"]


def test_the_chart_shows_what_the_table_rates() -> None:
    other, own = warned("Asthma", change="activation"), warned("Bradycardia")
    given = material(other, own)
    chart = chart_of(given.order, given.risks)
    assert chart is not None
    assert [one.fact.term for one in chart.facts] == ["Bradycardia"]
    assert "Pulmonary" not in chart.light.text


@pytest.mark.parametrize(
    ("term", "endpoint"),
    [
        ("Urinary retention", "urinary"),
        ("Conjunctival haemorrhage", "hematotoxicity"),
        ("Eye pain", "ocular"),
        ("Retinal oedema", "ocular"),
        ("Patent ductus arteriosus", "reproductive"),
        ("fetal and neonatal morbidity and death", "pregnancy"),
        ("Oligohydramnios", "pregnancy"),
        ("Immune-mediated endocrinopathies", "endocrine"),
        ("Febrile neutropenia", "hematotoxicity"),
        ("Herpes zoster", "immune"),
        ("Serotonin syndrome", "neurological"),
    ],
)
def test_whole_terms_go_to_their_organ(term: str, endpoint: str) -> None:
    assert endpoint in {one.endpoint for one in material(warned(term)).findings}
    if endpoint in ("", "ocular", "reproductive"):
        assert len(material(warned(term)).findings) == 1


def test_a_reaction_of_most_drugs_leads_nothing() -> None:
    for measure, told in ((EVERYWHERE, []), (SHARED_REACTION, ["Bradycardia"])):
        one = warned("Bradycardia", measure, value=0.001)
        assert [risk.term for risk in key_risks(material(one))] == told


def test_the_own_disease_stands_in_its_row_though_its_direction_is_unknown() -> None:
    whole = material(warned("Bradycardia", "boxed warning"), disease("sick sinus syndrome 2"))
    draft = drafted(BY_ID["risks"], whole)
    table = next(one for one in draft.blocks if isinstance(one, TableDraft))
    assert any("sick sinus syndrome 2" in row[-1].text for row in table.rows)


def test_disease_support_and_aim_of_other_medicines_are_no_risks_in_their_area() -> None:
    terms = ("Neutropenic colitis", "Candida infection", "Hyponatraemia")
    told = [warned(one, SHARED_REACTION) for one in terms]
    whole = material(*told, area="chemotherapy-induced nausea")
    assert [one.fact.term for one in whole.apart.treated] == list(terms[:2])
    assert not material(*told, area="major depression").apart.treated
    common = warned("rhinitis", COMMON_REACTION)
    assert material(common, area="cystic fibrosis").apart.treated
    assert not material(common).apart.treated
    aims = material(warned("anti-inflammatory activities", CURATED), warned("Infusion site thrombosis"))
    assert [one.fact.term for one in (*aims.apart.wanted, *aims.apart.molecule)] == [
        "anti-inflammatory activities",
        "Infusion site thrombosis",
    ]
    assert not key_risks(aims)


def test_a_withdrawal_asks_for_its_reason_and_cells_for_no_test_species() -> None:
    gone = fact(Topic.DRUG, "Zorbatinib was withdrawn.", "Zorbatinib", change="inhibition", measure=WITHDRAWN)
    asked = rows_of(material(gone))
    assert any(one.startswith("Why withdrawn: Zorbatinib?") for one in asked)
    assert any("test species" in one for one in asked)
    cells = rows_of(material(gone, modality=Modality.CELL_THERAPY))
    assert not any("test species" in one for one in cells)


def test_no_more_than_five_things_are_watched() -> None:
    harms = (
        "Liver failure",
        "Bradycardia",
        "Seizures",
        "Kidney failure",
        "Cataract",
        "Pneumonitis",
        "Anaemia",
    )
    line = monitored(material(*map(warned, harms)))
    assert line.count(";") == 4


def expected(*terms: str, topic: Topic = Topic.FUNCTION, modality: Modality | None = None) -> Material:
    return material(*(fact(topic, f"{term}.", term) for term in terms), modality=modality)


def mechanism(whole: Material) -> str:
    """The sentence of the summary on what the mechanism leads to; "" without one."""
    every = [one.text for one in drafted(BY_ID["summary"], whole).claims if one.text.startswith(EXPECTED)]
    return every[0] if every else ""


@pytest.mark.parametrize(
    ("terms", "line"),
    [
        (
            ("negative regulation of hemostasis", "Formation of Fibrin Clot"),
            "thrombosis: negative regulation of hemostasis.",
        ),
        (("positive regulation of coagulation",), "bleeding: positive regulation of coagulation."),
        (("Formation of Fibrin Clot",), "bleeding: Formation of Fibrin Clot."),
        (("Metabolism of Angiotensinogen to Angiotensins",), "kidney failure with high potassium: "),
        (("Metabolism of Angiotensinogen to Angiotensins",), "; low blood pressure: "),
    ],
)
def test_what_a_process_leads_to_is_said_with_its_direction_and_studied(
    terms: tuple[str, ...], line: str
) -> None:
    whole = expected(*terms)
    assert line in mechanism(whole)
    harm = line.strip("; ").split(":")[0]
    (row,) = (one for one in rows_of(whole) if f": {harm}: " in one)
    assert "readout" in row
    assert {one.direction for one in whole.risks if one.endpoint == "hematotoxicity"} <= {"", "inhibition"}


def test_a_regulation_without_sign_and_an_answer_of_cells_lead_to_no_harm() -> None:
    assert not mechanism(expected("regulation of blood coagulation", "response to cortisol"))
    assert expected("response to steroid hormone").findings == ()


def test_killed_cells_lead_to_their_loss_and_other_medicines_do_not() -> None:
    cells = Modality.CELL_THERAPY
    assert "loss of T cells with infections" in mechanism(expected("T cell activation", modality=cells))
    told = mechanism(expected("Whole Blood", topic=Topic.EXPRESSION, modality=cells))
    assert "low counts of the blood cells that show it" in told
    assert not mechanism(expected("Whole Blood", topic=Topic.EXPRESSION))
    spleen = mechanism(expected("Spleen", topic=Topic.EXPRESSION, modality=cells))
    assert "low immunoglobulins and infections" in spleen
    assert "release of cytokines, of the kind of medicine" in spleen
    assert "neurotoxicity of immune cells, of the kind of medicine" in spleen
    assert "low counts" not in spleen
    menopause = fact(Topic.ASSOCIATION, "Menopause.", "Menopause (age at onset)", species="human")
    assert material(menopause, modality=cells).findings == ()
    mice = fact(Topic.PHENOTYPE, "Cataracts in mice.", "cataracts", change="loss", species="mouse")
    assert material(mice, modality=cells).findings == ()


def test_each_endpoint_that_is_not_rated_is_named_and_asked_for_once() -> None:
    mice = fact(Topic.PHENOTYPE, "Mice.", "renal/urinary system phenotype", species="mouse", change="loss")
    whole = material(mice)
    weak, none = drafted(BY_ID["risks"], whole).remarks
    assert weak == "No more than weak evidence of inhibition: renal toxicity."
    assert all(short_title(one.endpoint) in weak + none for one in whole.risks)
    (table,) = (one for one in drafted(BY_ID["questions"], whole).blocks if isinstance(one, TableDraft))
    assert [row[2].text for row in table.rows].count(general_study(whole.order)) == 1


def test_mice_that_die_at_an_age_that_is_not_told_speak_for_the_unborn_too() -> None:
    dead = fact(
        Topic.PHENOTYPE, "Mice show mortality/aging.", "mortality/aging", change="loss", species="mouse"
    )
    assert [one.endpoint for one in material(dead).findings] == ["reproductive"]


@pytest.mark.parametrize(
    ("term", "endpoint", "system"),
    [
        ("Cerebral haemorrhage", "hematotoxicity neurological", "cardiovascular"),
        ("Haematuria", "hematotoxicity", "renal"),
        ("Menorrhagia", "hematotoxicity", "reproductive"),
        ("Rectal haemorrhage", "hematotoxicity", "gastrointestinal"),
        ("Biliary colic", "gastrointestinal", "hepatic"),
        ("Ureteral spasm", "urinary", "renal"),
    ],
)
def test_an_event_stands_in_the_row_of_its_common_name_alone_and_keeps_its_organ(
    term: str, endpoint: str, system: str
) -> None:
    findings = material(warned(term)).findings
    assert {one.endpoint for one in findings} - {""} == set(endpoint.split())
    assert system in {each for one in findings for each in one.systems}


def test_what_kills_at_once_leads_a_row_and_what_comes_of_ending_a_medicine_has_none() -> None:
    terms = ("thrombotic events after premature discontinuation", "Anaemia", "Bleeding")
    whole = material(*(warned(one, "boxed warning") for one in terms))
    (blood,) = [one for one in whole.risks if one.endpoint == "hematotoxicity"]
    assert [one.cited.fact.term for one in blood.findings] == ["Bleeding", "Anaemia"]
    assert [one.fact.term for one in whole.apart.stopping] == [terms[0]]
    assert terms[0] in [one.term for one in key_risks(whole)]
    advice = monitored(whole)
    assert advice.startswith("To be monitored: signs of bleeding")


def test_an_antibody_that_frees_t_cells_is_studied_and_watched_for_autoimmune_disease() -> None:
    whole = material(warned("Immune-mediated adverse reactions", "boxed warning"), modality=Modality.ANTIBODY)
    (step, *_) = agenda(whole)
    assert "human T cells" in step.study
    assert step.watch.startswith("signs of autoimmune disease: thyroid hormones")


def test_all_reactions_stand_in_the_table_of_clinical_safety() -> None:
    whole = material(*(warned(f"Harm {place}") for place in range(15)))
    tables = [one for one in drafted(BY_ID["clinical"], whole).blocks if isinstance(one, TableDraft)]
    assert max(len(one.rows) for one in tables) == 15


def rows(whole: Material) -> dict[str, list[str]]:
    """The cells of the table of endpoints behind the name of each."""
    tables = [one for one in drafted(BY_ID["risks"], whole).blocks if isinstance(one, TableDraft)]
    rows = (row for one in tables if one.columns == COLUMNS for row in one.rows)
    return {row[0].text: [cell.text for cell in row[1:]] for row in rows}


def test_severity_stands_beside_strength_and_leads_the_order_of_table_and_ratings() -> None:
    whole = material(warned("Rash"), warned("Nail disorder"), warned("Cardiac arrest"), warned("Sepsis"))
    table = rows(whole)
    assert list(table)[:3] == [
        "Cardiovascular toxicity",
        "Immune dysfunction",
        "Skin and subcutaneous tissue disorders",
    ]
    assert [cells[0] for cells in table.values()][:3] == ["serious", "serious", ""]
    told = (
        "cardiovascular toxicity (serious, moderate evidence); immune dysfunction (serious, moderate "
        "evidence); skin and subcutaneous tissue disorders (moderate evidence)"
    )
    assert f"Rated in the table of endpoints: {told}." in [
        one.text for one in summary(whole, Wish()).blocks if isinstance(one, Words)
    ]


def test_an_organ_without_evidence_names_the_row_where_its_events_stand() -> None:
    table = rows(material(warned("Menorrhagia"), warned("Eye haemorrhage"), warned("Muscle rigidity")))
    blood = "see hematotoxicity (marrow, blood cells, clotting)"
    assert table["Ocular toxicity"] == ["", "", blood, "", "Eye haemorrhage (clinical)"]
    assert table["Reproductive / developmental toxicity"][2] == blood
    assert table["Muscle and bone"][2].startswith("see neurological")
    assert table["Hepatotoxicity"][2] == "no evidence found"
    other = rows(material(warned("Eye haemorrhage", change="activation"), warned("Sepsis")))
    assert other["Ocular toxicity"][2] == "no evidence found"


def test_rna_rates_no_endpoint_but_for_a_cell_therapy() -> None:
    gland = fact(Topic.EXPRESSION, "It is in pituitary.", "Pituitary", value=9.0, unit="TPM")
    whole = material(gland)
    assert not any(one.findings for one in whole.risks)
    assert [one.fact.term for one in whole.apart.expressed] == ["Pituitary"]
    cells = material(gland, modality=Modality.CELL_THERAPY)
    assert [one.endpoint for one in cells.risks if one.findings] == ["endocrine"]


def test_what_a_molecule_brings_by_being_foreign_has_no_row() -> None:
    whole = material(warned("Anaphylactic shock", SHARED_REACTION, value=0.0001))
    assert [one.fact.term for one in whole.apart.molecule] == ["Anaphylactic shock"]
    assert not any(one.findings for one in whole.risks)
