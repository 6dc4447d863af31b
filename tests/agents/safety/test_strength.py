"""How likely reviews name an organ system, by classes of evidence."""

from agents.databases.facts import Fact, Topic
from agents.safety.endpoints.strength import classes_of, system_amounts, weigh_systems
from agents.safety.endpoints.values import OrganSystem
from agents.safety.endpoints.weights import WEIGHTS, EvidenceClass, read_weights
from agents.safety.synthesis.findings import findings_of
from agents.safety.synthesis.systems import systems_table
from agents.safety.values import CitedFact

HEART = OrganSystem.CARDIOVASCULAR


def fact(topic: Topic, term: str, change: str = "", value: float | None = None, unit: str = "") -> Fact:
    return Fact(topic=topic, text=f"{term}.", term=term, change=change, value=value, unit=unit)


DISEASE = fact(Topic.DISEASE, "Hepatic failure")
KNOCKOUT = fact(Topic.PHENOTYPE, "liver/biliary system phenotype", "loss")
EVENT = fact(Topic.ADVERSE_EVENT, "Jaundice", "inhibition")
PROCESS = fact(Topic.FUNCTION, "liver development")
LIVER = fact(Topic.EXPRESSION, "Liver", value=50.0, unit="TPM")


def score(*facts: Fact) -> float:
    return weigh_systems(facts)[OrganSystem.HEPATIC].score


def test_without_evidence_there_is_no_score_but_a_prior():
    weighed = weigh_systems([])
    assert {one.score for one in weighed.values()} == {0.0}
    assert weighed[HEART].prior > weighed[OrganSystem.HEPATIC].prior > 0
    assert len(weighed) == len(OrganSystem)


def test_disease_outweighs_phenotype_and_that_a_process():
    assert score(DISEASE) > score(KNOCKOUT) > score(PROCESS) > 0
    assert score(EVENT) > score(KNOCKOUT)


def test_each_independent_line_adds():
    lines = [LIVER, PROCESS, KNOCKOUT, DISEASE, EVENT]
    scores = [score(*lines[:count]) for count in range(1, len(lines) + 1)]
    assert scores == sorted(scores)
    assert len(set(scores)) == len(scores)


def test_the_same_term_twice_counts_once():
    assert score(PROCESS, PROCESS) == score(PROCESS)


def test_expression_is_measured_against_the_highest_tissue():
    low = fact(Topic.EXPRESSION, "Heart", value=3.0, unit="TPM")
    amounts = system_amounts([LIVER, low])
    assert amounts[OrganSystem.HEPATIC][EvidenceClass.EXPRESSION] == 1.0
    assert 0.3 < amounts[HEART][EvidenceClass.EXPRESSION] < 0.4


def test_a_tissue_below_the_threshold_speaks_for_nothing():
    assert system_amounts([fact(Topic.EXPRESSION, "Heart", value=0.4, unit="TPM")]) == {}


def test_a_signalling_system_speaks_for_what_it_governs_and_less_for_what_it_also_reaches():
    amounts = system_amounts([fact(Topic.PATHWAY, "Opioid receptors")])
    assert EvidenceClass.MECHANISM in amounts[OrganSystem.GASTROINTESTINAL]
    assert EvidenceClass.DISTANT in amounts[OrganSystem.RESPIRATORY]
    assert OrganSystem.EYE not in amounts


def test_an_organ_system_knows_how_often_reviews_name_it():
    heart = fact(Topic.PHENOTYPE, "cardiovascular system phenotype", "loss")
    blood = fact(Topic.PHENOTYPE, "hematopoietic system phenotype", "loss")
    found = weigh_systems([heart, blood])
    assert found[HEART].score > found[OrganSystem.BLOOD].score


def test_weights_say_what_they_were_learnt_on_and_are_read_as_written():
    assert "targets" in WEIGHTS.learnt_on
    assert len(WEIGHTS.targets) == 40
    assert read_weights(WEIGHTS.as_json()) == WEIGHTS


def test_a_fact_counts_as_the_strongest_class_that_it_is_of():
    both = fact(Topic.FUNCTION, "positive regulation of heart rate by norepinephrine")
    found = classes_of(both)
    assert found[HEART] is EvidenceClass.PROCESS
    assert found[OrganSystem.NERVOUS] is EvidenceClass.MECHANISM
    assert found[OrganSystem.RENAL] is EvidenceClass.DISTANT
    assert classes_of(LIVER) == {OrganSystem.HEPATIC: EvidenceClass.EXPRESSION}


def cited(one: Fact, key: str) -> CitedFact:
    return CitedFact(one, key, "tool", "database")


def test_the_table_of_systems_calls_evidence_by_the_rule_of_endpoints_and_shows_the_prior():
    facts = [
        cited(fact(Topic.DISEASE, "Long QT syndrome"), "E1"),
        cited(fact(Topic.PHENOTYPE, "cardiovascular system phenotype", "loss"), "E2"),
        cited(fact(Topic.PHENOTYPE, "vision/eye phenotype", "loss"), "E3"),
    ]
    table = systems_table(facts, findings_of(facts))
    assert table is not None
    [row] = table.rows
    assert row[0].text == "cardiovascular"
    assert row[1].text == "direction unknown"
    assert row[2].text == "moderate (human genetics, animals)"
    assert "before any evidence" in row[3].text
    assert (row[4].text, row[4].keys) == (
        "Long QT syndrome; cardiovascular system phenotype",
        ("E1", "E2"),
    )
    assert systems_table([], []) is None


def test_a_system_with_more_than_weak_evidence_is_listed_however_seldom_reviews_name_it():
    facts = [
        cited(fact(Topic.PHENOTYPE, "homeostasis/metabolism phenotype", "loss"), "E1"),
        cited(fact(Topic.FUNCTION, "cholesterol biosynthetic process"), "E2"),
    ]
    metabolic = OrganSystem.METABOLIC
    assert weigh_systems(one.fact for one in facts)[metabolic].score < WEIGHTS.likely
    table = systems_table(facts, findings_of(facts))
    assert table is not None
    [row] = [row for row in table.rows if row[0].text == str(metabolic)]
    assert row[2].text == "moderate (animals, mechanism)"
    assert row[3].text.startswith("unlikely")
