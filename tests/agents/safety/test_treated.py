"""What the medicine is meant to change back is told apart from harm: by quantities, for any target."""

import pytest

from agents.databases.facts import Change, Fact, Topic
from agents.safety.material import Material, material_of
from agents.safety.order import Direction, SafetyOrder
from agents.safety.sections.wish import read_wish
from agents.safety.synthesis.risk_section import risk_section
from agents.safety.synthesis.risks import TREATED
from agents.safety.synthesis.wording import told
from agents.safety.values import CitedFact, Collected, Strength
from tests.agents.safety.kit import ZORB1, fact

BRAKES = fact(Topic.FUNCTION, "a", "negative regulation of skeletal muscle cell differentiation")
MORE = fact(Topic.PHENOTYPE, "b", "increased muscle mass", change=Change.LOSS, species="mouse")
LESS = fact(Topic.PHENOTYPE, "c", "decreased muscle mass", change=Change.LOSS, species="mouse")
CLASS = fact(Topic.PHENOTYPE, "d", "muscle phenotype", change=Change.LOSS, species="mouse")
FAINT = fact(Topic.ADVERSE_EVENT, "e", "hypotension", change=Change.INHIBITION)
LOW = fact(Topic.PHENOTYPE, "f", "decreased blood pressure", change=Change.LOSS, species="mouse")


def weighed(facts: list[Fact], area: str, direction: Direction | None = Direction.INHIBITION) -> Material:
    cited = tuple(CitedFact(one, f"E{place}", "any", "Any") for place, one in enumerate(facts, start=1))
    order = SafetyOrder("ZORB1", direction=direction, area=area)
    return material_of(order, ZORB1, [Collected("any", "Any", cited)])


@pytest.mark.parametrize("area", ["muscle wasting", "sarcopenia", "Duchenne muscular dystrophy"])
def test_more_muscle_is_wanted_where_muscle_wastes_and_less_is_a_harm(area: str) -> None:
    material = weighed([BRAKES, MORE, LESS], area)
    assert [one.fact.text for one in material.apart.wanted] == ["a", "b"]
    assert {one.cited.fact.text for one in material.findings} == {"c"}
    assert material.beyond.strength is Strength.MODERATE


@pytest.mark.parametrize(
    ("area", "direction"),
    [
        ("", Direction.INHIBITION),
        ("asthma", Direction.INHIBITION),
        ("muscle wasting", None),
        ("muscle wasting", Direction.ACTIVATION),
    ],
)
def test_without_an_area_that_says_so_or_by_the_other_change_it_stays_a_finding(
    area: str, direction: Direction | None
) -> None:
    material = weighed([MORE], area, direction)
    assert not material.apart.wanted
    assert [one.cited.fact.text for one in material.findings] == ["b"]


def test_what_patients_had_stays_a_risk_also_where_it_is_too_much_of_the_wanted() -> None:
    material = weighed([FAINT, LOW], "hypertension")
    assert [one.fact.text for one in material.apart.wanted] == ["f"]
    heart = next(one for one in material.risks if one.endpoint == "cardiovascular")
    assert heart.strength is Strength.STRONG
    assert told(heart.findings) == "hypotension (clinical, wanted or too much of it)"


def test_what_does_not_say_which_way_is_marked_and_raises_no_rating() -> None:
    function = fact(Topic.FUNCTION, "g", "skeletal muscle contraction")
    for area, strength, mark in (
        ("muscle wasting", Strength.WEAK, True),
        ("asthma", Strength.MODERATE, False),
    ):
        material = weighed([CLASS, function], area)
        assert material.beyond.strength is strength
        assert ("on what is treated" in told(material.beyond.findings)) is mark
        assert (TREATED in risk_section(material, read_wish("")).remarks) is mark


def test_a_quantity_is_no_organ() -> None:
    bone = fact(Topic.PHENOTYPE, "h", "decreased bone mass", change=Change.LOSS, species="mouse")
    white = fact(Topic.PHENOTYPE, "i", "increased leukocyte cell number", change=Change.LOSS, species="mouse")
    assert not weighed([bone], "muscle hypertrophy").apart.wanted
    assert not weighed([white], "anemia").apart.wanted


def loss(text: str, term: str) -> Fact:
    return fact(Topic.PHENOTYPE, text, term, change=Change.LOSS, species="mouse")


@pytest.mark.parametrize(
    ("area", "terms"),
    [
        ("ocular hypertension", ["decreased blood pressure"]),
        ("intracranial hypertension", ["decreased blood pressure"]),
        ("portal hypertension", ["hypotension"]),
        ("hypertension", ["orthostatic hypotension", "syncope", "cardiovascular shock", "pale hypotension"]),
        ("muscle wasting", ["malignant hyperthermia", "increased muscle mass with rhabdomyolysis"]),
        ("muscle hypertrophy", ["muscle wasting", "muscle weakness"]),
        ("bradycardia", ["ventricular tachycardia", "increased heart rate"]),
        ("vasospasm", ["decreased blood flow"]),
    ],
)
def test_what_may_be_harm_is_never_told_apart_as_wanted(area: str, terms: list[str]) -> None:
    facts = [loss(term, term) for term in terms]
    material, elsewhere = weighed(facts, area), weighed(facts, "asthma")
    assert not material.apart.wanted
    assert [one.strength for one in material.every_risk] == [one.strength for one in elsewhere.every_risk]
    assert not any(one.treated or one.wanted for one in material.findings)


def test_weak_signs_of_another_harm_raise_the_rating_as_ever() -> None:
    process = fact(Topic.FUNCTION, "a", "cardiac repolarization")
    disease = fact(Topic.ASSOCIATION, "b", "rhabdomyolysis")
    for one, area in ((process, "tachycardia"), (disease, "muscle wasting")):
        assert not any(each.treated for each in weighed([one], area).findings)
        assert weighed([one], area).findings == weighed([one], "asthma").findings


def test_an_adverse_event_with_the_words_of_a_phenotype_stays() -> None:
    event = fact(Topic.ADVERSE_EVENT, "hypotension", "hypotension", change=Change.INHIBITION)
    material = weighed([loss("hypotension", "hypotension"), event], "hypertension")
    assert [one.fact.topic for one in material.apart.wanted] == [Topic.PHENOTYPE]
    assert [one.cited.fact.topic for one in material.findings] == [Topic.ADVERSE_EVENT]


@pytest.mark.parametrize("area", ["essential hypertension", "Resistant arterial hypertension"])
def test_words_of_degree_leave_a_quantity_what_it_is(area: str) -> None:
    material = weighed([loss("a", "decreased systemic arterial blood pressure")], area)
    assert [one.fact.text for one in material.apart.wanted] == ["a"]
