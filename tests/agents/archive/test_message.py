"""A model reads a message of a thread in one call; what it brings in of its own is refused."""

from pathlib import Path

import pytest

from agents.archive.answer import Question
from agents.archive.message import ReadQuestion, read_question
from tests.agents.archive.world import DOCUMENTS, archive
from tests.support.scripted import ScriptedModel

EARLIER = ("What was the dose of ZK-701 in rats?",)


async def read(folder: Path, text: str, given: str, language: str = "English") -> tuple[ReadQuestion, int]:
    model = ScriptedModel({"classify": [{"question": given, "language": language}]})
    tools = await archive(folder / "docs", DOCUMENTS, model)
    found = await read_question(tools, Question(text, ("ZK-701",), EARLIER))
    return found, len(model.calls)


async def test_a_follow_up_is_rewritten_by_the_model_in_one_call(tmp_path: Path) -> None:
    found, calls = await read(tmp_path, "and in dogs?", "What was the dose of ZK-701 in dogs?")

    assert (found.text, calls) == ("What was the dose of ZK-701 in dogs?", 1)
    assert found.notes == ("Understood as: What was the dose of ZK-701 in dogs?",)


@pytest.mark.parametrize("given", ["What was the dose of ZK-701 in 12 dogs?", "", "Tell me 99 things."])
async def test_a_number_that_nobody_wrote_is_refused(tmp_path: Path, given: str) -> None:
    found, _ = await read(tmp_path, "and in dogs?", given)

    assert found.text == "What was the dose of ZK-701 in dogs?"
    assert any("rules were used instead" in note for note in found.notes)


async def test_a_question_of_another_language_is_translated_and_its_language_kept(tmp_path: Path) -> None:
    asked = "Wie hoch war die Dosis von ZK-701 und für welche Tiere?"
    found, calls = await read(tmp_path, asked, "What was the dose of ZK-701 and for which animals?", "German")

    assert (found.text, found.language, calls) == (
        "What was the dose of ZK-701 and for which animals?",
        "German",
        1,
    )


async def test_a_whole_english_question_costs_no_call(tmp_path: Path) -> None:
    found, calls = await read(tmp_path, "Which lot of capsules was used?", "Something else?")

    assert (found.text, found.notes, calls) == ("Which lot of capsules was used?", (), 0)


@pytest.mark.parametrize("asked", ["which one was proposed in the first application?", "at which dose?"])
async def test_what_may_be_about_the_thread_is_read_by_the_model(tmp_path: Path, asked: str) -> None:
    found, calls = await read(tmp_path, asked, "Which dose of ZK-701 was proposed?")

    assert (found.text, calls) == ("Which dose of ZK-701 was proposed?", 1)


async def test_words_of_another_language_are_read_in_english_and_told(tmp_path: Path) -> None:
    tools = await archive(tmp_path, {"study": "# QX-12 in rats\n\nThe NOAEL in rats was 50 mg/kg.\n"})
    read = await read_question(tools, Question("Was ist der NOAEL bei Ratten?"))
    assert read.text == "Was ist der NOAEL bei rats?"
    assert '"Ratten" was read as "rats".' in read.notes
