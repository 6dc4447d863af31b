"""A value that answers another question than the one that was asked is not stated."""

from pathlib import Path

import pytest

from agents.archive.answer import AnswerOutcome
from agents.archive.investigate import of_one
from agents.archive.off_topic import speaks_of
from agents.archive.values import DraftClaim
from retrieval.values import DocumentRecord, Molecule, Passage
from tests.agents.archive.world import archive, ask

REGISTRY = (Molecule("QA-1001"), Molecule("QB-2002"))
TOXICITY = {
    "QA-TX-01": """# QA-1001: 13-week toxicity study in rats

Toxicology report. Rats received QA-1001 orally. Liver necrosis was seen in rats at 50 mg/kg QA-1001.
""",
    "QB-TX-01": """# QB-2002: 13-week toxicity study in dogs

Toxicology report. Dogs received QB-2002 orally. Kidney degeneration was seen in dogs at 9 mg/kg QB-2002.
""",
}


async def test_of_two_molecules_the_one_without_a_certain_value_is_named(tmp_path: Path) -> None:
    tools = await archive(tmp_path, TOXICITY)

    both = await ask(tools, "Which organs show toxicity of QA-1001 and of QB-2002?")
    asked = await ask(tools, "Which organs show toxicity of QA-1001 and of QB-2002 in rats?")

    assert "necrosis" in str(both.tables)
    assert "degeneration" in str(both.tables)
    assert asked.outcome is AnswerOutcome.ANSWERED
    assert "necrosis" in asked.short
    assert "QB-2002: not stated" in asked.short


@pytest.mark.parametrize(
    ("asked", "of_first"),
    [
        ("Half-life of QA-1001 and of QB-2002?", "Half-life of QA-1001 and of  ?"),
        ("Half-life of QA-1001 given with QB-2002?", "Half-life of QA-1001 given with QB-2002?"),
    ],
)
def test_a_question_on_several_molecules_is_one_on_each(asked: str, of_first: str) -> None:
    assert of_one(asked, "QA-1001", REGISTRY) == of_first


def test_a_value_from_a_sentence_on_another_molecule_is_none_of_this_one() -> None:
    of_both = {"D1": DocumentRecord("D1", "d.md", "", "md", "", main_molecules=("QA-1001", "QB-2002"))}
    of_one = {"D1": DocumentRecord("D1", "d.md", "", "md", "", main_molecules=("QA-1001",))}

    def claim(text: str) -> DraftClaim:
        return DraftClaim(text, (Passage("D1", 0, len(text), text),))

    assert not speaks_of("QA-1001", claim("The AUC of QB-2002 was 40 ng·h/mL."), REGISTRY, of_both)
    assert speaks_of("QA-1001", claim("The AUC was 40 ng·h/mL."), REGISTRY, of_both)
    assert speaks_of("QA-1001", claim("Beside QB-2002 the AUC was 40 ng·h/mL."), REGISTRY, of_one)
    assert not speaks_of("QB-2002", claim("The AUC was 40 ng·h/mL."), REGISTRY, of_one)
