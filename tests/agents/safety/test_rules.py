"""The rules one by one: wishes, contradictions, strength, charts."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from agents.databases.facts import Fact, Response, Topic
from agents.databases.target import Found
from agents.reports.values import Figure, Paragraph
from agents.safety.charts import Chart, chart_of
from agents.safety.conflicts import conflicts_of
from agents.safety.coverage import grouped, without_evidence
from agents.safety.endpoints import vocabulary
from agents.safety.endpoints.mapping import effects_of
from agents.safety.endpoints.values import Endpoint
from agents.safety.kind import KIND
from agents.safety.material import Material, material_of
from agents.safety.order import Direction, Modality, SafetyOrder
from agents.safety.outline import BY_ID, SECTIONS
from agents.safety.pipeline import with_picture
from agents.safety.sections.tables import MORE, tables_of, value_of
from agents.safety.sections.wish import chosen, read_wish
from agents.safety.synthesis.apart import apart_from_risks
from agents.safety.synthesis.conclusion import one_sided
from agents.safety.synthesis.experiments import EXPERIMENTS, MONITORING, OWN, study_for
from agents.safety.synthesis.findings import findings_of
from agents.safety.synthesis.risk_table import best, risk_tables
from agents.safety.synthesis.risks import (
    ordered,
    relevant,
    risks_of,
    strength_of,
)
from agents.safety.synthesis.wording import expected, render_findings
from agents.safety.values import CitedFact, Collected, Picture, Risk, Strength, TableDraft, Words
from agents.safety.writer import drafted
from tests.agents.safety.kit import FACTS, SOURCES, ZORB1, assessed, fact, tools
from tests.support.drills import grid


def cited(name: str, place: int = 0) -> CitedFact:
    return CitedFact(FACTS[name][place], f"E{place}", name, SOURCES.get(name, name))


EVERY = [cited(name, place) for name, facts in FACTS.items() for place in range(len(facts))]


PLI = [cited("constraint")]


@pytest.fixture
def material() -> Material:
    return material_of(SafetyOrder("ZORB1"), ZORB1, [Collected("all", "all", tuple(EVERY))])


def test_a_wish_is_read_clause_by_clause() -> None:
    wish = read_wish("Only the heart and liver; leave out the skin.")
    assert wish.only
    assert wish.wants(cited("atlas", 0))
    assert not wish.wants(cited("atlas", 1))
    assert wish.refuses(cited("second_atlas", 0))
    assert read_wish("shorter, please").short
    assert read_wish("list every tissue").full
    assert read_wish("") == read_wish("make sure it is correct")


def test_each_thing_that_is_to_be_left_out_is(material: Material) -> None:
    """ "Zebrafish and mouse" are two: no finding would be of both."""
    for text in (
        "leave out zebrafish and mouse",
        "leave out zebrafish, mice and dogs; lead with the heart",
        "Please omit rats or mice data",
        "without rodents",
    ):
        wish = read_wish(text)
        assert wish.refuses(cited("mice", 0)), text
        assert not wish.refuses(cited("events", 0)), text
    assert read_wish("leave out zebrafish, mice and dogs").refuses(cited("alike", 1))
    kept = read_wish("leave out zebrafish and put the mouse first")
    assert kept.wants(cited("mice", 0))
    assert not kept.refuses(cited("mice", 0))


def test_what_is_asked_for_comes_first_and_what_is_asked_in_vain_changes_nothing() -> None:
    facts = [cited("atlas", place) for place in range(4)]
    assert chosen(facts, read_wish("put the liver first")).facts[0] is facts[2]
    vain = chosen(facts, read_wish("tell of the thymus"))
    assert vain.facts == tuple(facts)
    assert "Nothing that was found" in vain.remark


def test_sources_that_were_not_asked_for_one_reason_share_a_sentence() -> None:
    off = "was not asked: the network is not used."
    assert grouped([f"KEGG {off}", "MGI lists nothing.", f"ChEMBL {off}", f"openFDA {off}"]) == (
        "MGI lists nothing.",
        "KEGG, ChEMBL and openFDA were not asked: the network is not used.",
    )


def test_contradictions_need_two_sources() -> None:
    told = conflicts_of(EVERY)
    assert [(one.one.tool, one.other.tool) for one in told] == [("mice", "constraint")]
    assert conflicts_of([CitedFact(one.fact, one.key, one.tool, "same") for one in EVERY]) == ()


@pytest.mark.parametrize(
    ("names", "strength"),
    [
        ((), Strength.NONE),
        (("function",), Strength.WEAK),
        (("mice",), Strength.MODERATE),
        (("disease",), Strength.MODERATE),
        (("mice", "disease"), Strength.STRONG),
        (("events",), Strength.STRONG),
    ],
)
def test_strength_follows_from_independent_lines(names: tuple[str, ...], strength: Strength) -> None:
    facts = [one for one in EVERY if one.tool in names]
    heart = [one for one in findings_of(facts) if one.endpoint == "cardiovascular"]
    assert strength_of(heart) is strength


def test_a_class_of_phenotypes_is_weaker_than_a_phenotype() -> None:
    unspecific = fact(
        Topic.PHENOTYPE, "Mice show a cardiovascular system phenotype.", "cardiovascular system phenotype"
    )
    (finding, *_) = findings_of([CitedFact(unspecific, "E1", "mice", "mice")])
    assert finding.strength is Strength.WEAK


def risk(*facts: Fact, endpoint: str = "cardiovascular", direction: Direction | None = None) -> Risk:
    found = findings_of([CitedFact(one, f"E{place}", "any", "any") for place, one in enumerate(facts)])
    return next(one for one in risks_of(found, direction) if one.endpoint == endpoint)


QT = fact(Topic.DISEASE, "ClinVar ties ZORB1 to long QT syndrome.", "Long QT syndrome")
RHYTHM = fact(Topic.FUNCTION, "ZORB1 regulates heart rate.", "positive regulation of heart rate")
HEART = fact(Topic.EXPRESSION, "ZORB1 in heart 90 TPM.", "heart", value=90.0, unit="TPM")
MICE = fact(Topic.PHENOTYPE, "Mice show it.", "cardiovascular system phenotype", change="loss")
LIKELY = fact(Topic.DISEASE, "It.", "Coronary artery disease, susceptibility to, 3")
SEEN = fact(Topic.ASSOCIATION, "Variants go with heart rate.", "Heart rate")


def test_where_a_process_names_an_organ_nothing_is_inferred_from_its_signal() -> None:
    both = fact(Topic.FUNCTION, "It.", "positive regulation of heart rate by epinephrine-norepinephrine")
    assert risk(both).findings
    assert not risk(both, endpoint="neurological").findings


def test_a_susceptibility_is_a_weak_line() -> None:
    assert risk(LIKELY).strength is Strength.WEAK
    assert risk(QT).strength is Strength.MODERATE


def test_only_what_was_observed_tells_a_direction_and_both_is_said_only_of_findings_that_differ() -> None:
    gain = fact(Topic.DISEASE, "It.", "Atrial fibrillation", change="gain")
    loss = fact(Topic.DISEASE, "It.", "Brugada syndrome", change="loss")
    assert risk(QT, RHYTHM).direction == ""
    assert risk(MICE).direction == "inhibition"
    assert risk(QT, MICE).direction == ""  # a class of phenotypes does not tell the direction of a disease
    assert risk(gain, MICE).direction == "activation"
    assert risk(gain, loss).direction == "both"


def test_what_a_drug_of_the_other_direction_shows_does_not_count_for_the_asked_one() -> None:
    agonist = fact(Topic.ADVERSE_EVENT, "It.", "Tachycardia", change="activation", measure="boxed warning")
    mixed = risk(agonist, MICE, LIKELY, RHYTHM, direction=Direction.INHIBITION)
    assert (mixed.strength, mixed.direction) == (Strength.WEAK, "inhibition")
    assert relevant(mixed, Direction.INHIBITION)
    for way, strength in ((None, Strength.STRONG), (Direction.ACTIVATION, Strength.STRONG)):
        assert risk(agonist, MICE, RHYTHM, direction=way).strength is strength
    alone = risk(agonist, direction=Direction.INHIBITION)
    assert alone.strength is Strength.STRONG
    assert not relevant(alone, Direction.INHIBITION)


def test_a_direction_that_no_source_says_is_told_as_read() -> None:
    read = fact(Topic.PHENOTYPE, "Mice.", "cardiovascular system phenotype", change="loss", assumed=True)
    assert expected(risk(read)) == "expected with inhibition (read as loss)"
    assert expected(risk(MICE)) == "expected with inhibition"
    assert expected(risk(read, MICE)) == "expected with inhibition"


def test_harm_of_drugs_that_act_on_other_proteins_too_is_weak_until_two_other_lines_bear_it_out() -> None:
    one, other = (
        fact(Topic.ADVERSE_EVENT, f"{id_}.", "Cardiotoxicity", id=id_, measure="label warning", shared=True)
        for id_ in ("CHEMBL1", "CHEMBL2")
    )
    assert risk(one).strength is risk(one, one).strength is Strength.WEAK
    seen = fact(Topic.PHENOTYPE, "Mice.", "cardiovascular system phenotype", change="loss")
    assert (
        risk(one, other).strength is risk(one, seen).strength is risk(seen, RHYTHM).strength is Strength.WEAK
    )
    assert risk(one, seen, RHYTHM).strength is Strength.MODERATE
    assert risk(one.model_copy(update={"shared": False})).strength is Strength.MODERATE
    boxed = one.model_copy(update={"measure": "boxed warning"})
    assert risk(boxed).strength is Strength.MODERATE
    assert risk(boxed.model_copy(update={"shared": False})).strength is Strength.STRONG


def test_a_common_variant_is_no_more_than_weak_whatever_goes_with_it() -> None:
    assert risk(SEEN, RHYTHM, HEART, MICE).strength is Strength.WEAK


def test_a_common_reaction_and_a_process_are_no_moderate_evidence() -> None:
    reported = fact(Topic.ADVERSE_EVENT, "It.", "Tachycardia", measure="common adverse reaction")
    assert risk(reported, RHYTHM).strength is Strength.WEAK
    assert risk(reported, RHYTHM, HEART).strength is Strength.WEAK


def test_muscle_and_bone_and_tumours_are_endpoints_beside_the_15_of_the_paper() -> None:
    bone = fact(Topic.PHENOTYPE, "Mice.", "skeleton phenotype", change="loss")
    muscle = fact(Topic.ADVERSE_EVENT, "It.", "Rhabdomyolysis", measure="warning", change="inhibition")
    found = findings_of([CitedFact(muscle, "E1", "any", "any"), CitedFact(MICE, "E2", "any", "any")])
    cancer = fact(Topic.DISEASE, "It.", "Hepatocellular carcinoma", change="loss")
    found += findings_of([CitedFact(cancer, "E3", "any", "any")])
    *_, beyond, tumours, _, _ = risks = risks_of(found, Direction.INHIBITION)
    assert (beyond.endpoint, beyond.strength, len(beyond.findings)) == ("musculoskeletal", Strength.STRONG, 1)
    assert (tumours.endpoint, tumours.strength) == ("tumour", Strength.MODERATE)
    assert not risks[0].findings  # a tumour speaks for no organ that its name has
    assert ordered(risks, Direction.INHIBITION)[0] is beyond
    order = SafetyOrder("ZORB1", direction=Direction.INHIBITION)
    told = [CitedFact(one, "E1", "any", "any") for one in (muscle, bone)]
    whole = material_of(order, ZORB1, [Collected("any", "Any", tuple(told), topics=tuple(Topic))])
    drafts = {one.id: drafted(one, whole) for one in SECTIONS}  # no section stumbles over it
    assert "withdrawals of medicines that do this: Rhabdomyolysis" in drafts["summary"].claims[0].text
    assert any(
        "muscle and bone (serious, strong evidence)" in one.text
        for one in drafts["summary"].blocks
        if isinstance(one, Words)
    )
    assert study_for(whole.risks[-4].findings[0], order) == EXPERIMENTS["musculoskeletal"]


def test_how_people_respond_to_a_drug_and_what_they_resist_are_no_hazards() -> None:
    for name in (
        "Statins, attenuated cholesterol lowering by",
        "Beta-2-adrenoreceptor agonist, reduced response to",
        "Warfarin response",
        "Hypertension, diastolic, resistance to",
    ):
        assert effects_of(fact(Topic.DISEASE, "It.", name)) == ()
    assert effects_of(fact(Topic.DISEASE, "It.", "Insulin resistance syndrome, type A"))
    resists = CitedFact(fact(Topic.DISEASE, "It.", "Malaria, resistance to"), "E1", "any", "any")
    assert apart_from_risks(SafetyOrder("ZORB1"), [resists]).protective == (resists,)


def test_what_forms_an_organ_is_no_sign_of_how_it_works() -> None:
    gut = fact(Topic.PHENOTYPE, "Mice.", "digestive/alimentary phenotype", change="loss")
    forms = fact(Topic.FUNCTION, "It.", "digestive tract development")
    assert risk(gut, forms, endpoint="gastrointestinal").strength is Strength.WEAK


def test_words_that_name_another_thing_than_they_seem_to() -> None:
    assert risk(fact(Topic.DISEASE, "It.", "Partial albinism"), endpoint="skin").findings
    assert not risk(fact(Topic.DISEASE, "It.", "Partial albinism"), endpoint="ocular").findings
    assert effects_of(fact(Topic.FUNCTION, "It.", "positive regulation of lipid kinase activity")) == ()
    limb = fact(Topic.ADVERSE_EVENT, "It.", "pain in extremity", measure="warning")
    assert not risk(limb, endpoint="neurological").findings


def test_where_no_tissue_shows_expression_there_is_no_table_and_tissues_stand_by_their_level() -> None:
    def levels(*values: float) -> list[CitedFact]:
        facts = [fact(Topic.EXPRESSION, "It.", f"organ {v}", value=v, unit="TPM") for v in values]
        return [CitedFact(one, "E1", "atlas", "atlas") for one in facts]

    assert list(tables_of(Topic.EXPRESSION, levels(0.1, 0.2))) == []
    [table, cut] = tables_of(Topic.EXPRESSION, levels(3.0, 9.0, 5.0), rows=2)
    assert isinstance(table, TableDraft)
    assert [row[0].text for row in table.rows] == ["organ 9.0", "organ 5.0"]
    assert cut == Words(MORE)


def test_a_chart_stands_behind_what_opens_its_section() -> None:
    table, chart = TableDraft("T", ("A",), ()), Picture(Figure("T", "0" * 64, "image/png", "It."))
    assert with_picture((table, Words("x")), chart) == (table, chart, Words("x"))
    assert with_picture((Words("x"),), chart) == (chart, Words("x"))


def test_medicines_without_a_word_on_their_harm_are_a_gap_that_is_said() -> None:
    outline = BY_ID["clinical"]
    asked = Collected(
        "any", "Any", missing=("Nothing found: no file lists a liability.",), answer=Response.NO_ROW
    )
    asked = replace(asked, topics=(Topic.ADVERSE_EVENT,))
    used = fact(Topic.DRUG, "Zorbinib is a drug.", "Zorbinib", measure="drug")
    drug = CitedFact(used, "E1", "drugs", "Drugs")
    known = Collected("drugs", "Drugs", (drug,), topics=(Topic.DRUG,))
    whole = material_of(SafetyOrder("ZORB1"), ZORB1, [asked, known])
    told = without_evidence(outline, whole)
    assert told == ("Nothing found: what is at hand of Any holds nothing.", "No file lists a liability.")
    assert "(Zorbinib) was not read" in one_sided(whole)
    assert not one_sided(material_of(SafetyOrder("ZORB1"), ZORB1, [asked]))


def test_a_risk_ranks_by_its_best_line_and_not_by_the_number_of_hits() -> None:
    kidney = [fact(Topic.FUNCTION, f"{what}.", what) for what in ("kidney development", "renal filtration")]
    heart = risk(MICE)
    assert ordered([risk(*kidney, endpoint="renal"), heart], None)[0] is heart


def test_a_tissue_far_below_the_highest_is_no_finding() -> None:
    low = fact(Topic.EXPRESSION, "ZORB1 in liver 30 TPM.", "liver", value=30.0, unit="TPM")
    assert risk(HEART, low).findings
    assert not risk(HEART, low, endpoint="hepatotoxicity").findings
    assert risk(low, endpoint="hepatotoxicity").findings


def test_loss_alone_says_nothing_of_activation() -> None:
    def said(direction: Direction | None, *more: Fact) -> str:
        facts = [CitedFact(one, "E1", "any", "any") for one in (MICE, *more)]
        order = SafetyOrder("ZORB1", direction=direction)
        return one_sided(material_of(order, ZORB1, [Collected("all", "all", tuple(facts))]))

    assert said(Direction.ACTIVATION) == "Nothing that was read tells what activation of the target does."
    assert said(Direction.INHIBITION) == said(None) == ""
    agonist = fact(
        Topic.DRUG, "Zorbagon is an agonist of ZORB1.", "Zorbagon", change="activation", measure="drug"
    )
    assert "(Zorbagon) was not read" in said(Direction.ACTIVATION, agonist)
    seen = fact(Topic.ADVERSE_EVENT, "Nausea.", "nausea", change="activation")
    assert said(Direction.ACTIVATION, agonist, seen) == ""


def test_what_the_medicine_counters_is_no_risk() -> None:
    gain = CitedFact(fact(Topic.DISEASE, "It.", "Atrial fibrillation", change="gain"), "E1", "any", "any")
    open_ = CitedFact(QT, "E3", "any", "any")
    block = apart_from_risks(SafetyOrder("ZORB1", direction=Direction.INHIBITION), [gain, open_])
    assert block.opposite == (gain,)
    drives = apart_from_risks(SafetyOrder("ZORB1", direction=Direction.ACTIVATION), [gain])
    assert drives.opposite == ()


def test_that_mice_die_says_nothing_of_an_organ() -> None:
    dead = fact(Topic.PHENOTYPE, "Mice show mortality/aging.", "mortality/aging", change="loss")
    found = findings_of([CitedFact(dead, "E1", "mice", "mice")])
    assert {one.strength for one in found} <= {Strength.WEAK}


@pytest.mark.parametrize(
    ("topic", "measure", "strength"),
    [
        (Topic.ARCHIVE, "", Strength.WEAK),
        (Topic.ADVERSE_EVENT, "participants", Strength.STRONG),
    ],
)
def test_only_what_was_counted_in_a_clinic_is_strong(topic: Topic, measure: str, strength: Strength) -> None:
    seen = fact(topic, "ZORB1 inhibition caused bradycardia.", "bradycardia", measure=measure)
    found = findings_of([CitedFact(seen, "E1", "any", "any")])
    assert {one.strength for one in found if one.endpoint == "cardiovascular"} == {strength}


def test_what_was_seen_with_the_other_direction_is_told_last_and_marked() -> None:
    mixed = risk(MICE, RHYTHM, QT, direction=Direction.ACTIVATION)
    shown = best(mixed, Direction.ACTIVATION, 4)
    assert [one.cited.fact for one in shown] == [QT, RHYTHM, MICE]
    assert render_findings(shown, Direction.ACTIVATION).endswith(
        "phenotype (animals: human, with inhibition)"
    )


def test_a_row_tells_a_direction_only_that_a_finding_beside_it_tells() -> None:
    def row(*facts: Fact) -> tuple[str, ...]:
        (table,) = risk_tables([risk(*facts, direction=Direction.INHIBITION)], Direction.INHIBITION, ())
        return tuple(one.text for one in table.rows[0])

    fever = fact(Topic.ASSOCIATION, "Variants go with it.", "Heart failure")
    way = 2
    assert row(MICE, fever)[way] == "direction unknown"
    assert row(MICE)[way] == "inhibition"
    told = fact(Topic.FUNCTION, "It.", "heart contraction", change="inhibition")
    assert row(fever, told)[way] == "inhibition"


def test_a_disease_of_two_lists_is_told_once() -> None:
    one, other = (
        QT.model_copy(update={"id": id_, "term": QT.term.lower()}) for id_ in ("MONDO:1", "MONDO:2")
    )
    assert len(best(risk(one, other, QT), None, 3)) == 1


def test_what_is_only_inferred_is_told_last() -> None:
    system = fact(
        Topic.PATHWAY, "ZORB1 is in adrenergic receptor signaling.", "adrenergic receptor signaling pathway"
    )
    organ = fact(Topic.PATHWAY, "ZORB1 takes part in regulation of heart rate.", "regulation of heart rate")
    facts = [CitedFact(one, "E1", "go", "go") for one in (system, organ)]
    risk = next(one for one in risks_of(findings_of(facts)) if one.endpoint == "cardiovascular")
    assert risk.findings[0].cited.fact is system
    assert [one.cited.fact.term for one in best(risk, None, 2)] == [organ.term, system.term]


def test_a_value_is_shown_only_as_its_record_writes_it() -> None:
    rounded = fact(Topic.ADVERSE_EVENT, "Rash: ratio 12.2.", "rash", value=12.19)
    assert value_of(CitedFact(rounded, "E1", "events", "events")) == "12.2"
    other = fact(Topic.ADVERSE_EVENT, "Rash was seen.", "rash", value=12.19)
    assert value_of(CitedFact(other, "E1", "events", "events")) == ""


def heat_map(material: Material) -> Chart:
    chart = chart_of(material.order, material.risks)
    assert chart is not None
    return chart


def test_the_chart_is_the_same_to_the_byte_and_told_in_words(material: Material) -> None:
    chart, again = heat_map(material), heat_map(material)
    assert chart.light.png == again.light.png
    assert chart.light.png.startswith(b"\x89PNG")
    assert chart.light.png != chart.dark.png
    assert chart.light.text.startswith("cardiovascular toxicity (serious, strong evidence)")
    other = SafetyOrder("ZORB1", section="genetics")
    assert chart_of(other, material.risks) is None


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads take turns far more often than usual."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("reports", grid([4, 8], 2))
def test_charts_of_several_reports_at_once_are_the_same(material: Material, reports: int) -> None:
    def drawn(_: int) -> tuple[bytes, ...]:
        chart = heat_map(material)
        return chart.light.png, chart.dark.png

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(drawn, range(reports)))) == 1


async def test_charts_stand_in_their_sections() -> None:
    shown = KIND.report(await assessed("ZORB1"))
    figures = {
        section.id: block.title
        for section in shown.sections
        for block in section.blocks
        if isinstance(block, Figure)
    }
    assert set(figures) == {"risks"}


@pytest.mark.parametrize("modality", list(Modality))
async def test_each_modality_has_its_own_programme(modality: Modality) -> None:
    shown = KIND.report(await assessed(SafetyOrder("ZORB1", modality)))
    section = shown.section("questions")
    assert section is not None
    said = [block.text for block in section.blocks if block.kind in ("heading", "paragraph")]
    own = "hERG" if modality is Modality.SMALL_MOLECULE else str(modality).split()[0]  # no relative is known
    assert any(own in one for one in said)


async def test_the_target_is_no_off_target_of_itself() -> None:
    async def find(name: str) -> Found:
        return Found((replace(ZORB1, aliases=("HERG",)),))

    order = SafetyOrder("ZORB1", Modality.SMALL_MOLECULE)
    texts = [
        " ".join(block.text for block in section.blocks if isinstance(block, Paragraph))
        for asked in (tools(), replace(tools(), find=find))
        if (section := KIND.report(await assessed(order, asked)).section("questions"))
    ]
    assert "hERG, genotoxicity (ICH S2)" in texts[0]
    assert "hERG" not in texts[1]
    assert "enzymes, genotoxicity" in texts[1]


def test_every_endpoint_has_an_experiment_that_names_its_readout() -> None:
    titles = {concept.title for concept in vocabulary.EFFECTS}
    assert set(EXPERIMENTS) == {endpoint.key for endpoint in Endpoint}
    assert set(EXPERIMENTS) <= set(MONITORING) <= {*EXPERIMENTS, *titles, "tumour", ""}
    assert all("readout: " in text for text in EXPERIMENTS.values())
    assert all(set(own) - {"general", "every", "tumour", *titles} <= set(EXPERIMENTS) for own in OWN.values())
    assert all("readout: " in text for own in OWN.values() for text in own.values())


def test_a_number_stands_in_a_table_as_its_record_writes_it_below_its_unit() -> None:
    tied = fact(
        Topic.ASSOCIATION,
        "height is tied to rs1 (p = 3E-50).",
        "height",
        measure="p-value",
        value=3.0000000001e-50,
    )
    other = fact(
        Topic.ASSOCIATION, "weight is tied to rs1 (p = 2E-9).", "weight", measure="p-value", value=2e-9
    )
    (table,) = tables_of(Topic.ASSOCIATION, [CitedFact(one, "E1", "gwas", "GWAS") for one in (tied, other)])
    assert isinstance(table, TableDraft)
    assert table.columns[1] == "P-value"
    assert [row[1].text for row in table.rows] == ["3E-50", "2E-9"]


def test_an_event_of_two_labels_is_one_row_on_both() -> None:
    said = [("Tremor", "loss"), ("tremors", "loss"), ("Tremor", "gain"), ("Bronchospasm", "loss")]
    events = [fact(Topic.ADVERSE_EVENT, f"{term}.", term, change=change) for term, change in said]
    every = [CitedFact(one, f"E{place}", "labels", "openFDA") for place, one in enumerate(events)]
    (table,) = tables_of(Topic.ADVERSE_EVENT, every)
    assert isinstance(table, TableDraft)
    assert [row[0].text for row in table.rows] == ["Tremor", "Tremor", "Bronchospasm"]
    assert table.rows[0][0].keys == ("E0", "E1")
