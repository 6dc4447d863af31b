"""From the words of a fact to endpoints, organ systems and effects with direction."""

import pytest

from agents.databases.facts import Fact, Topic
from agents.safety.endpoints.mapping import apart_of, effects_of, organ_systems_of
from agents.safety.endpoints.species import SpeciesGroup, species_group, species_name
from agents.safety.endpoints.values import Endpoint, OrganSystem
from agents.safety.endpoints.vocabulary import TUMOUR, concepts_in


def fact(topic: Topic, term: str, change: str = "") -> Fact:
    return Fact(topic=topic, text=f"{term}.", term=term, change=change)


def endpoints_of(one: Fact) -> set[Endpoint]:
    return {endpoint for effect in effects_of(one) for endpoint in effect.endpoints}


def test_the_endpoints_are_those_of_the_papers_table_and_four_more():
    assert [endpoint.number for endpoint in Endpoint] == list(range(1, 20))
    assert Endpoint.PREGNANCY.title == "Pregnancy / puerperium / perinatal conditions"


@pytest.mark.parametrize(
    ("topic", "term", "endpoint"),
    [
        (Topic.PHENOTYPE, "liver/biliary system phenotype", Endpoint.HEPATOTOXICITY),
        (Topic.PHENOTYPE, "renal/urinary system phenotype", Endpoint.RENAL),
        (Topic.PHENOTYPE, "hematopoietic system phenotype", Endpoint.HEMATOTOXICITY),
        (Topic.PHENOTYPE, "behavior/neurological phenotype", Endpoint.NEUROLOGICAL),
        (Topic.DISEASE, "Long.QT.syndrome.2", Endpoint.CARDIOVASCULAR),
        (Topic.PHENOTYPE, "reproductive system phenotype", Endpoint.REPRODUCTIVE),
        (Topic.ASSOCIATION, "Intraocular pressure", Endpoint.OCULAR),
        (Topic.FUNCTION, "positive regulation of inflammatory response", Endpoint.INFLAMMATORY),
        (Topic.PHENOTYPE, "immune system phenotype", Endpoint.IMMUNE),
        (Topic.PHENOTYPE, "homeostasis/metabolism phenotype", Endpoint.METABOLIC),
        (Topic.PHENOTYPE, "integument phenotype", Endpoint.SKIN),
        (Topic.ADVERSE_EVENT, "Diarrhoea", Endpoint.GASTROINTESTINAL),
        (Topic.PHENOTYPE, "respiratory system phenotype", Endpoint.PULMONARY),
        (Topic.DISEASE, "Hyperthyroidism", Endpoint.ENDOCRINE),
        (Topic.ADVERSE_EVENT, "Pre-eclampsia", Endpoint.PREGNANCY),
        (Topic.EXPRESSION, "Brain - Hippocampus", Endpoint.NEUROLOGICAL),
        (Topic.PATHWAY, "Adrenoceptors", Endpoint.CARDIOVASCULAR),
    ],
)
def test_words_of_every_source_reach_their_endpoint(topic, term, endpoint):
    assert endpoint in endpoints_of(fact(topic, term))


@pytest.mark.parametrize(
    "term",
    [
        "normal heart rate",
        "no seizures were seen",
        "seizures were not observed",
        "heart rate was unchanged",
        "no abnormal phenotype detected",
        "without hypotension",
        "absence of hepatotoxicity",
    ],
)
def test_what_is_denied_or_normal_speaks_for_nothing(term):
    assert endpoints_of(fact(Topic.PHENOTYPE, term, "loss")) == set()


@pytest.mark.parametrize(
    ("term", "endpoint"),
    [
        ("Hyperpyrexia and heat stroke", Endpoint.NEUROLOGICAL),
        ("Rash macular", Endpoint.SKIN),
        ("Hepatitis B reactivation", Endpoint.IMMUNE),
        ("Sepsis", Endpoint.IMMUNE),
        ("Haematocrit increased", Endpoint.RENAL),
        ("Musculoskeletal chest pain", Endpoint.MUSCULOSKELETAL),
        ("Weight Decrease", Endpoint.METABOLIC),
        ("Hyperglycemia", Endpoint.METABOLIC),
    ],
)
def test_a_reaction_counts_for_one_organ_and_not_for_another_of_which_it_has_a_word(term, endpoint):
    assert endpoints_of(fact(Topic.ADVERSE_EVENT, term)) == {endpoint}


def test_a_denial_ends_with_its_clause():
    found = organ_systems_of(fact(Topic.ADVERSE_EVENT, "no seizures, but severe hypotension"))
    assert found == (OrganSystem.CARDIOVASCULAR,)


def test_a_stem_counts_only_at_the_start_of_a_word():
    assert organ_systems_of(fact(Topic.DISEASE, "chearty nonrenality")) == ()


def test_a_signalling_system_is_marked_as_a_mechanism():
    assert all(one.mechanism for one in effects_of(fact(Topic.PATHWAY, "Dopamine receptors")))


@pytest.mark.parametrize("topic", [Topic.DRUG, Topic.HOMOLOGY, Topic.LOCATION])
def test_names_of_drugs_species_and_compartments_are_no_effects(topic):
    assert effects_of(fact(topic, "liver")) == ()


