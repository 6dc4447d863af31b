"""The rules one by one: wishes, contradictions, strength, charts."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from agents.databases.facts import Topic
from agents.reports.values import Figure
from agents.safety.charts import charts_of
from agents.safety.conflicts import conflicts_of
from agents.safety.coverage import grouped
from agents.safety.kind import KIND
from agents.safety.material import Material, material_of
from agents.safety.order import Modality, SafetyOrder
from agents.safety.sections.tables import value_of
from agents.safety.sections.wish import chosen, read_wish
from agents.safety.synthesis.risk_table import best
from agents.safety.synthesis.risks import findings_of, risks_of, strength_of
from agents.safety.values import CitedFact, Collected, Strength
from tests.agents.safety.kit import FACTS, SOURCES, ZORB1, assessed, fact


def cited(name: str, place: int = 0) -> CitedFact:
    return CitedFact(FACTS[name][place], f"E{place}", name, SOURCES.get(name, name))


EVERY = [cited(name, place) for name, facts in FACTS.items() for place in range(len(facts))]


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
    assert {(one.one.tool, one.other.tool) for one in told} == {
        ("mice", "constraint"),
        ("atlas", "second_atlas"),
        ("disease", "constraint"),
    }
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


def test_that_mice_die_says_nothing_of_an_organ() -> None:
    dead = fact(Topic.PHENOTYPE, "Mice show mortality/aging.", "mortality/aging", change="loss")
    found = findings_of([CitedFact(dead, "E1", "mice", "mice")])
    assert {one.strength for one in found} <= {Strength.WEAK}


@pytest.mark.parametrize(
    ("topic", "measure", "strength"),
    [
        (Topic.ARCHIVE, "", Strength.WEAK),
        (Topic.ADVERSE_EVENT, "reports to FAERS", Strength.WEAK),
        (Topic.ADVERSE_EVENT, "participants", Strength.STRONG),
    ],
)
def test_only_what_was_counted_in_a_clinic_is_strong(topic: Topic, measure: str, strength: Strength) -> None:
    seen = fact(topic, "ZORB1 inhibition caused bradycardia.", "bradycardia", measure=measure)
    found = findings_of([CitedFact(seen, "E1", "any", "any")])
    assert {one.strength for one in found if one.endpoint == "cardiovascular"} == {strength}


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


def test_charts_are_the_same_to_the_byte_and_told_in_words(material: Material) -> None:
    charts, again = list(charts_of(material)), list(charts_of(material))
    assert [one.section for one in charts] == ["expression", "genetics", "homology", "risks"]
    assert [one.light.png for one in charts] == [one.light.png for one in again]
    assert all(one.light.png.startswith(b"\x89PNG") and one.light.png != one.dark.png for one in charts)
    assert charts[0].light.text.startswith("From high to low: heart 90 TPM; lung 80 TPM")


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads take turns far more often than usual."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("hasty")
def test_charts_of_several_reports_at_once_are_the_same(material: Material) -> None:
    def drawn(_: int) -> tuple[bytes, ...]:
        return tuple(png for one in charts_of(material) for png in (one.light.png, one.dark.png))

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(drawn, range(8)))) == 1


async def test_charts_stand_in_their_sections() -> None:
    shown = KIND.report(await assessed("ZORB1"))
    figures = {
        section.id: block.title
        for section in shown.sections
        for block in section.blocks
        if isinstance(block, Figure)
    }
    assert set(figures) == {"expression", "genetics", "homology", "risks"}


@pytest.mark.parametrize("modality", list(Modality))
async def test_each_modality_has_its_own_liabilities(modality: Modality) -> None:
    shown = KIND.report(await assessed(SafetyOrder("ZORB1", modality)))
    section = shown.section("liabilities")
    assert section is not None
    heads = [block.text for block in section.blocks if block.kind == "heading"]
    assert any(str(modality).split()[0] in head for head in heads)
