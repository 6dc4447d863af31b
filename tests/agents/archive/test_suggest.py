"""Questions to ask next: only what the archive answers about the molecule, and not what was just asked."""

from pathlib import Path

from agents.archive.answer import Answer, AnswerOutcome
from agents.archive.suggest import starters, suggest
from tests.agents.archive.world import archive, ask

STUDY = """---
doc_id: QV-CL-01
document_type: Clinical study report
stages: [clinical]
molecules: [QV-310]
---
# QV-310: single ascending dose study in healthy volunteers (first-in-human)

This was the first administration of QV-310 to humans. QV-310 was given as a single oral dose of 4 mg.
"""
CLOSED = """---
doc_id: QV-MIN-02
document_type: Project closure minutes
stages: [strategic]
molecules: [QV-310]
---
# QV-310: closure of the project

The development of QV-310 was discontinued because of liver toxicity in the dog.
"""
HEAD = "---\nstages: [clinical, preclinical]\nmolecules: [QV-310]\n---\n"
OTHER = STUDY.replace("QV-310", "QV-999").replace("QV-CL-01", "QV-CL-09")


def answer(*types: str, molecule: str = "QV-310") -> Answer:
    return Answer("How?", "", (), AnswerOutcome.ANSWERED, (molecule,), types)


async def test_types_with_an_answer_in_the_archive_are_offered_and_no_others(tmp_path: Path) -> None:
    tools = await archive(tmp_path, {"a.md": STUDY, "b.md": CLOSED, "c.md": OTHER})
    offered = await suggest(tools, answer("first_in_human_dose"))
    assert "Why was QV-310 discontinued?" in offered
    assert not any("first-in-human" in question for question in offered)
    assert not any("margin of safety" in question for question in offered)
    about_other = await suggest(tools, answer(molecule="QV-999"))
    assert "What was the first-in-human dose of QV-999?" in about_other
    assert not any("discontinued" in question for question in about_other)


async def test_why_it_was_discontinued_is_not_offered_where_a_dose_or_a_study_ended(tmp_path: Path) -> None:
    for number, ended in enumerate(("The 8 mg dose", "The study of QV-310")):
        minutes = CLOSED.replace("The development of QV-310", ended).replace(
            "closure of the project", "minutes"
        )
        tools = await archive(tmp_path / str(number), {"a.md": STUDY, "b.md": minutes})
        assert not any("discontinued" in question for question in await suggest(tools, answer()))


async def test_nothing_is_offered_without_a_molecule_or_documents_of_it(tmp_path: Path) -> None:
    tools = await archive(tmp_path, {"a.md": STUDY})
    assert await suggest(tools, Answer("How?", "", (), AnswerOutcome.ANSWERED)) == ()
    assert await suggest(tools, answer(molecule="ZZ-1")) == ()


async def test_questions_to_begin_with_are_answered_and_of_different_types(tmp_path: Path) -> None:
    tools = await archive(tmp_path, {"a.md": STUDY, "b.md": CLOSED, "c.md": OTHER})
    assert await starters(tools) == (
        "What was the first-in-human dose of QV-310?",
        "For which organs is toxicity of QV-310 reported, and in which species?",
        "Which treatment regimens of QV-999 were studied in humans?",
    )


async def test_without_a_molecule_the_cell_of_a_table_and_lists_are_offered(tmp_path: Path) -> None:
    table = "Table 1. Growth.\n\n| | Girth (cm) | Age |\n|---|---|---|\n| Silver birches | 21.5 | 4 |\n"
    tools = await archive(
        tmp_path, {"a.md": f"# Trees\n\n{table}", "b.md": "# Guide to rats\n\nWash them daily.\n"}
    )
    assert await starters(tools) == (
        "What is the Girth of Silver birches?",
        "Which documents do I have?",
        "Which documents are about rat?",
    )
    assert "21.5" in (await ask(tools, "What is the Girth of Silver birches?")).short
    assert await starters(await archive(tmp_path / "empty", {})) == ()


async def test_where_little_else_is_answered_lists_of_documents_are_offered(tmp_path: Path) -> None:
    guide = (
        "---\nmolecules: [QV-310]\n---\n# QV-310: handling of samples\n\nSamples of QV-310 are kept cold.\n"
    )
    tools = await archive(tmp_path, {"a.md": guide, "b.md": "# Guide\n\nWash your hands.\n"})
    assert await starters(tools) == ("Which documents do I have?", "Which documents are about QV-310?")
