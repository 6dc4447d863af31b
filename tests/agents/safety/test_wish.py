"""An organ that an instruction names is found in facts that name its system."""

from agents.databases.facts import Topic
from agents.safety.sections.wish import NOTHING, SAME_ORGAN, chosen, read_wish
from agents.safety.values import CitedFact
from tests.agents.safety.kit import fact

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
