"""An organ that an instruction names is found in facts that name its system."""

import pytest

from agents.databases.facts import Topic
from agents.safety.charts import chart_of
from agents.safety.material import material_of
from agents.safety.order import Direction, SafetyOrder
from agents.safety.outline import BY_ID
from agents.safety.sections.wish import NOTHING, SAME_ORGAN, chosen, read_wish
from agents.safety.values import CitedFact, Collected, TableDraft, Words
from agents.safety.writer import by_rules, drafted
from tests.agents.safety.kit import ZORB1, fact

TERMS = (
    "renal/urinary system phenotype",
    "cardiovascular system phenotype",
    "liver/biliary system phenotype",
)
MICE = [
    CitedFact(fact(Topic.PHENOTYPE, f"Mice show: {term}.", term, species="mouse"), f"E{place}", "mgi", "MGI")
    for place, term in enumerate(TERMS)
]


def terms(wish: str) -> tuple[list[str], str]:
    found = chosen(MICE, read_wish(wish))
    return [one.fact.term.split("/")[0].split()[0] for one in found.facts], found.remark


def test_an_organ_is_found_by_its_system_and_the_reader_is_told() -> None:
    assert terms("put the heart first") == (["cardiovascular", "renal", "liver"], SAME_ORGAN)
    assert terms("only heart and liver") == (["liver", "cardiovascular"], SAME_ORGAN)
    assert terms("only kidney") == (["renal"], SAME_ORGAN)


def test_what_is_named_itself_needs_no_system_and_what_is_not_there_is_told() -> None:
    assert terms("put the liver first") == (["liver", "renal", "cardiovascular"], "")
    assert terms("put the skin first")[1] == NOTHING
    heart = CitedFact(fact(Topic.EXPRESSION, "Heart, 9 TPM.", "heart", value=9.0), "E9", "atlas", "Atlas")
    aorta = CitedFact(fact(Topic.EXPRESSION, "Aorta, 9 TPM.", "aorta", value=9.0), "E9", "atlas", "Atlas")
    assert chosen([aorta, heart], read_wish("only the heart")).facts == (heart,)


HIGHEST = "In GTEx, it is highest in Lung, Skin - Sun Exposed (Lower leg, left), Bladder and Colon."
TERMS_OF = "Reactome lists 3 pathways, the narrowest of which are: Skin growth; Pacing; Contraction."


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (HIGHEST, "In GTEx, it is highest in Lung, Bladder and Colon."),
        (TERMS_OF, "Reactome lists 3 pathways, the narrowest of which are: Pacing; Contraction."),
        ("In GTEx, it is highest in Skin.", ""),
    ],
)
def test_what_is_left_out_takes_its_place_in_a_list_and_no_more(text: str, left: str) -> None:
    one = CitedFact(fact(Topic.EXPRESSION, text), "E1", "gtex", "GTEx")
    told = [each.fact.text for each in chosen([one], read_wish("leave out skin and zebrafish")).facts]
    assert told == [left] * bool(left)


def test_an_organ_that_is_left_out_is_gone_from_tables_figure_and_plan_and_is_named_once() -> None:
    events = [
        fact(Topic.ADVERSE_EVENT, f"Warning of {term}.", term, measure="label warning", change="inhibition")
        for term in ("Dermatitis", "Cardiac arrest")
    ]
    cited = tuple(CitedFact(one, f"E{place}", "any", "Any") for place, one in enumerate(events))
    for wish, there in (("leave out rash", True), ("leave out the skin", False)):
        order = SafetyOrder("ZORB1", direction=Direction.INHIBITION, instructions=wish)
        whole = material_of(order, ZORB1, [Collected("any", "Any", cited, topics=tuple(Topic))])
        for section in ("risks", "questions"):
            blocks = drafted(BY_ID[section], whole).blocks
            rows = [row[0].text for one in blocks if isinstance(one, TableDraft) for row in one.rows]
            assert any(row.startswith("Skin") for row in rows) is there
            assert any(row.startswith("Cardiovascular") for row in rows)
        remarks = [one.text for one in by_rules("risks", whole).blocks if isinstance(one, Words)]
        omitted = "Left out, as asked: skin and subcutaneous tissue disorders."
        assert (omitted in remarks) is not there
        assert not any("skin" in one for one in remarks if one != omitted)
        chart = chart_of(order, whole.risks)
        assert chart is not None
        assert ("skin" in chart.light.text) is there
