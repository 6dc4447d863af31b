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
KINETICS = {
    "QA-CL-01": """# QA-1001: pharmacokinetics in healthy volunteers

Clinical study report. Healthy volunteers received 20 mg QA-1001 orally.
The elimination half-life of QA-1001 in plasma was 31 hours.
""",
    "QB-CL-01": """# QB-2002: pharmacokinetics in healthy volunteers

Clinical study report. Healthy volunteers received 60 mg QB-2002 orally.
The half-life of QB-2002 in humans was 4.1 hours.
""",
}


async def test_of_two_molecules_the_species_that_rules_have_read_counts_as_told(tmp_path: Path) -> None:
    tools = await archive(tmp_path, KINETICS)

    answer = await ask(tools, "Human elimination half-life of QA-1001 and of QB-2002?")

    assert "31 hours" in str(answer.tables)
    assert "4.1 hours" in str(answer.tables)


async def test_of_two_molecules_the_one_without_a_certain_value_is_named(tmp_path: Path) -> None:
    tools = await archive(tmp_path, KINETICS)

    answer = await ask(
        tools, "Elimination half-life in plasma after renal transplant of QA-1001 and of QB-2002?"
    )
    asked = await ask(tools, "Elimination half-life in plasma of QA-1001 and of QB-2002?")

    assert answer.outcome is not AnswerOutcome.ANSWERED
    assert asked.outcome is AnswerOutcome.ANSWERED
    assert "31 hours" in asked.short
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


async def test_a_long_list_of_values_says_that_it_leaves_some_out(tmp_path: Path) -> None:
    told = "\n".join(
        f"In {animal} the half-life of QC-3003 was {n} h. In {animal} the tmax of QC-3003 was {n + 1} h. "
        f"In {animal} the Cmax of QC-3003 was {n}0 ng/mL after 5 mg/kg."
        for n, animal in enumerate(("rats", "dogs", "monkeys", "rabbits"), 3)
    )
    tools = await archive(tmp_path, {"QC-PK-01": f"# QC-3003: pharmacokinetics in animals\n\n{told}\n"})

    answer = await ask(tools, "What are the pharmacokinetics of QC-3003?")

    assert answer.outcome is AnswerOutcome.ANSWERED
    assert answer.short.count("half-life") == 4
    assert "; and others" in answer.short
