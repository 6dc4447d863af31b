"""When and by whom a development was ended is told from the record of the decision, or not at all."""

from pathlib import Path

import pytest

from agents.archive.answer import Answer
from agents.archive.decision import asks_for_decision
from retrieval.values import Molecule
from tests.agents.archive.world import archive, ask

MINUTES = """# Minutes of the Portfolio Committee: QX-310

Meeting of 4 May 2011. Chair: L. Marten.

## Decision

{sentence}
"""
STUDY = """# QX-310: first study in volunteers

Forty volunteers received single doses of 5 mg QX-310. The study ended on 2 March 2010.
"""
REGISTRY = (Molecule("QX-310"), Molecule("QX-311"))
ENDED = "The development of QX-310 is terminated because of liver toxicity."


async def told(folder: Path, sentence: str, question: str, **more: str) -> Answer:
    documents = {"QX-MIN-1": MINUTES.format(sentence=sentence), "QX-CL-1": STUDY, **more}
    return await ask(await archive(folder, documents), question)


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("Who decided to stop QX-310?", "Portfolio Committee (QX-MIN-1)"),
        ("Which committee terminated QX-310?", "Portfolio Committee (QX-MIN-1)"),
        ("When was the development of QX-310 stopped?", "4 May 2011 (QX-MIN-1)"),
    ],
)
async def test_minutes_tell_who_decided_and_when(tmp_path: Path, question: str, short: str) -> None:
    answer = await told(tmp_path / "docs", ENDED, question)

    assert answer.short == short
    assert any(ENDED.rstrip(".") in one.quote for one in answer.citations)


@pytest.mark.parametrize(
    "sentence",
    [
        "The committee was informed that the development of QX-310 is stopped by its owner.",
        "The team proposed that the development of QX-310 is terminated because of liver toxicity.",
        "The development of QX-310 is not terminated in spite of liver toxicity.",
    ],
)
async def test_what_the_meeting_did_not_decide_is_not_told_as_its_decision(
    tmp_path: Path, sentence: str
) -> None:
    for question in ("Who decided to stop QX-310?", "When was QX-310 stopped?"):
        answer = await told(tmp_path / "docs", sentence, question)

        assert "Portfolio Committee" not in answer.short
        assert "2011" not in answer.short


async def test_a_day_that_another_document_denies_is_not_told(tmp_path: Path) -> None:
    overview = "# QX-310\n\nThe development of QX-310 was terminated in 2013 for reasons of portfolio.\n"
    answer = await told(tmp_path / "docs", ENDED, "When was QX-310 stopped?", **{"QX-OV-1": overview})

    assert "2011" not in answer.short


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Who decided to stop QX-310?", True),
        ("On which date was QX-310 discontinued?", True),
        ("When did the study of QX-310 end?", False),
        ("When was dosing with QX-310 stopped?", False),
        ("When were the molecules stopped?", False),
        ("Who chaired the meeting that stopped QX-310?", False),
        ("Why was QX-310 stopped?", False),
    ],
)
def test_only_the_end_of_a_development_is_taken_for_it(question: str, asks: bool) -> None:
    assert asks_for_decision(question, REGISTRY) == asks


CONTINUED = """# Minutes of the Portfolio Committee: projects

Meeting of 7 October 2013.

## Decision

The Committee decided to resume the development of QX-310 with a lower dose.
"""


@pytest.mark.parametrize(
    "question",
    ["What did the committee decide on QX-310?", "Is QX-310 still going?", "Why was QX-310 stopped?"],
)
async def test_decisions_that_differ_are_both_told_the_later_first(tmp_path: Path, question: str) -> None:
    answer = await told(tmp_path / "docs", ENDED, question, **{"QX-MIN-2": CONTINUED})

    first = answer.text.splitlines()[0]
    assert "on 7 October 2013 to go on; before, on 4 May 2011 to end it" in first
    assert any("resume" in one.quote for one in answer.citations)


async def test_the_reason_of_an_end_that_stands_is_told_as_the_reason(tmp_path: Path) -> None:
    earlier = CONTINUED.replace("2013", "2009")
    answer = await told(tmp_path / "docs", ENDED, "Why was QX-310 stopped?", **{"QX-MIN-2": earlier})

    assert "was discontinued: " in answer.text.splitlines()[0]


@pytest.mark.parametrize(
    "sentence",
    [
        "The Committee decided to continue the follow-up of the patients of QX-310.",
        "The Committee was informed that QX-310 is continued by its owner.",
        "The Committee decided to continue QX-311, the back-up of QX-310.",
    ],
)
async def test_what_goes_on_beside_the_molecule_is_no_decision_on_it(tmp_path: Path, sentence: str) -> None:
    later = CONTINUED.replace(
        "The Committee decided to resume the development of QX-310 with a lower dose.", sentence
    )
    answer = await told(tmp_path / "docs", ENDED, "Why was QX-310 stopped?", **{"QX-MIN-2": later})

    assert "was discontinued: " in answer.text.splitlines()[0]


async def test_the_end_of_a_form_is_no_decision_to_end_the_molecule(tmp_path: Path) -> None:
    sentence = "The inhaled form of QX-310 is terminated because of cough. The tablet goes on."
    answer = await told(tmp_path / "docs", sentence, "When was QX-310 stopped?")

    assert "was decided" not in answer.text.splitlines()[0]