@pytest.mark.parametrize(
    ("name", "group"),
    [
        ("mice", SpeciesGroup.RODENT),
        ("Rattus norvegicus", SpeciesGroup.RODENT),
        ("cynomolgus macaque", SpeciesGroup.NON_RODENT),
        ("non-human primate", SpeciesGroup.NON_RODENT),
        ("minipig", SpeciesGroup.NON_RODENT),
        ("human iPSC-derived cardiomyocytes", SpeciesGroup.HUMAN),
        ("zebrafish embryo", SpeciesGroup.ALTERNATIVE),
        ("yeast", SpeciesGroup.UNKNOWN),
    ],
)
def test_species_groups_are_the_papers(name, group):
    assert species_group(name) is group


def test_a_species_has_one_name():
    assert species_name("mice") == "mouse"


@pytest.mark.parametrize(
    ("topic", "term", "systems"),
    [
        (Topic.DISEASE, "Catecholaminergic polymorphic ventricular tachycardia", {"cardiovascular"}),
        (Topic.DISEASE, "Congenital long QT syndrome", {"cardiovascular"}),
        (Topic.FUNCTION, "regulation of potassium ion export across plasma membrane", set()),
        (Topic.FUNCTION, "striated muscle contraction", set()),
    ],
)
def test_a_word_of_a_name_is_no_finding_of_its_own(topic, term, systems):
    assert {str(system) for system in organ_systems_of(fact(topic, term))} == systems


@pytest.mark.parametrize(
    ("topic", "term"),
    [
        (Topic.FUNCTION, "secondary alcohol metabolic process"),
        (Topic.FUNCTION, "organic substance transport"),
        (Topic.FUNCTION, "mitotic cytokinesis"),
        (Topic.FUNCTION, "clathrin coat assembly"),
        (Topic.FUNCTION, "cellular response to epidermal growth factor stimulus"),
        (Topic.FUNCTION, "cellular response to estradiol stimulus"),
        (Topic.FUNCTION, "axonemal dynein complex assembly"),
        (Topic.FUNCTION, "aerobic respiration"),
        (Topic.FUNCTION, "retinoic acid metabolic process"),
        (Topic.FUNCTION, "synaptonemal complex assembly"),
        (Topic.FUNCTION, "cardiolipin metabolic process"),
        (Topic.PATHWAY, "HCMV Infection"),
        (Topic.PATHWAY, "Phase 0 - rapid depolarisation"),
        (Topic.PHENOTYPE, "growth/size/body region phenotype"),
        (Topic.ASSOCIATION, "Response to statin therapy"),
        (Topic.ASSOCIATION, "Hair color"),
        (Topic.PHENOTYPE, "mortality/aging"),
        (Topic.ADVERSE_EVENT, "Hepatitis A"),
        (Topic.ADVERSE_EVENT, "Pregnancy test false positive"),
        (Topic.ADVERSE_EVENT, "Menopausal symptoms"),
    ],
)
def test_what_only_sounds_like_an_organ_speaks_for_none(topic, term):
    assert organ_systems_of(fact(topic, term)) == ()


@pytest.mark.parametrize(
    ("term", "systems"),
    [
        ("Primary erythromelalgia", {"nervous"}),
        ("Ciliary dyskinesia, primary, 3", {"respiratory"}),
        ("Retinitis pigmentosa 12", {"eye"}),
        ("Renal tubular acidosis, distal", {"renal"}),
        ("Benign familial neonatal seizures 1", {"nervous"}),
        ("Diabetes mellitus, permanent neonatal", {"endocrine"}),
        ("Cataract, cortical, juvenile-onset", {"eye"}),
        ("Limb-girdle muscular dystrophy", {"musculoskeletal"}),
        ("Osteoporosis with pseudoglioma", {"musculoskeletal"}),
    ],
)
def test_a_disease_feeds_its_primary_organ_system(term, systems):
    assert {str(system) for system in organ_systems_of(fact(Topic.DISEASE, term))} == systems


@pytest.mark.parametrize(
    ("topic", "term", "kind"),
    [
        (Topic.DISEASE, "Endometrial carcinoma", "tumour"),
        (Topic.DISEASE, "Leukemia, acute myeloid", "tumour"),
        (Topic.ASSOCIATION, "Non-small cell lung cancer", "tumour"),
        (Topic.PHENOTYPE, "tumorigenesis", "tumour"),
        (Topic.PHENOTYPE, "mortality/aging", ""),
        (Topic.PHENOTYPE, "preweaning lethality, complete penetrance", "viability"),
        (Topic.PHENOTYPE, "embryonic lethality during organogenesis", ""),
        (Topic.FUNCTION, "response to tumor necrosis factor", ""),
        (Topic.DISEASE, "Noonan syndrome with or without juvenile myelomonocytic leukemia", ""),
        (Topic.LITERATURE, "Diarrhoea in patients with lung cancer", ""),
    ],
)
def test_tumours_and_viability_are_no_toxicity_of_an_organ(topic, term, kind):
    assert apart_of(fact(topic, term)) == kind
    speaks = {"tumour": (TUMOUR,), "viability": ()}
    assert kind == "" or effects_of(fact(topic, term)) == speaks[kind]


def test_a_reaction_stands_in_the_row_of_its_organ() -> None:
    for term, keys in (
        ("Limb Ischemia, Necrosis, and Gangrene", {"cardiovascular"}),
        ("Systemic Atheroemboli and Cholesterol Microemboli", {"cardiovascular"}),
        ("Fetal Risk", {"reproductive", "pregnancy"}),
        ("Progressive multifocal leukoencephalopathy", {"immune"}),
        ("Nasal congestion", set()),
        ("Melaena", {"hematotoxicity"}),
        ("inherited prekallikrein deficiency", {"hematotoxicity"}),
    ):
        found = [concept for concept, _ in concepts_in(term)]
        assert {one.key for concept in found for one in concept.endpoints} == keys, term
