"""A question with several parts gets an answer to each, in order, and is not cut where it has one."""

from pathlib import Path

import pytest

from agents.archive.answer import Outcome
from agents.archive.several import SHOWN_ABOVE, asked_in
from agents.archive.work import as_shown
from agents.reports.values import Heading, Paragraph
from retrieval.values import Molecule
from tests.agents.archive.world import DOCUMENTS, archive, ask

REGISTRY = (Molecule("VX-12"), Molecule("VX-30"))


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "When did VX-12's development stop and who decided that?",
            ("When did VX-12's development stop?", "Who decided that VX-12's development stopped?"),
        ),
        ("When and why was VX-12 stopped?", ("When was VX-12 stopped?", "why was VX-12 stopped?")),
        (
            "Who stopped VX-12, when, and why?",
            ("Who stopped VX-12?", "When was VX-12 stopped?", "Why was VX-12 stopped?"),
        ),
        (
            "Who led study VX-CL-2? How many patients took part?",
            ("Who led study VX-CL-2?", "How many patients took part in study VX-CL-2?"),
        ),
        (
            "Who wrote the protocol, when was it signed and how many sites took part?",
            ("Who wrote the protocol?", "When was the protocol signed?", "how many sites took part?"),
        ),
        (
            "What was the highest dose of VX-12, and how long was it given?",
            ("What was the highest dose of VX-12?", "How long was the highest dose of VX-12 given?"),
        ),
        (
            "What was the NOAEL of VX-12 in rats? And in dogs?",
            ("What was the NOAEL of VX-12 in rats?", "What was the NOAEL of VX-12 in dogs?"),
        ),
        (
            "What is the mechanism and why was VX-12 stopped?",
            ("What is the mechanism for VX-12?", "why was VX-12 stopped?"),
        ),
        (
            "What was the route of VX-12, and in how many patients?",
            ("What was the route of VX-12?", "In how many patients was the route of VX-12?"),
        ),
        (
            "What was the highest dose of VX-12 and how many men got it?",
            ("What was the highest dose of VX-12?", "How many men got the highest dose for VX-12?"),
        ),
        (
            "Tell me who led the study of VX-12 and when it ended.",
            ("who led the study of VX-12?", "When the study of VX-12 ended?"),
        ),
    ],
)
def test_each_part_is_a_question_of_its_own(question: str, parts: tuple[str, ...]) -> None:
    assert tuple(part.whole for part in asked_in(question, REGISTRY)) == parts


@pytest.mark.parametrize(
    "question",
    [
        "What was the dose of VX-12 between 5 and 10 mg?",
        "Which rats and dogs were used for safety and efficacy?",
        "What is the half-life and Cmax of VX-12 in humans?",
        "What happened when VX-12 was given and when it was stopped?",
        "How many patients who had fever and who died were women?",
        "Which animals were dosed and were killed?",
        "After the dose was raised, what happened?",
        "In study VX-CL-2, how many volunteers were dosed?",
        "Which molecules were stopped and when were they stopped?",
        "Which molecules were stopped, and why?",
        "Which of our molecules have been stopped, and what was the reason for each?",
        "How many patients had fever, and which ones?",
    ],
)
def test_a_question_that_only_looks_like_several_is_not_cut(question: str) -> None:
    assert [part.whole for part in asked_in(question, REGISTRY)] == [question]


async def test_each_part_has_its_answer_under_its_own_words(tmp_path: Path) -> None:
    tools = await archive(tmp_path / "docs", DOCUMENTS)
    answer = as_shown(await ask(tools, "Why was ZK-701 stopped and which lot of capsules was used?"))

    headings = [block.text for block in answer.blocks if isinstance(block, Heading)]
    assert headings == ["Why was ZK-701 stopped?", "Which lot of capsules was used?"]
    assert answer.outcome is Outcome.ANSWERED
    assert answer.short.index("liver toxicity") < answer.short.index("K-114")
    assert [one.number for one in answer.citations] == list(range(1, len(answer.citations) + 1))
    cited = {key for item in answer.evidence for key in [item.key]}
    assert len(cited) == len(answer.evidence)
    assert {one.key for one in answer.citations} <= cited


async def test_nothing_is_shown_twice(tmp_path: Path) -> None:
    tools = await archive(tmp_path / "docs", DOCUMENTS)
    answer = await ask(tools, "What colour had the capsules of ZK-701 and what taste had the capsules?")

    lines = [line for line in answer.text.splitlines() if line.startswith("- ")]
    assert len(lines) == len(set(lines))
    texts = [block.text for block in answer.blocks if isinstance(block, Paragraph)]
    assert SHOWN_ABOVE in texts or len(lines) > 1


async def test_a_follow_up_goes_on_from_the_last_part(tmp_path: Path) -> None:
    tools = await archive(tmp_path / "docs", DOCUMENTS)
    asked = "Who was the study director of ZK-CL-01 and why was ZK-701 stopped?"
    answer = await ask(tools, "and ZK-702?", previous=(asked,), thread_molecules=("ZK-701",))

    assert answer.understood == "Why was ZK-702 stopped?"


@pytest.mark.parametrize(
    ("question", "wholes"),
    [
        (
            "What is the Cmax of Ozelquinat and what is the NOAEL of KV-401?",
            ("What is the Cmax of Ozelquinat?", "what is the NOAEL of KV-401?"),
        ),
        (
            "What is the NOAEL of KV-401 and what is the Cmax of KV-777?",
            ("What is the NOAEL of KV-401?", "what is the Cmax of KV-777?"),
        ),
        (
            "What is the NOAEL and what is the Cmax of KV-401?",
            ("What is the NOAEL for KV-401?", "what is the Cmax of KV-401?"),
        ),
    ],
)
def test_a_part_with_an_unknown_name_is_not_about_another_molecule(
    question: str, wholes: tuple[str, ...]
) -> None:
    assert tuple(part.whole for part in asked_in(question, [Molecule("KV-401")])) == wholes
